package main

import (
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
)

var updateTasks = flag.Bool("update", false, "write what the program really prints into docs")

// The reference of all verbs is what the program knows of itself.
func TestReference(t *testing.T) {
	const page = "../../docs/reference.md"
	real := mustRun(t, "help", "--markdown").out
	if *updateTasks {
		must.Do(t, os.WriteFile(page, []byte(real), 0o666))
	}
	text, err := os.ReadFile(page)
	if err != nil || string(text) != real {
		t.Fatalf("docs/reference.md is not what the program says (%v); go test ./cmd/cbkit -run TestReference -update writes it", err)
	}
	for _, v := range allVerbs() {
		_, section, found := strings.Cut(real, "\n## "+v.name()+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		for _, f := range v.Flags {
			if !strings.Contains(section, "`--"+f.Name) {
				t.Errorf("%s: nothing of --%s", v.name(), f.Name)
			}
		}
		if !found {
			t.Errorf("nothing of %s", v.name())
		}
	}
}

// Every verb has a page of the manual, with all its flags and no mistake that the
// typesetter sees.
func TestManPages(t *testing.T) {
	if testing.Short() {
		t.Skip("writes the pages of all verbs")
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Log("there is no groff to judge the pages")
	}
	for i, v := range allVerbs() {
		if !isTried(i, 3) {
			continue
		}
		page := mustRun(t, append([]string{"help", "--man"}, strings.Fields(v.path)...)...).out
		if groff != "" {
			set := exec.Command(groff, "-man", "-Tutf8", "-Kutf8", "-ww")
			set.Stdin = strings.NewReader(page)
			var warnings strings.Builder
			set.Stderr = &warnings
			out, err := set.Output()
			if err != nil || warnings.Len() > 0 || len(out) == 0 {
				t.Errorf("%s: %v %s", v.name(), err, &warnings)
			}
		}
		for _, f := range v.Flags {
			if !strings.Contains(page, `\fB`+roff("--"+f.Name)+`\fR`) {
				t.Errorf("%s: nothing of --%s", v.name(), f.Name)
			}
		}
		if name := strings.ReplaceAll(v.name(), " ", "-"); !strings.HasPrefix(page, ".TH "+strings.ToUpper(name)+" 1 ") || !strings.Contains(page, ".SH NAME\n"+roff(name)+` \- `) {
			t.Errorf("%s: %.200s", v.name(), page)
		}
	}
	if got, want := roff(".a\n'b\n-c\\d"), "\\&.a\n\\&'b\n\\-c\\ed"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The help of a verb has its own flags, and names the others; these are explained in
// one place, which fits a terminal.
func TestSharedFlags(t *testing.T) {
	r := mustRun(t, "find", "--help")
	own, others, found := strings.Cut(r.out, "\nFlags of many verbs")
	if !found || !strings.Contains(own, "--player=") || strings.Contains(own, "--password-file") || !strings.Contains(others, "--password-file") {
		t.Errorf("%s", r.out)
	}
	r = mustRun(t, "help", "flags")
	for line := range strings.Lines(r.out) {
		if len(strings.TrimSuffix(line, "\n")) > 80 {
			t.Errorf("wider than a terminal: %s", line)
		}
	}
	for name := range strings.FieldsSeq(others[strings.Index(others, "--"):]) {
		if !strings.Contains(r.out, name) {
			t.Errorf("%s is not explained", name)
		}
	}
}
