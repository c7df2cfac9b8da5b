package pgn

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"cbkit/model"
)

// leadingText writes a text in front of a move. At the beginning of a
// variation that is what a plain comment means.
func (w *commentWriter) leadingText(t model.Text, variation bool) {
	exact := w.isExact(t.Text)
	if variation && exact && t.Language == model.AnyLanguage && !w.plain && !w.text && t.Text != "" {
		w.plain = true
		w.words([]byte(t.Text))
		return
	}
	w.announced(t, exact, true)
}

// trailingText writes a text behind its move.
func (w *commentWriter) trailingText(t model.Text) {
	exact := w.isExact(t.Text)
	if exact && t.Language == model.AnyLanguage && !t.Before && !w.plain && !w.text && t.Text != "" {
		w.plain = true
		w.words([]byte(t.Text))
		return
	}
	w.announced(t, exact, false)
}

// announced writes a text that a command announces.
func (w *commentWriter) announced(t model.Text, exact, next bool) {
	if !utf8.ValidString(t.Text) {
		w.raw(t)
		return
	}
	w.text = true
	w.scratch = appendTextHead(w.scratch[:0], t, !exact, next)
	w.words(w.scratch)
	if exact {
		w.words([]byte(t.Text))
	} else {
		w.words([]byte(readable(t.Text)))
	}
}

// readable returns a text as it can stand in a comment without meaning
// anything but words.
func readable(text string) string {
	return normalize(strings.Map(func(r rune) rune {
		switch {
		case r == '{' || r == '[':
			return '('
		case r == '}' || r == ']':
			return ')'
		case r < ' ' || r == 0x7F || r == diagramRune:
			return ' '
		}
		return r
	}, text))
}

// isExact reports whether a text in a comment reads back as it is, whatever
// stands before and behind it.
func (w *commentWriter) isExact(text string) bool {
	mayBeCommand := false
	var find commandFinder
	for i := range len(text) {
		switch b := text[i]; {
		case b == '}' || isControl(b), b == ' ' && (i == 0 || i+1 == len(text) || text[i+1] == ' '):
			return false
		case b == diagram[0]:
			mayBeCommand = mayBeCommand || strings.HasPrefix(text[i:], diagram)
		case b != '[' || i+2 >= len(text):
		case text[i+1] == '#' && text[i+2] == ']':
			return false
		case text[i+1] == '%' && isLetter(text[i+2]):
			end := find.end(text, i)
			if end < 0 || strings.HasPrefix(text[i:], "[%tqu") {
				return false
			}
			mayBeCommand = mayBeCommand || splitCommand(text[i:end]).known()
		}
	}
	return utf8.ValidString(text) && (!mayBeCommand || w.readsBack(text))
}

// readsBack reports whether the reader makes nothing but a text of a text.
func (w *commentWriter) readsBack(text string) bool {
	p := &w.reader
	p.annotations = true
	p.game.notes.reset()
	p.game.line = line{node: model.NoNode, place: newPlace(0)}
	p.comment(string(appendMarks(nil, []byte(text))))
	list := p.game.notes.list
	return len(list) == 1 && list[0].Value.Equal(model.Text{Text: text})
}

// appendMarks appends a text with PGN's mark for every diagram.
func appendMarks(dst, text []byte) []byte {
	for {
		k := bytes.Index(text, []byte(diagram))
		if k < 0 {
			return append(dst, text...)
		}
		dst = append(append(dst, text[:k]...), diagramMark...)
		text = text[k+len(diagram):]
	}
}
