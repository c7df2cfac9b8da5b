// Package must is test support: it ends a test on an error of a call that has to
// succeed, in a line.
//
//	must.Do(t, os.Remove(path))
//	data := must.Get(os.ReadFile(path))(t)
package must

import "errors"

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
