package marks

import (
	"testing"

	"cbkit/model"

	"github.com/google/go-cmp/cmp"
)

func TestSquares(t *testing.T) {
	list := model.Squares{{Color: model.Green, Square: model.E4}, {Color: model.Red, Square: model.D5}}
	command, exact := AppendSquares([]byte("x"), list)
	if string(command) != "x[%csl Ge4,Rd5]" || !exact {
		t.Errorf("%q, %v", command, exact)
	}
	if got, ok := ParseSquares("Ge4,Rd5"); !ok || !cmp.Equal(got, model.Value(list)) {
		t.Errorf("%v, %v", got, ok)
	}
	if command, exact := AppendSquares([]byte("x"), nil); string(command) != "x" || exact {
		t.Errorf("none: %q, %v", command, exact)
	}
	if command, exact := AppendSquares(nil, append(list, model.ColoredSquare{Color: 99})); string(command) != "[%csl Ge4,Rd5]" || exact {
		t.Errorf("one without a letter: %q, %v", command, exact)
	}
}

func TestArrows(t *testing.T) {
	list := model.Arrows{{Color: model.Blue, From: model.A1, To: model.H8}}
	command, exact := AppendArrows(nil, list)
	if string(command) != "[%cal Ba1h8]" || !exact {
		t.Errorf("%q, %v", command, exact)
	}
	if got, ok := ParseArrows("Ba1h8"); !ok || !cmp.Equal(got, model.Value(list)) {
		t.Errorf("%v, %v", got, ok)
	}
}

func TestNoMarks(t *testing.T) {
	for _, args := range []string{"", "e4", "Ge", "Ge9", "Xe4", "Ge4,", "Ge4e5"} {
		if got, ok := ParseSquares(args); ok {
			t.Errorf("%q: %v", args, got)
		}
	}
	for _, args := range []string{"", "Ge4", "Ge4e9", "Xe4e5", "Ge4e5,"} {
		if got, ok := ParseArrows(args); ok {
			t.Errorf("%q: %v", args, got)
		}
	}
}
