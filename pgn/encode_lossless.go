package pgn

import (
	"slices"
	"strings"
	"unicode/utf8"

	"cbkit/model"
)

// losslessWriter writes annotations so that they read back as they are.
type losslessWriter struct {
	comment
	// plain says that the place has its plain text, which another one would
	// join; text, that the comment under way has one that runs to its end.
	plain, text bool

	rest   []model.Annotation
	counts map[model.Kind]kindCount
	reader parser // for texts that may not read back as they are
}

// before implements notation: the texts for that place and the question which
// move it is, as long as nothing else comes before them. At the beginning of a
// side line all such texts stand in front, those that come later with their
// place in the list.
func (w *losslessWriter) before(list []model.Annotation, side bool) []model.Annotation {
	defer w.flush()
	w.plain = false
	n := 0
	for ; n < len(list); n++ {
		if v, isTraining := list[n].Value.(model.Training); isTraining && w.question(v, list) {
			continue
		}
		if !isLeading(list[n]) {
			break
		}
		// At the beginning of a side line that is what a plain comment means.
		t := list[n].Value.(model.Text)
		if exact := w.isExact(t.Text); side && exact && w.isPlain(t) {
			w.plainText(t.Text)
		} else {
			w.announced(t, exact, textPlace{next: true})
		}
	}
	if list = list[n:]; !side || !slices.ContainsFunc(list, isLeading) {
		return list
	}
	w.rest = w.rest[:0]
	for i, a := range list {
		if !isLeading(a) {
			w.rest = append(w.rest, a)
			continue
		}
		t := a.Value.(model.Text)
		w.announced(t, w.isExact(t.Text), textPlace{next: true, at: n + i})
	}
	return w.rest
}

// isLeading reports whether an annotation is a text in front of the move that
// can be written there.
func isLeading(a model.Annotation) bool {
	t, ok := a.Value.(model.Text)
	return ok && t.Before && utf8.ValidString(t.Text)
}

// after implements notation.
func (w *losslessWriter) after(list []model.Annotation) {
	w.plain, w.text = false, false
	rawSymbols := !plainSymbols(list)
	if len(list) > 1 && hasCommands(list) {
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
	for i := range list {
		switch v := list[i].Value.(type) {
		case model.Text:
			if exact := w.isExact(v.Text); exact && !v.Before && w.isPlain(v) {
				w.plainText(v.Text)
			} else {
				w.announced(v, exact, textPlace{})
			}
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

// flush implements notation.
func (w *losslessWriter) flush() {
	w.text = false
	w.write()
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

// plainSymbols reports whether the NAGs of a place read back as its symbols:
// there is one value, and every NAG is in the slot it belongs to.
func plainSymbols(list []model.Annotation) bool {
	several := false
	for i := range list {
		s, ok := list[i].Value.(model.Symbols)
		if !ok {
			continue
		}
		if several {
			return false
		}
		several = true
		if len(s.More) == 0 && s.Prefix == 0 && s.Move <= 9 && s.Position <= 21 && (s.Position == 0 || s.Position > 9) &&
			s.Move|s.Position != 0 {
			continue // as most are: one for the move, one for the position or both, each in its slot
		}
		var back model.Symbols
		var nags [4]model.NAG
		for _, n := range s.AppendNAGs(nags[:0]) {
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
func (w *losslessWriter) typed(v model.Value, only bool) {
	var exact bool
	w.scratch, exact = appendCommand(w.scratch[:0], v)
	if exact && !only {
		// No other value of its kind may need a raw command, for which this one would be
		// taken for a copy, and none may join it.
		kind := v.Kind()
		c := w.counts[kind]
		exact = c.values == 1 || c.exact == c.values && kind != model.KindSquares && kind != model.KindArrows
	}
	if exact {
		w.command(v.Kind())
		return
	}
	if len(w.scratch) > 0 {
		if _, ok := splitCommand(string(w.scratch)).value(nil); ok {
			w.command(v.Kind())
		}
	}
	w.raw(v)
}

// kindCount counts the values of a kind at a place, and those of which a
// command says all.
type kindCount struct{ values, exact int }

// question writes a training question in front of its move. It returns false
// if the question takes a raw command to be whole: then what was written is a
// copy for other programs.
func (w *losslessWriter) question(t model.Training, list []model.Annotation) bool {
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
	questions := 0
	for i := range list {
		if list[i].Value.Kind() == model.KindTraining {
			questions++
		}
	}
	return back.Equal(t) && questions == 1
}

// raw writes a value as a raw command.
func (w *losslessWriter) raw(v model.Value) {
	w.scratch = appendRaw(w.scratch[:0], v)
	w.words(w.scratch)
}

// isPlain reports whether a text can be the plain one of its place.
func (w *losslessWriter) isPlain(t model.Text) bool {
	return t.Language == model.AnyLanguage && !w.plain && !w.text && t.Text != ""
}

// plainText writes the plain text of the place.
func (w *losslessWriter) plainText(text string) {
	w.plain = true
	w.space()
	w.body = appendMarks(w.body, text)
}

// announced writes a text that a command announces.
func (w *losslessWriter) announced(t model.Text, exact bool, place textPlace) {
	if !utf8.ValidString(t.Text) {
		w.raw(t)
		return
	}
	w.text = true
	text, escaped := t.Text, false
	if !exact {
		text = escapeBlanks(text)
		if escaped = w.isExact(text); !escaped {
			text = readable(t.Text)
		}
	}
	w.scratch = appendTextHead(w.scratch[:0], t, !exact && !escaped, escaped, place)
	w.words(w.scratch)
	if text != "" {
		w.space()
		w.body = appendMarks(w.body, text)
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
func (w *losslessWriter) isExact(text string) bool {
	if strings.HasPrefix(text, " ") || strings.HasSuffix(text, " ") || strings.Contains(text, "  ") {
		return false
	}
	mayBeCommand := false
	var find commandFinder
	for i := range len(text) {
		if !oddInText[text[i]] {
			continue
		}
		switch b := text[i]; {
		case b == '}' || isControl(b):
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
	if !utf8.ValidString(text) {
		return false
	}
	if !mayBeCommand {
		return true
	}
	// The reader has to make nothing but this text of it.
	p := &w.reader
	p.annotations = true
	p.game.annotations.reset()
	p.game.line = line{node: model.NoNode, place: newPlace(0)}
	p.comment(string(appendMarks(nil, text)))
	list := p.game.annotations.list
	return len(list) == 1 && list[0].Value.Equal(model.Text{Text: text})
}

// oddInText has the bytes that a text may have to be looked at for.
var oddInText = oddBytes("}[")

// oddBytes returns a table of some signs, control characters, and the first byte of a diagram.
func oddBytes(signs string) (table [256]bool) {
	for b := range table {
		table[b] = isControl(byte(b)) || byte(b) == diagram[0] || strings.IndexByte(signs, byte(b)) >= 0
	}
	return table
}
