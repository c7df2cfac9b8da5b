package read

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"unicode/utf8"

	"cbkit/internal/dbfile"
	"cbkit/internal/scid"
	"cbkit/internal/wire"
	"cbkit/model"
	"cbkit/pgn"
)

// Scid is an open database of Scid (.si4, .si3, .si5). It is a [Database].
//
// Its records are read as the PGN that Scid prints of them: a tournament is an event, its
// site and its date together, and what has no field is a tag, the marks of a game the tag
// ScidFlags. Names enter the tables as the games that have them are read; no two
// goroutines may read records at a time.
type Scid struct {
	batched
	index, games, names *dbfile.File
	version             scid.Version
	header              scid.Header
	lists               [4][]string // names by kind and id
}

var (
	_ Database       = (*Scid)(nil)
	_ model.Measured = (*Scid)(nil)
)

// openScid opens the files of one state of the database with a main file.
func openScid(set *FileSet, main string, opt Options) (*Scid, error) {
	db := &Scid{}
	of := dbfile.FormatOf(main)
	db.large = of.Exts(dbfile.Main, dbfile.Part)
	db.newBatch = func(records int) recordBatch { return &scidBatch{db: db, slots: make([]scidSlot, records)} }
	db.newReader = func(ahead int, from model.RecordID, want model.Want) func(recordBatch) bool {
		r := db.newScidReader(ahead, from, want)
		return func(b recordBatch) bool { return r.fill(b.(*scidBatch)) }
	}
	openFiles := func() (err error) {
		for i, to := range []**dbfile.File{&db.index, &db.games, &db.names} {
			if *to, err = db.openFile(of[i].Ext, true); err != nil {
				return err
			}
		}
		return nil
	}
	if err := db.load(set, main, opt, openFiles, db.readNames, db.readHeader); err != nil {
		return nil, err
	}
	return db, nil
}

// Version returns the layout: "4" of .si4, "3" of .si3, "5" of .si5.
func (db *Scid) Version() string { return string('0' + rune(db.version)) }

// readNames reads all names, and of .sn5 what other versions have in the header.
func (db *Scid) readNames() error {
	b, err := db.names.All()
	if err != nil {
		return err
	}
	var list *scid.Names
	if dbfile.Is(db.names.Name(), dbfile.Scid5.Exts(dbfile.Part)...) {
		db.version = scid.V5
		list, db.header, err = scid.DecodeNames5(b)
	} else {
		list, err = scid.DecodeNames(b)
	}
	if err != nil {
		return wire.Locate(err, db.names.Name(), 0, -1)
	}
	for kind, names := range list.Lists {
		db.lists[kind] = make([]string, len(names))
		for _, n := range names {
			db.lists[kind][n.ID] = db.text(n.Bytes)
		}
	}
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
	size := int64(db.version.EntrySize())
	entries, rest := (f.Size()-int64(db.version.HeaderSize()))/size, (f.Size()-int64(db.version.HeaderSize()))%size
	if entries > 1<<31-2 {
		return f.Wrong(0, -1, "", model.ErrUnsupported, "%d entries are more than can be numbered", entries)
	}
	if rest != 0 {
		db.opt.damage(f.Wrong(f.Size()-rest, entries+1, "", model.ErrTruncated, "%d bytes behind the last whole entry are left out", rest))
	}
	if games := int64(db.header.Games); db.version != scid.V5 && games != entries {
		err := f.Wrong(14, -1, "games", model.ErrCorrupt, "%d, there are %d entries", games, entries)
		if games > entries {
			db.opt.damage(err)
		} else { // those behind are none of the database's, for Scid too
			db.opt.warn(err)
			entries = games
		}
	}
	db.count = model.RecordID(entries)
	return nil
}

// text returns stored bytes as text: what is UTF-8 is that, and any other byte is one of
// the code page. One name can have both.
func (db *Scid) text(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var text []byte
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			text = append(text, db.foreign(b[:1])...)
		} else {
			text = append(text, b[:n]...)
		}
		b = b[n:]
	}
	return string(text)
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
	r := db.newScidReader(dbfile.FarAhead, 1, model.WantHeaders)
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
	info, err := db.summary(ctx, db, of, "database of Scid")
	if err != nil {
		return Info{}, err
	}
	info.Version = fmt.Sprintf("version %d", db.header.Version)
	info.Entities = nil
	for kind, name := range []string{"players", "events", "sites", "rounds"} {
		info.Entities = append(info.Entities, EntityCount{Name: name, Count: len(db.lists[kind])})
	}
	return info, nil
}

// scidBatch is a [recordBatch].
type scidBatch struct {
	db      *Scid
	want    model.Want
	n       int
	slots   []scidSlot
	arena   []byte
	changed error
	builder pgn.Builder
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
	next         model.RecordID
	want         model.Want
	index, games *dbfile.Window
	sharing      dbfile.Sharing
}

func (db *Scid) newScidReader(ahead int, from model.RecordID, want model.Want) *scidReader {
	return &scidReader{db: db, next: from, want: want, index: dbfile.NewWindow(db.index, ahead), games: dbfile.NewWindow(db.games, ahead)}
}

// place is where an entry begins.
func (db *Scid) place(id model.RecordID) int64 {
	return int64(db.version.HeaderSize()) + int64(id-1)*int64(db.version.EntrySize())
}

// entry reads an entry.
func (r *scidReader) entry(id model.RecordID) (scid.Entry, error) {
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

// fill reads the next records; it returns false if there are none. A header needs the tags
// of its record.
func (r *scidReader) fill(b *scidBatch) bool {
	b.want, b.n, b.arena = r.want, 0, b.arena[:0]
	for ; b.n < len(b.slots) && len(b.arena) < arenaSize && r.next <= r.db.count; r.next++ {
		s := &b.slots[b.n]
		b.n++
		s.id, s.missed, s.damage, s.body = r.next, nil, s.damage[:0], extent{len(b.arena), len(b.arena)}
		if s.entry, s.err = r.entry(r.next); s.err != nil {
			continue
		}
		e := &s.entry
		err := r.checkExtent(s.id, e)
		if err == nil && !r.sharing.Pass(r.db.games.Size(), int64(e.Offset), int64(e.Length)) {
			err = r.sharing.Refused(r.db.games.Name(), int64(e.Offset), int64(e.Length), s.id)
		}
		var body []byte
		if err == nil {
			body, err = r.games.At(int64(e.Offset), int64(e.Length))
		}
		if s.missed = err; err == nil {
			b.arena = append(b.arena, body...)
			s.body.to = len(b.arena)
		}
	}
	b.changed = r.db.watch.Check()
	return b.n > 0
}

func (b *scidBatch) read() (int, error) { return b.n, b.changed }

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
	rec.Chess960, rec.WantSigns = s.entry.Chess960, b.want&model.WantSigns != 0
	wrong := s.missed
	switch {
	case wrong != nil:
		rec.Tags = rec.Tags[:0]
	case b.want.OnlyHeaders():
		_, wrong = rec.DecodeTags(s.body.of(b.arena))
	default:
		wrong = rec.Decode(s.body.of(b.arena))
	}
	s.nameTags(db)
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
	g.Start, g.Moves, g.Annotations = rec.Start, moves, list
	b.builder.Reset(b.want&model.WantAnnotations != 0)
	texts := b.want&model.WantAnnotations != 0 && (g.MovesErr == nil)
	for i, step := range rec.Steps {
		switch step.Kind {
		case scid.StepMove:
			b.builder.Play(step.Move)
			for _, n := range shownNAGs(rec.Steps[i+1:]) {
				b.builder.Symbol(model.NAG(n))
			}
		case scid.StepText:
			if texts && !step.Hidden && step.Text < len(rec.Texts) {
				b.builder.Comment(db.text(rec.Texts[step.Text]))
			}
		case scid.StepBegin:
			b.builder.Enter()
		case scid.StepEnd:
			b.builder.Leave()
		}
	}
	order := b.builder.Build(g)
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

// shownNAGs returns the NAGs at the beginning of steps that Scid shows of a move: of those
// that judge the move, 1 to 6, the last, in front of the others; of those that judge the
// position, 10 to 21, the last, in the place of the first.
func shownNAGs(steps []scid.Step) (list []byte) {
	for _, s := range steps {
		if s.Kind != scid.StepNAG {
			break
		}
		at := slices.IndexFunc(list, scid.JudgesPosition)
		switch {
		case s.NAG == 0:
		case scid.JudgesMove(s.NAG):
			list = slices.Insert(slices.DeleteFunc(list, scid.JudgesMove), 0, s.NAG)
		case scid.JudgesPosition(s.NAG) && at >= 0:
			list[at] = s.NAG
		default:
			list = append(list, s.NAG)
		}
	}
	return list
}

// nameTags collects the tags of the game as Scid prints them. A tag of the record that has
// one of the five names takes the place of that, and the last of several values counts.
func (s *scidSlot) nameTags(db *Scid) {
	e := &s.entry
	s.tags = s.tags[:0]
	add := func(name, value string) {
		for i := range s.tags {
			if s.tags[i].Name == name {
				s.tags[i].Value = value
				return
			}
		}
		s.tags = append(s.tags, model.Tag{Name: name, Value: value})
	}
	name := func(tag string, kind int, id uint32) {
		if int64(id) < int64(len(db.lists[kind])) {
			add(tag, db.lists[kind][id])
			return
		}
		s.damage = append(s.damage, db.index.Wrong(db.place(s.id), int64(s.id), tag, model.ErrCorrupt, "there is no name %d, only %d", id, len(db.lists[kind])))
	}
	name("Event", scid.Events, e.Event)
	name("Site", scid.Sites, e.Site)
	if e.Date != 0 {
		add("Date", scid.Day(e.Date).String())
	}
	name("Round", scid.Rounds, e.Round)
	name("White", scid.Players, e.White)
	name("Black", scid.Players, e.Black)
	add("Result", [...]string{"*", "1-0", "0-1", "1/2-1/2"}[e.Result&3])
	for i, color := range [2]string{"White", "Black"} {
		if e.Elo[i] != 0 {
			word := "Elo"
			if t := e.RatingType[i] & 7; int(t) < len(scid.RatingTypes) {
				word = scid.RatingTypes[t]
			}
			add(color+word, fmt.Sprint(e.Elo[i]))
		}
	}
	if code := scid.FormatECO(e.ECO); code != "" {
		add("ECO", code)
	}
	if d := db.version.DayOfEvent(e); !d.IsZero() {
		add("EventDate", d.String())
	}
	own := len(s.tags)
	for _, t := range s.record.Tags {
		switch t.Name {
		case "":
			continue
		case "Variant":
			if s.record.Chess960 {
				continue // its start says it
			}
		case "Event", "Site", "Round", "White", "Black":
			add(t.Name, db.text(t.Value))
			continue
		}
		is := func(other model.Tag) bool { return other.Name == t.Name }
		at := own
		for at < len(s.tags) && !is(s.tags[at]) {
			at++
		}
		if value := db.text(t.Value); at < len(s.tags) {
			s.tags[at].Value = value
		} else {
			s.tags = append(s.tags, model.Tag{Name: t.Name, Value: value})
		}
	}
	var marks []byte
	for i := range len(scid.FlagLetters) {
		if bit := uint32(1) << i; bit > scid.FlagDeleted && e.Flags&bit != 0 {
			marks = append(marks, scid.FlagLetters[i])
		}
	}
	if len(marks) > 0 {
		add("ScidFlags", string(marks))
	}
}

// finish looks up the names and returns the record. It runs in the caller's goroutine.
func (b *scidBatch) finish(i int) (model.Record, error) {
	s := &b.slots[i]
	if s.err != nil {
		return model.Record{ID: s.id}, s.err
	}
	s.game.Header = pgn.ParseTags(s.tags, &b.db.tables)
	return model.Record{ID: s.id, Deleted: s.entry.Flags&scid.FlagDeleted != 0, Game: &s.game, Damage: s.damage}, nil
}
