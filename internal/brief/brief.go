// Package brief keeps messages short: of a value of a database a message shows at most
// the first 60 characters.
package brief

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Characters is how many of a value are in a message at most.
const Characters = 60

// Text returns s, or its first characters with an ellipsis behind them.
func Text(s string) string {
	if len(s) <= Characters {
		return s
	}
	n := 0
	for at := range s {
		if n++; n > Characters {
			return s[:at] + "…"
		}
	}
	return s
}

// Quote returns what Sprintf makes of "%q" and s.
func Quote(s string) string {
	s = Text(s)
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return strconv.Quote(s)
		}
	}
	return `"` + s + `"`
}

// Sprintf is [fmt.Sprintf] for arguments of which strings are values of a
// database.
func Sprintf(format string, args ...any) string {
	short := args
	for i, arg := range args {
		s, ok := arg.(string)
		if !ok || len(s) <= Characters {
			continue
		}
		if &short[0] == &args[0] {
			short = slices.Clone(args)
		}
		short[i] = Text(s)
	}
	return fmt.Sprintf(format, short...)
}

// List joins words by commas, and the last two by a word.
func List(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	n := len(words) - 1
	return strings.Join(words[:n], ", ") + last + words[n]
}
