package pgn_test

import (
	"fmt"
	"testing"

	"cbkit/model"
	"cbkit/pgn"
)

func ExampleParseNAG() {
	fmt.Println(pgn.ParseNAG("!?"))
	fmt.Println(pgn.ParseNAG("+/-"))
	fmt.Println(pgn.ParseNAG("$146"))
	fmt.Println(pgn.ParseNAG("good"))
	// Output:
	// 5 true
	// 16 true
	// 146 true
	// 0 false
}

func TestParseNAG(t *testing.T) {
	for sign, want := range map[string]model.NAG{"!": 1, "?": 2, "!!": 3, "??": 4, "?!": 6, "=": 11, "∞": 13, "+-": 18, "$0": 0, "$255": 255} {
		if n, ok := pgn.ParseNAG(sign); !ok || n != want {
			t.Errorf("%s: %d, %v; want %d", sign, n, ok, want)
		}
	}
	for _, sign := range []string{"", "$", "$256", "$-1", "!!!", "11"} {
		if n, ok := pgn.ParseNAG(sign); ok {
			t.Errorf("%q: %d", sign, n)
		}
	}
}
