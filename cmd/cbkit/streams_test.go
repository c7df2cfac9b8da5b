package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"cbkit/internal/packed"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// unpack returns the text of a compressed file, and whether it is compressed.
func unpack(t *testing.T, name string) (string, bool) {
	t.Helper()
	data := must.Get(os.ReadFile(name))(t)
	r, done, err := packed.NewReader(bytes.NewReader(data), "")
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	text := must.Get(io.ReadAll(r))(t)
	return string(text), string(text) != string(data)
}

// Text is compressed if the name of its file says so, and read again.
func TestCompressedOutput(t *testing.T) {
	here(t)
	games := mustRun(t, "export", "-q", "games.pgn", "-").out
	lines := mustRun(t, "export", "-q", "games.pgn", "-", "--format", "jsonl").out
	for _, verb := range []string{"export", "convert"} {
		for _, packing := range []string{".gz", ".zst", ".GZ"} {
			for ending, want := range map[string]string{".pgn": games, ".jsonl": lines} {
				name := verb + ending + packing
				mustRun(t, verb, "-q", "games.pgn", name)
				if text, is := unpack(t, name); text != want || !is {
					t.Errorf("%s: compressed %t, holds\n%s", name, is, text)
				}
				db := strings.ReplaceAll(name, ".", "-") + ".cbh"
				mustRun(t, "import", "-q", name, db)
				if again := mustRun(t, "export", "-q", db, "-").out; again != games {
					t.Errorf("%s reads back as\n%s", name, again)
				}
				must.Do(t, os.Remove(name)) // where names differ in case alone
				mustRun(t, "convert", "-q", "--force", db, db[:len(db)-4]+"-copy.cbh")
				for _, f := range filesOf(db, formatChessBase) {
					must.Do(t, os.Remove(f))
				}
				for _, f := range filesOf(db[:len(db)-4]+"-copy.cbh", formatChessBase) {
					must.Do(t, os.Remove(f))
				}
			}
		}
	}
	mustRun(t, "book", "build", "-q", "games.pgn", "Book.ctg")
	plain := mustRun(t, "book", "export", "-q", "Book.ctg", "-").out
	mustRun(t, "book", "export", "-q", "Book.ctg", "b.jsonl.gz")
	if text, is := unpack(t, "b.jsonl.gz"); text != plain || !is {
		t.Errorf("book export: compressed %t, %d bytes of %d", is, len(text), len(plain))
	}
}

// Standard input is PGN or JSON Lines, compressed or not, for every verb that
// reads games.
func TestStandardInput(t *testing.T) {
	here(t)
	games := mustRun(t, "export", "-q", "games.pgn", "-").out
	lines := mustRun(t, "export", "-q", "games.pgn", "-", "--format", "jsonl").out
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	must.Get(io.WriteString(w, lines))(t)
	must.Do(t, w.Close())
	for name, input := range map[string]string{
		"PGN": games, "JSON Lines": lines, "blanks first": "\ufeff\n  \r\n" + lines, "gzip": zipped.String(),
	} {
		dir := gen.Folder(t)
		for verb, args := range map[string][]string{
			"convert": {"convert", "-q", "-", filepath.Join(dir, "a.cbh")},
			"import":  {"import", "-q", "-", filepath.Join(dir, "b.cbh")},
			"book":    {"book", "build", "-q", "-", filepath.Join(dir, "c.ctg")},
			"info":    {"info", "-"},
			"export":  {"export", "-q", "-", filepath.Join(dir, "d.pgn")},
		} {
			r := cbkit(t, input, args...)
			if r.status != exitDone {
				t.Errorf("%s, %s: %+v", name, verb, r)
			}
			if verb == "info" && !strings.Contains(r.out, "games          4") {
				t.Errorf("%s: %s", name, r.out)
			}
		}
		for _, db := range []string{"a.cbh", "b.cbh", "d.pgn"} {
			if again := mustRun(t, "export", "-q", filepath.Join(dir, db), "-").out; again != games {
				t.Errorf("%s, %s:\n%s", name, db, again)
			}
		}
		mentions(t, name, mustRun(t, "book", "probe", filepath.Join(dir, "c.ctg")).out, "e4      2")
	}
}

// With --keep-going the games before the place where a compressed file was cut
// are kept; without it the error says that this is possible.
func TestTruncatedInput(t *testing.T) {
	if testing.Short() {
		t.Skip("reads large files with many verbs")
	}
	here(t)
	var pgnText, lines strings.Builder
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 6_000 {
		fmt.Fprintf(&pgnText, "[Event \"%x\"]\n\n1. e4 e5 *\n\n", random.Uint64())
		fmt.Fprintf(&lines, "{\"id\":%d,\"event\":\"%x\"}\n", i+1, random.Uint64())
	}
	for _, packing := range []string{packed.Gzip, packed.Zstd} {
		for ending, text := range map[string]string{".pgn": pgnText.String(), ".jsonl": lines.String()} {
			var out bytes.Buffer
			w := must.Get(packed.NewWriter(&out, packing))(t)
			must.Get(io.WriteString(w, text))(t)
			must.Do(t, w.Close())
			name := "cut" + ending + packing
			save(t, name, out.String()[:out.Len()*3/4])
			for i, args := range [][]string{{"convert", name, "x.jsonl"}, {"import", name, "x.cbh"}, {"book", "build", name, "x.ctg"}} {
				r := cbkit(t, "", args...)
				if r.status != exitFailed || !strings.Contains(r.errOut, name) || !strings.Contains(r.errOut, "--keep-going") || exists(args[len(args)-1]) {
					t.Errorf("cbkit %v: %+v", args, r)
				}
				r = cbkit(t, "", append(args, "--keep-going", "--force")...)
				if r.status != exitFailed || !strings.Contains(r.errOut, "ends too early") || !exists(args[len(args)-1]) {
					t.Errorf("cbkit %v --keep-going: %+v", args, r)
				}
				if i == 0 {
					kept, err := os.ReadFile("x.jsonl")
					if n := bytes.Count(kept, []byte("\n")); err != nil || n < 1000 || n >= 6_000 {
						t.Errorf("%s: %d games were kept, %v", name, n, err)
					}
				}
				for _, f := range filesOf(args[len(args)-1], formatOf(args[len(args)-1])) {
					must.Do(t, os.Remove(f))
				}
			}
		}
	}
}

// Games that --keep-going cuts are reported one by one, like those that are
// skipped.
func TestCutGames(t *testing.T) {
	here(t)
	const games = "[Event \"a\"]\n\n1. e4 e5 2. Nf6 Nc6 *\n\n[Event \"b\"]\n\n1. d4 d5 2. Nd5 *\n\n[Event \"c\"]\n\n1. c4 *\n"
	r := cbkit(t, games, "convert", "-q", "--keep-going", "-", "out.cbh")
	if r.status != exitFailed || strings.Count(r.errOut, "cut:") != 2 || strings.Contains(r.errOut, "written") || strings.Count(r.errOut, "\n") != 2 {
		t.Errorf("%+v", r)
	}
	r = cbkit(t, games, "convert", "--keep-going", "-", "out2.cbh")
	if r.status != exitFailed || !strings.Contains(r.errOut, "3 records, 2 cut\n") {
		t.Errorf("%+v", r)
	}
	mustRun(t, "info", "out.cbh").prints(t, "games          3")
	if r := cbkit(t, games, "info", "-"); r.status != exitFailed || !strings.Contains(r.out, "games          1") {
		t.Errorf("info of skipped games: %+v", r)
	}
}

// broken is standard output on a full disk.
type broken struct{}

func (broken) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}
}

// What cannot be printed is an error for every verb.
func TestStandardOutputFails(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	mustRun(t, "book", "build", "-q", "games.pgn", "Book.ctg")
	for _, args := range [][]string{
		{"info", "Games.cbh"}, {"info", "--json", "Games.cbh"}, {"show", "Games.cbh", "1"}, {"show", "Games.cbh", "1", "--ply", "3"},
		{"export", "Games.cbh", "-"}, {"convert", "Games.cbh", "-"}, {"check", "Games.cbh"}, {"verify", "Games.cbh"},
		{"boosters", "Games.cbh"}, {"boosters", "--check", "Games.cbh"}, {"find", "Games.cbh", "--player", "Morphy"},
		{"find", "--terms"}, {"find", "Games.cbh", "--format", "ids", "--player", "Morphy"},
		{"book", "info", "Book.ctg"}, {"book", "probe", "Book.ctg"}, {"book", "export", "Book.ctg", "-"}, {"book", "check", "Book.ctg"},
		{"recover", "Games.cbh"}, {"demo"}, {"--help"}, {"--version"},
	} {
		var errOut bytes.Buffer
		status := run(args, strings.NewReader(""), broken{}, &errOut)
		if status != exitFailed || errOut.String() != "cbkit: standard output: no space left on device\n" {
			t.Errorf("cbkit %v: status %d, %q", args, status, errOut.String())
		}
	}
}

// A signal ends the work, once it has begun, and leaves nothing behind.
func TestSignals(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("signals are sent otherwise there")
	}
	self := must.Get(os.FindProcess(os.Getpid()))(t)
	for _, signal := range append(hangUp, os.Interrupt, syscall.SIGTERM) {
		for _, c := range []struct{ begin, more, target string }{
			{"[Event \"a\"]\n\n1. e4 *\n\n", "[Event \"b\"]\n\n1. e4 *\n\n", "out.pgn"},
			{"[Event \"a\"]\n\n1. e4 *\n\n", "[Event \"b\"]\n\n1. e4 *\n\n", "out.cbh"},
			{"{\"id\":1}\n", "{\"id\":2}\n", "out.dci"},
		} {
			t.Chdir(gen.Folder(t))
			stdin, typing := io.Pipe()
			go func() {
				// The second part is read when the sink is at work. After it
				// nothing comes, and the pipe stays open.
				if _, err := io.WriteString(typing, c.begin); err != nil {
					t.Error(err)
				}
				if _, err := io.WriteString(typing, c.more); err != nil && !errors.Is(err, io.ErrClosedPipe) {
					t.Error(err)
				}
				if err := self.Signal(signal); err != nil {
					t.Error(err)
				}
			}()
			var errOut bytes.Buffer
			status := run([]string{"convert", "-", c.target}, stdin, io.Discard, &errOut)
			if want := "cbkit: interrupted; " + c.target + " was not written\n"; status != exitFailed || errOut.String() != want {
				t.Errorf("%v, %s: status %d, %q", signal, c.target, status, errOut.String())
			}
			if left := folder(t); len(left) > 0 {
				t.Errorf("%v, %s: left are %v", signal, c.target, left)
			}
			stdin.Close()
		}
	}
}

// PGN that breaks off, or has a bad variation, means exit status 1 although its
// games are kept; a result that is missing at the end does not.
func TestPGNThatBreaksOff(t *testing.T) {
	here(t)
	for _, test := range []struct {
		name, text, said string
		status           int
	}{
		{"whole", "[Event \"A\"]\n\n1. e4 *\n", "", exitDone},
		{"a result is missing", "[Event \"A\"]\n\n1. e4\n", "without a result behind its last game", exitDone},
		{"in a variation", "[Event \"A\"]\n\n1. e4 (1. d4", "cut: standard input:3: game 1: a variation that begins here has no end", exitFailed},
		{"in a comment", "[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. e4 {no", "skipped: standard input:7: game 2: a comment that begins here has no end", exitFailed},
		{"in a comment between games", "[Event \"A\"]\n\n1. e4 *\n\n{no", "cut: standard input:5: \"{no\" ends in a comment without end", exitFailed},
		{"in a tag", "[Event \"A\"]\n\n1. e4 *\n\n[Event \"B", "cut: standard input:5: game 2: the file ends inside a tag", exitFailed},
		{"in a tag behind a line break", "[Event \"A\"]\n[Site \"x\n", "cut: standard input:3: game 1: the file ends inside a tag", exitFailed},
		{"behind the bracket of a tag", "[Event \"A\"]\n[", "cut: standard input:2: game 1: the file ends inside a tag", exitFailed},
		{"behind the bracket of the next game", "[Event \"A\"]\n\n1. e4 *\n\n[", "cut: standard input:5: game 2: the file ends inside a tag", exitFailed},
		{"a bad variation", "1. e4 e5 (1... c5 2. Nf6) 2. Nf3 *\n", "cut: standard input:1: game 1: 2.Nf6: no legal move fits; the rest of the variation", exitFailed},
		{"another game", "[Event \"A\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n*\n", "skipped: standard input:1: game 1: it is Atomic", exitFailed},
	} {
		r := cbkit(t, test.text, "convert", "--force", "-", "out.jsonl")
		if r.status != test.status || !strings.Contains(r.errOut, test.said) {
			t.Errorf("%s: %+v", test.name, r)
		}
	}
}
