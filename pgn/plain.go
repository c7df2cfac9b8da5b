package pgn

import (
	"slices"

	"cbkit/model"
)

// plainWriter writes annotations for people and for other programs
// ([WriterOptions].Plain). Nothing in them is for cbkit: the symbols of a place
// stand behind its move, everything else in one comment behind them, as texts,
// commands that others know, and sentences for what PGN has no command for. A
// comment goes on until something else than words follows, so that what stands
// in front of a move joins what stands behind the one before.
type plainWriter struct {
	comment
	report func(kind model.LossKind, field, what string)
	// readable says that the text is for people alone: signs for NAGs, and
	// comments behind variations.
	readable bool
	// talks says that the comment under way has words already.
	talks bool
	rest  []model.Annotation
}

// before implements notation: the texts for that place and the questions which
// move it is, wherever they are in the list. Behind a variation, where some
// programs expect no comment, they stay with the rest.
func (w *plainWriter) before(list []model.Annotation, side bool) []model.Annotation {
	if w.readable {
		defer w.prefixes(list)
	} else if !side && w.out.closed() {
		return list
	}
	if !slices.ContainsFunc(list, isInFront) {
		return list
	}
	several := severalLanguages(list, true)
	w.rest = w.rest[:0]
	for _, a := range list {
		switch v := a.Value.(type) {
		case model.Training:
			w.sentence(v)
			continue
		case model.Text:
			if v.Before {
				if !side {
					w.changed(v, "stands where it seems to belong to the move before")
				}
				w.text(v, several)
				continue
			}
		}
		w.rest = append(w.rest, a)
	}
	return w.rest
}

// isInFront reports whether an annotation belongs in front of its move.
func isInFront(a model.Annotation) bool {
	switch v := a.Value.(type) {
	case model.Training:
		return true
	case model.Text:
		return v.Before
	}
	return false
}

// severalLanguages reports whether the texts in front of a move, or those behind
// it, are in more than one language.
func severalLanguages(list []model.Annotation, before bool) bool {
	var first model.Language
	some := false
	for i := range list {
		t, ok := list[i].Value.(model.Text)
		switch {
		case !ok || t.Before != before:
		case !some:
			first, some = t.Language, true
		case t.Language != first:
			return true
		}
	}
	return false
}

// after implements notation.
func (w *plainWriter) after(list []model.Annotation) {
	several, onlySymbols := severalLanguages(list, false), true
	for i := range list {
		if s, ok := list[i].Value.(model.Symbols); !ok {
			onlySymbols = false
		} else if w.out.empty() {
			w.lost(s) // there is no move that they could belong to
		} else {
			w.symbols(s, list)
		}
	}
	if onlySymbols {
		return
	}
	for i := range list {
		switch v := list[i].Value.(type) {
		case model.Text:
			if v.Before {
				w.changed(v, "stands behind its move")
			}
			w.text(v, several)
		case model.Symbols:
		default:
			w.value(v)
		}
	}
}

// flush implements notation.
func (w *plainWriter) flush() {
	w.talks = false
	w.write()
}

// symbols writes symbols as NAGs.
func (w *plainWriter) symbols(s model.Symbols, list []model.Annotation) {
	if w.readable {
		w.signs(s)
		return
	}
	w.nags(s)
	if !plainSymbols(list) {
		w.changed(s, "some of its symbols are left out, or go elsewhere")
	}
}

// text writes a text, behind the label of its language if there are several.
func (w *plainWriter) text(t model.Text, several bool) {
	mark := len(w.body)
	w.space()
	from := len(w.body)
	if t.Language != model.AnyLanguage && several {
		w.body = append(append(w.body, label(t.Language)...), ' ')
	}
	start := len(w.body)
	w.body = appendPlainWords(w.body, t.Text)
	if len(w.body) == start {
		w.body = w.body[:mark]
		w.lost(t)
		return
	}
	switch {
	case t.Language != model.AnyLanguage && start > from:
		w.changed(t, "its language became a label")
	case t.Language != model.AnyLanguage:
		w.changed(t, "its language is left out")
	case w.talks:
		w.changed(t, "joined with another")
	case string(w.body[start:]) != t.Text:
		w.changed(t, "blanks, line ends, braces or signs became others")
	}
	w.talks = true
}

// value writes a value as a command of other programs, or as words.
func (w *plainWriter) value(v model.Value) {
	exact := true
	switch v := v.(type) {
	case model.Medals, model.Evaluations: // ChessBase alone knows their commands
		w.lost(v)
		return
	case model.Engine:
		w.scratch, exact = appendPawns(w.scratch[:0], v)
	default:
		w.scratch, exact = appendCommand(w.scratch[:0], v)
	}
	if len(w.scratch) == 0 {
		w.sentence(v)
		return
	}
	if !exact {
		w.changed(v, "a part of it has no place in its command")
	}
	w.command(v.Kind())
}

// sentence writes a value in words.
func (w *plainWriter) sentence(v model.Value) {
	words := appendPlainWords(nil, inWords(v))
	if len(words) == 0 {
		w.lost(v)
		return
	}
	w.changed(v, "became words")
	w.words(words)
	w.talks = true
}

// lost reports what is left out.
func (w *plainWriter) lost(v model.Value) {
	w.report(model.LostAnnotation, string(v.Kind()), "left out; there are no words for it")
}

// changed reports what reads back otherwise.
func (w *plainWriter) changed(v model.Value, what string) {
	w.report(model.Changed, string(v.Kind()), what)
}
