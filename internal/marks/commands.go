package marks

import (
	"math"
	"strconv"
	"strings"

	"cbkit/model"
)

// Command is a command in a comment, such as "[%clk 0:03:00]".
type Command struct {
	Text          string // all of it
	Name, Args    string
	Before, After string // the comment in front of it and behind it
}

// Next returns the first command of a comment.
func Next(comment string) (c Command, ok bool) {
	from := strings.Index(comment, "[%")
	if from < 0 {
		return c, false
	}
	n := strings.IndexByte(comment[from:], ']')
	if n < 0 {
		return c, false
	}
	c.Before, c.Text, c.After = comment[:from], comment[from:from+n+1], comment[from+n+1:]
	c.Name, c.Args, _ = strings.Cut(c.Text[2:n], " ")
	c.Args = strings.TrimSpace(c.Args)
	return c, true
}

// Said is what a command says of its move. Servers write these in forms that PGN keeps to
// the letter in the text (docs/formats/pgn.md 5), so that they are no annotations.
type Said struct {
	// Kind is KindClock (what is left after the move), KindTimeSpent or KindEngine.
	Kind model.Kind
	// Value is a time in hundredths of a second, or a verdict for White: in hundredths of a
	// pawn or, with Mate, moves to mate.
	Value int32
	Mate  bool
	Depth int32 // of a verdict, 0 if it is not said
}

// Said returns what the command says; ok is false if that is nothing, or not understood.
func (c Command) Said() (s Said, ok bool) {
	switch c.Name {
	case "clk":
		s.Kind = model.KindClock
		s.Value, ok = parseTime(c.Args)
	case "emt":
		s.Kind = model.KindTimeSpent
		s.Value, ok = parseTime(c.Args)
	case "eval":
		s.Kind = model.KindEngine
		var depth string
		s.Value, s.Mate, depth, ok = ParseVerdict(c.Args)
		if n, err := strconv.ParseUint(depth, 10, 15); err == nil {
			s.Depth = int32(n)
		}
	}
	return s, ok
}

// parseTime reads "0:03:00", "3:00" and "0:00:05.3" as hundredths of a second.
func parseTime(s string) (int32, bool) {
	whole, fraction, _ := strings.Cut(s, ".")
	total := uint64(0)
	for part := range strings.SplitSeq(whole, ":") {
		n, err := strconv.ParseUint(part, 10, 32)
		if err != nil || total > math.MaxInt32 {
			return 0, false
		}
		total = 60*total + n
	}
	total *= 100
	if fraction != "" {
		n, err := strconv.ParseUint((fraction + "0")[:2], 10, 8)
		if err != nil {
			return 0, false
		}
		total += n
	}
	return int32(total), total <= math.MaxInt32
}

// ChessBase writes verdicts in hundredths of a pawn. Beyond EvalMost they are mates: EvalMate
// less the number of moves.
const (
	EvalMate = 32767
	EvalMost = 32000
)

// ParseVerdict reads what stands in front of the depth of a verdict, "0.17" or "#-3", or
// "81" in hundredths where there is a depth. It returns hundredths of a pawn, or moves to
// mate.
func ParseVerdict(args string) (value int32, mate bool, depth string, ok bool) {
	s, depth, deep := strings.Cut(args, ",")
	if moves, is := strings.CutPrefix(s, "#"); is {
		n, err := strconv.ParseInt(moves, 10, 32)
		return int32(n), true, depth, err == nil
	}
	f, err := strconv.ParseFloat(s, 64)
	switch hundredths := deep && !strings.Contains(s, "."); {
	case err != nil || !(math.Abs(f) < 1e6):
		return 0, false, depth, false
	case hundredths && f > EvalMost:
		return EvalMate - int32(f), true, depth, true
	case hundredths && f < -EvalMost:
		return -EvalMate - int32(f), true, depth, true
	case hundredths:
		return int32(f), false, depth, true
	}
	return int32(math.Round(100 * f)), false, depth, true
}
