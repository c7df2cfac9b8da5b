package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
)

// ofAnEvent are games of one event that a PGN file has as three.
const ofAnEvent = `[Event "?"]
[Site "Linares"]
[Date "1999.12.30"]
[White "A, A"]
[Black "B, B"]

1. e4 1-0

[Event "Linares"]
[Site "Linares"]
[Date "2000.01.02"]
[White "C, C"]
[Black "B, B"]

1. d4 1-0

[Event "Elsewhere"]
[Site "Madrid"]
[Date "2000.01.03"]
[White "A, A"]
[Black "C, C"]

1. c4 1-0

`

// One event that is set on a range is one tournament; what its games said otherwise is told.
func TestSetOneEvent(t *testing.T) {
	here(t)
	save(t, "n.pgn", ofAnEvent)
	mustRun(t, "import", "-q", "n.pgn", "N.cbh")
	r := mustRun(t, "edit", "N.cbh", "--set", "1-3.Event=Linares 17th")
	list := mustRun(t, "list", "N.cbh", "tournaments", "--csv")
	if strings.Count(list.out, "\n") != 2 || !strings.Contains(list.out, "Linares 17th,3,") {
		t.Errorf("%s", list.out)
	}
	if !strings.Contains(r.errOut, "details of a tournament") {
		t.Errorf("%s", r.errOut)
	}
	mustRun(t, "check", "N.cbh")
}

// The details of a tournament are set by the names that PGN has for them.
func TestSetDetailsOfTournaments(t *testing.T) {
	here(t)
	save(t, "n.pgn", ofAnEvent)
	mustRun(t, "import", "-q", "n.pgn", "N.cbh")
	mustRun(t, "edit", "N.cbh", "--set", "1-3.event=Linares", "--set", "1-3.EventDate=1999.12.29", "--set", "1-2.eventEnd=2000.01.05",
		"--set", "1.EventType=round-robin", "--set", "1-3.EventCategory=18", "--set", "2.EventRounds=10", "--set", "1.eventCountry=ESP",
		"--set", "1.Round=3.2", "--set", "2.WhiteElo=2700", "--set", "2.BlackElo=?", "--set", "3.ECO=C67", "--set", "3.Site=Madrid")
	text := mustRun(t, "export", "N.cbh", "-", "--games", "1-2", "--lossless").out
	mentions(t, "the game", text,
		`[EventDate "1999.12.29"]`, `[EventType "tourn"]`, `[EventCategory "18"]`, `[EventRounds "10"]`, `[EventCountry "ESP"]`, `[Round "3.2"]`, `[WhiteElo "2700"]`,
	)
	if list := mustRun(t, "list", "N.cbh", "tournaments", "--csv").out; strings.Count(list, "\n") != 3 {
		t.Errorf("%s", list)
	}
	mustRun(t, "edit", "N.cbh", "--set", "1.round=5", "--set", "2.round=4.2", "--set", "2.subround=") // a new round has no game of the old one
	mustRun(t, "export", "N.cbh", "-", "--games", "1-2", "--lossless").prints(t, `[Round "5"]`, `[Round "4"]`)
	mustRun(t, "check", "N.cbh")
	mustRun(t, "convert", "-q", "n.pgn", "N.dci")
	if r := mustRun(t, "edit", "N.dci", "--set", "1.Round=4", "--set", "1-3.Event=Linares"); r.status != exitDone {
		t.Errorf("%+v", r)
	}
	for _, c := range []struct{ db, set, says string }{
		{"N.cbh", "1.eventType=circus", `"circus" is no type of a tournament`}, {"N.cbh", "1.eventRounds=300", "no number up to 255"},
		{"N.cbh", "1.eventEnd=soon", "is no date"}, {"N.cbh", "1.eventCountry=Atlantis", "is no country"}, {"N.cbh", "1.round=3.x", "no number"},
		{"N.dci", "1.eventRounds=9", "no place for it"},
	} {
		if r := cbkit(t, "", "edit", c.db, "--set", c.set); r.status == exitDone || !strings.Contains(r.errOut, c.says) || strings.Count(r.errOut, "\n") != 1 {
			t.Errorf("%s: %+v", c.set, r)
		}
	}
}

// The code behind a site is the country of the tournament: in .cbh as a field, in PGN
// without a tag.
func TestCountryOfSites(t *testing.T) {
	here(t)
	save(t, "n.pgn", `[Event "Open"]
[Site "Biel SUI"]
[Date "2001.??.??"]
[Round "?"]
[White "A"]
[Black "B"]
[Result "*"]
[PlyCount "1"]

1. e4 *

[Event "Cup"]
[Site "Biel SUI"]
[Date "2001.??.??"]
[Round "?"]
[White "A"]
[Black "B"]
[Result "*"]
[PlyCount "1"]
[EventCountry "FRA"]

1. e4 *

`)
	mustRun(t, "import", "-q", "n.pgn", "N.cbh")
	mustRun(t, "convert", "-q", "N.cbh", "again.pgn")
	mustRun(t, "convert", "-q", "n.pgn", "plain.pgn")
	one, err := os.ReadFile("again.pgn")
	other, err2 := os.ReadFile("plain.pgn")
	if err != nil || err2 != nil || !bytes.Equal(one, other) || bytes.Count(one, []byte("EventCountry")) != 1 {
		t.Errorf("%v, %v: %s", err, err2, one)
	}
	mustRun(t, "diff", "N.cbh", "n.pgn").prints(t, "0 added, 0 removed, 0 changed")
	mustRun(t, "export", "N.cbh", "-", "--format", "jsonl").prints(t, `"nation":"SUI"`, `"nation":"FRA"`)
	for _, name := range []string{"n.pgn", "N.cbh"} {
		if r := mustRun(t, "find", name, "nation:SUI", "--format", "ids"); r.out != "1\n" {
			t.Errorf("%s: %s", name, r.out)
		}
	}
	mustRun(t, "check", "N.cbh")
	mustRun(t, "edit", "-q", "N.cbh", "--set", "1.site=Wien AUT", "--set", "2.site=Wien AUT")
	if r := mustRun(t, "find", "N.cbh", "nation:AUT", "--format", "ids"); r.out != "1\n" {
		t.Errorf("%s", r.out)
	}
	mustRun(t, "edit", "-q", "N.cbh", "--set", "1.site=Wien")
	if r := mustRun(t, "find", "N.cbh", "nation:AUT", "--format", "ids"); r.out != "1\n" {
		t.Errorf("%s", r.out)
	}
}

// A tournament whose place is set for a part of its games becomes two, which is said.
func TestSetSplitsTournament(t *testing.T) {
	here(t)
	save(t, "n.pgn", strings.Repeat("[Event \"E\"]\n[Site \"Linares\"]\n[Date \"2000.01.02\"]\n\n1. e4 1-0\n\n", 3))
	mustRun(t, "import", "-q", "n.pgn", "N.cbh")
	const stays = `the tournament "E" stays as it was for 1 other record; name them too to change it`
	mustRun(t, "edit", "N.cbh", "--set", "1-2.site=Madrid").reports(t, stays)
	for _, set := range []string{"3.site=Madrid", "1-3.site=Oslo", "1.event=E", "1-3.event=F"} {
		if r := mustRun(t, "edit", "N.cbh", "--set", set); strings.Contains(r.errOut, "stays as it was") {
			t.Errorf("%s: %+v", set, r)
		}
	}
	mustRun(t, "check", "N.cbh")
}

// Words that are no names of players lead to the conditions that they mean.
func TestWordsOfConditions(t *testing.T) {
	here(t)
	for word, want := range map[string]string{
		"2016": "year:2016 is", "deleted": "write deleted:yes|no", "elo>2500": "elo:>2500", "eco": "write eco:CODE..CODE",
	} {
		if r := cbkit(t, "", "find", "games.pgn", word); !strings.Contains(r.errOut, want) || len(r.errOut) > 200 {
			t.Errorf("%s: %+v", word, r)
		}
	}
}

// What is in folders inside the one that is named is not looked at, which is said.
func TestFoldersInside(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	must.Do(t, os.MkdirAll(filepath.Join("old", "empty"), 0o777))
	mustRun(t, "import", "-q", "games.pgn", filepath.Join("old", "Old.cbh"))
	for _, verb := range []string{"info", "check"} {
		if r := mustRun(t, verb, "."); !strings.Contains(r.errOut, "not looked into 1 folder in it, which can be named too: old\n") {
			t.Errorf("%+v", r)
		}
	}
	if r := mustRun(t, "info", "old"); r.errOut != "" {
		t.Errorf("%+v", r)
	}
	if r := cbkit(t, "", "sort", "old", "x.pgn", "--by", "date"); !strings.Contains(r.errOut, "is a folder; name a database file in it, such as "+filepath.Join("old", "Old.cbh")) {
		t.Errorf("%+v", r)
	}
}
