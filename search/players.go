package search

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"cbkit/eco"
	"cbkit/internal/headerfields"
	"cbkit/internal/namepattern"
	"cbkit/model"
)

// endedFor returns conditions about the players for whom a game ended so.
func endedFor(e ending) func(name string) Condition {
	return func(name string) Condition {
		return nameCondition{kind: players, pattern: pattern(name), typed: !namepattern.IsPattern(name), ending: e}
	}
}

// playersIn returns those conditions of a list whose player has an opponent.
func playersIn(list []Condition) (found []nameCondition) {
	for _, c := range list {
		if name, is := c.(nameCondition); is && name.kind == players && name.side == anySide {
			found = append(found, name)
		}
	}
	return found
}

// opponentCondition looks at the rating of a player's opponent.
type opponentCondition struct{ least, most int }

func opponentRatings(least, most int) Condition { return opponentCondition{least, most} }

// String implements Condition.
func (c opponentCondition) String() string { return term("opponent-elo", rangeText(c.least, c.most)) }

func (c opponentCondition) bind(s *session) (test, error) {
	if len(s.about) != 1 {
		return nil, fmt.Errorf("%v: the opponent of one player is meant: join it by \"and\" to one of player:, winner: and loser:, not %d", c, len(s.about))
	}
	t, err := s.about[0].bind(s)
	if err != nil {
		return nil, err
	}
	in := func(elo uint16) bool { return elo != 0 && int(elo) >= c.least && (c.most == 0 || int(elo) <= c.most) }
	return headCondition{match: func(r *row) bool {
		white, black := t.(nameTest).of(r)
		return white && in(r.blackElo) || black && in(r.whiteElo)
	}}, nil
}

// parseDifference reads a range of numbers of which some may be negative.
func parseDifference(value string) (Condition, error) {
	first, last, ok := strings.Cut(value, "..")
	if !ok {
		last = first
	}
	const far = 1 << 16
	least, err1 := strconv.ParseInt(cmp.Or(strings.TrimPrefix(first, "+"), strconv.Itoa(-far)), 10, 32)
	most, err2 := strconv.ParseInt(cmp.Or(strings.TrimPrefix(last, "+"), strconv.Itoa(far)), 10, 32)
	if err1 != nil || err2 != nil || least > most || first+last == "" {
		return nil, fmt.Errorf("%q: write a range such as 200.., -50..50 or ..-100", value)
	}
	return gameCondition("elo-difference", value, func(r *row) bool {
		d := int64(r.whiteElo) - int64(r.blackElo)
		return r.whiteElo != 0 && r.blackElo != 0 && d >= least && d <= most
	}), nil
}

func parseUpset(value string) (Condition, error) {
	least, err := number(value)
	if err != nil || value == "" {
		return nil, fmt.Errorf("%q: write by how many points the winner had less: 200", value)
	}
	return gameCondition("upset", value, func(r *row) bool {
		winner, ok := r.result.Winner()
		less := int(r.blackElo) - int(r.whiteElo)
		if winner == model.Black {
			less = -less
		}
		return ok && r.whiteElo != 0 && r.blackElo != 0 && less >= least
	}), nil
}

// speedCondition asks how fast a game was.
type speedCondition struct{ word string }

func parseSpeed(value string) (Condition, error) {
	if value = strings.ToLower(value); !slices.Contains(headerfields.Speeds, value) {
		return nil, fmt.Errorf("%q: write %s", value, listed(headerfields.Speeds))
	}
	return speedCondition{value}, nil
}

// String implements Condition.
func (c speedCondition) String() string { return term("time-control", c.word) }

func (c speedCondition) bind(s *session) (test, error) {
	set, err := s.lookup(nameQuery{kind: speeds, pattern: pattern(c.word)})
	return speedTest{c, nameTest{set: set}}, err
}

// speedTest knows the tournaments of the kind.
type speedTest struct {
	speedCondition
	of nameTest
}

func (t speedTest) eval(r *row) truth {
	switch {
	case r.refs.Text:
		return no
	case r.stored != nil: // ChessBase stores no tags
		return t.of.eval(r)
	case !r.loaded:
		return maybe
	case r.game != nil:
		if word := headerfields.Speed(&r.game.Header, &model.Tournament{}); word != "" {
			return truthOf(word == t.word)
		}
	}
	return t.of.eval(r)
}

func (t speedTest) bound() *bound { return nil }

// parseOpening reads words that the names of openings have.
func parseOpening(value string) (Condition, error) {
	together := strings.NewReplacer("'", "", "’", "")
	words := namepattern.ParseWords(together.Replace(value))
	var fits [500]bool // by index of the code
	found := false
	known := map[string]bool{}
	for i := range fits {
		code := model.NewECO(i, 0)
		opening, _ := eco.Named(code)
		name := together.Replace(opening.Name)
		fits[i] = words.In(name)
		found = found || fits[i]
		for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return !unicode.IsLetter(r) }) {
			known[word] = true
		}
	}
	if found {
		return gameCondition("eco", value, func(r *row) bool { return r.eco.Valid() && fits[r.eco.Index()] }), nil
	}
	var within, near []string
	for o := range eco.All() {
		if code := o.Code.String(); words.In(together.Replace(o.Name)) && !slices.Contains(within, code) {
			within = append(within, code)
		}
	}
	if within != nil {
		return nil, fmt.Errorf("%q: is the name of no code, but of a variation in %s", value, listed(within))
	}
	for _, word := range words {
		similar := namepattern.NewSimilar(word)
		for _, name := range slices.Sorted(maps.Keys(known)) {
			similar.Add(name)
		}
		near = append(near, similar.Names()...)
	}
	err := fmt.Errorf("%q: no opening is called so; write words of its name, or codes as C50, C50/08, C50..C59, C5 or C", value)
	if len(near) > 0 {
		slices.Sort(near)
		err = fmt.Errorf("%w; near is %s", err, listed(slices.Compact(near)))
	}
	return nil, err
}

// absolute writes the years or days of a range that count back from now as dates.
func absolute(name, value string, now time.Time) string {
	ends := strings.SplitN(value, "..", 2)
	for i, end := range ends {
		back, err := strconv.Atoi(end)
		switch {
		case err != nil || end[0] != '-' || back <= -1000 && name == "year" || back < -1_000_000:
		case name == "year":
			ends[i] = strconv.Itoa(now.Year() + back)
		default:
			ends[i] = now.AddDate(0, 0, back).Format("2006.01.02")
		}
	}
	return strings.Join(ends, "..")
}
