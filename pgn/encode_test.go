package pgn

import (
	"testing"

	"cbkit/model"
)

// Only what is there is told of as lost.
func TestLostOfTeam(t *testing.T) {
	for _, c := range []struct {
		team model.Team
		want string
	}{
		{model.Team{Title: "T"}, ""},
		{model.Team{Number: 2}, "number 2"},
		{model.Team{Year: 2016}, "year 2016"},
		{model.Team{Year: 2016, Season: true}, "season 2016/2017"},
		{model.Team{Season: true}, "season"},
		{model.Team{Number: 3, Year: 1990}, "number 3, year 1990"},
	} {
		if got := lostOfTeam(c.team); got != c.want {
			t.Errorf("%+v: %q, want %q", c.team, got, c.want)
		}
	}
}
