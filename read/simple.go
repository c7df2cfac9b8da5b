package read

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"

	"cbkit/internal/dbfile"
	"cbkit/internal/dcdb"
	"cbkit/internal/wire"
	"cbkit/model"
)

// SimpleDB is an open Simple Chess Database. It is a [Database].
//
// Its tournaments are the pairs of a site and an event that games refer to.
// They enter the tables as the games that have them are read; no two
// goroutines may read records at a time.
type SimpleDB struct {
	batched
	index, games *dbfile.File
	layout       dcdb.Layout
	header       []byte // of the index

	players       nameFile
	sites, events nameFile
	playerIDs     []model.EntityID             // by number of the record in the .dcn file
	tournaments   map[[2]uint32]model.EntityID // by places of site and event

	promotions struct {
		once sync.Once
		dcdb.Promotions
	}
}

var (
	_ Database       = (*SimpleDB)(nil)
	_ model.Measured = (*SimpleDB)(nil)
)

// openSimple opens the files of one state of the database, and reads the names.
func openSimple(set *FileSet, opt Options) (*SimpleDB, error) {
	db := &SimpleDB{tournaments: map[[2]uint32]model.EntityID{}, players: nameFile{people: true}}
	db.large = []string{".dci", ".dcg"}
	readBy(&db.batched, db.newSimpleBatch, db.newSimpleReader)
	if err := db.load(set, ".dci", opt, db.openFiles, db.readIndexHeader, db.readNames); err != nil {
		return nil, err
	}
	return db, nil
}

// openFiles opens all files and looks at their magic bytes.
func (db *SimpleDB) openFiles() error {
	for _, f := range []struct {
		ext       string
		kind      dcdb.File
		mandatory bool
		to        **dbfile.File
	}{
		{".dci", dcdb.Index, true, &db.index}, {".dcg", dcdb.Games, true, &db.games},
		{".dcn", dcdb.Names, true, &db.players.File}, {".dcs", dcdb.Sites, true, &db.sites.File},
		{".dce", dcdb.Events, false, &db.events.File},
	} {
		opened, err := db.openFile(f.ext, f.mandatory)
		if err != nil {
			return err
		}
		if *f.to = opened; opened == nil {
			continue
		}
		b, err := opened.Bytes(nil, 0, min(opened.Size(), dcdb.MagicSize))
		if err != nil {
			return err
		}
		misprinted, err := dcdb.CheckMagic(b, f.kind)
		if err != nil {
			return wire.Locate(err, opened.Name(), 0, -1)
		}
		if misprinted {
			db.opt.warn(opened.Wrong(2, -1, "magic", model.ErrCorrupt, "the misprint of the format's description, ed for 6d"))
		}
	}
	return nil
}

// readIndexHeader finds out the layout of the index and counts its entries.
func (db *SimpleDB) readIndexHeader() error {
	f := db.index
	head, err := f.Bytes(nil, 0, min(f.Size(), dcdb.ProbeSize))
	if err != nil {
		return err
	}
	if db.layout, err = dcdb.Detect(head, f.Size(), db.games.Size()); err != nil {
		return wire.Locate(err, f.Name(), 0, -1)
	}
	if l := db.layout; l != dcdb.V0 && l != dcdb.V1 {
		db.opt.warn(f.Wrong(dcdb.MagicSize, -1, "version", model.ErrUnsupported, "the entries have the layout %v; it is read", l))
	}
	db.header = head[:db.layout.HeaderSize()]
	entries, err := db.countRecords(f, int64(len(db.header)), int64(db.layout.EntrySize()), "entry", "entries")
	if err != nil {
		return err
	}
	db.count = model.RecordID(entries)
	if err = db.cutIndex(); err != nil && !dbfile.IsDamage(err) {
		return err
	}
	db.opt.damage(err) // it goes on with what is there
	return nil
}

// Leftover implements [model.Source]: the header of the index; after Close it is nil.
func (db *SimpleDB) Leftover() *model.Leftover {
	if db.watch.closed.Load() {
		return nil
	}
	return &model.Leftover{Format: dcdb.Format, Data: slices.Clone(db.header)}
}

// Layout describes the layout of the index: "v0", "v1" or one of the older
// ones.
func (db *SimpleDB) Layout() string { return db.layout.String() }

// Preflight implements [model.Preflighter]: it looks at the extents of all
// games and returns the first that does not lie inside its file.
func (db *SimpleDB) Preflight(ctx context.Context) error {
	r := db.newSimpleReader(dbfile.FarAhead)
	return dbfile.Preflight(ctx, db.count, nil, r.checkExtent)
}

// Info implements [Database].
func (db *SimpleDB) Info(ctx context.Context) (Info, error) {
	info, err := db.summary(ctx, db, dbfile.Simple, "Simple Chess Database", dbfile.Simple.Exts(dbfile.Optional), nil)
	if err == nil {
		info.Version = fmt.Sprintf("layout %v, entries of %d bytes", db.layout, db.layout.EntrySize())
		info.Entities = []EntityCount{
			{Name: "players", Count: len(db.players.names)},
			{Name: "sites", Count: len(db.sites.names)},
			{Name: "events", Count: len(db.events.names)},
		}
	}
	return info, err
}

// simpleBatch is a [recordBatch].
type simpleBatch struct {
	rawBatch
	db      *SimpleDB
	slots   []simpleSlot
	decoder dcdb.Decoder
	encoder dcdb.Encoder
}

func (db *SimpleDB) newSimpleBatch(records int) *simpleBatch {
	return &simpleBatch{db: db, slots: make([]simpleSlot, records)}
}

func (b *simpleBatch) finish(i int) (model.Record, error) { return b.slots[i].finish(b.db) }

// simpleReader reads raw records, ahead of their use where they lie in order.
type simpleReader struct {
	db             *SimpleDB
	entries, games *dbfile.Window
	sharing        dbfile.Sharing // of games
}

func (db *SimpleDB) newSimpleReader(ahead int) *simpleReader {
	return &simpleReader{db: db, entries: dbfile.NewWindow(db.index, ahead), games: dbfile.NewWindow(db.games, ahead)}
}

// fill reads a record.
func (r *simpleReader) fill(b *simpleBatch, i int, id model.RecordID) {
	s := &b.slots[i]
	s.id, s.oddities, s.damage = id, s.oddities[:0], s.damage[:0]
	s.body = extent{len(b.arena), len(b.arena)}
	if s.entry, s.err = r.entry(id); s.err != nil || b.want.OnlyHeaders() {
		return
	}
	place, size, err := r.gameExtent(s.id, &s.entry)
	if err != nil {
		if size < 0 {
			s.err = err
			return
		}
		s.damage = append(s.damage, err)
	}
	body, err := r.games.At(place, size)
	if err != nil {
		s.err = err
		return
	}
	s.place = place
	b.arena = append(b.arena, body...)
	s.body.to = len(b.arena)
}

// entry reads an index entry.
func (r *simpleReader) entry(id model.RecordID) (dcdb.Entry, error) {
	raw, err := r.entries.At(r.db.entryPlace(id), int64(r.db.layout.EntrySize()))
	if err != nil {
		return dcdb.Entry{}, err
	}
	return r.db.layout.DecodeEntry(raw), nil
}

// entryPlace is where an index entry begins.
func (db *SimpleDB) entryPlace(id model.RecordID) int64 {
	return int64(db.layout.HeaderSize()) + int64(id-1)*int64(db.layout.EntrySize())
}

// gameExtent returns where the game of an entry lies, without its length. With
// an error size is what is there, or -1 if it is nowhere.
func (r *simpleReader) gameExtent(id model.RecordID, e *dcdb.Entry) (place, size int64, err error) {
	db, f := r.db, r.db.games
	if e.Offset < dcdb.MagicSize || e.Offset >= uint64(f.Size()) {
		return 0, -1, db.wrongRef(id, "offset", "%d is not inside %s, which has %d bytes", e.Offset, f.Name(), f.Size())
	}
	at := int64(e.Offset)
	head, err := r.games.At(at, min(dcdb.MaxLengthSize, f.Size()-at))
	if err != nil {
		return 0, -1, err
	}
	n, digits := dcdb.DecodeLength(head)
	if digits == 0 {
		return 0, -1, f.Wrong(at, int64(id), "length", model.ErrCorrupt, "%02x begins no length, or the file ends in it", head[0])
	}
	place, size = at+int64(digits), int64(n)
	rest := f.Size() - place
	if !r.sharing.Pass(f.Size(), place, min(size, rest)) {
		return 0, -1, r.sharing.Refused(f.Name(), place, min(size, rest), id)
	}
	if size > rest {
		return place, rest, f.Wrong(at, int64(id), "length", model.ErrTruncated, "%d bytes are announced, the file has %d", size, rest)
	}
	return place, size, nil
}

// checkExtent checks where one game claims to lie.
func (r *simpleReader) checkExtent(id model.RecordID) error {
	e, err := r.entry(id)
	if err == nil {
		_, _, err = r.gameExtent(id, &e)
	}
	return err
}

// decode turns the raw records into records of the model.
func (b *simpleBatch) decode() {
	db := b.db
	if !b.want.OnlyHeaders() {
		b.decoder.Promotions = db.promotionCoding()
		b.decoder.Foreign = db.foreign
		b.decoder.NoAnnotations = b.want&(model.WantAnnotations|model.WantRaw) == 0
		b.encoder.Promotions, b.encoder.Legal = b.decoder.Promotions, true
		b.encoder.Lost = func(model.LossKind, string, string, ...any) {}
	}
	for i := range b.n {
		b.slots[i].decode(db, b)
	}
}

// promotionCoding finds out how the database numbers promotions: the first
// games say, else the version. (docs/formats/dcdb.md 4.3)
func (db *SimpleDB) promotionCoding() dcdb.Promotions {
	db.promotions.once.Do(func() {
		db.promotions.Promotions = db.layout.Promotions()
		if seen := db.sniffPromotions(); seen != 0 {
			db.promotions.Promotions = seen
		}
	})
	return db.promotions.Promotions
}

// sniffPromotions looks through the first games, passing damaged ones over.
func (db *SimpleDB) sniffPromotions() (seen dcdb.Promotions) {
	fill := db.newReader(dbfile.FarAhead, idsFrom(1, min(db.count, dcdb.PromotionSample)), model.WantMoves)
	b := db.newBatch(batchSize).(*simpleBatch)
	for fill(b) {
		for i := range b.n {
			switch s := &b.slots[i]; dcdb.SeenPromotions(s.body.of(b.arena)) {
			case dcdb.FromTwo:
				return dcdb.FromTwo
			case dcdb.FromOne:
				seen = dcdb.FromOne
			}
		}
	}
	return seen
}

// cutIndex returns an error if the .dci file was cut between two entries. It
// counts none, but the .dcg file tells: games follow the last one that an entry
// leads to, whole ones up to the end of the file. (docs/formats/dcdb.md, Cut files)
func (db *SimpleDB) cutIndex() error {
	r := db.newSimpleReader(dbfile.FarAhead)
	end, astray := int64(dcdb.MagicSize), 0
	for id := db.count; id > 0 && end < db.games.Size(); id-- { // mostly the last entry leads to the last game
		place, err := r.endOf(id)
		if err != nil {
			return err
		}
		if end = max(end, place); place == 0 {
			astray++
		}
	}
	lost := r.gamesBehind(end) - astray // entries that lead nowhere lack one each
	if lost <= 0 {
		return nil
	}
	return db.index.Wrong(db.index.Size(), int64(db.count)+1, "", model.ErrTruncated,
		"the file ends before the entries of %d games, which are in %s from %d on", lost, db.games.Name(), end)
}

// endOf returns where the game of an entry ends; 0 if it lies nowhere.
func (r *simpleReader) endOf(id model.RecordID) (int64, error) {
	e, err := r.entry(id)
	if err != nil {
		return 0, err
	}
	place, size, err := r.gameExtent(id, &e)
	if err != nil && !dbfile.IsDamage(err) {
		return 0, err
	}
	return place + max(size, 0), nil
}

// gamesBehind returns how many games lie one behind the other from a place to the
// end of the file; 0 if anything else does.
func (r *simpleReader) gamesBehind(at int64) (n int) {
	f := r.db.games
	for at < f.Size() {
		head, err := r.games.At(at, min(dcdb.MaxLengthSize, f.Size()-at))
		if err != nil {
			return 0
		}
		size, digits := dcdb.DecodeLength(head)
		if digits == 0 || size == 0 || int64(size) > f.Size()-at-int64(digits) {
			return 0
		}
		at += int64(digits) + int64(size)
		n++
	}
	return n
}

// simpleSlot is one record of a batch, from its bytes to the model.
type simpleSlot struct {
	id       model.RecordID
	entry    dcdb.Entry
	body     extent // in the batch's arena
	place    int64  // of the body in the file
	err      error
	oddities []error
	damage   []error

	decoded dcdb.Decoded
	game    model.Game
	kept
	header []byte
	search []byte
}

// decode fills the slot's game, but for the entities.
func (s *simpleSlot) decode(db *SimpleDB, b *simpleBatch) {
	if s.err != nil {
		return
	}
	e := &s.entry
	s.game = model.Game{Header: model.NewHeader()}
	s.game.Date, s.game.Result, s.game.Round = e.Date(), e.GameResult(), e.Round
	s.game.WhiteElo, s.game.BlackElo, s.game.ECO = e.WhiteElo, e.BlackElo, e.Opening()
	if e.Status != 0 && e.Status != dcdb.StatusDeleted {
		s.oddities = append(s.oddities, db.wrongRef(s.id, "status", "%02x has no meaning; the game is not deleted", e.Status))
	}
	if !b.want.OnlyHeaders() {
		s.decodeMoves(db, b)
	}
	if b.want&model.WantRaw == 0 {
		return
	}
	// What the index says in other words than would be written is kept, and its fields for
	// searches, right or wrong.
	if !e.Plain() || !db.players.canonical(e.White) || !db.players.canonical(e.Black) ||
		!db.sites.canonical(e.Site) || !db.events.canonical(e.Event) {
		s.header = dcdb.V0.AppendEntry(s.header[:0], e)
		s.game.Leftovers.Header = s.keep(1, dcdb.Format, s.header)
	}
	if db.layout.HasSearchFields() {
		s.search = dcdb.AppendSearchFields(s.search[:0], &e.Search)
		s.game.Leftovers.Derived = s.keep(2, dcdb.Format, s.search)
	}
}

// decodeMoves fills in moves and annotations. The record itself is kept where
// it is not what would be written.
func (s *simpleSlot) decodeMoves(db *SimpleDB, b *simpleBatch) {
	g, body := &s.game, s.body.of(b.arena)
	b.decoder.Note = func(e *model.FormatError) {
		s.oddities = append(s.oddities, wire.Locate(e, db.games.Name(), s.place, int64(s.id)))
	}
	b.decoder.Warn = func(e *model.FormatError) {
		s.damage = append(s.damage, wire.Locate(e, db.games.Name(), s.place, int64(s.id)))
	}
	if err := b.decoder.Decode(body, &s.decoded); err != nil {
		g.MovesErr = wire.Locate(err, db.games.Name(), s.place, int64(s.id))
		g.Leftovers.Moves = s.keepBody(b, body)
		if db.opt.KeepGoing {
			g.Start, g.Moves, g.Annotations = s.decoded.Start, s.decoded.Moves, s.decoded.Annotations
		}
		return
	}
	g.Start, g.Moves, g.Annotations = s.decoded.Start, s.decoded.Moves, s.decoded.Annotations
	if b.want&model.WantRaw != 0 {
		if again, _, err := b.encoder.Encode(g); err != nil || !bytes.Equal(again, body) {
			g.Leftovers.Moves = s.keepBody(b, body)
		}
	}
}

// keepBody keeps a record behind a byte that says how it numbers promotions.
func (s *simpleSlot) keepBody(b *simpleBatch, body []byte) *model.Leftover {
	return s.keep(0, dcdb.Format, append([]byte{byte(b.decoder.Promotions)}, body...))
}

// finish looks up the entities, reports oddities and returns the record. It
// runs in the caller's goroutine.
func (s *simpleSlot) finish(db *SimpleDB) (model.Record, error) {
	if s.err != nil {
		return model.Record{ID: s.id}, s.err
	}
	for _, w := range s.oddities {
		db.opt.warn(w)
	}
	e, g := &s.entry, &s.game
	damaged := func(err error) { s.damage = append(s.damage, err) }
	g.White = db.playerAt(e.White, "white", s.id, damaged)
	g.Black = db.playerAt(e.Black, "black", s.id, damaged)
	g.Tournament = db.tournamentAt(e.Site, e.Event, s.id, damaged)
	return model.Record{ID: s.id, Deleted: e.Status == dcdb.StatusDeleted, Game: g, Damage: s.damage, Unread: e.AppendUnread(nil)}, nil
}
