package ctgwrite_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/ctgwrite"
	"cbkit/internal/ctg"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func build(t testing.TB, src model.Source, path string, opt ctgwrite.BuilderOptions) ctgwrite.Result {
	t.Helper()
	opt.AcceptLosses = true
	b := ctgwrite.NewBuilder(opt)
	defer func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}()
	must.Do(t, b.Add(context.Background(), src))
	return must.Get(b.Write(context.Background(), path))(t)
}

func openBook(t testing.TB, path string) *read.CTG {
	t.Helper()
	b := must.Get(read.OpenBook(context.Background(), path))(t)
	t.Cleanup(func() { b.Close() })
	if b.Warning() != nil {
		t.Fatal(b.Warning())
	}
	return b.(*read.CTG)
}

// files returns the contents of a book's three files.
func files(t testing.TB, path string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, ext := range []string{".ctg", ".ctb", ".cto"} {
		data := must.Get(os.ReadFile(strings.TrimSuffix(path, ".ctg") + ext))(t)
		out[ext] = string(data)
	}
	return out
}

func sameFiles(t testing.TB, what, a, b string) {
	t.Helper()
	fa, fb := files(t, a), files(t, b)
	for ext := range fa {
		if fa[ext] != fb[ext] {
			t.Errorf("%s: the %s files differ", what, ext)
		}
	}
}

// Books of random games must say what a recount with maps says.
func TestBuildEqualsRecount(t *testing.T) {
	dir := gen.Folder(t)
	rapid.Check(t, func(rt *rapid.T) {
		db := randomDatabase(rapid.Uint64().Draw(rt, "seed"), rapid.IntRange(0, 60).Draw(rt, "games"), 60)
		opt := ctgwrite.BuilderOptions{
			MaxPly:     rapid.SampledFrom([]int{0, 1, 7, 30}).Draw(rt, "max ply"),
			MinGames:   rapid.SampledFrom([]int{0, 1, 2, 5}).Draw(rt, "min games"),
			Variations: rapid.Bool().Draw(rt, "variations"),
			Jobs:       rapid.IntRange(1, 3).Draw(rt, "jobs"),
		}
		opt.Force, opt.TempDir = true, dir
		path := filepath.Join(dir, "book.ctg")
		build(t, db, path, opt)
		want := newRecount(opt.MaxPly, opt.Variations)
		for i := range db.List {
			want.add(db.List[i].Game)
		}
		want.checkBook(t, path, opt.MinGames)
	})
}

// The book must not depend on the memory, the number of workers, or the order
// of the games.
func TestBuildDoesNotDependOnMemory(t *testing.T) {
	db := randomDatabase(1, 2000, 60)
	dir := gen.Folder(t)
	want := filepath.Join(dir, "want.ctg")
	opt := ctgwrite.BuilderOptions{}
	opt.TempDir = dir
	build(t, db, want, opt)

	reversed := new(model.Database)
	for i := range db.List {
		reversed.AddGame(db.List[len(db.List)-1-i].Game)
	}
	small := ctgwrite.BuilderOptions{Jobs: 3}
	small.TempDir, small.Memory = dir, 1
	got := filepath.Join(dir, "got.ctg")
	build(t, reversed, got, small)
	sameFiles(t, "with little memory", want, got)

	small.MinGames, opt.MinGames = 2, 2
	small.Force, opt.Force = true, true
	build(t, db, want, opt)
	build(t, reversed, got, small)
	sameFiles(t, "pruned, with little memory", want, got)
	if left, _ := filepath.Glob(filepath.Join(dir, "*.tmp")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Probing random positions, in the book or not, must never make a reader leave
// the files.
func TestAbsentPositionsStayInside(t *testing.T) {
	path := bookPath(t)
	opt := ctgwrite.BuilderOptions{MinGames: 2}
	build(t, randomDatabase(2, 1500, 40), path, opt)
	naive, book := openNaive(t, path), openBook(t, path)
	found, absent := 0, 0
	for i := range randomDatabase(3, 300, 60).List {
		g := randomDatabase(uint64(100+i), 1, 60).List[0].Game
		for _, p := range board.Replay(g.Start, &g.Moves) {
			key, _ := ctg.Encode(p)
			_, _, inNaive := naive.find(key.Bytes())
			m := p.Model()
			inBook := must.Get(book.Find(m, new(model.BookEntry)))(t)
			if _, isTwin := ctg.EncodeTwin(p); inBook != inNaive && !isTwin {
				t.Fatalf("%s: found by us: %v, by the naive reader: %v", p.FEN(), inBook, inNaive)
			}
			if inBook {
				found++
			} else {
				absent++
			}
		}
	}
	if found < 100 || absent < 1000 {
		t.Errorf("%d positions found, %d absent: too few to mean anything", found, absent)
	}
	if naive.outsideOfFile > 0 {
		t.Errorf("the naive reader left the .cto file %d times", naive.outsideOfFile)
	}
}

func gameOf(t testing.TB, result model.Result, ucis ...string) *model.Game {
	t.Helper()
	g := &model.Game{Header: model.NewHeader()}
	g.Result = result
	p := board.Start()
	for _, uci := range ucis {
		m := must.Get(p.ParseUCI(uci))(t)
		g.Moves.Append(m)
		p.Make(m)
	}
	return g
}

func probe(t testing.TB, b model.Book, fen string) *model.BookEntry {
	t.Helper()
	m := must.Get(board.ParseModel(fen))(t)
	e := new(model.BookEntry)
	found := must.Get(b.Find(m, e))(t)
	if !found {
		return nil
	}
	must.Do(t, b.Figures(e))
	return e
}

const startFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

// A position that comes back within a game counts once, with the moves of all
// visits; the last position has no moves.
func TestRepetitionCountsOnce(t *testing.T) {
	db := new(model.Database)
	g := gameOf(t, model.WhiteWins, "g1f3", "g8f6", "f3g1", "f6g8", "e2e4")
	g.WhiteElo, g.BlackElo = 2700, 2500
	db.AddGame(g)
	path := bookPath(t)
	opt := ctgwrite.BuilderOptions{MaxPly: 5}
	r := build(t, db, path, opt)
	if r.Positions != 5 || r.Games != 1 {
		t.Errorf("%d positions of %d games, want 5 of 1", r.Positions, r.Games)
	}
	e := probe(t, openBook(t, path), startFEN)
	want := model.BookStats{
		Games: 1, Wins: 1, Score: 10,
		Own: model.BookRatings{Games: 1, Sum: 2700}, Opponent: model.BookRatings{Games: 1, Sum: 2500},
	}
	if d := cmp.Diff(want, e.Stats); d != "" {
		t.Error(d)
	}
	if len(e.Moves) != 2 || !e.Moves[0].Known || !e.Moves[1].Known {
		t.Fatalf("moves %+v, want g1f3 and e2e4, both known", e.Moves)
	}
	// The player who moves is White in both.
	for _, m := range e.Moves {
		if d := cmp.Diff(want, m.Stats); d != "" {
			t.Errorf("%v: %s", m.Move, d)
		}
	}
	after := probe(t, openBook(t, path), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
	if after == nil || len(after.Moves) != 0 || after.Stats.Losses != 1 || after.Stats.Own.Sum != 2500 {
		t.Errorf("after 1.e4: %+v", after)
	}
}

func TestSettings(t *testing.T) {
	db := new(model.Database)
	db.AddGame(gameOf(t, model.Draw, "e2e4", "e7e5"))
	db.AddGame(gameOf(t, model.Draw, "d2d4"))
	var losses []model.Loss
	opt := ctgwrite.BuilderOptions{}
	opt.Report = func(l model.Loss) { losses = append(losses, l) }
	b := ctgwrite.NewBuilder(opt)
	defer b.Close()
	must.Do(t, b.Add(context.Background(), db))
	start := board.Start()
	set := func(from, to model.Square, s ctgwrite.Setting) {
		t.Helper()
		must.Do(t, b.Set(start, model.NewMove(from, to), s))
	}
	set(model.E2, model.E4, ctgwrite.Setting{Annotation: 1, Recommendation: model.MainMove, Weight: 50})
	set(model.D2, model.D4, ctgwrite.Setting{Weight: -125})
	set(model.A2, model.A3, ctgwrite.Setting{Recommendation: model.AvoidMove})
	if err := b.Set(start, model.NewMove(model.E2, model.E5), ctgwrite.Setting{}); err == nil {
		t.Error("an illegal move was taken")
	}
	path := bookPath(t)
	must.Get(b.Write(context.Background(), path))(t)
	e := probe(t, openBook(t, path), startFEN)
	got := map[string]ctgwrite.Setting{}
	for _, m := range e.Moves {
		got[m.Move.String()] = ctgwrite.Setting{Annotation: m.Annotation, Recommendation: m.Stats.Recommendation, Weight: m.Stats.Weight}
	}
	want := map[string]ctgwrite.Setting{
		"e2e4": {Annotation: 1, Recommendation: model.MainMove, Weight: 50},
		"d2d4": {Weight: -125},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if len(losses) != 1 || losses[0].Field != "setting" || !strings.Contains(losses[0].What, "P7/1PPPPPPP") {
		t.Errorf("losses %v; want one about a2a3, which nobody played", losses)
	}
	if _, err := b.Write(context.Background(), path); err == nil {
		t.Error("a builder that was used up wrote again")
	}
}

func TestWhatIsLeftOut(t *testing.T) {
	db := new(model.Database)
	db.Tables.Players.Append(model.Slot[model.Player]{})
	good := gameOf(t, model.Draw, "e2e4")
	db.AddGame(good)
	db.AddText(&model.GuidingText{})
	deleted := db.AddGame(gameOf(t, model.Draw, "d2d4"))
	db.List[deleted-1].Deleted = true
	broken := gameOf(t, model.Draw)
	broken.MovesErr = model.ErrUnsupported
	db.AddGame(broken)
	odd := board.Chess960Start(0)
	chess960 := &model.Game{Header: model.NewHeader(), Start: &odd}
	db.AddGame(chess960)
	normal960 := board.Chess960Start(518)
	normal960.Chess960 = true
	db.AddGame(&model.Game{Header: model.NewHeader(), Start: &normal960})
	illegal := gameOf(t, model.Draw, "e2e4")
	illegal.Moves.Append(model.NewMove(model.E2, model.E4))
	db.AddGame(illegal)
	null := gameOf(t, model.Draw, "e2e4")
	null.Moves.Append(model.NullMove)
	db.AddGame(null)
	noBoard := gameOf(t, model.Draw)
	noBoard.Start = &model.Position{EnPassant: 9}
	db.AddGame(noBoard)

	got := map[model.RecordID]model.LossKind{}
	opt := ctgwrite.BuilderOptions{}
	opt.Report = func(l model.Loss) { got[l.Record] = l.Kind }
	path := bookPath(t)
	r := build(t, db, path, opt)
	want := map[model.RecordID]model.LossKind{
		4: model.LostRecord, 5: model.LostRecord, 7: model.LostMoves, 8: model.LostMoves, 9: model.LostRecord,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if r.Positions != 2 || r.Games != 4 {
		t.Errorf("%d positions of %d games, want 2 of 4", r.Positions, r.Games)
	}
	if e := probe(t, openBook(t, path), startFEN); e.Stats.Games != 4 || len(e.Moves) != 1 {
		t.Errorf("start %+v", e)
	}
}

func TestCancelledBuild(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	b := ctgwrite.NewBuilder(ctgwrite.BuilderOptions{})
	defer b.Close()
	if err := b.Add(ctx, randomDatabase(1, 10, 10)); err == nil {
		t.Error("a cancelled Add succeeded")
	}
	path := bookPath(t)
	if _, err := b.Write(ctx, path); err == nil {
		t.Error("a cancelled Write succeeded")
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
