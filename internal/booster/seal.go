package booster

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"time"

	"cbkit/internal/cbhdb"
	"cbkit/internal/wire"
)

// SealExt is the ending of the file with the seal.
const SealExt = ".cbkit"

// SealedFiles are the files that a seal is about: those that boosters follow
// from, and the boosters.
var SealedFiles = [...]string{".cbh", ".cbj", ".cbg", ".cit", ".cib", ".cit2", ".cib2", ".cbb", ".cbgi"}

// bases is how many of them boosters follow from.
const bases = 3

// Bases are the files that boosters follow from.
func Bases() []string { return slices.Clone(SealedFiles[:bases]) }

// SealChunk is the size of the parts of a file that have a sum of their own.
const SealChunk = 1 << 16

// Seal says which sizes, change times and bytes the boosters had when they were
// made, or kept in step last, and which the files had that they follow from.
//
// The seal is a file beside the database, for this program alone. Its layout is
// in docs/formats/boosters.md 12.
type Seal struct {
	States SealStates
	Sums   [len(SealedFiles)][]uint32 // CRC-32C of each part of [SealChunk] bytes
}

// SealStates are the states of all files, in the order of [SealedFiles].
type SealStates [len(SealedFiles)]State

// State is the state of a file by which a change is noticed without reading it.
type State struct {
	Size    int64 // in bytes; -1: there is no such file, or nothing is said of it
	Changed int64 // nanoseconds since 1970
}

// NoState is that of a file that is not there.
var NoState = State{Size: -1}

// NoStates are those of files of which nothing is said.
func NoStates() (s SealStates) {
	for i := range s {
		s[i] = NoState
	}
	return s
}

// NewState returns the state of a file.
func NewState(size int64, changed time.Time) State { return State{size, changed.UnixNano()} }

const sealTitle = "cbkit seal 2\n\x00\x00\x00"

// Where a seal has what. (docs/formats/boosters.md 12)
const (
	sealSumAt    = len(sealTitle)
	sealStatesAt = sealSumAt + 8
	stateSize    = 16
	// SealHeadSize is the size of what comes before the sums.
	SealHeadSize = sealStatesAt + stateSize*len(SealedFiles)
	sumSize      = 4
	sealRowSize  = sumSize * len(SealedFiles)
)

// ErrNoSeal says that there is no seal that fits the files.
var ErrNoSeal = errors.New("not sealed")

// castagnoli has instructions of its own on most processors: the sum is as fast
// as reading.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sumAt is where the sum of part n of a file is, whose number in [SealedFiles] is
// given.
func sumAt(file int, n int64) int64 {
	return int64(SealHeadSize) + n*int64(sealRowSize) + int64(file)*sumSize
}

// column returns the number of a file in [SealedFiles].
func column(ext string) int { return slices.Index(SealedFiles[:], ext) }

// Of returns the state of the file with an ending.
func (s *SealStates) Of(ext string) *State { return &s[column(ext)] }

// Append appends what comes before the sums.
func (s *SealStates) Append(dst []byte) []byte {
	var body []byte
	body = wire.AppendU32LE(body, SealChunk)
	for _, f := range s {
		body = wire.AppendU64LE(body, uint64(f.Size))
		body = wire.AppendU64LE(body, uint64(f.Changed))
	}
	dst = append(dst, sealTitle...)
	dst = wire.AppendU32LE(dst, crc32.Checksum(body, castagnoli))
	return append(dst, body...)
}

// ParseSealStates reads what Append writes. The error wraps ErrNoSeal.
func ParseSealStates(b []byte) (s SealStates, err error) {
	if len(b) < SealHeadSize || !bytes.HasPrefix(b, []byte(sealTitle)) {
		return s, fmt.Errorf("%w: the content is no seal", ErrNoSeal)
	}
	le := binary.LittleEndian
	body := b[sealSumAt+4 : SealHeadSize]
	if le.Uint32(b[sealSumAt:]) != crc32.Checksum(body, castagnoli) || le.Uint32(body) != SealChunk {
		return s, fmt.Errorf("%w: the seal is damaged", ErrNoSeal)
	}
	for i := range s {
		at := body[4+stateSize*i:]
		s[i] = State{int64(le.Uint64(at)), int64(le.Uint64(at[8:]))}
	}
	return s, nil
}

// Append appends the content of the file with the seal.
func (s *Seal) Append(dst []byte) []byte {
	dst = s.States.Append(dst)
	rows := 0
	for _, sums := range s.Sums {
		rows = max(rows, len(sums))
	}
	for n := range rows {
		for _, sums := range s.Sums {
			sum := uint32(0)
			if n < len(sums) {
				sum = sums[n]
			}
			dst = wire.AppendU32LE(dst, sum)
		}
	}
	return dst
}

// ParseSeal reads what Append writes. The error wraps ErrNoSeal.
func ParseSeal(b []byte) (s Seal, err error) {
	if s.States, err = ParseSealStates(b); err != nil {
		return s, err
	}
	for i, f := range s.States {
		n := chunks(f.Size)
		if n > 0 && sumAt(i, n-1)+sumSize > int64(len(b)) {
			return s, fmt.Errorf("%w: the seal is cut", ErrNoSeal)
		}
		for k := range n {
			s.Sums[i] = append(s.Sums[i], binary.LittleEndian.Uint32(b[sumAt(i, k):]))
		}
	}
	return s, nil
}

// NewSeal returns a seal that says nothing of any file.
func NewSeal() *Seal { return &Seal{States: NoStates()} }

// chunks is how many parts a file of a size has.
func chunks(size int64) int64 { return (max(size, 0) + SealChunk - 1) / SealChunk }

// Set fills in what is to be said of a file as it is now.
func (s *Seal) Set(ext string, state State, content io.ReaderAt) error {
	sums, err := sumsOf(content, state.Size)
	i := column(ext)
	s.States[i], s.Sums[i] = state, sums
	return err
}

// TakeOver takes over what another seal says of a booster that is there, if it fits
// that, and is for the same content of the files that boosters follow from.
func (s *Seal) TakeOver(old *Seal, files cbhdb.Files, ext string) error {
	for i := range bases {
		if s.States[i].Size != old.States[i].Size || !slices.Equal(s.Sums[i], old.Sums[i]) {
			return nil
		}
	}
	now := s.States
	state, err := stateOf(files, ext)
	i := column(ext)
	now[i] = state
	if was := old.States[i]; err == nil && was.Size == state.Size && (was == state || old.States.OtherTime(&now, append(Bases(), ext)) == "") {
		s.States[i], s.Sums[i] = state, old.Sums[i]
	}
	return err
}

// sumAhead is how many bytes are read at once.
const sumAhead = 4 * SealChunk

// sumsOf returns the sums of a file.
func sumsOf(content io.ReaderAt, size int64) ([]uint32, error) {
	sums := make([]uint32, 0, chunks(size))
	buf := make([]byte, min(sumAhead, max(size, 0)))
	for at := int64(0); at < size; at += sumAhead {
		part := buf[:min(sumAhead, size-at)]
		if n, err := content.ReadAt(part, at); n < len(part) {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		for chunk := range slices.Chunk(part, SealChunk) {
			sums = append(sums, crc32.Checksum(chunk, castagnoli))
		}
	}
	return sums, nil
}

// StatesOf returns the states of some files of a database, and no others.
func StatesOf(files cbhdb.Files, exts []string) (s SealStates, err error) {
	s = NoStates()
	for _, ext := range exts {
		if !files.Has(ext) {
			continue
		}
		if *s.Of(ext), err = stateOf(files, ext); err != nil {
			return s, err
		}
	}
	return s, nil
}

// stateOf returns the state of a file that is there.
func stateOf(files cbhdb.Files, ext string) (State, error) {
	f, err := files.Open(ext)
	if err != nil {
		return NoState, err
	}
	defer f.Close() // it was only read
	changed, err := files.Changed(ext)
	return NewState(f.Size(), changed), err
}

// SealOf returns a seal for some files of a database as they are, whether they
// fit each other or not.
func SealOf(files cbhdb.Files, exts []string) (*Seal, error) {
	s := NewSeal()
	for _, ext := range exts {
		if !files.Has(ext) {
			continue
		}
		state, err := stateOf(files, ext)
		if err == nil {
			err = s.setFrom(files, ext, state)
		}
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

// setFrom is Set for a file of a database.
func (s *Seal) setFrom(files cbhdb.Files, ext string, state State) error {
	f, err := files.Open(ext)
	if err != nil {
		return err
	}
	defer f.Close() // it was only read
	if err := s.Set(ext, state, f); err != nil {
		return fmt.Errorf("%s: %w", f.Name(), err)
	}
	return nil
}
