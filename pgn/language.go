package pgn

import (
	"slices"
	"strings"

	"cbkit/board"
	"cbkit/model"
)

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
	if strings.HasPrefix(word, "O-O") {
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
