package pgn

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"cbkit/model"
)

// What the comments for people say in words.

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

// appendPlainWords appends a text as words that can stand in a comment, with
// signs that every program can show and nothing that cbkit takes for a command
// of its own. Blanks are single, and none stands at either end.
func appendPlainWords(dst []byte, text string) []byte {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	start := len(dst)
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
		case b == '[' && strings.HasPrefix(text[n:], "[%cb"):
			dst = append(dst, '(')
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

// oddInWords has the bytes that a text may have to be changed for.
var oddInWords = func() (table [256]bool) {
	for b := range table {
		table[b] = isControl(byte(b)) || strings.IndexByte(" {}[", byte(b)) >= 0
	}
	table[diagram[0]] = true
	return table
}()

// appendPlainSign appends what stands for the first character of a text.
func appendPlainSign(dst []byte, text string) (out []byte, width int) {
	r, width := utf8.DecodeRuneInString(text)
	sign, isSign := plainSigns[r]
	if !isSign {
		sign = text[:width]
	}
	return append(dst, sign...), width
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
