package search

import (
	"fmt"
	"slices"
	"strings"

	"cbkit/board"
	"cbkit/internal/namepattern"
	"cbkit/model"
)

// moveCondition is true for games with a move that is written so.
type moveCondition struct {
	value   string
	pattern namepattern.Pattern
	// What the pattern says of the move before it is written out.
	kind      model.PieceType // none is any
	castling  bool
	promotion model.PieceType // none is any
	to        model.Square    // NoSquare is any
	signs     bool            // of check and mate count
	mates     bool

	first, last int // of the plies; 0 as last is no limit
	variations  bool
}

func parseMove(value string) (Condition, error) {
	if strings.Trim(value, "0123456789.") == "" {
		return nil, fmt.Errorf("%q: write a move as Nxf7; moves:%[1]s is the number of moves", value)
	}
	c := &moveCondition{value: value, to: model.NoSquare}
	written := value
	if strings.HasPrefix(value, "0") {
		written = strings.ReplaceAll(value, "0", "O")
	}
	if strings.Trim(written, "KQRBNOabcdefgh12345678x=-+#*?") != "" {
		return nil, fmt.Errorf("%q: write a move as Nxf7, e8=Q or O-O-O, with * and ? for what may be anything", value)
	}
	c.pattern = namepattern.Pattern(written)
	c.signs, c.mates = strings.ContainsAny(written, "+#"), strings.Contains(written, "#")
	switch first := written[0]; {
	case first >= 'a' && first <= 'h':
		c.kind = model.Pawn
	case first == 'O':
		c.castling = true
	default:
		c.kind = model.PieceOf(first).Type()
	}
	body := strings.TrimRight(written, "+#")
	if at := strings.LastIndexByte(body, '='); at >= 0 {
		if at == len(body)-2 {
			c.promotion = model.PieceOf(body[at+1]).Type()
		}
		body = body[:at]
	}
	if n := len(body); n >= 2 {
		if s, ok := model.ParseSquare(body[n-2:]); ok {
			c.to = s
		}
	}
	return c, nil
}

// String implements Condition.
func (c *moveCondition) String() string {
	return term("move", c.value+whereText(c.first, c.last, c.variations))
}

func (c *moveCondition) bind(s *session) (test, error) {
	s.wants |= model.WantMoves
	s.mainLinesOnly = s.mainLinesOnly || !c.variations
	return c, nil
}

func (c *moveCondition) bound() *bound { return nil }

func (c *moveCondition) eval(r *row) truth {
	switch {
	case r.refs.Text:
		return no
	case !r.loaded:
		return maybe
	}
	return truthOf(c.find(r) != model.NoNode)
}

// find returns the first move, model.NoNode if there is none.
func (c *moveCondition) find(r *row) int {
	g := r.game
	if g == nil || !g.IsPlayable() {
		return model.NoNode
	}
	if c.variations {
		plies := make([]int, 1+g.Moves.Len()) // behind the start and every move
		for node, p := range board.Walk(g.Start, &g.Moves) {
			ply := plies[1+g.Moves.Parent(node)] + 1
			if plies[1+node] = ply; c.fits(p, g.Moves.Move(node), ply, g.Moves.Main(node) == model.NoNode) {
				return node
			}
		}
		return model.NoNode
	}
	p, err := board.New(g.Start)
	if err != nil {
		return model.NoNode
	}
	line := g.Moves.Nodes()[:g.Moves.MainLen()]
	for node := range line {
		if c.last != 0 && node >= c.last {
			break
		}
		if m := line[node].Move; c.fits(&p, m, node+1, node == len(line)-1) {
			return node
		} else {
			p.Make(m)
		}
	}
	return model.NoNode
}

// fits judges a move. Nothing follows one that mates.
func (c *moveCondition) fits(p *board.Position, m model.Move, ply int, ends bool) bool {
	switch {
	case ply < c.first, c.last != 0 && ply > c.last, c.mates && !ends, c.castling && !m.IsCastling(),
		c.kind != model.NoPieceType && p.PieceAt(m.From()).Type() != c.kind,
		c.promotion != model.NoPieceType && m.Promotion() != c.promotion,
		c.to != model.NoSquare && (m.To() != c.to || m.IsCastling()):
		return false
	}
	var buf [16]byte
	san := p.AppendSAN(buf[:0], m)
	if !c.signs {
		san = []byte(strings.TrimRight(string(san), "+#"))
	}
	if c.pattern.Matches(string(san)) {
		return true
	}
	// Without what tells it from the move of another such piece.
	end := len(strings.TrimRight(string(san), "+#")) - 2
	if m.IsCastling() || p.PieceAt(m.From()).Type() == model.Pawn || end < 2 {
		return false
	}
	if san[end-1] == 'x' {
		end--
	}
	return end > 1 && c.pattern.Matches(string(slices.Delete(san, 1, end)))
}
