package board_test

import (
	"slices"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/model"

	"github.com/notnil/chess"
	"pgregory.net/rapid"
)

// An independent judge of orthodox chess: legal moves, SAN and FEN along
// random games.
func TestRandomGamesEqualNotnil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		judge := chess.StartingPosition()
		var last board.Position
		play(board.Start(), rapid.Uint64().Draw(t, "seed"), 100, func(p *board.Position) {
			if p.FullMove() > 1 || p.Turn() == model.Black {
				judge = judge.Update(moveBetween(t, &last, p, judge))
			}
			last = *p
			if got, want := p.FEN(), judge.String(); got != want {
				t.Fatalf("FEN %s, want %s", got, want)
			}
			compareMoves(t, p, judge)
			status := judge.Status()
			if p.IsCheckmate() != (status == chess.Checkmate) || p.IsStalemate() != (status == chess.Stalemate) {
				t.Fatalf("%s: mate %v, stalemate %v, judge %v", p.FEN(), p.IsCheckmate(), p.IsStalemate(), status)
			}
		})
	})
}

// moveBetween returns the judge's move that leads from one position to the
// next.
func moveBetween(t *rapid.T, from, to *board.Position, judge *chess.Position) *chess.Move {
	for _, m := range from.AppendLegal(nil) {
		next := *from
		if next.Make(m); next != *to {
			continue
		}
		// Not by chess.UCINotation: its moves do not say that they give check,
		// and the judge believes them.
		for _, theirs := range judge.ValidMoves() {
			if theirs.String() == m.UCI(false) {
				return theirs
			}
		}
	}
	t.Fatalf("no move from %s to %s", from.FEN(), to.FEN())
	return nil
}

// compareMoves compares the legal moves of one position, in UCI and in SAN.
func compareMoves(t *rapid.T, p *board.Position, judge *chess.Position) {
	var got, want []string
	for _, m := range p.AppendLegal(nil) {
		got = append(got, m.UCI(false)+" "+p.SAN(m))
	}
	for _, m := range judge.ValidMoves() {
		san := chess.AlgebraicNotation{}.Encode(judge, m)
		want = append(want, m.String()+" "+san)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("%s\n got %s\nwant %s", p.FEN(), strings.Join(got, ", "), strings.Join(want, ", "))
	}
}
