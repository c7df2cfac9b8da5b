package write_test

import (
	"testing"

	"cbkit/internal/cbh"
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
