package check_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"cbkit/check"
	"cbkit/internal/cbh"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// A script of damage is a row of steps of six bytes: what to do, the file, an
// offset and a value.
const stepSize = 6

// step is a step of a script.
func step(op, file byte, offset, value uint16) []byte {
	b := binary.BigEndian.AppendUint16([]byte{op, file}, offset)
	return binary.BigEndian.AppendUint16(b, value)
}

// interesting are numbers at the edges of their fields.
var interesting = []uint32{0, 1, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0xFFFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFC19}

// apply damages files by a script.
func apply(files map[string][]byte, script []byte) {
	exts := slices.Sorted(maps.Keys(files))
	for ; len(script) >= stepSize; script = script[stepSize:] {
		ext := exts[int(script[1])%len(exts)]
		offset, value := int(binary.BigEndian.Uint16(script[2:])), binary.BigEndian.Uint16(script[4:])
		b := files[ext]
		if b == nil {
			continue
		}
		at := offset % (len(b) + 1)
		switch number := interesting[int(value)%len(interesting)]; script[0] % 7 {
		case 0:
			b = overwrite(b, at, byte(value))
		case 1:
			b = b[:at]
		case 2:
			b = append(b, make([]byte, int(value)%2000)...)
		case 3:
			b = overwrite(b, at, binary.BigEndian.AppendUint32(nil, number)...)
		case 4:
			b = overwrite(b, at, binary.LittleEndian.AppendUint32(nil, number)...)
		case 5:
			b = overwrite(b, at, b[int(value)%(len(b)+1):min(len(b), int(value)%(len(b)+1)+46)]...)
		case 6:
			b = nil // the file is missing
		}
		files[ext] = b
	}
}

// overwrite puts bytes into a copy of b, as far as they fit.
func overwrite(b []byte, at int, with ...byte) []byte {
	b = bytes.Clone(b)
	copy(b[at:], with)
	return b
}

// fuzzFolder keeps the files of the database at hand, of which it writes only
// those that change.
type fuzzFolder struct {
	dir     string
	written map[string][]byte
}

func (f *fuzzFolder) save(t *testing.T, files map[string][]byte) (path string) {
	for ext, b := range files {
		path := filepath.Join(f.dir, "sample"+ext)
		if b == nil {
			os.Remove(path)
		} else if old, ok := f.written[ext]; !ok || old == nil || !bytes.Equal(old, b) {
			must.Do(t, os.WriteFile(path, b, 0o600))
		}
		f.written[ext] = b
	}
	return filepath.Join(f.dir, "sample.cbh")
}

// fuzzDamage calls run with damaged databases; it must come to an end soon, and
// not allocate out of proportion.
func fuzzDamage(f *testing.F, run func(ctx context.Context, path string) error) {
	f.Add(byte(0), []byte(nil))
	f.Add(byte(1), step(6, 3, 0, 0))
	f.Add(byte(2), slices.Concat(step(3, 6, 138, 7), step(4, 9, 32, 9)))
	f.Add(byte(1), slices.Concat(step(1, 0, 300, 0), step(0, 5, 47, 255), step(5, 5, 46, 92), step(2, 2, 0, 500)))
	f.Add(byte(0), slices.Concat(step(4, 7, 0, 8), step(4, 7, 4, 7), step(4, 6, 4, 1)))
	folder := fuzzFolder{dir: f.TempDir(), written: map[string][]byte{}}
	f.Fuzz(func(t *testing.T, base byte, script []byte) {
		d := sample(t)
		d.files[".flags"] = cbh.NewExamined(sampleRecords).Append(nil)
		switch base % 3 {
		case 1:
			d.makeOld()
		case 2:
			d.deletePlayers("Fischer", "Spasski")
		}
		files := map[string][]byte{".cbj": nil, ".cbe": nil, ".cbl": nil}
		maps.Copy(files, d.files)
		apply(files, script[:min(len(script), 40*stepSize)])
		path := folder.save(t, files)

		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := run(ctx, path)
		runtime.ReadMemStats(&after)
		if err != nil && !errors.Is(err, model.ErrNotDatabase) && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
			t.Fatalf("%d bytes of memory", used)
		}
	})
}

func FuzzDatabase(f *testing.F) {
	fuzzDamage(f, func(ctx context.Context, path string) error {
		made := check.Database(ctx, path, check.Options{Jobs: 2})
		for finding, err := range made.Findings() {
			if err != nil {
				break // Summary has it
			}
			if finding.String() == "" || finding.File == "" || finding.Message == "" {
				panic("an empty finding")
			}
		}
		_, err := made.Summary()
		return err
	})
}

func FuzzVerify(f *testing.F) {
	fuzzDamage(f, func(ctx context.Context, path string) error {
		r, err := check.Verify(ctx, path, check.Options{Jobs: 2})
		if n := r.Different(); n > 0 {
			for _, file := range r.Files {
				for _, c := range file.Listed {
					if c.Outcome == "different" {
						return errors.New(file.File + ": a record does not come back: " + c.Part + " " + c.Field)
					}
				}
			}
		}
		return err
	})
}
