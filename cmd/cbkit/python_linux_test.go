package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// The program in Python on the page about questions does what the page says.
func TestPythonOfThePage(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	page := must.Get(os.ReadFile("../../docs/analysis.md"))(t)
	blocks := regexp.MustCompile("(?s)```python\n(.*?)```\n\n[^`]*```\n(.*?)```\n").FindAllStringSubmatch(string(page), -1)
	games, err := filepath.Abs("../../docs/tasks/club.pgn")
	if err != nil || len(blocks) != 1 {
		t.Fatalf("%d programs, %v", len(blocks), err)
	}
	self := must.Get(os.Executable())(t)
	dir := gen.Folder(t)
	for name, to := range map[string]string{"cbkit": self, "club.pgn": games} {
		must.Do(t, os.Symlink(to, filepath.Join(dir, name)))
	}
	run := func(program string) (string, error) {
		cmd := exec.Command(python, "-c", program)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), asProgram+"=yes", "PATH="+dir+":"+os.Getenv("PATH"))
		out, err := cmd.Output()
		return string(out), err
	}
	if got, err := run(blocks[0][1]); err != nil || got != blocks[0][2] {
		t.Errorf("%v\n%s", err, got)
	}
	must.Do(t, os.Remove(filepath.Join(dir, "club.pgn")))
	if got, err := run(blocks[0][1]); err == nil || got != "" {
		t.Errorf("a source that is not there: %q", got)
	}
}
