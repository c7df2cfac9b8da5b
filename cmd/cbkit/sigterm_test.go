//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"cbkit/internal/testkit/must"
)

// A program that is asked to end does so wherever it waits: for who writes a pipe that it
// reads, whether that was opened or not, and for who reads one that it writes.
func TestAskedToEnd(t *testing.T) {
	here(t)
	for _, name := range []string{"p.pgn", "p.jsonl", "out.pgn"} {
		if err := syscall.Mkfifo(name, 0o666); err != nil {
			t.Skip(err)
		}
	}
	var many bytes.Buffer // more than a pipe holds
	for range 2000 {
		many.Write(sample)
	}
	save(t, "many.pgn", many.String())
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	before := names(t)
	for i, c := range []struct {
		args string
		busy string // a pipe whose other end is open, and idle
	}{
		{"convert p.pgn x.cbh", ""}, {"convert p.pgn x.cbh", "p.pgn"}, {"convert p.jsonl x.dci", ""}, {"import p.pgn x.cbh", ""},
		{"import games.pgn p.pgn x.cbh", ""}, {"import p.pgn games.pgn x.cbh", "p.pgn"},
		{"edit Games.cbh --append p.pgn", ""}, {"edit Games.cbh --append p.pgn", "p.pgn"},
		{"find p.pgn --player x", ""}, {"info p.pgn", ""}, {"stats p.pgn", ""}, {"book build p.pgn x.ctg", ""},
		{"export Games.cbh out.pgn", ""}, {"convert many.pgn out.pgn", "out.pgn"}, {"export many.pgn - --format pgn", "-"},
	} {
		if !isTried(i+3, 4) {
			continue
		}
		cmd := exec.Command(os.Args[0], strings.Fields(c.args)...)
		cmd.Env = append(os.Environ(), asProgram+"=yes")
		var errOut bytes.Buffer
		cmd.Stderr = &errOut
		var idle *os.File
		switch c.busy {
		case "":
		case "-":
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			cmd.Stdout, idle = w, r
		default:
			idle = must.Get(os.OpenFile(c.busy, os.O_RDWR, 0))(t)
		}
		must.Do(t, cmd.Start())
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		select {
		case err := <-done:
			t.Errorf("cbkit %s: did not wait: %v, %s", c.args, err, &errOut)
			continue
		case <-time.After(500 * time.Millisecond):
		}
		must.Do(t, cmd.Process.Signal(syscall.SIGTERM))
		select {
		case <-done:
			if cmd.ProcessState.ExitCode() != exitFailed || !strings.Contains(errOut.String(), "interrupted") {
				t.Errorf("cbkit %s: %v, %s", c.args, cmd.ProcessState, &errOut)
			}
		case <-time.After(20 * time.Second):
			t.Errorf("cbkit %s: goes on", c.args)
			_ = cmd.Process.Kill()
			<-done
		}
		if idle != nil {
			_ = idle.Close()
		}
	}
	if now := names(t); !slices.Equal(now, before) {
		t.Errorf("something is left: %v", now)
	}
}

// A pipe is opened once, and read as what its name says: a text of PGN may begin with a
// comment.
func TestNamedPipe(t *testing.T) {
	here(t)
	if err := syscall.Mkfifo("p.pgn", 0o666); err != nil {
		t.Skip(err)
	}
	written := make(chan error, 1)
	go func() {
		written <- os.WriteFile("p.pgn", append([]byte("{A comment of the file.}\n\n"), sample...), 0o666)
	}()
	if r := cbkit(t, "", "convert", "p.pgn", "x.cbh"); r.status != exitDone || !strings.Contains(r.errOut, "4 records") {
		t.Errorf("%+v", r)
	}
	if err := <-written; err != nil {
		t.Error(err)
	}
}

// names lists the current folder.
func names(t *testing.T) (list []string) {
	t.Helper()
	entries := must.Get(os.ReadDir("."))(t)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// A signal that comes twice at once, as from "timeout", is one: what was made goes. One
// that comes later ends the program at once.
func TestSignalTwice(t *testing.T) {
	here(t)
	if err := syscall.Mkfifo("p.pgn", 0o666); err != nil {
		t.Skip(err)
	}
	pipe := must.Get(os.OpenFile("p.pgn", os.O_RDWR, 0))(t) // open, and idle
	defer pipe.Close()
	before := names(t)
	times := 20
	if testing.Short() {
		times = 5
	}
	for range times {
		cmd := exec.Command(os.Args[0], "import", "games.pgn", "p.pgn", "x.cbh")
		cmd.Env = append(os.Environ(), asProgram+"=1")
		must.Do(t, cmd.Start())
		for deadline := time.Now().Add(20 * time.Second); len(names(t)) == len(before); time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("nothing was begun")
			}
		}
		for range 2 {
			time.Sleep(time.Millisecond)
			_ = cmd.Process.Signal(syscall.SIGTERM) // the second one may find nobody
		}
		if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != exitFailed {
			t.Fatalf("status %v", cmd.ProcessState)
		}
		if now := names(t); !slices.Equal(now, before) {
			t.Fatalf("something is left: %v", now)
		}
	}
}
