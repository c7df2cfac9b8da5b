package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// console is a block of commands with their output.
var console = regexp.MustCompile("(?s)```console\n(.*?)```\n")

// task is the paragraph of one or two numbered tasks, with the block behind it.
var task = regexp.MustCompile("(?m)^\\*\\*([0-9, ]+)\\*\\* [^\n]*\n(?:[^\n]+\n)*\n```console\n((?s:.*?))```\n")

// The page of everyday tasks shows what the commands really print.
func TestTasks(t *testing.T) {
	page := must.Get(filepath.Abs("../../docs/tasks.md"))(t)
	text := must.Get(os.ReadFile(page))(t)
	files, err := filepath.Glob("../../docs/tasks/*.*")
	if err != nil || len(files) != 24 {
		t.Fatalf("%q, %v", files, err)
	}
	dir := gen.Folder(t)
	for _, from := range files {
		content := must.Get(os.ReadFile(from))(t)
		must.Do(t, os.WriteFile(filepath.Join(dir, filepath.Base(from)), content, 0o666))
	}
	t.Chdir(dir)
	commands := 0
	real := console.ReplaceAllStringFunc(string(text), func(block string) string {
		var b strings.Builder
		for line := range strings.Lines(block) {
			if command, is := strings.CutPrefix(line, "$ cbkit "); is {
				if commands++; len(line) > 1+usualWidth {
					t.Errorf("wider than the terminal: %s", line)
				}
				b.WriteString(line + printed(t, strings.TrimSuffix(command, "\n")))
			}
		}
		return "```console\n" + b.String() + "```\n"
	})
	if commands < 70 {
		t.Errorf("only %d commands", commands)
	}
	all, alone := map[string]bool{}, map[string]bool{}
	for _, m := range task.FindAllStringSubmatch(string(text), -1) {
		for n := range strings.SplitSeq(m[1], ", ") {
			all[n] = true
			alone[n] = alone[n] || strings.Count(m[2], "$ cbkit ") == 1
		}
	}
	maps.DeleteFunc(alone, func(_ string, is bool) bool { return !is })
	if len(all) != 48 || len(alone) < 34 {
		t.Errorf("%d tasks, of which %d are one command", len(all), len(alone))
	}
	if *updateTasks {
		must.Do(t, os.WriteFile(page, []byte(real), 0o666))
		return
	}
	got, want := strings.Split(real, "\n"), strings.Split(string(text), "\n")
	for i, line := range got {
		if i >= len(want) || line != want[i] {
			t.Fatalf("docs/tasks.md, line %d, should be %q; go test ./cmd/cbkit -run TestTasks -update writes it", i+1, line)
		}
	}
}

// printed runs a command on a terminal of 80 columns and returns what stands there in the
// end, and its exit status if that is not 0.
func printed(t *testing.T, command string) string {
	t.Helper()
	written, lines, status := onTerminal(t, usualWidth, shellWords(command)...)
	if status == exitUsage || len(lines) > strings.Count(written, "\n")+1 {
		t.Errorf("cbkit %s: exit status %d, or wider than the terminal: %s", command, status, strings.Join(lines, "\n"))
	}
	out := strings.TrimRight(strings.Join(lines, "\n"), "\n") + "\n"
	if status != exitDone {
		out += fmt.Sprintf("(exit status %d)\n", status)
	}
	return out
}
