package pgn

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"cbkit/model"
)

// commentWriter writes the annotations of one place after the other. What it
// writes reads back as the same values in the same order.
type commentWriter struct {
	out  *wrapper
	body []byte // the comment under way, words separated by single blanks
	// plain says that the place has its plain text, which another one would
	// join; text, that the comment under way has one that runs to its end.
	plain, text bool
	// marks says that the comment under way ends with marked squares or
	// arrows, which ChessBase joins to what follows.
	marks bool
	// wrote says that a comment was written.
	wrote bool

	plainNotes plainNotes

	counts  map[model.Kind]kindCount
	scratch []byte
	reader  parser // for texts that may not read back as they are
}

// begin prepares for the annotations of a place.
func (w *commentWriter) begin(out *wrapper) {
	w.out = out
	w.body = w.body[:0]
	w.plain, w.text, w.wrote = false, false, false
}

// writeLeading writes what stands in front of the move: the texts for that
// place and the question which move it is, as long as nothing else comes
// before them. It returns the rest.
func (w *commentWriter) writeLeading(list []model.Annotation, variation bool) []model.Annotation {
	if w.plainNotes.on {
		return w.writePlainLeading(list, variation)
	}
	defer w.flush()
	for i := range list {
		switch v := list[i].Value.(type) {
		case model.Text:
			if !v.Before || !utf8.ValidString(v.Text) {
				return list[i:]
			}
			w.leadingText(v, variation)
		case model.Training:
			if !w.question(v, list) {
				return list[i:]
			}
		default:
			return list[i:]
		}
	}
	return nil
}

// write writes annotations behind their move.
func (w *commentWriter) write(list []model.Annotation) {
	w.plain, w.text, w.wrote = false, false, false
	if w.plainNotes.on {
		w.writePlain(list)
		return
	}
	rawSymbols := !plainSymbols(list)
	if len(list) > 1 && hasCommands(list) {
		w.countKinds(list)
	}
	for i := range list {
		switch v := list[i].Value.(type) {
		case model.Text:
			w.trailingText(v)
		case model.Symbols:
			w.flush()
			w.nags(v)
			if rawSymbols {
				w.raw(v)
			}
		case model.Training:
			w.raw(v)
		default:
			w.typed(v, len(list) == 1)
		}
	}
	w.flush()
}

// hasCommands reports whether there are other values than texts and symbols.
func hasCommands(list []model.Annotation) bool {
	for i := range list {
		if kind := list[i].Value.Kind(); kind != model.KindText && kind != model.KindSymbols {
			return true
		}
	}
	return false
}

// nags writes symbols as NAGs.
func (w *commentWriter) nags(s model.Symbols) {
	var buf [8]byte
	for _, n := range s.NAGs() {
		if n == 0 || n == nagDiagram || n == nagDiagramBlack {
			continue
		}
		w.out.word(strconv.AppendUint(append(buf[:0], '$'), uint64(n), 10))
	}
}

// plainSymbols reports whether the NAGs of a place read back as its symbols:
// there is one value, and every NAG is in the slot it belongs to.
func plainSymbols(list []model.Annotation) bool {
	if count(model.KindSymbols, list) > 1 {
		return false
	}
	for i := range list {
		s, ok := list[i].Value.(model.Symbols)
		if !ok {
			continue
		}
		var back model.Symbols
		for _, n := range s.NAGs() {
			if n == nagDiagram || n == nagDiagramBlack {
				return false
			}
			back.Add(n)
		}
		if back.Equal(model.Symbols{}) || !back.Equal(s) {
			return false
		}
	}
	return true
}

// typed writes a value as a command. If that does not say all of it, a raw
// command does, and the other one stays as a copy for other programs. Only says
// that there is nothing else at the place.
func (w *commentWriter) typed(v model.Value, only bool) {
	var exact bool
	w.scratch, exact = appendCommand(w.scratch[:0], v)
	if exact && (only || w.alone(v.Kind())) {
		w.command(v.Kind())
		return
	}
	if len(w.scratch) > 0 {
		if _, ok := splitCommand(string(w.scratch)).value(); ok {
			w.command(v.Kind())
		}
	}
	w.raw(v)
}

// command adds the command in scratch to the comment under way. There is no
// blank between marked squares, arrows and medals (docs/formats/pgn.md 5).
func (w *commentWriter) command(kind model.Kind) {
	isMarks := kind == model.KindSquares || kind == model.KindArrows
	if w.marks && (isMarks || kind == model.KindMedals) {
		w.body = append(w.body, w.scratch...)
	} else {
		w.words(w.scratch)
	}
	w.marks = isMarks
}

// alone reports, of a value whose command says all of it, whether it may do
// without a raw one: no other value of its kind needs one, for which it would
// be taken for a copy, and none would join it.
func (w *commentWriter) alone(kind model.Kind) bool {
	c := w.counts[kind]
	return c.values == 1 || c.exact == c.values && kind != model.KindSquares && kind != model.KindArrows
}

// kindCount counts the values of a kind at a place, and those of which a
// command says all.
type kindCount struct{ values, exact int }

// countKinds prepares for alone.
func (w *commentWriter) countKinds(list []model.Annotation) {
	if w.counts == nil {
		w.counts = make(map[model.Kind]kindCount)
	}
	clear(w.counts)
	for i := range list {
		v := list[i].Value
		c := w.counts[v.Kind()]
		c.values++
		var exact bool
		if w.scratch, exact = appendCommand(w.scratch[:0], v); exact {
			c.exact++
		}
		w.counts[v.Kind()] = c
	}
}

// question writes a training question in front of its move. It returns false
// if the question has to be told by a raw command: then what was written is a
// copy for other programs.
func (w *commentWriter) question(t model.Training, list []model.Annotation) bool {
	w.scratch, _ = appendTraining(w.scratch[:0], t)
	if len(w.scratch) == 0 {
		return false
	}
	c := splitCommand(string(w.scratch))
	back, ok := parseTraining(c.args)
	if !ok || !c.is(appendTraining(nil, back)) {
		return false
	}
	w.words(w.scratch)
	return back.Equal(t) && count(model.KindTraining, list) == 1
}

// count returns how many values of a kind there are.
func count(kind model.Kind, list []model.Annotation) (n int) {
	for i := range list {
		if list[i].Value.Kind() == kind {
			n++
		}
	}
	return n
}

// raw writes a value as a raw command.
func (w *commentWriter) raw(v model.Value) {
	w.scratch = appendRaw(w.scratch[:0], v)
	w.words(w.scratch)
}

// words adds words to the comment under way.
func (w *commentWriter) words(s []byte) {
	if len(s) == 0 {
		return
	}
	if len(w.body) > 0 {
		w.body = append(w.body, ' ')
	}
	w.body = appendMarks(w.body, s)
	w.marks = false
}

// flush ends the comment under way.
func (w *commentWriter) flush() {
	w.text, w.marks = false, false
	if len(w.body) == 0 {
		return
	}
	w.wrote = true
	w.out.comment(w.body)
	w.body = w.body[:0]
}

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
