package namepattern_test

import (
	"testing"

	"cbkit/internal/namepattern"
	"cbkit/model"
)

// Names of one person with and without a comma, a title or particles are alike for games
// with the same moves and for finding, either way; those of others are not.
func TestWritingsOfOneName(t *testing.T) {
	for _, names := range [][]string{
		{"Gukesh, D", "Gukesh D", "D Gukesh"},
		{"Ding, Liren", "Ding Liren", "Ding, L", "Liren Ding"},
		{"Le, Quang Liem", "Le Quang Liem"},
		{"Nguyen, Thai Dai Van", "Nguyen Thai Dai Van"},
		{"Van der Wiel, John", "Wiel, John van der", "van der Wiel, J", "John van der Wiel", "Wiel, J van der"},
		{"De Firmian, Nick", "Firmian, Nick de"},
		{"De la Riva, Oscar", "Riva, Oscar de la", "Oscar de la Riva", "de la Riva, O"},
		{"De la Villa, Jesus", "Villa, Jesus de la"},
		{"De las Heras, Ana", "Heras, Ana de las"}, {"De los Santos, Luis", "Santos, Luis de los"},
		{"Du, Yuxin", "Du Yuxin"},
		{"GM Carlsen, Magnus", "Carlsen, Magnus", "Magnus Carlsen", "Carlsen Magnus", "Carlsen, M"},
		{"WIM Muzychuk, Mariya", "Muzychuk, M"},
		{"Im, Hong", "Im Hong"},
		{"Praggnanandhaa, R", "Praggnanandhaa R"},
	} {
		for _, a := range names {
			for _, b := range names {
				p, q := model.ParsePlayer(a), model.ParsePlayer(b)
				x, y := namepattern.TakeApart(p), namepattern.TakeApart(q)
				if same, _ := x.Same(&y); !same || !x.SoundsLike(&y) {
					t.Errorf("%q and %q are not the same: %+v, %+v", a, b, x, y)
				}
				if !namepattern.ParsePerson(a).Matches(q) && !(p.FirstName == "" && q.FirstName == "") {
					t.Errorf("%q does not find %q", a, b)
				}
			}
		}
	}
	for _, pair := range [][2]string{
		{"Gukesh, D", "Gukesh E"}, {"Ding, L", "Ding Jiren"}, {"Im, Hong", "Hong, G"}, {"Im Hong, A", "Hong, B"}, {"Gm Carlsen, M", "Carlsen, M"},
		{"Wiel, John van der", "Wiel, Peter van der"}, {"Li, Di", "Di, Li Wei"}, {"Le Quang Liem", "Liem, Hong"}, {"Wang Yue", "Wang, Hao"},
		{"Wiel, John van der", "Berg, John van der"}, {"Wiel, John van der", "Van der Berg, John"}, {"Van der Wiel, John", "Van der Berg, John"},
		{"Van Beek, John", "Van Berg, John"}, {"Van der Sterren, Paul", "Van der Heijden, Paul"}, {"Poel, Jan van der", "Ven, Jan van der"},
		{"Van der Wiel, John", "Van der Zwaag, J"}, {"Von der Wiel, John", "Van der Berg, John"}, {"Van der Wiel, John", "Vandersteen, John"},
		{"Van der Wiel, John", "Vondra, J"}, {"Jan van der Poel", "Jan van der Ven"}, {"Jan van der Poel", "Ven, Jan van der"}, {"Van Es, Jan", "Van Nes, Jan"},
		{"De la Riva, Oscar", "De la Villa, O"}, {"Van Beek, John", "Van der Beek, John"},
		{"Stockfish 16", "Stockfish 17"}, {"Krejci, Jan1", "Krejci, Jan2"},
		{"Le Quang Liem", "Le, Quang Minh"}, {"Le Quang Liem", "Le Quang Minh"}, {"Nguyen Van An", "Nguyen, Van Binh"}, {"Nguyen Van An", "Nguyen Van Binh"},
	} {
		x, y := namepattern.TakeApart(model.ParsePlayer(pair[0])), namepattern.TakeApart(model.ParsePlayer(pair[1]))
		if same, _ := x.Same(&y); same {
			t.Errorf("%q and %q are one", pair[0], pair[1])
		}
		if same, _ := y.Same(&x); same {
			t.Errorf("%q and %q are one", pair[1], pair[0])
		}
	}
}
