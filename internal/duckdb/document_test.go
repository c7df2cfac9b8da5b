package duckdb

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
)

// question is a statement of docs/analysis.md with what it prints there.
type question struct {
	title  string
	sql    string
	answer [][]string // its first row has the names of the columns
}

// document is what docs/analysis.md asks.
type document struct {
	setUp     []string   // the statements before the first question
	questions []question // of twic1134
	blunders  question   // of games with clocks
}

var (
	sections   = regexp.MustCompile(`(?m)^###? `)
	statement  = regexp.MustCompile("(?s)```sql\n(.*?)```")
	tableLine  = regexp.MustCompile(`(?m)^\|(.*)\|$`)
	dashes     = regexp.MustCompile(`^[-| ]+$`)
	numberedAs = regexp.MustCompile(`^[0-9]+\. `)
)

// readDocument takes the statements and their output out of the document.
func readDocument(t *testing.T) document {
	t.Helper()
	text := must.Get(os.ReadFile("../../docs/analysis.md"))(t)
	var d document
	for _, section := range sections.Split(string(text), -1) {
		title, _, _ := strings.Cut(section, "\n")
		found := statement.FindStringSubmatch(section)
		if found == nil {
			continue
		}
		q := question{title: title, sql: found[1], answer: tableOf(section)}
		switch {
		case numberedAs.MatchString(title):
			d.questions = append(d.questions, q)
		case title == "Ten questions":
			for one := range strings.SplitSeq(strings.TrimSpace(q.sql), ";\n") {
				d.setUp = append(d.setUp, one)
			}
		case strings.HasPrefix(title, "Who blunders"):
			d.blunders = q
		}
	}
	if len(d.questions) != 10 || len(d.setUp) != 2 || d.blunders.sql == "" {
		t.Fatalf("the document has %d questions and %d statements before them; blunders %q", len(d.questions), len(d.setUp), d.blunders.sql)
	}
	return d
}

// tableOf returns the table of a section, nil if it has none.
func tableOf(section string) (rows [][]string) {
	for _, m := range tableLine.FindAllStringSubmatch(section, -1) {
		if dashes.MatchString(m[1]) {
			continue
		}
		var row []string
		for cell := range strings.SplitSeq(m[1], "|") {
			row = append(row, strings.TrimSpace(cell))
		}
		rows = append(rows, row)
	}
	return rows
}
