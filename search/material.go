package search

import (
	"fmt"
	"math/bits"
	"strings"

	"cbkit/board"
	"cbkit/model"
)

// MaterialCount is what both sides have on the board, White first. It comes
// from [ParseMaterial].
type MaterialCount struct {
	sides [2]sideCount // White's first
}

// sideCount is how many pieces of each kind a side has. Kings do not count.
type sideCount [model.King + 1]countRange

// countRange is a number of pieces, both limits included.
type countRange struct{ least, most uint8 }

// anyCount is as a limit none.
const anyCount = 64

// materialKinds are the kinds in the order in which they are written.
var materialKinds = []model.PieceType{model.Queen, model.Rook, model.Bishop, model.Knight, model.Pawn}

// ParseMaterial reads the material of White and of Black, with a '-' or 'v'
// between them: "KRPP-KRP" is rook and two pawns against rook and pawn. A '+'
// behind a letter allows more of the kind: "RP+-RP+" are all rook endings with
// pawns on both sides. A '*' at the end of a side allows anything else besides.
// K may be left out.
func ParseMaterial(s string) (MaterialCount, error) {
	var m MaterialCount
	i := strings.IndexAny(s, "-v")
	if i < 0 {
		return m, fmt.Errorf("material %q: write it as KRPP-KRP, White first", s)
	}
	for c, part := range [2]string{s[:i], s[i+1:]} {
		if err := m.sides[c].parse(part); err != nil {
			return m, fmt.Errorf("material %q: %w", s, err)
		}
	}
	return m, nil
}

func (m *sideCount) parse(s string) error {
	body, others := strings.CutSuffix(s, "*")
	var last model.PieceType
	for _, c := range []byte(body) {
		if c == '+' && last != model.NoPieceType {
			m[last].most = anyCount
			continue
		}
		piece := model.PieceOf(c)
		if piece == model.NoPiece || piece.Color() == model.Black {
			return fmt.Errorf("%q is none of KQRBNP", c)
		}
		last = piece.Type()
		if last == model.King {
			last = model.NoPieceType
			continue
		}
		if m[last].least++; m[last].least > 32 {
			return fmt.Errorf("more than 32 pieces")
		}
		m[last].most = max(m[last].most, m[last].least)
	}
	for _, t := range materialKinds {
		if others && m[t].least == 0 {
			m[t].most = anyCount
		}
	}
	return nil
}

// String returns what ParseMaterial reads.
func (m MaterialCount) String() string { return m.sides[0].text() + "-" + m.sides[1].text() }

func (m *sideCount) text() string {
	s, others := "K", ""
	for _, t := range materialKinds {
		s += strings.Repeat(string(t.Letter()), int(m[t].least))
		switch {
		case m[t].most == anyCount && m[t].least > 0:
			s += "+"
		case m[t].most == anyCount:
			others = "*"
		}
	}
	return s + others
}

// Swapped returns the material with the colours exchanged.
func (m MaterialCount) Swapped() MaterialCount {
	return MaterialCount{[2]sideCount{m.sides[1], m.sides[0]}}
}

// holds reports whether a position has the material.
func (m MaterialCount) holds(p *board.Position) bool {
	for c := range model.Color(2) {
		for _, t := range materialKinds {
			n := uint8(bits.OnesCount64(p.Pieces(c, t)))
			if r := m.sides[c][t]; n < r.least || n > r.most {
				return false
			}
		}
	}
	return true
}

// filter is what the .cbb record of a game with the material must say.
func (m MaterialCount) filter() traceFilter {
	f := noFilter
	for c := range model.Color(2) {
		f.limit(c, &m.sides[c])
	}
	return f
}
