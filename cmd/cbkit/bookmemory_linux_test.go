package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	lib "cbkit"
	"cbkit/internal/stale"
	"cbkit/internal/testkit/bulk"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// A book takes the memory that it is given, and what the program itself takes.
func TestBookStaysWithinMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("builds books of 12,000 games")
	}
	if stale.Overwrites {
		t.Skip("the race detector has memory of its own")
	}
	t.Chdir(gen.Folder(t))
	must.Do(t, lib.Save(t.Context(), "Games.cbh", bulk.New(bulk.Options{Games: 12_000}), lib.SaveOptions{AcceptLosses: true}))
	for _, megabytes := range []int{24, 96} {
		cmd := exec.Command(os.Args[0], "book", "build", "-q", "--memory", fmt.Sprint(megabytes), "Games.cbh", fmt.Sprintf("Book%d.ctg", megabytes))
		cmd.Env = append(os.Environ(), asProgram+"=yes")
		var out bytes.Buffer
		cmd.Stderr = &out
		must.Do(t, cmd.Start())
		peak := make(chan int)
		go func() { peak <- peakOf(cmd.Process.Pid) }()
		if err := cmd.Wait(); err != nil {
			t.Fatalf("%s, %v", &out, err)
		}
		const program = 32
		used := <-peak
		if t.Logf("--memory %d: %d KB", megabytes, used); used == 0 || used > (megabytes+program)<<10 {
			t.Errorf("--memory %d: %d KB", megabytes, used)
		}
	}
}

// Of a book of many games it is said how many positions are of one game.
func TestBookTellsWhatOccursOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("builds books of many games")
	}
	t.Chdir(gen.Folder(t))
	save(t, "games.pgn", strings.Repeat("1. e4 *\n\n", largeBookGames)+"1. d4 d5 *\n")
	words := "50 % of the positions occur in one game; --min-games 2 leaves them out"
	for _, book := range []string{"Book.ctg", "Book.bin"} {
		mentions(t, book, mustRun(t, "book", "build", "games.pgn", book).errOut, words)
	}
	if r := mustRun(t, "book", "build", "--json", "-q", "games.pgn", "Account.ctg"); !strings.Contains(r.out, `"once":2`) {
		t.Errorf("account: %s", r.out)
	}
	if r := mustRun(t, "book", "build", "--min-games", "2", "games.pgn", "Often.ctg"); strings.Contains(r.errOut, "occur in one game") {
		t.Errorf("--min-games 2: %s", r.errOut)
	}
	save(t, "fewer.pgn", strings.Repeat("1. e4 *\n\n", largeBookGames-1)+"1. d4 d5 *\n")
	if r := mustRun(t, "book", "build", "fewer.pgn", "Few.ctg"); strings.Contains(r.errOut, "occur in one game") {
		t.Errorf("few games: %s", r.errOut)
	}
}
