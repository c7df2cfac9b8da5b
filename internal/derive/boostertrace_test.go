package derive_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/cbh"
	"cbkit/internal/derive"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"

	"github.com/notnil/chess"
	"pgregory.net/rapid"
)

// The one .cbb record of ChessBase that is known, byte for byte.
// (docs/formats/boosters.md 5)
func TestRealTrace(t *testing.T) {
	moves := `d4 d5 c4 c6 e3 Bf5 Nc3 e6 Nf3 Nd7 a3 Bd6 c5 Bc7 b4 e5 Be2 Ngf6 Bb2 e4 Nd2 h5 h3 Nf8 a4 Ng6
		b5 Nh4 g3 Ng2+ Kf1 Nxe3+ fxe3 Bxg3 Kg2 Bc7 Qg1 Rh6 Kf1 Rg6 Qf2 Qd7 bxc6 bxc6 Rg1 Bxh3+ Ke1 Ng4 Bxg4 Bxg4
		Ne2 Qe7 Nf4 Rh6 Bc3 g5 Ne2 Rf6 Qg2 Rf3 Nf1 Rb8 Kd2 f5 a5 f4 Rh1 Qf7 Re1 fxe3+ Nxe3 Rf2 Qxf2 Qxf2 Nxg4 Bf4+
		Kc2 hxg4 Bd2 e3 Bc1 Qg2 Kc3 Kd7 Rh7+ Ke6 Rh6+ Kf5 Bxe3 Bxe3 Rf1+ Bf4`
	want := unhex(`000000 53 ed 85 d10f070400 001070f814 07 f0 7c 38 f960000000808000
		0060200000e0388b 661a346000000000 0040d0e020680c66`)
	tree := sanLine(t, nil, moves)
	if got := traceBytes(t, nil, &tree); !bytes.Equal(got, want) {
		t.Errorf("% x, want\n% x", got, want)
	}
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		panic(err)
	}
	return b
}

// sanLine plays moves in a row.
func sanLine(t testing.TB, start *model.Position, moves string) model.Tree {
	t.Helper()
	var tree model.Tree
	pos, err := board.New(start)
	for _, san := range strings.Fields(moves) {
		var m model.Move
		if err == nil {
			m, err = pos.ParseSAN(san)
		}
		if err != nil {
			t.Fatalf("%s: %v", san, err)
		}
		tree.Append(m)
		pos.Make(m)
	}
	return tree
}

type failer interface{ Fatalf(string, ...any) }

func traceBytes(t failer, start *model.Position, tree *model.Tree) []byte {
	trace, err := derive.Trace(start, tree)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return trace.Append(nil)
}

// squares is a position as the oracles below see it.
type squares [64]model.Piece

// naiveTrace makes a record of a list of positions by the table of
// docs/formats/boosters.md 5, one square and one byte at a time.
func naiveTrace(line []squares) []byte {
	rec := make([]byte, 52)
	for i, p := range line {
		last := i == len(line)-1
		for _, side := range []struct {
			color                                               model.Color
			shift                                               int
			pawnByte, lowest, highest, rank, file, heavy, light int
		}{
			{model.White, 0, 6, 3, 7, 16, 18, 20, 36},
			{model.Black, 4, 11, 2, 6, 17, 19, 28, 44},
		} {
			count := map[model.PieceType]int{}
			for s, piece := range p {
				if piece == model.NoPiece || piece.Color() != side.color {
					continue
				}
				count[piece.Type()]++
				rank, bit := s/8+1, byte(1)<<(s%8)
				switch piece.Type() {
				case model.Pawn:
					if rank >= side.lowest && rank <= side.highest {
						rec[side.pawnByte+rank-side.lowest] |= bit
					}
				case model.King:
					rec[side.rank] |= 1 << (rank - 1)
					rec[side.file] |= bit
				case model.Rook, model.Queen:
					rec[side.heavy+rank-1] |= bit
				default:
					rec[side.light+rank-1] |= bit
				}
			}
			for bit, kind := range []model.PieceType{model.Queen, model.Rook, model.Bishop, model.Knight} {
				if count[kind] == 0 || count[kind] == 1 && kind != model.Queen {
					rec[4] |= 1 << (bit + side.shift)
				}
				if count[kind] == 0 {
					rec[5] |= 1 << (bit + side.shift)
				}
			}
			if count[model.Queen]+count[model.Rook]+count[model.Bishop]+count[model.Knight] == 0 {
				rec[3] |= 1 << (3 + side.shift)
			}
			if last {
				rec[3] |= byte(min(count[model.Pawn], 7)) << side.shift
			}
		}
	}
	return rec
}

// mailboxLine plays the main line without package board: pieces go from square
// to square, pawns take en passant where they go diagonally onto nothing.
func mailboxLine(start *model.Position, tree *model.Tree) []squares {
	p := squares(model.StartPosition().Board)
	if start != nil {
		p = start.Board
	}
	line := []squares{p}
	for node := range tree.Line(model.NoNode) {
		m := tree.Move(node)
		from, to := m.From(), m.To()
		piece := p[from]
		switch {
		case m.IsNull():
		case m.IsCastling():
			rook := p[to]
			p[from], p[to] = model.NoPiece, model.NoPiece
			p[m.KingTarget()], p[m.RookTarget()] = piece, rook
		default:
			if piece.Type() == model.Pawn && from.File() != to.File() && p[to] == model.NoPiece {
				p[model.NewSquare(to.File(), from.Rank())] = model.NoPiece
			}
			p[from], p[to] = model.NoPiece, piece
			if becomes := m.Promotion(); becomes != model.NoPieceType {
				p[to] = model.NewPiece(piece.Color(), becomes)
			}
		}
		line = append(line, p)
	}
	return line
}

// judgeLine plays the main line with notnil/chess.
func judgeLine(t failer, start *model.Position, tree *model.Tree) []squares {
	at := func(fen string) *chess.Position {
		option, err := chess.FEN(fen)
		if err != nil {
			t.Fatalf("%s: %v", fen, err)
		}
		return chess.NewGame(option).Position()
	}
	standard := model.StartPosition()
	if start == nil {
		start = &standard
	}
	p := at(board.FormatFEN(start))
	line := []squares{squaresOf(p)}
	for node := range tree.Line(model.NoNode) {
		m := tree.Move(node)
		if m.IsNull() {
			fields := strings.Fields(p.String())
			fields[1] = map[string]string{"w": "b", "b": "w"}[fields[1]]
			fields[3] = "-"
			p = at(strings.Join(fields, " "))
		} else {
			move, err := chess.UCINotation{}.Decode(p, m.UCI(false))
			if err != nil {
				t.Fatalf("%v: %v", m, err)
			}
			p = p.Update(move)
		}
		line = append(line, squaresOf(p))
	}
	return line
}

func squaresOf(p *chess.Position) (list squares) {
	for s, piece := range p.Board().SquareMap() {
		letter := piece.Type().String()
		if piece.Color() == chess.White {
			letter = strings.ToUpper(letter)
		}
		list[s] = model.PieceOf(letter[0])
	}
	return list
}

// All games of the corpus that have moves, against notnil/chess.
func TestCorpusTraces(t *testing.T) {
	for _, name := range []string{"cbh/hedgehog/Hedgehog.cbh", "cbh/mate2/Mate2.cbh", "cbh/cbh_test/cbh_test.cbh", "cbh/twic1134/twic1134.cbh"} {
		t.Run(name, func(t *testing.T) {
			db := must.Get(read.Open(corpus.Path(t, name), read.Options{}))(t)
			defer db.Close()
			games := 0
			for rec := range must.All(t, db.Records(context.Background(), 1, model.WantMoves)) {
				g := rec.Game
				if g == nil || testing.Short() && rec.ID%20 != 0 {
					continue
				}
				if g.MovesErr != nil {
					t.Fatalf("game %d: %v", rec.ID, g.MovesErr)
				}
				games++
				got, want := traceBytes(t, g.Start, &g.Moves), naiveTrace(judgeLine(t, g.Start, &g.Moves))
				if !bytes.Equal(got, want) {
					t.Fatalf("game %d:\n% x, want\n% x", rec.ID, got, want)
				}
			}
			t.Logf("%d games", games)
		})
	}
}

// Generated games of all kinds, Chess960 among them, against a mailbox.
func TestGeneratedTraces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := gen.Moves(gen.Config{}).Draw(t, "game")
		got, want := traceBytes(t, g.Start, &g.Moves), naiveTrace(mailboxLine(g.Start, &g.Moves))
		if !bytes.Equal(got, want) {
			t.Fatalf("% x, want\n% x", got, want)
		}
	})
}

// Generated orthodox games against notnil/chess.
func TestGeneratedOrthodoxTraces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := gen.Moves(gen.Config{NoChess960: true, NoVariations: true, Plies: 40}).Draw(t, "game")
		if g.Start != nil && (g.Start.KingSquare(model.White) == model.NoSquare || g.Start.KingSquare(model.Black) == model.NoSquare) {
			t.Skip("the judge needs kings")
		}
		got, want := traceBytes(t, g.Start, &g.Moves), naiveTrace(judgeLine(t, g.Start, &g.Moves))
		if !bytes.Equal(got, want) {
			t.Fatalf("% x, want\n% x", got, want)
		}
	})
}

// What the real record does not exercise.
func TestTraceOf(t *testing.T) {
	for _, c := range []struct {
		name, fen, moves string
		check            func(*cbh.GameTrace) bool
	}{
		{"castling sets both final squares and nothing between", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O",
			func(r *cbh.GameTrace) bool {
				return r.Heavy[0] == 1<<model.H1|1<<model.F1 && r.KingFiles[0] == 1<<4|1<<6
			}},
		{"en passant sets the arrival square", "4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1", "d4 exd3",
			func(r *cbh.GameTrace) bool {
				return r.PawnSquares[1] == 1<<model.E4|1<<model.D3 && r.PawnSquares[0] == 1<<model.D4 && r.Pawns == [2]uint8{0, 1}
			}},
		{"a promoted piece counts from then on", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q+",
			func(r *cbh.GameTrace) bool {
				return r.Heavy[0] == 1<<model.A8 && r.Pawns[0] == 0 && r.OnlyPawns[0] && r.None[0] == 15 && r.PawnSquares[0] == 1<<model.A7
			}},
		{"a set-up counts as it is", "3qk3/8/8/8/8/8/8/3QK3 w - - 0 1", "",
			func(r *cbh.GameTrace) bool { return r.Few[0] == 14 && r.None[0] == 14 && !r.OnlyPawns[0] }},
		{"eight pawns are stored as seven", "4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", "",
			func(r *cbh.GameTrace) bool { return r.Pawns == [2]uint8{7, 0} && r.PawnSquares[0] == 0 }},
	} {
		start := must.Get(board.ParseModel(c.fen))(t)
		tree := sanLine(t, &start, c.moves)
		trace := must.Get(derive.Trace(&start, &tree))(t)
		if !c.check(&trace) {
			t.Errorf("%s: %+v", c.name, trace)
		}
	}
}

func TestTraceRefusesImpossiblePositions(t *testing.T) {
	p := model.StartPosition()
	p.Board[model.E4] = model.WhiteKing
	if _, err := derive.Trace(&p, &model.Tree{}); err == nil {
		t.Error("two white kings were accepted")
	}
}

func ExampleTrace() {
	var tree model.Tree
	tree.Append(model.NewMove(model.E2, model.E4))
	tree.Append(model.NewMove(model.D7, model.D5))
	tree.Append(model.NewMove(model.E4, model.D5))
	trace, _ := derive.Trace(nil, &tree)
	for s := model.A1; s <= model.H8; s++ {
		if trace.PawnSquares[model.White]&(1<<s) != 0 {
			fmt.Println("a white pawn stood on", s)
		}
	}
	fmt.Println("pawns at the end:", trace.Pawns)
	// Output:
	// a white pawn stood on e4
	// a white pawn stood on d5
	// pawns at the end: [7 7]
}

func BenchmarkTrace(b *testing.B) {
	tree := sanLine(b, nil, `e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 Nbd2 Bb7 Bc2 Re8 Nf1 Bf8
		Ng3 g6 a4 c5 d5 c4 Bg5 h6 Be3 Nc5 Qd2 h5`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := derive.Trace(nil, &tree); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(tree.Len()), "ns/ply")
}
