//go:build unix

package main

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A pipe in the place of a file of a database is refused, and not waited for; one
// among its media is left out.
func TestPipeInADatabase(t *testing.T) {
	soon := func(what string, args ...string) (r result) {
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
			r := soon(name, args...)
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
	if r := soon("media", "convert", "Games.cbh", "x.cbh"); r.status != exitDone || !strings.Contains(r.errOut, "media") || exists("x.html/pipe") || !exists("x.html/thing") {
		t.Errorf("a pipe among media: %+v", r)
	}
}
