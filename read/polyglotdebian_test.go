package read_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"cbkit/board"
	"cbkit/internal/polyglot"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
)

// makeBook makes a book of games with the program whose format it is.
func makeBook(t *testing.T, db *model.Database, plies int) *read.Polyglot {
	t.Helper()
	program, err := exec.LookPath("polyglot")
	if err != nil {
		program, err = exec.LookPath("/usr/games/polyglot")
	}
	if err != nil {
		t.Skip("there is no polyglot here to compare with: apt-get install polyglot")
	}
	dir := gen.Folder(t)
	var text []byte
	for i := range db.List {
		text = pgn.AppendGame(text, db.List[i].Game, db.Entities())
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, "g.pgn"), text, 0o666))
	make := exec.Command(program, "make-book", "-pgn", "g.pgn", "-bin", "b.bin", "-max-ply", fmt.Sprint(plies), "-min-game", "1")
	make.Dir = dir
	if out, err := make.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	book := must.Get(read.OpenBook(t.Context(), filepath.Join(dir, "b.bin")))(t)
	t.Cleanup(func() { book.Close() })
	return book.(*read.Polyglot)
}

// points counts two for a win of who made a move, and one for a draw.
func points(r model.Result, turn model.Color) int {
	switch {
	case r == model.Draw:
		return 1
	case r == model.WhiteWins && turn == model.White, r == model.BlackWins && turn == model.Black:
		return 2
	}
	return 0
}

// keyedMove is a move of a position.
type keyedMove struct {
	key  uint64
	move polyglot.Move
}

// countMoves counts the points of the moves of games. Promotions are among them.
func countMoves(db *model.Database, plies int) (sums map[keyedMove]int, positions map[uint64]board.Position) {
	sums, positions = map[keyedMove]int{}, map[uint64]board.Position{}
	for i := range db.List {
		g := db.List[i].Game
		p := board.Start()
		for node := range min(plies, g.Moves.MainLen()) {
			m := g.Moves.Move(node)
			if n := points(g.Result, p.Turn()); n > 0 {
				sums[keyedMove{p.PolyglotKey(), polyglot.EncodeMove(m)}] += n
				positions[p.PolyglotKey()] = p
			}
			p.Make(m)
		}
	}
	return sums, positions
}

// A book that Debian's polyglot has made is read to the entry: stored, position by
// position, and on a walk. It keeps no move whose player never scored.
func TestBookOfPolyglot(t *testing.T) {
	for name, games := range map[string]func(*testing.T) *model.Database{"random": wildGames, "real": realGames} {
		if testing.Short() && name == "real" {
			continue // it is large
		}
		t.Run(name, func(t *testing.T) {
			db := games(t)
			const plies = 60
			book := makeBook(t, db, plies)
			sums, positions := countMoves(db, plies)
			most := 0
			for _, n := range sums {
				most = max(most, n)
			}
			if most > 65535 {
				t.Fatal("polyglot divides such weights")
			}
			for e, err := range book.Stored(t.Context()) {
				at := keyedMove{e.Key, polyglot.Move(e.Move)}
				if n, there := sums[at]; err != nil || !there || n != int(e.Weight) || e.Learn != 0 {
					t.Fatalf("%016x %v: weight %d, want %d (%v): %v", e.Key, at.move, e.Weight, n, there, err)
				}
			}
			if book.Len() != len(sums) {
				t.Fatalf("%d entries, want %d", book.Len(), len(sums))
			}
			for key, p := range positions {
				e, err := book.Lookup(p)
				if err != nil {
					t.Fatalf("%s: %v", p.FEN(), err)
				}
				for _, m := range e.Moves {
					if n := sums[keyedMove{key, polyglot.EncodeMove(m.Move)}]; n != int(m.MoveWeight) {
						t.Fatalf("%s: %v has the weight %d, want %d", p.FEN(), m.Move, m.MoveWeight, n)
					}
				}
				if falls := slices.IsSortedFunc(e.Moves, func(a, b model.BookMove) int { return cmp.Compare(b.MoveWeight, a.MoveWeight) }); !falls {
					t.Fatalf("%s: its moves come in the order %v", p.FEN(), e.Moves)
				}
			}
			scan, err := book.Scan(t.Context())
			if err != nil || scan.Positions != len(positions) || scan.Entries != len(sums) || scan.Unplayed+scan.Learned != 0 {
				t.Errorf("%+v, %v; want %d positions", scan, err, len(positions))
			}
			reached := 0
			for e, err := range book.Entries(t.Context()) {
				p, wrong := board.New(&e.Position)
				if _, there := positions[p.PolyglotKey()]; err != nil || wrong != nil || !there {
					t.Fatal(err, wrong, there)
				}
				reached++
			}
			if reached < 100 || reached > len(positions) {
				t.Errorf("%d positions are reached of %d", reached, len(positions))
			}
			t.Logf("%d entries, %d positions, %d reached", book.Len(), scan.Positions, reached)
		})
	}
}

// wildGames are random games, with promotions, castling and captures en passant.
func wildGames(*testing.T) *model.Database {
	rng := rand.New(rand.NewPCG(11, 12))
	db := new(model.Database)
	for range 400 {
		g := model.NewGame()
		g.Result = []model.Result{model.WhiteWins, model.BlackWins, model.Draw}[rng.IntN(3)]
		p := board.Start()
		for ply := range 80 {
			legal := p.AppendLegal(nil)
			if len(legal) == 0 {
				break
			}
			m := legal[rng.IntN(min(len(legal), 1+ply))]
			for _, other := range legal {
				if other.Promotion() != model.NoPieceType || other.IsCastling() {
					m = other
				}
			}
			g.Moves.Append(m)
			p.Make(m)
		}
		db.AddGame(g)
	}
	return db
}

func realGames(t *testing.T) *model.Database {
	db := new(model.Database)
	src := must.Get(pgn.Open(pgn.ReaderOptions{}, corpus.Path(t, "pgn/lichess-big.pgn")))(t)
	for rec, err := range src.Records(t.Context(), 1, model.WantMoves) {
		if err == nil && rec.Game != nil && rec.Game.Start == nil && rec.Game.MovesErr == nil && points(rec.Game.Result, 0)+points(rec.Game.Result, 1) > 0 {
			g := model.NewGame()
			g.Result = rec.Game.Result
			for node := range rec.Game.Moves.MainLen() {
				g.Moves.Append(rec.Game.Moves.Move(node))
			}
			db.AddGame(g)
		}
	}
	return db
}
