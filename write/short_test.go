package write_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"path/filepath"
	"slices"
	"testing"

	"cbkit"
	"cbkit/check"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/internal/testkit/neighbours"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// A game is added and its number told; names are changed in all games, or become one,
// and others stay what they are.
func ExampleEntityEditor_Rename() {
	path, remove := twoGames()
	defer remove()
	ed, err := write.Edit(context.Background(), path, write.EditOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer ed.Close()
	var names model.Entities
	g := model.NewGame()
	g.White, g.Black = names.Players.Intern(model.Player{LastName: "Talj"}), names.Players.Intern(model.Player{LastName: "Smyslov", FirstName: "Vasily"})
	id, err := ed.Add(model.Record{Game: g}, &names)
	if err != nil {
		log.Fatal(err)
	}
	renamed, err := ed.Players().Rename(model.Player{LastName: "Smyslov", FirstName: "Vasily"}, model.Player{LastName: "Smyslov", FirstName: "Vassily"})
	if err != nil {
		log.Fatal(err)
	}
	merged, err := ed.Players().MergeInto(model.Player{LastName: "Talj"}, model.Player{LastName: "Tal", FirstName: "Mikhail"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(id, renamed, merged, ed.Commit())
	// Output: 3 2 1 <nil>
}

// A function changes what it likes in the headers of all games.
func ExampleEditor_ChangeHeaders() {
	path, remove := twoGames()
	defer remove()
	ed, err := write.Edit(context.Background(), path, write.EditOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer ed.Close()
	games, err := ed.ChangeHeaders(context.Background(), func(id model.RecordID, h *model.ResolvedHeader) error {
		if h.White.LastName == "Tal" {
			h.Tournament, h.WhiteElo = model.Tournament{Title: "Wch 23", Place: "Moscow"}, 2650
		}
		return nil
	})
	fmt.Println(games, err, ed.Commit())
	// Output: 1 <nil> <nil>
}

func TestChangeHeaders(t *testing.T) {
	path := filepath.Join(gen.Folder(t), "db.cbh")
	db := &model.Database{}
	e := &db.Tables
	for i, name := range []string{"A", "B", "C"} {
		g := model.NewGame()
		g.White, g.Black = e.Players.Intern(model.Player{LastName: name}), e.Players.Intern(model.Player{LastName: "Z"})
		g.Tournament = e.Tournaments.Intern(model.Tournament{Title: "Open"})
		g.Source = e.Sources.Intern(model.Publication{Title: "Book"})
		g.WhiteTeam = e.Teams.Intern(model.Team{Title: "Club"})
		db.AddGame(g)
		db.List[i].Deleted = i == 2
	}
	text := model.NewGuidingText()
	text.Tournament = 0
	db.AddText(text)
	must.Do(t, cbkit.Save(t.Context(), path, db, cbkit.SaveOptions{}))
	neighbours.Beside(t, path)
	ed := must.Get(write.Edit(context.Background(), path, write.EditOptions{}))(t)
	defer ed.Close()
	stop := errors.New("stop")
	if n, err := ed.ChangeHeaders(t.Context(), func(id model.RecordID, h *model.ResolvedHeader) error {
		if h.Round = 9; id == 2 {
			return stop
		}
		return nil
	}); n != 1 || !errors.Is(err, stop) {
		t.Errorf("ended by the function: %d, %v", n, err)
	}
	must.Do(t, ed.Rollback())
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if n, err := ed.ChangeHeaders(ended, func(model.RecordID, *model.ResolvedHeader) error { t.Error("called"); return nil }); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("ended by the context: %d, %v", n, err)
	}
	seen := 0
	n, err := ed.ChangeHeaders(t.Context(), func(id model.RecordID, h *model.ResolvedHeader) error {
		if seen++; h.Tournament.Title != "Open" || h.Black.LastName != "Z" || h.Source.Title != "Book" || h.WhiteTeam.Title != "Club" {
			t.Errorf("game %d has %+v", id, h)
		}
		switch id {
		case 1: // names, new and old, and numbers
			h.White, h.Black, h.BlackTeam = model.Player{LastName: "N"}, model.Player{LastName: "B"}, h.WhiteTeam
			h.Annotator.Name, h.Result, h.WhiteElo, h.Date = "Me", model.Draw, 2700, model.Date{Year: 2020}
		case 3: // names that go
			h.Tournament, h.Source, h.WhiteTeam = model.Tournament{}, model.Publication{}, model.Team{}
		}
		return nil
	})
	if n != 2 || seen != 3 || err != nil {
		t.Fatalf("%d of %d, %v", n, seen, err)
	}
	must.Do(t, ed.Commit(), ed.Close())
	if _, err := ed.ChangeHeaders(t.Context(), nil); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	now := must.Get(read.Open(path, read.Options{}))(t)
	defer now.Close()
	want := []string{"N - B 1/2-1/2, Open, 2020 Me 2700 Book Club Club", "B - Z, Open  0 Book Club ", "C - Z  0   ", "Open  0   "}
	for rec := range must.All(t, model.Kept(t.Context(), now, model.WantHeaders)) {
		h := rec.Header(now.Entities())
		if got := fmt.Sprintln(h, h.Annotator.Name, h.WhiteElo, h.Source.Title, h.WhiteTeam.Title, h.BlackTeam.Title); got != want[rec.ID-1]+"\n" {
			t.Errorf("record %d: %q, want %q", rec.ID, got, want[rec.ID-1])
		}
		if rec.Deleted != (rec.ID == 3) {
			t.Errorf("record %d: deleted: %v", rec.ID, rec.Deleted)
		}
	}
	var players []string
	for _, p := range now.Entities().Players.Live() {
		players = append(players, p.LastName)
	}
	if slices.Sort(players); !slices.Equal(players, []string{"B", "C", "N", "Z"}) {
		t.Errorf("players %q", players)
	}
	made := check.Database(t.Context(), path, check.Options{})
	for f, err := range made.Findings() {
		if err != nil {
			break // Summary has it
		}
		if f.Severity == check.Error {
			t.Error(f)
		}
	}
	if _, err := made.Summary(); err != nil {
		t.Error(err)
	}
}

func TestRenameAndMergeInto(t *testing.T) {
	path := filepath.Join(gen.Folder(t), "db.cbh")
	db := &model.Database{}
	for _, pair := range [][2]string{{"A", "B"}, {"B", "C"}, {"C", "C"}} {
		g := model.NewGame()
		g.White, g.Black = db.Tables.Players.Intern(model.Player{LastName: pair[0]}), db.Tables.Players.Intern(model.Player{LastName: pair[1]})
		db.AddGame(g)
	}
	sink := must.Get(write.Create(context.Background(), path, write.Options{}))(t)
	must.Do(t, model.Copy(t.Context(), sink, db, model.CopyOptions{}))
	neighbours.Beside(t, path)
	ed := must.Get(write.Edit(context.Background(), path, write.EditOptions{}))(t)
	defer ed.Close()
	player := func(name string) model.Player { return model.Player{LastName: name} }
	for what, c := range map[string]struct {
		do   func() (int, error)
		want error
	}{
		"nobody renamed":   {func() (int, error) { return ed.Players().Rename(player("X"), player("Y")) }, model.ErrNoRecord},
		"a name that is":   {func() (int, error) { return ed.Players().Rename(player("A"), player("C")) }, fs.ErrExist},
		"merged into none": {func() (int, error) { return ed.Players().MergeInto(player("A"), player("Y")) }, model.ErrNoRecord},
		"nobody merged":    {func() (int, error) { return ed.Players().MergeInto(player("X"), player("A")) }, model.ErrNoRecord},
	} {
		if n, err := c.do(); n != 0 || !errors.Is(err, c.want) {
			t.Errorf("%s: %d, %v", what, n, err)
		}
	}
	if _, err := ed.Players().MergeInto(player("A"), player("A")); err == nil {
		t.Error("merged with itself")
	}
	if _, err := ed.Add(model.Record{Game: &model.Game{}}, db.Entities()); !errors.Is(err, model.ErrNotMade) {
		t.Errorf("%v", err)
	}
	if n, err := ed.Players().MergeInto(player("A"), player("B")); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := ed.Players().Rename(player("C"), player("D")); n != 3 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	must.Do(t, ed.Commit(), ed.Close())
	now := must.Get(read.Open(path, read.Options{}))(t)
	defer now.Close()
	for i, want := range []string{"B B", "B D", "D D"} {
		rec := must.Get(now.Record(t.Context(), model.RecordID(i+1), model.WantHeaders))(t)
		players := &now.Entities().Players
		if got := players.Value(rec.Game.White).LastName + " " + players.Value(rec.Game.Black).LastName; got != want {
			t.Errorf("game %d: %s, want %s", i+1, got, want)
		}
	}
}
