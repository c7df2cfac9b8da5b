package read_test

import (
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
)

// Names are as long as the place that the header gives them, beyond what is read at once, and one
// whose length leads out of its place is told.
func TestChessBase2LongNames(t *testing.T) {
	long := func(n int) string { return strings.Repeat("å", n/2) }
	db := &model.Database{}
	for _, n := range []int{60, 126, 1 << 16, 200_000, 3} {
		g := model.NewGame()
		g.White = db.Tables.Players.Intern(model.Player{LastName: long(n), FirstName: "x" + long(n)})
		g.Tournament = db.Tables.Tournaments.Intern(model.Tournament{Title: long(n) + "t", Place: "p" + long(n)})
		g.GameTitle = db.Tables.GameTitles.Intern(model.GameTitle{Titles: [8]string{"g" + long(n)}})
		db.AddGame(g)
	}
	files := must.Get(gen.ChessBase2(t.Context(), db))(t)
	open := func(damage func(error)) (read.Database, *model.Database) {
		src := must.Get(read.OpenFS(files, "Games.2cbh", read.Options{Damage: damage}))(t)
		t.Cleanup(func() { _ = src.Close() })
		all := must.Get(model.Load(t.Context(), src))(t)
		return src, all
	}
	src, all := open(func(err error) { t.Error(err) })
	for i, rec := range all.List {
		if !model.EqualRecords(rec, &all.Tables, db.List[i], &db.Tables) {
			t.Errorf("record %d has other names", rec.ID)
		}
		want := db.Tables.Players.Value(db.List[i].Game.White)
		if got := src.Entities().Players.Value(rec.Game.White); got != want { // alone, without those beside it
			t.Errorf("player %d has %d bytes, want %d", rec.Game.White, len(got.LastName), len(want.LastName))
		}
	}
	names := files["Games.2lid"].Data
	at := strings.Index(string(names), long(200_000)+"t")
	names[at-1], names[at-2] = 0x7f, 0xff // a length of 2 GB
	told := 0
	if _, all = open(func(error) { told++ }); told == 0 || len(all.List) != len(db.List) {
		t.Errorf("%d records, told %d times", len(all.List), told)
	}
}
