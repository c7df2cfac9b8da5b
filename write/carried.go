package write

import (
	"slices"

	"cbkit/avl"
	"cbkit/internal/cbh"
	"cbkit/internal/derive"
	"cbkit/model"
)

// Carried is damage that a copy has taken over with the stored bytes. It costs
// no game and no word, and a database that is written afresh (Options.Fresh)
// does not have it; some programs stumble over it.
type Carried struct {
	// What is damaged, such as "the tree of players".
	What string
	// Count says in how many places.
	Count int
}

// carriedList collects what a copy takes over.
type carriedList struct {
	report func([]Carried) // nil if nobody wants to know
	list   []Carried
}

// add notes damage that is taken over.
func (c *carriedList) add(what string, n int) {
	if n == 0 {
		return
	}
	if i := slices.IndexFunc(c.list, func(d Carried) bool { return d.What == what }); i >= 0 {
		c.list[i].Count += n
		return
	}
	c.list = append(c.list, Carried{what, n})
}

// tell tells what was taken over.
func (c *carriedList) tell() {
	if len(c.list) > 0 && c.report != nil {
		c.report(c.list)
	}
}

// carriedFacts compares what is stored about a game with its content. Nothing is
// known of what does not decode, and materials of 0 were not computed.
func (c *Creator) carriedFacts(g *model.Game, s *storedGame) {
	if c.carried.report == nil || g.MovesErr != nil || g.AnnotationsErr != nil {
		return
	}
	facts, err := derive.Game(g.Start, &g.Moves, cbh.FactsOf(s.notes))
	if err != nil {
		return
	}
	if (s.derived.Flags^facts.Flags)&cbh.ProvenFlags != 0 {
		c.carried.add("flags of games", 1)
	}
	if s.derived.MoveCount != facts.FullMoves {
		c.carried.add("numbers of moves", 1)
	}
	words := [2]uint32{uint32(facts.Material[0]), uint32(facts.Material[1])}
	if s.derived.Material != words && s.derived.Material != [2]uint32{} {
		c.carried.add("material words", 1)
	}
}

// carriedHeader looks at what the header of a file says of its size.
func (c *Creator) carriedHeader(ext string, header []byte, size int64) {
	if c.carried.report == nil || !c.copy.isPure() {
		return
	}
	var wrong error
	switch ext {
	case ".cbh":
		if h, err := cbh.DecodeFileHeader(header); err == nil {
			if _, wrong = h.Stored(size); h.Used == cbh.UsedNew && h.NextAgain != h.Next {
				wrong = model.ErrCorrupt
			}
		}
	case ".cbj":
		if h, err := cbh.DecodeExtHeader(header); err == nil {
			_, wrong = h.Stored(size)
		}
	default:
		if h, err := cbh.DecodeBlockHeader(header); err == nil && !h.Declares(size) {
			c.carried.add("sizes of files", 1)
		}
	}
	if wrong != nil {
		c.carried.add("numbers of records", 1)
	}
}

// carried looks at the tree of a copied table, its list of deleted records and
// its counts.
func (t *entityTable[T]) carried() {
	c := t.c
	if c.carried.report == nil || !c.copy.isPure() || t.head == nil {
		return
	}
	trees := 0
	for _, f := range t.faults() {
		switch f.Kind {
		case avl.WrongLive:
			c.carried.add("numbers of records", 1)
		case avl.FreeBadLink, avl.FreeNotDeleted, avl.FreeLoop, avl.FreeMissing, avl.DeletedBalance:
			c.carried.add("lists of deleted "+t.codec.Name+"s", 1)
		default:
			trees = 1
		}
	}
	c.carried.add("the tree of "+t.codec.Name+"s", trees)
	if t.head.Capacity != int32(len(t.tree.Nodes)) {
		c.carried.add("numbers of records", 1)
	}
	if t.codec.Optional() && int(c.copy.ExtRecords) < c.number() {
		return // the .cbj file does not have all references
	}
	for id, node := range t.tree.Nodes {
		stored := cbh.DecodeEntityUse(t.payload(int32(id)))
		if node.Live() && (stored.Count != t.uses[id].Count || stored.Count > 0 && stored.First != t.uses[id].First) {
			c.carried.add("counts of references", 1)
		}
	}
}

// faults returns what is wrong with the tree in the order of bytes that suits
// it better.
func (t *entityTable[T]) faults() []avl.Finding {
	under := func(signed bool) []avl.Finding {
		return t.tree.Verify(func(a, b int32) int { return t.codec.Compare(t.payload(a), t.payload(b), signed) })
	}
	usual := under(t.codec.DefaultSigned)
	if len(usual) == 0 {
		return nil
	}
	if other := under(!t.codec.DefaultSigned); len(other) < len(usual) {
		return other
	}
	return usual
}
