package derive

import (
	"math/bits"

	"cbkit/board"
	"cbkit/internal/cbh"
	"cbkit/model"
)

// Trace returns what a .cbb file holds of a game: which squares the pieces have
// stood on, in the starting position and after every move of the main line.
// Start is nil for the standard starting position. It fails where [board.New]
// refuses the position. (docs/formats/boosters.md 5)
func Trace(start *model.Position, tree *model.Tree) (cbh.GameTrace, error) {
	pos, err := board.New(start)
	if err != nil {
		return cbh.GameTrace{}, err
	}
	var t tracer
	t.squares(&pos)
	t.pieces(&pos)
	for _, node := range tree.Nodes()[:tree.MainLen()] {
		before := pos.Occupied()
		pos.Make(node.Move)
		t.squares(&pos)
		// Pieces become fewer by captures alone. A promotion takes a pawn away,
		// and of pawns nothing is noted but that there is nothing else.
		if bits.OnesCount64(before) != bits.OnesCount64(pos.Occupied()) {
			t.pieces(&pos)
		}
	}
	return t.finish(&pos), nil
}

// tracer collects a trace position by position.
type tracer struct {
	trace cbh.GameTrace
	kings [2]uint64
}

// squares notes where everything stands.
func (t *tracer) squares(p *board.Position) {
	for c := range model.Color(2) {
		t.trace.PawnSquares[c] |= p.Pieces(c, model.Pawn)
		t.kings[c] |= p.Pieces(c, model.King)
		t.trace.Heavy[c] |= p.Pieces(c, model.Rook) | p.Pieces(c, model.Queen)
		t.trace.Light[c] |= p.Pieces(c, model.Bishop) | p.Pieces(c, model.Knight)
	}
}

// traceKinds are the kinds of pieces whose numbers are noted, with their bits.
var traceKinds = [...]struct {
	kind model.PieceType
	bit  uint8
	few  int // the largest number that counts as few
}{
	{model.Queen, cbh.TraceQueens, 0},
	{model.Rook, cbh.TraceRooks, 1},
	{model.Bishop, cbh.TraceBishops, 1},
	{model.Knight, cbh.TraceKnights, 1},
}

// pieces notes of what there is little or nothing.
func (t *tracer) pieces(p *board.Position) {
	for c := range model.Color(2) {
		for _, k := range traceKinds {
			n := bits.OnesCount64(p.Pieces(c, k.kind))
			if n <= k.few {
				t.trace.Few[c] |= k.bit
			}
			if n == 0 {
				t.trace.None[c] |= k.bit
			}
		}
		pawnsAndKing := p.Pieces(c, model.Pawn) | p.Pieces(c, model.King)
		if p.Colored(c) == pawnsAndKing {
			t.trace.OnlyPawns[c] = true
		}
	}
}

// finish completes the trace with the position at the end.
func (t *tracer) finish(p *board.Position) cbh.GameTrace {
	for c := range model.Color(2) {
		t.trace.Pawns[c] = uint8(min(bits.OnesCount64(p.Pieces(c, model.Pawn)), 7))
		t.trace.PawnSquares[c] &= cbh.TracePawns(c)
		for rank := range 8 {
			files := uint8(t.kings[c] >> (8 * rank))
			t.trace.KingFiles[c] |= files
			if files != 0 {
				t.trace.KingRanks[c] |= 1 << rank
			}
		}
	}
	return t.trace
}
