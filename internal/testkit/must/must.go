// Package must is test support: it ends a test on an error of a call that has to
// succeed, in a line.
//
//	must.Do(t, os.Remove(path))
//	data := must.Get(os.ReadFile(path))(t)
//	for rec := range must.All(t, db.Records(ctx, 1, model.WantAll)) {
package must

import (
	"errors"
	"iter"
)

// TB is a test, a benchmark, or one draw of a property.
type TB interface {
	Helper()
	Fatal(args ...any)
}

// Do ends the test if one of the errors is not nil.
func Do(t TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// Get returns v for a test, which ends on the error.
func Get[T any](v T, err error) func(TB) T {
	return func(t TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// All yields what seq yields, and ends the test on an error.
func All[T any](t TB, seq iter.Seq2[T, error]) iter.Seq[T] {
	return func(yield func(T) bool) {
		t.Helper()
		var failed error
		for v, err := range seq {
			if err != nil {
				failed = err
				break
			}
			if !yield(v) {
				return
			}
		}
		Do(t, failed)
	}
}
