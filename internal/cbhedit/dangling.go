package cbhedit

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"cbkit/internal/booster"
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/derive"
	"cbkit/model"
)

// danglingReference is the first record that refers to an entity behind the last one of its file.
type danglingReference struct {
	known  bool
	record model.RecordID // 0 if there is none
	id     int32
}

// checkDangling refuses to add an entity where a record refers to one that is missing at the
// end of the file: it would become that one.
func (e *Entities) checkDangling() error {
	if errors.Is(e.f.Miscount, model.ErrTruncated) {
		return fmt.Errorf("%w; no %s can be added: cbkit check --repair mends a header that counts too many, and cbkit salvage saves in a new database what a file has that is cut",
			e.f.Miscount, e.kind.Name)
	}
	if e.f.Head.FirstDeleted != cbh.NoLink {
		return nil // whose record it gets
	}
	// By the lists of the boosters if they are sealed, else in one pass over the headers, for
	// all kinds that have their numbers in the same file. Nothing has been added to them before.
	kind := cbhdb.KindOf(e.kind)
	past := &e.d.dangling[kind]
	if !past.known && e.d.before > 0 {
		var err error
		if past.known, err = e.d.listsEnd(kind); err == nil && !past.known {
			err = e.d.passHeaders(kind)
		}
		if err != nil {
			return err
		}
	}
	if past.record != 0 {
		return &model.FormatError{File: e.d.headers.Name(), Offset: -1, Record: int64(past.record), Field: e.kind.Name,
			Err: fmt.Errorf("%w: refers to number %d, there are %d in %s: a new one would become that; cbkit check --repair cannot know its name, cbkit salvage makes a new database of what is there",
				model.ErrCorrupt, past.id, e.f.Count, e.f.Name())}
	}
	return nil
}

// listsEnd reports whether sealed lists prove that no record refers to an entity of a
// kind behind the last one: there is no list of any.
func (d *DB) listsEnd(kind int) (bool, error) {
	pair, list := cbh.ListsOf(cbh.EntityFiles[kind])
	if fits, err := d.sealed(pair.Table, pair.Blocks); err != nil || !fits {
		return false, err
	}
	n, err := d.entities[kind].Count()
	if err != nil {
		return false, err
	}
	lists, err := booster.OpenLists(files{d}, pair)
	for id := n; err == nil && id < lists.Rows; id++ {
		var ends cbh.ListEnds
		if ends, err = lists.Ends(derive.Reference{Kind: list, Entity: id}); err == nil && ends != cbh.NoList {
			return false, nil
		}
	}
	return err == nil, passOver(err)
}

// entityNumber is the number of an entity in records of a file: 24 or 32 bits that begin at
// a place.
type entityNumber struct {
	kind, at int
	shift    int    // of the 32 bits from there on
	limit    uint32 // how many entities there are
	none     uint32 // numbers from this one on are none
	texts    bool   // guiding texts have it there, else games
	typed    bool   // the records say which of the two they are
}

// findDangling returns where the first record of b, from a place on, begins whose number is
// behind the last entity, -1 if none is; b has records of the given size.
func (s *entityNumber) findDangling(b []byte, from, size int) int {
	limit, width, shift := s.limit, s.none-s.limit, s.shift&31
	for at := from; at+size <= len(b); at += size {
		if binary.BigEndian.Uint32(b[at+s.at:])>>shift-limit < width && (!s.typed || cbh.RecordType(b[at]).IsText() == s.texts) {
			return at
		}
	}
	return -1
}

// passHeaders looks at the numbers in all records, and at nothing else of them.
func (d *DB) passHeaders(kind int) error {
	ext, file, at, size, count := ".cbh", d.headers.File, d.headers.Offset(1), int64(cbh.RecordSize), int64(d.headers.Count)
	if kind == cbhdb.Teams || kind == cbhdb.Titles {
		if d.extensions == nil {
			d.dangling[kind].known = true
			return nil
		}
		ext, file, at, size = ".cbj", d.extensions.File, d.extensions.Offset(1), int64(d.extensions.Head.RecordSize)
		count = min(count, d.extensions.Stored)
	}
	var list []entityNumber // of kinds of which is not known yet whether they lead past the end
	for _, texts := range []bool{false, true} {
		for _, f := range cbh.References(texts) {
			kind := cbhdb.KindOf(f.Entity)
			if f.File != ext || f.End() > int(size) || d.dangling[kind].known {
				continue
			}
			n, err := d.entities[kind].Count()
			if err != nil {
				continue // which is an error when something is added
			}
			s := entityNumber{kind: kind, at: f.At, shift: 32 - 8*f.Size, limit: uint32(n), none: 1<<24 - 1, texts: texts, typed: ext == ".cbh"}
			if f.Size == 4 {
				s.none = math.MaxInt32 + 1
			}
			list = append(list, s)
		}
	}
	step := max(dbfile.FarAhead/size, 1)
	var buf []byte
	for done := int64(0); done < count; done += step {
		var err error
		if buf, err = file.Bytes(buf, at+done*size, min(step, count-done)*size); err != nil {
			return err
		}
		for i := range list {
			s := &list[i]
			for b := s.findDangling(buf, 0, int(size)); b >= 0; b = s.findDangling(buf, b+int(size), int(size)) {
				if err := d.noteDangling(s, model.RecordID(done+int64(b)/size+1)); err != nil {
					return err
				}
			}
		}
	}
	for _, s := range list {
		d.dangling[s.kind].known = true
	}
	d.dangling[kind].known = true
	return nil
}

// noteDangling notes that a record refers to an entity that is not there, if it does: of
// guiding texts the .cbj file has numbers that count for nothing. One record is enough.
func (d *DB) noteDangling(s *entityNumber, id model.RecordID) error {
	h, err := d.headers.Headers(d.extensions, dbfile.NearAhead).At(id)
	if err != nil {
		return err
	}
	for _, ref := range h.AppendReferences(nil) {
		if ref.Kind != s.kind || uint32(ref.ID) < s.limit {
			continue
		}
		if past := &d.dangling[s.kind]; past.record == 0 || id < past.record {
			past.record, past.id = id, ref.ID
		}
		s.limit = s.none
		return nil
	}
	return nil
}
