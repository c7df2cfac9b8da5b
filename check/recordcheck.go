package check

import (
	"context"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/model"
	"cbkit/moveenc"
)

// checkRecords looks at all games and guiding texts.
func (c *checker) checkRecords(ctx context.Context) error {
	if c.d.heads == nil || !c.selected.any(slices.Concat(recordExts, entityExts)...) {
		return nil
	}
	moves, notes := c.newExtents(".cbg", c.d.moves), c.newExtents(".cba", c.d.notes)
	err := eachBatch(ctx, c.d, c.opt, c.newRecordChecker, (*recordChecker).batch, func(b checkedBatch) error {
		c.list = append(c.list, b.findings...)
		for i := range b.records {
			r := &b.records[i]
			c.countUses(r)
			moves.add(r.id, r.moves)
			notes.add(r.id, r.notes)
		}
		// Extents are compared here, all else was found before.
		slices.SortStableFunc(c.list, func(a, b Finding) int { return int(a.Record - b.Record) })
		for ext, n := range b.foreign {
			c.foreign[ext] += n
		}
		c.utf8 += b.utf8
		for ext, n := range b.absent {
			c.absent[ext] += n
		}
		c.flush()
		return nil
	})
	if err != nil {
		return err
	}
	moves.finish()
	notes.finish()
	return nil
}

// checkedBatch is what a batch of records leaves behind.
type checkedBatch struct {
	findings []Finding
	records  []checkedRecord
	foreign  foreignTexts
	absent   map[string]int
	utf8     int
}

// checkedRecord is what has to be compared with other records.
type checkedRecord struct {
	id           model.RecordID
	moves, notes cbhdb.Extent
	uses         [maxReferences]reference
}

// recordChecker checks records; each goroutine has one.
type recordChecker struct {
	findings
	d       *database
	tables  []entityTable // not changed here
	media   *cbh.MediaHeader
	foreign foreignTexts
	absent  map[string]int // see checker
	utf8    int            // see checker
	moves   moveenc.Game
	payload []byte // memory for the annotation at hand
	facts   contentFacts
}

func (c *checker) newRecordChecker() *recordChecker {
	return &recordChecker{findings: c.d.findings(), d: c.d, tables: c.tables[:], media: c.media}
}

// batch checks a batch of records.
func (w *recordChecker) batch(r *reader, number int) (checkedBatch, error) {
	w.list, w.foreign, w.absent, w.utf8 = nil, foreignTexts{}, map[string]int{}, 0
	records := make([]checkedRecord, 0, batchSize)
	err := r.batch(number, func(rec *record) {
		records = append(records, w.record(rec))
	})
	return checkedBatch{w.list, records, w.foreign, w.absent, w.utf8}, err
}

// record checks one record.
func (w *recordChecker) record(rec *record) checkedRecord {
	out := checkedRecord{id: rec.id, moves: rec.moves.Extent, notes: rec.notes.Extent}
	w.checkType(rec)
	out.uses = w.checkReferences(rec)
	if rec.ext != nil && w.d.knowsExts() {
		w.checkExt(rec)
	}
	w.checkPart(".cbg", rec.id, &rec.moves)
	w.checkPart(".cba", rec.id, &rec.notes)
	if rec.isText {
		w.checkTextHead(rec)
		w.checkGuide(rec)
		return out
	}
	w.checkGameHead(rec)
	w.facts = contentFacts{}
	w.checkMoves(rec)
	w.checkAnnotations(rec)
	w.checkFacts(rec)
	return out
}

// in is a field of the .cbh record.
func (rec *record) in(offset int64, field string) place {
	return inRecord(".cbh", rec.id, rec.headOffset()+offset, field)
}

// inExt is a field of the .cbj record.
func (w *recordChecker) inExt(rec *record, offset int64, field string) place {
	return inRecord(".cbj", rec.id, w.d.exts.Offset(rec.id)+offset, field)
}

// checkPart reports why a part cannot be read.
func (w *recordChecker) checkPart(ext string, id model.RecordID, p *part) {
	if p.fault != nil {
		w.add(string(p.fault.Code), inRecord(ext, id, p.fault.Offset, p.fault.Field), "%s", p.fault.Message)
	}
}

// checkType looks at the type byte.
func (w *recordChecker) checkType(rec *record) {
	typ := cbh.RecordType(rec.head[0])
	if typ&cbh.TypeInUse == 0 {
		w.add(codeRecordType, rec.in(0, "type"), "%02x: the record is not marked as in use", uint8(typ))
	}
	if typ&^(cbh.TypeInUse|cbh.TypeText|cbh.TypeDeleted) != 0 {
		w.add(codeUnknownBits, rec.in(0, "type"), "%02x has bits that are not known", uint8(typ))
	}
}

// checkGameHead looks at the fields of a game in the .cbh file.
// (docs/formats/cbh-entities.md 3, 6)
func (w *recordChecker) checkGameHead(rec *record) {
	g := &rec.game
	d := cbh.UnpackDate(g.Date)
	if d.Month > 12 {
		w.add(codeBadDate, rec.in(24, "date"), "month %d does not exist", d.Month)
	}
	if packed, _ := cbh.PackDate(d); packed != g.Date {
		w.add(codeUnknownBits, rec.in(24, "date"), "%06x has bits that mean nothing", g.Date)
	}
	result, known := cbh.UnpackResult(g.Result)
	if !known {
		w.add(codeBadResult, rec.in(27, "result"), "%d is none of the results", g.Result)
	}
	if result != model.NoResult && g.LineEvaluation != 0 {
		w.add(codeLineEvaluation, rec.in(28, "line evaluation"), "$%d in a game with a result", g.LineEvaluation)
	}
	if eco, chess960 := cbh.UnpackOpening(g.Opening); eco == 0 && chess960 < 0 && g.Opening != 0 {
		w.add(codeBadECO, rec.in(35, "opening"), "%d is no code", g.Opening)
	}
}

// flagPicture is set in texts that use media files (docs/formats/cbh-entities.md 4).
const flagPicture = 1 << 17

// checkTextHead looks at the fields of a guiding text in the .cbh file.
func (w *recordChecker) checkTextHead(rec *record) {
	t := &rec.text
	if t.Reserved5 != 0 || t.Reserved22 != [24]byte{} {
		w.add(codeUnknownBits, rec.in(5, "reserved"), "bytes are set that were always zero")
	}
	// The flag without a list is usual in texts with pictures inside.
	if rec.ext != nil && rec.extValues.Media != cbh.NoMedia && t.Flags&flagPicture == 0 {
		w.add(codeTextFlags, rec.in(18, "flags"), "do not have the bit for pictures, though the text has a media list")
	}
}
