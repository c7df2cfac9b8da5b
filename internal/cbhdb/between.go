package cbhdb

// Order says how a record lies to those before it.
type Order uint8

// The ways in which a record can lie.
const (
	Ascending  Order = iota // behind all of them
	Overlap                 // begins inside one of them
	Descending              // begins before one of them
)

// Between follows the records of a .cbg or .cba file, which lie in the order of
// their ids, and counts what lies between them: holes, which no record uses.
// (docs/formats/cbh.md, Where records lie)
type Between struct {
	// Start is where the furthest record so far begins, -1 if there was none;
	// End is where the records end so far.
	Start, End int64
	// Holes is how many bytes lie between the records so far.
	Holes int64
}

// Between returns a follower before the first record.
func (b *Blocks) Between() Between { return Between{Start: -1, End: int64(b.Head.Size)} }

// Pass takes the next record. It returns how it lies and, of one that ascends,
// the hole before it.
func (b *Between) Pass(x Extent) (order Order, hole Extent) {
	switch {
	case x.At < b.Start:
		order = Descending
	case x.At < b.End:
		order = Overlap
	default:
		hole = Extent{b.End, x.At - b.End}
		b.Holes += hole.Size
	}
	b.Start, b.End = max(b.Start, x.At), max(b.End, x.End())
	return order, hole
}
