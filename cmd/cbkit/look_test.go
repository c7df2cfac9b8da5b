package main

import (
	"os"
	"strings"
	"testing"

	"cbkit/internal/corpus"
)

// Any position of any line can be drawn.
func TestShowLines(t *testing.T) {
	here(t)
	if err := os.WriteFile("v.pgn", []byte("[White \"A\"]\n\n1. e4 $5 e5 (1... c5 2. Nf3 (2. c3) 2... d6) 2. Nf3 *\n"), 0o666); err != nil {
		t.Fatal(err)
	}
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
