package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// Show, find and export write PGN for people; convert, and everything with
// --lossless, what reads back.
func TestPlainAndLossless(t *testing.T) {
	db := corpus.Path(t, "cbh/mate2/Mate2.cbh")
	dir := gen.Folder(t)
	for _, c := range []struct {
		args     []string
		out      string // the file, if it is not standard output
		lossless bool
	}{
		{args: []string{"show", db, "1"}},
		{args: []string{"show", db, "1", "--plain"}},
		{args: []string{"show", db, "1", "--lossless"}, lossless: true},
		{args: []string{"export", "-q", db, "-"}},
		{args: []string{"export", "-q", "--plain", db, "-"}},
		{args: []string{"export", "-q", "--lossless", db, "-"}, lossless: true},
		{args: []string{"find", "-q", "--format", "pgn", db, "has:training"}},
		{args: []string{"find", "-q", "--format", "pgn", "--lossless", db, "has:training"}, lossless: true},
		{args: []string{"convert", "-q", db}, out: "c.pgn", lossless: true},
		{args: []string{"convert", "-q", "--plain", db}, out: "d.pgn"},
		{args: []string{"sort", "-q", "--by", "date", db}, out: "s.pgn"},
		{args: []string{"sort", "-q", "--by", "date", "--lossless", db}, out: "t.pgn", lossless: true},
		{args: []string{"sort", "-q", "--by", "date", filepath.Join(dir, "c.pgn")}, out: "u.pgn", lossless: true}, // as the source is
		{args: []string{"sort", "-q", "--by", "date", "--plain", filepath.Join(dir, "c.pgn")}, out: "v.pgn"},
		{args: []string{"strip", "-q", "--variations", db}, out: "w.pgn"},
		{args: []string{"dedup", "-q", db}, out: "x.pgn"},
		{args: []string{"merge", "-q", db, filepath.Join(dir, "d.pgn")}, out: "y.pgn"},
		{args: []string{"find", "-q", db, "has:training", "-o"}, out: "z.pgn"},
		{args: []string{"eco", "-q", db}, out: "e.pgn"},
		{args: []string{"eco", "-q", "--plain", db}, out: "f.pgn"},
	} {
		args := c.args
		if c.out != "" {
			args = append(args, filepath.Join(dir, c.out))
		}
		r := mustRun(t, args...)
		if c.out != "" {
			text := must.Get(os.ReadFile(args[len(args)-1]))(t)
			r.out = string(text)
		}
		words := strings.Join(strings.Fields(r.out), " ")
		isLossless := strings.Contains(words, "[%tqu") && strings.Contains(words, "[%cbraw")
		isPlain := !strings.Contains(words, "[%") && strings.Contains(words, "{Training (360 seconds): Encuentra el mate en dos; hint: ")
		if isLossless != c.lossless || isPlain == c.lossless {
			t.Errorf("cbkit %v: %s", args, r.out)
		}
	}
}

// What PGN for people is without is summed up in one line.
func TestPlainSummary(t *testing.T) {
	db := corpus.Path(t, "cbh/mate2/Mate2.cbh")
	const want = "PGN for people: in another form: 15 training questions; --lossless keeps annotations as they are, --all lists all\n"
	out := filepath.Join(gen.Folder(t), "out.pgn")
	for _, args := range [][]string{{"export", "--force", db, out}, {"find", "--format", "pgn", db, "has:training"}} {
		if r := mustRun(t, args...); !strings.HasSuffix(r.errOut, want) || strings.Contains(r.errOut, "losses:") {
			t.Errorf("cbkit %v says: %s", args, r.errOut)
		}
		if r := mustRun(t, append(args, "--all")...); !strings.Contains(r.errOut, "15  values written in another form: training question") {
			t.Errorf("cbkit %v --all says: %s", args, r.errOut)
		}
	}
	for _, flags := range [][]string{{"--plain", "--format", "jsonl"}, {"--lossless", "--format", "jsonl"}, {"--plain", "--lossless"}} {
		if r := cbkit(t, "", append([]string{"export", db, "-"}, flags...)...); r.status != exitUsage {
			t.Errorf("%v: %+v", flags, r)
		}
	}
}
