package search

import (
	"fmt"
	"math/bits"
	"strings"

	"cbkit/board"
	"cbkit/internal/cbh"
	"cbkit/internal/posindex"
	"cbkit/model"
)

// positionCondition is true for games with a position on their main line, or
// with some in a row.
type positionCondition struct {
	name, value string
	// holds judges a position.
	holds func(p *board.Position) bool
	// filter is what the .cbb record of such a game must say.
	filter traceFilter
	// plies is for how many positions in a row it must hold, at least 1.
	plies int
	// atEnd asks for the last position alone.
	atEnd bool
	// first and last are how many plies are played before; 0 as last is no limit.
	first, last int
	// variations looks at the positions of variations too.
	variations bool
	// lookUp asks the index of positions for the games in which it may hold, nil if that does
	// not know: those that it lists, and others that it does not rule out.
	lookUp lookUp
}

// InVariations returns c with its conditions about positions and moves extended from main
// lines to variations: those of [Reached] and the terms fen, pawns, piece, move, pattern,
// material and balance. Consecutive positions, and counts of half-moves, are those of one
// line from the first move of the game. It is an error if c has no such condition; end is
// not one, since only a game ends.
func InVariations(c Condition) (Condition, error) {
	deep, ok := deepened(c)
	if !ok {
		return nil, fmt.Errorf("search: %v is about no position on the way", written(c))
	}
	return deep, nil
}

// deepened is InVariations; ok is false if nothing changes.
func deepened(c Condition) (deep Condition, ok bool) {
	list := func(list []Condition) []Condition {
		all := make([]Condition, len(list))
		for i, one := range list {
			var changed bool
			all[i], changed = deepened(one)
			ok = ok || changed
		}
		return all
	}
	switch c := c.(type) {
	case *positionCondition:
		if c.atEnd {
			return c, false
		}
		deep := *c
		deep.variations = true
		deep.filter, deep.lookUp = noFilter, nil // the .cbb file and the index know main lines alone
		return &deep, true
	case *moveCondition:
		deep := *c
		deep.variations = true
		return &deep, true
	case allOf:
		return allOf(list(c)), ok
	case anyOf:
		return anyOf(list(c)), ok
	case notOf:
		deep, ok := deepened(c.Condition)
		return notOf{deep}, ok
	}
	return c, false
}

// during is true where a condition about positions is so between two plies: in
// the positions after first to last half-moves of the line, 0 as last being
// no limit. Conditions about the end of games and all others have no such time.
func during(first, last int, c Condition) (Condition, error) {
	switch c := c.(type) {
	case *positionCondition:
		if c.atEnd {
			break
		}
		limited := *c
		limited.first, limited.last = first, last
		return &limited, nil
	case *moveCondition:
		limited := *c
		limited.first, limited.last = first, last
		return &limited, nil
	case anyOf:
		var list []Condition
		for _, one := range c {
			limited, err := during(first, last, one)
			if err != nil {
				return nil, err
			}
			list = append(list, limited)
		}
		return Or(list...), nil
	}
	return nil, fmt.Errorf("search: %v is about no position on the way", written(c))
}

// String implements Condition.
func (c *positionCondition) String() string {
	return term(c.name, c.value+whereText(c.first, c.last, c.variations))
}

// whereText writes the plies and lines in which something must be so.
func whereText(first, last int, variations bool) string {
	var where []string
	if first != 0 || last != 0 {
		where = append(where, rangeText(first, last))
	}
	if variations {
		where = append(where, variationsWord)
	}
	if where == nil {
		return ""
	}
	return "@" + strings.Join(where, ",")
}

func (c *positionCondition) bind(s *session) (test, error) {
	s.wants |= model.WantMoves
	s.mainLinesOnly = s.mainLinesOnly || !c.variations && !c.atEnd
	listed, err := s.findListed(c)
	if listed != nil || err != nil {
		return listed, err
	}
	s.filters = s.filters || c.filter != noFilter
	return c, nil
}

func (c *positionCondition) bound() *bound { return nil }

func (c *positionCondition) eval(r *row) truth {
	switch {
	case r.refs.Text:
		return no
	case r.trace != nil && !c.filter.passes(r.trace):
		return no
	case !r.loaded:
		return maybe
	case c.atEnd:
		last := r.last()
		return truthOf(last != nil && c.holds(last))
	}
	return truthOf(c.find(r) != nowhere)
}

// find returns the node behind which the first of enough positions in a row stands, from the
// start on to the end of a variation too if these count.
func (c *positionCondition) find(r *row) (node int) {
	node = nowhere
	if !c.variations {
		inRow, ply := 0, -1
		r.positions(func(p *board.Position) bool {
			ply++
			if inRow = c.inRow(p, ply, inRow); inRow >= c.plies {
				node = ply - c.plies
			}
			return node == nowhere && (c.last == 0 || ply < c.last)
		})
		return node
	}
	type reached struct{ ply, inRow int }
	var all []reached // behind the start and every move, in stored order
	r.allPositions(func(n, parent int, p *board.Position) bool {
		var here reached
		if n != model.NoNode {
			here = all[parent+1]
			here.ply++
		}
		here.inRow = c.inRow(p, here.ply, here.inRow)
		if all = append(all, here); here.inRow >= c.plies {
			node = n
		}
		return node == nowhere
	})
	for back := 1; node != nowhere && back < c.plies; back++ {
		node = r.game.Moves.Parent(node)
	}
	return node
}

// inRow returns for how many positions in a row it holds up to p, behind which so many
// plies were played, and before which it held for so many.
func (c *positionCondition) inRow(p *board.Position, ply, before int) int {
	if ply < c.first || c.last != 0 && ply > c.last || !c.holds(p) {
		return 0
	}
	return before + 1
}

// Reached is true for games in which a position was reached: the same pieces on
// the same squares and the same side to move. Castling rights and en passant do
// not matter.
func Reached(p board.Position) Condition {
	written := p.Model()
	written.HalfMoves, written.FullMove = 0, 1
	return &positionCondition{
		name: "fen", value: board.FormatFEN(&written), plies: 1,
		lookUp: func(x *posindex.Index) ([]model.RecordID, []model.RecordID, error) { return x.Reached(&p) },
		filter: filterOf(&p, p.Occupied(), allKinds),
		holds:  func(q *board.Position) bool { return q.SameDiagram(&p) },
	}
}

// withPawns is true for games in which exactly the given pawns were on the board,
// with any other pieces. Other pieces in p do not count.
func withPawns(p board.Position) Condition {
	pawns := p.Model()
	keepPawns(&pawns)
	white, black := p.Pieces(model.White, model.Pawn), p.Pieces(model.Black, model.Pawn)
	return &positionCondition{
		name: "pawns", value: placement(&pawns), plies: 1,
		filter: filterOf(&p, white|black, kindSet(model.Pawn)),
		lookUp: ofStructures(func(x *posindex.Index) ([]model.RecordID, []model.RecordID, error) { return x.WithPawns(&p) }),
		holds: func(p *board.Position) bool {
			return p.Pieces(model.White, model.Pawn) == white && p.Pieces(model.Black, model.Pawn) == black
		},
	}
}

// keepPawns takes all other pieces away.
func keepPawns(p *model.Position) {
	for s, piece := range p.Board {
		if piece.Type() != model.Pawn {
			p.Board[s] = model.NoPiece
		}
	}
}

// pieceOn is true for games in which a piece stood on a square.
func pieceOn(piece model.Piece, s model.Square) Condition {
	var on traceFilter
	on.put(piece.Color(), piece.Type(), 1<<s)
	return &positionCondition{
		name: "piece", value: string(piece.Letter()) + s.String(), plies: 1, filter: on.unlimited(),
		holds: func(p *board.Position) bool { return p.PieceAt(s) == piece },
	}
}

// inRowText writes in how many positions in a row something must be so.
func inRowText(plies int) string {
	if plies == 1 {
		return ""
	}
	return fmt.Sprintf("/%d", plies)
}

// standing is a piece that must, or must not, stand on one of some squares.
type standing struct {
	piece model.Piece
	where uint64
	not   bool
	text  string
}

// placed is true for games in which all of them were so in so many positions in a row.
func placed(list []standing, plies int) Condition {
	var words []string
	var on traceFilter
	for _, s := range list {
		words = append(words, s.text)
		if !s.not && s.where&(s.where-1) == 0 {
			on.put(s.piece.Color(), s.piece.Type(), s.where)
		}
	}
	return &positionCondition{
		name: "pattern", value: strings.Join(words, ",") + inRowText(plies), plies: plies, filter: on.unlimited(),
		holds: func(p *board.Position) bool {
			for _, s := range list {
				if (p.Pieces(s.piece.Color(), s.piece.Type())&s.where != 0) == s.not {
					return false
				}
			}
			return true
		},
	}
}

// withMaterial is true for games that had the given material on the board for so
// many positions in a row; one that is over at once in an exchange lasts a ply
// or two.
func withMaterial(m materialCount, plies int) Condition {
	return &positionCondition{name: "material", value: m.String() + inRowText(plies), plies: plies, filter: m.filter(), holds: m.holds, lookUp: m.lookUp()}
}

// endingWith is true for games that ended with the given material.
func endingWith(m materialCount) Condition {
	filter := m.filter()
	for c := range 2 {
		filter.minPawns[c] = min(uint8(m.sides[c][model.Pawn].least), 7)
	}
	return &positionCondition{name: "end", value: m.String(), plies: 1, filter: filter, holds: m.holds, lookUp: m.lookUp(), atEnd: true}
}

// pieceValues are the usual values in pawns.
var pieceValues = [...]int{model.Pawn: 1, model.Knight: 3, model.Bishop: 3, model.Rook: 5, model.Queen: 9}

// balanced is true for games in which White had so much more than Black, in
// pawns, for so many positions in a row; less than 0 is Black's advantage.
// Knights and bishops count 3, rooks 5, queens 9.
func balanced(least, most, plies int) Condition {
	return &positionCondition{
		name: "balance", value: fmt.Sprintf("%d..%d", least, most) + inRowText(plies), plies: plies, filter: noFilter,
		holds: func(p *board.Position) bool {
			sum := 0
			for t := model.Pawn; t <= model.Queen; t++ {
				sum += pieceValues[t] * (bits.OnesCount64(p.Pieces(model.White, t)) - bits.OnesCount64(p.Pieces(model.Black, t)))
			}
			return sum >= least && sum <= most
		},
	}
}

// traceFilter is what the .cbb record of a game must say for a position to be
// possible in it: the bits of need, and no more or fewer pawns at the end.
type traceFilter struct {
	need               cbh.GameTrace
	minPawns, maxPawns [2]uint8
}

// noFilter lets everything pass.
var noFilter = (&traceFilter{}).unlimited()

// unlimited returns the filter for any number of pawns.
func (f *traceFilter) unlimited() traceFilter {
	g := *f
	g.maxPawns = [2]uint8{7, 7}
	return g
}

// passes compares a record with the filter.
func (f *traceFilter) passes(t *cbh.GameTrace) bool {
	for c := range 2 {
		switch n := &f.need; {
		case n.PawnSquares[c]&^t.PawnSquares[c] != 0,
			n.Heavy[c]&^t.Heavy[c] != 0, n.Light[c]&^t.Light[c] != 0,
			n.KingRanks[c]&^t.KingRanks[c] != 0, n.KingFiles[c]&^t.KingFiles[c] != 0,
			n.Few[c]&^t.Few[c] != 0, n.None[c]&^t.None[c] != 0,
			n.OnlyPawns[c] && !t.OnlyPawns[c],
			t.Pawns[c] > f.maxPawns[c], t.Pawns[c] < f.minPawns[c]:
			return false
		}
	}
	return true
}

// put asks for pieces of a kind to have stood on squares.
func (f *traceFilter) put(c model.Color, t model.PieceType, squares uint64) {
	switch t {
	case model.Pawn:
		f.need.PawnSquares[c] |= squares & cbh.TracePawns(c)
	case model.Rook, model.Queen:
		f.need.Heavy[c] |= squares
	case model.Knight, model.Bishop:
		f.need.Light[c] |= squares
	case model.King:
		for rank := range 8 {
			if files := uint8(squares >> (8 * rank)); files != 0 {
				f.need.KingFiles[c] |= files
				f.need.KingRanks[c] |= 1 << rank
			}
		}
	}
}

// kinds is a set of kinds of pieces.
type kinds uint8

func kindSet(t model.PieceType) kinds { return 1 << t }

const allKinds kinds = 0xFF

// filterOf returns the filter for a position of which the kinds given are all
// there are on the board.
func filterOf(p *board.Position, squares uint64, known kinds) traceFilter {
	f := noFilter
	for c := range model.Color(2) {
		var m sideCount
		for t := model.Pawn; t <= model.King; t++ {
			f.put(c, t, p.Pieces(c, t)&squares)
			m[t] = countRange{0, anyCount}
			if known&kindSet(t) != 0 {
				n := uint8(bits.OnesCount64(p.Pieces(c, t)))
				m[t] = countRange{n, n}
			}
		}
		f.limit(c, &m)
	}
	return f
}

// limit asks for what follows from the numbers of a side's pieces.
func (f *traceFilter) limit(c model.Color, m *sideCount) {
	f.maxPawns[c] = min(m[model.Pawn].most, 7)
	onlyPawns := true
	for _, k := range []struct {
		kind model.PieceType
		bit  uint8
		few  uint8
	}{
		{model.Queen, cbh.TraceQueens, 0}, {model.Rook, cbh.TraceRooks, 1},
		{model.Bishop, cbh.TraceBishops, 1}, {model.Knight, cbh.TraceKnights, 1},
	} {
		most := m[k.kind].most
		if most <= k.few {
			f.need.Few[c] |= k.bit
		}
		if most == 0 {
			f.need.None[c] |= k.bit
		}
		onlyPawns = onlyPawns && most == 0
	}
	f.need.OnlyPawns[c] = f.need.OnlyPawns[c] || onlyPawns
}
