package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"cbkit/internal/packed"

	"github.com/alecthomas/kong"
)

// The linker sets these in a release (go run ./internal/release); other builds know of
// themselves what Go has noted.
var version, commit, date string

// versionCmd is "cbkit version".
type versionCmd struct {
	JSON bool `name:"json" help:"Print JSON."`
}

// versionFlag is the flag that prints the first line of the version. What is printed is made
// then only: of a variable of kong, every flag of the grammar would pay the substitution.
type versionFlag bool

// BeforeReset prints it and ends the program.
func (versionFlag) BeforeReset(app *kong.Kong) error {
	line, _, _ := strings.Cut(build().String(), "\n")
	fmt.Fprintln(app.Stdout, line)
	app.Exit(exitDone)
	return nil
}

// buildInfo is what the build knows of itself.
type buildInfo struct {
	Version  string   `json:"version"`
	Commit   string   `json:"commit,omitempty"`
	Modified bool     `json:"modified,omitempty"` // what was built is not the commit
	Date     string   `json:"date,omitempty"`     // of the commit
	Go       string   `json:"go"`
	System   string   `json:"system"`
	Reads    []string `json:"reads"`
	Writes   []string `json:"writes"`
}

// build returns what the build knows of itself.
func build() buildInfo {
	b := buildInfo{Version: version, Commit: commit, Date: date, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
	for _, f := range []format{formatChessBase, formatArchive, formatSimple, formatScid, formatBook, formatPolyglot, formatPGN, formatJSONL, formatEPD, formatParquet} {
		if f == formatArchive {
			b.Reads = append(b.Reads, f.Endings()...)
		} else {
			b.Reads = append(b.Reads, f.Endings()[0])
		}
	}
	b.Reads = append(b.Reads, packed.Gzip, packed.Zstd)
	b.Writes = append(slices.Clone(b.Reads), ".html", ".svg", ".png")
	b.Reads = append(b.Reads, packed.Bzip2, packed.Zip)
	info, known := debug.ReadBuildInfo()
	if b.Version != "" || !known {
		return b
	}
	b.Version = info.Main.Version
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// String returns a line for each thing that is known.
func (b buildInfo) String() string {
	lines := []string{strings.TrimSpace("cbkit " + b.Version)}
	if b.Modified {
		b.Commit += ", modified"
	}
	for _, line := range [][2]string{
		{"commit", b.Commit}, {"date", b.Date}, {"go", b.Go + " " + b.System},
		{"reads", strings.Join(b.Reads, " ")}, {"writes", strings.Join(b.Writes, " ")},
	} {
		if line[1] != "" {
			lines = append(lines, fmt.Sprintf("%-7s %s", line[0], line[1]))
		}
	}
	return strings.Join(lines, "\n")
}

// Run implements the verb.
func (c *versionCmd) Run(env *environment) error {
	if c.JSON {
		return env.answer(build())
	}
	_, err := fmt.Fprintln(env.text, build())
	return err
}
