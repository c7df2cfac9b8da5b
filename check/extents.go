package check

import (
	"cbkit/internal/cbh"
	"cbkit/model"
)

// extents follows the records of a .cbg or .cba file, which lie in the order
// of their ids, with holes between them (spec/cbg.md 1, spec/cba.md 1).
type extents struct {
	*checker
	ext   string
	head  *cbh.BlockHeader // nil if there is no file to follow
	start int64            // of the furthest record
	end   int64            // of all records so far
	holes int64
	sound bool // the holes are known
}

func (c *checker) newExtents(ext string, head *cbh.BlockHeader) *extents {
	e := &extents{checker: c, ext: ext, head: head, sound: c.d.knowsRecords()}
	if head != nil {
		e.start, e.end = -1, int64(head.Size)
	}
	return e
}

// add looks at where the next record lies.
func (e *extents) add(id model.RecordID, x extent) {
	if x.size == 0 {
		e.sound = e.sound && x.at == 0
		return
	}
	switch {
	case x.at < e.start:
		e.sound = false
		e.checker.add(codeDescending, inRecord(e.ext, id, x.at, "offset"), "begins at %d, an earlier record at %d", x.at, e.start)
	case x.at < e.end:
		e.sound = false
		e.checker.add(codeOverlap, inRecord(e.ext, id, x.at, "offset"), "begins at %d, inside a record that ends at %d", x.at, e.end)
	default:
		e.holes += x.at - e.end
	}
	e.start, e.end = max(e.start, x.at), max(e.end, x.at+x.size)
}

// finish compares the holes with what the header says of them.
func (e *extents) finish() {
	if e.head == nil || !e.sound {
		return
	}
	e.holes += max(e.d.declaredEnd(e.ext, e.head)-e.end, 0)
	if declared := e.d.declaredHoles(e.ext, e.head); declared != e.holes {
		e.checker.add(codeHoleCount, inHeader(e.ext, 6, "unused bytes"), "counts %s, there are %d", quantity(declared, "unused byte"), e.holes)
	}
}
