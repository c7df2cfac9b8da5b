package scid

import "cbkit/model"

// materialShifts are where an entry counts the men of a kind, White's and Black's.
var materialShifts = [...]struct {
	at   [2]uint8
	most uint32
}{
	model.Queen: {[2]uint8{22, 10}, 3}, model.Rook: {[2]uint8{20, 8}, 3}, model.Bishop: {[2]uint8{18, 6}, 3},
	model.Knight: {[2]uint8{16, 4}, 3}, model.Pawn: {[2]uint8{12, 0}, 15}, model.King: {},
}

// material returns how many men of each kind there are.
func (m *men) material() (material uint32) {
	for color, kinds := range m.kind {
		for _, kind := range kinds[:m.n[color]] {
			if of := materialShifts[kind]; material>>of.at[color]&of.most < of.most {
				material += 1 << of.at[color]
			}
		}
	}
	return material
}

// play follows a move of the main line and, if the game has the usual start, notes which pawns leave
// their home squares by it, and which are taken there.
func (e *Entry) play(m *men, move model.Move, usual bool) {
	color, from := m.turn, move.From()
	number, _ := m.find(color, from)
	kind := m.kind[color&1][number&15]
	taken, at := m.play(move)
	if !usual || move.IsNull() {
		return
	}
	leave := func(color model.Color, kind model.PieceType, at model.Square) {
		if kind != model.Pawn || at>>3 != 1+5*model.Square(color&1) || e.HomePawns == 16 {
			return
		}
		e.Pawns[e.HomePawns/2] |= (15 - byte(at&7) - 8*byte(color)) << (4 * (1 - e.HomePawns%2))
		e.HomePawns++
	}
	leave(color, kind, from)
	leave(color.Other(), taken, at)
}
