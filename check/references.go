package check

import (
	"cbkit/internal/cbh"
)

// reference is what a record says of an entity; used is false for none.
type reference struct {
	table int
	id    int32
	used  bool
}

// maxReferences is the number of entities a game refers to.
const maxReferences = 8

// referenceField is a field that holds the id of an entity.
type referenceField struct {
	table  int
	ext    string
	offset int64
	field  string
}

// Where the ids are, in the order of the values that ids returns
// (spec/cbh-entities.md 3, 4, 5).
var (
	gameReferences = [maxReferences]referenceField{
		{players, ".cbh", 9, "white player"}, {players, ".cbh", 12, "black player"},
		{tournaments, ".cbh", 15, "tournament"}, {annotators, ".cbh", 18, "annotator"}, {sources, ".cbh", 21, "source"},
		{teams, ".cbj", 0, "white team"}, {teams, ".cbj", 4, "black team"}, {gameTitles, ".cbj", 116, "game title"},
	}
	textReferences = [maxReferences]referenceField{
		{tournaments, ".cbh", 7, "tournament"}, {sources, ".cbh", 10, "source"}, {annotators, ".cbh", 13, "annotator"},
		{gameTitles, ".cbj", 116, "game title"},
	}
)

// ids returns the ids that a record holds; -1 is none.
func (rec *record) ids() [maxReferences]int32 {
	x := &rec.extValues
	if rec.isText {
		t := &rec.text
		return [maxReferences]int32{int32(t.Tournament), int32(t.Source), int32(t.Annotator), x.GameTitle, -1, -1, -1, -1}
	}
	g := &rec.game
	return [maxReferences]int32{
		int32(g.White), int32(g.Black), int32(g.Tournament), int32(g.Annotator), int32(g.Source),
		x.WhiteTeam, x.BlackTeam, x.GameTitle,
	}
}

// checkReferences reports the references that lead nowhere and returns all
// others.
func (w *recordChecker) checkReferences(rec *record) (out [maxReferences]reference) {
	fields := &gameReferences
	if rec.isText {
		fields = &textReferences
	}
	for i, id := range rec.ids() {
		f := &fields[i]
		if f.ext == "" || f.ext == ".cbj" && (rec.ext == nil || id == -1) {
			continue
		}
		t := &w.tables[f.table]
		switch {
		case t.isLive(id):
			out[i] = reference{f.table, id, true}
		case !t.known && w.d.set.Has(t.kind.Ext):
			// The file is damaged, which was said.
		case !t.known && f.ext == ".cbh":
			// The file is missing although every database has it.
		case t.inRange(id):
			w.add(codeReferenceDead, w.inField(rec, f), "refers to %s %d, which is deleted", t.kind.Name, id)
		default:
			w.add(codeReferenceRange, w.inField(rec, f), "refers to %s %d, there are %d", t.kind.Name, id, len(t.nodes))
		}
	}
	return out
}

// inField is the place of a reference.
func (w *recordChecker) inField(rec *record, f *referenceField) place {
	if f.ext == ".cbj" {
		return w.inExt(rec, f.offset, f.field)
	}
	return rec.in(f.offset, f.field)
}

// countUses counts the references of a record.
func (c *checker) countUses(r *checkedRecord) {
	for _, ref := range r.uses {
		if !ref.used {
			continue
		}
		use := &c.tables[ref.table].found[ref.id]
		if use.Count == 0 {
			use.First = int32(r.id)
		}
		use.Count++
	}
}

// checkUses compares the counted references with the stored ones.
// (spec/cbh-entities.md 10)
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
		fromExt := i == teams || i == gameTitles
		if fromExt && c.d.exts == nil && c.d.set.Has(".cbj") {
			continue // damaged
		}
		c.checkUsesOf(t, fromExt && !c.d.coversAll())
		c.flush()
	}
}

// checkUsesOf compares the references to the entities of one file. Lenient
// says that not all of them are known.
func (c *checker) checkUsesOf(t *entityTable, lenient bool) {
	empty := c.unusedEmpty(t)
	for i, n := range t.nodes {
		if !n.Live() {
			continue
		}
		id := int32(i)
		severity := Error
		if lenient || empty == 1 && c.isUnusedEmpty(t, id) {
			severity = Note
		}
		stored, found := cbh.DecodeEntityUse(t.payload(id)), t.found[id]
		switch {
		case stored.Count != found.Count:
			c.addAs(severity, codeReferenceCount, t.in(id, "count"), "counts %s, there are %d", quantity(stored.Count, "reference"), found.Count)
		case found.Count == 0:
			c.addAs(severity, codeUnusedEntity, t.in(id, "count"), "no record refers to the %s", t.kind.Name)
		}
		if found.Count > 0 && stored.First != found.First {
			c.addAs(severity, codeFirstReference, t.in(id, "first"), "names record %d as the first, it is %d", stored.First, found.First)
		}
	}
}

// unusedEmpty counts the live entities with an empty value that no record
// refers to.
func (c *checker) unusedEmpty(t *entityTable) (n int) {
	for id, node := range t.nodes {
		if node.Live() && c.isUnusedEmpty(t, int32(id)) {
			n++
		}
	}
	return n
}

func (c *checker) isUnusedEmpty(t *entityTable, id int32) bool {
	return t.found[id].Count == 0 && t.kind.isEmpty(t.payload(id), c.d.page)
}
