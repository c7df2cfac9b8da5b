package check_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"cbkit/check"
	"cbkit/internal/testkit/must"
)

// A code is an error only if the reference says so, or the structure is broken.
func TestRulings(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range check.Codes() {
		if seen[c.Code] {
			t.Errorf("%s is there twice", c.Code)
		}
		seen[c.Code] = true
		switch c.Ruling {
		case check.Named:
		case check.Structure:
			if c.Severity != check.Error {
				t.Errorf("%s breaks the structure and is a %v", c.Code, c.Severity)
			}
		case check.Harmless:
			if c.Severity != check.Note {
				t.Errorf("%s is harmless and is an %v", c.Code, c.Severity)
			}
		default:
			t.Errorf("%s has the ruling %q", c.Code, c.Ruling)
		}
	}
}

// The tables of codes in the documentation are those of the program.
func TestDocumentedCodes(t *testing.T) {
	checkCodeTable(t, "../docs/formats/check.md", check.CodesAbout(check.AboutDatabases))
	checkCodeTable(t, "../docs/formats/boosters.md", check.CodesAbout(check.AboutBoosters))
	checkCodeTable(t, "../docs/formats/cbv.md", check.CodesAbout(check.AboutArchives))
}

// So is the table of what a repair does.
func TestDocumentedRulings(t *testing.T) {
	doc := must.Get(os.ReadFile("../docs/formats/check.md"))(t)
	_, rest, _ := strings.Cut(string(doc), "| Code | Repaired by | Left alone |\n|---|---|---|\n")
	table, _, _ := strings.Cut(rest, "\n\n")
	var want strings.Builder
	for _, c := range check.CodesAbout(check.AboutDatabases, check.AboutBoosters, check.AboutScid) {
		by, unless := c.Repair()
		fmt.Fprintf(&want, "| `%s` | %s | %s |\n", c.Code, by, unless)
	}
	if table+"\n" != want.String() {
		t.Errorf("docs/formats/check.md should have the table\n%s", want.String())
	}
}

func checkCodeTable(t *testing.T, name string, codes []check.Code) {
	t.Helper()
	doc := must.Get(os.ReadFile(name))(t)
	_, rest, _ := strings.Cut(string(doc), "| Code | Severity | Ruling | Meaning |\n|---|---|---|---|\n")
	table, _, _ := strings.Cut(rest, "\n\n")
	var want strings.Builder
	seen := map[string]bool{}
	for _, c := range codes {
		fmt.Fprintf(&want, "| `%s` | %v | %s | %s |\n", c.Code, c.Severity, c.Ruling, c.Meaning)
		if seen[c.Code] || c.Code != strings.ToLower(c.Code) || strings.ContainsAny(c.Code, " _") || c.Meaning == "" {
			t.Errorf("%+v", c)
		}
		seen[c.Code] = true
	}
	if table+"\n" != want.String() {
		t.Errorf("%s should have the table\n%s", name, want.String())
	}
}
