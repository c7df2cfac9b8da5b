package model

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// Small enumerations have words; numbers without a word print as "#9" and
// read back from that, so that nothing a format stores is lost.

var (
	systemWords     = []string{"", "single-game", "match", "round-robin", "swiss", "team", "knockout", "simultaneous", "scheveningen"}
	qualityWords    = []string{"", "high", "medium", "low"}
	colorWords      = []string{"", "", "green", "yellow", "red", "", "", "blue"}
	criticalWords   = []string{"", "opening", "middlegame", "endgame"}
	evaluationWords = []string{"centipawns", "mate"}
)

// wordOf returns the word of n, "" for 0 where 0 has none.
func wordOf(words []string, n uint8) string {
	if int(n) < len(words) && (words[n] != "" || n == 0) {
		return words[n]
	}
	return "#" + strconv.Itoa(int(n))
}

// parseWord reads what wordOf returns.
func parseWord(words []string, s string) (uint8, bool) {
	if number, found := strings.CutPrefix(s, "#"); found {
		n, err := strconv.ParseUint(number, 10, 8)
		return uint8(n), err == nil
	}
	i := slices.Index(words, s)
	return uint8(max(i, 0)), i >= 0
}

// String returns a word such as "round-robin", "" for NoSystem, and "#9" for
// numbers without a word.
func (s EventSystem) String() string { return wordOf(systemWords, uint8(s)) }

// ParseEventSystem reads what [EventSystem.String] returns.
func ParseEventSystem(s string) (EventSystem, bool) {
	n, ok := parseWord(systemWords, s)
	return EventSystem(n), ok
}

// String returns "high", "medium" or "low", "" for QualityUnset, and "#4" for
// numbers without a word.
func (q Quality) String() string { return wordOf(qualityWords, uint8(q)) }

// ParseQuality reads what [Quality.String] returns.
func ParseQuality(s string) (Quality, bool) {
	n, ok := parseWord(qualityWords, s)
	return Quality(n), ok
}

// String returns "green", "yellow", "red" or "blue", "" for 0, and "#8" for
// numbers without a word.
func (c MarkColor) String() string { return wordOf(colorWords, uint8(c)) }

// ParseMarkColor reads what [MarkColor.String] returns.
func ParseMarkColor(s string) (MarkColor, bool) {
	n, ok := parseWord(colorWords, s)
	return MarkColor(n), ok
}

// String returns "opening", "middlegame" or "endgame", "" for NotCritical,
// and "#4" for numbers without a word.
func (c Critical) String() string { return wordOf(criticalWords, uint8(c)) }

// ParseCritical reads what [Critical.String] returns.
func ParseCritical(s string) (Critical, bool) {
	n, ok := parseWord(criticalWords, s)
	return Critical(n), ok
}

// String returns "centipawns", "mate" or "none", and "#2" for numbers without
// a word.
func (k EvaluationKind) String() string {
	if k == NoEvaluation {
		return "none"
	}
	return wordOf(evaluationWords, uint8(k))
}

// ParseEvaluationKind reads what [EvaluationKind.String] returns.
func ParseEvaluationKind(s string) (EvaluationKind, bool) {
	if s == "none" {
		return NoEvaluation, true
	}
	n, ok := parseWord(evaluationWords, s)
	return EvaluationKind(n), ok
}

// Names returns the names of the medals that are set, lowest bit first; bits
// without a name are "#16" to "#31".
func (m Medals) Names() []string {
	var names []string
	for rest := uint32(m); rest != 0; rest &= rest - 1 {
		bit := bits.TrailingZeros32(rest)
		if bit < len(MedalNames) {
			names = append(names, MedalNames[bit])
		} else {
			names = append(names, "#"+strconv.Itoa(bit))
		}
	}
	return names
}

// ParseMedal reads one of the names that [Medals.Names] returns.
func ParseMedal(name string) (Medals, bool) {
	bit, ok := parseWord(MedalNames[:], name)
	return 1 << bit, ok && bit < 32
}
