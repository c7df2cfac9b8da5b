package pgn

import (
	"strconv"
	"strings"

	"cbkit/model"
)

// symbolTable has the signs that people write instead of a NAG. Where several
// NAGs are possible it is the one that ChessBase uses (docs/formats/cba.md 6, type 03).
var symbolTable = [...]struct {
	sign string
	nag  model.NAG
}{
	// Longer signs stand before those that they end with.
	{"=/\u221E", 44},
	{"+/=", 14}, {"=/+", 15}, {"+/-", 16}, {"-/+", 17},
	{"+=", 14}, {"=+", 15}, {"+-", 18}, {"+\u2212", 18}, {"-+", 19}, {"\u2212+", 19},
	{"\u2A72", 14}, {"\u2A71", 15}, {"\u00B1", 16}, {"\u2213", 17},
	{"=", 11}, {"\u221E", 13},
	{"\u25A1", 8}, {"\u2299", 22}, {"\u25CB", 26}, {"\u21BB", 32}, {"\u27F3", 32},
	{"\u2191", 36}, {"\u2192", 40}, {"\u21C6", 132}, {"\u2295", 138}, {"N", 146},
	{"\u2206", 140}, {"\u0394", 140}, {"\u2207", 141}, {"\u2313", 142}, {"\u2264", 143}, {"RR", 145},
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

// cutSymbol cuts a sign off the end of a move.
func cutSymbol(word string) (move string, n model.NAG) {
	for i := range symbolTable {
		if move, found := strings.CutSuffix(word, symbolTable[i].sign); found && move != "" {
			return move, symbolTable[i].nag
		}
	}
	return word, 0
}

// markNAG returns the NAG of the signs for the worth of a move that SAN knows.
func markNAG(sign string) model.NAG {
	switch sign {
	case "!":
		return 1
	case "?":
		return 2
	case "!!":
		return 3
	case "??":
		return 4
	case "!?":
		return 5
	}
	return 6
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
