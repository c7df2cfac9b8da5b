package derive

import (
	"math"
	"math/bits"

	"cbkit/board"
	"cbkit/internal/dcdb"
	"cbkit/model"
)

// Search computes the fields for searches of the Simple Chess Database from a starting
// position, nil for the standard one, and the moves of the main line. It fails
// where [board.New] refuses the position. (docs/formats/dcdb.md 2.2)
func Search(start *model.Position, mainLine []model.Node) (dcdb.SearchFields, error) {
	pos, err := board.New(start)
	if err != nil {
		return dcdb.SearchFields{}, err
	}
	f := dcdb.SearchFields{HalfMoves: uint16(min(len(mainLine), math.MaxUint16))}
	pawns := pawnDepartures{closed: start != nil && *start != model.StartPosition()}
	for _, node := range mainLine {
		pawns.see(&pos, node.Move)
		pos.Make(node.Move)
	}
	f.FinalMaterial = finalMaterial(&pos)
	f.PawnMoves = pawns.list()
	return f, nil
}

// pawnDepartures collects the first moves of the pawns.
type pawnDepartures struct {
	closed bool // nothing is collected
	order  [16]uint8
	n      int
}

// see notes a move that is about to be made. Every pawn on its own side's
// second rank has never moved.
func (d *pawnDepartures) see(pos *board.Position, m model.Move) {
	if d.closed || m.IsNull() || d.n == len(d.order) {
		return
	}
	switch from := m.From(); pos.PieceAt(from) {
	case model.WhitePawn:
		if from.Rank() == 1 {
			d.add(uint8(from.File()))
		}
	case model.BlackPawn:
		if from.Rank() == 6 {
			d.add(8 + uint8(from.File()))
		}
	}
}

func (d *pawnDepartures) add(pawn uint8) {
	d.order[d.n] = pawn
	d.n++
}

// list returns the order with its end filled.
func (d *pawnDepartures) list() [16]uint8 {
	for i := d.n; i < len(d.order); i++ {
		d.order[i] = dcdb.NoPawnMove
	}
	return d.order
}

// finalMaterialFields lists the fields of one side: the lowest bit, White's,
// and the largest number. Black's are 16 bits higher.
var finalMaterialFields = [...]materialField{
	{model.Pawn, 12, 7},
	{model.Knight, 10, 3},
	{model.Bishop, 8, 3},
	{model.Rook, 6, 3},
	{model.Queen, 4, 3},
}

// finalMaterial returns the word of a position.
func finalMaterial(pos *board.Position) uint32 {
	word := uint32(1) << 31
	for _, f := range finalMaterialFields {
		white := bits.OnesCount64(pos.Pieces(model.White, f.kind))
		black := bits.OnesCount64(pos.Pieces(model.Black, f.kind))
		if max(white, black) > f.limit {
			return 0
		}
		word |= uint32(white)<<f.shift | uint32(black)<<(f.shift+16)
	}
	return word
}
