package headerfields_test

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cbkit/internal/headerfields"
	_ "cbkit/internal/testkit/seeds"
)

func TestParseRating(t *testing.T) {
	for text, want := range map[string]uint16{
		"2500": 2500, " 900 ": 900, "5": 5, "": 0, "?": 0, "-": 0, "65535": 65535, "65536": 0,
		"2500*": 2500, "1850/12": 1850, "2100P12": 2100, "ca. 2100": 2100, "2300 (est)": 2300, "Elo 1998": 1998, "~850": 850, "2655?": 2655,
		"2400.5": 2400, "(2210)": 2210, "2100 / 9": 2100, "2450 5000": 2450, "r2500": 2500, "ü2500ü": 2500,
		"2300/2400": 0, "99*": 0, "4000*": 0, "3999*": 3999, "100x": 100, "12345*": 0, "2.450": 0, "2,450 est": 0, "1999.12.31": 1999, "unrated": 0, "0*": 0, "25OO": 0,
	} {
		if n, whole := headerfields.ParseRating(text); n != want || whole != (isNumber(text) && text != "65536" || headerfields.IsUnknown(text)) {
			t.Errorf("%q: %d, %v; want %d", text, n, whole, want)
		}
	}
}

func isNumber(text string) bool {
	_, err := strconv.Atoi(strings.Trim(text, " "))
	return err == nil
}

func TestParseRound(t *testing.T) {
	for text, want := range map[string][2]uint16{
		"3": {3, 0}, "3.2": {3, 2}, "3(2)": {3, 2}, "0.2": {0, 2}, "65535": {65535, 0}, "?": {}, "": {}, "-": {}, " 7 ": {7, 0},
	} {
		if r, s, whole := headerfields.ParseRound(text); [2]uint16{r, s} != want || !whole {
			t.Errorf("%q: %d.%d, %v; want the whole as %v", text, r, s, whole, want)
		}
	}
	for text, want := range map[string][2]uint16{
		"4.1.2": {4, 1}, "3.": {3, 0}, "3a": {3, 0}, "3.2b": {3, 2}, "3rd": {3, 0}, "R3": {3, 0}, "r 12": {12, 0}, "R03": {3, 0}, "Round 3": {3, 0}, "ROUND: 3.2": {3, 2},
		"Rd 4": {4, 0}, "Rd.4": {4, 0}, "Runde 6": {6, 0}, "6. Runde": {6, 0}, "Ronde 2": {2, 0}, "ronda 11": {11, 0}, "Rodada 5": {5, 0}, "Turno 1": {1, 0}, "tour 8": {8, 0},
		"3. kolo": {3, 0}, "Runda 4": {4, 0}, "тур 9": {9, 0}, "9-й тур": {}, "Тур: 10": {10, 0}, "Kierros 2": {2, 0}, "Omgång 3": {3, 0}, "5. forduló": {5, 0}, "Round No. 3": {3, 0},
		"Group A Round 3": {3, 0}, "Round 3/9": {3, 0}, "R3.G2": {3, 0}, "第3轮": {3, 0}, "γύρος 4": {4, 0}, "3.0": {3, 0}, "0": {}, "?.1": {0, 1}, "Round 0": {},
		"Final 2": {}, "QF2": {}, "Group A 3": {}, "Board 3": {}, "Game 2": {}, "final": {}, "1/8": {}, "1-2": {}, "-3": {}, "#3": {}, "3 9": {}, "70000": {}, "70000a": {},
		"2001.05.03": {}, "03.05.2001": {}, "12.05.2001 a": {}, "Round 2001": {}, "3rd 2001": {}, "Group 2 Round 3": {}, "A": {}, "Ar3": {},
	} {
		if r, s, whole := headerfields.ParseRound(text); [2]uint16{r, s} != want || whole {
			t.Errorf("%q: %d.%d, %v; want %v of it", text, r, s, whole, want)
		}
	}
}

// Whatever the text, a rating and a round are numbers that stand in it, and within their
// limits unless they are all of it.
func TestNumbersOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.OneOf(rapid.StringMatching(`[0-9]{1,6}`), rapid.SampledFrom([]string{" ", ".", "(", ")", "/", "-", "R", "Round ", "тур ", "Final", "a", "*", "?", "ca. ", "é"})), 0, 6)
		text := strings.Join(parts.Draw(t, "text"), "")
		numbers := map[int]bool{0: true}
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' }) {
			n, _ := strconv.Atoi(word)
			numbers[n] = true
		}
		if n, whole := headerfields.ParseRating(text); !numbers[int(n)] || !whole && n != 0 && (n < 100 || n > 3999) {
			t.Fatalf("%q is a rating of %d, %v", text, n, whole)
		}
		if r, s, whole := headerfields.ParseRound(text); !numbers[int(r)] || !numbers[int(s)] || !whole && isWord(text) && (r > 999 || s > 999) {
			t.Fatalf("%q is the round %d.%d, %v", text, r, s, whole)
		}
	})
}

// isWord reports whether there is more than a number with signs.
func isWord(text string) bool { return strings.Trim(text, "0123456789.()?- ") != "" }
