package marks

import (
	"fmt"
	"testing"

	"cbkit/model"
)

// What Lichess, chess.com and ChessBase write of clocks, times and verdicts.
func TestSaid(t *testing.T) {
	for comment, want := range map[string]string{
		"[%clk 0:05:03.9]":                       "clock 30390",
		"[%clk 1:00:00] [%emt 0.0]":              "clock 360000, time-spent 0",
		"well [%eval 0.17] played [%clk 3:00] !": "engine 17, clock 18000",
		"[%eval #-3][%eval 0.17,23]":             "engine mate -3, engine 17",
		"[%eval -4]":                             "engine -400",
		"[%eval 81,28][%eval 32764,28]":          "engine 81, engine mate 3",
		"[%eval -32765,1][%eval 999,]":           "engine mate -2, engine 999",
		"[%emt  00:00:07.25 ]":                   "time-spent 725",
		"[%clk][%clk 1:x][%eval NaN][%eval #]":   "",
		"[%clk 99999999:00:00][%clk -1]":         "",
		"[%csl Ge4][%foo 1] [%clk 0:03:00":       "",
	} {
		got, left := "", ""
		rest := comment
		for c, ok := Next(rest); ok; c, ok = Next(rest) {
			if left, rest = left+c.Before+c.Text, c.After; got != "" {
				got += ", "
			}
			said, ok := c.Said()
			switch {
			case !ok:
			case said.Mate:
				got += fmt.Sprintf("%s mate %d", said.Kind, said.Value)
			default:
				got += fmt.Sprintf("%s %d", said.Kind, said.Value)
			}
		}
		for len(got) > 1 && got[:2] == ", " {
			got = got[2:]
		}
		if got != want || left+rest != comment {
			t.Errorf("%s: %s, want %s", comment, got, want)
		}
	}
}

// Whatever a comment holds, its commands and what stands between them are all of it.
func FuzzNext(f *testing.F) {
	f.Add("a [%clk 0:05:03.9] b [%eval #-3] [%emt 0.0][%eval 0.17,23]")
	f.Fuzz(func(t *testing.T, comment string) {
		left, rest := "", comment
		for c, ok := Next(rest); ok; c, ok = Next(rest) {
			left, rest = left+c.Before+c.Text, c.After
			if s, ok := c.Said(); ok && s.Value < 0 && s.Kind != model.KindEngine {
				t.Errorf("%q: a time of %d", c.Text, s.Value)
			}
		}
		if left+rest != comment {
			t.Errorf("%q became %q", comment, left+rest)
		}
	})
}
