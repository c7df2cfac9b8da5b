package check

import (
	"slices"

	"cbkit/avl"
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/model"
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

// checkEntities reads the entity files, compares the number of records with the bytes
// behind the header, and looks at trees and values.
func (c *checker) checkEntities() error {
	c.foreign = foreignTexts{}
	for i := range c.tables {
		t := &c.tables[i]
		t.kind = &entityKinds[i]
		ext := t.kind.Ext
		if c.d.files[ext] == nil {
			continue
		}
		e, err := c.d.stored.Entities(t.kind.EntityFile)
		if dbfile.IsDamage(err) {
			c.badHeader(ext, err)
			continue
		}
		if err != nil {
			return err
		}
		if e.Mended != nil {
			c.badHeader(ext, e.Mended)
		}
		if t.Table, err = e.Load(); err != nil {
			return err
		}
		t.known, t.found = true, make([]cbh.EntityUse, e.Count)
		size, bytes := t.RecordSize(), t.Size()-t.Offset(0)
		switch rest := bytes - int64(t.Head.Capacity)*size; {
		case rest < 0:
			c.add(codeCutFile, inFile(ext),
				"announces %s of %d bytes, the file has room for %d", quantity(t.Head.Capacity, "record"), size, bytes/size)
		case rest >= size:
			c.add(codeRecordCount, inHeader(ext, 0, "capacity"),
				"counts %s, the file has %d", quantity(t.Head.Capacity, "record"), bytes/size)
		case rest > 0:
			c.add(codeTrailingBytes, inFile(ext), "%s behind the last record", quantity(rest, "byte"))
		}
		if c.selected.has(ext) {
			if err := c.checkTree(i, t); err != nil {
				return err
			}
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
					c.foreign[ext]++
				}
				c.spill()
			}
		}
		c.flush()
	}
	return nil
}

// entityKinds are the six kinds of entity files, as in cbh.EntityFiles.
var entityKinds = [...]entityKind{
	cbhdb.Players: kindOf(&cbh.Players, func(p *model.Player, v *entityValue) {
		v.texts(p.LastName, p.FirstName)
	}),
	cbhdb.Tournaments: kindOf(&cbh.Tournaments, func(t *model.Tournament, v *entityValue) {
		v.texts(t.Title, t.Place)
		v.date("start date", t.Start)
	}),
	cbhdb.Annotators: kindOf(&cbh.Annotators, func(a *model.Annotator, v *entityValue) {
		v.texts(a.Name)
	}),
	cbhdb.Sources: kindOf(&cbh.Sources, func(s *model.Publication, v *entityValue) {
		v.texts(s.Title, s.Publisher)
		v.date("publication date", s.Published)
		v.date("date", s.Date)
	}),
	cbhdb.Teams: kindOf(&cbh.Teams, func(t *model.Team, v *entityValue) {
		v.texts(t.Title)
	}),
	cbhdb.Titles: kindOf(&cbh.GameTitles, func(t *model.GameTitle, v *entityValue) {
		v.texts(t.Titles[:]...)
	}),
}

// entityExts are the endings of the entity files.
var entityExts = func() (exts []string) {
	for _, kind := range entityKinds {
		exts = append(exts, kind.Ext)
	}
	return exts
}()

// entityKind is a kind of entities whatever its values are.
type entityKind struct {
	*cbh.EntityFile
	// inspect decodes a payload.
	inspect func(payload []byte, page cbh.CodePage) entityValue
	// isEmpty reports whether the value of a payload is that of no entity.
	isEmpty func(payload []byte, page cbh.CodePage) bool
	// encode decodes a payload and encodes the record again: from the value,
	// and as a change of the payload.
	encode func(links cbh.EntityLinks, payload []byte, page cbh.CodePage) (value, kept []byte)
	// fieldAt names the field of a byte of a payload.
	fieldAt func(offset int) string
}

// entityValue is what is checked of the value of an entity.
type entityValue struct {
	foreign  bool   // a text is in another code page
	badDate  string // the field of a date that does not exist
	badMonth uint8
}

func kindOf[T comparable](codec *cbh.EntityCodec[T], look func(*T, *entityValue)) entityKind {
	return entityKind{
		EntityFile: &codec.EntityFile,
		inspect: func(payload []byte, page cbh.CodePage) (v entityValue) {
			value := codec.Decode(payload, page)
			look(&value, &v)
			return v
		},
		isEmpty: func(payload []byte, page cbh.CodePage) bool {
			var none T
			return codec.Decode(payload, page) == none
		},
		encode: func(links cbh.EntityLinks, payload []byte, page cbh.CodePage) (value, kept []byte) {
			v := codec.Decode(payload, page)
			value, _ = codec.Append(links.Append(nil), v, page) // what was read fits
			cbh.DecodeEntityUse(payload).Put(value)
			kept, _ = codec.Merge(links.Append(nil), v, payload, page)
			return value, kept
		},
		fieldAt: codec.FieldAt,
	}
}

// texts looks at the texts of an entity.
func (v *entityValue) texts(list ...string) {
	for _, s := range list {
		v.foreign = v.foreign || looksForeign(s)
	}
}

// date looks at a date.
func (v *entityValue) date(field string, d model.Date) {
	if d.Month > 12 {
		v.badDate, v.badMonth = field, d.Month
	}
}

// oldFaults are notes in databases of old programs, which let them slide.
var oldFaults = []avl.Kind{avl.WrongLive, avl.WrongBalance, avl.Unbalanced, avl.DeletedBalance}

// Where the fields of the header that belong to the tree are.
var treeHeaderOffsets = map[string]int64{"root": 4, "first deleted": 16, "live records": 20}

// checkTree looks at the tree and the list of deleted records of an entity
// file. Both, and the header, are mended unless records are missing.
func (c *checker) checkTree(i int, t *entityTable) error {
	faults, signed := t.Verify()
	for _, f := range faults {
		code := treeCodes[f.Kind]
		severity := code.Severity
		if c.d.old && slices.Contains(oldFaults, f.Kind) {
			severity = Note
		}
		where := inHeader(t.kind.Ext, treeHeaderOffsets[f.Field], f.Field)
		if f.ID != avl.None {
			where = t.in(f.ID, f.Field)
		}
		c.addAs(severity, code, where, "%s", f.Text())
		c.spill()
	}
	m := c.mend
	if m == nil {
		return nil
	}
	u, ext := &m.uses[i], t.kind.Ext
	missed := u.Dangling > 0 || slices.ContainsFunc(u.Found[min(int(t.Count), len(u.Found)):], func(use cbh.EntityUse) bool { return use.Count > 0 })
	if m.unsettled[i] || t.Head.Capacity > t.Count && (len(faults) > 0 || missed || t.End() != t.Size()) {
		m.unsettled[i] = true
		return nil
	}
	tree := t.Tree.Clone()
	switch {
	case len(faults) == 1 && faults[0].Kind == avl.WrongLive:
		tree.Live = faults[0].Want
	case len(faults) > 0:
		if err := tree.Rebuild(tree.LiveIDs(), func(a, b int32) int { return t.Compare(a, b, signed) }); err != nil {
			return err
		}
	}
	head := t.Head
	head.Root, head.FirstDeleted, head.Live, head.Capacity = tree.Root, tree.Free, tree.Live, t.Count
	edits := func(yield func(Edit) bool) {
		for id, n := range tree.Nodes {
			links := cbh.EntityLinks{Left: n.Left, Right: n.Right, Balance: n.Balance}
			if n != t.Tree.Nodes[id] && !yield(m.put(ext, t.Offset(int32(id)), links.Append(nil))) {
				return
			}
		}
		yield(m.put(ext, 0, head.Append(nil)))
	}
	for _, f := range faults {
		at := int64(0)
		if f.ID != avl.None {
			at = t.Offset(f.ID)
		}
		m.fixAll(treeCodes[f.Kind], inRecord(ext, f.ID, at, f.Field), edits, "%s; rebuilt", f.Text())
		edits = func(func(Edit) bool) {} // the first has mended all
	}
	if t.Head.Capacity != t.Count {
		m.fixAll(codeRecordCount, inHeader(ext, 0, "capacity"), edits, "%d, now %d", t.Head.Capacity, t.Count)
	}
	return nil
}
