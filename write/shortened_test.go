package write_test

import (
	"fmt"
	"testing"

	"cbkit/check"
	"cbkit/internal/cbh"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// fiveGames writes a database of five games of ten players, with boosters.
func fiveGames(t *testing.T) read.Database {
	t.Helper()
	db := &model.Database{}
	for i := range 5 {
		g := model.NewGame()
		g.White = db.Tables.Players.Intern(model.Player{LastName: fmt.Sprint("White ", i)})
		g.Black = db.Tables.Players.Intern(model.Player{LastName: fmt.Sprint("Black ", i)})
		g.Moves.Append(model.NewMove(model.E2, model.E4))
		db.AddGame(g)
	}
	src, err := read.Open(create(t, db, write.Options{Boosters: true}), read.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	return src
}

// TestCopyWithoutTheLastRecords: a copy that ends early has met nothing that
// differs from its original, and still is not the same database: what counts
// its records is computed, and boosters do not go along.
func TestCopyWithoutTheLastRecords(t *testing.T) {
	src := fiveGames(t)
	for n := range model.RecordID(6) {
		path := t.TempDir() + "/copy.cbh"
		sink, err := write.Create(path, write.Options{Now: clock})
		if err != nil {
			t.Fatal(err)
		}
		keep := func(r model.Record) bool { return r.ID <= n }
		if err := model.Copy(t.Context(), sink, src, model.CopyOptions{Keep: keep}); err != nil {
			t.Fatal(err)
		}
		if files := findFiles(t, path); files.Has(".cit") != (n == 5) {
			t.Errorf("%d of 5 records: files %v", n, files.Endings())
		}
		wrong := func(f check.Finding) {
			if f.Severity == check.Error {
				t.Errorf("%d of 5 records: %v", n, f)
			}
		}
		// Players without games stay in a copy: an error of their own.
		if _, err := check.Database(t.Context(), path, check.Options{}, func(f check.Finding) {
			if f.Code != "unused-entity" {
				wrong(f)
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// created returns the creation stamps of a database's games.
func created(t *testing.T, src model.Source) []uint64 {
	t.Helper()
	var list []uint64
	for rec, err := range src.Records(t.Context(), 1, model.WantAll) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, cbh.DecodeExtRecord(rec.Game.Leftovers.Header.From(cbh.Format)[cbh.RecordSize:]).Created)
	}
	return list
}

// TestGamesWithoutStamp: old programs left the creation stamp 0. A copy keeps
// it; a game that goes into another database is new there and gets one.
func TestGamesWithoutStamp(t *testing.T) {
	db, err := model.Load(t.Context(), fiveGames(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range db.List {
		left := rec.Game.Leftovers.Header
		ext := cbh.DecodeExtRecord(left.Data[cbh.RecordSize:])
		ext.Created = 0
		size := len(left.Data) - cbh.RecordSize
		left.Data = ext.Append(left.Data[:cbh.RecordSize:cbh.RecordSize], size)
	}
	db.AddGame(model.NewGame()) // a new one gets a stamp in a copy too
	for fresh, want := range map[bool]bool{true: true, false: false} {
		copied, err := read.Open(create(t, db, write.Options{Fresh: fresh}), read.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, stamp := range created(t, copied) {
			if stamped := stamp != 0; stamped != (want || i == 5) {
				t.Errorf("fresh %v: game %d has the stamp %d", fresh, i+1, stamp)
			}
		}
		if err := copied.Close(); err != nil {
			t.Error(err)
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
	src, err := read.Open(path, read.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	back, err := model.Load(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	list := back.List[0].Game.Annotations
	if len(list) != 1 || list[0].Node != model.NoNode || !list[0].Value.Equal(model.Text{Text: "of the game"}) || lost != 1 {
		t.Errorf("annotations %v, %d reported", list, lost)
	}
}
