// Package soundness closes the tests of edits: after one, check finds no error that it
// did not find before.
package soundness

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/check"
)

// Errors are the errors that check finds in a database, by what is wrong where: an
// error whose numbers have changed is the one that was there. The error is that of a
// database that cannot be checked.
func Errors(t testing.TB, path string) (map[string]string, error) {
	t.Helper()
	list := map[string]string{}
	made := check.Database(t.Context(), path, check.Options{Jobs: 1})
	for f, err := range made.Findings() {
		if err != nil {
			break // Summary has it
		}
		if f.Severity == check.Error {
			list[fmt.Sprint(f.Code, " ", f.File, " ", f.Record, " ", f.Field)] = f.String()
		}
	}
	_, err := made.Summary()
	return list, err
}

// Before looks at a database that is going to be edited; what it returns fails the test
// where check finds errors that it had not before. An entity for which no record has
// asked is there on purpose. A database that cannot be checked is not looked at.
func Before(t testing.TB, path string) (after func()) {
	t.Helper()
	before, err := Errors(t, path)
	if err != nil {
		return func() {}
	}
	return func() {
		t.Helper()
		now, err := Errors(t, path)
		if err != nil {
			t.Errorf("after the edit: %v", err)
		}
		for what, f := range now {
			if before[what] == "" && !strings.HasPrefix(what, "unused-entity ") {
				t.Errorf("%s: %s", filepath.Base(path), f)
			}
		}
	}
}
