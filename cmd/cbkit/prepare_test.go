package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
)

// preparedGame is a game of two players, with moves.
func preparedGame(white, black, date, result, moves string) string {
	return "[White \"" + white + "\"]\n[Black \"" + black + "\"]\n[Date \"" + date + "\"]\n[Result \"" + result + "\"]\n\n" + moves + " " + result + "\n\n"
}

// A preparation has what the opponent played with one colour, in every form, and what of it
// a repertoire lacks.
func TestPrepare(t *testing.T) {
	here(t)
	save(t, "games.pgn", strings.Join([]string{
		preparedGame("Foss, Ida", "<b>Moe</b>|, Per", "2024.01.02", "1-0", "1. e4 c5 2. Nf3 d6 3. d4 cxd4"),
		preparedGame("Lind, Sara", "<b>Moe</b>|, Per", "2024.01.03", "0-1", "1. e4 c5 2. Nf3 Nc6 3. d4 cxd4"),
		preparedGame("Berg, Anna", "<b>Moe</b>|, P", "2023.01.03", "1/2-1/2", "1. d4 { [%clk 0:05:00] } Nf6 { [%clk 0:00:20] }"),
		preparedGame("<b>Moe</b>|, Per", "Berg, Anna", "2023.01.03", "1-0", "1. c4"),
		preparedGame("Berg, Anna", "Holm, Erik", "2023.01.03", "1-0", "1. f4"),
	}, ""))
	save(t, "mine.pgn", "[White \"x\"]\n\n1. e4 (1. d4 Nf6) c5 2. Nf3 d6 *\n")
	r := mustRun(t, "prepare", "games.pgn", "<b>moe</b>|", "--color", "black", "--min-games", "1", "--repertoire", "mine.pgn")
	mentions(t, "the report", r.out,
		"<b>Moe</b>|, P", "3 games, 2023-2024; score 50.0%: +1 =1 -1", "1.e4 c5 2.Nf3", "· 2...d6 3.d4 cxd4", "1.d4 Nf6", "67",
		"in 1 of 1 game with clocks: 3", "No game has evaluations", "In 2 of 3 games the lines go on", "in 1 the", "1.e4 c5 2.Nf3 Nc6",
	)
	if strings.Contains(r.out, "1.c4") || strings.Contains(r.out, "1.f4") || strings.Count(r.errOut, "means") != 1 {
		t.Errorf("%s%s", r.out, r.errOut)
	}
	mustRun(t, "prepare", "games.pgn", "<b>moe</b>|", "--color", "black", "-o", "moe.html", "-q")
	if page := content(t, "moe.html"); strings.Contains(page, "<b>") || strings.Contains(page, "<script") || !strings.Contains(page, "<h1>&lt;b&gt;Moe") || !strings.HasSuffix(page, "</html>\n") {
		t.Error(page)
	}
	mustRun(t, "prepare", "games.pgn", "<b>moe</b>|", "--color", "black", "-o", "moe.md", "-q")
	if page := content(t, "moe.md"); strings.Contains(page, " <b>") || !strings.Contains(page, "\n# \\<b>Moe\\</b>\\|") || !strings.Contains(page, "| --- | --:") {
		t.Error(page)
	}
	mustRun(t, "prepare", "games.pgn", "<b>moe</b>|", "--color", "black", "-o", "moe.pgn", "-q")
	if text := content(t, "moe.pgn"); !strings.Contains(text, "1. e4 {2 games") {
		t.Error(text)
	}
	var got preparation
	if err := json.Unmarshal([]byte(mustRun(t, "prepare", "games.pgn", "<b>moe</b>|", "--color", "black", "--json", "--repertoire", "mine.pgn").out), &got); err != nil ||
		got.All.Games() != 3 || got.Met.Stayed != 2 || len(got.Recent) != 3 {
		t.Errorf("%+v, %v", got, err)
	}
	entries, err := os.ReadDir(".")
	if err != nil || len(entries) != 5 {
		t.Errorf("%d files, %v", len(entries), err)
	}
	for _, c := range []struct {
		status int
		said   string
		args   []string
	}{
		{exitFailed, "no player is called", []string{"Nemo", "--color", "black"}},
		{exitFailed, "has no game here as white", []string{"Holm", "--color", "white"}},
		{exitUsage, "--color", []string{"Holm"}},
		{exitUsage, "writes .html, .md or .pgn", []string{"Holm", "--color", "black", "-o", "holm.txt"}},
		{exitUsage, "no room", []string{"Holm", "--color", "black", "-o", "holm.pgn", "--repertoire", "mine.pgn"}},
		{exitFailed, "exists already", []string{"<b>moe</b>|", "--color", "black", "-o", "moe.html"}},
		{exitFailed, "no such file", []string{"Holm", "--color", "black", "--repertoire", "none.pgn"}},
	} {
		if r := cbkit(t, "", append([]string{"prepare", "games.pgn"}, c.args...)...); r.status != c.status || !strings.Contains(r.errOut, c.said) {
			t.Errorf("%q: status %d, %s", c.args, r.status, r.errOut)
		}
	}
	if left, err := filepath.Glob("holm*"); err != nil || left != nil {
		t.Errorf("left: %q, %v", left, err)
	}
}

// An opening of which no game was finished has no score, and so not the worst.
func TestPrepareWithoutResults(t *testing.T) {
	here(t)
	save(t, "games.pgn", "[ECO \"C42\"]\n"+preparedGame("Foss, Ida", "Moe, Per", "2024.01.02", "*", "1. e4 e5 2. Nf3 Nf6")+
		"[ECO \"B20\"]\n"+preparedGame("Foss, Ida", "Moe, Per", "2024.01.03", "0-1", "1. e4 c5"))
	_, worst, _ := strings.Cut(mustRun(t, "prepare", "games.pgn", "Moe", "--color", "black", "--min-games", "1").out, "Where the score is worst")
	if worst, _, _ = strings.Cut(worst, "Over the years"); strings.Contains(worst, "C42") || !strings.Contains(worst, "B20") {
		t.Error(worst)
	}
}

// Games of a folder are called by their files, also where the repertoire is a folder, too;
// a game whose moves are not legal is told, and so is a file that is there before anything is
// read.
func TestPrepareFromFolder(t *testing.T) {
	here(t)
	for _, dir := range []string{"Season", "Mine"} {
		must.Do(t, os.Mkdir(dir, 0o777))
	}
	save(t, "Season/a.pgn", preparedGame("Foss, Ida", "Moe, Per", "2024.01.02", "1-0", "1. e4 { [%clk 0:05:00] } c5 { [%clk 0:00:20] }"))
	save(t, "Season/b.pgn", preparedGame("Lind, Sara", "Moe, Per", "2024.01.03", "0-1", "1. e4 e5 2. Ke3")+
		preparedGame("Lind, Sara", "Moe, Per", "2024.01.04", "0-1", "1. d4 { [%clk 0:05:00] } d5 { [%clk 0:00:10] }"))
	save(t, "Mine/one.pgn", "[White \"x\"]\n\n1. e4 c6 *\n")
	save(t, "Mine/two.pgn", "[White \"x\"]\n\n1. d4 d5 *\n")
	r := cbkit(t, "", "prepare", "Season", "Moe", "--color", "black", "--repertoire", "Mine")
	for _, want := range []string{"a.pgn#1, b.pgn#1", "b.pgn#1  2024.01.04", "1.e4 c5 "} {
		if !strings.Contains(r.out, want) {
			t.Errorf("%q is not in\n%s", want, r.out)
		}
	}
	if r.status != exitFailed || !strings.Contains(r.errOut, "b.pgn:") {
		t.Errorf("status %d\n%s", r.status, r.errOut)
	}
	if r := cbkit(t, "", "prepare", "Season", "Moe", "--color", "black", "--json"); !strings.Contains(r.out, `"ids":["a.pgn#1","b.pgn#1"]`) || !strings.Contains(r.out, `"file":"b.pgn","id":1`) {
		t.Error(r.out)
	}
	save(t, "moe.md", "mine")
	if r := cbkit(t, "", "prepare", "missing.pgn", "Moe", "--color", "black", "-o", "moe.md"); r.status != exitFailed || content(t, "moe.md") != "mine" {
		t.Errorf("%+v", r)
	}
	long := ""
	for year := range 30 {
		long += preparedGame("Lind, Sara", "Moe, Per", fmt.Sprintf("%d.??.??", 1990+year), "0-1", "1. d4 d5")
	}
	save(t, "long.pgn", long)
	if r := mustRun(t, "prepare", "long.pgn", "Moe", "--color", "black"); strings.Contains(r.out, "--limit") || !strings.Contains(r.out, "1990 ") {
		t.Error(r.out)
	}
}
