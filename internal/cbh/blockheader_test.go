package cbh

import (
	"bytes"
	"errors"
	"testing"

	"cbkit/model"

	"pgregory.net/rapid"
)

// Both are printed in docs/formats/cbg.md 1.
const (
	goldenBlockHeader    = "001A 000045A4 00000000 00000000000045A4 0000000000000000"
	goldenOldBlockHeader = "000A 0000FB6F 0000234C"
)

func TestGoldenBlockHeader(t *testing.T) {
	h := NewBlockHeader(0x45A4, 0)
	golden(t, "header", h.Append(nil), goldenBlockHeader)
	old := BlockHeader{Size: OldBlockHeaderSize}
	old.SetSizes(0xFB6F, 9036)
	golden(t, "old header", old.Append(nil), goldenOldBlockHeader)
	for _, text := range []string{goldenBlockHeader, goldenOldBlockHeader} {
		checkTruncation(t, "header", unhex(text), func(b []byte) error {
			_, err := DecodeBlockHeader(b)
			return err
		})
	}
	big := NewBlockHeader(5<<32+3, 1<<32+2)
	if big.FileSize != 3 || big.FileSize64 != 5<<32+3 || big.Unused != 2 || big.Unused64 != 1<<32+2 {
		t.Errorf("beyond 4 GiB: %+v", big)
	}
	if _, err := DecodeBlockHeader(make([]byte, 26)); !errors.Is(err, model.ErrUnsupported) {
		t.Errorf("a header of 0 bytes: %v", err)
	}
}

func TestBlockHeaderRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := rapid.Make[BlockHeader]().Draw(t, "header")
		h.Size = BlockHeaderSize
		if rapid.Bool().Draw(t, "old") {
			h.Size, h.FileSize64, h.Unused64 = OldBlockHeaderSize, 0, 0
		}
		if got, err := DecodeBlockHeader(h.Append(nil)); err != nil || got != h {
			t.Fatalf("%+v becomes %+v, %v", h, got, err)
		}
	})
}

func FuzzBlockHeader(f *testing.F) {
	f.Add(unhex(goldenBlockHeader))
	f.Add(unhex(goldenOldBlockHeader))
	f.Fuzz(func(t *testing.T, b []byte) {
		if h, err := DecodeBlockHeader(b); err == nil && !bytes.Equal(h.Append(nil), b[:h.Size]) {
			t.Error("header changed")
		}
	})
}
