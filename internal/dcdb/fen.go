package dcdb

import (
	"strings"

	"cbkit/board"
	"cbkit/model"
)

// parseFEN reads a FEN of four to six fields. Castling rights given by the
// files of the rooks are those of Chess960.
func parseFEN(s string) (model.Position, error) {
	fields := strings.Fields(s)
	if len(fields) > 2 && strings.Trim(fields[2], "KQkq-") != "" {
		return board.ParseFEN960(s)
	}
	return board.ParseFEN(s)
}

// appendFEN appends a position as a FEN; exact is false if it reads back as
// another one.
func appendFEN(dst []byte, p *model.Position) (fen []byte, exact bool) {
	start := len(dst)
	if p.Chess960 {
		dst = append(dst, board.ShredderFEN(p)...)
	} else {
		dst = board.AppendFEN(dst, p)
	}
	want := *p
	want.FullMove = max(want.FullMove, 1)
	back, err := parseFEN(string(dst[start:]))
	return dst, err == nil && back == want
}
