package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	for _, want := range []string{
		"<b>Moe</b>|, P", "3 games, 2023-2024; score 50.0%: +1 =1 -1", "1.e4 c5 2.Nf3", "· 2...d6 3.d4 cxd4", "1.d4 Nf6", "67",
		"in 1 of 1 game with clocks: 3", "No game has evaluations", "In 2 of 3 games the lines go on", "in 1 the", "1.e4 c5 2.Nf3 Nc6",
	} {
		if !strings.Contains(r.out, want) {
			t.Errorf("%q is not in\n%s", want, r.out)
		}
	}
	if strings.Contains(r.out, "1.c4") || strings.Contains(r.out, "1.f4") || !strings.Contains(r.errOut, "means") {
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
