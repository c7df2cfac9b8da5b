package check

import (
	"fmt"
	"strings"

	"cbkit/model"
	"cbkit/moveenc"
)

// The start position of a game is behind the head of its record
// (docs/formats/cbg.md 4). A move number of 0 and a wrong number of a Chess960 position
// are usual, and rights may be missing.
const (
	startMarkerAt = moveenc.HeadSize
	startFlagsAt  = startMarkerAt + 1 // e.p. file and side to move
	startRightsAt = startMarkerAt + 2
	startKingsAt  = startMarkerAt + 28 // Chess960: kings, then rooks

	startMarker = 1
	rightsMask  = 0x0F
)

// startOddities says what is odd in the start position of a record that
// decodes, nothing if it has none.
func startOddities(rec []byte, g *moveenc.Game) string {
	if !g.HasStart {
		return ""
	}
	p := &g.Start
	var odd []string
	if m := rec[startMarkerAt]; m != startMarker {
		odd = append(odd, fmt.Sprintf("marker %d instead of %d", m, startMarker))
	}
	file := rec[startFlagsAt] & 0x0F
	switch {
	case file > 8:
		odd = append(odd, fmt.Sprintf("%d is no file of an en passant capture", file))
	case p.EnPassant != model.NoFile && !namesPawn(p):
		odd = append(odd, fmt.Sprintf("no pawn on the %c-file can have made two steps, as its en passant byte says", 'a'+p.EnPassant))
	}
	if rec[startFlagsAt]&^0x1F != 0 || rec[startRightsAt]&^rightsMask != 0 {
		odd = append(odd, "bits that mean nothing")
	}
	if p.Chess960 && !validSquares(rec, p) {
		odd = append(odd, "squares of kings and rooks where none stand")
	}
	return strings.Join(odd, "; ")
}

// namesPawn reports whether the pawn that the en passant file names is there,
// with the two squares behind it free.
func namesPawn(p *model.Position) bool {
	pawn, step := model.NewPiece(model.Black, model.Pawn), 1
	rank := 4
	if p.Turn == model.Black {
		pawn, step, rank = model.NewPiece(model.White, model.Pawn), -1, 3
	}
	on := func(rank int) model.Piece { return p.Board[model.NewSquare(int(p.EnPassant), rank)] }
	return on(rank) == pawn && on(rank+step) == model.NoPiece && on(rank+2*step) == model.NoPiece
}

// validSquares reports whether kings, and rooks with a right to castle, stand
// where the Chess960 part of a start position says.
func validSquares(rec []byte, p *model.Position) bool {
	squares := rec[startKingsAt : startKingsAt+6]
	for i, n := range squares {
		if n > 63 {
			return false
		}
		s := model.SquareFromFileMajor(n)
		if i < 2 && s != p.KingSquare(model.Color(i)) {
			return false
		}
		if i >= 2 && rec[startRightsAt]&rightOf[i-2] != 0 && p.Board[s] != model.NewPiece(model.Color(i/2-1), model.Rook) {
			return false
		}
	}
	return true
}

// rightOf are the bits of the castling rights in the order of the rooks.
var rightOf = [4]byte{1 << 1, 1 << 0, 1 << 3, 1 << 2}
