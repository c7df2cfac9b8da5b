package write_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"cbkit/internal/cbh"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/write"
)

// parsed returns the only game of a text.
func parsed(t testing.TB, text string) *model.Game {
	t.Helper()
	db, err := model.Load(context.Background(), pgn.NewReader(strings.NewReader(text), pgn.ReaderOptions{}))
	if err != nil || len(db.List) != 1 {
		t.Fatal(err)
	}
	return db.List[0].Game
}

// A game gets the comments, symbols and variations of another one whose main line
// is the same, and keeps its header; one with another main line is refused by the
// ply where they part, and changes nothing.
func TestEditAnnotate(t *testing.T) {
	start := games(6, 4)
	path := create(t, start, write.Options{})
	ed := edit(t, path)
	plain, err := ed.Game(1)
	must.Do(t, err)
	var moves []string
	for i := range plain.Moves.MainLen() {
		moves = append(moves, plain.Moves.Move(i).String())
	}
	if strings.Join(moves, " ") != "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6" {
		t.Fatal(moves)
	}
	by := parsed(t, "[White \"Annotator\"]\n\n1. Nf3! {a move} Nf6 (1... d5 {another} 2. d4) 2. Ng1 Ng8 3. Nf3 Nf6 *")
	must.Do(t, ed.Annotate(1, by))
	result, err := ed.Game(1)
	must.Do(t, err)
	if result.Header.White != plain.White || result.Moves.Len() != by.Moves.Len() || len(result.Annotations) != len(by.Annotations) {
		t.Errorf("%+v", result)
	}
	for i, a := range by.Annotations {
		if got := result.Annotations[i]; got.Node != a.Node || fmt.Sprint(got.Value) != fmt.Sprint(a.Value) {
			t.Errorf("annotation %d is %+v, want %+v", i, got, a)
		}
	}
	must.Do(t, ed.Commit())
	sound(t, path)
	before := filesOf(t, path)
	for text, want := range map[string]string{
		"1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nc6 *":                                   "from ply 6 on",
		"1. Nf3 Nf6 2. Ng1 Ng8 *":                                              "from ply 5 on",
		"[FEN \"4k3/8/8/8/8/8/8/4K1N1 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. Nf3 *": "begins with another position",
	} {
		if err := ed.Annotate(1, parsed(t, text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	commit(t, ed)
	for ext, content := range filesOf(t, path) {
		if before[ext] != content {
			t.Errorf("%s has changed", ext)
		}
	}
	if got := load(t, path); got.List[0].Game.Moves.Len() != by.Moves.Len() || got.List[1].Game.Moves.Len() != 4 {
		t.Error("not the games that were made")
	}
}

// The header fields of a guiding text change, and its entities count that; its
// content keeps its bytes.
func TestEditTextHeader(t *testing.T) {
	start := games(10)
	text := model.NewGuidingText()
	text.Tournament = 0
	text.Contents = []model.LocalText{{Text: "content"}}
	start.AddText(text)
	path := create(t, start, write.Options{})
	moves := filesOf(t, path)[".cbg"]
	ed := edit(t, path)
	now, err := ed.Text(2)
	must.Do(t, err)
	var from model.Entities
	now.Round, now.Subround = 3, 2
	now.Tournament = from.Tournaments.Intern(model.Tournament{Title: "Another", Start: model.Date{Year: 2001}})
	now.Annotator = from.Annotators.Intern(model.Annotator{Name: "Somebody"})
	now.Source, now.GameTitle = model.NoEntity, model.NoEntity
	must.Do(t, ed.SetTextHeader(2, now, &from))
	if err := ed.SetTextHeader(1, now, &from); err == nil {
		t.Error("a game got the header of a text")
	}
	if r := commit(t, ed); r.Set != 1 || r.EntitiesAdded != 2 {
		t.Errorf("%+v", r)
	}
	sound(t, path)
	got := load(t, path)
	g := got.List[1].Text
	if got.Tables.Tournaments.Value(g.Tournament).Title != "Another" || got.Tables.Annotators.Value(g.Annotator).Name != "Somebody" ||
		g.Round != 3 || g.Subround != 2 || g.Contents[0].Text != "content" {
		t.Errorf("%+v", g)
	}
	if filesOf(t, path)[".cbg"] != moves {
		t.Error("the content has changed")
	}
}

// Ninety-five names that get new ones in ascending order, one after the other,
// leave a tree that is as low as a balanced one must be: without rotations it
// would be a list.
func TestEditRenamesRotate(t *testing.T) {
	path := create(t, games(4), write.Options{})
	ed := edit(t, path)
	sources := ed.Sources()
	var ids []model.EntityID
	for i := range 95 {
		id, err := sources.Insert(model.Publication{Title: fmt.Sprintf("B%02d", i*37%95)})
		must.Do(t, err)
		ids = append(ids, id)
	}
	must.Do(t, ed.Commit())
	root := entitiesOf(t, path, ".cbs", cbh.Sources.Size).Root
	for i, id := range ids {
		must.Do(t, sources.Change(id, model.Publication{Title: fmt.Sprintf("C%02d", i)}))
	}
	commit(t, ed)
	isSoundTree(t, path, ".cbs", &cbh.Sources.EntityFile)
	f := entitiesOf(t, path, ".cbs", cbh.Sources.Size)
	var height func(id int32) int
	height = func(id int32) int {
		if id < 0 {
			return 0
		}
		return 1 + max(height(f.links[id].Left), height(f.links[id].Right))
	}
	if h := height(f.Root); h > 9 || f.Root == root {
		t.Errorf("the tree of 96 has height %d, its root is %d as before", h, f.Root)
	}
}
