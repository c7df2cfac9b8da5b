//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"cbkit/internal/testkit/must"
)

// What was unpacked goes also where the program is stopped, or nobody reads its answer
// any more.
func TestUnzippedGoes(t *testing.T) {
	if testing.Short() {
		t.Skip("ends processes")
	}
	zipsHere(t)
	var many strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&many, "[White \"A%d\"]\n\n1. e4 e5 *\n\n", i)
	}
	save(t, "many.pgn", many.String())
	mustRun(t, "import", "-q", "many.pgn", "Many.cbh")
	files, _ := filepath.Glob("Many.cb*")
	saveZip(t, "many.zip", files...)
	for name, end := range map[string]func(*exec.Cmd, *os.File) error{
		"nobody reads": func(_ *exec.Cmd, r *os.File) error { return r.Close() },
		"Ctrl-C":       func(c *exec.Cmd, _ *os.File) error { return c.Process.Signal(os.Interrupt) },
		"SIGTERM":      func(c *exec.Cmd, _ *os.File) error { return c.Process.Signal(syscall.SIGTERM) },
	} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		c := exec.Command(os.Args[0], "export", "many.zip", "-", "--format", "jsonl")
		c.Env, c.Stdout = append(os.Environ(), asProgram+"=yes"), w
		must.Do(t, c.Start())
		_ = w.Close()
		begun := make([]byte, 1)
		if _, err := r.Read(begun); err != nil { // it is unpacked then
			t.Fatal(err)
		}
		if list, _ := os.ReadDir("temp"); len(list) != 1 {
			t.Errorf("%s: there is no folder: %v", name, list)
		}
		must.Do(t, end(c, r))
		done := make(chan error, 1)
		go func() { done <- c.Wait() }()
		select {
		case <-done:
		case <-time.After(20 * time.Second):
			_ = c.Process.Kill()
			t.Errorf("%s: it goes on", name)
		}
		_ = r.Close()
		leftInTemp(t, name)
	}
}

// What a zip is called stays JSON in JSON, and text that does a terminal no harm.
func TestZipsOfAnyName(t *testing.T) {
	zipsHere(t)
	for _, name := range []string{`a"b\c.zip`, "a\x1b[31mb.zip"} {
		files, _ := filepath.Glob("Games.cb[^v]*")
		saveZip(t, name, files...)
		var got struct{ Path string }
		if r := mustRun(t, "info", "--json", name); json.Unmarshal([]byte(r.out), &got) != nil || got.Path != name+":Games.cbh" {
			t.Errorf("%q: %s", name, r.out)
		}
		if r := mustRun(t, "check", name); strings.Contains(r.out, "\x1b") {
			t.Errorf("%q: %q", name, r.out)
		}
	}
}
