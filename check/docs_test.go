package check_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"cbkit/check"
)

// The table of codes in the documentation is that of the program.
func TestDocumentedCodes(t *testing.T) {
	doc, err := os.ReadFile("../docs/formats/check.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(doc), "| Code | Severity | Meaning |\n|---|---|---|\n")
	table, _, _ := strings.Cut(rest, "\n\n")
	var want strings.Builder
	seen := map[string]bool{}
	for _, c := range check.Codes() {
		fmt.Fprintf(&want, "| `%s` | %v | %s |\n", c.Code, c.Severity, c.Meaning)
		if seen[c.Code] || c.Code != strings.ToLower(c.Code) || strings.ContainsAny(c.Code, " _") || c.Meaning == "" {
			t.Errorf("%+v", c)
		}
		seen[c.Code] = true
	}
	if table+"\n" != want.String() {
		t.Errorf("docs/formats/check.md should have the table\n%s", want.String())
	}
}
