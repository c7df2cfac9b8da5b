package bulk

import (
	"math/bits"
	"math/rand/v2"

	"cbkit/board"
	"cbkit/eco"
	"cbkit/model"
)

// shares are how many games of allGames began with some moves: New In Chess
// Yearbook 55 (2000), as Wikipedia quotes it in "First-move advantage in chess" and
// "Sicilian Defence". All other moves share the games that are left.
const allGames = 731740

var shares = []struct {
	moves []model.Move
	games float64
}{
	{[]model.Move{e4}, 349855},
	{[]model.Move{d4}, 296200},
	{[]model.Move{e4, c5}, 145996},
}

var (
	e4 = model.NewMove(12, 28)
	d4 = model.NewMove(11, 27)
	c5 = model.NewMove(50, 34)
)

// theory is a tree of opening moves. A node's games are those that come to it.
type theory []opening

type opening struct {
	move     model.Move
	games    float64
	children []int32
	code     model.ECO // of the last named line on the way here
	lines    int       // of the table that come to it
}

// readTheory makes the tree of the openings that have a name. Its games go to the
// moves of [shares], and else to each move by the number of named lines behind it;
// as many as one line has stop at a line's end and go their own way.
func readTheory() theory {
	t := theory{{games: float64(allGames)}}
	for o := range eco.All() {
		at := int32(0)
		t[at].lines++
		for _, m := range o.Moves {
			at = t.child(at, m)
			t[at].lines++
		}
		t[at].code = o.Code
	}
	for _, s := range shares {
		at := int32(0)
		for _, m := range s.moves {
			at = t.child(at, m)
		}
		t[at].games = s.games
	}
	t.spread(0)
	return t
}

// child returns the node that a move leads to, which is made if there is none.
func (t *theory) child(at int32, m model.Move) int32 {
	for _, c := range (*t)[at].children {
		if (*t)[c].move == m {
			return c
		}
	}
	c := int32(len(*t))
	*t = append(*t, opening{move: m})
	(*t)[at].children = append((*t)[at].children, c)
	return c
}

// spread gives the games of a node to those of its children that have none yet.
func (t theory) spread(at int32) {
	left, lines := t[at].games, t[at].lines
	for _, c := range t[at].children {
		if t[c].games > 0 {
			left, lines = left-t[c].games, lines-t[c].lines
		}
	}
	for _, c := range t[at].children {
		if t[c].games == 0 {
			t[c].games = left * float64(t[c].lines) / float64(lines)
		}
		if t[c].code == 0 {
			t[c].code = t[at].code
		}
		t.spread(c)
	}
}

// player plays games. Its memory is used again.
type player struct {
	theory  theory
	habit   *rand.PCG // seeded with positions
	legal   []model.Move
	builder model.TreeBuilder
}

func newPlayer() player { return player{theory: readTheory(), habit: rand.NewPCG(0, 0)} }

// game plays a game and returns its opening and result; expected is the score of
// White by the ratings. Some games have variations.
func (p *player) game(r *rand.Rand, expected float64, variations bool, t *model.Tree) (model.ECO, model.Result) {
	t.Reset()
	pos := board.Start()
	code := p.open(r, &pos, t)
	result := p.fight(r, &pos, expected, t)
	if variations {
		p.vary(r, t)
	}
	return code, result
}

// open plays a named opening, and then for a while what is usual in each position.
func (p *player) open(r *rand.Rand, pos *board.Position, t *model.Tree) model.ECO {
	at := int32(0)
	for {
		x, next := r.Float64()*p.theory[at].games, int32(-1)
		for _, c := range p.theory[at].children {
			if x -= p.theory[c].games; x < 0 {
				next = c
				break
			}
		}
		if next < 0 {
			break
		}
		at = next
		t.Append(p.theory[at].move)
		pos.Make(p.theory[at].move)
	}
	usual := rand.New(p.habit)
	for known := int(8 * r.ExpFloat64()); known > 0 && t.Len() < 40; known-- {
		nth := uint64(r.ExpFloat64())
		p.habit.Seed(pos.PolyglotKey(), nth)
		m := p.choose(usual, pos, 3)
		if m == model.NullMove {
			break
		}
		t.Append(m)
		pos.Make(m)
	}
	return p.theory[at].code
}

// fight plays a game to its end: mate, stalemate, no material to win with, a
// player who is far behind and gives up, or as many moves as people play.
func (p *player) fight(r *rand.Rand, pos *board.Position, expected float64, t *model.Tree) model.Result {
	last := t.Len() + 10 + int(90*(r.Float64()+r.Float64()))
	for t.Len() < last {
		looks, chance := 6, expected
		if pos.Turn() == model.Black {
			chance = 1 - expected
		}
		if r.Float64() < chance {
			looks += 4
		}
		m := p.choose(r, pos, looks)
		if m == model.NullMove {
			if !pos.InCheck() {
				return model.Draw
			}
			return winner(pos.Turn() == model.Black)
		}
		t.Append(m)
		pos.Make(m)
		ahead := material(pos, model.White) - material(pos, model.Black)
		switch {
		case max(ahead, -ahead) >= 9 && r.IntN(16) == 0:
			return winner(ahead > 0)
		case max(ahead, -ahead) <= 2 && t.Len() >= 40 && r.IntN(50) == 0:
			return model.Draw // agreed
		case pos.HalfMoves() >= 100 || bits.OnesCount64(pos.Occupied()) <= 3 && max(ahead, -ahead) <= 3:
			return model.Draw
		}
	}
	if ahead := material(pos, model.White) - material(pos, model.Black); max(ahead, -ahead) >= 3 {
		return winner(ahead > 0)
	}
	return model.Draw
}

func winner(white bool) model.Result {
	if white {
		return model.WhiteWins
	}
	return model.BlackWins
}

// value is what a piece is worth, in pawns.
var value = [...]int{model.Pawn: 1, model.Knight: 3, model.Bishop: 3, model.Rook: 5, model.Queen: 9, model.King: 0}

// material counts the pieces of a side in pawns.
func material(pos *board.Position, c model.Color) (sum int) {
	for _, t := range []model.PieceType{model.Pawn, model.Knight, model.Bishop, model.Rook, model.Queen} {
		sum += value[t] * bits.OnesCount64(pos.Pieces(c, t))
	}
	return sum
}

// choose returns a legal move, NullMove where there is none: of all captures and some
// other moves at random the one that wins most, or else comes closer to the centre or to
// promotion.
func (p *player) choose(r *rand.Rand, pos *board.Position, looks int) model.Move {
	p.legal = pos.AppendLegal(p.legal[:0])
	if len(p.legal) == 0 {
		return model.NullMove
	}
	best := p.legal[r.IntN(len(p.legal))]
	most := worth(pos, best)
	for range looks {
		if m := p.legal[r.IntN(len(p.legal))]; worth(pos, m) > most {
			best, most = m, worth(pos, m)
		}
	}
	for _, m := range p.legal {
		if pos.PieceAt(m.To()) != model.NoPiece && r.IntN(8) > 0 && worth(pos, m) > most {
			best, most = m, worth(pos, m)
		}
	}
	return best
}

func worth(pos *board.Position, m model.Move) int {
	if m.IsCastling() {
		return 15
	}
	file, rank := int(m.To()&7), int(m.To()>>3)
	score := min(file, 7-file) + min(rank, 7-rank)
	moving := pos.PieceAt(m.From()).Type()
	if moving == model.Pawn {
		if pos.Turn() == model.Black {
			rank = 7 - rank
		}
		score += rank
	}
	score += 10*value[pos.PieceAt(m.To()).Type()] + 10*value[m.Promotion()]
	if pos.Attacked(m.To(), pos.Turn().Other()) {
		score -= 7 * value[moving]
	}
	if pos.Attacked(m.From(), pos.Turn().Other()) {
		score += 5 * value[moving]
	}
	return score
}

// vary adds variations to a main line: at one move in twelve another one, and
// up to eight moves after it, some with a variation of their own.
func (p *player) vary(r *rand.Rand, t *model.Tree) {
	b := &p.builder
	b.Reset()
	pos := board.Start()
	last := model.NoNode
	for i := range t.MainLen() {
		m := t.Move(i)
		before := last
		last = b.Add(before, m)
		if r.IntN(12) == 0 {
			p.branch(r, b, pos, before, m, 1+r.IntN(8), 2)
		}
		pos.Make(m)
	}
	b.Build(t)
}

// branch adds a variation of some plies behind a node, beginning with another
// move than the one given.
func (p *player) branch(r *rand.Rand, b *model.TreeBuilder, pos board.Position, before int, not model.Move, plies, depth int) {
	for range plies {
		m := p.choose(r, &pos, 2)
		if m == not || m == model.NullMove {
			return
		}
		not = model.NullMove
		here := pos
		node := b.Add(before, m)
		if depth > 0 && r.IntN(10) == 0 {
			p.branch(r, b, here, before, m, 1+r.IntN(4), depth-1)
		}
		before = node
		pos.Make(m)
	}
}
