package pgn

import (
	"strconv"
	"strings"

	"cbkit/model"
)

// eventWords are ChessBase's words for the systems of play, as the tag
// EventType has them. See spec/pgn.md 1.
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
	if isUnknown(v) {
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
	for _, s := range eventSuffixes {
		if !*s.flag(&t) {
			continue
		}
		if len(dst) > start {
			dst = append(dst, ' ')
		}
		dst = append(dst, s.text...)
	}
	return dst
}
