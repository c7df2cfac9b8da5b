//go:build unix

package main

import (
	"bytes"
	"flag"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/seeds"
)

// runProgram runs the program as a process of its own.
func runProgram(args ...string) (out string, status int, errOut string, err error) {
	cmd, stderr := program(args)
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	err = cmd.Run()
	status = cmd.ProcessState.ExitCode()
	if _, exited := err.(*exec.ExitError); exited {
		err = nil
	}
	return stdout.String(), status, stderr.String(), err
}

// commitsBeside is how many commits readers see in a run of the tests.
var commitsBeside = flag.Int("commits", seeds.Often(8), "TestReadersBesideWriter: how many commits the readers see")

// One process edits a database, commit after commit, and others read it all the
// time: every export that succeeds is that of one committed state, whatever the
// edit has changed and moved, and those that do not succeed say why. At least half
// do.
func TestReadersBesideWriter(t *testing.T) {
	if testing.Short() {
		t.Skip("reads beside a writer for long")
	}
	t.Chdir(gen.Folder(t))
	const readers = 2
	save(t, "old.pgn", manyGames("Old ", 40))
	save(t, "one.pgn", manyGames("More ", 1))
	save(t, "short.pgn", "[White \"S\"]\n\n1. e4 *\n")
	save(t, "long.pgn", "[White \"L\"]\n\n1. e4 {"+strings.Repeat("a long comment ", 200)+"} e5"+strings.Repeat(" 2. Nf3 Nf6 3. Ng1 Ng8", 90)+" *\n")
	mustRun(t, "import", "-q", "old.pgn", "Games.cbh")

	var states []string // that were committed
	see := func() {
		out, status, errOut, err := runProgram("export", "Games.cbh", "--format", "jsonl", "-")
		if err != nil || status != exitDone {
			t.Fatal(err, errOut)
		}
		states = append(states, out)
	}
	see()
	var done atomic.Bool
	var wait sync.WaitGroup
	var lock sync.Mutex
	var outs []string
	failed := 0
	for range readers {
		wait.Go(func() {
			for !done.Load() {
				out, status, errOut, err := runProgram("export", "Games.cbh", "--format", "jsonl", "-")
				lock.Lock()
				switch {
				case err != nil:
					t.Error(err)
				case status == exitDone:
					outs = append(outs, out)
				case strings.Contains(errOut, "changed by another program"):
					failed++
				default:
					t.Errorf("exit %d: %s", status, errOut)
				}
				lock.Unlock()
			}
		})
	}
	for i := range *commitsBeside {
		game := []string{"short.pgn", "long.pgn"}[i%2]
		out, status, errOut, err := runProgram("edit", "Games.cbh", "--append", "one.pgn", "--replace", "3="+game,
			"--set", fmt.Sprintf("1-40.event=Commit %d", i), "--set", fmt.Sprintf("1.whiteElo=%d", 1000+i), "--wait", "10s")
		if err != nil || status != exitDone {
			t.Fatal(err, out, errOut)
		}
		see()
	}
	done.Store(true)
	wait.Wait()
	met := map[int]bool{}
	for _, out := range outs {
		i := slices.Index(states, out)
		if i < 0 {
			t.Error("an export is of no state that was committed")
		}
		met[i] = true
	}
	t.Logf("%d exports of %d states beside %d commits, and %d that were overtaken", len(outs), len(met), *commitsBeside, failed)
	if len(outs) < failed || len(outs) == 0 {
		t.Error("less than half of the exports succeed")
	}
}

// What reads a database beside others than exports does not read two states
// either: an edit after it was opened is an error that says so.
func TestVerbsBesideWriter(t *testing.T) {
	t.Chdir(gen.Folder(t))
	save(t, "old.pgn", manyGames("Old ", 300))
	mustRun(t, "import", "-q", "--boosters", "old.pgn", "Games.cbh")
	var done atomic.Bool
	var wait sync.WaitGroup
	wait.Go(func() {
		for i := 0; !done.Load(); i++ {
			_, status, errOut, err := runProgram("edit", "Games.cbh", "--set", fmt.Sprintf("1-900.event=Commit %d", i), "--wait", "10s")
			if err != nil || status != exitDone {
				t.Error(err, errOut)
				return
			}
		}
	})
	changed, fine := 0, 0
	const rounds = 2
	for range rounds {
		for _, args := range [][]string{
			{"check", "Games.cbh"}, {"verify", "Games.cbh"}, {"find", "Games.cbh", "--white", "Old*"}, {"boosters", "--check", "Games.cbh"},
			{"convert", "--force", "Games.cbh", "Copy.cbh"}, {"pack", "--force", "Games.cbh", "Games.cbv"},
		} {
			out, status, errOut, err := runProgram(args...)
			switch {
			case err != nil:
				t.Error(err)
			case status == exitDone:
				fine++
			case status == exitFailed && strings.Contains(errOut, "changed"):
				changed++
			default:
				t.Errorf("cbkit %v: exit %d: %s%s", args, status, out, errOut)
			}
			if args[0] == "convert" && status == exitDone {
				mustRun(t, "check", "-q", "Copy.cbh")
			}
		}
	}
	done.Store(true)
	wait.Wait()
	t.Logf("%d times one state, %d times overtaken", fine, changed)
}
