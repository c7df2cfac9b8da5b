package namepattern_test

import (
	"testing"

	"cbkit/internal/namepattern"
	"cbkit/model"
)

// A name is a pattern if it has a star or question mark, else what somebody types.
func TestName(t *testing.T) {
	for _, c := range []struct {
		typed, stored string
		want          bool
	}{
		{"Paul Morphy", "Morphy, Paul", true}, {"Morphy,P", "Morphy, Paul", true}, {"Muller", "Müller, K", true},
		{"Lagrave", "Vachier Lagrave, M", true}, {"vachier-lagrave", "Vachier Lagrave, M", true}, {"Paul", "Morphy, Paul", true},
		{"Morphy, Lagrave", "Morphy, Paul", false}, {"Vachier Paul", "Vachier Lagrave, M", false},
		{"Korchnoi", "Kortschnoj, Viktor", true}, {"Kortschnoj, V", "Korchnoi, Viktor", true}, {"Jussupow", "Yusupov, Artur", true},
		{"Petrosian", "Петросян, Тигран", true}, {"Karpov, Anatoly", "Карпов, Анатолий", true}, {"Карпов", "Karpov, Anatoly", true},
		{"Чигорин", "Tschigorin, M", true}, {"Gross", "Groß, Anna", true}, {"Karpov", "Каспаров, Гарри", false}, {"侯逸凡", "侯逸凡", true},
		{"Mor*", "Morphy, Paul", true}, {"m?rphy", "Morphy, Paul", true}, {"Mull*", "Müller, K", false}, {"Mor", "Morphy, Paul", false},
	} {
		var e model.Entities
		other := e.Players.Intern(model.Player{LastName: "Nobody"})
		id := e.Players.Intern(model.ParsePlayer(c.stored))
		players := namepattern.NewPlayers(c.typed)
		for range 2 { // the second answer is remembered
			if got := players.Has(&e, id); got != c.want {
				t.Errorf("%q for %q: %v", c.typed, c.stored, got)
			}
		}
		if players.Has(&e, other) || players.Has(&e, model.NoEntity) || players.Has(&e, 99) {
			t.Errorf("%q is nobody", c.typed)
		}
		var swapped model.Entities // another source, with other numbers
		swapped.Players.Intern(model.ParsePlayer(c.stored))
		swapped.Players.Intern(model.Player{LastName: "Nobody"})
		if players.Has(&swapped, 0) != c.want || players.Has(&swapped, 1) {
			t.Errorf("%q in another source", c.typed)
		}
	}
}

// A title is meant by its words, whatever their order, case and accents; a pattern is
// of the whole title.
func TestTitles(t *testing.T) {
	for _, c := range []struct {
		typed, title string
		want         bool
	}{
		{"linares", "Linares", true}, {"linares", "Linares 18th", true}, {"18th linares", "Linares, 18th", true},
		{"linar", "Linares 18th", false}, {"linares 19th", "Linares 18th", false}, {"Malaga", "Málaga (op)", true},
		{"lin*", "Linares 18th", true}, {"linares?", "Linares", false}, {"*18th", "Linares 18th", true}, {"lin*", "Open of Linares", false},
		{"!!", "!!", true}, {"!!", "Linares", false}, {"", "", true},
	} {
		if got := namepattern.ParseName(c.typed).IsTitle(c.title); got != c.want {
			t.Errorf("%q for %q: %v", c.typed, c.title, got)
		}
	}
	for typed, want := range map[string]int{"Linares 2001": 2001, "Linares": 0, "2001": 0, " 2001": 0, "Linares 18th": 0, "A 0999": 0, "A 20011": 0} {
		if rest, year := namepattern.CutYear(typed); year != want || want == 0 && rest != typed || want != 0 && rest != "Linares" {
			t.Errorf("%q: %q, %d", typed, rest, year)
		}
	}
}
