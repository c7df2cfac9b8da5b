package cbh

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"cbkit/model"
)

func ExamplePassOver() {
	_, err := DecodeEntityHeader(nil)
	warning, failure := PassOver(err)
	fmt.Println(warning)
	fmt.Println(failure)
	// Output:
	// : at 0x0: truncated; the file counts as missing
	// <nil>
}

// Only damage is passed over.
func TestPassOver(t *testing.T) {
	for _, c := range []struct {
		err    error
		damage bool
	}{
		{fail(0, "", model.ErrNotDatabase), true},
		{fail(0, "", model.ErrUnsupported), true},
		{fail(0, "", model.ErrCorrupt), true},
		{fail(0, "", fs.ErrPermission), false},
		{fs.ErrPermission, false},
		{model.ErrCorrupt, false}, // of nobody knows what
		{nil, false},
	} {
		warning, failure := PassOver(c.err)
		if c.damage && (failure != nil || !errors.Is(warning, c.err.(*model.FormatError).Err)) || !c.damage && (warning != nil || failure != c.err) {
			t.Errorf("%v: %v, %v", c.err, warning, failure)
		}
	}
	for _, f := range EntityFiles {
		if f.Optional() != (f.Ext == ".cbe" || f.Ext == ".cbl") {
			t.Errorf("%s: optional %v", f.Ext, f.Optional())
		}
	}
}
