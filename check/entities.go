package check

import (
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
)

// entityTable is an entity file as far as it could be read.
type entityTable struct {
	kind  *entityKind
	known bool // the file is there, and its header is sound
	*cbhdb.Table
	found []cbh.EntityUse // by the records that refer to each
}

// in is a field of a record.
func (t *entityTable) in(id int32, field string) place {
	return inRecord(t.kind.Ext, id, t.Offset(id), field)
}

// checkEntities reads the entity files and looks at their trees and values.
func (c *checker) checkEntities() error {
	c.foreign = foreignTexts{}
	for i := range c.tables {
		t := &c.tables[i]
		t.kind = &entityKinds[i]
		if c.d.files[t.kind.Ext] == nil {
			continue
		}
		if err := c.readEntities(t); err != nil {
			return err
		}
		if t.known && c.selected.has(t.kind.Ext) {
			c.checkTree(t)
			c.checkEntityValues(t)
		}
		c.flush()
	}
	return nil
}

// readEntities reads an entity file. The error is one of the machine.
func (c *checker) readEntities(t *entityTable) error {
	e, err := c.d.stored.Entities(t.kind.EntityFile)
	if dbfile.IsDamage(err) {
		c.badHeader(t.kind.Ext, err)
		return nil
	}
	if err != nil {
		return err
	}
	if e.Mended != nil {
		c.badHeader(t.kind.Ext, e.Mended)
	}
	if t.Table, err = e.Load(); err != nil {
		return err
	}
	t.known, t.found = true, make([]cbh.EntityUse, e.Count)
	c.checkCapacity(t)
	return nil
}

// checkCapacity compares the number of records with the bytes behind the
// header.
func (c *checker) checkCapacity(t *entityTable) {
	ext, size, bytes := t.kind.Ext, t.RecordSize(), t.Size()-t.Offset(0)
	switch rest := bytes - int64(t.Head.Capacity)*size; {
	case rest < 0:
		c.add(codeCutFile, inFile(ext), "announces %s of %d bytes, the file has room for %d", quantity(t.Head.Capacity, "record"), size, bytes/size)
	case rest >= size:
		c.add(codeRecordCount, inHeader(ext, 0, "capacity"), "counts %s, the file has %d", quantity(t.Head.Capacity, "record"), bytes/size)
	case rest > 0:
		c.add(codeTrailingBytes, inFile(ext), "%s behind the last record", quantity(rest, "byte"))
	}
}

// checkEntityValues looks at the values of the live entities.
func (c *checker) checkEntityValues(t *entityTable) {
	for i, n := range t.Tree.Nodes {
		if !n.Live() {
			continue
		}
		id := int32(i)
		v := t.kind.inspect(t.Payload(id), c.d.page)
		if v.badDate != "" {
			c.add(codeBadDate, t.in(id, v.badDate), "month %d does not exist", v.badMonth)
		}
		if v.foreign {
			c.foreign[t.kind.Ext]++
		}
		c.spill()
	}
}
