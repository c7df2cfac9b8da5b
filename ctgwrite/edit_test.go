package ctgwrite_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/check"
	"cbkit/ctgwrite"
	"cbkit/internal/ctg"
	"cbkit/internal/fsys"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// openEditor opens a book for change until the end of the test.
func openEditor(t testing.TB, path string) *ctgwrite.Editor {
	t.Helper()
	ed := must.Get(ctgwrite.Edit(context.Background(), path, ctgwrite.EditOptions{AcceptLosses: true}))(t)
	t.Cleanup(func() {
		if err := ed.Close(); err != nil {
			t.Error(err)
		}
	})
	return ed
}

// addGames adds games to a book and commits.
func addGames(t testing.TB, src model.Source, path string, opt ctgwrite.BuilderOptions) ctgwrite.EditResult {
	t.Helper()
	ed := openEditor(t, path)
	b := ed.NewBuilder(opt)
	defer b.Close()
	must.Do(t, b.Add(context.Background(), src))
	must.Do(t, ed.Add(context.Background(), b))
	must.Do(t, ed.Commit())
	must.Do(t, ed.Close())
	return ed.Result()
}

// entriesOf returns the entries of a book by their keys, with their moves in an
// order of their own: that of growing books is another one.
func entriesOf(t testing.TB, path string) map[string]string {
	t.Helper()
	data := must.Get(os.ReadFile(path))(t)
	return entriesIn(t, data)
}

func entriesIn(t testing.TB, data []byte) map[string]string {
	t.Helper()
	entries := map[string]string{}
	for at := ctg.PageSize; at < len(data); at += ctg.PageSize {
		for e := range must.All(t, ctg.Page(data[at:at+ctg.PageSize]).Entries()) {
			pairs := slices.SortedFunc(slices.Chunk(e.Moves(), 2), bytes.Compare)
			entries[string(e.KeyBytes())] = string(slices.Concat(pairs...)) + string(e.StatsBytes())
		}
	}
	return entries
}

// sameBook fails unless two books have the same entries, but for those that have
// as many moves as an entry can have, and the same directory but for the numbers
// of pages.
func sameBook(t testing.TB, want, got string) {
	t.Helper()
	wanted, have := entriesOf(t, want), entriesOf(t, got)
	for key, e := range wanted {
		if len(e) < 2*ctg.MaxPortableMoves+ctg.StatsSize && have[key] != e {
			t.Fatalf("%x: %x, want %x", key, have[key], e)
		}
	}
	if len(wanted) != len(have) {
		t.Fatalf("%d entries, want %d", len(have), len(wanted))
	}
	a, b := files(t, want), files(t, got)
	if a[".ctb"] != b[".ctb"] {
		t.Error("the bitmaps differ")
	}
	if d := gocmp.Diff(leavesOf(a[".cto"]), leavesOf(b[".cto"])); d != "" {
		t.Errorf("the leaves differ: %s", d)
	}
	if a[".ctg"][:ctg.PageSize] != b[".ctg"][:ctg.PageSize] || len(a[".ctg"]) != len(b[".ctg"]) {
		t.Error("the header pages or the numbers of pages differ")
	}
}

// leavesOf returns the header of a .cto file and which of its entries are pages.
func leavesOf(cto string) (list []int32) {
	for at := 0; at < len(cto); at += 4 {
		n := int32(binary.BigEndian.Uint32([]byte(cto[at:])))
		if at >= 16 {
			n = min(n, 0)
		}
		list = append(list, n)
	}
	return list
}

// checkClean fails if a check of a book finds an error.
func checkClean(t testing.TB, path string) {
	t.Helper()
	made := check.Book(context.Background(), path, check.Options{})
	for f, err := range made.Findings() {
		if err != nil {
			break // Summary has it
		}
		if f.Severity == check.Error {
			t.Errorf("%s: %v", path, f)
		}
	}
	must.Get(made.Summary())(t)
}

// parts are two halves of the games of a database, and all of them.
func parts(db *model.Database, at int) (a, b *model.Database) {
	a, b = new(model.Database), new(model.Database)
	for i := range db.List {
		to := a
		if i >= at {
			to = b
		}
		to.AddGame(db.List[i].Game)
	}
	return a, b
}

// A book to which games are added must be the book of all games.
func TestAddEqualsBuildingTogether(t *testing.T) {
	dir := gen.Folder(t)
	rapid.Check(t, func(rt *rapid.T) {
		db := randomDatabase(rapid.Uint64().Draw(rt, "seed"), rapid.IntRange(0, 120).Draw(rt, "games"), 60)
		first, second := parts(db, rapid.IntRange(0, len(db.List)).Draw(rt, "cut"))
		opt := ctgwrite.BuilderOptions{
			MaxPly:     rapid.SampledFrom([]int{0, 1, 7, 30}).Draw(rt, "max ply"),
			Variations: rapid.Bool().Draw(rt, "variations"),
			Jobs:       rapid.IntRange(1, 3).Draw(rt, "jobs"),
		}
		opt.Exact = rapid.Bool().Draw(rt, "exact")
		opt.Force, opt.TempDir = true, dir
		whole, path := filepath.Join(dir, "whole.ctg"), filepath.Join(dir, "book.ctg")
		want := build(t, db, whole, opt)
		before := build(t, first, path, opt)
		r := addGames(t, second, path, opt)
		if r.Games != len(second.List) || before.Positions+r.Added != want.Positions || before.Pages+r.Pages != want.Pages || r.Removed != 0 {
			rt.Errorf("%+v; the book had %+v, and that of all games has %+v", r, before, want)
		}
		sameBook(t, whole, path)
		checkClean(t, path)
		if opt.Exact {
			checkTopDown(t, path, true)
			return
		}
		recounted := newRecount(opt.MaxPly, opt.Variations)
		for i := range db.List {
			recounted.add(db.List[i].Game)
		}
		checkMerged(t, recounted, path)
	})
}

// The same with real games, in both forms.
func TestAddCorpus(t *testing.T) {
	db := must.Get(read.Open(corpus.Path(t, "cbh/twic1134/twic1134.cbh"), read.Options{}))(t)
	defer db.Close()
	half := db.Count() / 2
	keep := func(from, to int) func(*model.Game, *model.Entities) bool {
		n := 0
		return func(*model.Game, *model.Entities) bool { n++; return n > from && n <= to }
	}
	for _, exact := range []bool{false, true} {
		opt := ctgwrite.BuilderOptions{Variations: true}
		if opt.Exact = exact; testing.Short() {
			if exact {
				break
			}
			opt.MaxPly = 16
		}
		dir := gen.Folder(t)
		whole, path := filepath.Join(dir, "whole.ctg"), filepath.Join(dir, "book.ctg")
		want := build(t, db, whole, opt)
		opt.Keep = keep(0, half)
		before := build(t, db, path, opt)
		opt.Keep = keep(half, db.Count())
		r := addGames(t, db, path, opt)
		if before.Positions+r.Added != want.Positions || before.Pages+r.Pages != want.Pages {
			t.Errorf("%+v; the book had %+v, and that of all games has %+v", r, before, want)
		}
		sameBook(t, whole, path)
		checkClean(t, path)
	}
}

// What a user has set, and the order of the moves, are not touched by games.
func TestAddKeepsMarks(t *testing.T) {
	path := bookPath(t)
	start := model.StartPosition()
	stats := model.BookStats{Games: 7, Wins: 3, Score: 30, Recommendation: model.AvoidMove, Weight: -20, Commentary: 11}
	moves := []model.BookMove{
		{Move: model.NewMove(model.A2, model.A3), Annotation: 2}, {Move: model.NewMove(model.E2, model.E4), Annotation: 1},
	}
	list := []*model.BookEntry{{Position: start, Stats: stats, Moves: moves}}
	for _, m := range moves {
		list = append(list, &model.BookEntry{Position: after(t, start, m.Move), Stats: model.BookStats{Games: 2}})
	}
	must.Get(ctgwrite.Write(context.Background(), path, listBook{list}, ctgwrite.Options{}))(t)
	db := new(model.Database)
	for _, first := range []model.Move{model.NewMove(model.D2, model.D4), model.NewMove(model.D2, model.D4), model.NewMove(model.E2, model.E4), model.NewMove(model.B2, model.B4)} {
		g := gameOf(t, model.WhiteWins)
		g.Moves.Append(first)
		db.AddGame(g)
	}
	addGames(t, db, path, ctgwrite.BuilderOptions{})
	var got model.BookEntry
	if found, err := openBook(t, path).Find(start, &got); !found || err != nil {
		t.Fatal(found, err)
	}
	stats.Games, stats.Wins, stats.Score = 11, 7, 70
	want := append(slices.Clone(moves),
		model.BookMove{Move: model.NewMove(model.D2, model.D4)}, model.BookMove{Move: model.NewMove(model.B2, model.B4)})
	if d := gocmp.Diff(want, got.Moves); d != "" || got.Stats != stats {
		t.Errorf("%+v, want %+v; %s", got.Stats, stats, d)
	}
}

// after returns the position after a move.
func after(t testing.TB, p model.Position, m model.Move) model.Position {
	t.Helper()
	b := must.Get(board.New(&p))(t)
	b.Make(m)
	return b.Model()
}

// What makes no sense is refused, and the book is what it was.
func TestEditRefusals(t *testing.T) {
	path := bookPath(t)
	build(t, randomDatabase(31, 30, 30), path, ctgwrite.BuilderOptions{})
	want := files(t, path)
	ed := openEditor(t, path)
	ctx := context.Background()
	if _, err := ctgwrite.Edit(ctx, path, ctgwrite.EditOptions{}); !errors.Is(err, model.ErrLocked) {
		t.Errorf("a second editor: %v", err)
	}
	if _, err := ctgwrite.Edit(ctx, path+"x", ctgwrite.EditOptions{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no book: %v", err)
	}
	exact := ctgwrite.NewBuilder(ctgwrite.BuilderOptions{Options: ctgwrite.Options{Exact: true}})
	defer exact.Close()
	if err := ed.Add(ctx, exact); err == nil {
		t.Error("a builder of another form was taken")
	}
	rare := ed.NewBuilder(ctgwrite.BuilderOptions{MinGames: 2})
	defer rare.Close()
	if err := ed.Add(ctx, rare); err == nil {
		t.Error("a minimum of games was taken")
	}
	absent := must.Get(board.Parse("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"))(t)
	if err := ed.Remove(ctx, absent); !errors.Is(err, model.ErrNoRecord) {
		t.Errorf("removing what is not there: %v", err)
	}
	if err := ed.DropMove(absent, model.NewMove(model.E2, model.E4)); !errors.Is(err, model.ErrNoRecord) {
		t.Errorf("a move of a position that is not there: %v", err)
	}
	start := board.Start()
	if err := ed.DropMove(start, model.NewMove(model.E2, model.E5)); !errors.Is(err, model.ErrNoRecord) {
		t.Errorf("a move that is not there: %v", err)
	}
	if err := ed.Commit(); err != nil {
		t.Error(err)
	}
	if d := gocmp.Diff(want, files(t, path)); d != "" {
		t.Error("a commit of nothing changed the book")
	}
	must.Do(t, os.WriteFile(strings.TrimSuffix(path, ".ctg")+".ctb", nil, 0o666))
	must.Do(t, ed.Close())
	if _, err := ctgwrite.Edit(ctx, path, ctgwrite.EditOptions{}); !errors.Is(err, model.ErrTruncated) {
		t.Errorf("a damaged directory: %v", err)
	}
}

// A book whose files have other names is refused, and those keep their bytes.
func TestEditHardLinks(t *testing.T) {
	path := bookPath(t)
	build(t, randomDatabase(31, 30, 30), path, ctgwrite.BuilderOptions{})
	want := files(t, path)
	for ext := range want {
		if err := os.Link(strings.TrimSuffix(path, ".ctg")+ext, path+".backup"+ext); err != nil {
			t.Skip("no hard links here:", err)
		}
	}
	ctx := context.Background()
	start := board.Start()
	for what, do := range map[string]func(*ctgwrite.Editor) error{
		"put": func(ed *ctgwrite.Editor) error {
			return ed.Put(&model.BookEntry{Position: start.Model(), Stats: model.BookStats{Games: 1000}})
		},
		"remove": func(ed *ctgwrite.Editor) error { return ed.Remove(ctx, start) },
		"add": func(ed *ctgwrite.Editor) error {
			b := ed.NewBuilder(ctgwrite.BuilderOptions{})
			defer b.Close()
			return errors.Join(b.Add(ctx, randomDatabase(5, 3, 3)), ed.Add(ctx, b))
		},
		"rehearse": func(ed *ctgwrite.Editor) error {
			err := ed.Remove(ctx, start)
			_, dry := ed.DryRun()
			return errors.Join(err, dry)
		},
	} {
		ed := must.Get(ctgwrite.Edit(ctx, path, ctgwrite.EditOptions{AcceptLosses: true}))(t)
		if err := errors.Join(do(ed), ed.Commit(), ed.Close()); !errors.Is(err, fsys.ErrLinked) {
			t.Errorf("%s: %v", what, err)
		}
		if d := gocmp.Diff(want, files(t, path)); d != "" {
			t.Errorf("%s changed the book", what)
		}
	}
}

// Only changed pages are written: adding a game to a large book writes little.
func TestAddWritesWhatChanged(t *testing.T) {
	path := bookPath(t)
	build(t, wideDatabase(200), path, ctgwrite.BuilderOptions{})
	before := files(t, path)[".ctg"]
	r := addGames(t, wideDatabase(1), path, ctgwrite.BuilderOptions{})
	now := files(t, path)[".ctg"]
	changed := 0
	for at := 0; at < len(before); at += ctg.PageSize {
		changed += cmp.Compare(before[at:at+ctg.PageSize], now[at:at+ctg.PageSize]) & 1
	}
	if most := r.Added + r.Changed + 1; changed > most || changed < 20 {
		t.Errorf("%d pages changed; %+v", changed, r)
	}
}

// A reader that a commit overtakes says so; opened anew it has the new state.
func TestReaderOfABookIsOvertaken(t *testing.T) {
	path := bookPath(t)
	build(t, wideDatabase(20), path, ctgwrite.BuilderOptions{})
	book := openBook(t, path)
	start := model.StartPosition()
	var e model.BookEntry
	if found, err := book.Find(start, &e); !found || err != nil {
		t.Fatal(found, err)
	}
	seen := 0
	for _, err := range book.Entries(context.Background()) {
		if seen++; seen == 1 {
			addGames(t, wideDatabase(1), path, ctgwrite.BuilderOptions{})
		}
		if err != nil && !errors.Is(err, model.ErrChanged) {
			t.Fatal(err)
		}
	}
	if seen > 200 {
		t.Errorf("%d entries were read", seen)
	}
	if _, err := book.Lookup(board.Start()); !errors.Is(err, model.ErrChanged) {
		t.Errorf("Lookup: %v", err)
	}
	if err := book.Figures(&e); !errors.Is(err, model.ErrChanged) {
		t.Errorf("Figures: %v", err)
	}
	if found, err := openBook(t, path).Find(start, &e); !found || err != nil || e.Stats.Games != 21 {
		t.Error(found, err, e.Stats)
	}
}
