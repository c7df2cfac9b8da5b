package search

import (
	"fmt"
	"math/bits"
	"strings"

	"cbkit/board"
	"cbkit/model"
)

// finals are what the last position of a main line can be, by itself or by how often and how
// long before it was so.
var finals = []struct {
	name  string
	holds func(p *board.Position) bool
	came  func(times, quiet int) bool
}{
	{name: "mate", holds: (*board.Position).IsCheckmate},
	{name: "check", holds: func(p *board.Position) bool { return p.InCheck() && !p.IsCheckmate() }},
	{name: "stalemate", holds: (*board.Position).IsStalemate},
	{name: "repetition", came: func(times, _ int) bool { return times >= 3 }},
	{name: "fivefold", came: func(times, _ int) bool { return times >= 5 }},
	{name: "fifty", came: func(_, quiet int) bool { return quiet >= 100 }},
	{name: "seventy-five", came: func(_, quiet int) bool { return quiet >= 150 }},
	{name: "dead", holds: isDead},
}

func finalNames() (names []string) {
	for _, f := range finals {
		names = append(names, f.name)
	}
	return names
}

func parseFinal(value string) (Condition, error) {
	for _, f := range finals {
		switch {
		case !strings.EqualFold(f.name, value):
		case f.holds != nil:
			return &positionCondition{name: "final", value: f.name, holds: f.holds, filter: noFilter, plies: 1, atEnd: true}, nil
		default:
			return Func(term("final", f.name), func(g *model.Game) bool { return f.came(endOf(g)) }), nil
		}
	}
	return nil, fmt.Errorf("%q: write %s", value, listed(finalNames()))
}

// endOf returns how often the last position of the main line has occurred, and how many plies
// there were without a capture or a pawn's move before it, since the set-up.
func endOf(g *model.Game) (times, quiet int) {
	r := row{game: g}
	var pawns [2]uint64
	men := 0
	quiet = -1
	r.positions(func(p *board.Position) bool {
		quiet++
		now := [2]uint64{p.Pieces(model.White, model.Pawn), p.Pieces(model.Black, model.Pawn)}
		if all := bits.OnesCount64(p.Occupied()); now != pawns || all != men {
			pawns, men, quiet = now, all, 0
		}
		return true
	})
	if quiet < 4 { // the sides need two moves each to come back
		return 1, quiet
	}
	last, since := r.last(), g.Moves.MainLen()-quiet
	r.positions(func(p *board.Position) bool {
		if since--; since < 0 && p.SameDiagram(last) && p.Rights() == last.Rights() && p.EnPassantLegal() == last.EnPassantLegal() {
			times++
		}
		return true
	})
	return times, quiet
}

// isDead reports whether neither side can mate, by the material alone: a minor piece at most, or
// bishops of one colour.
func isDead(p *board.Position) bool {
	const light = 0x55AA55AA55AA55AA
	var knights, bishops uint64
	for c := range model.Color(2) {
		if p.Pieces(c, model.Pawn)|p.Pieces(c, model.Rook)|p.Pieces(c, model.Queen) != 0 {
			return false
		}
		knights |= p.Pieces(c, model.Knight)
		bishops |= p.Pieces(c, model.Bishop)
	}
	return bits.OnesCount64(knights|bishops) <= 1 || knights == 0 && (bishops&light == 0 || bishops&^light == 0)
}

// wrongResult compares results with last positions.
var wrongResult = &contentCondition{text: term("wrong-result", "yes"), wants: model.WantMoves, meets: func(r *row) bool {
	last := r.last()
	winner, decided := r.result.Winner()
	switch {
	case last == nil:
		return false
	case last.IsCheckmate():
		return !decided || winner == last.Turn()
	case last.IsStalemate():
		return r.result != model.Draw && r.result != model.DrawByForfeit
	}
	return decided && isDead(last)
}}
