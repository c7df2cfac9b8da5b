package pgn

import (
	"strconv"
	"strings"

	"cbkit/internal/headerfields"
	"cbkit/model"
)

// The values of tags. Every parser takes any text and returns what it could
// take from it and whether that is all; a tag that says more is kept as it
// is. See docs/formats/pgn.md 1.

// appendNumber appends a number, nothing for 0.
func appendNumber(dst []byte, n uint64) []byte {
	if n == 0 {
		return dst
	}
	return strconv.AppendUint(dst, n, 10)
}

// parsePlayer splits a name at its first comma.
func parsePlayer(v string) model.Player {
	last, first, _ := strings.Cut(v, ",")
	p := model.Player{LastName: strings.Trim(last, " "), FirstName: strings.Trim(first, " ")}
	if p == (model.Player{LastName: "?"}) {
		return model.Player{}
	}
	return p
}

// hasOuterBlank reports whether a name begins or ends with a blank.
func hasOuterBlank(s string) bool { return s != "" && (s[0] == ' ' || s[len(s)-1] == ' ') }

func appendPlayer(dst []byte, p model.Player) []byte {
	if p == (model.Player{}) {
		return append(dst, '?')
	}
	dst = append(dst, p.LastName...)
	if p.FirstName != "" {
		dst = append(dst, ", "...)
		dst = append(dst, p.FirstName...)
	}
	return dst
}

// parseDate reads "1997.05.??", and what other forms say.
func parseDate(v string) (model.Date, bool) {
	if headerfields.IsUnknown(v) {
		return model.Date{}, true
	}
	return model.ParseDate(v)
}

func appendRound(dst []byte, round, subround uint16) []byte {
	if round == 0 && subround == 0 {
		return append(dst, '?')
	}
	dst = strconv.AppendUint(dst, uint64(round), 10)
	if subround != 0 {
		dst = append(dst, '.')
		dst = strconv.AppendUint(dst, uint64(subround), 10)
	}
	return dst
}

// parseECO reads "C50" and "C50/08". Of a longer code, such as "C50a", it
// takes the first three characters.
func parseECO(v string) (model.ECO, bool) {
	if headerfields.IsUnknown(v) {
		return 0, true
	}
	if e, ok := model.ParseECO(v); ok {
		return e, true
	}
	if len(v) > 3 {
		e, _ := model.ParseECO(v[:3])
		return e, false
	}
	return 0, false
}

// parseNation reads the three-letter code of a country.
func parseNation(v string) (model.Nation, bool) {
	if headerfields.IsUnknown(v) {
		return 0, true
	}
	return model.ParseNation(v)
}

// appendDate appends a date as the tag t has it: the dates of a source are
// left out if they are not known.
func appendDate(dst []byte, t tag, d model.Date) []byte {
	if d.IsZero() && (t == tagSourceDate || t == tagSourceVersionDate) {
		return dst
	}
	return d.Append(dst)
}

// eventWords are ChessBase's words for the systems of play, as the tag
// EventType has them. See docs/formats/pgn.md 1.
var eventWords = [...]string{
	model.NoSystem:     "",
	model.SingleGame:   "game",
	model.Match:        "match",
	model.RoundRobin:   "tourn",
	model.Swiss:        "swiss",
	model.TeamEvent:    "team",
	model.Knockout:     "k.o.",
	model.Simultaneous: "simul",
	model.Scheveningen: "schev",
}

const teamPrefix = "team-"

// eventSuffixes stand behind the word, in this order.
var eventSuffixes = [...]struct {
	text string
	flag func(*model.EventType) *bool
}{
	{"(blitz)", func(t *model.EventType) *bool { return &t.Blitz }},
	{"(rapid)", func(t *model.EventType) *bool { return &t.Rapid }},
	{"(corr)", func(t *model.EventType) *bool { return &t.Correspondence }},
}

// parseEventType reads "swiss", "team-swiss (rapid)". A number without a word
// is "#9".
func parseEventType(v string) (t model.EventType, ok bool) {
	if headerfields.IsUnknown(v) {
		return t, true
	}
	word := v
	for i := len(eventSuffixes) - 1; i >= 0; i-- {
		if rest, found := strings.CutSuffix(word, eventSuffixes[i].text); found {
			*eventSuffixes[i].flag(&t) = true
			word = strings.TrimRight(rest, " ")
		}
	}
	word, t.Team = strings.CutPrefix(word, teamPrefix)
	if number, found := strings.CutPrefix(word, "#"); found {
		n, err := strconv.ParseUint(number, 10, 8)
		t.System = model.EventSystem(n)
		return t, err == nil
	}
	for system, name := range eventWords {
		if word == name {
			t.System = model.EventSystem(system)
			return t, true
		}
	}
	return model.EventType{}, false
}

func appendEventType(dst []byte, t model.EventType) []byte {
	start := len(dst)
	if t.Team {
		dst = append(dst, teamPrefix...)
	}
	if int(t.System) < len(eventWords) {
		dst = append(dst, eventWords[t.System]...)
	} else {
		dst = append(dst, '#')
		dst = strconv.AppendUint(dst, uint64(t.System), 10)
	}
	if (t == model.EventType{System: t.System, Team: t.Team}) {
		return dst // as most are, which take no memory
	}
	flags := t
	for _, s := range eventSuffixes {
		if !*s.flag(&flags) {
			continue
		}
		if len(dst) > start {
			dst = append(dst, ' ')
		}
		dst = append(dst, s.text...)
	}
	return dst
}
