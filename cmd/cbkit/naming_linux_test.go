package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// How often the program names the files that it works on is counted by strace: a name is
// to be looked at a few times, whatever asks for it.
func TestNamesAreFew(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip(err)
	}
	self := must.Get(os.Executable())(t)
	dir := gen.Folder(t)
	must.Do(t, os.WriteFile(filepath.Join(dir, "games.pgn"), []byte(strings.Repeat("[White \"Tal\"]\n[Black \"Réti\"]\n\n1. e4 e5 *\n\n", 4)), 0o600))
	for _, one := range []struct {
		args         string
		name         string
		names, lists int // of the folder, at most
	}{
		{"import games.pgn Games.cbh", `"games.pgn`, 3, 4},
		{"edit Games.cbh --rename-player Tal=Tahl", `"Games.`, 68, 12},
	} {
		log := filepath.Join(t.TempDir(), "calls")
		cmd := exec.Command(strace, append([]string{"-f", "-e", "trace=%file", "-o", log, self}, strings.Fields(one.args)...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), asProgram+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			if bytes.Contains(out, []byte("ptrace")) || bytes.Contains(out, []byte("PTRACE")) {
				t.Skipf("strace may not: %s", out)
			}
			t.Fatalf("%v: %s", err, out)
		}
		calls := must.Get(os.ReadFile(log))(t)
		names, lists := 0, 0
		for line := range strings.Lines(string(calls)) {
			if strings.Contains(line, one.name) && !strings.Contains(line, "execve(") {
				names++
			}
			if strings.Contains(line, `(AT_FDCWD, ".", `) && strings.Contains(line, "O_DIRECTORY") {
				lists++
			}
		}
		t.Logf("%s: %d names, %d lists", one.args, names, lists)
		if names == 0 || names > one.names || lists > one.lists {
			t.Errorf("%s: its files are named %d times, %d allowed; the folder is listed %d times, %d allowed", one.args, names, one.names, lists, one.lists)
		}
	}
}
