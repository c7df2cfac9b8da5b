package jsonl

import (
	"fmt"

	"cbkit/board"
	"cbkit/internal/jsontext"
	"cbkit/model"
)

// chess960 is the only value of "variant".
const chess960 = "chess960"

// appendStart appends "fen" and "variant".
func appendStart(o *jsontext.Object, start *model.Position) {
	if start == nil {
		return
	}
	o.Text("fen", board.FormatFEN(start))
	if start.Chess960 {
		o.Text("variant", chess960)
	}
}

// inexactStart returns the start if its FEN reads as another position: FEN
// cannot say, for instance, that there is no move number.
func inexactStart(start *model.Position) *model.Position {
	if start == nil {
		return nil
	}
	if p, err := parseFEN(board.FormatFEN(start), start.Chess960); err == nil && p == *start {
		return nil
	}
	return start
}

func parseFEN(fen string, is960 bool) (model.Position, error) {
	if is960 {
		return board.ParseFEN960(fen)
	}
	return board.ParseFEN(fen)
}

// parseStart makes the starting position of what the line says about it; the
// exact one counts only while it agrees with the FEN.
func parseStart(fen, variant string, exact *model.Position) (*model.Position, error) {
	if variant != "" && variant != chess960 {
		return nil, fmt.Errorf("variant: %.40q is not known; only %q is: %w", variant, chess960, model.ErrUnsupported)
	}
	is960 := variant == chess960
	if exact != nil && exact.Chess960 == is960 && board.FormatFEN(exact) == fen {
		return exact, nil
	}
	switch {
	case fen != "":
		p, err := parseFEN(fen, is960)
		if err != nil {
			return nil, fmt.Errorf("fen: %w", err)
		}
		return &p, nil
	case is960:
		p := model.StartPosition()
		p.Chess960 = true
		return &p, nil
	}
	return nil, nil
}
