package read

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"sync/atomic"

	"cbkit/internal/cbh2"
	"cbkit/internal/dbfile"
	"cbkit/internal/wire"
	"cbkit/model"
)

// ChessBase2 is an open database of ChessBase 17 or later (.2cbh). It is a [Database].
//
// Its annotators are players. They enter the table of annotators as the records that name
// them are read; only one goroutine may read records at a time. Board number, FIDE id and
// ChessBase id become the tags Board, WhiteFideId and WhiteChessBaseId, and Black's; the
// rest of a header, such as the kinds of ratings, is a leftover.
type ChessBase2 struct {
	batched
	headers, moves, annotations, names *dbfile.File // annotations may be nil
	head                               cbh2.Header
	lid                                cbh2.NamesHeader

	annotators map[int64]model.EntityID // by the id of the player
	// nameless says of an entity of a type what its records have besides its name (of a
	// player the ids that FIDE, in the low half, and ChessBase give), and whether it is deleted or why it cannot be read.
	nameless [cbh2.Tags + 1]func(model.EntityID) (besides int64, deleted bool, err error)
	// plain has a bit for each of the first ids of a type: it has nothing besides, as most.
	plain    [cbh2.Tags + 1][]uint64
	analyses int // records of that kind that were read

	// Of a database that is rescued: the records whose frames were found, and how many names
	// of each type records refer to.
	found map[model.RecordID]found2
	named [cbh2.Tags + 1]int64
}

var (
	_ Database       = (*ChessBase2)(nil)
	_ model.Measured = (*ChessBase2)(nil)
)

// openChessBase2 opens the files of one state of the database.
func openChessBase2(set *FileSet, opt Options) (*ChessBase2, error) {
	db := newChessBase2()
	if err := db.load(set, main2, opt, db.openFiles, db.readHeader, db.readNames); err != nil {
		return nil, err
	}
	return db, nil
}

func newChessBase2() *ChessBase2 {
	db := &ChessBase2{annotators: map[int64]model.EntityID{}}
	db.large = []string{main2, ".2cbg", ".2cba"}
	readBy(&db.batched, func(int) *batch2 { return &batch2{db: db} }, db.newReader2)
	return db
}

// main2 is the ending of the main file.
const main2 = ".2cbh"

// openFiles opens all files that are read.
func (db *ChessBase2) openFiles() error {
	for _, f := range []struct {
		ext       string
		mandatory bool
		to        **dbfile.File
	}{{main2, true, &db.headers}, {".2cbg", true, &db.moves}, {".2lid", true, &db.names}, {".2cba", false, &db.annotations}} {
		var err error
		if *f.to, err = db.openFile(f.ext, f.mandatory && db.found == nil); err != nil {
			return err
		}
	}
	if db.annotations == nil {
		db.opt.warn(dbfile.Missing(db.set.Name(".2cba")))
	}
	for _, f := range []*dbfile.File{db.moves, db.annotations} {
		if f == nil || db.found != nil {
			continue
		}
		b, err := f.Start(cbh2.BlobHeaderSize)
		if err != nil {
			return err
		}
		head, err := cbh2.DecodeBlobHeader(b)
		if err != nil {
			return wire.Locate(err, f.Name(), 0, -1)
		}
		if head.Size != f.Size() {
			db.opt.warn(f.Wrong(0, -1, "size", model.ErrCorrupt, "%d bytes, the file has %d; a program may be writing it", head.Size, f.Size()))
		}
	}
	return nil
}

// readHeader reads the header of the main file and counts its records.
func (db *ChessBase2) readHeader() error {
	f := db.headers
	if db.found != nil {
		if f != nil {
			db.count = model.RecordID(min(max(f.Size()/cbh2.RecordSize-1, 0), 1<<31-2))
		}
		return nil
	}
	b, err := f.Start(cbh2.RecordSize)
	if err != nil {
		return err
	}
	if db.head, err = cbh2.DecodeHeader(b); err == nil {
		err = db.head.Check(len(b))
	}
	if err != nil {
		return wire.Locate(err, f.Name(), 0, -1)
	}
	if db.head.Version != cbh2.Version {
		db.opt.warn(f.Wrong(13, -1, "version", model.ErrUnsupported, "3 is read as 5, which is not proven; docs/formats/2cbh.md says how to help"))
	}
	records, err := db.countRecords(f, cbh2.RecordSize, cbh2.RecordSize, "record", "records")
	if err != nil {
		return err
	}
	db.count = model.RecordID(records)
	if int64(db.head.NextID) != records+1 {
		db.opt.damage(f.Wrong(16, -1, "next id", model.ErrCorrupt, "%d, there are %d records; a program may be writing the database", db.head.NextID, records))
	}
	return nil
}

// Leftover implements [model.Source]; there is none.
func (db *ChessBase2) Leftover() *model.Leftover { return nil }

// Preflight implements [model.Preflighter]: it looks at the frames of all records and
// returns the first that does not lie inside its file.
func (db *ChessBase2) Preflight(ctx context.Context) error {
	if db.watch.closed.Load() {
		return fs.ErrClosed
	}
	r := db.newReader2(dbfile.FarAhead)
	return dbfile.Preflight(ctx, db.count, nil, func(id model.RecordID) error {
		var s slot2
		if r.begin(&s, model.WantHeaders, id); s.err != nil {
			return s.err
		}
		_, _, err := r.extent(&s, db.moves, r.moves, s.record.Moves)
		if err == nil && db.annotations != nil && s.record.Kind != cbh2.TextRecord {
			_, _, err = r.extent(&s, db.annotations, r.annotations, s.record.Annotations)
		}
		return err
	})
}

// Info implements [Database].
func (db *ChessBase2) Info(ctx context.Context) (Info, error) {
	db.analyses = 0
	info, err := db.summary(ctx, db, dbfile.ChessBase2, "database of ChessBase 17", dbfile.ChessBase2.Exts(dbfile.Optional), nil)
	if err == nil {
		info.Analyses = db.analyses
		info.Version = fmt.Sprintf("version %d", db.head.Version)
	}
	return info, err
}

// batch2 is a [recordBatch].
type batch2 struct {
	rawBatch
	db      *ChessBase2
	names   bool                  // they are wanted
	unasked [cbh2.Tags + 1]uint64 // ids below need no look at the name
	heads   []head2               // where headers alone are wanted, which are decoded one by one in one slot
	slots   []slot2
	placed  []cbh2.Placed
	places  []int32
	scratch []byte
}

// reader2 reads raw records, ahead of their use where they lie in order.
type reader2 struct {
	db                          *ChessBase2
	headers, moves, annotations *dbfile.Window
	sharing                     [2]dbfile.Sharing
}

func (db *ChessBase2) newReader2(ahead int) *reader2 {
	r := &reader2{db: db}
	for _, f := range []struct {
		file *dbfile.File
		to   **dbfile.Window
	}{{db.headers, &r.headers}, {db.moves, &r.moves}, {db.annotations, &r.annotations}} {
		if f.file != nil {
			*f.to = dbfile.NewWindow(f.file, ahead)
		}
	}
	return r
}

// slot2 is one record of a batch, from its bytes to the model.
type slot2 struct {
	id                 model.RecordID
	record             cbh2.Record
	raw                [cbh2.RecordSize]byte
	moves, annotations frame2
	err                error
	oddities, damage   []error

	decoded cbh2.Moves
	game    model.Game
	text    model.GuidingText
	kept
	list []model.Annotation
	tags []model.Tag
}

// frame2 is a frame in the arena of a batch.
type frame2 struct {
	extent
	place int64
	err   error // why there is none
	read  bool
}

// head2 is a header record as it is stored.
type head2 struct {
	id  model.RecordID
	err error // why there is none
	raw [cbh2.RecordSize]byte
}

// header reads the header record with an id, which is part of the window.
func (r *reader2) header(id model.RecordID) ([]byte, error) {
	if r.headers == nil {
		return nil, model.ErrNoRecord
	}
	return r.headers.At(int64(id)*cbh2.RecordSize, cbh2.RecordSize)
}

// begin makes the slot that of a record with the given header record, or of one whose
// header could not be read.
func (s *slot2) begin(db *ChessBase2, want model.Want, id model.RecordID, raw []byte, err error) {
	s.id, s.err, s.oddities, s.damage = id, err, s.oddities[:0], s.damage[:0]
	if s.moves.read || s.moves.err != nil || s.annotations.read || s.annotations.err != nil {
		s.moves, s.annotations = frame2{}, frame2{}
	}
	if err == nil && want&model.WantRaw != 0 {
		copy(s.raw[:], raw)
	}
	if err == nil {
		if err = s.record.Decode(raw); err != nil {
			s.err = wire.Locate(err, db.headers.Name(), int64(id)*cbh2.RecordSize, int64(id))
		}
	}
	if own, is := db.found[id]; is {
		db.restore(s, own)
	}
}

// begin makes the slot that of a record, whose header it reads.
func (r *reader2) begin(s *slot2, want model.Want, id model.RecordID) {
	raw, err := r.header(id)
	s.begin(r.db, want, id, raw, err)
}

// wrong returns an error about a field of a header.
func (db *ChessBase2) wrong(s *slot2, offset int64, field, format string, args ...any) error {
	return wire.Locate(&model.FormatError{Offset: offset, Field: field, Err: fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), model.ErrCorrupt)},
		db.set.Name(main2), int64(s.id)*cbh2.RecordSize, int64(s.id))
}

// extent returns where the frame at a place lies; it looks at its head alone.
func (r *reader2) extent(s *slot2, f *dbfile.File, w *dbfile.Window, place int64) (at, size int64, err error) {
	if place < cbh2.BlobHeaderSize || place > f.Size()-cbh2.FrameSize {
		return 0, 0, r.db.wrong(s, 8, "offset", "%d is not inside %s, which has %d bytes", place, f.Name(), f.Size())
	}
	head, err := w.At(place, cbh2.FrameHeadSize)
	if err != nil {
		return 0, 0, err
	}
	h, err := cbh2.DecodeFrameHead(head)
	if err != nil {
		return 0, 0, wire.Locate(err, f.Name(), place, int64(s.id))
	}
	if h.Size() > f.Size()-place {
		return 0, 0, f.Wrong(place, int64(s.id), "size", model.ErrTruncated, "%d bytes, the file has %d from there on", h.Size(), f.Size()-place)
	}
	return place, h.Size(), nil
}

// frame reads a frame into the arena.
func (r *reader2) frame(s *slot2, b *batch2, f *dbfile.File, w *dbfile.Window, sharing *dbfile.Sharing, place int64) frame2 {
	at, size, err := r.extent(s, f, w, place)
	if err == nil && !sharing.Pass(f.Size(), at, size) {
		err = sharing.Refused(f.Name(), at, size, s.id)
	}
	var data []byte
	if err == nil {
		data, err = w.At(at, size)
	}
	if err != nil && !dbfile.IsDamage(err) {
		s.err = err
	}
	if err != nil {
		return frame2{err: err}
	}
	begin := len(b.arena)
	b.arena = append(b.arena, data...)
	return frame2{extent: extent{begin, len(b.arena)}, place: at, read: true}
}

// prepare makes a batch ready for what is wanted of records.
func (r *reader2) prepare(b *batch2) {
	b.names = b.want&(model.WantAnnotations|model.WantRaw) != 0
	for of := range b.unasked {
		b.unasked[of] = 0
		if !b.names {
			b.unasked[of] = uint64(max(r.db.lid.Types[of].Count, 0))
		}
	}
	switch alone := b.want.OnlyHeaders(); {
	case alone && b.heads == nil:
		b.heads, b.slots = make([]head2, b.size), make([]slot2, 1)
	case len(b.slots) < b.size && !alone:
		b.slots = make([]slot2, b.size)
	}
}

// fill reads a record.
func (r *reader2) fill(b *batch2, i int, id model.RecordID) {
	if i == 0 {
		r.prepare(b)
	}
	if b.want.OnlyHeaders() {
		h := &b.heads[i]
		raw, err := r.header(id)
		h.id, h.err = id, err
		copy(h.raw[:], raw)
		return
	}
	s := &b.slots[i]
	if r.begin(s, b.want, id); s.err != nil {
		return
	}
	if r.db.moves != nil && b.want&(model.WantMoves|model.WantRaw|model.WantAnnotations) != 0 {
		s.moves = r.frame(s, b, r.db.moves, r.moves, &r.sharing[0], s.record.Moves)
	}
	if s.record.Kind != cbh2.TextRecord && r.db.annotations != nil && b.want&(model.WantAnnotations|model.WantRaw) != 0 {
		s.annotations = r.frame(s, b, r.db.annotations, r.annotations, &r.sharing[1], s.record.Annotations)
	}
}

func (b *batch2) finish(i int) (model.Record, error) {
	if !b.want.OnlyHeaders() {
		return b.slots[i].finish(b)
	}
	h, s := &b.heads[i], &b.slots[0]
	s.begin(b.db, b.want, h.id, h.raw[:], h.err)
	s.decode(b)
	return s.finish(b)
}

// decode turns the raw records into records of the model, but for the entities.
func (b *batch2) decode() {
	if !b.want.OnlyHeaders() {
		for i := range b.n {
			b.slots[i].decode(b)
		}
	}
}

func (s *slot2) decode(b *batch2) {
	switch {
	case s.err != nil:
	case s.record.Kind == cbh2.TextRecord:
		s.decodeText(b.db, b)
	default:
		s.decodeGame(b.db, b)
	}
}

// content returns the tag and the content of a frame.
func (f *frame2) content(b *batch2, file *dbfile.File, id model.RecordID) (tag uint16, content []byte, err error) {
	if f.err != nil {
		return 0, nil, f.err
	}
	h, content, err := cbh2.DecodeFrame(f.of(b.arena))
	if err != nil {
		return 0, nil, wire.Locate(err, file.Name(), f.place, int64(id))
	}
	return h.Tag, content, nil
}

// locate gives an error in the content of a frame its place.
func (f *frame2) locate(err error, file *dbfile.File, id model.RecordID) error {
	return wire.Locate(err, file.Name(), f.place+cbh2.FrameHeadSize, int64(id))
}

// decodeText fills the slot's guiding text.
func (s *slot2) decodeText(db *ChessBase2, b *batch2) {
	s.text = *model.NewGuidingText()
	t := &s.text
	t.HTML = true
	if b.want&model.WantRaw != 0 {
		t.Leftovers.Header = s.keep(0, cbh2.Format, slices.Clone(s.raw[:]))
	}
	if !s.moves.read && s.moves.err == nil {
		return
	}
	tag, content, err := s.moves.content(b, db.moves, s.id)
	if err == nil && tag != cbh2.TagText {
		err = db.moves.Wrong(s.moves.place, int64(s.id), "tag", model.ErrCorrupt, "%04x is not that of a text", tag)
	}
	if err != nil {
		t.ContentErr = err
		return
	}
	if t.Contents, err = cbh2.DecodeText(content, db.foreign); err != nil {
		t.Contents, t.ContentErr = nil, s.moves.locate(err, db.moves, s.id)
		t.Leftovers.Content = s.keep(1, cbh2.Format, slices.Clone(content))
	}
}

// decodeGame fills the slot's game.
func (s *slot2) decodeGame(db *ChessBase2, b *batch2) {
	r := &s.record
	g := &s.game
	*g = model.Game{}
	g.Header = model.NewHeader()
	g.Date, g.ECO = r.DateOf(), r.Opening()
	g.Result, _ = r.ResultOf()
	if g.Result == model.NoResult {
		g.LineEvaluation = model.NAG(r.Line)
	}
	g.Round, g.Subround = uint16(max(r.Round, 0)), uint16(max(r.Sub, 0))
	g.WhiteElo, g.BlackElo = uint16(max(r.WhiteElo, 0)), uint16(max(r.BlackElo, 0))
	if b.want&model.WantRaw != 0 {
		g.Leftovers.Header = s.keep(0, cbh2.Format, slices.Clone(s.raw[:]))
	}
	if s.moves.read || s.moves.err != nil {
		s.decodeMoves(db, b)
	}
	if s.annotations.read || s.annotations.err != nil {
		s.decodeAnnotations(db, b)
	}
}

// decodeMoves fills in the moves.
func (s *slot2) decodeMoves(db *ChessBase2, b *batch2) {
	g := &s.game
	tag, content, err := s.moves.content(b, db.moves, s.id)
	if err != nil {
		g.MovesErr = err
		return
	}
	s.decoded.WantSigns = b.want&model.WantSigns != 0
	if err := s.decoded.Decode(tag, content); err != nil {
		g.MovesErr = s.moves.locate(err, db.moves, s.id)
		g.Leftovers.Moves = s.keep(1, cbh2.Format, append(wire.AppendU16LE(nil, tag), content...))
		if !db.opt.KeepGoing {
			return
		}
	}
	g.Start, g.Moves, g.Signs = s.decoded.Position(), s.decoded.Tree, s.decoded.Signs
	if third := s.decoded.SetUp[2]; third != 0 {
		s.oddities = append(s.oddities, db.moves.Wrong(s.moves.place, int64(s.id), "start", model.ErrUnsupported,
			"the third word of the set-up is %d, which is read as the file of en passant, after one witness", third))
	}
	if b.want&model.WantRaw != 0 && g.MovesErr == nil {
		plain := s.decoded
		plain.Section = nil
		again, sameTag, err := cbh2.AppendMoves(b.scratch[:0], &plain)
		if b.scratch = again; err != nil || sameTag != tag || !slices.Equal(again, content) {
			g.Leftovers.Moves = s.keep(1, cbh2.Format, append(wire.AppendU16LE(nil, tag), content...))
		}
	}
}

// decodeAnnotations fills in the annotations. Those behind the last move that could be
// read are reported, and stand at the last one.
func (s *slot2) decodeAnnotations(db *ChessBase2, b *batch2) {
	g, file := &s.game, db.annotations
	tag, content, err := s.annotations.content(b, file, s.id)
	if err == nil && tag != cbh2.TagAnnotations {
		err = file.Wrong(s.annotations.place, int64(s.id), "tag", model.ErrCorrupt, "%04x is not that of annotations", tag)
	}
	if err != nil {
		g.AnnotationsErr = err
		return
	}
	b.placed, err = cbh2.DecodeAnnotations(b.placed[:0], content, db.foreign)
	if stop, is := err.(*cbh2.StopError); is { // what it hides is told as an annotation that no other format has
		last := int32(model.NoNode)
		if n := len(b.placed); n > 0 {
			last = b.placed[n-1].Place
		}
		b.placed = append(b.placed, cbh2.Placed{Place: last, Type: stop.Type, Value: model.Opaque{Format: cbh2.Format, Type: uint8(stop.Type), Data: slices.Clone(stop.Rest)}})
		g.Leftovers.Annotations = s.keep(2, cbh2.Format, slices.Clone(content))
	} else if err != nil {
		g.AnnotationsErr = s.annotations.locate(err, file, s.id)
		g.Leftovers.Annotations = s.keep(2, cbh2.Format, slices.Clone(content))
	}
	b.places = cbh2.Places(b.places[:0], &s.decoded.Tree)
	if !s.moves.read {
		b.places = b.places[:0]
	}
	s.list = s.list[:0]
	beyond, kept := 0, len(b.places)
	if g.MovesErr != nil && !db.opt.KeepGoing {
		kept = 0
	}
	for _, p := range b.placed {
		a := model.Annotation{Node: model.NoNode, Value: p.Value}
		if n := int(p.Place); n >= kept {
			beyond++
			if kept > 0 {
				a.Node = b.places[kept-1]
			}
		} else if n >= 0 {
			a.Node = b.places[n]
		}
		if b.want&model.WantRaw != 0 && p.Data != nil {
			if again, ok := cbh2.AppendValue(b.scratch[:0], p.Value); !ok || !slices.Equal(again[2:], p.Data) {
				a.Leftover = &model.Leftover{Format: cbh2.Format, Data: slices.Clone(p.Data)}
			}
		}
		s.list = append(s.list, a)
	}
	if beyond > 0 && g.MovesErr == nil {
		s.damage = append(s.damage, file.Wrong(s.annotations.place, int64(s.id), "place", model.ErrCorrupt, "%d annotations stand behind the last move", beyond))
	}
	byNode := func(a, b model.Annotation) int { return int(a.Node) - int(b.Node) }
	if !slices.IsSortedFunc(s.list, byNode) {
		slices.SortStableFunc(s.list, byNode)
	}
	g.Annotations = s.list
}

// tag adds a tag with a number, unless that is none.
func (s *slot2) tag(side, name string, n int64) {
	if n > 0 {
		s.tags = append(s.tags, model.Tag{Name: side + name, Value: strconv.FormatInt(n, 10)})
	}
}

// entity returns the entity of a type that a field of the record refers to. Names are looked
// at if they are wanted; else they are read when they are asked for.
func (s *slot2) entity(b *batch2, of cbh2.EntityType, id int64, field string) model.EntityID {
	if uint64(id) < b.unasked[of] {
		return model.EntityID(id)
	}
	return s.judged(b, of, id, field)
}

// besides asks nameless about an entity that is not known to be plain.
func (db *ChessBase2) besides(of cbh2.EntityType, id model.EntityID) (besides int64, deleted bool, err error) {
	if word, list := int(id/64), db.plain[of]; word < len(list) && atomic.LoadUint64(&list[word])>>(id%64)&1 != 0 {
		return 0, false, nil
	}
	return db.nameless[of](id)
}

// judged is entity where more is to be looked at.
func (s *slot2) judged(b *batch2, of cbh2.EntityType, id int64, field string) model.EntityID {
	db := b.db
	if id < 0 || id >= db.lid.Types[of].Count {
		if id != cbh2.NoID || of != cbh2.Teams && db.found == nil {
			s.damage = append(s.damage, db.wrong(s, 0, field, "there is no entity %d", id))
		}
		return model.NoEntity
	}
	_, deleted, err := db.besides(of, model.EntityID(id))
	if deleted {
		s.damage = append(s.damage, db.wrong(s, 0, field, "%s %d is deleted", of, id))
		return model.NoEntity
	}
	if err != nil && db.found != nil { // else it was told once
		s.damage = append(s.damage, err)
	}
	return model.EntityID(id)
}

// finish looks up the entities, reports oddities and returns the record. It runs in
// the caller's goroutine.
func (s *slot2) finish(b *batch2) (model.Record, error) {
	if s.err != nil {
		return model.Record{ID: s.id}, s.err
	}
	db, r := b.db, &s.record
	rec := model.Record{ID: s.id, Deleted: r.Deleted}
	for _, w := range s.oddities {
		db.opt.warn(w)
	}
	annotator := db.annotator(s.entity(b, cbh2.Players, r.Annotator, "annotator"))
	tournament, source, tag := model.NoEntity, s.entity(b, cbh2.Sources, r.Source, "source"), s.entity(b, cbh2.Tags, r.Tag, "title")
	if r.Kind == cbh2.AnalysisRecord {
		db.analyses++
	} else {
		tournament = s.entity(b, cbh2.Tournaments, r.Tournament, "tournament")
	}
	if b.names && tag != model.NoEntity {
		if others, _, _ := db.besides(cbh2.Tags, tag); others > 0 {
			rec.Unread = append(rec.Unread, model.Unread{Field: "title", What: fmt.Sprintf("it stands there in more languages than titles have: %d", others)})
		}
	}
	if b.names && tournament != model.NoEntity {
		if today, _, _ := db.besides(cbh2.Tournaments, tournament); today > 0 {
			rec.Unread = append(rec.Unread, model.Unread{Field: "nation", What: fmt.Sprintf("the place lies in %v today", model.Nation(today))})
		}
	}
	if r.Kind == cbh2.TextRecord {
		t := &s.text
		t.Tournament, t.Annotator, t.Source = tournament, annotator, source
		t.Titles = db.titlesOf(tag)
		rec.Text, rec.Damage = t, s.damage
		return rec, nil
	}
	g := &s.game
	g.Annotator, g.Source, g.GameTitle, g.Tournament = annotator, source, tag, tournament
	s.tags = s.tags[:0]
	if r.Kind == cbh2.GameRecord {
		g.White, g.Black = s.entity(b, cbh2.Players, r.White, "white"), s.entity(b, cbh2.Players, r.Black, "black")
		g.WhiteTeam, g.BlackTeam = s.entity(b, cbh2.Teams, r.WhiteTeam, "white team"), s.entity(b, cbh2.Teams, r.BlackTeam, "black team")
		for _, p := range []struct {
			side string
			id   model.EntityID
		}{{"White", g.White}, {"Black", g.Black}} {
			if p.id == model.NoEntity || b.want == 0 { // names are far larger than headers
				continue
			}
			ids, _, _ := db.besides(cbh2.Players, p.id)
			s.tag(p.side, "FideId", int64(uint32(ids)))
			s.tag(p.side, "ChessBaseId", ids>>32)
		}
		s.tag("", "Board", int64(r.Board))
		if _, ok := r.ResultOf(); !ok {
			rec.Unread = append(rec.Unread, model.Unread{Field: "result", What: fmt.Sprintf("%d is no result", r.Result)})
		}
		for _, t := range []*cbh2.RatingType{&r.WhiteType, &r.BlackType} {
			if t.List > 1 || t.Kind>>3 != 0 { // FIDE's usual list goes without saying
				rec.Unread = append(rec.Unread, model.Unread{Field: "rating", What: fmt.Sprintf("it is of the list %d (%s)", t.List, bytes.TrimRight(t.Name[:], "\x00"))})
			}
		}
		if r.ECO != 0 && g.ECO == 0 && r.Chess960() < 0 {
			rec.Unread = append(rec.Unread, model.Unread{Field: "eco", What: fmt.Sprintf("%d is no opening", r.ECO)})
		}
	}
	if len(s.tags) > 0 {
		g.Tags = s.tags
	}
	rec.Game, rec.Damage = g, s.damage
	return rec, nil
}
