package pgn

import (
	"strings"

	"cbkit/model"
)

// symbolTable has the signs that people write instead of a NAG. Where several
// NAGs are possible it is the one that ChessBase uses (spec/cba.md 6, type 03).
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
// become a character of the comment, see spec/cba.md 6.
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

// nag reads the number of a NAG. Numbers above 255 have no place but the
// comment.
func (p *parser) nag() {
	start, n := p.i, 0
	for p.i < len(p.text) && isDigit(p.text[p.i]) {
		n = min(n*10+int(p.text[p.i]-'0'), 256)
		p.i++
	}
	switch {
	case start == p.i || n == 0:
		p.remark(start-1, "symbols", "%q says nothing; left out", p.text[start-1:p.i])
	case n < 256:
		p.symbol(model.NAG(n))
	case p.annotations:
		p.addText(p.text[start-1 : p.i])
	}
}

// suffix reads one or two of the signs ! and ?.
func (p *parser) suffix() {
	first := p.text[p.i]
	p.i++
	var second byte
	if p.i < len(p.text) && (p.text[p.i] == '!' || p.text[p.i] == '?') {
		second = p.text[p.i]
		p.i++
	}
	var n model.NAG
	switch {
	case first == '!' && second == 0:
		n = 1
	case first == '?' && second == 0:
		n = 2
	case first == '!' && second == '!':
		n = 3
	case first == '?' && second == '?':
		n = 4
	case first == '!':
		n = 5
	default:
		n = 6
	}
	p.symbol(n)
}

// symbol adds a NAG to the place.
func (p *parser) symbol(n model.NAG) {
	switch {
	case !p.annotations || n == 0:
	case n == nagDiagram || n == nagDiagramBlack:
		p.addText(diagram)
	case p.game.line.symbols >= 0:
		a := &p.game.notes.list[p.game.line.symbols]
		s := a.Value.(model.Symbols)
		s.Add(n)
		a.Value = s
	default:
		var s model.Symbols
		s.Add(n)
		p.game.line.symbols = p.annotate(s)
	}
}
