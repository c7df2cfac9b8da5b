package viewer

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"cbkit/internal/namepattern"
	"cbkit/model"
	"cbkit/search"
)

// Chip is a part of a search as it was understood, and the search without it.
type Chip struct {
	Text string `json:"text"`
	Kind string `json:"kind,omitempty"` // "player or place"; of a condition it is empty
	Rest string `json:"rest"`

	query string // in the language of conditions
}

// aDate is what is taken for one or two dates.
var aDate = regexp.MustCompile(`^(1[4-9]|20)\d\d(\.\d\d?){0,2}(\.\.((1[4-9]|20)\d\d(\.\d\d?){0,2})?)?$`)

// numbered is a condition that has the number of a name.
var numbered = regexp.MustCompile(`^(player|tournament|annotator|source|team|title):#(\d+)$`)

// understand takes a search apart: what has a colon is a condition; other words are looked
// for in players, tournaments, places, openings, dates and results. A query with
// parentheses, or with and, or, not, is one condition, and what has a comma and no colon a player.
func (s *source) understand(ctx context.Context, where string) []Chip {
	words := splitWords(where)
	joins := func(w string) bool {
		return strings.ContainsAny(w, "()") && !strings.Contains(w, `"`) || slices.Contains([]string{"and", "or", "not"}, strings.ToLower(w))
	}
	switch {
	case slices.ContainsFunc(words, joins):
		return []Chip{{Text: where, query: where}}
	case strings.Contains(where, ",") && !strings.ContainsAny(where, `:"`):
		return []Chip{{Text: where, Kind: "player", query: condition("player", where)}}
	}
	var chips []Chip
	for i, w := range words {
		chip := Chip{Text: w, query: w, Rest: strings.Join(slices.Concat(words[:i], words[i+1:]), " ")}
		if m := numbered.FindStringSubmatch(w); m != nil {
			chip.Kind, chip.Text = m[1], s.nameAt(ctx, m[1], m[2])
		} else if !strings.Contains(strings.TrimPrefix(w, `"`), ":") {
			s.guess(ctx, &chip)
		}
		chips = append(chips, chip)
	}
	return chips
}

// splitWords splits at blanks outside of quotes.
func splitWords(text string) []string {
	var words []string
	begin, quoted := -1, false
	for i, r := range text + " " {
		switch {
		case r == ' ' && !quoted || i == len(text):
			if begin >= 0 {
				words = append(words, text[begin:i])
			}
			begin = -1
			continue
		case r == '"':
			quoted = !quoted
		}
		if begin < 0 {
			begin = i
		}
	}
	return words
}

// condition writes a condition.
func condition(name, value string) string {
	return name + `:"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
}

// guess says what a plain word may be: all that some game or name has, or all that it could be.
func (s *source) guess(ctx context.Context, chip *Chip) {
	word := strings.Trim(chip.Text, `",`)
	chip.Text = word
	var kinds, queries []string
	add := func(kind, term string) {
		kinds, queries = append(kinds, kind), append(queries, condition(term, word))
	}
	if aDate.MatchString(word) {
		add("date", "date")
	} else if _, err := search.Term("result", word); err == nil {
		add("result", "result")
	} else {
		if _, err := search.Term("eco", word); err == nil && len(word) > 2 {
			add("opening", "eco")
		}
		player, title, place := s.named(ctx, word)
		if !player && !title && !place && kinds == nil {
			player, title, place = true, true, true // the search says what is like it
		}
		for i, kind := range [...]string{"player", "tournament", "place"} {
			if [...]bool{player, title, place}[i] {
				add(kind, kind)
			}
		}
	}
	chip.Kind, chip.query = strings.Join(kinds, " or "), "("+strings.Join(queries, " or ")+")"
}

// entities returns all names of a source, nil if they are known only when all is read.
func (s *source) entities(ctx context.Context) *model.Entities {
	if _, is := s.records.(*pgnFile); is {
		return nil
	}
	_, e, _ := s.records.record(ctx, 1, model.WantHeaders) // of a record that cannot be read, too
	return e
}

// named reports of what a word is a name.
func (s *source) named(ctx context.Context, word string) (player, title, place bool) {
	e := s.entities(ctx)
	if e == nil {
		return false, false, false
	}
	name := namepattern.ParseName(word)
	for _, p := range e.Players.Live() {
		if player = name.IsPlayer(p); player || ctx.Err() != nil {
			break
		}
	}
	words := namepattern.ParseWords(word)
	for _, t := range e.Tournaments.Live() {
		title, place = title || words.In(t.Title) || name.IsTitle(t.Title), place || name.IsTitle(t.Place)
		if title && place || ctx.Err() != nil {
			break
		}
	}
	return player, title, place
}

// nameAt returns the name of a number.
func (s *source) nameAt(ctx context.Context, kind, number string) string {
	var id model.EntityID
	e := s.entities(ctx)
	if _, err := fmt.Sscan(number, &id); err != nil || e == nil {
		return "#" + number
	}
	name := map[string]func() string{
		"player":     func() string { return e.Players.Value(id).String() },
		"tournament": func() string { return e.Tournaments.Value(id).Title },
		"annotator":  func() string { return e.Annotators.Value(id).Name },
		"source":     func() string { return e.Sources.Value(id).Title },
		"team":       func() string { return e.Teams.Value(id).Title },
		"title":      func() string { return e.GameTitles.Value(id).String() },
	}[kind]()
	if name == "" {
		return "#" + number
	}
	return plain(name)
}
