package lines_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/lines"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/stats"

	"pgregory.net/rapid"
)

var ctx = context.Background()

// games draws a database of games alone that share moves: some are others, cut or with
// another end.
func games(t *rapid.T, c gen.Config) *model.Database {
	c.NoTexts, c.NoDeleted, c.Records = true, true, 8
	c.Runes = []rune(`abÄß♞,.- %?*"'[]{}();\`)
	db := gen.Database(c).Draw(t, "database")
	for _, rec := range slices.Clone(db.List) {
		if !rapid.Bool().Draw(t, "again") || rec.Game.Moves.HasVariations() {
			continue
		}
		again := rec.Game.Clone()
		if n := again.Moves.Len(); n > 0 && rapid.Bool().Draw(t, "shorter") {
			moves := again.Moves.Clone()
			moves.Cut(rapid.IntRange(0, n-1).Draw(t, "at"))
			again.SetAnnotations(nil)
			again.SetMoves(again.Start, moves)
		}
		again.Result = gen.Result(c).Draw(t, "result")
		db.AddGame(again)
	}
	return db
}

// forest makes trees of all games of a source.
func forest(t must.TB, src model.Source, opt lines.Options) *lines.Forest {
	f := lines.NewForest(opt)
	for rec, err := range src.Records(ctx, 1, model.WantAll) {
		if err == nil {
			err = f.Add(&rec, src.Entities())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// asPGN writes a source as PGN and returns what is read of it.
func asPGN(t must.TB, src model.Source, plain bool) model.Source {
	var text bytes.Buffer
	if err := model.Copy(ctx, pgn.NewWriter(&text, pgn.WriterOptions{Plain: plain, AcceptLosses: true}), src, model.CopyOptions{}); err != nil {
		t.Fatal(err)
	}
	db, err := model.Load(ctx, pgn.NewReader(&text, pgn.ReaderOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// linesOf are the games of a source as text, in order: start, moves of the main line and
// header, as PGN says them.
func linesOf(t must.TB, src model.Source) (list []string) {
	for rec := range must.All(t, src.Records(ctx, 1, model.WantAll)) {
		g := model.NewGame()
		var e model.Entities
		g.Header = pgn.ParseTags(pgn.AppendTags(nil, &rec, src.Entities(), nil), &e)
		var moves []model.Move
		for n := range rec.Game.Moves.Line(model.NoNode) {
			moves = append(moves, rec.Game.Moves.Move(n))
		}
		start := rec.Game.StartPosition()
		list = append(list, fmt.Sprintf("%+v %v %v", g.Resolve(&e), board.FormatFEN(&start), moves))
	}
	slices.Sort(list)
	return list
}

// The trees of games, taken apart again, are the games: with their lines, names and
// results, equal ones as often as they were there, also through PGN in both forms.
func TestUntangleIsTheInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		db := games(t, gen.Config{Plies: 20})
		opt := lines.Options{
			Annotations: rapid.Bool().Draw(t, "annotations"), BestFirst: rapid.Bool().Draw(t, "best first"),
			By: rapid.SampledFrom([]lines.Grouping{lines.OneTree, lines.ByECO, lines.ByFirstMove}).Draw(t, "by"),
		}
		want := linesOf(t, db)
		f := forest(t, db, opt)
		if got := linesOf(t, lines.Untangle(f)); !slices.Equal(got, want) {
			t.Fatalf("%q\nwant %q", got, want)
		}
		for _, plain := range []bool{true, false} {
			if got := linesOf(t, lines.Untangle(asPGN(t, f, plain))); !slices.Equal(got, want) {
				t.Fatalf("PGN, plain %v: %q\nwant %q", plain, got, want)
			}
		}
	})
}

// Whatever is cut or joined, every game comes back with its header; where nothing is cut
// it ends in its last position, though by other moves.
func TestNoGameIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		db := games(t, gen.Config{Plies: 20})
		opt := lines.Options{
			MaxPly: rapid.IntRange(0, 8).Draw(t, "max ply"), MinGames: rapid.IntRange(0, 3).Draw(t, "min games"),
			Transpositions: rapid.Bool().Draw(t, "transpositions"),
		}
		ends := func(src model.Source) (list []string) {
			for rec := range must.All(t, src.Records(ctx, 1, model.WantAll)) {
				g, e := model.NewGame(), model.Entities{}
				g.Header = pgn.ParseTags(pgn.AppendTags(nil, &rec, src.Entities(), nil), &e)
				text := fmt.Sprintf("%+v", g.Resolve(&e))
				if opt.MaxPly == 0 && opt.MinGames < 2 {
					p := must.Get(board.After(rec.Game.Start, &rec.Game.Moves, rec.Game.Moves.MainLen()-1))(t)
					text += fmt.Sprint(p.PolyglotKey())
				}
				list = append(list, text)
			}
			slices.Sort(list)
			return list
		}
		f := forest(t, db, opt)
		if got, want := ends(lines.Untangle(f)), ends(db); !slices.Equal(got, want) {
			t.Fatalf("%q\nwant %q", got, want)
		}
		for _, tree := range f.Trees() {
			g := tree.Game()
			if tree.Len() != g.Moves.Len() {
				t.Fatalf("%d moves of %d", g.Moves.Len(), tree.Len())
			}
			for n := range g.Moves.Len() {
				games := tree.Figures(n).Games
				if ply := g.Moves.Ply(n) + 1; opt.MaxPly > 0 && !opt.Transpositions && ply > opt.MaxPly || games < opt.MinGames {
					t.Fatalf("ply %d, %d games", ply, games)
				}
			}
		}
	})
}

// What a tree counts at each move is what counting the games that begin so gives, and the
// moves of each position stand in the order of these figures.
func TestFiguresEqualANaiveCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		db := games(t, gen.Config{Plies: 12})
		best := rapid.Bool().Draw(t, "best first")
		for _, tree := range forest(t, db, lines.Options{BestFirst: best}).Trees() {
			g := tree.Game()
			share := func(n int) float64 {
				f := tree.Figures(n)
				turn := g.StartPosition().Turn
				if g.Moves.Ply(n)%2 == 1 {
					turn = turn.Other()
				}
				if turn == model.Black {
					f.Wins, f.Losses = f.Losses, f.Wins
				}
				if f.Wins+f.Draws+f.Losses == 0 {
					return -1
				}
				return (float64(f.Wins) + float64(f.Draws)/2) / float64(f.Wins+f.Draws+f.Losses)
			}
			for n := model.NoNode; n < g.Moves.Len(); n++ {
				var path []model.Move
				for at := n; at != model.NoNode; at = g.Moves.Parent(at) {
					path = append([]model.Move{g.Moves.Move(at)}, path...)
				}
				var want lines.Figures
				var tally stats.Tally
				for _, rec := range db.List {
					var line []model.Move
					for at := range rec.Game.Moves.Line(model.NoNode) {
						line = append(line, rec.Game.Moves.Move(at))
					}
					if rec.Game.StartPosition() != g.StartPosition() || len(line) < len(path) || !slices.Equal(line[:len(path)], path) {
						continue
					}
					tally.Add(rec.Game.Result, model.White, 0, 0)
					for _, elo := range []uint16{rec.Game.WhiteElo, rec.Game.BlackElo} {
						if elo > 0 {
							want.Rated, want.Ratings = want.Rated+1, want.Ratings+int64(elo)
						}
					}
				}
				want.Games, want.Wins, want.Draws, want.Losses = tally.Games(), tally.Wins, tally.Draws, tally.Losses
				if got := tree.Figures(n); got != want {
					t.Fatalf("node %d: %+v, want %+v", n, got, want)
				}
				children := slices.Collect(g.Moves.Children(n))
				for i := 1; i < len(children); i++ {
					a, b := children[i-1], children[i]
					if best && share(a) < share(b) || (!best || share(a) == share(b)) && tree.Figures(a).Games < tree.Figures(b).Games {
						t.Fatalf("%d is in front of %d", a, b)
					}
				}
			}
		}
	})
}

// parse reads games of PGN text.
func parse(t testing.TB, text string) *model.Database {
	t.Helper()
	return must.Get(model.Load(ctx, pgn.NewReader(strings.NewReader(text), pgn.ReaderOptions{})))(t)
}

// show returns games as people read them.
func show(t testing.TB, src model.Source) (text string) {
	t.Helper()
	for rec := range must.All(t, src.Records(ctx, 1, model.WantAll)) {
		text += pgn.MoveText(rec.Game) + "\n"
	}
	return strings.Join(strings.Fields(text), " ")
}

func TestTranspositions(t *testing.T) {
	db := parse(t, `1. d4 Nf6 2. c4 e6 3. Nc3 d5 4. Bg5 1-0
1. d4 Nf6 2. c4 e6 3. Nc3 d5 4. cxd5 *
1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 0-1
1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Nf3 *
1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 *
`)
	got := show(t, forest(t, db, lines.Options{Transpositions: true, Ends: lines.AtEndNothing}))
	want := `1. d4 Nf6 (1... d5 2. c4 e6 3. Nc3 Nf6 {[%cbsee] transposes to 1...Nf6 2.c4 e6 3.Nc3 d5}) ` +
		`2. c4 e6 3. Nc3 d5 (3... Bb4) 4. Bg5 (4. cxd5) (4. Nf3) 4... Be7 *`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	// Knights that go out and home again come back to a position of their own line.
	db = parse(t, "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 *\n1. e4 e5 *\n")
	got = show(t, forest(t, db, lines.Options{Transpositions: true, Ends: lines.AtEndNothing}))
	if want := "1. e4 (1. Nf3 Nf6 2. Ng1 Ng8 3. e4 {[%cbsee] transposes to 1.e4}) 1... e5 *"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// A book of variations, made by hand, gives one game for each line, and so do lines that
// somebody has added to a tree. What was written behind the words of a game stays.
func TestUntangleForeign(t *testing.T) {
	db := parse(t, `[White "My repertoire"]
[Result "*"]

{The Scotch} 1. e4 e5 (1... c5 2. c3 {Alapin} d5 (2... Nf6 3. e5)) 2. Nf3 $1 {here} Nc6 3. d4 *
`)
	const want = `{The Scotch} 1. e4 e5 2. Nf3 $1 {here} 2... Nc6 3. d4 * ` +
		`{The Scotch} 1. e4 c5 2. c3 {Alapin} 2... d5 * {The Scotch} 1. e4 c5 2. c3 {Alapin} 2... Nf6 3. e5 *`
	got := lines.Untangle(db)
	if text := show(t, got); text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
	for rec, err := range got.Records(ctx, 1, model.WantAll) {
		if name := got.Entities().Players.Value(rec.Game.White).LastName; err != nil || name != "My repertoire" {
			t.Errorf("%q, %v", name, err)
		}
	}
	tree := parse(t, `1. e4 e5 {[%cbgame White=A;Black=B;Result=1-0] A - B 1-0 a pity} (1... c5 {mine}) (1... d5 {[%cbgame White=A%2] no}) 2. Nf3 {[%cbsee] there} *`)
	const mended = `1. e4 e5 {a pity} 1-0 1. e4 c5 {mine} * 1. e4 d5 {[%cbgame White=A%2] no} *`
	if text := show(t, lines.Untangle(tree)); text != mended {
		t.Errorf("%s\nwant\n%s", text, mended)
	}
}

func TestAddRefuses(t *testing.T) {
	f := lines.NewForest(lines.Options{})
	var e model.Entities
	bad, unread := model.NewGame(), model.NewGame()
	bad.Moves.Append(model.NewMove(model.E2, model.E5))
	unread.MovesErr = model.ErrCorrupt
	for _, g := range []*model.Game{bad, unread} {
		var refused *model.RecordError
		if err := f.Add(&model.Record{ID: 7, Game: g}, &e); !errors.As(err, &refused) || refused.Record != 7 {
			t.Errorf("%v", err)
		}
	}
	if len(f.Trees()) != 0 || f.Games() != 0 {
		t.Error("something was added")
	}
	if err := f.Add(&model.Record{ID: 8, Game: model.NewGame()}, &e); err == nil {
		t.Error("a game was added behind the end")
	}
	if err := lines.NewForest(lines.Options{}).Add(&model.Record{ID: 1, Text: model.NewGuidingText()}, &e); err == nil {
		t.Error("a text was added")
	}
}

// Damage of a record reaches whoever reads the lines, once, and an annotation at a place
// that the game does not have is no harm.
func TestDamageIsPassedOn(t *testing.T) {
	g := parse(t, "1. e4 e5 (1... c5) *").List[0].Game
	g.AnnotationsErr = model.ErrCorrupt
	g.Annotations = append(g.Annotations, model.Annotation{Node: 99, Value: model.Text{Text: "nowhere"}})
	db := &model.Database{List: []model.Record{{ID: 1, Game: g, Damage: []error{model.ErrTruncated}}}}
	n := 0
	for rec := range must.All(t, lines.Untangle(db).Records(ctx, 1, model.WantAll)) {
		if faults := rec.Faults(); (len(faults) == 2) != (n == 0) {
			t.Errorf("line %d: %v", n, faults)
		}
		n++
	}
	if n != 2 {
		t.Errorf("%d lines", n)
	}
	for _, keep := range []bool{false, true} {
		var lost []model.Loss
		f := forest(t, db, lines.Options{Annotations: keep, Variations: true, Report: func(l model.Loss) { lost = append(lost, l) }})
		if f.Games() != 1 || len(lost) != 1 || lost[0].Field != "text" {
			t.Errorf("%v", lost)
		}
	}
}

// What tags cannot say is told, once for all games that have it.
func TestTagLosses(t *testing.T) {
	db := &model.Database{}
	player := db.Tables.Players.Append(model.Slot[model.Player]{Value: model.Player{LastName: "One, Two"}})
	for range 3 {
		g := model.NewGame()
		g.White = player
		db.AddGame(g)
	}
	var lost []model.Loss
	forest(t, db, lines.Options{Report: func(l model.Loss) { lost = append(lost, l) }})
	if len(lost) != 1 || lost[0].Field != "White" {
		t.Errorf("%v", lost)
	}
}

// transposing draws games of a few moves in many orders, some of which lose a move on both
// sides; no position comes twice in a game.
func transposing(t *rapid.T) *model.Database {
	db := &model.Database{}
	for range rapid.IntRange(1, 12).Draw(t, "games") {
		g, p := model.NewGame(), board.Start()
		for range rapid.IntRange(0, 10).Draw(t, "plies") {
			var can []model.Move
			for _, text := range []string{"e2e3", "e3e4", "e2e4", "d2d4", "g1f3", "b1c3", "e7e6", "e6e5", "e7e5", "d7d5", "g8f6", "b8c6"} {
				if m, err := p.ParseUCI(text); err == nil && p.Legal(m) {
					can = append(can, m)
				}
			}
			if len(can) == 0 {
				break
			}
			m := rapid.SampledFrom(can).Draw(t, "move")
			p.Make(m)
			g.Moves.Append(m)
		}
		db.AddGame(g)
	}
	return db
}

// With references every position stands once, with the games that came to it by whatever
// moves, and a line that ends with a reference goes on nowhere.
func TestTranspositionsCountPositions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		db := transposing(t)
		reached := map[uint64]int{}
		for _, rec := range db.List {
			for n := model.NoNode; n < rec.Game.Moves.Len(); n++ {
				p, _ := board.After(nil, &rec.Game.Moves, n)
				reached[p.PolyglotKey()]++
			}
		}
		tree := forest(t, db, lines.Options{Transpositions: true}).Trees()[0]
		g := tree.Game()
		stands := map[uint64]bool{}
		for n := model.NoNode; n < g.Moves.Len(); n++ {
			p, _ := board.After(nil, &g.Moves, n)
			key := p.PolyglotKey()
			isReference := false
			for _, a := range g.AnnotationsAt(n) {
				isReference = isReference || strings.Contains(a.Value.(model.Text).Text, "[%cbsee]")
			}
			switch {
			case isReference && g.Moves.Main(n) != model.NoNode:
				t.Fatalf("node %d is a reference and goes on", n)
			case isReference:
			case stands[key]:
				t.Fatalf("the position of node %d stands twice", n)
			case tree.Figures(n).Games != reached[key]:
				t.Fatalf("node %d: %d games, %d came to its position", n, tree.Figures(n).Games, reached[key])
			default:
				stands[key] = true
			}
		}
		if len(stands) != len(reached) {
			t.Fatalf("%d positions of %d", len(stands), len(reached))
		}
	})
}
