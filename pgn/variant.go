package pgn

import (
	"fmt"
	"slices"
	"strings"

	"cbkit/board"
	"cbkit/model"
)

// The tag Variant names the rules of a game. Of the games that have other rules
// than chess none is read, even if all of its moves are possible in chess: the
// same moves mean other positions. A name that is not known, such as that of an
// opening, says nothing, and neither do those that are chess with another goal
// or start: Standard, From Position, Three-check, King of the Hill.

// chess960Names are the names of Chess960, in small letters only.
var chess960Names = []string{"chess960", "fischerandom", "fischerrandom", "freestyle"}

// otherGames are the games with other rules, by what their names begin with in
// small letters, as chess servers and programs write them.
var otherGames = [...]struct{ begins, name string }{
	{"antichess", "Antichess"}, {"giveaway", "Antichess"}, {"suicide", "Suicide"}, {"losers", "Losers"}, {"losing", "Antichess"},
	{"crazyhouse", "Crazyhouse"}, {"bughouse", "Bughouse"}, {"atomic", "Atomic"}, {"horde", "Horde"}, {"racingkings", "Racing Kings"},
	{"duck", "Duck Chess"}, {"fogofwar", "Fog of War"}, {"darkchess", "Dark Chess"}, {"kriegspiel", "Kriegspiel"},
	{"seirawan", "Seirawan Chess"}, {"capablanca", "Capablanca Chess"}, {"grandchess", "Grand Chess"}, {"xiangqi", "Xiangqi"},
	{"shogi", "Shogi"}, {"makruk", "Makruk"}, {"janggi", "Janggi"}, {"shatranj", "Shatranj"},
}

// isChess960 reports whether the value of Variant names Chess960, whatever
// blanks, hyphens and capitals it has and whatever follows.
func isChess960(v string) bool {
	return slices.ContainsFunc(chess960Names, func(name string) bool { return hasLooseText(v, name) })
}

// hasLooseText reports whether v begins with the small letters and digits of
// text when blanks, hyphens and the case of letters do not matter.
func hasLooseText(v, text string) bool {
	for i := 0; i < len(v) && text != ""; i++ {
		switch c := v[i]; {
		case c == ' ' || c == '-' || c == '_':
		case c == text[0], isLetter(c) && c|0x20 == text[0]:
			text = text[1:]
		default:
			return false
		}
	}
	return text == ""
}

// start returns the starting position, nil for the standard one.
func (h *header) start() (*model.Position, error) {
	variant := h.values[tagVariant]
	for i := range otherGames {
		if hasLooseText(variant, otherGames[i].begins) {
			return nil, fmt.Errorf("it is %s, which has other rules than chess: %w", otherGames[i].name, model.ErrUnsupported)
		}
	}
	chess960 := isChess960(variant)
	if h.seen[tagVariant] && !(chess960 && h.seen[tagFEN]) {
		h.keep(tagVariant)
	}
	if !h.seen[tagFEN] || isUnknown(h.values[tagFEN]) {
		return nil, nil
	}
	fen, whole := completeFEN(h.values[tagFEN])
	if !whole {
		h.keep(tagFEN)
	}
	parse := board.ParseFEN
	if chess960 {
		parse = board.ParseFEN960
	}
	start, err := parse(fen)
	if err != nil {
		return nil, err
	}
	if start == model.StartPosition() {
		return nil, nil
	}
	return &start, nil
}

// completeFEN adds what a FEN of old programs lacks, which is no more than the
// pieces and the side to move, and takes out how many checks of three were
// given. It reports whether it says all that v says.
func completeFEN(v string) (fen string, whole bool) {
	fields := strings.Fields(v)
	n := len(fields)
	fields = slices.DeleteFunc(fields, isCheckCount)
	whole = len(fields) == n
	switch {
	case len(fields) == 2:
		fields = append(fields, "-", "-")
	case len(fields) == 3:
		fields = append(fields, "-")
	case whole:
		return v, true
	}
	return strings.Join(fields, " "), whole
}

// isCheckCount reports whether a field of a FEN counts checks: "3+2" those that
// are left, "+0+1" those that were given.
func isCheckCount(field string) bool {
	white, black, ok := strings.Cut(strings.TrimPrefix(field, "+"), "+")
	return ok && len(white) == 1 && len(black) == 1 && isDigit(white[0]) && isDigit(black[0])
}
