package ctgwrite_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"cbkit/ctgwrite"
	"cbkit/internal/ctg"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"

	"github.com/google/go-cmp/cmp"
)

// Merging the books of two halves must give the book of the whole: the same
// positions with the same figures and moves.
func TestMergeEqualsBuildingTogether(t *testing.T) {
	dir := gen.Folder(t)
	all := randomDatabase(11, 800, 40)
	var halves [2]model.Database
	want := newRecount(30, false)
	for i := range all.List {
		halves[i%2].AddGame(all.List[i].Game)
		want.add(all.List[i].Game)
	}
	opt := ctgwrite.BuilderOptions{MaxPly: 30}
	var books []model.Book
	for i, name := range []string{"a.ctg", "b.ctg"} {
		build(t, &halves[i], filepath.Join(dir, name), opt)
		books = append(books, openBook(t, filepath.Join(dir, name)))
	}
	path := filepath.Join(dir, "merged.ctg")
	r := must.Get(ctgwrite.Merge(context.Background(), path, books, ctgwrite.Options{AcceptLosses: true}))(t)
	if r.Games != 800 || r.Positions != len(want.positions) {
		t.Errorf("%+v; want 800 games, %d positions", r, len(want.positions))
	}
	checkMerged(t, want, path)

	whole := filepath.Join(dir, "whole.ctg")
	build(t, all, whole, opt)
	if a, b := files(t, whole)[".ctb"], files(t, path)[".ctb"]; a != b {
		t.Error("the bitmaps differ")
	}
}

// checkMerged is checkBook but for the order of the moves.
func checkMerged(t *testing.T, want *recount, path string) {
	t.Helper()
	naive := openNaive(t, path)
	for key, w := range want.positions {
		moves, stats, found := naive.find(key.Bytes())
		if !found || int(stats[0])<<16|int(stats[1])<<8|int(stats[2]) != w.games || len(moves) != 2*len(w.moves) {
			t.Fatalf("%s: found %v, moves %x, figures %x; want %d games, %d moves", &key, found, moves, stats, w.games, len(w.moves))
		}
		for i := 0; i < len(moves); i += 2 {
			if w.moves[moves[i]] == 0 {
				t.Fatalf("%s: move %02x was not played", &key, moves[i])
			}
		}
	}
}

func entryAt(p model.Position, s model.BookStats, moves ...model.BookMove) *model.BookEntry {
	return &model.BookEntry{Position: p, Stats: s, Moves: moves}
}

// What a user set comes from the first book that has it.
func TestMergeTakesTheFirstMarks(t *testing.T) {
	start := model.StartPosition()
	e4 := func(nag model.NAG) model.BookMove {
		return model.BookMove{Move: model.NewMove(model.E2, model.E4), Annotation: nag}
	}
	d4 := model.BookMove{Move: model.NewMove(model.D2, model.D4), Annotation: 5}
	stats := func(n uint32) model.BookStats { return model.BookStats{Games: n, Wins: n, Score: 10 * n} }
	first, second, third := stats(1), stats(2), stats(3)
	second.Recommendation, second.Weight = model.MainMove, 20
	third.Recommendation, third.Commentary = model.AvoidMove, 11
	path := bookPath(t)
	_, err := ctgwrite.Merge(context.Background(), path, []model.Book{
		listBook{[]*model.BookEntry{entryAt(start, first, e4(0))}},
		listBook{[]*model.BookEntry{entryAt(start, second, d4, e4(1))}},
		listBook{[]*model.BookEntry{entryAt(start, third, e4(3))}},
	}, ctgwrite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got model.BookEntry
	if found, err := openBook(t, path).Find(start, &got); !found || err != nil {
		t.Fatalf("%v, %v", found, err)
	}
	got.Leftover = nil
	want := stats(6)
	want.Recommendation, want.Weight, want.Commentary = model.MainMove, 20, 11
	if d := cmp.Diff(*entryAt(start, want, e4(1), d4), got); d != "" {
		t.Error(d)
	}
}

// A book with more games than an entry can count is scaled down, not wrapped.
func TestMergeScalesDown(t *testing.T) {
	start := model.StartPosition()
	huge := model.BookStats{Games: ctg.MaxCount, Wins: 10_000_000, Draws: 4_000_000, Losses: 2_000_000, Score: 120_000_000}
	huge.Own = model.BookRatings{Games: 800_000, Sum: 800_000 * 2400}
	path := bookPath(t)
	book := listBook{[]*model.BookEntry{entryAt(start, huge)}}
	must.Get(ctgwrite.Merge(context.Background(), path, []model.Book{book, book}, ctgwrite.Options{}))(t)
	var got model.BookEntry
	if found, err := openBook(t, path).Find(start, &got); !found || err != nil {
		t.Fatalf("%v, %v", found, err)
	}
	want := huge
	if d := cmp.Diff(want, got.Stats); d != "" {
		t.Errorf("twice the figures, halved, are not the figures: %s", d)
	}
}

// Pruning must drop the positions and the moves that lead to them, and
// building with a minimum must give the same book.
func TestPruneEqualsBuildingWithMinimum(t *testing.T) {
	dir := gen.Folder(t)
	db := randomDatabase(12, 1000, 40)
	full, pruned, want := filepath.Join(dir, "full.ctg"), filepath.Join(dir, "pruned.ctg"), filepath.Join(dir, "want.ctg")
	build(t, db, full, ctgwrite.BuilderOptions{})
	build(t, db, want, ctgwrite.BuilderOptions{MinGames: 3})
	must.Get(ctgwrite.Prune(context.Background(), pruned, openBook(t, full), 3, ctgwrite.Options{AcceptLosses: true}))(t)
	sameFiles(t, "pruned", want, pruned)
}

// Without the twin one group of programs misses a position whose en passant
// capture is illegal.
func TestPortableFormAddsTwins(t *testing.T) {
	g := gameOf(t, model.Draw)
	g.Start = &model.Position{}
	*g.Start = fenPosition(t, "8/3p4/8/K3P2r/8/8/8/4k3 b - - 0 1")
	g.Moves.Append(model.NewMove(model.D7, model.D5))
	g.Moves.Append(model.NewMove(model.A5, model.A6))
	db := new(model.Database)
	db.AddGame(g)
	dir := gen.Folder(t)
	built := filepath.Join(dir, "built.ctg")
	if r := build(t, db, built, ctgwrite.BuilderOptions{}); r.Positions != 4 {
		t.Errorf("%d positions, want 3 and a twin", r.Positions)
	}
	book := openBook(t, built)
	with, without := fenPosition(t, "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1"), fenPosition(t, "8/8/8/K2pP2r/8/8/8/4k3 w - - 0 1")
	var single []*model.BookEntry
	for e := range must.All(t, book.Entries(context.Background())) {
		if e.Position.Board != mirror(without).Board || e.Position.EnPassant != model.NoFile {
			single = append(single, e.Clone())
		}
	}
	if len(single) != 3 {
		t.Fatalf("%d entries are not the twin", len(single))
	}
	rewritten := filepath.Join(dir, "rewritten.ctg")
	must.Get(ctgwrite.Write(context.Background(), rewritten, listBook{single}, ctgwrite.Options{}))(t)
	for _, path := range []string{built, rewritten} {
		b := openBook(t, path)
		var a, c model.BookEntry
		for p, e := range map[*model.Position]*model.BookEntry{&with: &a, &without: &c} {
			if found, err := b.Find(*p, e); !found || err != nil {
				t.Fatalf("%s: %v, %v", path, found, err)
			}
		}
		if d := cmp.Diff(a.Moves, c.Moves); d != "" || a.Stats != c.Stats || len(a.Moves) != 1 {
			t.Errorf("%s: the twins differ: %s", path, d)
		}
	}
}

// mirror exchanges the files of a position.
func mirror(p model.Position) model.Position {
	m := p
	for s, piece := range p.Board {
		m.Board[s^7] = piece
	}
	return m
}

// Moves beyond what programs have room for go, the least played first.
func TestTooManyMoves(t *testing.T) {
	db := new(model.Database)
	start := fenPosition(t, "k7/8/8/3Q4/8/8/3Q4/K6Q w - - 0 1")
	for i, m := range legalMoves(t, &start) {
		g := gameOf(t, model.Draw)
		g.Start = &start
		g.Moves.Append(m)
		for range 1 + i%3 {
			db.AddGame(g)
		}
	}
	var losses []model.Loss
	opt := ctgwrite.BuilderOptions{}
	opt.Extended = true
	opt.Report = func(l model.Loss) { losses = append(losses, l) }
	path := bookPath(t)
	build(t, db, path, opt)
	var e model.BookEntry
	b := openBook(t, path)
	if found, err := b.Find(start, &e); !found || err != nil {
		t.Fatalf("%v, %v", found, err)
	}
	must.Do(t, b.Figures(&e))
	if len(e.Moves) != ctg.MaxPortableMoves || len(losses) != 1 {
		t.Errorf("%d moves, losses %v; want 50 and one loss", len(e.Moves), losses)
	}
	for i, m := range e.Moves[1:] {
		if m.Stats.Games > e.Moves[i].Stats.Games {
			t.Errorf("move %d was played more often than the one before", i+1)
		}
	}
}

func TestMergeNothing(t *testing.T) {
	path := bookPath(t)
	r, err := ctgwrite.Merge(context.Background(), path, nil, ctgwrite.Options{})
	if err != nil || r.Positions != 0 || r.Pages != 2 {
		t.Errorf("%+v, %v; want an empty book of two pages", r, err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 3*ctg.PageSize {
		t.Errorf("%v, %v", info, err)
	}
	start := model.StartPosition()
	if found, err := openBook(t, path).Find(start, new(model.BookEntry)); found || err != nil {
		t.Errorf("%v, %v", found, err)
	}
}

// A move that leads out of the book is left out of what is merged, in the exact
// form too, and told.
func TestMergeDropsMovesOutOfTheBook(t *testing.T) {
	start := model.StartPosition()
	e4 := model.BookMove{Move: model.NewMove(model.E2, model.E4)}
	alone := bookPath(t)
	list := listBook{[]*model.BookEntry{entryAt(start, model.BookStats{Games: 1}, e4)}}
	must.Get(ctgwrite.Write(context.Background(), alone, list, ctgwrite.Options{Exact: true}))(t)
	for _, exact := range []bool{false, true} {
		var lost []model.Loss
		path := bookPath(t)
		opt := ctgwrite.Options{Exact: exact, Report: func(l model.Loss) { lost = append(lost, l) }, AcceptLosses: true}
		must.Get(ctgwrite.Merge(context.Background(), path, []model.Book{openBook(t, alone)}, opt))(t)
		var got model.BookEntry
		found, err := openBook(t, path).Find(start, &got)
		if !found || err != nil || len(got.Moves) != 0 || len(lost) != 1 || lost[0].Kind != model.LostMoves {
			t.Errorf("exact %v: %v %v, moves %v, lost %v", exact, found, err, got.Moves, lost)
		}
	}
}
