package check_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"cbkit/check"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/write"
)

// withManyFaults returns a database with a wrong move count in each of its 1000
// games, and an unknown bit in ten of them.
func withManyFaults(t *testing.T) *damaged {
	const copies = 100
	d := sample(t)
	d.multiply(copies)
	for id := 1; id <= copies*sampleRecords; id++ {
		if d.isText(id) {
			continue
		}
		d.put(".cbh", head(id)+45, 200)
		if id%(10*sampleRecords) == plainGame {
			d.files[".cbh"][head(id)] |= 0x10
		}
	}
	return d
}

// Of findings that are alike only the first are reported; all are counted.
func TestFindingsAreLimited(t *testing.T) {
	const faults, notes = 1000, 10
	d := withManyFaults(t)
	for _, c := range []struct{ max, listed, more, notes int }{
		{0, 100, faults - 100, notes},
		{1, 1, faults - 1, 1},
		{faults - 1, faults - 1, 1, notes},
		{faults, faults, 0, notes},
		{-1, faults, 0, notes},
	} {
		_, full := d.findings(check.Options{Max: c.max, Jobs: 2})
		more, listed, noted := 0, 0, 0
		for _, f := range full {
			switch {
			case f.Code == "unknown-bits" && f.More == 0:
				noted++
			case f.Code == "stale-move-count" && f.More == 0:
				listed++
			case f.Code == "stale-move-count":
				more += f.More
			}
		}
		if listed != c.listed || more != c.more || noted != c.notes {
			t.Errorf("limit %d: %d, %d more, %d notes; want %+v", c.max, listed, more, noted, c)
		}
	}
}

// The last findings say how many were not reported.
func TestMoreFindings(t *testing.T) {
	_, full := withManyFaults(t).findings(check.Options{Max: 3})
	var all []string
	for _, f := range full[len(full)-2:] {
		b := must.Get(json.Marshal(f))(t)
		all = append(all, f.String(), string(b))
	}
	slices.Sort(all)
	want := []string{
		"sample.cbh: and 7 more findings like these",
		"sample.cbh: and 997 more findings like these",
		`{"code":"stale-move-count","severity":"error","file":"sample.cbh","message":"and 997 more findings like these","more":997}`,
		`{"code":"unknown-bits","severity":"note","file":"sample.cbh","message":"and 7 more findings like these","more":7}`,
	}
	if !slices.Equal(all, want) {
		t.Errorf("%q", all)
	}
}

// The findings of books and of Simple Chess Databases are limited in the same
// way.
func TestOtherFindingsAreLimited(t *testing.T) {
	book := writeBook(t, gen.Folder(t))
	data := must.Get(os.ReadFile(book))(t)
	b := bookBytes{t: t, ctg: data}
	faults := 0
	for n := range len(data)/4096 - 1 {
		for _, e := range b.entries(n) {
			e.StatsBytes()[4] = 0xFF
			faults++
		}
	}
	must.Do(t, os.WriteFile(book, data, 0o666))
	simple := newSimple(t, write.SimpleV1)
	for entry := range 2 {
		change(t, simple, ".dci", 11+61*entry+37, 13) // a month
	}
	for _, c := range []struct {
		code, path string
		faults     int
		run        func(context.Context, string, check.Options) *check.Check
	}{{"book-statistics", book, faults, check.Book}, {"simple-field", simple, 2, check.Simple}} {
		var got []string
		made := c.run(context.Background(), c.path, check.Options{Max: 1})
		for f, err := range made.Findings() {
			if err == nil {
				got = append(got, fmt.Sprint(f.Code, " ", f.More))
			}
		}
		s, err := made.Summary()
		want := []string{c.code + " 0", fmt.Sprint(c.code, " ", c.faults-1)}
		if err != nil || s.Codes[c.code] != c.faults || !slices.Equal(got, want) {
			t.Errorf("%s, want %s; %+v, %v", strings.Join(got, ", "), want, s, err)
		}
	}
}
