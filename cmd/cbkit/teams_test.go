package main

import (
	"fmt"
	"strings"
	"testing"
)

// played returns the PGN of a game of a tournament.
func played(event string, round int, white, whiteTeam, black, blackTeam, result string) string {
	text := fmt.Sprintf("[Event %q]\n[Date \"2021.03.0%d\"]\n[Round \"%[2]d\"]\n[White %q]\n[Black %q]\n[Result %q]\n", event, round, white, black, result)
	if whiteTeam != "" {
		text += fmt.Sprintf("[WhiteTeam %q]\n[BlackTeam %q]\n", whiteTeam, blackTeam)
	}
	return text + "\n1. e4 " + result + "\n\n"
}

// Teams have match points and board points.
func TestTeamTables(t *testing.T) {
	here(t)
	save(t, "league.pgn", played("League", 1, "A1", "Rooks", "B1", "Knights", "1-0")+played("League", 1, "B2", "Knights", "A2", "Rooks", "1/2-1/2")+
		played("League", 2, "C1", "Bishops", "A1", "Rooks", "1-0")+played("League", 2, "A2", "Rooks", "C2", "Bishops", "1-0")+
		played("League", 3, "B1", "Knights", "C1", "Bishops", "1-0")+played("League", 3, "C2", "Bishops", "B2", "Knights", "*")+
		played("League", 3, "X", "", "Y", "", "1-0"))
	mustRun(t, "import", "-q", "league.pgn", "League.cbh")
	for _, db := range []string{"league.pgn", "League.cbh"} {
		r := mustRun(t, "table", db, "League", "--teams")
		want := `
   Team     1 2  3 MP  BP  Matches  +  =  -
1  Rooks    x 1½ 1  3  2½        2  1  1  0
2  Knights  ½ x  1  2  1½        2  1  0  1
3  Bishops  1 0  x  1  1         2  0  1  1
not counted: 1 game without two teams
`
		if !strings.HasSuffix(strings.ReplaceAll(r.out, " \n", "\n"), want) || !strings.Contains(r.out, "3 teams, 6 games") {
			t.Errorf("%s:\n%s", db, r.out)
		}
	}
	_, rows := tableOf(t, mustRun(t, "table", "league.pgn", "League", "--teams", "--csv").out)
	if len(rows) != 3 || rows[0]["matchPoints"] != "3" || rows[0]["boardPoints"] != "2.5" || rows[0]["2"] != "1½" {
		t.Errorf("%v", rows)
	}
	mustRun(t, "table", "league.pgn", "League", "--teams", "--json").prints(t, `"matches":[{"opponent":2,"round":1,"date":"2021.03.01","for":1.5,"against":0.5}`)
	fails(t, exitFailed, "name no teams", "table", "games.pgn", "London", "--teams")
}

// Byes are no players, and points of a Swiss are partial where rounds or games are missing.
func TestByesAndMissingRounds(t *testing.T) {
	here(t)
	swiss := func(rest string) string {
		return played("Open", 1, "Ada", "", "Bob", "", "1-0") + played("Open", 1, "Cid", "", "bye", "", "1-0") +
			played("Open", 2, "Cid", "", "Ada", "", "1/2-1/2") + played("Open", 2, "BYE", "", "Bob", "", "0-1") + rest
	}
	save(t, "open.pgn", swiss(""))
	r := mustRun(t, "table", "open.pgn", "Open", "--system", "swiss")
	if !strings.Contains(r.out, "3 players, 2 games") || strings.Contains(strings.ToLower(r.out), "bye") || strings.Contains(r.out, "partial") {
		t.Errorf("%s", r.out)
	}
	_, rows := tableOf(t, mustRun(t, "table", "open.pgn", "Open", "--system", "swiss", "--csv").out)
	if len(rows) != 3 || rows[0]["points"] != "1.5" || rows[1]["points"] != "1.5" || rows[2]["player"] != "Bob" || rows[2]["points"] != "1" || rows[2]["2"] != "+" {
		t.Errorf("%v", rows)
	}
	save(t, "gaps.pgn", swiss(played("Open", 5, "Ada", "", "Bob", "", "1-0")))
	r = mustRun(t, "table", "gaps.pgn", "Open", "--system", "swiss")
	for _, note := range []string{"points are partial: there is no game of rounds 3 and 4\n", "points are partial: 1 of 3 players lack games of some rounds\n"} {
		if !strings.Contains(r.out, note) {
			t.Errorf("%s", r.out)
		}
	}
	// In a round robin a bye brings nothing.
	_, rows = tableOf(t, mustRun(t, "table", "open.pgn", "Open", "--system", "round-robin", "--csv").out)
	if len(rows) != 3 || rows[0]["player"] != "Ada" || rows[0]["points"] != "1.5" || rows[1]["points"] != ".5" && rows[1]["points"] != "0.5" {
		t.Errorf("%v", rows)
	}
}
