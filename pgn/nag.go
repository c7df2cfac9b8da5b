package pgn

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cbkit/model"
)

// symbolTable has the signs that people write instead of a NAG. Where several
// NAGs are possible it is the one that ChessBase uses (docs/formats/cba.md 6, type 03).
var symbolTable = [...]struct {
	sign string
	nag  model.NAG
}{
	// Longer signs stand before those that they end with.
	{"=/\u221E", 44}, {"=\u221E", 44}, {"\u221E=", 44}, {"==", 144}, {"\u2191\u2191", 32},
	{"\u203C", 3}, {"\u2047", 4}, {"\u2049", 5}, {"\u2048", 6},
	{"+/=", 14}, {"=/+", 15}, {"+/-", 16}, {"-/+", 17},
	{"+=", 14}, {"=+", 15}, {"+-", 18}, {"+\u2212", 18}, {"-+", 19}, {"\u2212+", 19},
	{"\u2A72", 14}, {"\u2A71", 15}, {"\u00B1", 16}, {"\u2213", 17},
	{"=", 11}, {"\u221E", 13},
	{"\u25A1", 8}, {"\u2299", 22}, {"\u2A00", 22}, {"\u25CB", 26}, {"\u21BB", 32}, {"\u27F3", 32},
	{"\u2191", 36}, {"\u2192", 40}, {"\u2BF9", 44}, {"\u21C6", 132}, {"\u21C4", 132}, {"\u2295", 138}, {"\u2A01", 138}, {"N", 146},
	{"\u2206", 140}, {"\u0394", 140}, {"\u2207", 141}, {"\u2313", 142}, {"\u2264", 143}, {"RR", 145},
	{"\u21D4", 239}, {"\u21D7", 240}, {"\u229E", 241}, {"\u27EB", 242}, {"\u27EA", 243}, {"\u2715", 244}, {"\u22A5", 245},
	{"D", nagDiagram},
}

// NAGs that ask for a diagram, seen from White's and from Black's side. They
// become a character of the comment, see docs/formats/cba.md 6.
const (
	nagDiagram      model.NAG = 220
	nagDiagramBlack model.NAG = 221
)

// diagram is the character for a diagram in a comment, and diagramMark what
// PGN has for it.
const (
	diagramRune = '\uE005'
	diagram     = string(diagramRune)
	diagramMark = "[#]"
)

// symbolNAG returns the NAG of a sign.
func symbolNAG(word string) (model.NAG, bool) {
	for i := range symbolTable {
		if symbolTable[i].sign == word {
			return symbolTable[i].nag, true
		}
	}
	return 0, false
}

// cutSign cuts a sign off the end of a word and returns its NAG, 0 if it is not
// known. Of a word without one it returns the whole.
func cutSign(word string) (rest string, n model.NAG) {
	for i := range symbolTable {
		if rest, found := strings.CutSuffix(word, symbolTable[i].sign); found {
			return rest, symbolTable[i].nag
		}
	}
	if r, width := utf8.DecodeLastRuneInString(word); isSign(r) {
		return word[:len(word)-width], 0
	}
	return word, 0
}

// areSymbols reports whether a word is a sign that is known, or several side by side; of
// those none is a letter.
func areSymbols(word string) bool {
	if _, ok := symbolNAG(word); ok || strings.ContainsAny(word, "DNR") {
		return ok
	}
	n := model.NAG(0)
	for word != "" {
		if word, n = cutSign(word); n == 0 {
			break
		}
	}
	return n != 0
}

// isSign reports whether a character may be a sign that is not known: it says nothing
// of which move was played, as letters, digits, figurines and dashes may, and encloses nothing.
func isSign(r rune) bool {
	switch {
	case r >= 0x2654 && r <= 0x265F, r >= 0x1FA00 && r <= 0x1FA6F, r == utf8.RuneError:
		return false
	}
	return unicode.In(r, unicode.S, unicode.P, unicode.M) && !unicode.In(r, unicode.Pd, unicode.Ps, unicode.Pe, unicode.Pi, unicode.Pf)
}

// unsigned yields a word, and then what is left without the last of the signs at its end,
// without the last two, and so on.
func unsigned(word string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for last := ""; word != last && word != "" && yield(word); {
			last = word
			word, _ = cutSign(word)
		}
	}
}

// signs adds the NAGs of signs side by side at the end of a token, and reports those that
// are not known.
func (p *parser) signs(t token, text string) {
	var nags []model.NAG
	unknown := ""
	for text != "" {
		rest, n := cutSign(text)
		if nags = append(nags, n); n == 0 {
			unknown = text[len(rest):] + unknown
		}
		text = rest
	}
	for _, n := range slices.Backward(nags) {
		p.symbol(n)
	}
	if unknown != "" {
		p.remark(t.start, "symbols", "%q is no known sign; left out", unknown)
	}
}

// markNAG returns the NAG of the signs for the worth of a move that SAN knows.
func markNAG(sign string) model.NAG {
	return model.NAG(1 + slices.Index([]string{"!", "?", "!!", "??", "!?", "?!"}, sign))
}

// nag reads the number of a NAG. Numbers above 255 have no place but the
// comment.
func (p *parser) nag(t token) {
	n := 0
	for _, digit := range p.text[t.start+1 : t.end] {
		n = min(n*10+int(digit-'0'), 256)
	}
	switch {
	case n == 0:
		p.remark(t.start, "symbols", "%q says nothing; left out", p.part(t))
	case n < 256:
		p.symbol(model.NAG(n))
	case p.annotations:
		p.addText(p.part(t))
	}
}

// symbol adds a NAG to the place.
func (p *parser) symbol(n model.NAG) {
	switch {
	case !p.annotations || n == 0:
	case n == nagDiagram || n == nagDiagramBlack:
		p.addText(diagram)
	case p.game.line.symbols >= 0:
		a := &p.game.annotations.list[p.game.line.symbols]
		s := a.Value.(model.Symbols)
		s.Add(n)
		a.Value = s.Value()
	default:
		var s model.Symbols
		s.Add(n)
		p.game.line.symbols = p.annotate(s.Value())
	}
}

// ParseNAG reads a sign as people write it, such as "!?" or "+/-", or a NAG by its
// number, "$14".
func ParseNAG(sign string) (model.NAG, bool) {
	if number, ok := strings.CutPrefix(sign, "$"); ok {
		n, err := strconv.ParseUint(number, 10, 8)
		return model.NAG(n), err == nil
	}
	if len(sign) > 0 && len(sign) <= 2 && strings.Trim(sign, "!?") == "" {
		return markNAG(sign), true
	}
	return symbolNAG(sign)
}
