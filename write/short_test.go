package write_test

import (
	"errors"
	"fmt"
	"io/fs"
	"log"
	"path/filepath"
	"testing"

	"cbkit/internal/gen"
	"cbkit/internal/neighbours"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// A game is added and its number told; names are changed in all games, or become one,
// and others stay what they are.
func ExampleEntityEditor_Rename() {
	path, remove := twoGames()
	defer remove()
	ed, err := write.Edit(path, write.EditOptions{})
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

func TestRenameAndMergeInto(t *testing.T) {
	path := filepath.Join(gen.Folder(t), "db.cbh")
	db := &model.Database{}
	for _, pair := range [][2]string{{"A", "B"}, {"B", "C"}, {"C", "C"}} {
		g := model.NewGame()
		g.White, g.Black = db.Tables.Players.Intern(model.Player{LastName: pair[0]}), db.Tables.Players.Intern(model.Player{LastName: pair[1]})
		db.AddGame(g)
	}
	sink, err := write.Create(path, write.Options{})
	if err == nil {
		err = model.Copy(t.Context(), sink, db, model.CopyOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	neighbours.Beside(t, path)
	ed, err := write.Edit(path, write.EditOptions{})
	if err != nil {
		t.Fatal(err)
	}
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
	if err := errors.Join(ed.Commit(), ed.Close()); err != nil {
		t.Fatal(err)
	}
	now, err := read.Open(path, read.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer now.Close()
	for i, want := range []string{"B B", "B D", "D D"} {
		rec, err := now.Record(t.Context(), model.RecordID(i+1), model.WantHeaders)
		if err != nil {
			t.Fatal(err)
		}
		players := &now.Entities().Players
		if got := players.Value(rec.Game.White).LastName + " " + players.Value(rec.Game.Black).LastName; got != want {
			t.Errorf("game %d: %s, want %s", i+1, got, want)
		}
	}
}
