package write_test

import (
	"fmt"
	"testing"

	"cbkit/internal/cbh"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// fiveGames writes a database of five games of ten players, with boosters.
func fiveGames(t *testing.T) *read.ChessBase {
	t.Helper()
	db := &model.Database{}
	for i := range 5 {
		g := model.NewGame()
		g.White = db.Tables.Players.Intern(model.Player{LastName: fmt.Sprint("White ", i)})
		g.Black = db.Tables.Players.Intern(model.Player{LastName: fmt.Sprint("Black ", i)})
		g.Moves.Append(model.NewMove(model.E2, model.E4))
		db.AddGame(g)
	}
	return openDatabase(t, withBoosters(t, create(t, db, write.Options{})))
}

// TestCopyWithoutTheLastRecords: a copy that ends early has met nothing that
// differs from its original, and still is not the same database: what counts
// its records is computed, and boosters do not go along.
func TestCopyWithoutTheLastRecords(t *testing.T) {
	src := fiveGames(t)
	for n := range model.RecordID(6) {
		keep := func(r model.Record) bool { return r.ID <= n }
		path := copied(t, src, write.Options{}, model.CopyOptions{Keep: keep})
		if files := findFiles(t, path); files.Has(".cit") != (n == 5) {
			t.Errorf("%d of 5 records: files %v", n, files.Endings())
		}
		// Players that have lost their games are gone.
		checkErrors(t, path)
		live := 0
		for _, slot := range openDatabase(t, path).Entities().Players.All() {
			if !slot.Deleted {
				live++
			}
		}
		if live != int(2*n) {
			t.Errorf("%d of 5 records: %d players", n, live)
		}
	}
}

// created returns the creation stamps of a database's games.
func created(t *testing.T, src model.Source) []uint64 {
	t.Helper()
	var list []uint64
	for rec := range must.All(t, src.Records(t.Context(), 1, model.WantAll)) {
		list = append(list, cbh.DecodeExtRecord(rec.Game.Leftovers.Header.From(cbh.Format)[cbh.RecordSize:]).Created)
	}
	return list
}

// TestGamesWithoutStamp: old programs left the creation stamp 0. A copy keeps
// it; a game that goes into another database is new there and gets one.
func TestGamesWithoutStamp(t *testing.T) {
	path := fiveGames(t).Files().Path(".cbh")
	extensions := readFile(t, sibling(path, ".cbj"))
	for i := range 5 {
		clear(extensions[cbh.ExtHeaderSize+i*cbh.ExtRecordSize+80:][:8])
	}
	replace(t, sibling(path, ".cbj"), extensions)
	db := openDatabase(t, path)
	for path, stamped := range map[string]bool{
		create(t, db, write.Options{}): true, copied(t, db, write.Options{}, model.CopyOptions{}): false,
	} {
		for i, stamp := range created(t, openDatabase(t, path)) {
			if (stamp != 0) != stamped {
				t.Errorf("stamped %v: game %d has the stamp %d", stamped, i+1, stamp)
			}
		}
	}
}

// TestAnnotationsOfLostMoves: of a game whose moves cannot be written, what is
// said of the game as a whole stays, and the rest is reported.
func TestAnnotationsOfLostMoves(t *testing.T) {
	db := &model.Database{}
	g := model.NewGame()
	start := model.StartPosition()
	start.Board[model.E4] = model.WhiteKing // two kings
	g.Start = &start
	g.Moves.Append(model.NewMove(model.A2, model.A3))
	g.Annotate(model.NoNode, model.Text{Text: "of the game"})
	g.Annotate(0, model.Text{Text: "of the move"})
	db.AddGame(g)

	lost := 0
	path := create(t, played{db}, write.Options{Report: func(l model.Loss) {
		if l.Kind == model.LostAnnotation {
			lost++
		}
	}})
	src := must.Get(read.Open(path, read.Options{}))(t)
	defer src.Close()
	back := must.Get(model.Load(t.Context(), src))(t)
	list := back.List[0].Game.Annotations
	if len(list) != 1 || list[0].Node != model.NoNode || !list[0].Value.Equal(model.Text{Text: "of the game"}) || lost != 1 {
		t.Errorf("annotations %v, %d reported", list, lost)
	}
}
