package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	lib "cbkit"
	"cbkit/internal/stale"
	"cbkit/internal/testkit/bulk"
	"cbkit/internal/testkit/gen"
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
		if err := lib.Save(t.Context(), name+".cbh", bulk.New(bulk.Options{Games: parts}), lib.SaveOptions{AcceptLosses: true}); err != nil {
			t.Fatal(err)
		}
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
	few, many := cost(200), cost(1600)
	if t.Logf("200 parts %v, 1600 parts %v", few, many); many > 16*few {
		t.Errorf("1600 parts took %v, 200 %v", many, few)
	}
}
