package wire

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"testing"

	_ "cbkit/internal/testkit/seeds"
	"cbkit/model"

	"pgregory.net/rapid"
)

func Example() {
	record := []byte{0x00, 0x00, 0x11, 0x05, 'M', 'a', 't'}
	c := NewCursor(record)
	id := c.U24BE()
	name := c.Bytes(int(c.U8()))

	fmt.Printf("%d %q\n", id, name)
	fmt.Println(Locate(c.Err(), "games.cbg", 0x4C0, int64(id)))
	// Output:
	// 17 ""
	// games.cbg: record 17 at 0x4c4: truncated
}

// golden is one value of every width in both byte orders.
const golden = "fe" + "fd" + // 8 bits
	"fffe" + "feff" + "8001" + "0180" + // 16
	"fffffe" + "800001" + // 24
	"fffffffe" + "feffffff" + "80000001" + "01000080" + // 32
	"0123456789abcdef" + "efcdab8967452301" + // 64
	"0000"

func TestGolden(t *testing.T) {
	b := append([]byte(nil), 0xFE, 0xFD)
	b = AppendU16LE(AppendU16BE(b, 0xFFFE), 0xFFFE)
	b = AppendU16LE(AppendU16BE(b, 0x8001), 0x8001)
	b = AppendI24BE(b, -2)
	b = AppendU24BE(b, 0x800001)
	b = AppendI32LE(AppendI32BE(b, -2), -2)
	b = AppendU32LE(AppendU32BE(b, 0x80000001), 0x80000001)
	b = AppendU64LE(AppendU64BE(b, 0x0123456789abcdef), 0x0123456789abcdef)
	b = AppendZeros(b, 2)
	if got := hex.EncodeToString(b); got != golden {
		t.Fatalf("wrote %s\nwant  %s", got, golden)
	}

	c := NewCursor(b)
	got := []any{
		c.U8(), c.I8(), c.U16BE(), c.U16LE(), c.I16BE(), c.I16LE(),
		c.I24BE(), c.U24BE(), c.I32BE(), c.I32LE(), c.U32BE(), c.U32LE(),
		c.U64BE(), c.Bytes(8), c.Bytes(2), c.Len(), c.Err(),
	}
	want := []any{
		uint8(0xFE), int8(-3), uint16(0xFFFE), uint16(0xFFFE), int16(-32767), int16(-32767),
		int32(-2), uint32(0x800001), int32(-2), int32(-2),
		uint32(0x80000001), uint32(0x80000001),
		uint64(0x0123456789abcdef), []byte{0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01}, []byte{0, 0}, 0, nil,
	}
	for i := range want {
		if fmt.Sprintf("%T %v", got[i], got[i]) != fmt.Sprintf("%T %v", want[i], want[i]) {
			t.Errorf("value %d: got %v, want %v", i, got[i], want[i])
		}
	}
}

// reads are all reads of fixed width, with their number of bytes; each returns
// whether it gave zero.
var reads = []struct {
	size int
	zero func(*Cursor) bool
}{
	{1, func(c *Cursor) bool { return c.U8() == 0 }},
	{1, func(c *Cursor) bool { return c.I8() == 0 }},
	{2, func(c *Cursor) bool { return c.U16BE() == 0 }},
	{2, func(c *Cursor) bool { return c.U16LE() == 0 }},
	{2, func(c *Cursor) bool { return c.I16BE() == 0 }},
	{2, func(c *Cursor) bool { return c.I16LE() == 0 }},
	{3, func(c *Cursor) bool { return c.U24BE() == 0 }},
	{3, func(c *Cursor) bool { return c.I24BE() == 0 }},
	{4, func(c *Cursor) bool { return c.U32BE() == 0 }},
	{4, func(c *Cursor) bool { return c.U32LE() == 0 }},
	{4, func(c *Cursor) bool { return c.I32BE() == 0 }},
	{4, func(c *Cursor) bool { return c.I32LE() == 0 }},
	{8, func(c *Cursor) bool { return c.U64BE() == 0 }},
}

// TestCursorNeverLeavesItsBytes reads at random from bytes that are never
// zero: a read gives zero exactly if it did not fit, and then for ever.
func TestCursorNeverLeavesItsBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOfN(rapid.ByteRange(1, 127), 0, 40).Draw(t, "data")
		base := rapid.Int64Range(0, 1<<40).Draw(t, "base")
		c := Cursor{data: data, base: base}
		pos, failedAt := 0, -1
		t.Repeat(map[string]func(*rapid.T){
			"number": func(t *rapid.T) {
				r := rapid.SampledFrom(reads).Draw(t, "read")
				fits := failedAt < 0 && pos+r.size <= len(data)
				if !fits && failedAt < 0 {
					failedAt = pos
				}
				if r.zero(&c) == fits {
					t.Fatalf("%d bytes at %d of %d: zero %v", r.size, pos, len(data), fits)
				}
				if fits {
					pos += r.size
				}
			},
			"bytes": func(t *rapid.T) {
				n := rapid.IntRange(-3, 12).Draw(t, "n")
				fits := failedAt < 0 && n >= 0 && pos+n <= len(data)
				b := c.Bytes(n)
				switch {
				case fits && !bytes.Equal(b, data[pos:pos+n]):
					t.Fatalf("bytes at %d: % X", pos, b)
				case fits:
					pos += n
				case len(b) != 0:
					t.Fatalf("bytes beyond the end: % X", b)
				case failedAt < 0:
					failedAt = pos
				}
			},
			"": func(t *rapid.T) {
				if failedAt < 0 {
					if c.Err() != nil || c.Len() != len(data)-pos || c.Offset() != base+int64(pos) {
						t.Fatalf("at %d: %v, %d left, offset %d", pos, c.Err(), c.Len(), c.Offset())
					}
					return
				}
				var e *model.FormatError
				if !errors.As(c.Err(), &e) || e.Offset != base+int64(failedAt) || !errors.Is(e, model.ErrTruncated) || c.Len() != 0 {
					t.Fatalf("failed at %d: %v, %d left", failedAt, c.Err(), c.Len())
				}
			},
		})
	})
}

func TestSub(t *testing.T) {
	c := Cursor{data: []byte{1, 2, 3, 4}, base: 10}
	c.Skip(1)
	sub := c.Sub(2)
	if sub.Offset() != 11 || sub.U16BE() != 0x0203 || sub.Err() != nil || c.Offset() != 13 {
		t.Errorf("sub %+v of %+v", sub, c)
	}
	if sub.U8(); sub.Err() == nil || c.Err() != nil {
		t.Error("a cursor over a part reads beyond it")
	}
	if sub = c.Sub(5); sub.Err() == nil || c.Err() == nil || sub.U8() != 0 {
		t.Error("a part beyond the end")
	}
}

func TestFail(t *testing.T) {
	c := Cursor{data: []byte{1, 2, 3, 4}, base: 10}
	c.Skip(2)
	c.Fail("size", model.ErrTooLarge)
	c.Fail("later", model.ErrCorrupt)
	var e *model.FormatError
	if !errors.As(c.Err(), &e) || e.Offset != 12 || e.Field != "size" || e.Record != -1 || !errors.Is(e, model.ErrTooLarge) {
		t.Errorf("%v", c.Err())
	}
	if c.U8() != 0 || c.Len() != 0 || c.Rest() != nil && len(c.Rest()) != 0 {
		t.Error("a failed cursor reads on")
	}
}

func TestLocate(t *testing.T) {
	plain := errors.New("plain")
	if Locate(plain, "x", 1, 2) != plain || Locate(nil, "x", 1, 2) != nil {
		t.Error("Locate changes errors that have no place")
	}
	nowhere := &model.FormatError{Offset: -1, Record: 3, Err: model.ErrCorrupt}
	if got := Locate(nowhere, "x.cbh", 46, -1).Error(); got != "x.cbh: record 3: corrupt" {
		t.Error(got)
	}
	if nowhere.File != "" {
		t.Error("Locate changes the error it was given")
	}
}

func FuzzCursor(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4}, []byte{0, 3, 6, 20})
	f.Fuzz(func(t *testing.T, data, script []byte) {
		c := NewCursor(data)
		for _, op := range script {
			left := c.Len()
			if i := int(op); i < len(reads) {
				reads[i].zero(&c)
			} else if b := c.Bytes(i - 64); len(b) > left {
				t.Fatalf("%d bytes of %d", len(b), left)
			}
			if c.Len() < 0 || c.Len() > left {
				t.Fatalf("%d left after %d", c.Len(), left)
			}
		}
	})
}

func BenchmarkCursor(b *testing.B) {
	data := make([]byte, 46)
	b.SetBytes(int64(len(data)))
	var sum uint32
	for b.Loop() {
		c := NewCursor(data)
		for c.Len() >= 3 {
			sum += c.U24BE()
		}
	}
	_ = sum
}
