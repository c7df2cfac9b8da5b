package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// serving runs serve until it has printed the address and do, if there is one, has
// asked there; then it is interrupted, and ends.
func serving(t *testing.T, args ...string) { servingFor(t, func(string) {}, args...) }

func servingFor(t *testing.T, do func(address string), args ...string) {
	t.Helper()
	t.Setenv("PATH", "") // no browser is opened
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, w := io.Pipe()
	env := &environment{ctx: ctx, stdin: strings.NewReader(""), stdout: w, text: w, stderr: io.Discard, unzipped: &unzipped{}}
	env.messages.to = io.Discard
	done := make(chan error, 1)
	go func() {
		err := env.run(args)
		_ = w.CloseWithError(err)
		done <- err
	}()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Fatalf("%v: %q %v", args, address, err)
	}
	do(strings.TrimSpace(address))
	cancel()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("%v: %v", args, err)
		}
	case <-time.After(10 * time.Second):
		t.Errorf("%v: it does not end", args)
	}
}

// serve prints the address, answers there, and ends when it is interrupted.
func TestServe(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	mustRun(t, "export", "games.pgn", "games.jsonl")
	mustRun(t, "book", "build", "-q", "games.pgn", "Book.ctg")
	servingFor(t, func(address string) {
		client := http.Client{Timeout: 10 * time.Second}
		r, err := client.Get(address + "call/open")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = r.Body.Close() }()
		body, err := io.ReadAll(r.Body)
		if err != nil || strings.Count(string(body), `"records":4`) != 3 || !strings.Contains(string(body), `"books":["Book.ctg"]`) {
			t.Errorf("%s %v", body, err)
		}
	}, "serve", "-q", "Games.cbh", "games.pgn", "games.jsonl", "Book.ctg")
}

// What cannot be served is said before anything listens.
func TestServeRefuses(t *testing.T) {
	here(t)
	if err := os.WriteFile("empty.pgn", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"-"}, {"none.cbh"}, {"games.pgn", "none.ctg"}, {"empty.pgn"}, {"games.pgn", "--port", "99999"}} {
		if r := cbkit(t, "", append([]string{"serve", "-q"}, args...)...); r.status == exitDone || r.out != "" || r.errOut == "" {
			t.Errorf("%v: %+v", args, r)
		}
	}
}

// A file that is not there is told as in every other verb.
func TestServeMissing(t *testing.T) {
	here(t)
	want := cbkit(t, "", "info", "nothing.pgn")
	if got := cbkit(t, "", "serve", "nothing.pgn"); got.status != exitFailed || got.errOut != want.errOut {
		t.Errorf("%+v, and info says %q", got, want.errOut)
	}
}

// Whatever kind of file another program has put in the place of one that is shown, the next
// answer is of the new one.
func TestServeSeesChanges(t *testing.T) {
	here(t)
	shown := []string{"Games.cbh", "games.pgn", "games.jsonl", "games.parquet", "games.pgn.gz", "games.jsonl.zst", "Games.cbv", "both.cbv", "lines.zip", "text.zip"}
	makeAll := func(games int) {
		save(t, "games.pgn", strings.Repeat("[White \"A\"]\n\n1. e4 *\n\n", games))
		for _, target := range []string{"Games.cbh", "games.jsonl", "games.parquet", "games.pgn.gz", "games.jsonl.zst"} {
			verb := "export"
			if target == "Games.cbh" {
				verb = "import"
			}
			mustRun(t, verb, "-q", "--force", "games.pgn", target)
		}
		mustRun(t, "pack", "-q", "--force", "Games.cbh", "Games.cbv")
		var files []string
		for _, ending := range []string{".cbh", ".cbg", ".cba", ".cbp", ".cbt", ".cbc", ".cbs"} {
			files = append(files, "One"+ending, content(t, "Games"+ending), "In/Two"+ending, content(t, "Games"+ending))
		}
		archiveOf(t, "both.cbv.new", files...)
		saveZip(t, "lines.zip.new", "games.jsonl")
		saveZip(t, "text.zip.new", "games.pgn")
		for _, name := range []string{"both.cbv", "lines.zip", "text.zip"} {
			if err := os.Rename(name+".new", name); err != nil {
				t.Fatal(err)
			}
		}
	}
	makeAll(3)
	servingFor(t, func(address string) {
		client := http.Client{Timeout: 10 * time.Second}
		for _, games := range []int{3, 1, 5} {
			makeAll(games)
			for range 2 {
				r, err := client.Get(address + "call/open")
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(r.Body)
				_ = r.Body.Close()
				if n := strings.Count(string(body), fmt.Sprintf(`"records":%d,`, games)); err != nil || n != len(shown)+1 { // both.cbv has two
					t.Errorf("%d of %d have %d records: %.600s %v", n, len(shown)+1, games, body, err)
				}
			}
		}
	}, append([]string{"serve", "-q"}, shown...)...)
}
