package write_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/write"
)

// sourced are games with the given sources, and tournaments of one key with the given
// categories; of a source and a category that are zero a game has none.
func sourced(sources []model.Publication, categories []uint8) *model.Database {
	db := &model.Database{}
	for i := range max(len(sources), len(categories)) {
		g := &model.Game{Header: model.NewHeader()}
		g.White = db.Tables.Players.Intern(model.Player{LastName: "White"})
		if i < len(sources) && sources[i] != (model.Publication{}) {
			g.Source = db.Tables.Sources.Intern(sources[i])
		}
		if i < len(categories) && categories[i] != 0 {
			g.Tournament = db.Tables.Tournaments.Intern(model.Tournament{Title: "Linares", Category: categories[i]})
		}
		appendPlies(g, 3)
		db.AddGame(g)
	}
	return db
}

func appendPlies(g *model.Game, n int) {
	for _, m := range []model.Move{model.NewMove(model.E2, model.E4), model.NewMove(model.E7, model.E5), model.NewMove(model.G1, model.F3)}[:n] {
		g.Moves.Append(m)
	}
}

// Sources of one title, and tournaments of one title, place and date, become one in a
// database of the family, when it is made and when games are added: no two have equal
// keys. No game gets a detail that its own source denies; what is lost is said, with the
// number of games. (Editing cases 22)
func TestNamesOfOneKeyBecomeOne(t *testing.T) {
	year := func(y uint16) model.Date { return model.Date{Year: y} }
	books := []model.Publication{
		{Title: "Base", Publisher: "A", Date: year(2001)}, {Title: "Base", Publisher: "A", Date: year(2002)},
		{Title: "Base", Date: year(2003)}, {Title: "Other", Date: year(2001)}, {Title: "Base", Publisher: "A", Date: year(2001)},
		{Date: year(1999)}, {}, {Title: "Base", Publisher: "A", Date: year(2002)}, {Date: year(1998)},
	}
	categories := []uint8{15, 16, 15, 0, 16, 17}
	want := []string{
		`record 1: source date: "Base": others of the same source say something else`,
		`record 2: source date: "Base": others of the same source say something else`,
		`record 2: tournament category: "Linares": others of the same tournament say something else`,
		`record 3: source date: "Base": others of the same source say something else`,
		`record 5: source date: "Base": others of the same source say something else`,
		`record 5: tournament category: "Linares": others of the same tournament say something else`,
		`record 6: source date: "": others of the same source say something else`,
		`record 6: tournament category: "Linares": others of the same tournament say something else`,
		`record 8: source date: "Base": others of the same source say something else`,
		`record 9: source date: "": others of the same source say something else`,
	}
	db := sourced(books, categories)
	for cut := 0; cut <= len(db.List); cut++ {
		t.Run(fmt.Sprintf("%d created, the rest added", cut), func(t *testing.T) {
			var losses []string
			report := func(l model.Loss) { losses = append(losses, l.String()) }
			path := create(t, part(db, 0, cut), write.Options{Report: report})
			ed, err := write.Edit(context.Background(), path, write.EditOptions{Now: clock, Report: report})
			must.Do(t, err, appendAll(ed, part(db, cut, len(db.List))))
			commit(t, ed)
			sound(t, path)
			got := load(t, path)
			seen := map[string]int{}
			for _, s := range got.Tables.Sources.Live() {
				seen["source "+s.Title]++
			}
			for _, s := range got.Tables.Tournaments.Live() {
				seen["tournament "+s.Title]++
			}
			for what, n := range seen {
				if n > 1 {
					t.Errorf("%d of %s", n, what)
				}
			}
			for i, rec := range got.List {
				has, was := got.Tables.Sources.Value(rec.Game.Source), books[i]
				if has.Title != was.Title || has.Date != (model.Date{}) && has.Date != was.Date || has.Publisher != "" && was.Publisher != "" && has.Publisher != was.Publisher {
					t.Errorf("game %d: %+v, was %+v", i+1, has, was)
				}
				if has.Title == "Base" && has.Publisher != "A" {
					t.Errorf("game %d: the publisher on whom all agree is %q", i+1, has.Publisher)
				}
				if i < len(categories) && categories[i] != 0 && got.Tables.Tournaments.Value(rec.Game.Tournament).Category != 15 {
					t.Errorf("game %d: another category", i+1)
				}
			}
			if cut == len(db.List) {
				slices.Sort(losses)
				if !slices.Equal(losses, want) {
					t.Errorf("losses: %q", losses)
				}
			} else if len(losses) == 0 {
				t.Error("no loss is told")
			}
		})
	}
}

// part returns some records of a database.
func part(db *model.Database, from, to int) *model.Database {
	some := &model.Database{Tables: db.Tables.Clone()}
	for _, rec := range db.List[from:to] {
		some.AddGame(rec.Game.Clone())
	}
	return some
}
