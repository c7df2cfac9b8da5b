package check

import (
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
)

// reference is what a record says of an entity; used is false for none.
type reference struct {
	table int
	id    int32
	used  bool
}

// maxReferences is the number of entities a game refers to.
const maxReferences = 8

// referenceField is a field that refers to an entity of a table.
type referenceField struct {
	*cbh.Field
	table int
}

// The references of games and of texts.
var gameReferences, textReferences = referencesOf(false), referencesOf(true)

func referencesOf(text bool) (list []referenceField) {
	for _, f := range cbh.References(text) {
		list = append(list, referenceField{f, slices.Index(cbh.EntityFiles, f.Entity)})
	}
	return list
}

// checkReferences reports the references that lead nowhere, counts those to
// missing files, and returns all others.
func (w *recordChecker) checkReferences(rec *record) (out [maxReferences]reference) {
	fields := gameReferences
	if rec.isText {
		fields = textReferences
	}
	for i, f := range fields {
		header, isExt := rec.head, f.File == cbh.ExtMoves.File
		if isExt {
			header = rec.ext
		}
		id := int32(f.Uint(header))
		if isExt && (!f.In(header) || id == cbh.NoLink) {
			continue
		}
		t := &w.tables[f.table]
		switch {
		case t.IsLive(id):
			out[i] = reference{f.table, id, true}
		case !t.known && w.d.set.Has(t.kind.Ext):
			// The file is damaged, which was said.
		case !t.known && !isExt:
			// The file is missing although every database has it.
		case !t.known:
			w.out.absent[t.kind.Ext]++
		case t.InRange(id):
			w.add(codeReferenceDead, rec.in(f.Field), "refers to %s %d, which is deleted", t.kind.Name, id)
		default:
			w.add(codeReferenceRange, rec.in(f.Field), "refers to %s %d, there are %d", t.kind.Name, id, t.Count)
		}
	}
	return out
}

// checkUses compares the counted references with the stored ones.
// (docs/formats/cbh-entities.md 10)
func (c *checker) checkUses() {
	// Where the records themselves are not certain, their references are not.
	if !c.d.knowsRecords() {
		return
	}
	for i := range c.tables {
		t := &c.tables[i]
		if !t.known || !c.selected.has(t.kind.Ext) {
			continue
		}
		if c.mend != nil {
			c.mend.mendUses(i, t.Table)
		}
		fromExt := i == cbhdb.Teams || i == cbhdb.Titles
		if fromExt && c.d.extensions == nil && c.d.set.Has(".cbj") {
			continue // damaged
		}
		if fromExt && (c.d.old || !c.d.hasAllReferences(i)) {
			other := 0
			for id, n := range t.Tree.Nodes {
				if n.Live() && cbh.DecodeEntityUse(t.Payload(int32(id))).Count != t.found[id].Count {
					other++
				}
			}
			if other > 0 {
				c.addAs(Note, codeReferenceCount, inFile(t.kind.Ext), "in %s the count is not that of the references in %s",
					quantity(other, "record"), c.d.set.Name(".cbj"))
			}
			c.flush()
			continue
		}
		empty := 0 // how many with an empty value no record refers to
		for id, n := range t.Tree.Nodes {
			if n.Live() && c.isUnusedEmpty(t, int32(id)) {
				empty++
			}
		}
		for i, n := range t.Tree.Nodes {
			if !n.Live() {
				continue
			}
			id := int32(i)
			severity := Error
			if empty == 1 && c.isUnusedEmpty(t, id) {
				severity = Note
			}
			stored, found := cbh.DecodeEntityUse(t.Payload(id)), t.found[id]
			switch {
			case stored.Count != found.Count:
				c.addAs(severity, codeReferenceCount, t.in(id, "count"),
					"counts %s, there are %d", quantity(stored.Count, "reference"), found.Count)
			case found.Count == 0:
				c.addAs(severity, codeUnusedEntity, t.in(id, "count"), "no record refers to the %s", t.kind.Name)
			}
			if found.Count > 0 && stored.First != found.First {
				c.add(codeFirstReference, t.in(id, "first"), "names record %d as the first, it is %d", stored.First, found.First)
			}
			c.spill()
		}
		c.flush()
	}
}

// hasAllReferences reports whether the .cbj file has the references of all records to the
// entities of a table. An older version does not have all fields.
func (d *database) hasAllReferences(table int) bool {
	isBeyond := func(f referenceField) bool { return f.table == table && f.End() > int(d.extensions.Head.RecordSize) }
	return d.knowsExtensions() && d.extCount >= d.count && !slices.ContainsFunc(gameReferences, isBeyond)
}

// knowsUses reports whether all references to a kind of entities are known.
func (m *mender) knowsUses(i int) bool {
	return m.whole && (i < cbhdb.Teams || m.extensions != nil && m.hasAllReferences(i))
}

// mendUses makes the counts of references and the first records true, of those
// entities that a record refers to.
func (m *mender) mendUses(i int, t *cbhdb.Table) {
	u := &m.uses[i]
	if m.unsettled[i] || !m.knowsUses(i) || u.Dangling > 0 || len(u.Found) < int(t.Count) {
		return // it is not known which entities those meant that lead nowhere
	}
	for id, found := range u.Found {
		if found.Count > 0 && !t.IsLive(int32(id)) {
			return // a reference that leads nowhere
		}
	}
	for id, found := range u.Found[:t.Count] {
		stored := cbh.DecodeEntityUse(t.Payload(int32(id)))
		if stored == found || found.Count == 0 {
			continue
		}
		code := codeReferenceCount
		if stored.Count == found.Count {
			code = codeFirstReference
		}
		b := make([]byte, t.RecordSize())
		found.Put(b)
		b = b[len(b)-cbh.EntityUseSize:]
		at := t.Offset(int32(id)+1) - cbh.EntityUseSize
		m.fix(code, inRecord(t.Kind.Ext, id, at, "count"), []Edit{m.put(t.Kind.Ext, at, b)},
			"%d from record %d on, now %d from record %d on",
			stored.Count, stored.First, found.Count, found.First)
	}
}

func (c *checker) isUnusedEmpty(t *entityTable, id int32) bool {
	return t.found[id].Count == 0 && t.kind.isEmpty(t.Payload(id), c.d.page)
}
