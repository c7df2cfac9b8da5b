package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	lib "cbkit"
	"cbkit/internal/stale"
	"cbkit/internal/testkit/bulk"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// A part costs the same however many others there are: eight times the parts of one game
// take eight times the time, where listing the folder for each took fifty. Pages that the
// kernel looks for in a crowded folder are left some room.
func TestSplitIsLinear(t *testing.T) {
	if testing.Short() || stale.Overwrites {
		t.Skip("it takes some seconds, and the race detector more")
	}
	t.Chdir(gen.Folder(t))
	cost := func(parts int) time.Duration {
		name := strconv.Itoa(parts)
		must.Do(t, lib.Save(t.Context(), name+".cbh", bulk.New(bulk.Options{Games: parts}), lib.SaveOptions{AcceptLosses: true}))
		cmd := exec.Command(os.Args[0], "split", "-q", name+".cbh", "Parts"+name, "--by", "1")
		cmd.Env = append(os.Environ(), asProgram+"=yes")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s, %v", out, err)
		}
		if made, _ := filepath.Glob("Parts" + name + "/*.cbh"); len(made) != parts {
			t.Fatalf("%d parts of %d", len(made), parts)
		}
		used := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		return time.Duration(used.Utime.Nano() + used.Stime.Nano())
	}
	few, many := cost(100), cost(800)
	if t.Logf("100 parts %v, 800 parts %v", few, many); many > 16*few {
		t.Errorf("800 parts took %v, 100 %v", many, few)
	}
}

// A record outside of its file is told once and left out, and all others are in their
// parts.
func TestSplitOfCutDatabase(t *testing.T) {
	t.Chdir(gen.Folder(t))
	must.Do(t, lib.Save(t.Context(), "Games.cbh", bulk.New(bulk.Options{Games: 30}), lib.SaveOptions{AcceptLosses: true}))
	info := must.Get(os.Stat("Games.cbg"))(t)
	must.Do(t, os.Truncate("Games.cbg", info.Size()-10))
	for _, by := range []string{"7", "player"} {
		r := cbkit(t, "", "split", "Games.cbh", "Parts "+by, "--by", by)
		if r.status != exitFailed || strings.Count(r.errOut, "skipped: Games.cbg: record 30 ") != 1 || !strings.Contains(r.errOut, "29 records in ") {
			t.Errorf("--by %s: status %d: %s", by, r.status, r.errOut)
		}
		parts, err := filepath.Glob("Parts " + by + "/*.cbh")
		if err != nil || len(parts) == 0 {
			t.Fatal(parts, err)
		}
		mustRun(t, append(append([]string{"merge", "-q"}, parts...), "All "+by+".cbh")...)
		if r := mustRun(t, "info", "All "+by+".cbh"); !strings.Contains(r.out, "29") {
			t.Errorf("--by %s: %s", by, r.out)
		}
	}
}
