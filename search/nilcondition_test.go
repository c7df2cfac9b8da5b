package search_test

import (
	"path/filepath"
	"testing"

	"cbkit/search"
)

// TestNilConditions: a condition that is nil, as functions return it with an
// error, is an error of the search wherever it stands, and can be printed.
func TestNilConditions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "db.cbh")
	writeExample(path)
	s, err := search.Open(path, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, c := range []search.Condition{
		nil, search.And(nil), search.Or(search.Games(), nil), search.Not(nil), search.And(search.Not(search.Or(nil))),
	} {
		if result, err := s.Find(t.Context(), c); err == nil {
			t.Errorf("%v: found %v", c, result.IDs)
		}
		if c == nil {
			continue
		}
		if back, err := search.Parse(c.String()); err == nil {
			t.Errorf("%q parses as %v", c, back)
		}
	}
}
