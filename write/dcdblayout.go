package write

import (
	"fmt"

	"cbkit/internal/dcdb"
)

// SimpleLayout is how the index of a Simple Chess Database is laid out.
type SimpleLayout uint8

// The layouts of Simple Chess Databases. The two programs of the format's
// author, pgn2dcg and dcg2pgn, know only v0; v1 is what the format's
// description says. Their difference is in docs/formats/dcdb.md.
const (
	SimpleV0 SimpleLayout = SimpleLayout(dcdb.V0)
	SimpleV1 SimpleLayout = SimpleLayout(dcdb.V1)
	// DefaultSimpleLayout is that of new databases.
	DefaultSimpleLayout SimpleLayout = SimpleV1
)

// ParseSimpleLayout reads "v0" and "v1".
func ParseSimpleLayout(s string) (SimpleLayout, error) {
	l, err := dcdb.ParseLayout(s)
	return SimpleLayout(l), err
}

// String returns what ParseSimpleLayout reads; "" for 0, which is the layout of
// the source, and "layout 9" for numbers without a layout.
func (l SimpleLayout) String() string {
	switch l {
	case 0:
		return ""
	case SimpleV0, SimpleV1:
		return dcdb.Layout(l).String()
	}
	return fmt.Sprintf("layout %d", uint8(l))
}
