package pgn

import (
	"fmt"
	"strconv"
	"strings"

	"cbkit/model"
)

// Comments for people and for other programs ([WriterOptions].Plain). Nothing
// in them is for cbkit: texts with a label for their language, sentences for
// values that PGN has no command for.

// plainNotes says that comments are plain, and whom to tell of what they do not
// say.
type plainNotes struct {
	on     bool
	report func(kind model.LossKind, field, format string, args ...any)
}

// lost reports what is left out, changed what becomes words.
func (p *plainNotes) lost(v model.Value) {
	p.tell(model.LostAnnotation, v, "left out; there are no words for it")
}

func (p *plainNotes) changed(v model.Value, what string) { p.tell(model.Changed, v, what) }

func (p *plainNotes) tell(kind model.LossKind, v model.Value, what string) {
	if p.report != nil {
		p.report(kind, string(v.Kind()), "%s", what)
	}
}

// writePlainLeading writes what stands in front of the move, and returns the
// rest: the texts for that place and the questions which move it is, wherever
// they are in the list.
func (w *commentWriter) writePlainLeading(list []model.Annotation, variation bool) (rest []model.Annotation) {
	for i := range list {
		switch v := list[i].Value.(type) {
		case model.Training:
			w.sentence(v)
			continue
		case model.Text:
			if v.Before {
				if !variation {
					w.plainNotes.changed(v, "stands where it seems to belong to the move before")
				}
				w.plainText(v)
				continue
			}
		}
		rest = append(rest, list[i])
	}
	w.flush()
	return rest
}

// writePlain writes annotations behind their move.
func (w *commentWriter) writePlain(list []model.Annotation) {
	for i := range list {
		switch v := list[i].Value.(type) {
		case model.Text:
			w.plainText(v)
		case model.Symbols:
			w.flush()
			w.nags(v)
			if !plainSymbols(list) {
				w.plainNotes.changed(v, "some of its symbols are left out, or go elsewhere")
			}
		default:
			w.plainValue(v)
		}
	}
	w.flush()
}

// plainText writes a text behind the label of its language.
func (w *commentWriter) plainText(t model.Text) {
	words := plainWords(t.Text)
	if words == "" {
		w.plainNotes.lost(t)
		return
	}
	if t.Language != model.AnyLanguage {
		w.words([]byte(label(t.Language)))
		w.plainNotes.changed(t, "its language became a label")
	}
	if w.plain {
		w.plainNotes.changed(t, "joined with another")
	}
	w.plain = true
	if words != t.Text {
		w.plainNotes.changed(t, "blanks, line ends, braces or signs became others")
	}
	w.words([]byte(words))
}

// plainValue writes a value as a command of other programs, or as words.
func (w *commentWriter) plainValue(v model.Value) {
	var exact bool
	w.scratch, exact = appendCommand(w.scratch[:0], v)
	if len(w.scratch) == 0 {
		w.sentence(v)
		return
	}
	if !exact {
		w.plainNotes.changed(v, "a part of it has no place in its command")
	}
	w.command(v.Kind())
}

// sentence writes a value in words.
func (w *commentWriter) sentence(v model.Value) {
	words := plainWords(inWords(v))
	if words == "" {
		w.plainNotes.lost(v)
		return
	}
	w.plainNotes.changed(v, "became words")
	w.words([]byte(words))
}

// label stands in front of a text in a language.
func label(l model.Language) string { return "(" + l.String() + ")" }

// inWords says in words what there is no command for, "" if there are none.
func inWords(v model.Value) string {
	switch v := v.(type) {
	case model.Training:
		return trainingInWords(v)
	case model.Quotation:
		return quotationInWords(v)
	case model.WebLink:
		return v.Caption + " " + v.URL
	case model.Critical:
		if int(v) < len(criticalWords) {
			return criticalWords[v]
		}
	case model.Clock:
		player := "White"
		if v.Player == model.Black {
			player = "Black"
		}
		seconds := v.Centiseconds / 100
		return fmt.Sprintf("%s's clock: %d:%02d:%02d", player, seconds/3600, seconds/60%60, seconds%60)
	}
	return ""
}

// criticalWords say what a critical position is of.
var criticalWords = [...]string{
	model.CriticalOpening: "Critical position of the opening.", model.CriticalMiddlegame: "Critical position of the middlegame.",
	model.CriticalEndgame: "Critical position of the endgame.",
}

// quotationInWords returns the line that ChessBase writes for a quoted game:
// "1-0 Tal,M-Aronin,L URS-ch24 Moscow 1957 (17)" (docs/formats/cba.md 6).
func quotationInWords(q model.Quotation) string {
	words := []string{q.Result.String(), q.White + "-" + q.Black, q.Event, q.Site}
	if q.Date.Year != 0 {
		words = append(words, strconv.Itoa(int(q.Date.Year)))
	}
	switch {
	case q.Subround != 0:
		words = append(words, fmt.Sprintf("(%d.%d)", q.Round, q.Subround))
	case q.Round != 0:
		words = append(words, fmt.Sprintf("(%d)", q.Round))
	}
	return strings.Join(words, " ")
}

// trainingInWords asks a training question.
func trainingInWords(t model.Training) string {
	head := "Training"
	if t.Seconds > 0 {
		head += fmt.Sprintf(" (%d seconds)", t.Seconds)
	}
	var parts []string
	add := func(name string, list []model.TrainingText) {
		if text := textsInWords(list); text != "" {
			parts = append(parts, name+text)
		}
	}
	add("", t.Question)
	add("hint: ", t.FirstHint)
	add("hint: ", t.SecondHint)
	for _, s := range t.Solutions {
		points := "points"
		if s.Points == 1 {
			points = "point"
		}
		name := fmt.Sprintf("%v-%v, %d %s", s.From, s.To, s.Points, points)
		if text := textsInWords(s.Reply); text != "" {
			name += ": " + text
		}
		parts = append(parts, name)
	}
	add("otherwise: ", t.WrongReply)
	return head + ": " + strings.Join(parts, "; ")
}

// textsInWords returns a text in its languages.
func textsInWords(list []model.TrainingText) string {
	var parts []string
	for _, t := range list {
		switch {
		case t.Text == "":
		case len(list) == 1 || t.Language == model.AnyLanguage:
			parts = append(parts, t.Text)
		default:
			parts = append(parts, label(t.Language)+" "+t.Text)
		}
	}
	return strings.Join(parts, " ")
}

// plainWords returns a text as words that can stand in a comment, with signs
// that every program can show.
func plainWords(text string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		switch sign, isSign := plainSigns[r]; {
		case isSign:
			b.WriteString(sign)
		case r == '{':
			b.WriteByte('(')
		case r == '}':
			b.WriteByte(')')
		case r < ' ' || r == 0x7F:
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return trimBlanks(normalize(b.String()))
}

// plainSigns are what stands for the figurines and signs of ChessBase's fonts,
// which others cannot show (docs/formats/cba.md 6). A pawn has no letter; a diagram has
// a mark of its own in PGN.
var plainSigns = map[rune]string{
	0xE024: "K", 0xE025: "Q", 0xE026: "R", 0xE027: "B", 0xE028: "N", 0xE029: "",
	0xE000: "=/∞", 0xE008: "passed pawn", 0xE009: "∞", 0xE00A: "±", 0xE00D: "∆", 0xE00E: "⟪", 0xE00F: "⟫",
	0xE012: "↑", 0xE013: "→", 0xE017: "⇆", 0xE018: "⇔", 0xE019: "⇗", 0xE01A: "∓", 0xE01B: "⌞", 0xE01C: "⊕",
	0xE01D: "⊙", 0xE01E: "⊞", 0xE01F: "⊥", 0xE020: "⌓", 0xE021: "□", 0xE023: "○", 0xE02E: "⩱", 0xE02F: "⩲",
	0xE001: "bishop pair", 0xE002: "opposite bishops", 0xE003: "bishops of the same colour",
}
