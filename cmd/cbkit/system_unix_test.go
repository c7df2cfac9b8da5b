//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"cbkit/internal/fsys"
	"cbkit/internal/tempfile"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// What the system refuses is told as what it is: files that ran out, whatever file
// was to be opened then, ...
func TestOpenFilesRunOut(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	said := 0
	for _, limit := range []string{"10", "12", "14", "16", "20"} {
		cmd := exec.Command("sh", "-c", "ulimit -n "+limit+" && exec \"$0\" edit -q Games.cbh --set 1.event=Linares", os.Args[0])
		cmd.Env = append(os.Environ(), asProgram+"=yes")
		out, err := cmd.CombinedOutput()
		if exited := new(exec.ExitError); !errors.As(err, &exited) || exited.ExitCode() != exitFailed {
			continue // it was enough, or too little for any program
		}
		said++
		text := string(out)
		if strings.Count(text, "\n") != 1 || strings.Count(text, "too many open files") != 1 || !strings.Contains(text, "ulimit -n") || strings.Contains(text, "0x0") {
			t.Errorf("%s files: %s", limit, text)
		}
		mustRun(t, "check", "-q", "Games.cbh")
	}
	if said == 0 {
		t.Error("files never ran out")
	}
}

// ... a folder in which nothing may be made, ...
func TestFolderIsNotWritable(t *testing.T) {
	if os.Getuid() == 0 {
		err := targetError("no/Games.cbh", &fs.PathError{Op: "open", Path: "no/Games.cbh.cbkit-lock", Err: syscall.EACCES})
		if err.Error() != "no/Games.cbh: permission denied: the folder no cannot be written to; choose another" {
			t.Error(err)
		}
		return // all folders can be written to; others see the rest
	}
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	must.Do(t, os.Chmod(".", 0o555))
	defer os.Chmod(".", 0o777)
	for _, args := range [][]string{{"edit", "Games.cbh", "--set", "1.event=X"}, {"import", "games.pgn", "New.cbh"}, {"export", "Games.cbh", "new.pgn"}} {
		fails(t, exitFailed, "the folder . cannot be written to", args...)
	}
}

// ... and a file of another user's in a folder where everybody may make some.
func TestAnotherUsersFile(t *testing.T) {
	dir := gen.Folder(t)
	must.Do(t, os.Chmod(dir, 0o777|fs.ModeSticky))
	there, missing := filepath.Join(dir, "Games.cbh"), filepath.Join(dir, "New.cbh")
	must.Do(t, os.WriteFile(there, nil, 0o666))
	for path, want := range map[string]bool{there: true, missing: false} {
		err := targetError(path, &os.LinkError{Op: "rename", Old: path, New: path + ".cbkit-backup", Err: syscall.EPERM})
		if strings.Contains(err.Error(), "another user's") != want || !errors.Is(err, fs.ErrPermission) {
			t.Error(err)
		}
	}
	if err := targetError(there, &fs.PathError{Op: "open", Path: there, Err: syscall.EACCES}); strings.Contains(err.Error(), "another user's") {
		t.Error(err)
	}
}

// A full disk is said of what is being made, whatever was written when it was full: also in a
// scratch file in the folder where the program was called.
func TestFullDiskNamesTheTarget(t *testing.T) {
	here(t)
	f := must.Get(tempfile.NewScratch(fsys.OS{}, ".", "records"))(t)
	must.Do(t, f.Close())
	_, err := f.Write([]byte("x"))
	var failed *fs.PathError
	if !errors.As(err, &failed) {
		t.Fatal(err)
	}
	failed.Err = syscall.ENOSPC
	for making, want := range map[string]string{
		"Games.cbh": "cbkit: Games.cbh: no space left on device; make room, or write to another place\n",
		"":          "cbkit: sorting: write " + failed.Path + ": no space left on device\n", "-": "cbkit: sorting: write " + failed.Path + ": no space left on device\n",
	} {
		var errOut bytes.Buffer
		env := &environment{ctx: t.Context(), stderr: &errOut, making: making}
		if env.fail(fmt.Errorf("sorting: %w", err)); errOut.String() != want {
			t.Errorf("%q: %q, want %q", making, errOut.String(), want)
		}
	}
	if !isScratch(failed.Path) {
		t.Errorf("a scratch file is called %q", failed.Path)
	}
}

// Where no more files could be opened to clear away what was begun, what is to be done is said
// behind the cause.
func TestTooManyFilesNeedRecovery(t *testing.T) {
	var errOut bytes.Buffer
	env := &environment{ctx: t.Context(), stderr: &errOut}
	err := fmt.Errorf("%w; and the unfinished new files could not be removed: %w", &fs.PathError{Op: "open", Path: "Games.ctg", Err: syscall.EMFILE}, model.ErrNeedsRecovery)
	if status := env.fail(targetError("Games.ctg", err)); status != exitFailed {
		t.Error(status)
	}
	if lines := strings.Split(errOut.String(), "\n"); len(lines) != 3 || !strings.Contains(lines[0], "ulimit -n") || !strings.Contains(lines[1], "run cbkit recover Games.ctg") {
		t.Errorf("%q", lines)
	}
}
