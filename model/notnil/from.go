package notnil

import (
	"errors"
	"fmt"

	"github.com/notnil/chess"

	"cbkit/board"
	"cbkit/model"
)

// FromChess returns the game as one of the model. Players and other entities
// are added to e. Tags that have no field keep their name and value; the
// comments of a move become texts in any language.
//
// It fails if the game has no starting position, or one that cannot be.
func FromChess(g *chess.Game, e *model.Entities) (*model.Game, error) {
	positions := g.Positions()
	if len(positions) == 0 {
		return nil, errors.New("notnil: the game has no position; make games with chess.NewGame")
	}
	start, err := fromPosition(positions[0])
	if err != nil {
		return nil, err
	}
	out := &model.Game{Header: readHeader(g, e), Start: start}
	for i, m := range g.Moves() {
		out.Moves.Append(fromMove(m))
		for _, comment := range commentsOf(g, i) {
			out.Annotate(i, model.Text{Text: comment})
		}
	}
	return out, nil
}

// commentsOf returns the comments of a move; games that were read from PGN
// may have fewer than moves.
func commentsOf(g *chess.Game, move int) []string {
	if all := g.Comments(); move < len(all) {
		return all[move]
	}
	return nil
}

// fromPosition returns nil for the standard starting position.
func fromPosition(p *chess.Position) (*model.Position, error) {
	fen := p.String()
	start, err := board.ParseFEN(fen)
	if err != nil {
		return nil, fmt.Errorf("notnil: the first position: %w", err)
	}
	// The library knows castling from e1 and e8 only, whatever a FEN says.
	start.Chess960 = false
	start.Rights = orthodoxRights(&start)
	if start == model.StartPosition() {
		return nil, nil
	}
	return &start, nil
}

// orthodoxRights returns the rights of a position whose king and rook are on
// their orthodox squares.
func orthodoxRights(p *model.Position) model.CastlingRights {
	rights := model.NoRights()
	for color, king := range [...]model.Square{model.E1, model.E8} {
		for side, rook := range model.AllRights()[color] {
			c := model.Color(color)
			if p.Rights[color][side] == rook && p.Board[king] == model.NewPiece(c, model.King) &&
				p.Board[rook] == model.NewPiece(c, model.Rook) {
				rights[color][side] = rook
			}
		}
	}
	return rights
}

// pieceTypes are the library's kinds of pieces in the model's terms.
var pieceTypes = map[chess.PieceType]model.PieceType{
	chess.Queen: model.Queen, chess.Rook: model.Rook, chess.Bishop: model.Bishop, chess.Knight: model.Knight,
}

// fromMove converts a move. The squares of both sides have the same numbers.
func fromMove(m *chess.Move) model.Move {
	from, to := model.Square(m.S1()), model.Square(m.S2())
	switch {
	case m.HasTag(chess.KingSideCastle):
		return model.NewCastling(from, model.NewSquare(7, from.Rank()))
	case m.HasTag(chess.QueenSideCastle):
		return model.NewCastling(from, model.NewSquare(0, from.Rank()))
	}
	return model.NewPromotion(from, to, pieceTypes[m.Promo()])
}
