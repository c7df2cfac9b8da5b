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
}

// parseLine reads a position from one argument or several: a FEN, or moves such as
// "e4 c5", "1.e4 c5 2.Nf3" and "e2e4 c7c5". A FEN with the board alone has White
// to move. Nothing, and "start", are the start of a game.
func parseLine(args []string) (line, error) {
	l := line{end: board.Start()}
	given := strings.TrimSpace(strings.Join(args, " "))
	if strings.Count(given, "/") >= 7 {
		if !strings.Contains(given, " ") {
			given += " w - - 0 1" // the board alone
		}
		start, err := board.ParseFEN(given)
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
	for word := range strings.FieldsSeq(moveNumber.ReplaceAllString(given, " ")) {
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

// movesFrom writes moves with their numbers: "1.e4 c5 2.Nf3".
func movesFrom(p board.Position, moves []model.Move) string {
	var b strings.Builder
	for i, m := range moves {
		if i > 0 {
			b.WriteByte(' ')
		}
		switch {
		case p.Turn() == model.White:
			fmt.Fprintf(&b, "%d.", p.FullMove())
		case i == 0:
			fmt.Fprintf(&b, "%d...", p.FullMove())
		}
		b.WriteString(p.SAN(m))
		p.Make(m)
	}
	return b.String()
}
