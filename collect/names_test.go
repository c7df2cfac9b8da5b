package collect_test

import (
	"fmt"
	"strings"
	"testing"

	"cbkit/collect"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// near lists what NearNames finds in games of pairs of names; "@2500" behind a name is a
// rating, "#12" an id, "/7" the round of a tournament.
func near(t *testing.T, games ...[2]string) string {
	t.Helper()
	db := &model.Database{}
	for _, names := range games {
		g := model.NewGame()
		g.Date = model.Date{Year: 2010}
		for i, s := range names {
			var name, id string
			var elo uint16
			var first string
			if s, round, is := strings.Cut(s, " /"); is {
				fmt.Sscan(round, &g.Round)
				g.Tournament = db.Tables.Tournaments.Intern(model.Tournament{Title: "T"})
				fmt.Sscan(s, &name, &first)
			} else {
				fmt.Sscanf(s, "%s %s @%d #%s", &name, &first, &elo, &id)
			}
			p := model.Player{LastName: name, FirstName: first}
			if first == "-" {
				p.FirstName = ""
			}
			player := db.Tables.Players.Intern(p)
			if i == 0 {
				g.White, g.WhiteElo = player, elo
			} else {
				g.Black, g.BlackElo = player, elo
			}
			if id != "" {
				g.Tags = append(g.Tags, model.Tag{Name: []string{"WhiteFideId", "BlackFideId"}[i], Value: id})
			}
		}
		db.AddGame(g)
	}
	list := must.Get(collect.NearNames(t.Context(), db, collect.Options{}))(t)
	out := ""
	for _, n := range list {
		out += fmt.Sprintf("%s>%s;", n.Old, n.New)
	}
	return out
}

// Near names are told if nothing speaks against them.
func TestNearNames(t *testing.T) {
	for _, c := range []struct {
		why   string
		games [][2]string
		want  string
	}{
		{"nothing", nil, ""},
		{"one game", [][2]string{{"Tal M", "Fischer R"}}, ""},
		{"an initial", [][2]string{{"Tal M", "X Y"}, {"Tal Mikhail", "X Y"}}, "Tal, M>Tal, Mikhail;"},
		{"the full name of fewer games", [][2]string{{"Tal M", "X Y"}, {"Tal M", "X Y"}, {"Tal Mikhail", "X Y"}}, "Tal, M>Tal, Mikhail;"},
		{"two whom an initial can mean", [][2]string{{"Polgar S", "X Y"}, {"Polgar Susan", "X Y"}, {"Polgar Sofia", "X Y"}}, ""},
		{"they played each other", [][2]string{{"Tal M", "Tal Mikhail"}}, ""},
		{"accents", [][2]string{{"Müller K", "X Y"}, {"Müller K", "X Y"}, {"Muller K", "X Y"}}, "Muller, K>Müller, K;"},
		{"scripts", [][2]string{{"Карпов А", "X Y"}, {"Karpov A", "X Y"}, {"Karpov A", "X Y"}}, "Карпов, А>Karpov, A;"},
		{"no first name", [][2]string{{"Karpov -", "X Y"}, {"Karpov Anatoly", "X Y"}}, "Karpov>Karpov, Anatoly;"},
		{"letters", [][2]string{{"Kasparof Garry", "X Y"}, {"Kasparov Garry", "X Y"}, {"Kasparov Garry", "X Y"}}, "Kasparof, Garry>Kasparov, Garry;"},
		{"exchanged", [][2]string{{"Magnus Carlsen", "X Y"}, {"Carlsen Magnus", "X Y"}, {"Carlsen Magnus", "X Y"}}, "Magnus, Carlsen>Carlsen, Magnus;"},
		{"they played in one round", [][2]string{{"Tal M /7", "X Y"}, {"Tal Mikhail /7", "Z Y"}}, ""},
		{"they played in two rounds", [][2]string{{"Tal M /7", "X Y"}, {"Tal Mikhail /8", "Z Y"}}, "Tal, M>Tal, Mikhail;"},
		{"ratings", [][2]string{{"Tal M @1500", "X Y"}, {"Tal Mikhail @2600", "X Y"}}, ""},
		{"one id, names that are not near", [][2]string{{"Hou Yifan @0 #8602980", "X Y"}, {"侯逸凡 - @0 #8602980", "X Y"}}, "侯逸凡>Hou, Yifan;"},
		{"two ids", [][2]string{{"Tal M @0 #1", "X Y"}, {"Tal Mikhail @0 #2", "X Y"}}, ""},
		{"two of one, three spellings", [][2]string{{"Tal M", "X Y"}, {"Tal Mikhail", "X Y"}, {"Tal Michail", "X Y"}, {"Tal Mikhail", "X Y"}},
			"Tal, M>Tal, Mikhail;Tal, Michail>Tal, Mikhail;"},
	} {
		for range 3 { // always the same
			if got := near(t, c.games...); got != c.want {
				t.Errorf("%s: %s, want %s", c.why, got, c.want)
			}
		}
	}
}
