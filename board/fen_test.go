package board_test

import (
	"errors"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/model"

	"pgregory.net/rapid"
)

func rights(squares ...model.Square) model.CastlingRights {
	return model.CastlingRights{{squares[0], squares[1]}, {squares[2], squares[3]}}
}

const none = model.NoSquare

func TestFENCastling(t *testing.T) {
	cases := []struct {
		name, fen string
		rights    model.CastlingRights
		chess960  bool
		written   string // castling field, if not as read
	}{
		{"orthodox", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", model.AllRights(), false, ""},
		{"orthodox by file", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", model.AllRights(), false, "KQkq"},
		{"some", "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", rights(model.H1, none, none, model.A8), false, ""},
		{"order", "r3k2r/8/8/8/8/8/8/R3K2R w qK - 0 1", rights(model.H1, none, none, model.A8), false, "Kq"},
		{"none", "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", model.NoRights(), false, ""},
		{"no rooks at all", "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", model.AllRights(), false, ""},
		{"left over after castling", "r4rk1/8/8/8/8/8/8/R4RK1 w KQkq - 0 1", model.AllRights(), false, ""},
		{"left over for one side", "r3k2r/8/8/8/8/8/8/R4RK1 w Qkq - 0 1", rights(none, model.A1, model.H8, model.A8), false, ""},
		{"left over for another rook", "r3k2r/8/8/8/8/8/8/4K1R1 w Kk - 0 1", rights(model.H1, none, model.H8, none), false, ""},
		{"left over for another king", "3k3r/8/8/8/8/8/8/4K2R w Kk - 0 1", rights(model.H1, none, model.H8, none), false, ""},
		{"no kings", "8/8/8/8/8/8/8/8 w KQkq - 0 1", model.AllRights(), false, ""},
		{"X-FEN", "1r3kr1/8/8/8/8/8/8/1R3KR1 w KQkq - 0 1", rights(model.G1, model.B1, model.G8, model.B8), true, ""},
		{"Shredder-FEN", "1r3kr1/8/8/8/8/8/8/1R3KR1 w GBgb - 0 1", rights(model.G1, model.B1, model.G8, model.B8), true, "KQkq"},
		{"inner rook", "4k3/8/8/8/8/8/8/R1R1K3 w C - 0 1", rights(none, model.C1, none, none), true, ""},
		{"inner and outermost rook", "2r1k2r/8/8/8/8/8/8/R1R1K2R w KCkq - 0 1", rights(model.H1, model.C1, model.H8, model.C8), true, "HChc"},
		{"a file without rook", "4k3/8/8/8/8/8/8/4K3 w B - 0 1", rights(none, model.B1, none, none), true, ""},
		{"a file without king", "8/8/8/8/8/8/8/8 w Bg - 0 1", rights(none, model.B1, model.G8, none), true, ""},
	}
	for _, c := range cases {
		p, err := board.ParseModel(c.fen)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if p.Rights != c.rights || p.Chess960 != c.chess960 {
			t.Errorf("%s: rights %v, Chess960 %v; want %v, %v", c.name, p.Rights, p.Chess960, c.rights, c.chess960)
		}
		fields := strings.Fields(c.fen)
		if c.written != "" {
			fields[2] = c.written
		}
		if got, want := board.FormatFEN(&p), strings.Join(fields, " "); got != want {
			t.Errorf("%s: written %s, want %s", c.name, got, want)
		}
	}
}

func TestFEN960(t *testing.T) {
	cases := []struct {
		name, fen string
		rights    model.CastlingRights
		written   string
	}{
		{"orthodox squares", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", model.AllRights(), "KQkq"},
		{"sides differ", "4k2r/8/8/8/8/8/8/1KR5 w Kk - 0 1", rights(model.C1, none, model.H8, none), "Ch"},
		{"a right without rook", "4k2r/8/8/8/8/8/8/4K2R w KQk - 0 1", rights(model.H1, none, model.H8, none), "Kk"},
		{"inner rook", "4k3/8/8/8/8/8/8/4K1RR w G - 0 1", rights(model.G1, none, none, none), "G"},
	}
	for _, c := range cases {
		p, err := board.ParseModel960(c.fen)
		if err != nil || p.Rights != c.rights || !p.Chess960 {
			t.Errorf("%s: rights %v, Chess960 %v, %v; want %v", c.name, p.Rights, p.Chess960, err, c.rights)
			continue
		}
		if got := strings.Fields(board.FormatFEN(&p))[2]; got != c.written {
			t.Errorf("%s: written %s, want %s", c.name, got, c.written)
		}
	}
}

func TestShredderFEN(t *testing.T) {
	p := model.StartPosition()
	if got, want := board.ShredderFEN(&p), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestFENMissingFields(t *testing.T) {
	for fen, want := range map[string]string{
		"4k3/8/8/8/8/8/8/4K3 b - -":           "4k3/8/8/8/8/8/8/4K3 b - - 0 1",
		"4k3/8/8/8/8/8/8/4K3 b - - 7":         "4k3/8/8/8/8/8/8/4K3 b - - 7 1",
		"4k3/8/8/8/8/8/8/4K3 b - - 7 0":       "4k3/8/8/8/8/8/8/4K3 b - - 7 1",
		"  4k3/8/8/8/8/8/8/4K3  b - -  7 3  ": "4k3/8/8/8/8/8/8/4K3 b - - 7 3",
		"4k3/8/8/8/44/1331/8/4K3 b - - 7 3":   "4k3/8/8/8/8/8/8/4K3 b - - 7 3",
		"4k3/8/8/8/4P3/8/8/4K3 b - e3":        "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1",
	} {
		p, err := board.ParseModel(fen)
		if err != nil {
			t.Errorf("%q: %v", fen, err)
			continue
		}
		if got := board.FormatFEN(&p); got != want || p.FullMove == 0 {
			t.Errorf("%q: got %s, want %s", fen, got, want)
		}
	}
}

func TestFENErrors(t *testing.T) {
	for fen, want := range map[string]string{
		"":                                       "FEN: board at byte 0: missing",
		"4k3/8/8/8/8/8/8/4K3":                    "FEN: side to move at byte 19: missing",
		"4k3/8/8/8/8/8/8/4K3 w":                  "FEN: castling at byte 21: missing",
		"4k3/8/8/8/8/8/8/4K3 w -":                "FEN: en passant at byte 23: missing",
		"4k3/8/8/8/8/8/4K3 w - -":                "FEN: board at byte 17: 7 ranks, not 8",
		"4k3/8/8/8/8/8/8/8/4K3 w - -":            "FEN: board at byte 17: more than 8 ranks",
		"4k3/8/7/8/8/8/8/4K3 w - -":              "FEN: board at byte 7: rank 6 has 7 squares, not 8",
		"4k3/8/8/8/8/8/8/4K4 w - -":              "FEN: board at byte 18: rank 1 has more than 8 squares",
		"4k3/8/8/8/8/8/8/4KPPPP w - -":           "FEN: board at byte 21: rank 1 has more than 8 squares",
		"4k3/8/8/8/8/8/8/4K w - -":               "FEN: board at byte 18: rank 1 has 5 squares, not 8",
		"4k3/8/8/8/8/8/8/4X3 w - -":              "FEN: board at byte 17: \"X\" is not a piece",
		"4k3/8/8/8/8/8/8/4K3 W - -":              `FEN: side to move at byte 20: "W" is neither w nor b`,
		"4k3/8/8/8/8/8/8/4K3 w Kx -":             "FEN: castling at byte 23: \"x\" is not a castling right",
		"4k3/8/8/8/8/8/8/4K3 w KK -":             "FEN: castling at byte 23: \"K\" names a second rook on the same wing",
		"4k3/8/8/8/8/8/8/4K3 w FG -":             "FEN: castling at byte 23: \"G\" names a second rook on the same wing",
		"4k3/8/8/8/8/8/8/4K3 w - e9":             `FEN: en passant at byte 24: "e9" is not a square`,
		"4k3/8/8/8/8/8/8/4K3 w - e3":             "FEN: en passant at byte 24: e3 with white to move; it can only be on rank 6",
		"4k3/8/8/8/8/8/8/4K3 w - - -1":           `FEN: half-move clock at byte 26: "-1" is not a number from 0 to 65535`,
		"4k3/8/8/8/8/8/8/4K3 w - - 0 65536":      `FEN: move number at byte 28: "65536" is not a number from 0 to 65535`,
		"4k3/8/8/8/8/8/8/4K3 w - - 0 1 bm Kd2":   "FEN: end at byte 30: more than six fields",
		"4k3/8/8/8/8/8/8/4K3/ w - - 0 1":         "FEN: board at byte 19: more than 8 ranks",
		"4k3/8/8/8/8/8/8/4\u00e93 w - - 0 1":     "FEN: board at byte 17: \"\\xc3\" is not a piece",
		"4k3/8/8/8/8/8/8/4K3 w - -\t0 1":         `FEN: en passant at byte 24: "-\t0" is not a square`,
		"4k3/8/8/8/8/8/8/4K3 w KQkqKQkqKQkq - 0": "FEN: castling at byte 26: \"K\" names a second rook on the same wing",
	} {
		_, err := board.ParseModel(fen)
		var e *board.FENError
		if !errors.As(err, &e) || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", fen, err, want)
		}
	}
}

// Every position of a game, and every set-up whose rights are on their rank,
// is written so that it is read back.
func TestFENRoundTrip(t *testing.T) {
	everyPosition(t, func(t *rapid.T, p board.Position) {
		want := p.Model()
		fen := board.FormatFEN(&want)
		parse := board.ParseModel
		if want.Chess960 {
			parse = board.ParseModel960
		}
		got, err := parse(fen)
		if err != nil {
			t.Fatalf("%s: %v", fen, err)
		}
		if got != want && plausible(&want) {
			t.Fatalf("%s: read back as %s\n got %v\nwant %v", fen, board.FormatFEN(&got), got, want)
		}
	})
}

// plausible reports whether every right has its king and its rook.
func plausible(p *model.Position) bool {
	for c := range p.Rights {
		for wing, rook := range p.Rights[c] {
			if rook == model.NoSquare {
				continue
			}
			king := p.KingSquare(model.Color(c))
			orthodox := rook == model.AllRights()[c][wing] && king.File() == 4
			if rook.Rank() != 7*c || king.Rank() != 7*c || p.Board[rook] != model.NewPiece(model.Color(c), model.Rook) ||
				(rook > king) != (wing == int(model.KingSide)) || !p.Chess960 && !orthodox {
				return false
			}
		}
	}
	return true
}

// TestFENOfImpossiblePieces: a number that is no piece must not look like one,
// nor like the blank between two fields.
func TestFENOfImpossiblePieces(t *testing.T) {
	for n := range 256 {
		piece := model.Piece(n)
		p := model.StartPosition()
		p.Board[model.A4] = piece
		fen := board.FormatFEN(&p)
		back, err := board.ParseModel(fen)
		possible := n == 0 || n >= 1 && n <= 6 || n >= 9 && n <= 14
		if possible && (err != nil || back != p) {
			t.Errorf("piece %d: %q reads back otherwise, error %v", n, fen, err)
		}
		if !possible && (err == nil || !strings.Contains(fen, "/?7/") || len(strings.Fields(fen)) != 6) {
			t.Errorf("piece %d: %q, error %v", n, fen, err)
		}
	}
}
