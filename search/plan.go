package search

import (
	"fmt"
	"slices"
	"strings"
)

// Plan says how a search found its answer.
type Plan struct {
	// Records is the number of records in the database, Headers the number whose header
	// was read, Played the number of games played through.
	Records int `json:"records"`
	Headers int `json:"headers"`
	Played  int `json:"played"`
	// Boosters are the names of the booster files that were used.
	Boosters []string `json:"boosters,omitempty"`
	// Notes say what was looked up, and which booster was not used and why.
	Notes []string `json:"notes,omitempty"`
}

func (p *Plan) note(format string, args ...any) {
	p.Notes = append(p.Notes, fmt.Sprintf(format, args...))
}

// use notes that a booster was used.
func (p *Plan) use(name string) {
	if !slices.Contains(p.Boosters, name) {
		p.Boosters = append(p.Boosters, name)
	}
}

// String returns a few lines for people.
func (p Plan) String() string {
	var b strings.Builder
	for _, note := range p.Notes {
		fmt.Fprintln(&b, note)
	}
	used := "no boosters used"
	if len(p.Boosters) > 0 {
		used = "used " + listed(p.Boosters)
	}
	fmt.Fprintf(&b, "%s; %d records, %d headers read, %d games played through\n", used, p.Records, p.Headers, p.Played)
	return b.String()
}

// listed writes words with commas.
func listed(words []string) string { return strings.Join(words, ", ") }
