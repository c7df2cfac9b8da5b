package cbh

import (
	"bytes"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/model"
)

func TestRealTournamentExtras(t *testing.T) {
	count := 0
	for _, f := range realFiles(t, ".cbtt", 6) {
		h, err := DecodeTournamentExtraHeader(f.data)
		same(t, f.name, -1, h.Append(nil), f.data[:TournamentExtraHeaderSize], err)
		for id, b := range records(t, f.name, f.data[TournamentExtraHeaderSize:], int(h.RecordSize)) {
			var v, again model.Tournament
			DecodeTournamentExtra(&v, b)
			merged, losses := MergeTournamentExtra(nil, v, b)
			same(t, f.name, id, merged, b, nil)
			fresh, more := AppendTournamentExtra(nil, v, len(b))
			same(t, f.name, id, fresh, b, nil)
			DecodeTournamentExtra(&again, fresh)
			if again != v || len(losses)+len(more) != 0 {
				t.Errorf("%s: record %d: %+v becomes %+v (%v %v)", f.name, id, v, again, losses, more)
			}
			if HasTournamentExtra(v) == bytes.HasPrefix(defaultTournamentExtra[:], b) {
				t.Errorf("%s: record %d: %+v is the default or not", f.name, id, v)
			}
			count++
		}
	}
	t.Logf(".cbtt: %d records", count)
	if count != 56 {
		t.Errorf("%d records", count)
	}
}

func TestRealMedia(t *testing.T) {
	count, named := 0, 0
	for _, f := range realFiles(t, ".cbm", 6) {
		h, err := DecodeMediaHeader(f.data)
		same(t, f.name, -1, h.Append(nil), f.data[:MediaHeaderSize], err)
		for i, b := range records(t, f.name, f.data[MediaHeaderSize:], int(h.RecordSize)) {
			r, err := DecodeMediaRecord(b)
			same(t, f.name, i, r.Append(nil), b, err)
			names, ok := r.Names(CodePage{})
			if !ok {
				t.Errorf("%s: record %d: %q", f.name, i, r.Text)
			}
			count++
			if len(names) == 0 {
				continue
			}
			named++
			fresh, err := NewMediaRecord(names, len(b), CodePage{})
			same(t, f.name, i, fresh.Append(nil), b, err)
		}
	}
	t.Logf(".cbm: %d records, %d with names", count, named)
	if count != 11 {
		t.Errorf("%d records", count)
	}
}

func TestRealMediaOffsets(t *testing.T) {
	used := 0
	for _, f := range realFiles(t, ".cbj", 5) {
		h := must.Get(DecodeExtHeader(f.data))(t)
		for i, b := range records(t, f.name, f.data[ExtHeaderSize:], int(h.RecordSize)) {
			r := DecodeExtRecord(b)
			if r.Media == -1 {
				continue
			}
			used++
			at, ok := MediaIndex(int64(r.Media), MediaRecordSize)
			if !ok || MediaOffset(at, MediaRecordSize) != int64(r.Media) {
				t.Errorf("%s: record %d: media at %d", f.name, i+1, r.Media)
			}
		}
	}
	t.Logf("%d records with media", used)
	if used == 0 {
		t.Error("no record has media")
	}
}
