package check

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/derive"
	"cbkit/model"
	"cbkit/moveenc"
)

// record is a game or guiding text with the stored form of its parts.
type record struct {
	id   model.RecordID
	head []byte // in the .cbh file
	ext  []byte // in the .cbj file, nil if there is none
	// Where both begin in their files.
	headAt, extAt int64

	isText    bool
	game      cbh.GameRecord // of a game
	text      cbh.TextRecord // of a text
	extValues cbh.ExtRecord

	moves, annotations part
	*content
}

// part is the piece of a record in the .cbg or .cba file.
type part struct {
	cbhdb.Extent // without size if it is not known
	// there is false where the record has no such part or the file is missing.
	there bool
	bytes []byte // nil if there is a fault
	fault *cbhdb.Fault
}

// partReader reads the parts of one file in the order of the records.
type partReader struct {
	*cbhdb.BlockReader
	end         int64 // of the furthest part so far in the batch
	shareBudget int64
}

// sharedBytes is how much is decoded, in each batch, of parts that begin inside
// the parts before them. Without a limit, a small file whose records all name
// the same place would cost any amount of time.
const sharedBytes = 1 << 22

// notExamined is a fault of a part that was not decoded.
const notExamined cbhdb.Code = "not-examined"

// restart prepares for the next batch.
func (l *partReader) restart() { l.end, l.shareBudget = 0, sharedBytes }

// part returns the part of a record at an offset. The error is one of the
// machine.
func (l *partReader) part(at int64, id model.RecordID) (part, error) {
	p := part{there: true}
	var err error
	if p.Extent, p.fault, err = l.Locate(at, id); p.fault != nil || err != nil {
		return p, err
	}
	if at < l.end {
		if p.Size > l.shareBudget {
			p.fault = &cbhdb.Fault{
				Code: notExamined, Place: cbhdb.Place{Offset: at}, Message: "shares so many bytes with other records that it was not decoded",
			}
			return p, nil
		}
		l.shareBudget -= p.Size
	}
	l.end = max(l.end, p.End())
	p.bytes, err = l.Bytes(p.Extent)
	return p, err
}

// reader reads records batch by batch; each goroutine has one.
type reader struct {
	d                  *database
	headers            *cbhdb.HeaderReader
	moves, annotations *partReader // nil if the file cannot be read, or need not be
	content            content
	header             cbhdb.Header
	record             record // at hand, as its memory
}

func (d *database) newReader() *reader {
	return &reader{
		d: d, headers: d.headers.Headers(d.extensions, batchSize*cbh.RecordSize),
		moves: d.newPartReader(d.moves), annotations: d.newPartReader(d.annotations), content: content{page: d.page},
	}
}

func (d *database) newPartReader(blocks *cbhdb.Blocks) *partReader {
	if blocks == nil || !d.selected.any(recordExts...) {
		return nil
	}
	return &partReader{BlockReader: blocks.Reader(windowSize)}
}

// recordExts are the endings of the files whose findings come from the content
// of the records.
var recordExts = []string{".cbh", ".cbj", ".cbg", ".cba"}

// batchSize is the number of records of a batch.
const batchSize = 512

// read calls visit for each record from one to another. A record is valid until visit
// returns. Errors are those of the machine.
func (r *reader) read(first, last model.RecordID, visit func(*record)) error {
	for _, l := range []*partReader{r.moves, r.annotations} {
		if l != nil {
			l.restart()
		}
	}
	for id := first; id <= last; id++ {
		h, rec := &r.header, &r.record
		var err error
		if *h, err = r.headers.At(id); err != nil {
			return err
		}
		r.content.hasGame, r.content.hasGuide, r.content.hasAnnotations = false, false, false
		*rec = record{
			id: id, head: h.Head, ext: h.Ext, headAt: r.d.headers.Offset(id), isText: h.Type().IsText(),
			extValues: cbh.DecodeExtRecord(h.Ext), content: &r.content,
		}
		if rec.ext != nil {
			rec.extAt = r.d.extensions.Offset(id)
		}
		if rec.isText {
			rec.text, err = cbh.DecodeTextRecord(rec.head)
		} else {
			rec.game, err = cbh.DecodeGameRecord(rec.head)
		}
		if err == nil && r.moves != nil {
			rec.moves, err = r.moves.part(h.MovesAt(), id)
		}
		if at := h.AnnotationsAt(); err == nil && r.annotations != nil && at != 0 {
			rec.annotations, err = r.annotations.part(at, id)
		}
		if err != nil {
			return err
		}
		visit(rec)
	}
	return nil
}

// take takes what was found in a batch of records, and looks again at those with
// findings that something can mend.
func (c *checker) take(b *checkedBatch) error {
	c.list = append(c.list, b.findings...)
	for i := range b.records {
		r := &b.records[i]
		if r.isText {
			c.out.summary.Texts++
		}
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
		c.moves.add(r.id, r.moves)
		c.annotations.add(r.id, r.annotations)
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
	m := c.mend
	if m == nil {
		return nil
	}
	// Now it is known how the records lie to others.
	if m.reader == nil {
		m.reader, m.records = m.newReader(), c.newRecordChecker()
		m.records.mend = m
	}
	for i := range b.records {
		if id := b.records[i].id; b.records[i].isMendable {
			m.records.begin()
			if err := m.reader.read(id, id, m.records.record); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkedBatch is what a batch of records leaves behind.
type checkedBatch struct {
	findings []Finding
	records  []checkedRecord
	foreign  foreignTexts
	absent   map[string]int // see checker
	utf8     int            // see checker
}

// checkedRecord is what has to be compared with other records.
type checkedRecord struct {
	id                 model.RecordID
	isText             bool
	moves, annotations cbhdb.Extent
	uses               [maxReferences]reference
	isMendable         bool // has a finding that something mends
}

// recordChecker checks records; each goroutine has one.
type recordChecker struct {
	findings
	d       *database
	tables  []entityTable // not changed here
	media   *cbh.MediaHeader
	moves   *moveenc.Game // of the game at hand, if they are known
	payload []byte        // memory for the annotation at hand
	facts   contentFacts
	mend    *mender // nil if nothing is to be mended
	out     checkedBatch
}

func (c *checker) newRecordChecker() *recordChecker {
	return &recordChecker{findings: c.d.findings(), d: c.d, tables: c.tables[:], media: c.media}
}

// begin prepares for a batch.
func (w *recordChecker) begin() {
	w.list = nil
	w.out = checkedBatch{records: make([]checkedRecord, 0, batchSize), foreign: foreignTexts{}, absent: map[string]int{}}
}

// record checks one record. (docs/formats/cbh-entities.md 3, 6)
func (w *recordChecker) record(rec *record) {
	w.isMendable = false
	typ := cbh.RecordType(rec.head[0])
	if typ&cbh.TypeInUse == 0 {
		w.add(codeRecordType, rec.in(&cbh.GameType), "%02x: the record is not marked as in use", uint8(typ))
		if w.isDecoded(rec) {
			w.mendField(codeRecordType, rec, &cbh.GameType, uint64(typ|cbh.TypeInUse))
		}
	}
	if typ&^(cbh.TypeInUse|cbh.TypeText|cbh.TypeDeleted) != 0 {
		w.add(codeUnknownBits, rec.in(&cbh.GameType), "%02x has bits that are not known", uint8(typ))
	}
	uses := w.checkReferences(rec)
	if rec.ext != nil && w.d.knowsExtensions() {
		w.checkExt(rec)
	}
	w.checkPart(".cbg", rec.id, &rec.moves)
	w.checkPart(".cba", rec.id, &rec.annotations)
	if rec.isText {
		w.checkText(rec)
	} else {
		g := &rec.game
		d := cbh.UnpackDate(g.Date)
		if d.Month > 12 {
			w.add(codeBadDate, rec.in(&cbh.GameDate), "month %d does not exist", d.Month)
		}
		if packed, _ := cbh.PackDate(d); packed != g.Date {
			w.add(codeUnknownBits, rec.in(&cbh.GameDate), "%06x has bits that mean nothing", g.Date)
		}
		result, known := cbh.UnpackResult(g.Result)
		if !known {
			w.add(codeBadResult, rec.in(&cbh.GameResult), "%d is none of the results", g.Result)
		}
		if result != model.NoResult && g.LineEvaluation != 0 {
			w.add(codeLineEvaluation, rec.in(&cbh.GameLineEvaluation), "$%d in a game with a result", g.LineEvaluation)
		}
		if eco, chess960 := cbh.UnpackOpening(g.Opening); eco == 0 && chess960 < 0 && g.Opening != 0 {
			w.add(codeBadECO, rec.in(&cbh.GameOpening), "%d is no code", g.Opening)
		}
		w.facts = contentFacts{}
		w.checkMoves(rec)
		w.checkAnnotations(rec)
		w.checkFacts(rec)
	}
	if w.mend != nil && w.mend.extensions != nil && cbh.ExtChecksum.In(rec.ext) {
		w.mendField(codeChecksum, rec, &cbh.ExtChecksum, uint64(cbh.SumExt(rec.ext)))
	}
	w.out.records = append(w.out.records, checkedRecord{
		id: rec.id, isText: rec.isText, moves: rec.moves.Extent, annotations: rec.annotations.Extent,
		uses: uses, isMendable: w.isMendable,
	})
	w.out.findings = w.list
}

// in is a field of one of the headers of the record.
func (rec *record) in(f *cbh.Field) place {
	at := rec.headAt
	if f.File == cbh.ExtMoves.File {
		at = rec.extAt
	}
	return inRecord(f.File, rec.id, at+int64(f.At), f.Name)
}

// checkPart reports why a part cannot be read.
func (w *recordChecker) checkPart(ext string, id model.RecordID, p *part) {
	if p.fault != nil {
		w.add(partCodes[p.fault.Code], inRecord(ext, id, p.fault.Offset, p.fault.Field), "%s", p.fault.Message)
	}
}

// contentFacts is what is known of the content of a game.
type contentFacts struct {
	hasMoves, hasAnnotations bool
	annotations              cbh.AnnotationFacts
}

// flagNames names the bits of the flag word.
var flagNames = map[int]string{
	0: "starting position", 1: "variations", 2: "texts", 3: "symbols", 4: "squares", 5: "arrows", 7: "time spent",
	9: "training", 16: "sound", 17: "pictures", 18: "video", 19: "quotations", 20: "pawn structure", 21: "piece path",
	22: "white clock", 23: "black clock", 24: "critical positions", 25: "correspondence", 26: "media stream",
	27: "Chess960", 28: "web links",
}

// nameFlags lists the names of bits.
func nameFlags(word uint32) string {
	var names []string
	for ; word != 0; word &= word - 1 {
		bit := bits.TrailingZeros32(word)
		name := flagNames[bit]
		if name == "" {
			name = "bit " + strconv.Itoa(bit)
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// known returns the bits of flags and magnitude that follow from what is known.
func (f *contentFacts) known() (flags uint32, magnitude uint16) {
	if f.hasMoves {
		flags, magnitude = flags|derive.MoveFlags, magnitude|derive.MoveMagnitude
	}
	if f.hasAnnotations {
		flags, magnitude = flags|^derive.MoveFlags, magnitude|^derive.MoveMagnitude
	}
	return flags, magnitude
}

// derive returns what follows from what is known; moves may be none that can be
// played.
func (f *contentFacts) derive(g *moveenc.Game) (derive.GameFacts, error) {
	if f.hasMoves {
		return derive.Game(g.SetUp(), &g.Moves, f.annotations)
	}
	return derive.GameFacts{Flags: f.annotations.Flags(), Magnitude: f.annotations.Magnitude(), Medals: f.annotations.Medals()}, nil
}

// provenFlags are the flags whose rule is proven, of a game that should have some.
func provenFlags(want uint32) uint32 {
	if want&derive.FlagUnorthodox != 0 {
		return cbh.ProvenFlags &^ derive.FlagSetup // never seen in Chess960
	}
	return cbh.ProvenFlags
}

// checkFacts compares what the .cbh and .cbj records say about the moves and
// the annotations with the content.
func (w *recordChecker) checkFacts(rec *record) {
	if !w.facts.hasMoves && !w.facts.hasAnnotations {
		return
	}
	facts, err := w.facts.derive(w.moves)
	if err != nil {
		w.facts.hasMoves = false // a position that cannot be played
		facts, _ = w.facts.derive(nil)
	}
	flags, magnitude := w.facts.known()
	wrong, proven := (rec.game.Flags^facts.Flags)&flags, provenFlags(facts.Flags)
	for _, part := range []struct {
		code *Code
		bits uint32
	}{{codeStaleFlags, wrong & proven}, {codeStaleOtherFlags, wrong &^ proven}} {
		if set := part.bits & rec.game.Flags; set != 0 {
			w.add(part.code, rec.in(&cbh.GameFlags), "set, but not in the content: %s", nameFlags(set))
		}
		if missing := part.bits &^ rec.game.Flags; missing != 0 {
			w.add(part.code, rec.in(&cbh.GameFlags), "in the content, but not set: %s", nameFlags(missing))
		}
	}
	if stored := rec.game.Magnitude; (stored^facts.Magnitude)&magnitude != 0 {
		w.add(codeStaleMagnitude, rec.in(&cbh.GameMagnitude),
			"is %04x, the content makes it %04x", stored&magnitude, facts.Magnitude&magnitude)
	}
	if stored := rec.game.Medals; w.facts.hasAnnotations && stored != facts.Medals {
		w.add(codeStaleMedals, rec.in(&cbh.GameMedals), "are %04x, the annotations have %04x", stored, facts.Medals)
	}
	if w.facts.hasMoves {
		if stored := rec.game.MoveCount; stored != facts.FullMoves {
			w.add(codeStaleMoveCount, rec.in(&cbh.GameMoveCount), "is %d, the main line has %d", stored, facts.FullMoves)
		}
		// Two zeros say that the material was not computed.
		stored, want := rec.extValues.Material, [2]uint32{uint32(facts.Material[0]), uint32(facts.Material[1])}
		if cbh.ExtLesserMaterial.In(rec.ext) && w.d.knowsExtensions() && stored != [2]uint32{} && stored != want {
			w.add(codeStaleMaterial, rec.in(&cbh.ExtMaterial), "is %04x and %04x, the main line ends with %04x and %04x",
				stored[0], stored[1], want[0], want[1])
		}
	}
	if w.mend == nil || err != nil {
		return
	}
	// What follows from moves and annotations that are believed is made true.
	hasMoves := w.isDecoded(rec)
	f := contentFacts{hasMoves, w.ownsAnnotations(rec), w.facts.annotations}
	want, err := f.derive(w.moves)
	if err != nil || !f.hasMoves && !f.hasAnnotations {
		return
	}
	flags, magnitude = f.known()
	flags &= provenFlags(want.Flags)
	if f.hasAnnotations {
		w.mendField(codeStaleMedals, rec, &cbh.GameMedals, uint64(want.Medals))
	}
	w.mendField(codeStaleFlags, rec, &cbh.GameFlags, uint64(rec.game.Flags&^flags|want.Flags&flags))
	w.mendField(codeStaleMagnitude, rec, &cbh.GameMagnitude, uint64(rec.game.Magnitude&^magnitude|want.Magnitude&magnitude))
	if !f.hasMoves {
		return
	}
	w.mendField(codeStaleMoveCount, rec, &cbh.GameMoveCount, uint64(want.FullMoves))
	// The material stays if it was never computed. A checksum that was right stays so.
	one, other := &cbh.ExtMaterial, &cbh.ExtLesserMaterial
	was, now := rec.extValues.Material, [2]uint32{uint32(want.Material[0]), uint32(want.Material[1])}
	if w.mend.extensions == nil || !other.In(rec.ext) || was == [2]uint32{} || was == now {
		return
	}
	isRight := cbh.HasRightSum(rec.ext)
	rec.ext = slices.Clone(rec.ext)
	one.Put(rec.ext, uint64(now[0]))
	other.Put(rec.ext, uint64(now[1]))
	if isRight {
		cbh.PutSum(rec.ext)
	}
	w.mend.fix(codeStaleMaterial, rec.in(one), []Edit{w.mend.put(one.File, rec.extAt, rec.ext)},
		"%04x and %04x, now %04x and %04x", was[0], was[1], now[0], now[1])
}

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
		e.checker.add(codeDescending, inRecord(e.ext, id, x.At, "offset"),
			"begins at %d, an earlier record at %d", x.At, before.Start)
	case cbhdb.Overlap:
		e.sound = false
		e.checker.add(codeOverlap, inRecord(e.ext, id, x.At, "offset"),
			"begins at %d, inside a record that ends at %d", x.At, before.End)
	}
}

// finish compares the holes with what the header says of them. The sizes that it gives
// are mended if it is known where all records lie.
func (e *extents) finish() {
	if e.blocks == nil {
		return
	}
	if m := e.mend; m != nil && m.whole &&
		(e.ext == ".cbg" && m.moves.isSound() || e.ext == ".cba" && m.annotations.isSound()) {
		old, size := e.blocks.Head, e.blocks.Size()
		holes := e.between.Holes + max(size-e.between.End, 0)
		head := old
		head.SetSizes(uint64(size), uint64(holes))
		code := codeHeaderTwins
		switch {
		case int64(old.FileSize) > size || old.FileSize64 > uint64(size):
			code = codeDeclaredSize
		case !old.Declares(size):
			code = codeTrailingBytes
		case e.blocks.DeclaredHoles() != holes:
			code = codeHoleCount
		}
		if head != old {
			m.fix(code, inHeader(e.ext, 2, "sizes"), []Edit{m.put(e.ext, 0, head.Append(nil))},
				"%s, now %s", sizesOf(&old), sizesOf(&head))
		}
	}
	if !e.sound {
		return
	}
	holes := e.between.Holes + max(e.blocks.DeclaredEnd()-e.between.End, 0)
	if declared := e.blocks.DeclaredHoles(); declared != holes {
		e.checker.add(codeHoleCount, inHeader(e.ext, 6, "unused bytes"),
			"counts %s, there are %d", quantity(declared, "unused byte"), holes)
	}
}

// sizesOf writes what a header says of sizes.
func sizesOf(h *cbh.BlockHeader) string {
	s := fmt.Sprintf("%d bytes, %d unused", h.FileSize, h.Unused)
	if h.Size == cbh.BlockHeaderSize && (h.FileSize64 != uint64(h.FileSize) || h.Unused64 != uint64(h.Unused)) {
		s += fmt.Sprintf(" (in 64 bits %d, %d)", h.FileSize64, h.Unused64)
	}
	return s
}
