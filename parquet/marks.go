package parquet

import (
	"slices"
	"strconv"
	"strings"

	"cbkit/internal/marks"
	"cbkit/model"
)

// measures are what is known about the time and the value of a move, beside the
// move itself.
type measures struct {
	// clock is what is left on the player's clock after the move, spent what he
	// used for it, both in hundredths of a second.
	clock, spent maybe
	// eval is the value of the position after the move in hundredths of a pawn,
	// mate the number of moves to mate, both positive where White is better.
	eval, mate maybe
	// depth is how far the engine looked whose verdict came first.
	depth maybe
}

var noMeasures = measures{unknown, unknown, unknown, unknown, unknown}

// add takes over what an annotation of a player's move says. What was said first counts.
func (m *measures) add(v model.Value, player model.Color) {
	for said := range marks.All(v, player) {
		switch said.Kind {
		case model.KindClock:
			m.clock.set(maybe(said.Value))
		case model.KindTimeSpent:
			m.spent.set(maybe(said.Value))
		case model.KindEngine:
			m.setVerdict(maybe(said.Value), said.Mate, said.Depth)
		}
	}
}

// setVerdict takes a verdict, and its depth if there is no other yet.
func (m *measures) setVerdict(value maybe, mate bool, depth int32) {
	if m.eval == unknown && m.mate == unknown && depth > 0 {
		m.depth = maybe(depth)
	}
	if mate {
		m.mate.set(value)
	} else {
		m.eval.set(value)
	}
}

// set takes a number if there is none yet.
func (n *maybe) set(value maybe) {
	if *n == unknown {
		*n = value
	}
}

// addEvaluation takes over the verdict on a position.
func (m *measures) addEvaluation(e model.Evaluation) {
	switch e.Kind {
	case model.Centipawns:
		m.setVerdict(maybe(e.Value), false, int32(e.Depth))
	case model.MateInPlies:
		moves := (max(maybe(e.Value), -maybe(e.Value)) + 1) / 2
		if e.Value < 0 {
			moves = -moves
		}
		m.setVerdict(moves, true, int32(e.Depth))
	}
}

// timer tells from clocks what moves have taken: what the player had after his move
// before, and what each move brings him, less what he has now. It knows time controls of
// one period, such as "180+2" and "600", in seconds. All here is in hundredths.
type timer struct {
	base  maybe
	gets  [2]maybe // what a move brings each player; unknown of other controls
	clock [2]maybe // what they had last
}

// newTimer reads the tag TimeControl.
func newTimer(control string) timer {
	t := timer{unknown, [2]maybe{unknown, unknown}, [2]maybe{unknown, unknown}}
	base, increment, both := strings.Cut(control, "+")
	if !both {
		increment = "0"
	}
	seconds, err := strconv.ParseUint(base, 10, 24)
	more, err2 := strconv.ParseUint(increment, 10, 16)
	if err == nil && err2 == nil {
		t.base, t.gets = maybe(100*seconds), [2]maybe{maybe(100 * more), maybe(100 * more)}
	}
	return t
}

// spent returns what a move has taken behind which the player's clock shows so much. Of
// the first one it is not known, since clocks start with it or before; nor where the
// player was given time. Who has half of his time after it plays without increment, as
// servers have it for those who ask.
func (t *timer) spent(c model.Color, first bool, now maybe) maybe {
	before := t.clock[c]
	t.clock[c] = now
	if first && now != unknown && 2*now == t.base {
		t.gets[c] = 0
	}
	if now == unknown || before == unknown || t.gets[c] == unknown || before+t.gets[c] < now {
		return unknown
	}
	return before + t.gets[c] - now
}

// kinds are those of annotations, in the order of the bits of a kindSet.
var kinds = model.Kinds()

// kindSet is a set of kinds of annotations.
type kindSet uint32

// add adds the kind of a value.
func (s *kindSet) add(v model.Value) {
	if known, ok := model.KnownValue(v); ok {
		*s |= 1 << slices.Index(kinds, known.Kind())
	}
}
