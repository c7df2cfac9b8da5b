package parquet

import (
	"encoding/binary"
	"fmt"
	"strings"

	"cbkit/board"
	"cbkit/model"
)

// lineBuilder makes the main line of a game.
type lineBuilder struct {
	pos   board.Position
	moves model.TreeBuilder
}

// add adds a move, which must be legal.
func (l *lineBuilder) add(m model.Move) {
	l.moves.Add(l.moves.Len()-1, m)
	l.pos.Make(m)
}

// addBytes adds moves of 16 bits, the low byte first.
func (l *lineBuilder) addBytes(b []byte) error {
	if len(b)%2 != 0 {
		return fmt.Errorf("%d bytes are not two for each move", len(b))
	}
	for ; len(b) > 0; b = b[2:] {
		m := model.Move(binary.LittleEndian.Uint16(b))
		if !l.pos.LegalLoose(m) {
			return fmt.Errorf("move %d, %v, is not legal", l.moves.Len()+1, m)
		}
		l.add(m)
	}
	return nil
}

// addUCI adds a move as UCI has it.
func (l *lineBuilder) addUCI(text string) error {
	m, err := l.pos.ParseUCI(text)
	if err != nil {
		return fmt.Errorf("move %d, %.20q: %w", l.moves.Len()+1, text, err)
	}
	l.add(m)
	return nil
}

// addMovetext adds the main line of a game in PGN. Comments, variations and
// signs are passed over.
func (l *lineBuilder) addMovetext(text string) error {
	depth := 0
	for text != "" {
		switch c := text[0]; {
		case c == '{':
			_, text, _ = strings.Cut(text, "}")
			continue
		case c == ';':
			_, text, _ = strings.Cut(text, "\n")
			continue
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c > ' ':
			n := strings.IndexAny(text, " \t\r\n{}();")
			if n < 0 {
				n = len(text)
			}
			word := text[:n]
			if text = text[n:]; depth > 0 {
				continue
			}
			done, err := l.addWord(word)
			if done || err != nil {
				return err
			}
			continue
		}
		text = text[1:]
	}
	return nil
}

// addWord adds a move of PGN, behind its number or not. A result ends the game.
func (l *lineBuilder) addWord(word string) (done bool, err error) {
	if _, ok := model.ParseResult(word); ok {
		return true, nil
	}
	move := strings.TrimLeft(word, "0123456789")
	if move == "" || move[0] != '.' && len(move) < len(word) {
		move = word // castling with zeros
	}
	move = strings.TrimRight(strings.TrimLeft(move, "."), "!?")
	if move == "" || move[0] == '$' || strings.Trim(move, "0123456789") == "" {
		return false, nil
	}
	m, err := l.pos.ParseSAN(move)
	if err != nil {
		return false, fmt.Errorf("move %d, %.20q: %w", l.moves.Len()+1, move, err)
	}
	l.add(m)
	return false, nil
}
