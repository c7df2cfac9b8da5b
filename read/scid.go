package read

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"cbkit/internal/dbfile"
	"cbkit/internal/scid"
	"cbkit/internal/scidgame"
	"cbkit/internal/wire"
	"cbkit/model"
)

// Scid is an open database of Scid (.si4, .si3, .si5). It is a [Database].
//
// Its records are read as the PGN that Scid prints of them: a tournament is an event, its
// site and its date together, and what has no field is a tag; the marks of a game are the
// tag ScidFlags. This needs package pgn, so only programs that import it can read them.
// Names enter the tables as the games that have them are read; no two goroutines may read
// records at a time.
type Scid struct {
	batched
	index, games, names *dbfile.File
	version             scid.Version
	header              scid.Header
	named               scidgame.Names
	found               map[model.RecordID]scid.Entry // in a damaged one; see RescueScid
	unsearched          int64                         // likewise
}

var (
	_ Database       = (*Scid)(nil)
	_ model.Measured = (*Scid)(nil)
)

// openScid opens the files of one state of the database with a main file.
func openScid(set *FileSet, main string, opt Options) (*Scid, error) {
	if scidgame.NewBuilder == nil {
		return nil, fmt.Errorf("%s: %w: this program reads no databases of Scid; it does with the line import _ \"cbkit/pgn\"", set.Path(main), model.ErrUnsupported)
	}
	db := newScid(main)
	if err := db.load(set, main, opt, db.openFiles, db.readNames, db.readHeader); err != nil {
		return nil, err
	}
	return db, nil
}

// newScid returns a database of which nothing is known but the ending of its main file.
func newScid(main string) *Scid {
	db := &Scid{}
	db.large = dbfile.FormatOf(main).Exts(dbfile.Main, dbfile.Part)
	readBy(&db.batched, func(records int) *scidBatch {
		return &scidBatch{db: db, slots: make([]scidSlot, records), builder: scidgame.NewBuilder()}
	}, db.newScidReader)
	return db
}

// openFiles opens the three files. Where one is missing of a database that is rescued, one
// without content stands for it.
func (db *Scid) openFiles() (err error) {
	for i, to := range []**dbfile.File{&db.index, &db.games, &db.names} {
		ext := db.large[i]
		if *to, err = db.openFile(ext, db.found == nil); err != nil {
			return err
		}
		if *to == nil {
			*to = dbfile.New(nothing{}, db.set.Name(ext))
		}
	}
	return nil
}

// Version returns the layout: "4" of .si4, "3" of .si3, "5" of .si5.
func (db *Scid) Version() string { return string('0' + rune(db.version)) }

// readNames reads all names, and of .sn5 what other versions have in the header.
func (db *Scid) readNames() error {
	b, err := db.names.All()
	if err != nil {
		return err
	}
	db.named.Foreign = db.foreign
	var list *scid.Names
	if dbfile.Is(db.names.Name(), dbfile.Scid5.Exts(dbfile.Part)...) {
		db.version = scid.V5
		list, db.header, err = scid.DecodeNames5(b)
	} else {
		list, err = scid.DecodeNames(b)
	}
	if err != nil {
		if err = wire.Locate(err, db.names.Name(), 0, -1); db.found == nil {
			return err
		}
		db.opt.damage(err)
		db.named.Partial = true
	}
	db.named.Fill(list)
	return nil
}

// readHeader reads the header of the index and counts its entries.
func (db *Scid) readHeader() (err error) {
	f := db.index
	if db.version != scid.V5 {
		b, err := f.Start(int64(scid.V4.HeaderSize()))
		if err != nil {
			return err
		}
		if db.header, db.version, err = scid.DecodeHeader(b); err != nil {
			return wire.Locate(err, f.Name(), 0, -1)
		}
	}
	entries, err := db.countRecords(f, int64(db.version.HeaderSize()), int64(db.version.EntrySize()), "entry", "entries")
	if err != nil {
		return err
	}
	if games := int64(db.header.Games); db.version != scid.V5 && games != entries {
		err := f.Wrong(14, -1, "games", model.ErrCorrupt, "%d, there are %d entries", games, entries)
		db.opt.damage(err)
		entries = min(entries, games) // those behind are none of the database's, which Scid refuses to open
	}
	db.count = model.RecordID(entries)
	return nil
}

// Leftover implements [model.Source]: the header, as .si4 has it; after Close it is nil.
func (db *Scid) Leftover() *model.Leftover {
	if db.watch.closed.Load() {
		return nil
	}
	h := db.header
	h.Version = 400
	return &model.Leftover{Format: scid.Format, Data: h.Append(nil)}
}

// Preflight implements [model.Preflighter]: it looks at the extents of all records and
// returns the first that does not lie inside its file.
func (db *Scid) Preflight(ctx context.Context) error {
	if db.watch.closed.Load() {
		return fs.ErrClosed
	}
	r := db.newScidReader(dbfile.FarAhead)
	return dbfile.Preflight(ctx, db.count, nil, func(id model.RecordID) error {
		e, err := r.entry(id)
		if err == nil {
			err = r.checkExtent(id, &e)
		}
		return err
	})
}

// Info implements [Database].
func (db *Scid) Info(ctx context.Context) (Info, error) {
	of := dbfile.FormatOf(".si" + db.Version())
	info, err := db.summary(ctx, db, of, "database of Scid", of.Exts(dbfile.Optional), nil)
	if err != nil {
		return Info{}, err
	}
	info.Version = fmt.Sprintf("version %d", db.header.Version)
	info.Entities = nil
	for kind, name := range []string{"players", "events", "sites", "rounds"} {
		info.Entities = append(info.Entities, EntityCount{Name: name, Count: len(db.named.Lists[kind])})
	}
	return info, nil
}

// scidBatch is a [recordBatch].
type scidBatch struct {
	rawBatch
	db      *Scid
	slots   []scidSlot
	builder scidgame.Builder
}

// scidSlot is one record of a batch, from its bytes to the model.
type scidSlot struct {
	id     model.RecordID
	entry  scid.Entry
	body   extent
	err    error // there is no entry
	missed error // there is no record

	record scid.Game
	game   model.Game
	signs  []model.Sign
	tags   []model.Tag
	damage []error
	kept   [2]model.Leftover
}

// scidReader reads raw records, ahead of their use where they lie in order.
type scidReader struct {
	db           *Scid
	index, games *dbfile.Window
	sharing      dbfile.Sharing
}

func (db *Scid) newScidReader(ahead int) *scidReader {
	return &scidReader{db: db, index: dbfile.NewWindow(db.index, ahead), games: dbfile.NewWindow(db.games, ahead)}
}

// place is where an entry begins.
func (db *Scid) place(id model.RecordID) int64 {
	return int64(db.version.HeaderSize()) + int64(id-1)*int64(db.version.EntrySize())
}

// entry reads an entry.
func (r *scidReader) entry(id model.RecordID) (scid.Entry, error) {
	if e, is := r.db.found[id]; is {
		return e, nil
	}
	b, err := r.index.At(r.db.place(id), int64(r.db.version.EntrySize()))
	if err != nil {
		return scid.Entry{}, err
	}
	return r.db.version.DecodeEntry(b), nil
}

// checkExtent checks where a record claims to lie.
func (r *scidReader) checkExtent(id model.RecordID, e *scid.Entry) error {
	size := uint64(r.db.games.Size())
	if e.Length == 0 || e.Offset > size || uint64(e.Length) > size-e.Offset {
		return r.db.index.Wrong(r.db.place(id), int64(id), "offset", model.ErrCorrupt,
			"%d bytes from %d on are not inside %s, which has %d; an index that does not belong to it?", e.Length, e.Offset, r.db.games.Name(), size)
	}
	return nil
}

// fill reads a record. A header needs the tags of its record.
func (r *scidReader) fill(b *scidBatch, i int, id model.RecordID) {
	s := &b.slots[i]
	s.id, s.missed, s.damage, s.body = id, nil, s.damage[:0], extent{len(b.arena), len(b.arena)}
	if s.entry, s.err = r.entry(id); s.err != nil {
		return
	}
	e := &s.entry
	body, err := []byte(nil), r.checkExtent(s.id, e)
	if err == nil && !r.sharing.Pass(r.db.games.Size(), int64(e.Offset), int64(e.Length)) {
		err = r.sharing.Refused(r.db.games.Name(), int64(e.Offset), int64(e.Length), s.id)
	}
	if err == nil {
		body, err = r.games.At(int64(e.Offset), int64(e.Length))
	}
	if s.missed = err; err != nil && !dbfile.IsDamage(err) {
		s.err = err
	} else if err == nil {
		b.arena = append(b.arena, body...)
		s.body.to = len(b.arena)
	}
}

// decode turns the raw records into games, but for the names.
func (b *scidBatch) decode() {
	for i := range b.n {
		if s := &b.slots[i]; s.err == nil {
			s.decode(b.db, b)
		}
	}
}

// decode fills the slot's game.
func (s *scidSlot) decode(db *Scid, b *scidBatch) {
	moves, list := s.game.Moves, s.game.Annotations
	s.game = model.Game{Header: model.NewHeader()}
	g, rec := &s.game, &s.record
	rec.Chess960 = s.entry.Chess960
	wrong := s.missed
	switch {
	case wrong != nil:
		rec.Tags = rec.Tags[:0]
	case b.want.OnlyHeaders():
		_, wrong = rec.DecodeTags(s.body.of(b.arena))
	default:
		wrong = rec.Decode(s.body.of(b.arena))
	}
	s.tags = db.named.AppendTags(s.tags[:0], db.version, &s.entry, rec, func(field string, id uint32, of int) (name string) {
		if id == noScidName {
			return ""
		}
		s.damage = append(s.damage, db.index.Wrong(db.place(s.id), int64(s.id), field, model.ErrCorrupt, "there is no name %d, only %d", id, of))
		if db.found != nil && field != "Round" {
			name = fmt.Sprint("#", id)
		}
		return name
	})
	if _, is := db.found[s.id]; is {
		s.damage = append(s.damage, db.games.Wrong(int64(s.entry.Offset), -1, "", model.ErrCorrupt, "a record with no entry, which had players, date and result"))
	}
	if b.want&model.WantRaw != 0 && s.missed == nil {
		s.kept = [2]model.Leftover{{Format: scid.Format, Data: s.stored(db)}, {Format: scid.Format, Data: slices.Clone(s.body.of(b.arena))}}
		g.Leftovers.Header, g.Leftovers.Moves = &s.kept[0], &s.kept[1]
	}
	if s.missed == nil && wrong != nil {
		wrong = wire.Locate(wrong, db.games.Name(), int64(s.entry.Offset), int64(s.id))
	}
	if b.want.OnlyHeaders() {
		if wrong != nil {
			s.damage = append(s.damage, wrong)
		}
		return
	}
	if wrong != nil && s.missed == nil && rec.InTexts {
		g.AnnotationsErr = wrong
	} else if g.MovesErr = wrong; wrong != nil && (!db.opt.KeepGoing || s.missed != nil) {
		return
	}
	g.Moves, g.Annotations = moves, list
	order := db.named.Build(b.builder, g, rec, b.want&model.WantAnnotations != 0 && g.MovesErr == nil)
	if b.want&model.WantSigns != 0 {
		s.signs = rec.AppendSigns(s.signs[:0], order)
		g.Signs = s.signs
	}
}

// stored returns the entry as .si4 has it.
func (s *scidSlot) stored(db *Scid) []byte {
	e := s.entry
	if db.version == scid.V5 {
		e.EventDate = scid.StoredEvent(scid.Day(e.EventDate), e.Date)
	}
	return scid.V4.AppendEntry(nil, &e)
}

// finish looks up the names and returns the record. It runs in the caller's goroutine.
func (b *scidBatch) finish(i int) (model.Record, error) {
	s := &b.slots[i]
	if s.err != nil {
		return model.Record{ID: s.id}, s.err
	}
	s.game.Header = b.db.named.Header(s.tags, &s.entry, &b.db.tables)
	return model.Record{ID: s.id, Deleted: s.entry.Flags&scid.FlagDeleted != 0, Game: &s.game, Damage: s.damage}, nil
}
