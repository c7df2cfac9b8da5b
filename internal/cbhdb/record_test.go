package cbhdb

import (
	"slices"
	"strings"
	"testing"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/derive"
	"cbkit/model"
)

// The header of a record is the same in any order and however far ahead it is
// read.
func TestHeaders(t *testing.T) {
	h := must(New(real(t, "world-ch")).Headers())(t)
	if h.Count != 1038 || !h.HasTitles() {
		t.Errorf("%d records, titles %v", h.Count, h.HasTitles())
	}
	// In any order and however far ahead, a header is the same.
	far, near := h.Reader(dbfile.FarAhead), h.Reader(dbfile.NearAhead)
	references := func(r *HeaderReader, id model.RecordID) derive.References {
		h := must(r.At(id))(t)
		return must(derive.ReferencesOf(h.Head, h.Ext))(t)
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
	h := must(New(real(t, "mate2")).Headers())(t)
	if last := must(h.Reader(0).At(7))(t); h.Count != 7 || h.HasTitles() || last.Ext != nil || len(h.Warnings) > 0 {
		t.Errorf("%d records, titles %v, %+v, %v", h.Count, h.HasTitles(), last, h.Warnings)
	}
}

// Headers that count other records than there are, and a damaged .cbj file, are
// told, and what is there is read.
func TestOddHeaders(t *testing.T) {
	head, ext := cbh.NewFileHeader(1), cbh.NewExtHeader()
	ext.Records = 1
	heads := append(head.Append(nil), make([]byte, 2*cbh.RecordSize)...)
	exts := append(ext.Append(nil), make([]byte, 2*cbh.ExtRecordSize)...)
	for _, c := range []struct {
		heads, exts int // sizes of the files
		count       model.RecordID
		covered     model.RecordID // by the .cbj file
		warnings    []string
	}{
		{46, 32, 0, 0, []string{"games.cbh: at 0x6 (next game id): truncated", "games.cbj: at 0x8 (records): truncated"}},
		{92, 152, 1, 1, nil},
		{138, 272, 2, 2, []string{"games.cbh: at 0x6 (next game id): corrupt", "games.cbj: at 0x8 (records): corrupt"}},
		{92, 100, 1, 0, []string{"games.cbj: at 0x8 (records): truncated"}},
		{92, 31, 1, 0, []string{"games.cbj: at 0xc: truncated"}},
		{92, 0, 1, 0, []string{"games.cbj: at 0x0: truncated"}},
	} {
		m := empty()
		m.put(".cbh", heads[:c.heads])
		m.put(".cbj", exts[:c.exts])
		h := must(New(m).Headers())(t)
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
