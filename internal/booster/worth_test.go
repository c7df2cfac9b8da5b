package booster_test

import (
	"testing"

	"cbkit/board"
	"cbkit/internal/booster"
	"cbkit/internal/typed"
)

// Positions that many games have are read for in a row; of those behind some moves the
// boosters rule out most games, however many pieces there still are.
func TestIsWorthAsking(t *testing.T) {
	for line, want := range map[string]bool{
		"":                                 false,
		"e4 c5":                            false,
		"e4 e5 Nf3 Nc6":                    false,
		"e4 e5 Nf3 Nc6 Bb5":                true,
		"Nf3 Nf6 Ng1 Ng8":                  false,
		"d4 Nf6 c4 e6 Nc3 Bb4 e3 O-O":      true,
		"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1":  true,
		"4k3/pppppppp/8/8/8/8/8/4K3 w - -": true,
	} {
		l, err := typed.Parse(line)
		if line == "" {
			l.End, err = board.Start(), nil
		}
		if err != nil {
			t.Fatal(line, err)
		}
		if got := booster.IsWorthAsking(has(".cbb"), &l.End); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// has is a database with one file.
type has string

func (h has) Has(ext string) bool { return ext == string(h) }

// Without boosters nothing is worth asking, with an index of positions everything.
func TestWhatIsWorthAsking(t *testing.T) {
	start, end := board.Start(), board.Position{}
	for _, p := range []*board.Position{&start, &end} {
		if booster.IsWorthAsking(has(".cbh"), p) || !booster.IsWorthAsking(has(".cbkit-positions"), p) {
			t.Error(p.FEN())
		}
	}
}
