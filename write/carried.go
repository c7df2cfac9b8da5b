package write

import (
	"slices"

	"cbkit/avl"
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/derive"
	"cbkit/model"
)

// Carried is damage that a copy has taken over with the stored bytes. It costs
// no game and no word, and a database that is written afresh ([Create]) does not
// have it; some programs stumble over it.
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

// addFacts compares what is stored about a game with its content. Nothing is
// known of what does not decode, and materials of 0 were not computed.
func (c *carriedList) addFacts(g *model.Game, stored cbh.Derived, notes []byte) {
	if g.MovesErr != nil || g.AnnotationsErr != nil {
		return
	}
	c.addNotes(notes)
	facts, err := derive.Game(g.Start, &g.Moves, cbh.FactsOf(notes))
	if err != nil {
		return
	}
	if (stored.Flags^facts.Flags)&cbh.ProvenFlags != 0 {
		c.add("flags of games", 1)
	}
	if stored.MoveCount != facts.FullMoves {
		c.add("numbers of moves", 1)
	}
	words := [2]uint32{uint32(facts.Material[0]), uint32(facts.Material[1])}
	if stored.Material != words && stored.Material != [2]uint32{} {
		c.add("material words", 1)
	}
}

// addNotes looks at the record of annotations of a game.
func (c *carriedList) addNotes(record []byte) {
	if len(record) == 0 {
		return
	}
	if notes, err := cbh.DecodeAnnotations(record, cbh.AnnotationContext{}, false); err == nil && notes.Disorder {
		c.add("the order and number of annotations", 1)
	}
}

// addMember looks at the header of a file that is copied as it is.
func (c *carriedList) addMember(from *cbhdb.DB, ext string) {
	f, err := from.File(ext)
	if c.report == nil || err != nil || f == nil {
		return
	}
	head, err := f.Bytes(nil, 0, min(f.Size(), cbh.MediaHeaderSize))
	if err != nil {
		return
	}
	records := func(n, size int32) {
		if int64(n)*int64(size) > f.Size()-int64(len(head)) {
			c.add("numbers of records", 1)
		}
	}
	switch ext {
	case ".cbm":
		if h, err := cbh.DecodeMediaHeader(head); err == nil {
			records(h.Records, h.RecordSize)
		}
	case ".cbtt":
		if h, err := cbh.DecodeTournamentExtraHeader(head); err == nil {
			records(h.Highest+1, h.RecordSize)
		}
	case cbh.Lists.Table, cbh.TitleLists.Table:
		list := &cbh.Lists
		if ext == cbh.TitleLists.Table {
			list = &cbh.TitleLists
		}
		h, err := cbh.DecodeListTableHeader(head)
		if err == nil {
			_, err = list.CheckTable(h, f.Size())
		}
		if err != nil {
			c.add("search boosters", 1)
		}
	}
}

// addHeader looks at what the header of a file says of its size.
func (c *carriedList) addHeader(ext string, header []byte, size int64) {
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
			c.add("sizes of files", 1)
		}
	}
	if wrong != nil {
		c.add("numbers of records", 1)
	}
}

// carriedTable looks at the tree of a table that is copied as it is, its list of
// deleted records and its counts.
func (c *Copier) carriedTable(e *cbhdb.Entities, counted []cbh.EntityUse) error {
	if c.carried.report == nil || !c.isWhole() {
		return nil
	}
	t, err := e.Load()
	if err != nil {
		return err
	}
	trees := 0
	faults, _ := t.Verify()
	for _, f := range faults {
		switch f.Kind {
		case avl.WrongLive:
			c.carried.add("numbers of records", 1)
		case avl.FreeBadLink, avl.FreeNotDeleted, avl.FreeLoop, avl.FreeMissing, avl.DeletedBalance:
			c.carried.add("lists of deleted "+e.Kind.Name+"s", 1)
		default:
			trees = 1
		}
	}
	c.carried.add("the tree of "+e.Kind.Name+"s", trees)
	if e.Head.Capacity != e.Count {
		c.carried.add("numbers of records", 1)
	}
	if !c.knowsReferences(e.Kind) {
		return nil
	}
	for id, use := range counted {
		stored := cbh.DecodeEntityUse(t.Payload(int32(id)))
		if t.IsLive(int32(id)) && (stored.Count != use.Count || stored.Count > 0 && stored.First != use.First) {
			c.carried.add("counts of references", 1)
		}
	}
	return nil
}
