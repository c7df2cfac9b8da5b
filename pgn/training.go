package pgn

import (
	"slices"
	"strconv"
	"strings"

	"cbkit/model"
)

// The command for a training question (docs/formats/pgn.md 5). It stands in the
// comment before the move that is asked for:
//
//	[%tqu "En","question","hint","hint","f6h7","reply",6,"De",...]
//
// that is, for each language the question, two hints, and the best solution
// with the reply to it and its points; further solutions follow as
// ("d4d3","reply",0). A text that is missing in a language is "". The time, the
// reply to a wrong move, and whether a text is missing or empty have no place in
// it. Only where the other texts do not tell which languages there are, and in
// which order, the question is taken to have them all, some of them empty.

// appendTraining appends the command and reports whether it says all of t that
// is not about languages.
func appendTraining(dst []byte, t model.Training) (command []byte, exact bool) {
	if len(t.Solutions) == 0 {
		return dst, false
	}
	exact = t.Seconds == 0 && len(t.WrongReply) == 0 && t.Points == bestPoints(t.Solutions)
	w := trainingWriter{dst: append(dst, "[%tqu "...), exact: exact}
	question, first, second := byLanguage(t.Question), byLanguage(t.FirstHint), byLanguage(t.SecondHint)
	replies := make([]map[model.Language]string, len(t.Solutions))
	for k := range t.Solutions {
		replies[k] = byLanguage(t.Solutions[k].Reply)
	}
	for i, l := range trainingLanguages(&t) {
		if i > 0 {
			w.dst = append(w.dst, ',')
		}
		word := l.String()
		if len(word) == 2 && isLetter(word[0]) {
			word = string(word[0]-'a'+'A') + word[1:] // "En"
		}
		w.text(word, ',')
		w.text(question[l], ',')
		w.text(first[l], ',')
		w.text(second[l], ',')
		for k, s := range t.Solutions {
			w.exact = w.exact && s.Promotion == 0
			if k > 0 {
				w.dst = append(w.dst, ",("...)
			}
			w.text(model.NewMove(s.From, s.To).String(), ',')
			w.text(replies[k][l], ',')
			if w.dst = strconv.AppendUint(w.dst, uint64(s.Points), 10); k > 0 {
				w.dst = append(w.dst, ')')
			}
		}
	}
	return append(w.dst, ']'), w.exact
}

// bestPoints returns the points of the best solution.
func bestPoints(list []model.Solution) (points uint16) {
	for _, s := range list {
		points = max(points, uint16(s.Points))
	}
	return points
}

// trainingLanguages returns the languages of all parts: those of the part that
// has the most texts in its order, which is that of the others too as a rule,
// and then the rest.
func trainingLanguages(t *model.Training) []model.Language {
	lists := [][]model.TrainingText{t.Question, t.FirstHint, t.SecondHint}
	for _, s := range t.Solutions {
		lists = append(lists, s.Reply)
	}
	slices.SortStableFunc(lists, func(a, b []model.TrainingText) int { return len(b) - len(a) })
	var languages []model.Language
	seen := map[model.Language]bool{}
	for _, text := range slices.Concat(lists...) {
		if !seen[text.Language] {
			seen[text.Language] = true
			languages = append(languages, text.Language)
		}
	}
	if len(languages) == 0 {
		return []model.Language{model.English}
	}
	return languages
}

// byLanguage returns the first text of each language.
func byLanguage(list []model.TrainingText) map[model.Language]string {
	texts := make(map[model.Language]string, len(list))
	for i := len(list) - 1; i >= 0; i-- {
		texts[list[i].Language] = list[i].Text
	}
	return texts
}

// trainingWriter appends the parts of the command.
type trainingWriter struct {
	dst   []byte
	exact bool
}

// text appends a text in quotes and the byte behind it.
func (w *trainingWriter) text(s string, behind byte) {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r < ' ' || r == 0x7F:
			return ' '
		case r == '"':
			return '\''
		case r == '}':
			return ')'
		}
		return r
	}, s)
	clean = normalize(clean)
	w.exact = w.exact && clean == s
	w.dst = append(w.dst, '"')
	w.dst = append(w.dst, clean...)
	w.dst = append(w.dst, '"', behind)
}

// parseTraining reads the arguments of the command. Only what appendTraining
// would write in the same way is sure to be meant like that.
func parseTraining(args string) (t model.Training, ok bool) {
	r := trainingReader{rest: args}
	var languages []model.Language // in their order
	for r.rest != "" && !r.bad {
		word := r.text()
		r.skip(',')
		l, ok := model.ParseLanguage(strings.ToLower(word))
		r.bad = r.bad || !ok
		languages = append(languages, l)
		add := func(list *[]model.TrainingText) {
			if s := r.text(); s != "" {
				*list = append(*list, model.TrainingText{Language: l, Text: s})
			}
			r.skip(',')
		}
		add(&t.Question)
		add(&t.FirstHint)
		add(&t.SecondHint)
		for k := 0; !r.bad && (k == 0 || strings.HasPrefix(r.rest, ",(")); k++ {
			if k == len(t.Solutions) {
				t.Solutions = append(t.Solutions, model.Solution{})
			}
			s := &t.Solutions[k]
			if k > 0 {
				r.rest = r.rest[len(",("):]
			}
			move := r.text()
			if r.bad = r.bad || len(move) != 4; !r.bad {
				var okFrom, okTo bool
				s.From, okFrom = model.ParseSquare(move[:2])
				s.To, okTo = model.ParseSquare(move[2:])
				r.bad = !okFrom || !okTo
			}
			r.skip(',')
			add(&s.Reply)
			rest := strings.TrimLeft(r.rest, "0123456789")
			n, ok := parseUint(r.rest[:len(r.rest)-len(rest)], 8)
			r.bad = r.bad || !ok
			s.Points, r.rest = uint8(n), rest
			if k > 0 {
				r.skip(')')
			}
		}
		if r.rest != "" {
			r.skip(',')
		}
	}
	t.Points = bestPoints(t.Solutions)
	if !slices.Equal(trainingLanguages(&t), languages) {
		texts := byLanguage(t.Question)
		t.Question = t.Question[:0]
		for _, l := range languages {
			t.Question = append(t.Question, model.TrainingText{Language: l, Text: texts[l]})
		}
	}
	return t, !r.bad && len(t.Solutions) > 0
}

// trainingReader reads the arguments one by one; bad says that one was not
// what was expected.
type trainingReader struct {
	rest string
	bad  bool
}

func (r *trainingReader) skip(b byte) {
	if r.rest == "" || r.rest[0] != b {
		r.bad = true
		return
	}
	r.rest = r.rest[1:]
}

// text reads a text in quotes.
func (r *trainingReader) text() string {
	r.skip('"')
	s, rest, found := strings.Cut(r.rest, `"`)
	r.bad = r.bad || !found
	r.rest = rest
	return s
}
