package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"cbkit/internal/testkit/must"
)

// pin makes a file one that cannot be removed, or lets it go.
func pin(path string, on bool) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	flags, err := unix.IoctlGetInt(int(f.Fd()), unix.FS_IOC_GETFLAGS)
	if err != nil {
		return err
	}
	const immutable = 0x10
	if flags &^= immutable; on {
		flags |= immutable
	}
	return unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, flags)
}

// pinLocks pins the first lock of a writer, or other file, that comes into being in this folder under a
// name of the pattern, as soon as it is signed. Calling what is returned ends that, and gives the names.
func pinLocks(t *testing.T, pattern string) (stop func() []string) {
	end, names := make(chan struct{}), make(chan []string)
	go func() {
		runtime.LockOSThread() // which comes first, whatever else runs, and ends with this
		_ = unix.Setpriority(unix.PRIO_PROCESS, 0, -20)
		var pinned []string
		for {
			select {
			case <-end:
				names <- pinned
				return
			default:
				_ = unix.Nanosleep(&unix.Timespec{Nsec: 50_000}, nil)
			}
			found, _ := filepath.Glob(pattern)
			for _, name := range found {
				if info, err := os.Stat(name); err == nil && info.Size() > 2 && len(pinned) == 0 && pin(name, true) == nil {
					pinned = append(pinned, name)
				}
			}
		}
	}()
	return func() []string {
		close(end)
		pinned := slices.DeleteFunc(<-names, func(name string) bool { return !exists(name) }) // it was too late then
		for _, name := range pinned {
			if err := pin(name, false); err != nil {
				t.Error(err)
			}
		}
		return pinned
	}
}

// last returns the last line of a text.
func last(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// canPin skips the test where files cannot be made immutable. What pins them runs beside the
// program, also where there is one processor.
func canPin(t *testing.T) {
	t.Helper()
	was := runtime.GOMAXPROCS(4)
	t.Cleanup(func() { runtime.GOMAXPROCS(was) })
	here(t)
	must.Do(t, os.WriteFile("try", nil, 0o666))
	if err := pin("try", true); err != nil {
		t.Skip("files cannot be made immutable here: ", err)
	}
	must.Do(t, pin("try", false))
}

// A database whose search boosters could not be made is in place, and a machine is told so.
func TestBoostersLackingIsInPlace(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	headers := must.Get(os.ReadFile("Games.cbh"))(t)
	headers[46+10] = 0x7f // the first game has a player who does not exist
	must.Do(t, os.WriteFile("Games.cbh", headers, 0o666))
	r := cbkit(t, "", "convert", "--boosters", "--json", "Games.cbh", "x.cbh")
	var o outcome
	if err := json.Unmarshal([]byte(last(r.out)), &o); err != nil || r.status != exitFailed || !o.InPlace || !exists("x.cbb") || exists("x.cit") {
		t.Errorf("%v: %s%s", err, r.out, r.errOut)
	}
}

// Where everything was done, and a file of our own alone stays behind, that is a warning:
// a script would else do it twice.
func TestDoneIsDone(t *testing.T) {
	canPin(t)
	for i, c := range []struct{ prepare, args []string }{
		{nil, []string{"import", "games.pgn", "x.cbh"}},
		{nil, []string{"convert", "Games.cbh", "x.cbh"}},
		{nil, []string{"convert", "games.pgn", "x.dci"}},
		{nil, []string{"convert", "Games.cbh", "x.pgn"}},
		{nil, []string{"convert", "Games.cbh", "x.jsonl"}},
		{nil, []string{"export", "Games.cbh", "x.pgn"}},
		{nil, []string{"import", "--append", "games.pgn", "Games.cbh"}},
		{nil, []string{"edit", "Games.cbh", "--append", "games.pgn"}},
		{[]string{"convert", "games.pgn", "x.dci"}, []string{"edit", "x.dci", "--append", "games.pgn"}},
		{nil, []string{"compact", "Games.cbh"}},
		{[]string{"boosters", "Games.cbh"}, []string{"compact", "--purge", "Games.cbh"}},
		{nil, []string{"recover", "Games.cbh"}},
		{nil, []string{"convert", "--boosters", "Games.cbh", "x.cbh"}},
		{nil, []string{"boosters", "Games.cbh"}},
		{nil, []string{"pack", "Games.cbh", "x.cbv"}},
		{[]string{"pack", "Games.cbh", "x.cbv"}, []string{"unpack", "--force", "x.cbv", "."}},
		{nil, []string{"salvage", "Games.cbh", "x.cbh"}},
		{nil, []string{"split", "games.pgn", ".", "--by", "1", "--format", "cbh"}},
		{nil, []string{"book", "build", "games.pgn", "x.ctg"}},
		{[]string{"book", "build", "games.pgn", "x.ctg"}, []string{"book", "add", "x.ctg", "games.pgn"}},
		{[]string{"book", "build", "games.pgn", "x.ctg"}, []string{"book", "export", "x.ctg", "x.bin"}},
	} {
		if !isTried(i, 5) {
			continue
		}
		run := func(pattern string, args ...string) (r result, left []string) {
			for try := 0; try < 300 && len(left) == 0; try++ {
				here(t)
				mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
				if c.prepare != nil {
					mustRun(t, append(c.prepare, "-q")...)
				}
				stop := pinLocks(t, pattern)
				r = cbkit(t, "", args...)
				left = stop()
			}
			if len(left) == 0 {
				t.Fatalf("cbkit %v: its lock was never met", args)
			}
			return r, left
		}
		const writer, commit = "*.cbkit-lock", "*.cbkit-commit"
		if c.args[0] == "edit" {
			if r, left := run(commit, c.args...); r.status != exitDone || !strings.Contains(r.errOut, "warning: "+left[0]+": done") {
				t.Errorf("cbkit %v: status %d, %s", c.args, r.status, r.errOut)
			}
		}
		r, left := run(writer, c.args...)
		if r.status != exitDone || !strings.Contains(r.errOut, "warning: "+left[0]+": done") {
			t.Errorf("cbkit %v: status %d, %s", c.args, r.status, r.errOut)
		}
		if c.args[0] == "boosters" { // whose JSON is another
			continue
		}
		r, _ = run(writer, append(c.args, "--json")...)
		var o outcome
		if err := json.Unmarshal([]byte(last(r.out)), &o); err != nil || o.Status != exitDone || r.status != exitDone || o.Warnings != 1 || o.Error != "" {
			t.Errorf("cbkit %v --json: %s%s", c.args, r.out, r.errOut)
		}
	}
}

// Where a new set of files is in place, and one of the old ones could not be removed, the verb has
// done its work: it says what is left and what to do, and that is true.
func TestReplacedIsDone(t *testing.T) {
	canPin(t)
	for i, line := range []string{
		"book build games.pgn x.ctg", "book merge y.ctg y.ctg x.ctg", "book prune --min-games 1 y.ctg x.ctg", "convert Games.cbh x.cbh", "convert games.pgn x.dci", "import games.pgn x.cbh",
		"sort games.pgn x.dci --by date", "salvage Games.cbh x.cbh", "unpack Games.cbv x.cbh", "split games.pgn . --by 2 --format dci",
	} {
		if !isTried(i, 3) {
			continue
		}
		args := strings.Fields(line)
		made := args[len(args)-1]
		switch args[0] {
		case "sort":
			made = args[2]
		case "split":
			made = "games 1.dci"
		}
		var r result
		var left []string
		for try := 0; try < 100 && len(left) == 0; try++ {
			here(t)
			mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
			mustRun(t, "pack", "-q", "Games.cbh", "Games.cbv")
			mustRun(t, "book", "build", "-q", "games.pgn", "y.ctg")
			mustRun(t, append(args, "-q")...)
			stop := pinLocks(t, made+".cbkit-backup/*")
			r = cbkit(t, "", append(args, "--force")...)
			left = stop()
		}
		if len(left) == 0 {
			t.Fatalf("cbkit %s: no old file was met", line)
		}
		if want := "warning: " + filepath.Dir(left[0]) + ": done, but this could not be removed: "; r.status != exitDone || !strings.Contains(r.errOut, want) || !strings.Contains(r.errOut, "cbkit recover") {
			t.Errorf("cbkit %s: status %d, %s", line, r.status, r.errOut)
		}
		if strings.Contains(r.errOut, " 0 positions") {
			t.Errorf("cbkit %s: %s", line, r.errOut)
		}
		mustRun(t, "recover", made)
		if exists(filepath.Dir(left[0])) {
			t.Errorf("cbkit %s: %s stays behind", line, left[0])
		}
	}
}
