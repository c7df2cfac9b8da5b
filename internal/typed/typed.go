// Package typed reads positions as people type them: as a FEN, which may be the board
// alone, or as the moves that lead there.
package typed

import (
	"fmt"
	"regexp"
	"strings"

	"cbkit/board"
	"cbkit/model"
)

// Line is a position as people give it: as a FEN, or as moves from the start.
type Line struct {
	Moves []model.Move // from the start of a game; none of a FEN
	End   board.Position
	// IsBoard says that the board alone was given: White is to move, and whose king
	// and rook stand at home may castle.
	IsBoard bool
}

// homeRights are the castling rights of kings and rooks that stand at home.
func homeRights(p *model.Position) model.CastlingRights {
	rights := model.NoRights()
	for color, rooks := range model.AllRights() {
		king, rook := model.NewPiece(model.Color(color), model.King), model.NewPiece(model.Color(color), model.Rook)
		for side, at := range rooks {
			if p.Board[at] == rook && p.Board[[...]model.Square{model.E1, model.E8}[color]] == king {
				rights[color][side] = at
			}
		}
	}
	return rights
}

// Boards returns the positions that a board alone can be, the likeliest first:
// with the castling rights of what stands at home and without, with White to move
// and with Black.
func (l *Line) Boards() []board.Position {
	first := l.End.Model()
	list := []board.Position{l.End}
	if !l.IsBoard {
		return list
	}
	for _, turn := range []model.Color{model.White, model.Black} {
		for _, rights := range []model.CastlingRights{first.Rights, model.NoRights()} {
			p := first
			p.Turn, p.Rights = turn, rights
			if other, err := board.New(&p); err == nil && other != l.End {
				list = append(list, other)
			}
		}
	}
	return list
}

// Parse reads a position from one argument or several: a FEN, or moves such as
// "e4 c5", "1.e4 c5 2.Nf3" and "e2e4 c7c5". A FEN with the board alone has White
// to move; see [Line.Boards]. Nothing, and "start", are the start of a game.
func Parse(args ...string) (Line, error) {
	l := Line{End: board.Start()}
	given := strings.TrimSpace(strings.Join(args, " "))
	if IsFEN(given) {
		l.IsBoard = !strings.Contains(given, " ")
		if l.IsBoard {
			given += " w - - 0 1"
		}
		start, err := board.ParseModel(given)
		if l.IsBoard {
			start.Rights = homeRights(&start)
		}
		if err == nil {
			l.End, err = board.New(&start)
		}
		if err != nil {
			return l, err
		}
		return l, nil
	}
	if given == "start" {
		given = ""
	}
	for _, word := range Words(given) {
		m, err := l.End.ParseSAN(word)
		if err != nil {
			return l, fmt.Errorf("%q after %s: %w; give a FEN, or moves from the start of a game", word, count(len(l.Moves)), err)
		}
		l.End.Make(m)
		l.Moves = append(l.Moves, m)
	}
	return l, nil
}

// moveNumber is what stands before moves: "1.", "12...".
var moveNumber = regexp.MustCompile(`(^|\s)\d+\.+`)

// Words are the moves of a line as they are typed, without numbers.
func Words(line string) []string {
	return strings.Fields(moveNumber.ReplaceAllString(strings.ReplaceAll(line, ",", " "), " "))
}

// IsFEN reports whether a text is meant for a FEN, and not for moves.
func IsFEN(text string) bool { return strings.Count(text, "/") >= 7 }

// count says how many moves there are.
func count(moves int) string {
	if moves == 1 {
		return "1 move"
	}
	return fmt.Sprint(moves, " moves")
}
