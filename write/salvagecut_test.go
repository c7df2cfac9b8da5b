package write_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/check"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// What salvage makes is sound: games that go wrong have the moves up to there, with a
// comment; of one whose first byte alone is wrong all moves are there.
func TestSalvageOfCutGames(t *testing.T) {
	for _, c := range []struct {
		db   string
		edit func(moves []byte)
		cut  []model.RecordID
		of   int // moves of record 1
	}{
		{"NormalNoPop/StandardMissingPop", func([]byte) {}, []model.RecordID{1}, 107},
		{"Chess960Corrupt/Corrupt", func([]byte) {}, []model.RecordID{1, 2, 3, 4}, 2},
		{"UnusualStart/UnusualStartBytes", func([]byte) {}, nil, 77},
		{"NormalNoPop/StandardMissingPop", func(b []byte) { b[26+149] = 0x0C }, []model.RecordID{1}, 107}, // of record 2
		{"NormalNoPop/StandardMissingPop", func(b []byte) { b[26+149] = 0x42 }, []model.RecordID{1}, 107},
		{"NormalNoPop/StandardMissingPop", func(b []byte) { b[26+149] = 0x3F }, []model.RecordID{1}, 107},
	} {
		dir := t.TempDir()
		must.Do(t, os.CopyFS(filepath.Join(dir, "db"), os.DirFS(filepath.Dir(corpus.Path(t, "cbh26/"+c.db+".cbh")))))
		base := filepath.Join(dir, "db", filepath.Base(c.db))
		moves := must.Get(os.ReadFile(base + ".cbg"))(t)
		c.edit(moves)
		must.Do(t, os.WriteFile(base+".cbg", moves, 0o644))
		out := filepath.Join(dir, "out.cbh")
		must.Get(write.Salvage(t.Context(), base+".cbh", out, write.SalvageOptions{}))(t)
		findings := 0
		for f, err := range check.Database(t.Context(), out, check.Options{}).Findings() {
			if err != nil || f.Severity == check.Error {
				t.Errorf("%s: %v, %v", c.db, f, err)
			}
			findings++
		}
		db := must.Get(read.Open(out, read.Options{}))(t)
		all := must.Get(model.Load(t.Context(), db))(t)
		_ = db.Close()
		var cut []model.RecordID
		for _, rec := range all.List {
			for _, a := range rec.Game.Annotations {
				if text, ok := a.Value.(model.Text); ok && strings.HasPrefix(text.Text, "the stored moves end here") && int(a.Node) == rec.Game.Moves.Len()-1 {
					cut = append(cut, rec.ID)
				}
			}
		}
		if n := all.List[0].Game.Moves.Len(); n != c.of || len(cut) != len(c.cut) || all.List[1].Game.Moves.Len() != map[string]int{"NormalNoPop/StandardMissingPop": 62}[c.db] {
			t.Errorf("%s: %d moves, then %d, cut %v; want %d, cut %v", c.db, n, all.List[1].Game.Moves.Len(), cut, c.of, c.cut)
		}
	}
}
