package board

import (
	"errors"
	"fmt"
	"math/bits"

	"cbkit/model"
)

// Position is a position that moves can be made on. The zero value is an empty
// board; positions come from [Start] and [New].
//
// Positions are values: assign one to copy it, compare two with ==. All methods but
// [Position.Make], [Position.AppendMade] and [Position.Unmake] only read and may run
// concurrently.
type Position struct {
	colors [2]uint64
	types  [8]uint64 // by model.PieceType, both colours
	// guard has the squares of every king and rook with a castling right; a
	// move that touches none of them changes no right.
	guard     uint64
	sums      [2]uint64 // see Position.hash
	board     [64]model.Piece
	rights    model.CastlingRights
	clocks    uint32 // half-moves below, number of the full move above bit 16
	turn      model.Color
	enPassant int8
	chess960  bool
}

// What [New] refuses.
var (
	errKings  = errors.New("more than one king of a colour")
	errPieces = errors.New("more than 32 pieces")
	errValue  = errors.New("value out of range")
)

var start = func() Position {
	standard := model.StartPosition()
	p, _ := fromModel(&standard)
	return p
}()

// Start returns the standard starting position.
func Start() Position { return start }

// New returns the position p describes, the standard starting position if p is
// nil. It refuses more than 32 pieces, more than one king of a colour, and
// values outside their ranges, with an error that says so.
// Everything else is accepted: no king, pawns on the last ranks, rights
// without rooks, a king that could be captured.
func New(p *model.Position) (Position, error) {
	if p == nil {
		return start, nil
	}
	return fromModel(p)
}

func fromModel(p *model.Position) (Position, error) {
	q := Position{
		rights: p.Rights, clocks: uint32(p.HalfMoves) | uint32(max(p.FullMove, 1))<<16,
		turn: p.Turn, enPassant: p.EnPassant, chess960: p.Chess960,
	}
	if err := checkState(p); err != nil {
		return Position{}, err
	}
	for i, piece := range p.Board {
		s := model.Square(i)
		if piece == model.NoPiece {
			continue
		}
		if piece > model.BlackKing || piece.Type() == 0 || piece.Type() > model.King {
			return Position{}, fmt.Errorf("piece code %d on %v: %w", piece, s, errValue)
		}
		q.put(s, piece)
	}
	for _, c := range [2]model.Color{model.White, model.Black} {
		if bits.OnesCount64(q.Pieces(c, model.King)) > 1 {
			return Position{}, fmt.Errorf("%v: %w", c, errKings)
		}
	}
	if n := bits.OnesCount64(q.Occupied()); n > 32 {
		return Position{}, fmt.Errorf("%d pieces: %w", n, errPieces)
	}
	q.guard = q.guarded()
	return q, nil
}

func checkState(p *model.Position) error {
	switch {
	case p.Turn > model.Black:
		return fmt.Errorf("side to move %d: %w", p.Turn, errValue)
	case p.EnPassant < model.NoFile || p.EnPassant > 7:
		return fmt.Errorf("en passant file %d: %w", p.EnPassant, errValue)
	}
	for _, rooks := range p.Rights {
		for _, s := range rooks {
			if s > model.NoSquare {
				return fmt.Errorf("castling rook on square %d: %w", s, errValue)
			}
		}
	}
	return nil
}

// Model returns the position as data. It equals what [New] was given, except
// that a full move number 0 has become 1.
func (p *Position) Model() model.Position {
	return model.Position{
		Board: p.board, Turn: p.turn, Rights: p.rights, EnPassant: p.enPassant,
		HalfMoves: uint16(p.clocks), FullMove: uint16(p.clocks >> 16), Chess960: p.chess960,
	}
}

// Turn returns the side to move.
func (p *Position) Turn() model.Color { return p.turn }

// PieceAt returns the piece on s, NoPiece for an empty square and NoSquare.
func (p *Position) PieceAt(s model.Square) model.Piece {
	if s >= model.NoSquare {
		return model.NoPiece
	}
	return p.board[s]
}

// Pieces returns the squares of the colour's pieces of one kind.
func (p *Position) Pieces(c model.Color, t model.PieceType) uint64 {
	return p.colors[c&1] & p.types[t&7]
}

// Colored returns the squares of all pieces of the colour.
func (p *Position) Colored(c model.Color) uint64 { return p.colors[c&1] }

// Occupied returns the squares of all pieces.
func (p *Position) Occupied() uint64 { return p.colors[0] | p.colors[1] }

// SameDiagram reports whether two positions have the same pieces on the same squares and
// the same side to move. Castling rights, en passant and counts of moves do not matter;
// [Position.DiagramKey] is a key of the same.
func (p *Position) SameDiagram(q *Position) bool {
	return p.colors == q.colors && p.types == q.types && p.turn == q.turn
}

// KingSquare returns the square of the colour's king, NoSquare without one.
func (p *Position) KingSquare(c model.Color) model.Square {
	return first(p.Pieces(c, model.King))
}

// Rights returns the castling rights that are not forfeited.
func (p *Position) Rights() model.CastlingRights { return p.rights }

// EnPassant returns the file (0 for a) of the pawn that has just advanced two
// squares, or model.NoFile. It does not say that the pawn can be captured.
func (p *Position) EnPassant() int8 { return p.enPassant }

// HalfMoves returns the number of plies since the last capture or pawn move;
// it stops at 65535.
func (p *Position) HalfMoves() int { return int(p.clocks & clockMax) }

// FullMove returns the number of the full move, from 1; it stops at 65535.
func (p *Position) FullMove() int { return int(p.clocks >> 16) }

// Chess960 reports whether the game is played by Chess960 rules.
func (p *Position) Chess960() bool { return p.chess960 }

// put places a piece on an empty square.
func (p *Position) put(s model.Square, piece model.Piece) {
	p.board[s&63] = piece
	p.colors[piece>>3&1] |= bit(s)
	p.types[piece&7] |= bit(s)
	p.hash(s, piece)
}

// take empties the square a piece stands on.
func (p *Position) take(s model.Square, piece model.Piece) {
	p.board[s&63] = model.NoPiece
	p.colors[piece>>3&1] &^= bit(s)
	p.types[piece&7] &^= bit(s)
	p.hash(s, piece)
}

// first returns the lowest square of a set, NoSquare if it is empty.
func first(set uint64) model.Square { return model.Square(bits.TrailingZeros64(set)) }
