package dbfile

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"cbkit/model"
)

func ExamplePassOver() {
	err := &model.FormatError{File: "games.cbe", Record: -1, Err: model.ErrTruncated}
	warning, failure := PassOver(err)
	fmt.Println(warning)
	fmt.Println(failure)
	// Output:
	// games.cbe: at 0x0: truncated; the file counts as missing
	// <nil>
}

// fail is an error about a file.
func fail(err error) error { return &model.FormatError{File: "games.cbe", Record: -1, Err: err} }

// Only damage is passed over.
func TestPassOver(t *testing.T) {
	for _, c := range []struct {
		err    error
		damage bool
	}{
		{fail(model.ErrNotDatabase), true},
		{fail(model.ErrUnsupported), true},
		{fail(model.ErrCorrupt), true},
		{fail(fs.ErrPermission), false},
		{fs.ErrPermission, false},
		{model.ErrCorrupt, false}, // of nobody knows what
		{nil, false},
	} {
		warning, failure := PassOver(c.err)
		if c.damage && (failure != nil || !errors.Is(warning, c.err.(*model.FormatError).Err)) || !c.damage && (warning != nil || failure != c.err) {
			t.Errorf("%v: %v, %v", c.err, warning, failure)
		}
	}
}
