package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"cbkit/internal/fsys"
	"cbkit/internal/lock"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// layAll puts files into the current folder; names that end in "/" are folders.
func layAll(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if strings.HasSuffix(name, "/") {
			must.Do(t, os.Mkdir(name, 0o777))
			name += "thing"
		}
		save(t, name, "mine: "+name)
	}
}

// untouched fails the test if something that layAll laid is not as it was.
func untouched(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if strings.HasSuffix(name, "/") {
			name += "thing"
		}
		if b, err := os.ReadFile(name); err != nil || string(b) != "mine: "+name {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
}

// targets are a way to make each kind of database.
var targets = []struct {
	main, data string
	make       []string
}{
	{"Games.cbh", "Games.cba", []string{"import", "games.pgn", "Games.cbh"}},
	{"Games.dci", "Games.dcn", []string{"convert", "games.pgn", "Games.dci"}},
	{"Games.ctg", "Games.cto", []string{"book", "build", "games.pgn", "Games.ctg"}},
}

// Files of the name of a database that is not there are not of it: data is in the
// way, and kept if that is forced; all else is let alone.
func TestFilesOfTheName(t *testing.T) {
	others := []string{"Games.avi", "Games.ini", "Games.txt", "Games.html/", "Games.wav/", "Games.mpg", "Games.bmp", "Games.cpp"}
	for _, c := range targets {
		here(t)
		layAll(t, others...)
		if r := mustRun(t, c.make...); strings.Contains(r.errOut, "moved") {
			t.Errorf("cbkit %v: %+v", c.make, r)
		}
		untouched(t, others...)
		mustRun(t, append(c.make, "--force")...)
		untouched(t, others...)

		here(t)
		layAll(t, append(others, c.data)...)
		was := folder(t)
		if r := cbkit(t, "", c.make...); r.status != exitFailed || !strings.Contains(r.errOut, "cbkit: "+c.data+": exists already") || strings.Count(r.errOut, "\n") != 1 {
			t.Errorf("cbkit %v: %+v", c.make, r)
		}
		unchanged(t, c.make, was)
		kept := c.main + ".cbkit-kept"
		r := mustRun(t, append(c.make, "--force", "-q")...)
		if !strings.Contains(r.errOut, c.data) || !strings.Contains(r.errOut, kept) || strings.Count(r.errOut, "\n") != 1 {
			t.Errorf("cbkit %v: %+v", c.make, r)
		}
		untouched(t, others...)
		if b, err := os.ReadFile(filepath.Join(kept, c.data)); err != nil || string(b) != "mine: "+c.data {
			t.Errorf("%s: %q, %v", c.data, b, err)
		}
	}
}

// A main file that is none proves nothing: all that has its name is kept.
func TestMainFileThatIsNone(t *testing.T) {
	for _, c := range targets {
		here(t)
		layAll(t, c.main, c.data, "Games.ini")
		r := mustRun(t, append(c.make, "--force", "-q")...)
		for _, name := range []string{c.main, c.data} {
			kept := filepath.Join(c.main+".cbkit-kept", name)
			if b, err := os.ReadFile(kept); err != nil || string(b) != "mine: "+name || !strings.Contains(r.errOut, name) {
				t.Errorf("%s: %q, %v; %+v", kept, b, err, r)
			}
		}
		untouched(t, "Games.ini")
	}
}

// What goes with a database that is replaced is named; settings and media stay.
func TestWhatGoesIsNamed(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "--boosters", "games.pgn", "Games.cbh")
	stay := []string{"Games.ini", "Games.html/", "Games.wav/", "Games.avi", "Games.cpx"}
	layAll(t, append(stay, "Games.cko", "Games.flags")...)
	r := mustRun(t, "import", "-q", "--force", "games.pgn", "Games.cbh")
	for _, name := range []string{"Games.cko", "Games.flags", "Games.cbb", "Games.cbkit"} {
		if !strings.Contains(r.errOut, name) || exists(name) {
			t.Errorf("%s: there %t, %s", name, exists(name), r.errOut)
		}
	}
	for _, name := range []string{"Games.cbh", "Games.cbg", "Games.ini"} {
		if strings.Contains(r.errOut, name+" ") {
			t.Errorf("%s is said to have gone: %s", name, r.errOut)
		}
	}
	untouched(t, stay...)
	// Boosters that are made again have not gone.
	mustRun(t, "boosters", "Games.cbh")
	if r := mustRun(t, "import", "-q", "--force", "--boosters", "games.pgn", "Games.cbh"); r.errOut != "" {
		t.Errorf("%+v", r)
	}
}

// Media and settings of the source go along, and what is in their way is theirs
// who had it.
func TestMediaInTheWay(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "From.cbh")
	layAll(t, "From.html/", "From.ini", "Games.html/", "Games.ini")
	was := folder(t)
	fails(t, exitFailed, "Games.html: exists already", "convert", "-q", "From.cbh", "Games.cbh")
	unchanged(t, "refused", was)
	r := mustRun(t, "convert", "--force", "From.cbh", "Games.cbh")
	if !strings.Contains(r.errOut, "Games.html: in the way") || !strings.Contains(r.errOut, ".ini") {
		t.Errorf("%+v", r)
	}
	untouched(t, "Games.ini")
	for name, want := range map[string]string{
		"Games.html/thing": "mine: From.html/thing", "Games.cbh.cbkit-kept/Games.html/thing": "mine: Games.html/thing",
	} {
		if b, err := os.ReadFile(name); err != nil || string(b) != want {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
	// The same once more finds the same media there.
	if r := mustRun(t, "convert", "-q", "--force", "From.cbh", "Games.cbh"); r.errOut != "" || exists("Games.cbh.cbkit-kept-2") {
		t.Errorf("%+v", r)
	}
}

// A linked folder of media is copied, a dead link reported.
func TestLinkedMedia(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "From.cbh")
	layAll(t, "elsewhere/")
	for link, to := range map[string]string{"From.html": "elsewhere", "From.wav": "nowhere"} {
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
	}
	r := mustRun(t, "convert", "From.cbh", "Games.cbh")
	if b, err := os.ReadFile("Games.html/thing"); err != nil || string(b) != "mine: elsewhere/thing" {
		t.Errorf("linked media: %q, %v", b, err)
	}
	if !strings.Contains(r.errOut, "From.wav") {
		t.Errorf("the dead link is not told of: %s", r.errOut)
	}
}

// A working folder or temporary file that is not ours is not followed, nor
// cleared, nor overwritten.
func TestForeignWorkingNames(t *testing.T) {
	for _, c := range targets {
		here(t)
		layAll(t, "precious/", "precious/x/")
		if err := os.Symlink("precious", c.main+".cbkit-writing"); err != nil {
			t.Skip(err)
		}
		was := folder(t)
		for _, args := range [][]string{c.make, append(c.make, "--force"), {"recover", c.main}} {
			fails(t, exitFailed, "move it away", args...)
			untouched(t, "precious/", "precious/x/")
			unchanged(t, args, was)
		}
	}
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	layAll(t, "letter", "other")
	if err := os.Symlink("letter", "Games.cbb.cbkit-new"); err != nil {
		t.Skip(err)
	}
	if err := os.Link("other", "Games.cit.cbkit-new"); err != nil {
		t.Skip(err)
	}
	mustRun(t, "boosters", "Games.cbh")
	mustRun(t, "recover", "Games.cbh")
	untouched(t, "letter", "other")
	if !exists("Games.cbb.cbkit-new") || !exists("Games.cit.cbkit-new") {
		t.Error("the links are gone")
	}
}

// lockTarget locks a target as another process would.
func lockTarget(t *testing.T, target string) (unlock func()) {
	t.Helper()
	l := must.Get(lock.Acquire(context.Background(), fsys.OS{}, target, lock.Writer, 0))(t)
	return func() {
		if err := l.Release(); err != nil {
			t.Error(err)
		}
	}
}

// A second writer is refused, with the name of the first, or waits.
func TestSecondWriter(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	mustRun(t, "convert", "-q", "games.pgn", "Games.dci")
	mustRun(t, "book", "build", "-q", "games.pgn", "Games.ctg")
	mustRun(t, "book", "build", "-q", "games.pgn", "Other.ctg")
	mustRun(t, "convert", "-q", "games.pgn", "Games.jsonl")
	for _, c := range []struct {
		target string
		args   []string
	}{
		{"Games.cbh", []string{"import", "--force", "games.pgn", "Games.cbh"}},
		{"Games.cbh", []string{"boosters", "Games.cbh"}},
		{"Games.dci", []string{"convert", "--force", "games.pgn", "Games.dci"}},
		{"Games.cbh", []string{"edit", "Games.cbh", "--set", "1.event=Linares"}},
		{"Games.dci", []string{"edit", "Games.dci", "--set", "1.event=Linares"}},
		{"Games.dci", []string{"import", "--append", "games.pgn", "Games.dci"}},
		{"Games.ctg", []string{"book", "build", "--force", "games.pgn", "Games.ctg"}},
		{"Games.ctg", []string{"book", "prune", "--force", "--min-games", "1", "Other.ctg", "Games.ctg"}},
		{"Games.ctg", []string{"book", "merge", "--force", "Other.ctg", "Other.ctg", "Games.ctg"}},
		{"Games.jsonl", []string{"convert", "--force", "games.pgn", "Games.jsonl"}},
		{"Games.jsonl", []string{"book", "export", "--force", "Other.ctg", "Games.jsonl"}},
		{"new.pgn", []string{"export", "games.pgn", "new.pgn"}},
	} {
		was := folder(t)
		unlock := lockTarget(t, c.target)
		r := cbkit(t, "", c.args...)
		if r.status != exitFailed || !strings.Contains(r.errOut, fmt.Sprintf("process %d is writing it", os.Getpid())) || !strings.Contains(r.errOut, "--wait 10s") {
			t.Errorf("cbkit %v: %+v", c.args, r)
		}
		time.AfterFunc(100*time.Millisecond, unlock)
		mustRun(t, append(c.args, "--wait", "1m")...)
		delete(was, c.target)
		for name := range folder(t) {
			if strings.Contains(name, "cbkit-") {
				t.Errorf("cbkit %v: %s is left", c.args, name)
			}
		}
	}
	for _, target := range []string{"Games.cbh", "Games.dci", "Games.ctg", "Games.jsonl"} {
		unlock := lockTarget(t, target)
		if r := cbkit(t, "", "recover", target); r.status != exitFailed || !strings.Contains(r.errOut, "is writing it") {
			t.Errorf("recover %s: %+v", target, r)
		}
		unlock()
	}
	for _, time := range []string{"-1s", "ten", "5"} {
		if r := cbkit(t, "", "import", "games.pgn", "x.cbh", "--wait="+time); r.status != exitUsage {
			t.Errorf("--wait %s: %+v", time, r)
		}
	}
}

// meanwhile is an input of one game that does something when it is read.
type meanwhile struct {
	do   func()
	text io.Reader
}

func (m *meanwhile) Read(p []byte) (int, error) {
	if m.do != nil {
		m.do()
		m.do = nil
	}
	return m.text.Read(p)
}

// A target that comes into being while it is written is not replaced.
func TestTargetComesIntoBeing(t *testing.T) {
	for target, verb := range map[string][]string{
		"x.cbh": {"import", "-"}, "x.dci": {"convert", "-"}, "x.ctg": {"book", "build", "-"},
		"x.jsonl": {"convert", "-"}, "x.pgn": {"export", "-"},
	} {
		if !isTried(int(target[2]), 3) {
			continue
		}
		for _, force := range []bool{false, true} {
			here(t)
			in := &meanwhile{func() { layAll(t, target) }, bytes.NewReader(sample)}
			// The program looks for the target before it reads; the input must not
			// come before that.
			first := in.do
			in.do = func() { time.Sleep(20 * time.Millisecond); first() }
			var out, errOut bytes.Buffer
			args := append(slices.Clone(verb), target)
			if force {
				args = append(args, "--force")
			}
			// The kind of input is found out by reading a little of it, which is
			// before the target is looked for: a long line of white space.
			status := run(args, io.MultiReader(strings.NewReader(strings.Repeat("\n", 1<<20)), in), &out, &errOut)
			if !force {
				if status != exitFailed || !strings.Contains(errOut.String(), target+": exists already") {
					t.Errorf("cbkit %v: status %d, %s", args, status, errOut.String())
				}
				untouched(t, target)
			} else if b, err := os.ReadFile(target); status != exitDone || err != nil || strings.HasPrefix(string(b), "mine") {
				t.Errorf("cbkit %v: status %d, %s", args, status, errOut.String())
			}
			for name := range folder(t) {
				if strings.Contains(name, "cbkit-") && name != target+".cbkit-kept" {
					t.Errorf("cbkit %v: %s is left", args, name)
				}
			}
		}
	}
}

// An empty name is bad use, wherever a file to make is named.
func TestEmptyTarget(t *testing.T) {
	here(t)
	mustRun(t, "book", "build", "-q", "games.pgn", "Book.ctg")
	was := folder(t)
	for _, name := range []string{"", ".cbh", "." + string(filepath.Separator), "." + string(filepath.Separator) + ".ctg"} {
		for _, args := range [][]string{
			{"import", "games.pgn", name}, {"convert", "games.pgn", name}, {"convert", "--force", "games.pgn", name},
			{"export", "games.pgn", name}, {"export", "games.pgn", name, "--format", "pgn"},
			{"book", "build", "games.pgn", name}, {"book", "merge", "Book.ctg", "Book.ctg", name},
			{"book", "prune", "Book.ctg", name, "--min-games", "1"}, {"book", "export", "Book.ctg", name}, {"recover", name},
		} {
			if name != "" && args[len(args)-1] == "pgn" {
				continue // such a name is fine for a file whose format is given, or a folder's
			}
			if r := cbkit(t, "", args...); r.status != exitUsage || strings.Count(r.errOut, "\n") != 1 {
				t.Errorf("cbkit %q: %+v", args, r)
			}
		}
	}
	unchanged(t, "bad use", was)
}

// When every game was skipped nothing is replaced, nor made.
func TestAllGamesSkipped(t *testing.T) {
	here(t)
	const bad = "[Event \"x\"]\n\n1. Ke5 *\n\n[Event \"y\"]\n\n1. Qh8 *\n"
	save(t, "bad.pgn", bad)
	save(t, "bad.jsonl", "{\"id\":1,\"kind\":\"game\",\"result\":7}\n")
	for _, c := range targets {
		mustRun(t, append(c.make, "-q")...)
	}
	mustRun(t, "convert", "-q", "games.pgn", "Games.jsonl")
	mustRun(t, "export", "-q", "games.pgn", "Out.pgn")
	was := folder(t)
	for _, source := range []string{"bad.pgn", "bad.jsonl"} {
		for _, target := range []string{"Games.cbh", "Games.dci", "Games.jsonl", "Out.pgn", "New.cbh", "New.pgn"} {
			for _, flags := range [][]string{{"--force"}, {"--force", "--keep-going"}} {
				if source == "bad.pgn" && len(flags) > 1 {
					continue // then the games are cut, and taken
				}
				args := append([]string{"convert", source, target}, flags...)
				if r := cbkit(t, "", args...); r.status != exitFailed || !strings.Contains(r.errOut, "\ncbkit: ") && source == "bad.pgn" {
					t.Errorf("cbkit %v: %+v", args, r)
				}
				unchanged(t, args, was)
			}
		}
	}
	if r := cbkit(t, "", "book", "build", "--force", "bad.pgn", "Games.ctg"); r.status != exitFailed {
		t.Errorf("book build: %+v", r)
	}
	unchanged(t, "book build", was)
}

// A replacement keeps the permissions, and refuses what is read-only.
func TestPermissionsOfTargets(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions mean something else there")
	}
	here(t)
	mode := func(name string) fs.FileMode {
		info := must.Get(os.Stat(name))(t)
		return info.Mode()
	}
	mustRun(t, "convert", "-q", "games.pgn", "Games.jsonl")
	for _, c := range append(targets[:len(targets):len(targets)], struct {
		main, data string
		make       []string
	}{"Games.jsonl", "Games.jsonl", []string{"convert", "games.pgn", "Games.jsonl"}}) {
		if !exists(c.main) {
			mustRun(t, append(c.make, "-q")...)
		}
		for _, name := range []string{c.main, c.data} {
			must.Do(t, os.Chmod(name, 0o440))
			was := folder(t)
			if r := cbkit(t, "", append(c.make, "-q", "--force")...); r.status != exitFailed || !strings.Contains(r.errOut, name+": ") || !strings.Contains(r.errOut, "read-only") {
				t.Errorf("%s is read-only: %+v", name, r)
			}
			unchanged(t, name, was)
			must.Do(t, os.Chmod(name, 0o640))
		}
		mustRun(t, append(c.make, "-q", "--force")...)
		if mode(c.main) != 0o640 || mode(c.data) != 0o640 {
			t.Errorf("%s has %v, %s has %v", c.main, mode(c.main), c.data, mode(c.data))
		}
	}
	// A new file of a database that few can read is not for everybody.
	must.Do(t, os.Chmod("Games.cbh", 0o600))
	mustRun(t, "boosters", "Games.cbh")
	for _, ext := range []string{"cit", "cib", "cbb", "cbgi", "cbkit"} {
		if m := mode("Games." + ext); m != 0o600 {
			t.Errorf("Games.%s has %v", ext, m)
		}
	}
}

// Only the endings of a database name it.
func TestNamesOfOtherFiles(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "two.cbh")
	mustRun(t, "convert", "-q", "games.pgn", "Games.cbh")
	layAll(t, "two.txt", "Games.txt", "Games.xyz", "Games.html")
	save(t, "two.pgn", string(sample))
	save(t, "Games.ctg", "")
	for _, args := range [][]string{
		{"boosters", "two.pgn"}, {"boosters", "--check", "two.pgn"}, {"check", "two.pgn"}, {"verify", "two.pgn"},
		{"export", "two.txt", "x.pgn"}, {"convert", "two.txt", "x.pgn"}, {"show", "two.txt", "1"}, {"info", "two.txt"},
		{"book", "info", "two.pgn"}, {"export", "two.none", "x.pgn"},
	} {
		if r := cbkit(t, "", args...); r.status == exitDone || r.out != "" || !strings.Contains(r.errOut, "two.") {
			t.Errorf("cbkit %v: %+v", args, r)
		}
	}
	if exists("x.pgn") || exists("two.cbb") {
		t.Error("something was written")
	}
	for _, text := range []string{mustRun(t, "info", "Games.cbh").out, mustRun(t, "info", "--json", "Games.cbh").out} {
		for _, name := range []string{"games.pgn", "Games.txt", "Games.xyz", "Games.html", "Games.ctg"} {
			if strings.Contains(text, name) {
				t.Errorf("%s is no part of Games.cbh:\n%s", name, text)
			}
		}
	}
}

// What a killed process left is named, and goes.
func TestRecoverNamesLeftovers(t *testing.T) {
	here(t)
	t.Setenv("TMPDIR", gen.Folder(t))
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	was := folder(t)
	scratch := filepath.Join(os.TempDir(), "cbkit-sort-99999-0.tmp")
	save(t, scratch, "")
	save(t, "Games.cbb.cbkit-new-99999-3", "half")
	save(t, "games.pgn.cbkit-new-99999-0", "half")
	save(t, "cbkit-lists-99999-0.tmp", "half")
	must.Do(t, os.Mkdir("Games.cbh.cbkit-writing", 0o777))
	save(t, "Games.cbh.cbkit-lock", "")
	r := mustRun(t, "recover", "Games.cbh")
	for _, name := range []string{scratch, "Games.cbb.cbkit-new-99999-3", "cbkit-lists-99999-0.tmp", "Games.cbh.cbkit-writing", "Games.cbh.cbkit-lock"} {
		if !strings.Contains(r.out, name) || exists(name) {
			t.Errorf("%s: there %t, %s", name, exists(name), r.out)
		}
	}
	if strings.Contains(r.out, "games.pgn") || !exists("games.pgn.cbkit-new-99999-0") {
		t.Errorf("what is left of another target: %+v", r)
	}
	mustRun(t, "recover", "games.pgn").prints(t, "games.pgn.cbkit-new-99999-0")
	unchanged(t, "recover", was)
}

// After a second fault the message says what to do, once, also when the first one
// was an interruption.
func TestDoubleFaults(t *testing.T) {
	twice := fmt.Errorf("%w; and the unfinished new files could not be removed: %w: %w",
		&fs.PathError{Op: "write", Path: "x.cbh.cbkit-writing/x.cbg", Err: io.ErrShortWrite}, fs.ErrPermission, model.ErrNeedsRecovery)
	const says = "; run cbkit recover x.cbh"
	if err := targetError("x.cbh", targetError("x.cbh", twice)); strings.Count(err.Error(), says) != 1 || !strings.Contains(err.Error(), "short write") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var errOut bytes.Buffer
	env := &environment{ctx: ctx, stderr: &errOut, making: "x.cbh"}
	if status := env.fail(targetError("x.cbh", twice)); status != exitFailed || !strings.Contains(errOut.String(), "interrupted; x.cbh was not written\n") || !strings.Contains(errOut.String(), says) {
		t.Errorf("status %d, %s", status, errOut.String())
	}
}
