package write_test

import (
	"bytes"
	"testing"

	"cbkit/internal/cbh"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/write"
)

// Numbers of teams and titles that mean nothing are not written again from what a
// record brings along.
func TestMeaninglessNumbersOfLeftovers(t *testing.T) {
	ext := cbh.NewExtRecord()
	ext.WhiteTeam, ext.BlackTeam, ext.GameTitle = -987627520, -2, -1<<31
	record := cbh.NewGameRecord(-1)
	text := cbh.TextRecord{Type: cbh.TypeInUse | cbh.TypeText}
	db := &model.Database{}
	g := model.NewGame()
	g.Leftovers.Header = &model.Leftover{Format: cbh.Format, Data: ext.Append(record.Append(nil), cbh.ExtRecordSize)}
	db.AddGame(g)
	guide := model.NewGuidingText()
	guide.Leftovers.Header = &model.Leftover{Format: cbh.Format, Data: ext.Append(text.Append(nil), cbh.ExtRecordSize)}
	db.AddText(guide)
	if faults := faultsOf(t, create(t, db, write.Options{})); len(faults) > 0 {
		t.Errorf("faults %q", faults)
	}
}

// What a record brings along does not say whether it is in use, where it lies and which
// media a game has, in a new database and in one that is edited.
func TestForeignLeftovers(t *testing.T) {
	ext := cbh.NewExtRecord()
	ext.Media, ext.MovesOffset, ext.AnnotationsOffset = 40, 1<<40, 1<<41
	record, text := cbh.NewGameRecord(-1), cbh.TextRecord{Type: cbh.TypeText}
	record.Type = 0
	db := &model.Database{}
	g := model.NewGame()
	g.Leftovers.Header = &model.Leftover{Format: cbh.Format, Data: ext.Append(record.Append(nil), cbh.ExtRecordSize)}
	db.AddGame(g)
	guide := model.NewGuidingText()
	guide.Leftovers.Header = &model.Leftover{Format: cbh.Format, Data: ext.Append(text.Append(nil), cbh.ExtRecordSize)}
	db.AddText(guide)
	made := create(t, db, write.Options{})
	edited := create(t, &model.Database{}, write.Options{})
	ed := must.Get(write.Edit(t.Context(), edited, write.EditOptions{Now: clock}))(t)
	if err := model.Copy(t.Context(), ed, db, model.CopyOptions{}); err != nil {
		t.Error(err)
	}
	if err := ed.Close(); err != nil {
		t.Error(err)
	}
	for _, path := range []string{made, edited} {
		if faults := faultsOf(t, path); len(faults) > 0 {
			t.Errorf("%s: faults %q", path, faults)
		}
	}
	for _, ext := range cbh.NewFileExts {
		if a, b := readFile(t, sibling(made, ext)), readFile(t, sibling(edited, ext)); !bytes.Equal(a, b) {
			t.Errorf("%s: edited %x, made %x", ext, b, a)
		}
	}
}
