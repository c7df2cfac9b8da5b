package headerfields

import (
	"strconv"
	"strings"

	"cbkit/model"
)

// Speeds are the words of [Speed], the slowest first.
var Speeds = []string{"correspondence", "classical", "rapid", "blitz", "bullet"}

// Speed returns how fast a game was by its tag TimeControl or, where that does not say, by
// the kind of its tournament; "" if neither does.
func Speed(h *model.Header, t *model.Tournament) string {
	for _, tag := range h.Tags {
		if tag.Name == "TimeControl" {
			if word := speedOf(tag.Value); word != "" {
				return word
			}
		}
	}
	return t.Type.Speed()
}

// speedOf reads a tag such as "180+2", "40/9000:3600" or "1/86400": seconds of all periods,
// and 60 times what a move brings in the last, as FIDE tells games apart. A day or more for a
// move is correspondence.
func speedOf(control string) string {
	total, gets := 0.0, 0.0
	for period := range strings.SplitSeq(control, ":") {
		moves, rest, limited := strings.Cut(period, "/")
		if !limited {
			moves, rest = "60", period
		}
		base, increment, adds := strings.Cut(rest, "+")
		if !adds {
			increment = "0"
		}
		n, err := strconv.ParseUint(moves, 10, 16)
		seconds, err2 := strconv.ParseFloat(base, 64)
		more, err3 := strconv.ParseFloat(increment, 64)
		if err != nil || err2 != nil || err3 != nil || n == 0 || !(seconds >= 0 && more >= 0) {
			return ""
		}
		if total, gets = total+seconds, more; limited && seconds/float64(n) >= 24*3600 {
			return "correspondence"
		}
	}
	switch total += 60 * gets; {
	case total >= 3600:
		return "classical"
	case total > 600:
		return "rapid"
	case total >= 180:
		return "blitz"
	}
	return "bullet"
}
