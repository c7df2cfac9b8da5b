package booster

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
	"strings"
	"sync"

	"cbkit/internal/cbhdb"
	"cbkit/model"
)

// SealExt is the ending of the file with the seal.
const SealExt = ".cbkit"

// SealedFiles are the files that a seal is about: the .cbb file, and all that
// it follows from.
var SealedFiles = []string{".cbh", ".cbj", ".cbg", ".cbb"}

// Seal says which bytes the .cbb file had when it was computed, and which the
// files had that it was computed from. A record of the .cbb file cannot be
// checked without playing through the game, which is the work it is there to
// save; so a search uses the file only where the seal fits all four.
//
// The seal is a small text file beside the database, for this program alone:
//
//	cbkit seal 1
//	.cbh 10672 2f1d8c40
//	.cbg 338815 91c0a6ee
//	.cbb 12064 0b7702d1
//
// Each line has a file's ending, its size in bytes, and its CRC-32C in
// hexadecimal digits.
type Seal []FileSum

// FileSum is the size of a file and the checksum of its content.
type FileSum struct {
	Ext  string
	Size int64
	CRC  uint32 // CRC-32C
}

const sealTitle = "cbkit seal 1\n"

// maxSeal is more than a seal can have bytes.
const maxSeal = 4096

// ErrNoSeal says that there is no seal that fits the files.
var ErrNoSeal = errors.New("not sealed")

// castagnoli has instructions of its own on most processors: the sum is as fast
// as reading.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// SumOf reads a file of a database to its end and returns its sum.
func SumOf(files cbhdb.Files, ext string) (FileSum, error) {
	f, err := files.Open(ext)
	if err != nil {
		return FileSum{}, err
	}
	defer f.Close()
	sum := crc32.New(castagnoli)
	n, err := io.CopyBuffer(onlyWriter{sum}, io.NewSectionReader(f, 0, f.Size()), make([]byte, sumAhead))
	if err != nil {
		return FileSum{}, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return FileSum{ext, n, sum.Sum32()}, nil
}

// onlyWriter keeps io.CopyBuffer from looking for a faster way than its buffer.
type onlyWriter struct{ io.Writer }

// sumAhead is how many bytes are read at once.
const sumAhead = 1 << 18

// Sums returns the sums of those of the given files that are there.
func Sums(files cbhdb.Files, exts []string) (Seal, error) {
	var s Seal
	for _, ext := range exts {
		if !files.Has(ext) {
			continue
		}
		sum, err := SumOf(files, ext)
		if err != nil {
			return nil, err
		}
		s = append(s, sum)
	}
	return s, nil
}

// Append appends the content of the file with the seal.
func (s Seal) Append(dst []byte) []byte {
	dst = append(dst, sealTitle...)
	for _, f := range s {
		dst = fmt.Appendf(dst, "%s %d %08x\n", f.Ext, f.Size, f.CRC)
	}
	return dst
}

// ParseSeal reads what Append writes. The error wraps ErrNoSeal.
func ParseSeal(b []byte) (Seal, error) {
	rest, ok := bytes.CutPrefix(b, []byte(sealTitle))
	if !ok || len(b) > maxSeal {
		return nil, fmt.Errorf("%w: the content is no seal", ErrNoSeal)
	}
	var s Seal
	for line := range strings.Lines(string(rest)) {
		var f FileSum
		var err error
		if f, err = parseSum(strings.TrimSuffix(line, "\n")); err != nil {
			return nil, fmt.Errorf("%w: line %q: %w", ErrNoSeal, line, err)
		}
		s = append(s, f)
	}
	return s, nil
}

func parseSum(line string) (f FileSum, err error) {
	words := strings.Split(line, " ")
	if len(words) != 3 || len(words[2]) != 8 {
		return f, model.ErrCorrupt
	}
	f.Ext = words[0]
	if f.Size, err = strconv.ParseInt(words[1], 10, 64); err != nil {
		return f, err
	}
	crc, err := strconv.ParseUint(words[2], 16, 32)
	f.CRC = uint32(crc)
	return f, err
}

// CheckSeal returns nil if there is a seal and it fits the files as they are
// now. Errors wrap ErrNoSeal and say why, unless a file cannot be read.
func CheckSeal(files cbhdb.Files) error {
	if !files.Has(SealExt) {
		return fmt.Errorf("%w: there is no %s", ErrNoSeal, files.Name(SealExt))
	}
	f, err := files.Open(SealExt)
	if err != nil {
		return err
	}
	defer f.Close()
	b, err := f.Start(maxSeal + 1)
	if err != nil {
		return err
	}
	seal, err := ParseSeal(b)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name(), err)
	}
	return seal.check(files)
}

// check compares the seal with the files, sizes first.
func (s Seal) check(files cbhdb.Files) error {
	sealed := map[string]FileSum{}
	for _, f := range s {
		sealed[f.Ext] = f
	}
	for _, ext := range SealedFiles {
		if _, ok := sealed[ext]; ok != files.Has(ext) {
			return fmt.Errorf("%w: %s has come or gone since", ErrNoSeal, files.Name(ext))
		}
	}
	for _, want := range s {
		f, err := files.Open(want.Ext)
		if err != nil {
			return err
		}
		f.Close()
		if f.Size() != want.Size {
			return fmt.Errorf("%w: %s has changed since", ErrNoSeal, f.Name())
		}
	}
	return s.checkSums(files)
}

// checkSums compares the contents, of all files at the same time.
func (s Seal) checkSums(files cbhdb.Files) error {
	errs := make([]error, len(s))
	var running sync.WaitGroup
	for i, want := range s {
		running.Go(func() {
			now, err := SumOf(files, want.Ext)
			if err == nil && now != want {
				err = fmt.Errorf("%w: %s has changed since", ErrNoSeal, files.Name(want.Ext))
			}
			errs[i] = err
		})
	}
	running.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
