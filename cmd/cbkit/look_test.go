package main

import (
	"os"
	"strings"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
)

// Any position of any line can be drawn.
func TestShowLines(t *testing.T) {
	here(t)
	must.Do(t, os.WriteFile("v.pgn", []byte("[White \"A\"]\n\n1. e4 $5 e5 (1... c5 2. Nf3 (2. c3) 2... d6) 2. Nf3 *\n"), 0o666))
	mustRun(t, "import", "-q", "v.pgn", "v.cbh")
	r := mustRun(t, "show", "v.cbh", "1")
	if want := "1. e4!? e5\n    [1] (1... c5 2. Nf3\n        [2] (2. c3)\n    2... d6)\n2. Nf3 *\n"; !strings.Contains(r.out, want) {
		t.Errorf("%s", r.out)
	}
	for _, c := range []struct{ args, fen string }{
		{"--line 1", "rnbqkbnr/pp2pppp/3p4/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3"},
		{"--line 2", "rnbqkbnr/pp1ppppp/8/2p5/4P3/2P5/PP1P1PPP/RNBQKBNR b KQkq - 0 2"},
		{"--line 2 --ply 2", "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2"},
		{"--line 0 --ply -2", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2"},
	} {
		if r := mustRun(t, append([]string{"show", "v.cbh", "1"}, strings.Fields(c.args)...)...); !strings.HasSuffix(r.out, c.fen+"\n") {
			t.Errorf("%s: %s", c.args, r.out)
		}
	}
	for _, args := range []string{"--line 3", "--line -1", "--line 2 --ply 4"} {
		if r := cbkit(t, "", append([]string{"show", "v.cbh", "1"}, strings.Fields(args)...)...); r.status != exitUsage {
			t.Errorf("%s: %+v", args, r)
		}
	}
}

// A position is named by the number of a move, as players do, wherever the game
// begins; the diagram says who is to move, and what was moved last.
func TestShowMove(t *testing.T) {
	here(t)
	const game = "[White \"A\"]\n[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 7\"]\n\n7... e5 8. Nf3 (8. f4 exf4) Nc6 *\n"
	must.Do(t, os.WriteFile("late.pgn", []byte(game), 0o666))
	for args, want := range map[string]string{
		"--ply 0":            "Black to move",
		"--move 7b":          "White to move, after 7... e5",
		"--move 8":           "Black to move, after 8. Nf3",
		"--move 8. --flip":   "Black to move, after 8. Nf3",
		"--move 8...":        "White to move, after 8... Nc6",
		"--move 8B --line 1": "White to move, after 8... exf4",
	} {
		r := mustRun(t, append([]string{"show", "late.pgn", "1"}, strings.Fields(args)...)...)
		lines := strings.Split(strings.TrimRight(r.out, "\n"), "\n")
		if got := lines[len(lines)-2]; got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
	for _, args := range []string{"--move 7", "--move 9", "--move 0", "--move e4", "--move 8 --ply 1", "--move 9b --line 1"} {
		fails(t, exitUsage, "--move", append([]string{"show", "late.pgn", "1"}, strings.Fields(args)...)...)
	}
	says(t, cbkit(t, "", "show", "late.pgn", "1", "--move", "9"), exitUsage, "--move: 9 is not in the line, which ends with move 8b")
	says(t, cbkit(t, "", "show", "late.pgn", "1", "--move", "8b", "--line", "1", "--ply", "1"), exitUsage, "one of them is enough")
	save(t, "text.jsonl", `{"id":1,"kind":"text"}`+"\n")
	says(t, cbkit(t, "", "show", "text.jsonl", "1", "--move", "1"), exitUsage, "record 1 is a text, and has no position")
}

// Comments and variations have colours on a terminal.
func TestColored(t *testing.T) {
	const want = colorTag + "[White \"A\"]" + colorOff + "\n\n1. e4 " + colorOff + colorComment + "{a (b)}" + colorOff + " " +
		colorOff + colorVariation + "(1. d4 " + colorOff + colorComment + "{c}" + colorOff + colorVariation + ")" + colorOff + " *" + colorOff
	if got := colored("[White \"A\"]\n\n1. e4 {a (b)} (1. d4 {c}) *"); got != want {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// Guiding texts are shown without their tags.
func TestShowGuidingText(t *testing.T) {
	db := corpus.Path(t, "cbh/hedgehog/Hedgehog.cbh")
	if r := mustRun(t, "show", db, "2"); strings.ContainsAny(r.out, "<>") || !strings.Contains(r.out, "СОДЕРЖАНИЕ") {
		t.Errorf("%s", r.out)
	}
}
