package cbhdb

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cbkit/avl"
	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/derive"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// The header of a record is the same in any order and however far ahead it is
// read.
func TestHeaders(t *testing.T) {
	h := must.Get(New(real(t, "world-ch")).Headers())(t)
	if h.Count != 1038 || !h.HasTitles() {
		t.Errorf("%d records, titles %v", h.Count, h.HasTitles())
	}
	// In any order and however far ahead, a header is the same.
	far, near := h.Reader(dbfile.FarAhead), h.Reader(dbfile.NearAhead)
	references := func(r *HeaderReader, id model.RecordID) derive.References {
		h := must.Get(r.At(id))(t)
		return h.References()
	}
	for id := model.RecordID(1); id <= h.Count; id++ {
		one, other := references(far, id), references(near, h.Count+1-id)
		if id == h.Count+1-id && one != other {
			t.Errorf("record %d: %+v and %+v", id, one, other)
		}
	}
	if first := references(near, 1); first.White != 0 || first.Black != 1 || first.Text {
		t.Errorf("%+v", first)
	}
}

// An old database has no .cbj file, and so no titles.
func TestHeadersOfOldDatabase(t *testing.T) {
	h := must.Get(New(real(t, "mate2")).Headers())(t)
	if last := must.Get(h.Reader(0).At(7))(t); h.Count != 7 || h.HasTitles() || last.Ext != nil || len(h.Warnings) > 0 {
		t.Errorf("%d records, titles %v, %+v, %v", h.Count, h.HasTitles(), last, h.Warnings)
	}
}

// Headers that count other records than there are, and a damaged .cbj file, are
// told, and what is there is read.
func TestOddHeaders(t *testing.T) {
	head, ext := cbh.NewFileHeader(1), cbh.NewExtHeader()
	ext.Records = 1
	headers := append(head.Append(nil), make([]byte, 2*cbh.RecordSize)...)
	extensions := append(ext.Append(nil), make([]byte, 2*cbh.ExtRecordSize)...)
	for _, c := range []struct {
		headers, extensions int // sizes of the files
		count               model.RecordID
		covered             model.RecordID // by the .cbj file
		warnings            []string
	}{
		{46, 32, 0, 0, []string{"games.cbh: at 0x6 (next game id): truncated", "games.cbj: at 0x8 (records): truncated"}},
		{92, 152, 1, 1, nil},
		{138, 272, 2, 2, []string{"games.cbh: at 0x6 (next game id): corrupt", "games.cbj: at 0x8 (records): corrupt"}},
		{92, 100, 1, 0, []string{"games.cbj: at 0x8 (records): truncated"}},
		{92, 31, 1, 0, []string{"games.cbj: at 0xc: truncated"}},
		{92, 0, 1, 0, []string{"games.cbj: at 0x0: truncated"}},
	} {
		m := empty()
		m.put(".cbh", headers[:c.headers])
		m.put(".cbj", extensions[:c.extensions])
		h := must.Get(New(m).Headers())(t)
		told := slices.EqualFunc(slices.Concat(h.Damage, h.Warnings), c.warnings, func(err error, want string) bool { return strings.HasPrefix(err.Error(), want) })
		if h.Count != c.count || !told {
			t.Errorf("%+v: %d records, %v", c, h.Count, slices.Concat(h.Damage, h.Warnings))
		}
		for id := model.RecordID(1); id <= h.Count; id++ {
			if record, err := h.Reader(dbfile.NearAhead).At(id); err != nil || (record.Ext != nil) != (id <= c.covered) {
				t.Errorf("%+v: record %d: %v, %v", c, id, record, err)
			}
		}
	}
}

// Places that are set are found again, in records of every version; checksums
// stay as right as they were.
func TestSetPlaces(t *testing.T) {
	sizes := []int{0, 8, 12, 20, 24, 28, 30, 35, 38, 74, 78, cbh.ExtRecordSize, 130}
	rapid.Check(t, func(t *rapid.T) {
		head := rapid.SliceOfN(rapid.Byte(), cbh.RecordSize, cbh.RecordSize).Draw(t, "head")
		ext := rapid.SliceOfN(rapid.Byte(), 130, 130).Draw(t, "ext")[:rapid.SampledFrom(sizes).Draw(t, "size")]
		if rapid.Bool().Draw(t, "zero") {
			clear(ext[min(len(ext), 30):min(len(ext), 38)])
		}
		right := rapid.Bool().Draw(t, "right")
		if right && len(ext) >= 30 {
			binary.BigEndian.PutUint16(ext[28:], cbh.SumExt(ext))
		}
		wasRight := len(ext) >= 30 && binary.BigEndian.Uint16(ext[28:]) == cbh.SumExt(ext)
		h, before := Header{ID: 1, Head: slices.Clone(head), Ext: slices.Clone(ext)}, cbh.DecodeExtRecord(ext)
		moves, annotations := rapid.Int64Range(1, 1<<40).Draw(t, "moves"), rapid.Int64Range(0, 1<<40).Draw(t, "notes")
		refused := h.SetMovesAt(moves)
		if fits := len(ext) >= 38 || moves <= math.MaxUint32; (refused == nil) != fits || fits && h.MovesAt() != moves || uint32(h.MovesAt()) != uint32(moves) {
			t.Fatalf("moves at %d, want %d: %v", h.MovesAt(), moves, refused)
		}
		refused = h.SetAnnotationsAt(annotations)
		if fits := h.Type().IsText() || len(ext) >= 20 || annotations <= math.MaxUint32; (refused == nil) != fits {
			t.Fatalf("annotations at %d: %v", annotations, refused)
		}
		after := cbh.DecodeExtRecord(h.Ext)
		if at := h.AnnotationsAt(); !h.Type().IsText() && (len(ext) >= 20 && at != annotations || uint32(at) != uint32(annotations)) {
			t.Fatalf("annotations at %d, want %d", at, annotations)
		}
		if len(ext) >= 30 && wasRight != (after.Checksum == after.Sum()) {
			t.Fatalf("the checksum was right: %v", wasRight)
		}
		// What is no place and no checksum has kept its bytes.
		after.MovesOffset, after.AnnotationsOffset, after.Checksum = before.MovesOffset, before.AnnotationsOffset, before.Checksum
		if got := after.Append(nil, len(ext)); !slices.Equal(got, ext) {
			t.Fatalf("%x, want %x", got, ext)
		}
	})
}

// Places beyond 4 GiB need the 64-bit fields of the .cbj record. Without them they
// are refused and not cut off.
func TestLargePlaces(t *testing.T) {
	for _, size := range []int{0, 8, 20, 38, 120} {
		for _, at := range []int64{0, 26, math.MaxUint32, math.MaxUint32 + 1, 5 << 32, 1<<40 + 17} {
			r, ext := cbh.NewGameRecord(-1), cbh.NewExtRecord()
			h := Header{ID: 1, Head: r.Append(nil)}
			if size > 0 {
				h.Ext = ext.Append(nil, size)
			}
			for name, c := range map[string]struct {
				set   func(*Header, int64) error
				get   func(*Header) int64
				field *cbh.Field
			}{
				"moves":       {(*Header).SetMovesAt, (*Header).MovesAt, &cbh.ExtMoves},
				"annotations": {(*Header).SetAnnotationsAt, (*Header).AnnotationsAt, &cbh.ExtAnnotations},
			} {
				err := c.set(&h, at)
				if fits := at <= math.MaxUint32 || c.field.In(h.Ext); fits && (err != nil || c.get(&h) != at) || !fits && !errors.Is(err, model.ErrTooLarge) {
					t.Errorf("%s at %d with %d bytes of .cbj: %d, %v", name, at, size, c.get(&h), err)
				}
			}
		}
	}
}

// A 64-bit place of moves that is 0, as some programs have it, stays 0 as long as
// 32 bits hold the place.
func TestZeroPlaceStays(t *testing.T) {
	for at, want := range map[int64]uint64{26: 0, math.MaxUint32: 0, 1 << 32: 1 << 32} {
		for _, was := range []uint64{0, 5} {
			r, ext := cbh.NewGameRecord(-1), cbh.NewExtRecord()
			ext.MovesOffset = was
			h := Header{ID: 1, Head: r.Append(nil), Ext: ext.Append(nil, cbh.ExtRecordSize)}
			if was != 0 {
				want = uint64(at)
			}
			if err := h.SetMovesAt(at); err != nil || cbh.ExtMoves.Uint(h.Ext) != want || h.MovesAt() != at {
				t.Errorf("%d over %d: %d, %v", at, was, cbh.ExtMoves.Uint(h.Ext), err)
			}
		}
	}
}

// The checksum of a .cbj record follows a place if it was right; a wrong one is left
// for a repair to find. Texts have other things where games have that place.
func TestChecksumFollowsPlace(t *testing.T) {
	for _, right := range []bool{false, true} {
		r, ext := cbh.NewGameRecord(-1), cbh.NewExtRecord()
		ext.Checksum = ext.Sum()
		if !right {
			ext.Checksum++
		}
		h := Header{ID: 1, Head: r.Append(nil), Ext: ext.Append(nil, cbh.ExtRecordSize)}
		sum := cbh.ExtChecksum.Uint(h.Ext)
		if err := h.SetAnnotationsAt(12345); err != nil || cbh.HasRightSum(h.Ext) != right || !right && cbh.ExtChecksum.Uint(h.Ext) != sum {
			t.Errorf("right before: %v; now %v, %v", right, cbh.HasRightSum(h.Ext), err)
		}
	}
	text := cbh.TextRecord{Type: cbh.TypeInUse | cbh.TypeText}
	h := Header{ID: 1, Head: text.Append(nil)}
	was := slices.Clone(h.Head)
	if err := h.SetAnnotationsAt(12345); err != nil || !slices.Equal(h.Head, was) {
		t.Errorf("a text: % x, %v", h.Head, err)
	}
}

// A table gives the bytes of its file again, and knows its tree.
func TestTables(t *testing.T) {
	for _, name := range []string{"hedgehog", "twic1134", "mate2", "world-ch"} {
		m := real(t, name)
		db := New(m)
		for _, kind := range cbh.EntityFiles {
			e := must.Get(db.Entities(kind))(t)
			if e == nil {
				continue
			}
			table := must.Get(e.Load())(t)
			if !slices.Equal(table.Append(nil), m.files[kind.Ext].Bytes()) {
				t.Errorf("%s%s: the bytes do not come back", name, kind.Ext)
			}
			if table.IsLive(-1) || table.IsLive(e.Count) || e.Count > 0 && !table.InRange(e.Count-1) {
				t.Errorf("%s%s: records outside the file", name, kind.Ext)
			}
			faults, signed := table.Verify()
			for _, f := range faults {
				if f.Kind == avl.Disorder {
					t.Errorf("%s%s, signed %v: %v", name, kind.Ext, signed, f)
				}
			}
		}
	}
	if (*Table)(nil).IsLive(0) {
		t.Error("no table has a record")
	}
}
