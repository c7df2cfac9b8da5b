package pgn

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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
	// hasWords says that the comment under way has words already.
	hasWords bool
	rest     []model.Annotation
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
	if !slices.ContainsFunc(list, standsBefore) {
		return list
	}
	several := severalLanguages(list, true)
	w.rest = w.rest[:0]
	for _, a := range list {
		if !standsBefore(a) {
			w.rest = append(w.rest, a)
			continue
		}
		switch v := a.Value.(type) {
		case model.Training:
			w.sentence(v)
		case model.Text:
			if !side {
				w.changed(v, "stands where it seems to belong to the move before")
			}
			w.text(v, several)
		}
	}
	return w.rest
}

// standsBefore reports whether an annotation is written in front of its move.
func standsBefore(a model.Annotation) bool {
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
	several, onlySymbols := len(list) > 1 && severalLanguages(list, false), true
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
	w.hasWords = false
	w.write()
}

// symbols writes symbols as NAGs, or as signs.
func (w *plainWriter) symbols(s model.Symbols, list []model.Annotation) {
	if w.readable {
		for _, n := range s.NAGs() {
			sign := FormatNAG(n)
			switch {
			case sign == "" || n == s.Prefix && n > worthNAGs:
			case n <= worthNAGs: // behind the last word
				w.out.characters([]byte(sign))
			default:
				w.out.word([]byte(sign))
			}
		}
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
	start, words := len(w.body), t.Text
	if w.readable && strings.Contains(words, "[%cb") {
		words = treeCommands.ReplaceAllString(words, "")
	}
	w.body = appendPlainWords(w.body, words)
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
	case w.hasWords:
		w.changed(t, "joined with another")
	case string(w.body[start:]) != t.Text:
		w.changed(t, "blanks, line ends, braces or signs became others")
	}
	w.hasWords = true
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

// sentence writes a value in words, if there are any.
func (w *plainWriter) sentence(v model.Value) {
	said := ""
	switch v := v.(type) {
	case model.Training:
		said = trainingInWords(v)
	case model.Quotation:
		// As ChessBase writes a quoted game: "1-0 Tal,M-Aronin,L URS-ch24 Moscow 1957 (17)"
		// (docs/formats/cba.md 6).
		words := []string{v.Result.String(), v.White + "-" + v.Black, v.Event, v.Site}
		if v.Date.Year != 0 {
			words = append(words, strconv.Itoa(int(v.Date.Year)))
		}
		switch {
		case v.Subround != 0:
			words = append(words, fmt.Sprintf("(%d.%d)", v.Round, v.Subround))
		case v.Round != 0:
			words = append(words, fmt.Sprintf("(%d)", v.Round))
		}
		said = strings.Join(words, " ")
	case model.WebLink:
		said = v.Caption + " " + v.URL
	case model.Critical:
		if int(v) < len(criticalWords) {
			said = criticalWords[v]
		}
	case model.Clock:
		player := "White"
		if v.Player == model.Black {
			player = "Black"
		}
		seconds := v.Centiseconds / 100
		said = fmt.Sprintf("%s's clock: %d:%02d:%02d", player, seconds/3600, seconds/60%60, seconds%60)
	}
	words := appendPlainWords(nil, said)
	if len(words) == 0 {
		w.lost(v)
		return
	}
	w.changed(v, "became words")
	w.words(words)
	w.hasWords = true
}

// lost reports what is left out.
func (w *plainWriter) lost(v model.Value) {
	w.report(model.LostAnnotation, string(v.Kind()), "left out; there are no words for it")
}

// changed reports what reads back otherwise.
func (w *plainWriter) changed(v model.Value, what string) {
	w.report(model.Changed, string(v.Kind()), what)
}

// What the comments for people say in words.

// label stands in front of a text in a language.
func label(l model.Language) string { return "(" + l.String() + ")" }

// criticalWords say what a critical position is of.
var criticalWords = [...]string{
	model.CriticalOpening: "Critical position of the opening.", model.CriticalMiddlegame: "Critical position of the middlegame.",
	model.CriticalEndgame: "Critical position of the endgame.",
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

// appendPlainWords appends a text as words that can stand in a comment, with
// signs that every program can show and nothing that cbkit takes for a value. Blanks are single, and none stands at either end.
func appendPlainWords(dst []byte, text string) []byte {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	start := len(dst)
	if areWords(text) {
		return append(dst, text...)
	}
	for i := 0; i < len(text); {
		n := i
		for n < len(text) && !oddInWords[text[n]] {
			n++
		}
		if dst = append(dst, text[i:n]...); n == len(text) {
			break
		}
		width := 1
		switch b := text[n]; {
		case b == '{':
			dst = append(dst, '(')
		case b == '}':
			dst = append(dst, ')')
		case b == '[' && (strings.HasPrefix(text[n:], "[%"+rawCommand) || strings.HasPrefix(text[n:], "[%"+textCommand)):
			dst = append(dst, '(') // it would become a value (docs/formats/pgn.md 6)
		case b == '[':
			dst = append(dst, '[')
		case b == diagram[0]:
			dst, width = appendPlainSign(dst, text[n:])
		case len(dst) > start && dst[len(dst)-1] != ' ': // blanks and control characters
			dst = append(dst, ' ')
		}
		i = n + width
	}
	if len(dst) > start && dst[len(dst)-1] == ' ' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// areWords reports whether a text needs no change. Blanks are looked at apart: a branch at the
// end of each word is a slow one.
func areWords(text string) bool {
	for i := range len(text) {
		if oddSigns[text[i]] {
			return false
		}
	}
	return !strings.HasPrefix(text, " ") && !strings.HasSuffix(text, " ") && !strings.Contains(text, "  ")
}

// oddInWords has the bytes that a text may have to be changed for, oddSigns those but the blank.
var oddInWords, oddSigns = oddBytes(" {}["), oddBytes("{}[")

// appendPlainSign appends what stands for the first character of a text.
func appendPlainSign(dst []byte, text string) (out []byte, width int) {
	r, width := utf8.DecodeRuneInString(text)
	sign, isSign := plainSigns[r]
	if !isSign {
		sign = text[:width]
	}
	return append(dst, sign...), width
}

// PlainText returns a comment in which common characters replace the figurines and signs
// of ChessBase's fonts, which are private-use characters; "[#]" stands for a diagram.
func PlainText(text string) string {
	i := strings.IndexFunc(text, func(r rune) bool { _, is := plainSigns[r]; return is })
	if i < 0 {
		return text
	}
	out := append(make([]byte, 0, len(text)), text[:i]...)
	for width := 0; i < len(text); i += width {
		out, width = appendPlainSign(out, text[i:])
	}
	return string(out)
}

// plainSigns are what stands for the figurines and signs of ChessBase's fonts,
// which others cannot show (docs/formats/cba.md 6). A pawn has no letter.
var plainSigns = map[rune]string{
	0xE024: "K", 0xE025: "Q", 0xE026: "R", 0xE027: "B", 0xE028: "N", 0xE029: "",
	0xE000: "=/∞", 0xE008: "passed pawn", 0xE009: "∞", 0xE00A: "±", 0xE00D: "∆", 0xE00E: "⟪", 0xE00F: "⟫",
	0xE012: "↑", 0xE013: "→", 0xE017: "⇆", 0xE018: "⇔", 0xE019: "⇗", 0xE01A: "∓", 0xE01B: "⌞", 0xE01C: "⊕",
	0xE01D: "⊙", 0xE01E: "⊞", 0xE01F: "⊥", 0xE020: "⌓", 0xE021: "□", 0xE023: "○", 0xE02E: "⩱", 0xE02F: "⩲",
	diagramRune: diagramMark,
	0xE001:      "bishop pair", 0xE002: "opposite bishops", 0xE003: "bishops of the same colour",
}

// AppendReadable appends a game for display: like [AppendPlainGame], but with signs such
// as !? instead of NAGs, and every variation on lines of its own, indented and numbered:
//
//  3. Bb5 a6!?
//     [1] (3... Nf6 4. O-O
//     [2] (4. d3)
//     4... Nxe4)
//  4. Ba4
//
// The first move of variation n is node lines[n]; lines[0] is the first move of the main
// line.
func AppendReadable(dst []byte, g *model.Game, e *model.Entities) (text []byte, lines []int) {
	var enc encoder
	enc.init(true, nil)
	enc.notation.(*plainWriter).readable = true
	enc.out.setIn = true
	enc.lines = []int{g.Moves.Main(model.NoNode)}
	return enc.appendGame(dst, g, e), enc.lines
}

// indent is how far a variation is set in, in characters.
const indent = 4

// nagSigns are the signs that people know, by NAG; those of the worth of a move
// stand at it, without a blank.
var nagSigns = map[model.NAG]string{
	1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!",
	7: "□", 8: "□", 10: "=", 11: "=", 12: "=", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓", 18: "+-", 19: "-+", 20: "+-", 21: "-+",
	22: "⊙", 23: "⊙", 26: "○", 27: "○", 32: "↻", 33: "↻", 36: "↑", 37: "↑", 40: "→", 41: "→", 44: "=/∞", 45: "=/∞", 132: "⇆", 133: "⇆", 138: "⊕", 139: "⊕",
	140: "∆", 141: "∇", 142: "⌓", 143: "≤", 144: "=", 145: "RR", 146: "N", 238: "○", 239: "⇔", 240: "⇗", 241: "⊞", 242: "⟫", 243: "⟪", 244: "✕", 245: "⊥",
}

// worthNAGs is the last of those that tell the worth of a move.
const worthNAGs model.NAG = 6

// prefixes puts the symbols of a move that belong in front of it behind its
// number: those that are letters stand apart.
func (w *plainWriter) prefixes(list []model.Annotation) {
	for _, a := range list {
		s, ok := a.Value.(model.Symbols)
		if sign := FormatNAG(s.Prefix); ok && sign != "" && s.Prefix > worthNAGs {
			if w.out.lead = append(w.out.lead, sign...); sign[0] < utf8.RuneSelf {
				w.out.lead = append(w.out.lead, ' ')
			}
		}
	}
}

// FormatNAG returns the usual sign of a NAG, such as "!?" or "±", or its number, "$99",
// if it has none; "" for a NAG that is no symbol.
func FormatNAG(n model.NAG) string {
	if sign, ok := nagSigns[n]; ok || n == 0 || n == nagDiagram || n == nagDiagramBlack {
		return sign
	}
	return "$" + strconv.Itoa(int(n))
}

// treeCommands are the commands in trees of games (docs/formats/pgn.md 6.1), behind which
// words say the same.
var treeCommands = regexp.MustCompile(`\[%cb(game|see)\b[^\]]*\] ?`)
