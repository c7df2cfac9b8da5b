//go:build unix

package main

import (
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"cbkit/internal/testkit/must"
)

// soon fails the test unless a command ends without waiting.
func soon(t *testing.T, what string, args ...string) (r result) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		r = cbkit(t, "", args...)
	}()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatalf("%s: cbkit %v waits", what, args)
	}
	return r
}

// One or all of several texts to import may be pipes, each once.
func TestPipesAmongTexts(t *testing.T) {
	for _, jobs := range []string{"1", "2"} {
		for _, order := range [][]string{{"games.pgn", "pipe"}, {"pipe", "games.pgn"}, {"pipe", "games.pgn", "pipe2"}} {
			here(t)
			text := must.Get(os.ReadFile("games.pgn"))(t)
			for _, name := range []string{"pipe", "pipe2"} {
				if err := syscall.Mkfifo(name, 0o666); err != nil {
					t.Skip(err)
				}
				if slices.Contains(order, name) {
					go func() {
						if f, err := os.OpenFile(name, os.O_WRONLY, 0); err == nil {
							_, _ = f.Write(text) // a reader that is missing shows below
							_ = f.Close()
						}
					}()
				}
			}
			r := soon(t, "with a writer", append(append([]string{"import", "--jobs", jobs}, order...), "all.cbh")...)
			if r.status != exitDone {
				t.Errorf("%v: %+v", order, r)
				continue
			}
			mustRun(t, "import", "-q", "games.pgn", "one.cbh")
			all, one := countOf(t, "all.cbh"), countOf(t, "one.cbh")
			if all != one*len(order) {
				t.Errorf("%v: %d games of %d each", order, all, one)
			}
		}
	}
	here(t)
	if err := syscall.Mkfifo("pipe", 0o666); err != nil {
		t.Skip(err)
	}
	if r := soon(t, "twice", "import", "pipe", "games.pgn", "./pipe", "x.cbh"); r.status != exitUsage || !strings.Contains(r.errOut, "pipe: ") {
		t.Errorf("a pipe twice: %+v", r)
	}
	for _, args := range [][]string{{"dedup", "pipe.pgn", "x.pgn"}, {"merge", "games.pgn", "pipe.pgn", "x.cbh", "--dedup"}} { // read everything twice
		for _, name := range []string{"pipe.pgn", "x.pgn"} {
			_ = os.Remove(name)
		}
		if err := syscall.Mkfifo("pipe.pgn", 0o666); err != nil {
			t.Skip(err)
		}
		go func() {
			if f, err := os.OpenFile("pipe.pgn", os.O_WRONLY, 0); err == nil {
				_ = f.Close()
			}
		}()
		if r := soon(t, "read twice", args...); r.status != exitUsage || !strings.Contains(r.errOut, "pipe.pgn: ") || exists(args[2]) && args[0] == "dedup" {
			t.Errorf("%q: %+v", args, r)
		}
		if f, err := os.OpenFile("pipe.pgn", os.O_RDONLY|syscall.O_NONBLOCK, 0); err == nil { // for a writer that waits
			_ = f.Close()
		}
	}
}

// countOf returns the number of games in a database.
func countOf(t *testing.T, db string) int {
	t.Helper()
	return strings.Count(mustRun(t, "export", "-q", "--format", "pgn", db, "-").out, "[Event ")
}

// A pipe in the place of a file of a database is refused, and not waited for; one
// among its media is left out.
func TestPipeInADatabase(t *testing.T) {
	for _, name := range []string{"Games.cbh", "Games.cbj", "Games.cbg", "Games.cbp", "Games.cbtt", "Games.ini", "Games.flags", "Games.cpx", "Games.cbb"} {
		here(t)
		mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
		_ = os.Remove(name)
		if err := syscall.Mkfifo(name, 0o666); err != nil {
			t.Skip(err)
		}
		for _, args := range [][]string{
			{"convert", "Games.cbh", "x.cbh"}, {"check", "Games.cbh"}, {"verify", "Games.cbh"}, {"info", "Games.cbh"},
			{"boosters", "Games.cbh"}, {"find", "Games.cbh", "--player", "x"}, {"import", "--force", "games.pgn", "Games.cbh"},
		} {
			r := soon(t, name, args...)
			if args[0] == "convert" && (r.status == exitDone || !strings.Contains(r.errOut, name) || exists("x.cbh")) {
				t.Errorf("%s: cbkit %v: %+v", name, args, r)
			}
			if args[0] == "import" && r.status == exitDone && !exists(name) && !exists("Games.cbh.cbkit-kept/"+name) {
				t.Errorf("%s: cbkit %v: the pipe is gone", name, args)
			}
		}
	}
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	layAll(t, "Games.html/")
	if err := syscall.Mkfifo("Games.html/pipe", 0o666); err != nil {
		t.Skip(err)
	}
	if r := soon(t, "media", "convert", "Games.cbh", "x.cbh"); r.status != exitDone || !strings.Contains(r.errOut, "media") || exists("x.html/pipe") || !exists("x.html/thing") {
		t.Errorf("a pipe among media: %+v", r)
	}
}

// What is no file is not edited, and not waited for.
func TestEditOfAPipe(t *testing.T) {
	here(t)
	for _, name := range []string{"pipe.pgn", "pipe.jsonl"} {
		if err := syscall.Mkfifo(name, 0o666); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Symlink("/dev/zero", "device.pgn"); err != nil {
		t.Skip(err)
	}
	must.Do(t, os.Mkdir("folder.pgn", 0o777))
	save(t, "l.csv", "old,new\nA,B\n")
	for _, name := range []string{"pipe.pgn", "pipe.jsonl", "device.pgn", "folder.pgn"} {
		for _, args := range [][]string{{"edit", name, "--set", "1.White=X"}, {"edit", name, "--rename-player", "A=B"}, {"names", name, "--apply", "l.csv"}} {
			r := soon(t, "no file", args...)
			if r.status == exitDone || strings.Count(r.errOut, "\n") != 1 || !strings.HasPrefix(r.errOut, "cbkit: "+name+": is a folder, a pipe or a device") {
				t.Errorf("%v: %+v", args, r)
			}
		}
	}
}
