package namepattern_test

import (
	"slices"
	"testing"

	"cbkit/internal/namepattern"
	"cbkit/model"
)

func TestPerson(t *testing.T) {
	for _, c := range []struct {
		typed  string
		stored string
		want   bool
	}{
		{"Kasparov", "Kasparov, Garry", true}, {"kasparov", "KASPAROV", true}, {"Kasparov,G", "Kasparov, Garry", true},
		{"Kasparov, G.", "Kasparov, Garry", true}, {"Gary Kasparov", "Kasparov, Garry", true}, {"Gary Kasparov", "Kasparov, G", true},
		{"g kasparov", "Kasparov, Garry", true}, {"Kasparov Garry", "Kasparov, Garry", true}, {"Garry Kimovich Kasparov", "Kasparov, Garry", true},
		{"Gary Kasparov", "Gary Kasparov", true}, {"Kasparov, Gary", "Garry Kasparov", true}, {"Kasparov", "Gary Kasparov", true},
		{"Muller", "Müller, Karsten", true}, {"Müller", "Muller, K", true}, {"karsten muller", "Müller, Karsten", true},
		{"Vachier-Lagrave", "Vachier Lagrave, Maxime", true}, {"maxime vachier lagrave", "Vachier-Lagrave, M", true},
		{"van der Sterren", "Van der Sterren, Paul", true}, {"Nakamura", "Nakamura, Hikaru", true}, {"Żygouris", "Zygouris, H", true},
		{"Каспаров", "Каспаров, Гарри", true}, {"Ivan Saric", "Saric, Iv", true}, {"Igor Saric", "Saric, Iv", false},
		{"Kasparov", "Kasparova, N", false}, {"Kasparov, G", "Kasparov, Sergey", false}, {"Gary Kasparov", "Kasparov", false},
		{"Gary Kasparov", "Kasparov, Sergey", false}, {"Kasparov", "Karpov, Anatoly", false}, {"Gary", "Kasparov, Gary", true},
		{"", "Kasparov, G", false}, {"Kasp", "Kasparov, G", false}, {"", "", false}, {"Anna Muller", "Müller, Karsten", false},
	} {
		if got := namepattern.ParsePerson(c.typed).Matches(model.ParsePlayer(c.stored)); got != c.want {
			t.Errorf("%q for %q: %v", c.typed, c.stored, got)
		}
	}
}

func TestSimilar(t *testing.T) {
	names := []string{"Kasparov, Garry", "Karpov, Anatoly", "Kasparova, N", "Carlsen, M", "Müller, Karsten", "Xu", "Wijk aan Zee"}
	for asked, want := range map[string][]string{
		"Kasparof": {"Kasparov, Garry", "Kasparova, N"}, "Garry Kasparof": {"Kasparov, Garry", "Kasparova, N"}, "Carlson": {"Carlsen, M"},
		"Mueller": {"Müller, Karsten"}, "Wijk an Zee": {"Wijk aan Zee"}, "Tal": nil, "": nil, "Kas": {"Kasparov, Garry", "Kasparova, N"}, "zzzzzzzz": nil, "Опоченский": nil,
	} {
		s := namepattern.NewSimilar(asked)
		for _, name := range names {
			s.Add(name)
			s.Add(name)
		}
		if got := s.Names(); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", asked, got, want)
		}
	}
}
