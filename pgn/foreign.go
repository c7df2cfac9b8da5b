package pgn

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cbkit/board"
	"cbkit/internal/headerfields"
	"cbkit/model"
)

// Commands that morphy writes for annotations of ChessBase
// (docs/formats/pgn.md 5). They are read and never written:
//
//	[%post:GER gut]          a text behind its move, and its language
//	[%pre:GER besser war]    one in front of it
//	[%medal novelty,tactics] medals by name
//	[%crit endgame]          a critical position
//	[%varcolor #FF0000]      the colour of a line

// foreignText returns the text that a command says, which is one behind the
// move or in front of it.
func foreignText(c command) (t model.Text, ok bool) {
	name, language, _ := strings.Cut(c.name, ":")
	if name != "pre" && name != "post" {
		return t, false
	}
	t = model.Text{Before: name == "pre", Text: trimBlanks(c.args)}
	if t.Language, ok = model.ParseLanguage(strings.ToLower(language)); !ok {
		var nation model.Nation
		nation, ok = model.ParseNation(strings.ToUpper(language))
		t.Language = model.Language(nation)
	}
	return t, ok && t.Text != ""
}

// parseForeign reads the other commands.
func parseForeign(c command) (v model.Value, ok bool) {
	switch c.name {
	case "medal":
		var medals model.Medals
		words := foreignWords(c.args)
		for _, word := range words {
			bit := slices.Index(model.MedalNames(), strings.ReplaceAll(word, "_", "-"))
			if bit < 0 {
				return nil, false
			}
			medals |= 1 << bit
		}
		return medals, len(words) > 0
	case "crit":
		phase := slices.Index([]string{"", "opening", "middlegame", "endgame"}, strings.ToLower(c.args))
		return model.Critical(max(phase, 0)), phase > 0
	case "varcolor": // as #RRGGBB or as three numbers, and what it is for
		var color model.VariationColor
		var parts []uint8
		for _, word := range foreignWords(c.args) {
			switch word {
			case "mainline", "onlymainline":
				color.Flags |= 1
				continue
			case "moves", "onlymoves":
				color.Flags |= 2
				continue
			}
			if hex, isHex := strings.CutPrefix(word, "#"); isHex && len(hex) == 6 {
				n, err := strconv.ParseUint(hex, 16, 32)
				if err != nil {
					return nil, false
				}
				parts = append(parts, uint8(n>>16), uint8(n>>8), uint8(n))
				continue
			}
			n, ok := parseUint(word, 8)
			if !ok {
				return nil, false
			}
			parts = append(parts, uint8(n))
		}
		if len(parts) != 3 {
			return nil, false
		}
		color.Red, color.Green, color.Blue = parts[0], parts[1], parts[2]
		return color, true
	}
	return nil, false
}

// foreignWords cuts the arguments of a command into words in small letters.
func foreignWords(args string) []string {
	return strings.FieldsFunc(strings.ToLower(args), func(r rune) bool { return strings.ContainsRune(",;| ", r) })
}

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
	if !h.seen[tagFEN] || headerfields.IsUnknown(h.values[tagFEN]) {
		return nil, nil
	}
	// What a FEN of old programs lacks is added: it has no more than the pieces and the
	// side to move. How many checks of three were given is taken out.
	fen := h.values[tagFEN]
	fields := strings.Fields(fen)
	n := len(fields)
	fields = slices.DeleteFunc(fields, isCheckCount)
	whole := len(fields) == n
	if !whole {
		h.keep(tagFEN)
	}
	switch len(fields) {
	case 2:
		fields = append(fields, "-", "-")
	case 3:
		fields = append(fields, "-")
	}
	if !whole || len(fields) != n {
		fen = strings.Join(fields, " ")
	}
	parse := board.ParseModel
	if chess960 {
		parse = board.ParseModel960
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

// isCheckCount reports whether a field of a FEN counts checks: "3+2" those that
// are left, "+0+1" those that were given.
func isCheckCount(field string) bool {
	white, black, ok := strings.Cut(strings.TrimPrefix(field, "+"), "+")
	return ok && len(white) == 1 && len(black) == 1 && isDigit(white[0]) && isDigit(black[0])
}

// pieceLetters are the letters that pieces have in some languages.
type pieceLetters struct {
	languages string
	// pawn, knight, bishop, rook, queen, king
	letters [6]string
}

// englishLetters are those of the PGN standard.
const englishLetters = "PNBRQK"

// otherLetters are the letters of languages that are read besides English. They
// are those of the table of the PGN standard, but for Russian and Turkish.
var otherLetters = [...]pieceLetters{
	{"German, Danish, Norwegian or Swedish", [6]string{"B", "S", "L", "T", "D", "K"}},
	{"French", [6]string{"P", "C", "F", "T", "D", "R"}},
	{"Spanish, Italian or Catalan", [6]string{"P", "C", "A", "T", "D", "R"}},
	{"Dutch", [6]string{"O", "P", "L", "T", "D", "K"}},
	{"Portuguese", [6]string{"P", "C", "B", "T", "D", "R"}},
	{"Polish", [6]string{"P", "S", "G", "W", "H", "K"}},
	{"Czech or Slovak", [6]string{"P", "J", "S", "V", "D", "K"}},
	{"Hungarian", [6]string{"G", "H", "F", "B", "V", "K"}},
	{"Romanian", [6]string{"P", "C", "N", "T", "D", "R"}},
	{"Finnish", [6]string{"P", "R", "L", "T", "D", "K"}},
	{"Estonian", [6]string{"P", "R", "O", "V", "L", "K"}},
	{"Icelandic", [6]string{"P", "R", "B", "H", "D", "K"}},
	{"Russian", [6]string{"п", "К", "С", "Л", "Ф", "Кр"}},
	{"Turkish", [6]string{"P", "A", "F", "K", "V", "Ş"}},
}

// english returns a word with the letters of English, and whether there was one
// that no English piece has. It reports false if there is one that no piece
// has in this language.
func (l *pieceLetters) english(word string) (text string, foreign, ok bool) {
	if strings.HasPrefix(word, "O-O") || strings.HasPrefix(word, "OO") {
		return word, false, true
	}
	text, foreign, ok = l.cutLetter(word)
	if !ok {
		return "", false, false
	}
	// What a pawn becomes stands behind the rank.
	last := strings.LastIndexAny(text, "12345678") + 1
	for i := last; i < len(text) && last > 0; i++ {
		if text[i] < 0x80 && !isCapital(text[i]) {
			continue
		}
		piece, isForeign, ok := l.cutLetter(text[i:])
		return text[:i] + piece, foreign || isForeign, ok
	}
	return text, foreign, true
}

// cutLetter puts the English letter of a piece for the one that a word begins
// with, if it begins with any.
func (l *pieceLetters) cutLetter(word string) (text string, foreign, ok bool) {
	width, piece := 0, 0
	for i, letter := range l.letters {
		if len(letter) > width && strings.HasPrefix(word, letter) {
			width, piece = len(letter), i
		}
	}
	if width == 0 {
		return word, false, word != "" && word[0] < 0x80 && (!isCapital(word[0]) || word == "Z0")
	}
	return englishLetters[piece:piece+1] + word[width:], !strings.Contains(englishLetters, word[:width]), true
}

func isCapital(b byte) bool { return b >= 'A' && b <= 'Z' }

// findLetters returns the letters with which all moves of a game can be read,
// nil if there are none, or if some give other moves than others. At least one
// of them must be no English one, so that no slip in an English game becomes
// another piece.
func (p *parser) findLetters(pos board.Position, from int) (found *pieceLetters) {
	annotations, remarks := p.annotations, len(p.out.remarks)
	p.annotations, p.trial = false, true
	var first, tree model.Tree
	for i := range otherLetters {
		p.letters, p.i = &otherLetters[i], from
		if err := p.readMoves(pos); err != nil || !p.game.foreign {
			continue
		}
		p.game.tree.Build(&tree)
		if found == nil {
			found, first = p.letters, tree.Clone()
		} else if !first.Equal(&tree) {
			found = nil
			break
		}
	}
	p.annotations, p.trial, p.out.remarks = annotations, false, p.out.remarks[:remarks]
	return found
}

// isForeignMove reports whether a word is a move from the standard starting
// position in one of the other languages.
func isForeignMove(word string) bool {
	return slices.ContainsFunc(otherLetters[:], func(l pieceLetters) bool {
		text, foreign, ok := l.english(word)
		pos := board.Start()
		m, err := pos.ParseSAN(text)
		return ok && foreign && err == nil && !m.IsNull()
	})
}
