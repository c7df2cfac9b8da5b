package cbh

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/model"

	"pgregory.net/rapid"
)

// listVector1 is a complete .cit file. (docs/formats/boosters.md 2)
const listVector1 = `28000000 00000000 00000000
	05000000 05000000 00000000 00000000 ffffffff ffffffff 01000000 01000000 02000000 02000000
	06000000 06000000 04000000 04000000 ffffffff ffffffff ffffffff ffffffff 03000000 03000000`

// listVector4 is a complete .cit2 file with a list that is in its row.
// (docs/formats/boosters.md 4)
const listVector4 = "08000000 00000000 00000000  01000000 02000000  ffffffff ffffffff  02000040 ffffffff"

// traceVector2 is a .cbb record of ChessBase. (docs/formats/boosters.md 5)
const traceVector2 = `000000 53 ed 85 d10f070400 001070f814 07 f0 7c 38 f960000000808000
	0060200000e0388b 661a346000000000 0040d0e020680c66`

// decodeTable reads all of a table.
func decodeTable(f *ListFile, b []byte) (ListTableHeader, []ListEnds, error) {
	h, err := DecodeListTableHeader(b)
	if err != nil {
		return h, nil, err
	}
	rows, err := f.CheckTable(h, int64(len(b)))
	if err != nil {
		return h, nil, err
	}
	var list []ListEnds
	for i := range int(rows) * len(f.Kinds) {
		e, err := DecodeListEnds(b[ListHeaderSize+8*i:])
		if err != nil {
			return h, nil, err
		}
		list = append(list, e)
	}
	return h, list, nil
}

func appendTable(h ListTableHeader, list []ListEnds) []byte {
	b := h.Append(nil)
	for _, e := range list {
		b = e.Append(b)
	}
	return b
}

func TestListVectors(t *testing.T) {
	for _, c := range []struct {
		file   *ListFile
		vector string
		want   []ListEnds
	}{
		{&Lists, listVector1, []ListEnds{
			{5, 5}, {0, 0}, NoList, {1, 1}, {2, 2},
			{6, 6}, {4, 4}, NoList, NoList, {3, 3},
		}},
		{&TitleLists, listVector4, []ListEnds{{1, 2}, NoList, {0x40000002, -1}}},
	} {
		h, list, err := decodeTable(c.file, unhex(c.vector))
		if err != nil || !slices.Equal(list, c.want) || h != c.file.NewTableHeader() {
			t.Errorf("%s: %+v %v, %v; want %v", c.file.Table, h, list, err, c.want)
		}
		if got := appendTable(h, list); !bytes.Equal(got, unhex(c.vector)) {
			t.Errorf("%s: % x", c.file.Table, got)
		}
	}
	if at := Lists.RowOffset(1); at != 52 {
		t.Errorf("row 1 at %d", at)
	}
}

func TestInlineLists(t *testing.T) {
	for _, c := range []struct {
		ends ListEnds
		want []int32
	}{
		{ListEnds{0x40000002, -1}, []int32{2}},
		{ListEnds{0x40000002, 0x40000007}, []int32{2, 7}},
		{ListEnds{0x40000002, 7}, []int32{2, 7}},
		{ListEnds{0x20000003, 0x20000006}, []int32{3, 4, 5, 6}},
		{ListEnds{0x20000003, 200}, []int32{3, 4, 5, 6, 7, 8, 9, 10}},
		{ListEnds{0x40000002, 0x40000002}, []int32{2}},
		{ListEnds{0x40000099, -1}, nil},
	} {
		list, ok := c.ends.Inline()
		if got := list.Append(nil, 10); !ok || !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v %v, want %v", c.ends, got, ok, c.want)
		}
	}
	for _, ends := range []ListEnds{NoList, {0, 0}, {17, 20}, {1<<24 - 1, 0}, {-5, 0x40000002}} {
		if list, ok := ends.Inline(); ok {
			t.Errorf("%+v became %+v", ends, list)
		}
	}
}

func TestCheckTable(t *testing.T) {
	row := func(size int32) ListTableHeader { return ListTableHeader{RowSize: size} }
	for _, c := range []struct {
		file *ListFile
		head ListTableHeader
		size int64
		rows int32
		err  error
	}{
		{&Lists, row(40), 12, 0, nil},
		{&Lists, row(40), 92, 2, nil},
		{&TitleLists, row(8), 28, 2, nil},
		{&TitleLists, row(40), 12, 0, nil}, // as another program has it
		{&TitleLists, row(40), 52, 0, model.ErrCorrupt},
		{&Lists, row(8), 12, 0, model.ErrCorrupt},
		{&Lists, row(0), 92, 0, model.ErrCorrupt},
		{&Lists, row(40), 91, 0, model.ErrTruncated},
		{&Lists, row(40), 12 + 40*(1<<24+1), 0, model.ErrCorrupt},
	} {
		rows, err := c.file.CheckTable(c.head, c.size)
		if rows != c.rows || !errors.Is(err, c.err) {
			t.Errorf("%s %+v, %d bytes: %d, %v", c.file.Table, c.head, c.size, rows, err)
		}
	}
}

// docs/formats/boosters.md 2: the blocks of linares, 533 of them free.
func TestListBlocksVector(t *testing.T) {
	b := unhex("40000000 19030000 f8020000")
	h, err := DecodeListBlocksHeader(b)
	if want := (ListBlocksHeader{64, 793, 760}); err != nil || h != want {
		t.Errorf("%+v, %v; want %+v", h, err, want)
	}
	if got := h.Append(nil); !bytes.Equal(got, b) {
		t.Errorf("% x", got)
	}
	if err := h.Check(12 + 64*793); err != nil {
		t.Error(err)
	}
	for _, size := range []int64{0, 12, 12 + 64*792, 12 + 64*793 - 1} {
		if err := h.Check(size); !errors.Is(err, model.ErrTruncated) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
	if err := h.Check(12 + 64*793 + 1); !errors.Is(err, model.ErrCorrupt) {
		t.Errorf("one byte more: %v", err)
	}
	h.BlockSize = 60
	if err := h.Check(12 + 64*793); !errors.Is(err, model.ErrCorrupt) {
		t.Errorf("another block size: %v", err)
	}
}

func TestListBlockKeepsTrash(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfN(rapid.Byte(), ListBlockSize, ListBlockSize).Draw(t, "bytes")
		k := must.Get(DecodeListBlock(b))(t)
		if got := k.Append(nil); !bytes.Equal(got, b) {
			t.Fatalf("% x became % x", b, got)
		}
		if n := len(k.InUse()); n > 0 && n != int(k.Count) {
			t.Fatalf("%d ids in use, the count is %d", n, k.Count)
		}
	})
}

func TestTraceVector(t *testing.T) {
	b := unhex(traceVector2)
	r := must.Get(DecodeGameTrace(b))(t)
	if got := r.Append(nil); !bytes.Equal(got, b) {
		t.Errorf("% x, want\n% x", got, b)
	}
	if r.Pawns != [2]uint8{3, 5} || r.OnlyPawns != [2]bool{} {
		t.Errorf("pawns %v, only pawns %v", r.Pawns, r.OnlyPawns)
	}
	if r.Few != [2]uint8{0xD, 0xE} || r.None != [2]uint8{0x5, 0x8} {
		t.Errorf("few %x, none %x", r.Few, r.None)
	}
	// White's pawns were on a3 but not on b3, his king on f4 never.
	if r.PawnSquares[0]&(1<<model.A3) == 0 || r.PawnSquares[0]&(1<<model.B3) != 0 || r.KingRanks[0] != 7 {
		t.Errorf("pawns %x, king ranks %x", r.PawnSquares[0], r.KingRanks[0])
	}
}

func TestTracePawns(t *testing.T) {
	for s := model.A1; s <= model.H8; s++ {
		white, black := TracePawns(model.White)>>s&1 == 1, TracePawns(model.Black)>>s&1 == 1
		if white != (s.Rank() >= 2 && s.Rank() <= 6) || black != (s.Rank() >= 1 && s.Rank() <= 5) {
			t.Errorf("%v: %v %v", s, white, black)
		}
	}
}

func TestTraceKeepsEveryBit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfN(rapid.Byte(), TraceSize, TraceSize).Draw(t, "bytes")
		r := must.Get(DecodeGameTrace(b))(t)
		if got := r.Append(nil); !bytes.Equal(got, b) {
			t.Fatalf("% x became % x", b, got)
		}
	})
}

func TestTraceHeader(t *testing.T) {
	h := NewTraceHeader(1038)
	b := h.Append(nil)
	if want := append(unhex("0000040f 0001 0034"), make([]byte, 44)...); !bytes.Equal(b, want) {
		t.Errorf("% x, want % x", b, want)
	}
	if got, err := DecodeTraceHeader(b); err != nil || got != h {
		t.Errorf("%+v, %v", got, err)
	}
	for _, c := range []struct {
		count   uint32
		records int
		size    int64
		want    int
	}{
		{1039, 1038, 52 * 1039, 1038},         // the count includes the header
		{1038, 1038, 52 * 1039, 1038},         // or not
		{1039, 1038, 52 * (1 + 131072), 1038}, // padded
		{1039, 1038, 52 * 1000, 999},          // cut
		{1039, 1038, 52*1000 + 51, 999},
		{900, 1038, 52 * 1039, 900}, // stale
		{1039, 1038, 0, 0},
		{1<<32 - 1, 7, 1 << 40, 7},
	} {
		h := TraceHeader{Count: c.count}
		if got := h.Covers(c.records, c.size); got != c.want {
			t.Errorf("count %d, %d records, %d bytes: %d, want %d", c.count, c.records, c.size, got, c.want)
		}
	}
}

func TestOffsets(t *testing.T) {
	for records, want := range map[int]int64{0: 524292, 1: 524292, 1038: 524292, 131072: 524292, 131073: 1048580} {
		if got := OffsetsSize(records); got != want {
			t.Errorf("%d records: %d bytes, want %d", records, got, want)
		}
	}
	b := AppendOffset(AppendOffset(nil, 1038), 26)
	if !bytes.Equal(b, unhex("0e040000 1a000000")) { // V3
		t.Errorf("% x", b)
	}
	if v, err := DecodeOffset(b[4:]); v != 26 || err != nil {
		t.Errorf("%d, %v", v, err)
	}
	for _, c := range []struct {
		count uint32
		size  int64
		want  int
	}{{1038, 524292, 1038}, {1000, 524292, 1000}, {2000, 524292, 1038}, {1038, 403, 99}, {1038, 0, 0}, {5, 3, 0}} {
		if got := OffsetsCover(c.count, 1038, c.size); got != c.want {
			t.Errorf("count %d, %d bytes: %d, want %d", c.count, c.size, got, c.want)
		}
	}
}

func TestExtID(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfN(rapid.Byte(), 0, 130).Draw(t, "record")
		full := DecodeExtRecord(b)
		want := [3]int32{full.WhiteTeam, full.BlackTeam, full.GameTitle}
		if got := [3]int32{ExtID(b, &ExtWhiteTeam), ExtID(b, &ExtBlackTeam), ExtID(b, &ExtGameTitle)}; got != want {
			t.Fatalf("%+v, want %+v", got, want)
		}
	})
}

func TestBoostersTooShort(t *testing.T) {
	long := unhex(traceVector2)
	for n := range long {
		b := long[:n]
		_, table := DecodeListTableHeader(b)
		_, blocks := DecodeListBlocksHeader(b)
		_, ends := DecodeListEnds(b)
		_, block := DecodeListBlock(b)
		_, head := DecodeTraceHeader(b)
		_, trace := DecodeGameTrace(b)
		_, offset := DecodeOffset(b)
		for _, c := range []struct {
			size int
			err  error
		}{{12, table}, {12, blocks}, {8, ends}, {64, block}, {52, trace}, {4, offset}} {
			if (c.err != nil) != (n < c.size) {
				t.Errorf("%d bytes of %d: %v", n, c.size, c.err)
			}
		}
		if head == nil {
			t.Errorf("%d bytes are a header", n)
		}
	}
}

// FuzzListTables: what can be read is written back, be it .cit or .cit2.
func FuzzListTables(f *testing.F) {
	f.Add(unhex(listVector1), false)
	f.Add(unhex(listVector4), true)
	f.Add(unhex("28000000 00000000 00000000"), true)
	f.Fuzz(func(t *testing.T, b []byte, titles bool) {
		file := &Lists
		if titles {
			file = &TitleLists
		}
		h, list, err := decodeTable(file, b)
		if err != nil {
			return
		}
		if got := appendTable(h, list); !bytes.Equal(got, b) {
			t.Fatalf("% x became % x", b, got)
		}
		for _, e := range list {
			if in, ok := e.Inline(); ok {
				for _, id := range in.Append(nil, 1000) {
					if id > 1000 || id < 0 {
						t.Fatalf("%+v: id %d", e, id)
					}
				}
			}
		}
	})
}

// FuzzListBlocks: what can be read of a .cib or .cib2 file is written back.
func FuzzListBlocks(f *testing.F) {
	f.Add(unhex("40000000 00000000 00000000"))
	k := ListBlock{Next: -1, Count: 2, IDs: [13]int32{3, 9}}
	f.Add(k.Append(unhex("40000000 01000000 00000000")))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := DecodeListBlocksHeader(b)
		if err != nil || h.Check(int64(len(b))) != nil {
			return
		}
		got := h.Append(nil)
		for n := range h.Blocks {
			k := must.Get(DecodeListBlock(b[BlockOffset(n):]))(t)
			got = k.Append(got)
		}
		if !bytes.Equal(got, b) {
			t.Fatalf("% x became % x", b, got)
		}
	})
}

// FuzzTraces: what can be read of a .cbb file is written back.
func FuzzTraces(f *testing.F) {
	head := NewTraceHeader(1)
	f.Add(append(head.Append(nil), unhex(traceVector2)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := DecodeTraceHeader(b)
		if err != nil {
			return
		}
		got := h.Append(nil)
		for id := range h.Covers(len(b), int64(len(b))) {
			r := must.Get(DecodeGameTrace(b[(id+1)*TraceSize:]))(t)
			got = r.Append(got)
		}
		if !bytes.HasPrefix(b, got) {
			t.Fatalf("% x became % x", b, got)
		}
	})
}

// FuzzOffsets: what can be read of a .cbgi file is written back.
func FuzzOffsets(f *testing.F) {
	f.Add(unhex("02000000 1a000000 7d010000 00000000"))
	f.Fuzz(func(t *testing.T, b []byte) {
		count, err := DecodeOffset(b)
		if err != nil {
			return
		}
		got := AppendOffset(nil, count)
		for id := range OffsetsCover(count, len(b), int64(len(b))) {
			offset := must.Get(DecodeOffset(b[OffsetSize*(id+1):]))(t)
			got = AppendOffset(got, offset)
		}
		if !bytes.HasPrefix(b, got) {
			t.Fatalf("% x became % x", b, got)
		}
	})
}
