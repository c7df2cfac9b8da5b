package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"cbkit/internal/testkit/must"
)

// serving runs serve until it has printed the address and do, if there is one, has
// asked there; then it is interrupted, and ends. It returns what was said beside.
func serving(t *testing.T, args ...string) {
	t.Setenv("PATH", "") // no browser is opened
	t.Setenv("HOME", t.TempDir())
	servingFor(t, func(string) {}, args...)
}

func servingFor(t *testing.T, do func(address string), args ...string) (said string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, w := io.Pipe()
	env := &environment{ctx: ctx, stdin: strings.NewReader(""), stdout: w, text: w, stderr: io.Discard, unzipped: &unzipped{}}
	var messages bytes.Buffer
	env.messages.to = &messages
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
		t.Fatalf("%v: it does not end", args)
	}
	return messages.String()
}

// serve prints the address, answers there, and ends when it is interrupted.
func TestServe(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	mustRun(t, "export", "games.pgn", "games.jsonl")
	mustRun(t, "book", "build", "-q", "games.pgn", "Book.ctg")
	servingFor(t, func(address string) {
		client := http.Client{Timeout: 10 * time.Second}
		r := must.Get(client.Get(address + "call/open"))(t)
		defer func() { _ = r.Body.Close() }()
		body, err := io.ReadAll(r.Body)
		if err != nil || strings.Count(string(body), `"records":4`) != 3 || !strings.Contains(string(body), `"books":["Book.ctg"]`) {
			t.Errorf("%s %v", body, err)
		}
	}, "serve", "-q", "Games.cbh", "games.pgn", "games.jsonl", "Book.ctg")
}

// --open shows the page by a file that nobody else can read, and that is gone once it
// was used or at the end; what stands in command lines leads nowhere. Where there is no
// folder for it, the browser gets an address that leads to the page once.
func TestServeOpen(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("the system opens pages by other programs")
	}
	here(t)
	home, bin := t.TempDir(), t.TempDir()
	given, folder := filepath.Join(home, "given"), filepath.Join(home, "Bajadas")
	script := func(name, text string) {
		t.Helper()
		must.Do(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+text+"\n"), 0o700))
	}
	script("xdg-open", `echo "$1" > '`+given+`'`)
	must.Do(t, os.Mkdir(folder, 0o700))
	t.Setenv("PATH", bin)
	opened := func() string { // what the browser was told to open
		t.Helper()
		for range 500 {
			if text, err := os.ReadFile(given); err == nil && bytes.HasSuffix(text, []byte("\n")) {
				return strings.TrimSpace(string(text))
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatal("no browser was opened")
		return ""
	}
	visit := func(address string) (string, error) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			return "", err
		}
		r.Header.Set("Accept", "text/html")
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return "", err
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		return string(text), err
	}
	for _, c := range []struct {
		home, where, says string
		used              bool
	}{{home, home, "", true}, {home, folder, "", false}, {"", "", "command line", true}} {
		t.Setenv("HOME", c.home)
		script("xdg-user-dir", "echo '"+c.where+"'")
		_ = os.Remove(given)
		var file string
		said := servingFor(t, func(address string) {
			door := opened()
			if c.where != "" {
				file = door
				text, err := os.ReadFile(file)
				info, _ := os.Stat(file)
				if err != nil || info.Mode().Perm() != 0o600 || filepath.Dir(file) != c.where || strings.Contains(string(text), address) {
					t.Fatalf("%s: %v, %v: %s", file, info, err, text)
				}
				_, door, _ = strings.Cut(string(text), "url=")
				door, _, _ = strings.Cut(door, `"`)
			}
			if !c.used {
				return
			}
			text, err := visit(door)
			if err != nil || !strings.Contains(text, `url=`+address[strings.LastIndex(strings.TrimSuffix(address, "/"), "/"):]) {
				t.Errorf("%s: %s, %v", door, text, err)
			}
			if again, err := visit(door); err != nil || strings.Contains(again, "url=") {
				t.Errorf("again: %s, %v", again, err)
			}
			if _, err := os.Stat(file); !os.IsNotExist(err) {
				t.Errorf("%s is there: %v", file, err)
			}
		}, "serve", "-q", "--open", "games.pgn")
		if _, err := os.Stat(file); !os.IsNotExist(err) {
			t.Errorf("%s is left: %v", file, err)
		}
		if (c.says == "") != (said == "") || !strings.Contains(said, c.says) {
			t.Errorf("%q", said)
		}
	}
}

// What cannot be served is said before anything listens.
func TestServeRefuses(t *testing.T) {
	here(t)
	must.Do(t, os.WriteFile("empty.pgn", nil, 0o600))
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
			must.Do(t, os.Rename(name+".new", name))
		}
	}
	makeAll(3)
	servingFor(t, func(address string) {
		client := http.Client{Timeout: 10 * time.Second}
		for _, games := range []int{3, 1, 5} {
			makeAll(games)
			for range 2 {
				r := must.Get(client.Get(address + "call/open"))(t)
				body, err := io.ReadAll(r.Body)
				_ = r.Body.Close()
				if n := strings.Count(string(body), fmt.Sprintf(`"records":%d,`, games)); err != nil || n != len(shown)+1 { // both.cbv has two
					t.Errorf("%d of %d have %d records: %.600s %v", n, len(shown)+1, games, body, err)
				}
			}
		}
	}, append([]string{"serve", "-q"}, shown...)...)
}
