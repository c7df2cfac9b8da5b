package read_test

import (
	"os"
	"testing"

	"cbkit/internal/cbh"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
)

// moveBeyond4GiB moves the last bytes of a file, from the given place on, to
// 4 GiB and more behind it; in between is nothing, not even on the disk.
func moveBeyond4GiB(t *testing.T, path string, from int64) (to int64) {
	t.Helper()
	f := must.Get(os.OpenFile(path, os.O_RDWR, 0))(t)
	defer f.Close()
	info := must.Get(f.Stat())(t)
	b := make([]byte, info.Size()-from)
	must.Get(f.ReadAt(b, from))(t)
	to = 1<<32 + from + 100
	must.Do(t, f.Truncate(from))
	if _, err := f.WriteAt(b, to); err != nil {
		t.Skipf("no file of 4 GiB can be made here: %v", err)
	}
	return to
}

// TestOffsetsBeyond4GiB: the .cbh file has the low half of an offset, the .cbj
// file all of it.
func TestOffsetsBeyond4GiB(t *testing.T) {
	path := newDatabase(t, 3)
	headers, extensions := must.Get(os.ReadFile(path))(t), must.Get(os.ReadFile(sibling(path, ".cbj")))(t)
	const last = 3 // the last game; a guiding text comes behind it
	at := func(b []byte, head, size, id int) []byte { return b[head+(id-1)*size:][:size] }
	head := at(headers, cbh.RecordSize, cbh.RecordSize, last)
	ext := at(extensions, cbh.ExtHeaderSize, cbh.ExtRecordSize, last)
	text := at(headers, cbh.RecordSize, cbh.RecordSize, last+1)
	textExt := at(extensions, cbh.ExtHeaderSize, cbh.ExtRecordSize, last+1)

	g := must.Get(cbh.DecodeGameRecord(head))(t)
	guide := must.Get(cbh.DecodeTextRecord(text))(t)
	r, textR := cbh.DecodeExtRecord(ext), cbh.DecodeExtRecord(textExt)
	moves := moveBeyond4GiB(t, sibling(path, ".cbg"), int64(g.MovesOffset))
	annotations := moveBeyond4GiB(t, sibling(path, ".cba"), int64(g.AnnotationsOffset))
	contents := moves + int64(guide.Offset) - int64(g.MovesOffset)
	g.MovesOffset, r.MovesOffset = uint32(moves), uint64(moves)
	g.AnnotationsOffset, r.AnnotationsOffset = uint32(annotations), uint64(annotations)
	guide.Offset, textR.MovesOffset = uint32(contents), uint64(contents)
	copy(head, g.Append(nil))
	copy(text, guide.Append(nil))
	copy(ext, r.Append(nil, cbh.ExtRecordSize))
	copy(textExt, textR.Append(nil, cbh.ExtRecordSize))
	for name, b := range map[string][]byte{path: headers, sibling(path, ".cbj"): extensions} {
		must.Do(t, os.WriteFile(name, b, 0o600))
	}

	db := must.Get(read.Open(path, read.Options{}))(t)
	defer db.Close()
	if err := db.Preflight(t.Context()); err != nil {
		t.Error(err)
	}
	all := must.Get(model.Load(t.Context(), db))(t)
	for id := model.RecordID(1); id <= last; id++ {
		rec := must.Get(db.Record(t.Context(), id, model.WantAll))(t)
		for how, game := range map[string]*model.Game{"Record": rec.Game, "Records": all.List[id-1].Game} {
			if game.MovesErr != nil || game.AnnotationsErr != nil || game.Moves.Len() != 3 || len(game.Annotations) != 1 {
				t.Errorf("%s %d: %d moves (%v), annotations %v (%v)", how, id, game.Moves.Len(), game.MovesErr, game.Annotations, game.AnnotationsErr)
			}
		}
	}
	if text := all.List[last].Text; text == nil || len(text.Contents) != 1 || text.Contents[0].Text != "An introduction" {
		t.Errorf("text %+v", text)
	}
}
