package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// readmeCommand is a command of the README with its arguments; what it does
// stands behind two blanks or more.
var readmeCommand = regexp.MustCompile(`(?m)^cbkit ((?:\S| \S)+)`)

// The commands that the README prints work in their order, in an empty folder.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	commands := readmeCommand.FindAllStringSubmatch(string(text), -1)
	if len(commands) < 10 {
		t.Fatalf("only %d commands", len(commands))
	}
	for _, command := range commands {
		mustRun(t, strings.Fields(strings.ReplaceAll(command[1], `"`, ""))...)
	}
	if r := mustRun(t, strings.Fields("find Games.cbh --player Mor* --year 1850..1859 --format ids")...); r.out != "1\n" {
		t.Errorf("the README's search finds %q", r.out)
	}
}
