package pgn

import (
	"regexp"
	"strconv"
	"unicode/utf8"

	"cbkit/model"
)

// AppendReadable appends a game to be looked at: like [AppendPlainGame], but
// with signs such as !? instead of NAGs, and every variation on lines of its own,
// set in and numbered, so that one can be named:
//
//  3. Bb5 a6!?
//     [1] (3... Nf6 4. O-O
//     [2] (4. d3)
//     4... Nxe4)
//  4. Ba4
//
// It returns the first moves of the variations by their numbers; the first one,
// with the number 0, is that of the main line.
func AppendReadable(dst []byte, g *model.Game, e *model.Entities) (text []byte, lines []int) {
	var enc encoder
	enc.init(true, nil)
	enc.notation.(*plainWriter).readable = true
	enc.out.setIn = true
	enc.lines = []int{g.Moves.Main(model.NoNode)}
	return enc.appendGame(dst, g, e), enc.lines
}

// indent is how far a variation is set in, in characters.
const indent = 4

// nagSigns are the signs that people know, by NAG; those of the worth of a move
// stand at it, without a blank.
var nagSigns = map[model.NAG]string{
	1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!",
	7: "□", 8: "□", 10: "=", 11: "=", 12: "=", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓", 18: "+-", 19: "-+", 20: "+-", 21: "-+",
	22: "⊙", 23: "⊙", 26: "○", 27: "○", 32: "↻", 33: "↻", 36: "↑", 37: "↑", 40: "→", 41: "→", 44: "=/∞", 45: "=/∞",
	132: "⇆", 133: "⇆", 138: "⊕", 139: "⊕", 140: "∆", 141: "∇", 142: "⌓", 143: "≤", 144: "=", 145: "RR", 146: "N",
}

// worthNAGs is the last of those that tell the worth of a move.
const worthNAGs model.NAG = 6

// signs writes symbols that stand behind a move as signs.
func (w *plainWriter) signs(s model.Symbols) {
	for _, n := range s.NAGs() {
		if sign := signOf(n); sign != "" && (n != s.Prefix || n <= worthNAGs) {
			if n <= worthNAGs {
				w.out.join(sign)
			} else {
				w.out.word([]byte(sign))
			}
		}
	}
}

// prefixes puts the symbols of a move that belong in front of it behind its
// number: those that are letters stand apart.
func (w *plainWriter) prefixes(list []model.Annotation) {
	for _, a := range list {
		s, ok := a.Value.(model.Symbols)
		if sign := signOf(s.Prefix); ok && sign != "" && s.Prefix > worthNAGs {
			if w.out.lead = append(w.out.lead, sign...); sign[0] < utf8.RuneSelf {
				w.out.lead = append(w.out.lead, ' ')
			}
		}
	}
}

// FormatNAG returns the sign that people know for a NAG, such as "!?" or "±"; the
// NAG itself, "$99", where it has none; and nothing for those that are no symbol.
func FormatNAG(n model.NAG) string { return signOf(n) }

// signOf returns the sign of a NAG, the NAG itself where it has none, and nothing
// for what is no symbol.
func signOf(n model.NAG) string {
	if sign, ok := nagSigns[n]; ok || n == 0 || n == nagDiagram || n == nagDiagramBlack {
		return sign
	}
	return "$" + strconv.Itoa(int(n))
}

// treeCommands are the commands in trees of games (docs/formats/pgn.md 6.1), behind which
// words say the same.
var treeCommands = regexp.MustCompile(`\[%cb(game|see)\b[^\]]*\] ?`)
