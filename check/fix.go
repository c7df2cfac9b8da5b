package check

import (
	"iter"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/model"
	"cbkit/moveenc"
)

// Fix is what makes a finding true, as data: a check changes nothing.
// [cbkit/write.Repair] applies it.
type Fix struct{ edits iter.Seq[Edit] }

// Edits yields what is to be changed, in order. They can be read once, before the
// next finding is.
func (f *Fix) Edits() iter.Seq[Edit] { return f.edits }

// Edit puts bytes into a file, over those that are there, or are missing at its end.
type Edit struct {
	// File is the name of the file.
	File string
	// At is where the bytes begin.
	At int64
	// New are the bytes.
	New []byte
	// Whole says that New is the whole content of the file.
	Whole bool
}

// mender finds the fixes of a check with [Options.Fixes]. What is derived depends on
// what it is derived from, so there is an order, and each step waits until the one
// before it finds nothing more to fix:
//
//	headers    signatures, record sizes and counters, which the sizes of the
//	           files prove
//	places     one pass over the headers of all records: places of which one of two
//	           fields leads to a record, sizes of records, holes, references
//
// Fixes of all else are made where the finding is.
//
// # What is not guessed
//
// A value is changed only where everything it follows from is sound. A file
// that ends too early is left as it is, with the header that says how much is
// missing; so are references that lead nowhere, and the counts of those that
// could have been meant; so is what describes records that overlap, whose
// content may not be theirs. No record is moved, made or given to another: what stands
// at the place of something else is for salvage. The table of codes says of each what a repair does
// about it. (docs/formats/check.md, What a repair makes true)
type mender struct {
	c *checker
	*database
	fixed int // how many fixes there were

	extensions *cbhdb.ExtensionFile // nil if its records cannot be read, or it is not known whose they are
	inStep     bool                 // no header stands beside the .cbj record of another
	whole      bool                 // all records of the .cbh file stand at their numbers

	moves, annotations blocks
	game               moveenc.Game
	uses               cbhdb.References
	// unsettled are the entity files of which it is not certain whose records stand at
	// all ids.
	unsettled [len(cbhdb.References{})]bool

	reader  *reader // of records with findings
	records *recordChecker
}

// blocks is what is known of the .cbg or .cba file.
type blocks struct {
	*cbhdb.BlockReader // nil if the file cannot be read
	between            cbhdb.Between
	// unsound counts the records of which it is not known where they lie, or that
	// lie inside of others.
	unsound int
	last    model.RecordID // the record that reaches furthest so far
	// overlapping are records whose part lies inside those of others.
	overlapping bitSet
	sized       []model.RecordID // whose size cannot be
}

// isSound reports whether it is known where all records lie.
func (b *blocks) isSound() bool { return b.BlockReader != nil && b.unsound == 0 }

// fix reports a fix of several edits.
func (m *mender) fix(code *Code, p place, edits []Edit, format string, args ...any) {
	m.fixAll(code, p, slices.Values(edits), format, args...)
}

func (m *mender) fixAll(code *Code, p place, edits iter.Seq[Edit], format string, args ...any) {
	m.fixed++
	m.c.out.fix(m.c.finding(code.Severity, code, p, format, args...), edits)
}

// put is an edit of a file with an ending.
func (m *mender) put(ext string, at int64, b []byte) Edit {
	return Edit{File: m.set.Name(ext), At: at, New: b}
}

// isDecoded reports whether moves or text of a record are believed and decode, so
// that what follows from them can be mended.
func (w *recordChecker) isDecoded(rec *record) (ok bool) {
	if w.mend == nil || rec.moves.bytes == nil || w.mend.moves.overlapping.has(rec.id) {
		return false
	}
	var err error
	if rec.isText {
		_, err = rec.decodeGuide()
	} else {
		_, err = rec.decodeMoves()
	}
	return err == nil
}

// mendField makes a number in a header of the record another one.
func (w *recordChecker) mendField(code *Code, rec *record, f *cbh.Field, v uint64) {
	b := rec.head
	if f.File == cbh.ExtMoves.File {
		b = rec.ext
	}
	was := f.Uint(b)
	if was == v {
		return
	}
	b = slices.Clone(b)
	f.Put(b, v)
	in := rec.in(f)
	w.mend.fix(code, in, []Edit{w.mend.put(f.File, in.Offset, b[f.At:f.End()])},
		"%0*x, now %0*x", 2*f.Size, was, 2*f.Size, v)
}

// bitSet is a set of records.
type bitSet []uint64

func newBitSet(n model.RecordID) bitSet { return make(bitSet, n/64+1) }

func (s bitSet) add(id model.RecordID) { s[id/64] |= 1 << (id % 64) }

func (s bitSet) has(id model.RecordID) bool { return s != nil && s[id/64]>>(id%64)&1 != 0 }
