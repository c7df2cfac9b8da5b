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
	if n := namepattern.ParseName("linares"); !n.IsTitle("Linares") || n.IsTitle("Linares 1993") || !namepattern.ParseName("lin*").IsTitle("Linares 1993") {
		t.Error("titles")
	}
}
