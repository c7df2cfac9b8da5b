package board

import (
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
)

// TestPolyglotKeys compares with the vectors of the format's description.
func TestPolyglotKeys(t *testing.T) {
	for moves, want := range map[string]uint64{
		"":                                   0x463b96181691fc9c,
		"e2e4":                               0x823c9b50fd114196,
		"e2e4 d7d5":                          0x0756b94461c50fb0,
		"e2e4 d7d5 e4e5":                     0x662fafb965db29d4,
		"e2e4 d7d5 e4e5 f7f5":                0x22a48b5a8e47ff78,
		"e2e4 d7d5 e4e5 f7f5 e1e2":           0x652a607ca3f242c1,
		"e2e4 d7d5 e4e5 f7f5 e1e2 e8f7":      0x00fdd303c946bdd9,
		"a2a4 b7b5 h2h4 b5b4 c2c4":           0x3c8123ea7b067637,
		"a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3": 0x5c3f9b829b279560,
	} {
		p := Start()
		for _, uci := range strings.Fields(moves) {
			m := must.Get(p.ParseUCI(uci))(t)
			p.Make(m)
		}
		if got := p.PolyglotKey(); got != want {
			t.Errorf("%q: key %016x, want %016x", moves, got, want)
		}
	}
}
