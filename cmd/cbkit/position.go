package main

import (
	"fmt"
	"regexp"
	"strings"

	"cbkit/board"
	"cbkit/model"
)

// line is a position as people give it: as a FEN, or as moves from the start.
type line struct {
	moves []model.Move // from the start of a game; none of a FEN
	end   board.Position
	// isBoard says that the board alone was given: White is to move, and whose king
	// and rook stand at home may castle.
	isBoard bool
}

// homeRights are the castling rights of kings and rooks that stand at home.
func homeRights(p *model.Position) model.CastlingRights {
	rights := model.NoRights
	for color, rooks := range model.AllRights {
		king, rook := model.NewPiece(model.Color(color), model.King), model.NewPiece(model.Color(color), model.Rook)
		for side, at := range rooks {
			if p.Board[at] == rook && p.Board[[...]model.Square{model.E1, model.E8}[color]] == king {
				rights[color][side] = at
			}
		}
	}
	return rights
}

// asBoard returns the positions that a board alone can be, the likeliest first:
// with the castling rights of what stands at home and without, with White to move
// and with Black.
func (l *line) asBoard() []board.Position {
	first := l.end.Model()
	list := []board.Position{l.end}
	if !l.isBoard {
		return list
	}
	for _, turn := range []model.Color{model.White, model.Black} {
		for _, rights := range []model.CastlingRights{first.Rights, model.NoRights} {
			p := first
			p.Turn, p.Rights = turn, rights
			if other, err := board.New(&p); err == nil && other != l.end {
				list = append(list, other)
			}
		}
	}
	return list
}

// parseLine reads a position from one argument or several: a FEN, or moves such as
// "e4 c5", "1.e4 c5 2.Nf3" and "e2e4 c7c5". A FEN with the board alone has White
// to move; see asBoard. Nothing, and "start", are the start of a game.
func parseLine(args []string) (line, error) {
	l := line{end: board.Start()}
	given := strings.TrimSpace(strings.Join(args, " "))
	if strings.Count(given, "/") >= 7 {
		l.isBoard = !strings.Contains(given, " ")
		if l.isBoard {
			given += " w - - 0 1"
		}
		start, err := board.ParseFEN(given)
		if l.isBoard {
			start.Rights = homeRights(&start)
		}
		if err == nil {
			l.end, err = board.New(&start)
		}
		if err != nil {
			return l, usageError{err}
		}
		return l, nil
	}
	if given == "start" {
		given = ""
	}
	for word := range strings.FieldsSeq(moveNumber.ReplaceAllString(strings.ReplaceAll(given, ",", " "), " ")) {
		m, err := l.end.ParseSAN(word)
		if err != nil {
			return l, usageError{fmt.Errorf("%q after %s: %w; give a FEN, or moves from the start of a game", word, plural(len(l.moves), "move"), err)}
		}
		l.end.Make(m)
		l.moves = append(l.moves, m)
	}
	return l, nil
}

// moveNumber is what stands before moves: "1.", "12...".
var moveNumber = regexp.MustCompile(`(^|\s)\d+\.+`)
