package marks

import (
	"testing"

	"cbkit/model"
)

// Whatever stands in a command, what is read of it is written again as it was.
func FuzzMarks(f *testing.F) {
	f.Add("Ge4,Rd5,Ya1,Bh8")
	f.Add("Ge2e4,Rg1f3")
	f.Fuzz(func(t *testing.T, args string) {
		same := func(prefix string, command []byte, exact bool) {
			if want := prefix + args + "]"; string(command) != want || !exact {
				t.Errorf("%q became %q, exact %v", want, command, exact)
			}
		}
		if v, ok := ParseSquares(args); ok {
			command, exact := AppendSquares(nil, v.(model.Squares))
			same(squares, command, exact)
		}
		if v, ok := ParseArrows(args); ok {
			command, exact := AppendArrows(nil, v.(model.Arrows))
			same(arrows, command, exact)
		}
	})
}
