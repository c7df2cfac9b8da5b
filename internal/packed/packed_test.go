package packed_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"cbkit/internal/packed"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// read returns all text in data.
func read(data []byte) (string, error) {
	r, done, err := packed.NewReader(bytes.NewReader(data), "")
	if err != nil {
		return "", err
	}
	defer done()
	text, err := io.ReadAll(r)
	return string(text), err
}

func TestRoundTrip(t *testing.T) {
	for _, text := range []string{"", "1. e4 *\n", strings.Repeat("1. e4 e5 2. Nf3 Nc6 *\n\n", 10_000)} {
		for _, ending := range []string{packed.Gzip, packed.Zstd, ""} {
			var out bytes.Buffer
			w := must.Get(packed.NewWriter(&out, ending))(t)
			must.Get(io.WriteString(w, text))(t)
			must.Do(t, w.Close())
			if ending != "" && len(text) > 1000 && out.Len() > len(text)/10 {
				t.Errorf("%q: %d bytes became %d", ending, len(text), out.Len())
			}
			if got, err := read(out.Bytes()); err != nil || got != text {
				t.Errorf("%q: %d bytes came back as %d, error %v", ending, len(text), len(got), err)
			}
			if ending == "" || len(text) < 1000 {
				continue
			}
			if _, err := read(out.Bytes()[:out.Len()-9]); !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%q, cut: error %v", ending, err)
			}
		}
	}
}

func TestBzip2(t *testing.T) {
	// What bzip2 makes of "*\n".
	data := must.Get(hex.DecodeString(bzip2Sample))(t)
	if got, err := read(data); err != nil || got != "*\n" {
		t.Errorf("%q, error %v", got, err)
	}
}

// A file that is compressed by its name has something in it.
func TestNothingIsCut(t *testing.T) {
	for name, want := range map[string]error{"a.pgn.gz": io.ErrUnexpectedEOF, "a.pgn.ZST": io.ErrUnexpectedEOF, "a.pgn": nil, "": nil} {
		if _, _, err := packed.NewReader(bytes.NewReader(nil), name); err != want {
			t.Errorf("%q: %v, want %v", name, err, want)
		}
	}
}

func TestEnding(t *testing.T) {
	for name, want := range map[string]string{
		"a.pgn.gz": ".gz", "A.PGN.ZST": ".zst", "a.bz2": ".bz2", "a.pgn": "", "gz": "", "": "",
	} {
		if got := packed.Ending(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

const bzip2Sample = "425a6839314159265359dadba62f000000d000001000102000210082b177245385090dadba62f0"

// A frame of Zstandard takes the memory of its window, which it can say at will: no
// more than 64 MB, else it is refused, with what to do.
func TestWindowOfZstd(t *testing.T) {
	const text = "1. e4 *\n"
	for log, most := range map[byte]uint64{10: 4 << 20, 25: 64 << 20, 26: 4 << 20, 27: 4 << 20, 28: 4 << 20, 41: 4 << 20} {
		frame := []byte{
			0x28, 0xB5, 0x2F, 0xFD, // magic
			0x00,                         // no size, no checksum, no dictionary
			(log - 10) << 3,              // the window
			byte(len(text)<<3 | 1), 0, 0, // the last block, not compressed
		}
		frame = append(frame, text...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, err := read(frame)
		runtime.ReadMemStats(&after)
		if (err == nil && got == text) != (log <= 25) || log > 25 && (!errors.Is(err, model.ErrUnsupported) || !strings.Contains(err.Error(), "--long=31")) {
			t.Errorf("a window of 2^%d: %q, %v", log, got, err)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > most {
			t.Errorf("a window of 2^%d: %d MiB", log, used>>20)
		}
	}
}
