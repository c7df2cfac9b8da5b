package lock_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"cbkit/internal/fsys"
	"cbkit/internal/lock"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// holdEnv makes the test binary a process that holds a lock on the file the
// variable names until its standard input ends.
const holdEnv = "CBKIT_TEST_HOLD_LOCK"

func TestMain(m *testing.M) {
	if target := os.Getenv(holdEnv); target != "" {
		l, err := lock.Acquire(context.Background(), fsys.OS{}, target, lock.Writer, 0)
		fmt.Println("locked:", err)
		_, _ = io.Copy(io.Discard, os.Stdin)
		if err == nil {
			err = l.Release()
		}
		if err != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// holder starts another process that holds a lock. It gives it back when it is
// told to end.
func holder(t *testing.T, target string) (process *exec.Cmd, end func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), holdEnv+"="+target)
	in := must.Get(cmd.StdinPipe())(t)
	out := must.Get(cmd.StdoutPipe())(t)
	must.Do(t, cmd.Start())
	end = func() {
		_ = in.Close()
		_ = cmd.Wait()
	}
	t.Cleanup(end)
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "locked: <nil>\n" {
		t.Fatalf("the other process says %q, %v", line, err)
	}
	return cmd, end
}

func acquire(target string, kind lock.Kind, wait time.Duration) (*lock.Lock, error) {
	return lock.Acquire(context.Background(), fsys.OS{}, target, kind, wait)
}

func mustAcquire(t *testing.T, target string, kind lock.Kind) *lock.Lock {
	t.Helper()
	return must.Get(acquire(target, kind, 0))(t)
}

func release(t *testing.T, l *lock.Lock) {
	t.Helper()
	for range 2 {
		if err := l.Release(); err != nil {
			t.Error(err)
		}
	}
}

// isEmpty fails the test unless nothing is in a folder.
func isEmpty(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 0 {
		t.Errorf("left: %v, %v", entries, err)
	}
}

// A second process is refused, with the name of the first; nothing is left.
func TestSecondProcessIsRefused(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "Games.cbh")
	other, end := holder(t, target)
	_, err := acquire(target, lock.Writer, 0)
	held := new(lock.HeldError)
	if !errors.As(err, &held) || !errors.Is(err, model.ErrLocked) {
		t.Fatalf("error %v, want a HeldError that is ErrLocked", err)
	}
	if held.PID != other.Process.Pid || !strings.Contains(err.Error(), fmt.Sprint("process ", held.PID)) {
		t.Errorf("%v; the owner is process %d", err, other.Process.Pid)
	}
	if pid, is, err := lock.Holder(fsys.OS{}, target, lock.Writer); pid != other.Process.Pid || !is || err != nil {
		t.Errorf("the holder is %d, %t, %v", pid, is, err)
	}
	release(t, mustAcquire(t, target, lock.Commit))
	release(t, mustAcquire(t, filepath.Join(dir, "Other.cbh"), lock.Writer))
	end()
	isEmpty(t, dir)
}

// What a killed process leaves locks nothing, and goes with the next owner.
func TestKilledProcessLocksNobody(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "Games.cbh")
	other, _ := holder(t, target)
	must.Do(t, other.Process.Kill())
	_ = other.Wait()
	if _, err := os.Lstat(lock.File(target, lock.Writer)); err != nil {
		t.Fatalf("the test means nothing without the killed process's file: %v", err)
	}
	if _, is, err := lock.Holder(fsys.OS{}, target, lock.Writer); is || err != nil {
		t.Errorf("held %t, %v", is, err)
	}
	l := mustAcquire(t, target, lock.Writer)
	if pid, is, err := lock.Holder(fsys.OS{}, target, lock.Writer); pid != os.Getpid() || !is || err != nil {
		t.Errorf("the holder is %d, %t, %v", pid, is, err)
	}
	release(t, l)
	isEmpty(t, dir)
}

// The file of a commit that was stopped, or could not remove it, goes with the next writer.
func TestKilledInCommit(t *testing.T) {
	for _, writer := range []bool{true, false} {
		target := filepath.Join(t.TempDir(), "games.cbh")
		process, _ := holder(t, target)
		must.Do(t, process.Process.Kill())
		_ = process.Wait()
		file := lock.File(target, lock.Writer)
		data, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(lock.File(target, lock.Commit), data, 0o666)
		}
		if err == nil && !writer {
			err = os.Remove(file)
		}
		if err != nil {
			t.Fatal(err)
		}
		release(t, mustAcquire(t, target, lock.Writer))
		isEmpty(t, filepath.Dir(target))
	}
}

func TestWait(t *testing.T) {
	target := filepath.Join(t.TempDir(), "Games.cbh")
	l := mustAcquire(t, target, lock.Writer)
	begin := time.Now()
	if _, err := acquire(target, lock.Writer, 300*time.Millisecond); !errors.Is(err, model.ErrLocked) || time.Since(begin) < 300*time.Millisecond {
		t.Errorf("after %v: %v", time.Since(begin), err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := lock.Acquire(ctx, fsys.OS{}, target, lock.Writer, time.Hour); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	time.AfterFunc(100*time.Millisecond, func() { _ = l.Release() })
	second := must.Get(acquire(target, lock.Writer, time.Minute))(t)
	release(t, second)
	isEmpty(t, filepath.Dir(target))
}

// Many who take the lock in turn, each removing its file, never have it at
// once.
func TestOneAtATime(t *testing.T) {
	target := filepath.Join(t.TempDir(), "Games.cbh")
	inside := filepath.Join(t.TempDir(), "inside")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				l, err := acquire(target, lock.Writer, time.Minute)
				if err != nil {
					t.Error(err)
					return
				}
				if err := os.Mkdir(inside, 0o777); err != nil {
					t.Error("two have the lock:", err)
				}
				if err := os.Remove(inside); err != nil {
					t.Error(err)
				}
				if err := l.Release(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	isEmpty(t, filepath.Dir(target))
}

// What cbkit did not make is refused and stays as it is.
func TestForeignFilesAreRefused(t *testing.T) {
	for what, lay := range map[string]func(path, letter string) error{
		"a link":          func(path, letter string) error { return os.Symlink(letter, path) },
		"a hard link":     func(path, letter string) error { return os.Link(letter, path) },
		"a dead link":     func(path, letter string) error { return os.Symlink(letter+"x", path) },
		"a folder":        func(path, _ string) error { return os.Mkdir(path, 0o777) },
		"other content":   func(path, _ string) error { return os.WriteFile(path, []byte("dear"), 0o666) },
		"nearly a lock's": func(path, _ string) error { return os.WriteFile(path, []byte("\x00cbkit process 12x       \n"), 0o666) },
	} {
		dir := t.TempDir()
		letter := filepath.Join(t.TempDir(), "letter")
		must.Do(t, os.WriteFile(letter, []byte("dear"), 0o666))
		target := filepath.Join(dir, "Games.cbh")
		path := lock.File(target, lock.Writer)
		if err := lay(path, letter); err != nil {
			t.Skip(err)
		}
		before, _ := os.ReadFile(path)
		if _, err := acquire(target, lock.Writer, 0); err == nil || !strings.Contains(err.Error(), path+": is in the place of a lock") {
			t.Errorf("%s: %v", what, err)
		}
		after, _ := os.ReadFile(path)
		if got, err := os.ReadFile(letter); string(got) != "dear" || err != nil || string(before) != string(after) {
			t.Errorf("%s: the letter is %q, %v; the file was %q, is %q", what, got, err, before, after)
		}
		if _, err := os.Lstat(path); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := os.Lstat(letter + "x"); err == nil {
			t.Errorf("%s: a file was made through it", what)
		}
	}
}

// A file that its owner had no time to sign, or that the disk has not all of, is a
// lock's, too.
func TestUnsigned(t *testing.T) {
	whole := "\x00cbkit process 1234567890\n"
	contents := []string{strings.Repeat("\x00", len(whole))}
	for n := range whole {
		contents = append(contents, whole[:n], whole[:n]+strings.Repeat("\x00", len(whole)-n))
	}
	for _, content := range contents {
		dir := t.TempDir()
		target := filepath.Join(dir, "Games.cbh")
		must.Do(t, os.WriteFile(lock.File(target, lock.Writer), []byte(content), 0o444))
		l, err := acquire(target, lock.Writer, 0)
		if err != nil {
			t.Errorf("%q: %v", content, err)
			continue
		}
		release(t, l)
		isEmpty(t, dir)
	}
}

func TestFileAndOtherSystems(t *testing.T) {
	if got := lock.File("a/Games.CBH", lock.Commit); got != "a/Games.cbh.cbkit-commit" {
		t.Error(got)
	}
	if _, err := acquire(filepath.Join(t.TempDir(), "no", "Games.cbh"), lock.Writer, 0); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a folder: %v", err)
	}
	for range 2 {
		if _, err := lock.Acquire(context.Background(), crashfs.New(), "Games.cbh", lock.Writer, 0); err != nil {
			t.Error(err)
		}
	}
	if _, held, err := lock.Holder(crashfs.New(), "Games.cbh", lock.Writer); held || err != nil {
		t.Error(held, err)
	}
}

func Example() {
	dir, err := os.MkdirTemp("", "cbkit-example-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	games := filepath.Join(dir, "Games.cbh")
	l, err := acquire(games, lock.Writer, 10*time.Second)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Release()
	_, err = acquire(games, lock.Writer, 0)
	fmt.Println(errors.Is(err, model.ErrLocked))
	// Output: true
}

// A lock file that a backup has a name of too is not signed: a new one takes its place.
func TestLockWithTwoNames(t *testing.T) {
	target := filepath.Join(t.TempDir(), "games.cbh")
	must.Do(t, os.WriteFile(lock.File(target, lock.Writer), nil, 0o666))
	other := filepath.Join(t.TempDir(), "lock")
	if err := os.Link(lock.File(target, lock.Writer), other); err != nil {
		t.Skip("no hard links here:", err)
	}
	l := mustAcquire(t, target, lock.Writer)
	if _, err := acquire(target, lock.Writer, 0); !errors.Is(err, model.ErrLocked) {
		t.Errorf("a second owner: %v", err)
	}
	if err := l.Release(); err != nil {
		t.Error(err)
	}
	if b, err := os.ReadFile(other); len(b) > 0 || err != nil {
		t.Errorf("the other name has %q, %v", b, err)
	}
}
