package scid

import (
	"cbkit/board"
	"cbkit/model"
)

// materialShifts are where an entry counts the men of a kind, White's and Black's.
var materialShifts = [...]struct {
	kind model.PieceType
	at   [2]uint8
	most uint32
}{
	{model.Queen, [2]uint8{22, 10}, 3}, {model.Rook, [2]uint8{20, 8}, 3}, {model.Bishop, [2]uint8{18, 6}, 3},
	{model.Knight, [2]uint8{16, 4}, 3}, {model.Pawn, [2]uint8{12, 0}, 15},
}

// Compute sets what of an entry follows from a decoded record: flags 0 to 2, codes of
// counts, material, plies, home pawns. The number of the opening line is not known, and 0.
func (e *Entry) Compute(g *Game) {
	e.Flags &^= FlagStart | FlagPromotion | FlagUnderpromotion
	if g.Start != nil {
		e.Flags |= FlagStart
	}
	pos, err := board.New(g.Start)
	if err != nil {
		return // nothing has come of its moves
	}
	e.Line, e.HomePawns, e.Pawns = 0, 0, [8]byte{}
	var home [2]uint8 // pawns on their home squares, by file
	if g.Start == nil {
		home = [2]uint8{0xff, 0xff}
	}
	plies, depth := 0, 0
	var counts [StepEnd + 1]int
	for _, s := range g.Steps {
		switch s.Kind {
		case StepBegin:
			depth++
		case StepEnd:
			depth--
		case StepText:
			if s.Hidden {
				continue
			}
		case StepMove:
			if depth > 0 {
				break
			}
			if becomes := s.Move.Promotion(); becomes != model.NoPieceType {
				e.Flags |= FlagPromotion
				if becomes != model.Queen {
					e.Flags |= FlagUnderpromotion
				}
			}
			pos.Make(s.Move)
			plies++
			white, black := uint8(pos.Pieces(model.White, model.Pawn)>>8), uint8(pos.Pieces(model.Black, model.Pawn)>>48)
			for color, now := range [2]uint8{white, black} {
				for file := range 8 {
					if home[color]&^now>>file&1 == 0 {
						continue
					}
					home[color] &^= 1 << file
					number := byte(15 - file - 8*color)
					if at := e.HomePawns; at < 16 {
						e.Pawns[at/2] |= number << (4 * (1 - at%2))
						e.HomePawns++
					}
				}
			}
		}
		counts[s.Kind]++
	}
	e.NAGs, e.Comments, e.Variations = CountCode(counts[StepNAG]), CountCode(counts[StepText]), CountCode(counts[StepBegin])
	e.Plies, e.Material = uint16(plies&1023), 0
	for _, m := range materialShifts {
		for color, at := range m.at {
			n := uint32(0)
			for men := pos.Pieces(model.Color(color), m.kind); men != 0; men &= men - 1 {
				n++
			}
			e.Material |= min(n, m.most) << at
		}
	}
}
