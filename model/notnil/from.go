package notnil

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cbkit/board"
	"cbkit/internal/headerfields"
	"cbkit/model"

	"github.com/notnil/chess"
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
		if all := g.Comments(); i < len(all) { // of PGN there may be fewer than moves
			for _, comment := range all[i] {
				out.Annotate(i, model.Text{Text: comment})
			}
		}
	}
	return out, nil
}

// fromPosition returns nil for the standard starting position.
func fromPosition(p *chess.Position) (*model.Position, error) {
	fen := p.String()
	start, err := board.ParseModel(fen)
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

// fields are the tags that have a field.
var fields = []string{
	"Event", "Site", "Date", "Round", "White", "Black", "Result", "ECO", "WhiteElo", "BlackElo",
	"Annotator", "WhiteTeam", "BlackTeam",
}

// readHeader makes a header of the tag pairs and the outcome. A tag that has no
// field, or whose field cannot take its value, is kept as a tag.
func readHeader(g *chess.Game, e *model.Entities) model.Header {
	h := model.NewHeader()
	h.Result, _ = model.ParseResult(string(g.Outcome()))
	var tournament model.Tournament
	forfeit := false
	for _, tag := range g.TagPairs() {
		value := tag.Value
		if (value == "?" || value == "") && slices.Contains(fields, tag.Key) {
			continue
		}
		ok := true
		switch tag.Key {
		case "Event":
			tournament.Title = value
		case "Site":
			if ok = !strings.HasPrefix(value, "http"); ok { // an address is no place (docs/formats/pgn.md 1)
				tournament.Place = value
			}
		case "White":
			h.White = e.Players.Intern(model.ParsePlayer(value))
		case "Black":
			h.Black = e.Players.Intern(model.ParsePlayer(value))
		case "Annotator":
			h.Annotator = e.Annotators.Intern(model.Annotator{Name: value})
		case "WhiteTeam":
			h.WhiteTeam = e.Teams.Intern(model.Team{Title: value})
		case "BlackTeam":
			h.BlackTeam = e.Teams.Intern(model.Team{Title: value})
		case "Date":
			h.Date, ok = model.ParseDate(value)
		case "Round":
			h.Round, h.Subround, ok = headerfields.ParseRound(value)
			ok = ok && h.Round|h.Subround != 0
		case "Result":
			var result model.Result
			if result, ok = model.ParseResult(value); result != model.NoResult {
				h.Result = result
			}
		case "ECO":
			h.ECO, ok = model.ParseECO(value)
		case "WhiteElo":
			h.WhiteElo, ok = headerfields.ParseRating(value)
			ok = ok && h.WhiteElo != 0
		case "BlackElo":
			h.BlackElo, ok = headerfields.ParseRating(value)
			ok = ok && h.BlackElo != 0
		case "Termination":
			forfeit = value == "forfeit"
			ok = forfeit
		case "SetUp", "FEN": // the first position says it
		default:
			ok = false
		}
		if !ok {
			h.Tags = append(h.Tags, model.Tag{Name: tag.Key, Value: value})
		}
	}
	if tournament != (model.Tournament{}) {
		h.Tournament = e.Tournaments.Intern(tournament)
	}
	if forfeit {
		h.Result = h.Result.Forfeit()
	}
	return h
}
