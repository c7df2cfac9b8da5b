package check

import (
	"cbkit/internal/cbhdb"
	"cbkit/model"
)

// extents follows the records of a .cbg or .cba file, which lie in the order
// of their ids, with holes between them (docs/formats/cbh.md, Where records
// lie).
type extents struct {
	*checker
	ext     string
	blocks  *cbhdb.Blocks // nil if there is no file to follow
	between cbhdb.Between
	sound   bool // the holes are known
}

func (c *checker) newExtents(ext string, blocks *cbhdb.Blocks) *extents {
	e := &extents{checker: c, ext: ext, blocks: blocks, sound: c.d.knowsRecords()}
	if blocks != nil {
		e.between = blocks.Between()
	}
	return e
}

// add looks at where the next record lies.
func (e *extents) add(id model.RecordID, x cbhdb.Extent) {
	if x.Size == 0 {
		e.sound = e.sound && x.At == 0
		return
	}
	before := e.between
	switch order, _ := e.between.Pass(x); order {
	case cbhdb.Descending:
		e.sound = false
		e.checker.add(codeDescending, inRecord(e.ext, id, x.At, "offset"), "begins at %d, an earlier record at %d", x.At, before.Start)
	case cbhdb.Overlap:
		e.sound = false
		e.checker.add(codeOverlap, inRecord(e.ext, id, x.At, "offset"), "begins at %d, inside a record that ends at %d", x.At, before.End)
	}
}

// finish compares the holes with what the header says of them.
func (e *extents) finish() {
	if e.blocks == nil || !e.sound {
		return
	}
	holes := e.between.Holes + max(e.blocks.DeclaredEnd()-e.between.End, 0)
	if declared := e.blocks.DeclaredHoles(); declared != holes {
		e.checker.add(codeHoleCount, inHeader(e.ext, 6, "unused bytes"), "counts %s, there are %d", quantity(declared, "unused byte"), holes)
	}
}
