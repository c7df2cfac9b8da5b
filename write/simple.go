package write

import (
	"context"
	"fmt"
	"math"
	"strings"

	"cbkit/internal/atomicset"
	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/dcdb"
	"cbkit/internal/fsys"
	"cbkit/internal/journal"
	"cbkit/model"
	"cbkit/read"
)

// SimpleCreator writes a new Simple Chess Database. It is a [model.Sink].
type SimpleCreator struct {
	making
	simpleDB
	src model.Source
}

// simpleDB are the files of a Simple Chess Database to which games are added: of a new
// one, or of one that is edited.
type simpleDB struct {
	simpleEncoder
	index, games *journal.File
	names        struct{ players, sites, events simpleNames }
	count        model.RecordID
	sniffed      bool // how promotions are numbered is known
}

// simpleFile is one of them.
type simpleFile struct {
	ext  string
	kind dcdb.File
	file **journal.File
}

// files are all of them.
func (db *simpleDB) files() []simpleFile {
	return []simpleFile{
		{".dci", dcdb.Index, &db.index}, {".dcg", dcdb.Games, &db.games}, {".dcn", dcdb.Names, &db.names.players.file},
		{".dcs", dcdb.Sites, &db.names.sites.file}, {".dce", dcdb.Events, &db.names.events.file},
	}
}

// nameFiles are all files of names.
func (db *simpleDB) nameFiles() []*simpleNames {
	return []*simpleNames{&db.names.players, &db.names.sites, &db.names.events}
}

// beginNames forgets the names, and how promotions are numbered.
func (db *simpleDB) beginNames() {
	db.sniffed = false
	db.names.players.table, db.names.sites.table, db.names.events.table = &db.players, &db.sites, &db.events
	for _, names := range db.nameFiles() {
		names.known, *names.table = false, nameTable{}
	}
}

// finishNames writes the names that came, and returns how many.
func (db *simpleDB) finishNames() (added int, err error) {
	for _, names := range db.nameFiles() {
		n, err := names.finish()
		if err != nil {
			return added, err
		}
		added += n
	}
	return added, nil
}

// add adds a game at the end.
func (db *simpleDB) add(rec model.Record) error {
	if db.count == maxSimple {
		return fmt.Errorf("record %d: %w", rec.ID, model.ErrTooLarge)
	}
	body, err := db.encode(rec)
	if err != nil {
		return err
	}
	db.withoutEvent()
	if err := db.putBody(body); err != nil {
		return err
	}
	db.count++
	return db.putEntry(db.count)
}

// simpleEncoder makes index entries and records of games.
type simpleEncoder struct {
	opt     Options
	layout  dcdb.Layout
	tables  *model.Entities // of the games that come
	copying bool            // names and references are those of the source

	players, sites, events nameTable
	playersSeen            map[model.EntityID]uint32
	tournamentsSeen        map[model.EntityID][2]uint32

	encoder dcdb.Encoder
	decoder dcdb.Decoder
	decoded dcdb.Decoded
	entry   dcdb.Entry
	head    []byte
	writing model.RecordID // the record that losses concern
}

// from says which tables the games that come refer to.
func (c *simpleEncoder) from(tables *model.Entities) {
	c.tables = tables
	c.playersSeen = map[model.EntityID]uint32{}
	c.tournamentsSeen = map[model.EntityID][2]uint32{}
}

var (
	_ model.Sink    = (*SimpleCreator)(nil)
	_ model.Counter = (*SimpleCreator)(nil)
)

// simpleExtensions are those of the files of a Simple Chess Database; they
// make way when one is replaced.
var simpleExtensions = dbfile.Simple.Data()

// simpleSet are the files of a Simple Chess Database.
var simpleSet = atomicset.Options{Extensions: simpleExtensions, Proves: isSimpleMain}

// CreateSimple begins a new Simple Chess Database. Path names any of its files,
// or is the name without an ending; the endings are written in lower case.
// Nothing is visible there before [SimpleCreator.Commit].
//
// Errors are those of [Create].
func CreateSimple(ctx context.Context, path string, opt Options) (*SimpleCreator, error) {
	switch opt.Layout {
	case 0, SimpleV0, SimpleV1:
	default:
		return nil, fmt.Errorf("write: databases of %v are not written", opt.Layout)
	}
	c := new(SimpleCreator)
	if err := c.init(ctx, path, simpleMain(path), simpleSet, opt); err != nil {
		return nil, err
	}
	c.simpleEncoder.opt, c.encoder.Lost = c.making.opt, c.lost
	return c, nil
}

// simpleMain returns the name of a database's .dci file.
func simpleMain(path string) string { return atomicset.MainFile(path, "dci", simpleExtensions) }

// RecoverSimple does for a Simple Chess Database what [Recover] does for a
// ChessBase database.
func RecoverSimple(path string, opt model.RecoverOptions) (model.Recovery, error) {
	return recoverSet(fsys.OS{}, simpleMain(path), opt)
}

// isSimpleMain reports whether a .dci file that begins so is one.
func isSimpleMain(head []byte) bool {
	_, err := dcdb.CheckMagic(head, dcdb.Index)
	return err == nil
}

// Begin implements [model.Sink].
func (c *SimpleCreator) Begin(src model.Source) error {
	if err := c.lifecycle.Begin(src); err != nil {
		return err
	}
	c.src = src
	header := src.Leftover().From(dcdb.Format)
	switch { // 0 is that of the source, if it has one that can be written
	case c.opt.Layout != 0:
		c.layout = dcdb.Layout(c.opt.Layout)
	case len(header) == dcdb.V0.HeaderSize():
		c.layout = dcdb.V0
	default:
		c.layout = dcdb.V1
	}
	c.from(src.Entities())
	return c.lifecycle.Begun(c.open(header))
}

// open makes the files of a database without games, with what of a source of the format
// goes along: its names, and a field of its header.
func (c *SimpleCreator) open(header []byte) (err error) {
	openDefault := uint64(0)
	if !c.opt.Fresh && len(header) >= dcdb.V0.HeaderSize() {
		openDefault = dcdb.V0.OpenDefault(header)
	}
	names, err := c.staged.Files()
	if err != nil {
		return err
	}
	for _, f := range c.files() {
		head := dcdb.AppendMagic(nil, f.kind)
		if f.kind == dcdb.Index {
			head = c.layout.AppendIndexHeader(nil, openDefault)
		}
		if *f.file, err = c.staged.File(names.Name(f.ext)); err == nil {
			err = (*f.file).Fill(head)
		}
		if err != nil {
			return err
		}
	}
	c.beginNames()
	if err := c.prepare(); err != nil {
		return err
	}
	db, ok := c.src.(*read.SimpleDB)
	if c.copying = ok && !c.opt.Fresh; !c.copying {
		return nil
	}
	// The names keep their order, so that references to them stay.
	for _, names := range c.nameFiles() {
		ext := dbfile.EndingOf(names.file.Name())
		if !db.Files().Has(ext) {
			continue
		}
		b, err := fsys.OS{}.ReadFile(db.Files().Path(ext))
		if err != nil {
			return err
		}
		names.table.fill(b[min(len(b), dcdb.MagicSize):])
	}
	return nil
}

// Layout returns the layout of the database. It is known from Begin on.
func (c *SimpleCreator) Layout() SimpleLayout { return SimpleLayout(c.layout) }

// lost reports a loss of the record that is being written.
func (c *simpleEncoder) lost(kind model.LossKind, field, format string, args ...any) {
	c.opt.Report.Add(kind, c.writing, field, format, args...)
}

// Put implements [model.Sink]. Games are numbered from 1 in the order in which
// they come.
func (c *SimpleCreator) Put(rec model.Record) error {
	if err := c.begin(&rec); err != nil {
		return err
	}
	if !c.takes(rec) {
		return nil
	}
	return c.add(rec)
}

// takes reports whether a record is a game that the format has; what is not is
// lost.
func (c *simpleEncoder) takes(rec model.Record) bool {
	c.writing = rec.ID
	kept := dcdb.Format
	if c.opt.Fresh {
		kept = "" // no stored header counts
	}
	switch {
	case rec.Text != nil:
		c.lost(model.LostRecord, "text", "the format has no guiding texts")
		return false
	case !c.opt.Chess960 && rec.Game.Start != nil && rec.Game.Start.Chess960:
		c.lost(model.LostRecord, "variant", "the format excludes Chess960")
		return false
	}
	model.ReportUnread(rec, c.tables, kept, c.opt.Report)
	return true
}

// encode returns a game's record, without its length, and makes its index entry,
// but for the place of the record.
func (c *simpleEncoder) encode(rec model.Record) (body []byte, err error) {
	g := readableSimple(rec.Game.WithKnownValues(rec.ID, c.opt.Report), &c.decoder)
	body, plies, err := c.body(g)
	if err != nil {
		return nil, fmt.Errorf("record %d: %w", rec.ID, err)
	}
	c.entry = dcdb.Entry{}
	if err := c.putHeader(g, rec.Deleted); err != nil {
		return nil, err
	}
	if c.layout.HasSearchFields() {
		c.entry.Search, err = c.search(g, plies)
	}
	return body, err
}

// Commit implements [model.Sink].
func (c *SimpleCreator) Commit() error {
	return c.finish(func() error {
		_, err := c.finishNames()
		return err
	})
}

// Written implements [model.Counter].
func (c *SimpleCreator) Written() int { return int(c.count) }

// SimpleLayout is how the index of a Simple Chess Database is laid out.
type SimpleLayout uint8

// The layouts of Simple Chess Databases. The two programs of the format's author, pgn2dcg
// and dcg2pgn, know only v0. The description of the format has v1, and so do new
// databases. docs/formats/dcdb.md tells the difference.
const (
	SimpleV0 SimpleLayout = SimpleLayout(dcdb.V0)
	SimpleV1 SimpleLayout = SimpleLayout(dcdb.V1)
)

// ParseSimpleLayout reads "v0" and "v1".
func ParseSimpleLayout(s string) (SimpleLayout, error) {
	l, err := dcdb.ParseLayout(s)
	return SimpleLayout(l), err
}

// String returns what ParseSimpleLayout reads; "" for 0, which is the layout of
// the source, and "layout 9" for numbers without a layout.
func (l SimpleLayout) String() string {
	switch l {
	case 0:
		return ""
	case SimpleV0, SimpleV1:
		return dcdb.Layout(l).String()
	}
	return fmt.Sprintf("layout %d", uint8(l))
}

// foreign reads stored bytes that are not UTF-8.
var foreign cbh.CodePage

// nameTable is a file of names in the making.
type nameTable struct {
	records []byte
	places  map[dcdb.Name]uint32 // of the first record of each value
}

// place returns the place of a record, adding it if there is none.
func (t *nameTable) place(n dcdb.Name) (uint32, error) {
	if place, ok := t.places[n]; ok {
		return place, nil
	}
	place := dcdb.MagicSize + int64(len(t.records))
	if place > math.MaxUint32 {
		return 0, fmt.Errorf("%w: more names than a database holds", model.ErrTooLarge)
	}
	t.records = append(t.records, n[:]...)
	t.places[n] = uint32(place)
	return uint32(place), nil
}

// at returns the name at a place as a reader sees it, "" for none; ok is false
// where no record begins.
func (t *nameTable) at(place uint32) (name string, ok bool) {
	if place == 0 {
		return "", true
	}
	n, ok := dcdb.NameNumber(place)
	if !ok || (n+1)*dcdb.NameSize > len(t.records) {
		return "", false
	}
	name, _ = dcdb.DecodeName(t.records[n*dcdb.NameSize:(n+1)*dcdb.NameSize], foreign.Decode)
	if dcdb.IsUnknown(name) {
		name = ""
	}
	return name, true
}

// fill takes over the whole records of a file.
func (t *nameTable) fill(records []byte) {
	t.records = records[:len(records)/dcdb.NameSize*dcdb.NameSize]
	for at := 0; at < len(t.records); at += dcdb.NameSize {
		n := dcdb.Name(t.records[at:])
		if _, seen := t.places[n]; !seen {
			t.places[n] = dcdb.MagicSize + uint32(at)
		}
	}
}

// putNames fills the references of the index entry. Was is the stored entry of
// a game whose names are copied; nil if there is none, or nothing in it is
// other than would be written.
func (c *simpleEncoder) putNames(h *model.Header, was *dcdb.Entry) (err error) {
	e := &c.entry
	if was == nil {
		was = &noEntry
	}
	if e.White, err = c.playerPlace(h.White, was.White); err != nil {
		return err
	}
	if e.Black, err = c.playerPlace(h.Black, was.Black); err != nil {
		return err
	}
	places, err := c.tournamentPlaces(h.Tournament, [2]uint32{was.Site, was.Event})
	e.Site, e.Event = places[0], places[1]
	return err
}

// noReference is a reference that leads nowhere.
const noReference = 1

// noEntry is an entry without references.
var noEntry = dcdb.Entry{White: noReference, Black: noReference, Site: noReference, Event: noReference}

// playerPlace returns the place of a player's name: the stored one if it leads
// to the player.
func (c *simpleEncoder) playerPlace(id model.EntityID, stored uint32) (uint32, error) {
	p := c.tables.Players.Value(id)
	if name, ok := c.players.at(stored); ok && dcdb.Player(name) == p {
		return stored, nil
	}
	if place, ok := c.playersSeen[id]; ok {
		return place, nil
	}
	place, back, err := c.namePlace(&c.players, p.String())
	if err != nil {
		return 0, err
	}
	if dcdb.Player(back) != p {
		c.nameChanged("player", p.String(), back)
	}
	c.playersSeen[id] = place
	return place, nil
}

// tournamentPlaces returns the places of a tournament's site and event: the
// stored ones if they lead there. What else is known of it is lost.
func (c *simpleEncoder) tournamentPlaces(id model.EntityID, stored [2]uint32) (places [2]uint32, err error) {
	t := c.tables.Tournaments.Value(id)
	site, okSite := c.sites.at(stored[0])
	event, okEvent := c.events.at(stored[1])
	if okSite && okEvent && t == (model.Tournament{Title: event, Place: site}) {
		return stored, nil
	}
	if places, ok := c.tournamentsSeen[id]; ok {
		return places, nil
	}
	if t != (model.Tournament{Title: t.Title, Place: t.Place}) {
		c.lost(model.LostField, "tournament", "%q: all but its title and place", t.Title)
	}
	for i, f := range []struct {
		table *nameTable
		field string
		name  string
	}{{&c.sites, "site", t.Place}, {&c.events, "event", t.Title}} {
		var back string
		if places[i], back, err = c.namePlace(f.table, f.name); err != nil {
			return places, err
		}
		if back != f.name {
			c.nameChanged(f.field, f.name, back)
		}
	}
	c.tournamentsSeen[id] = places
	return places, nil
}

// namePlace returns the place of a name and how it reads back; what is unknown
// reads as "".
func (c *simpleEncoder) namePlace(t *nameTable, name string) (place uint32, back string, err error) {
	if strings.TrimSpace(name) == "" {
		place, err = t.place(dcdb.EncodeName(dcdb.Unknown))
		return place, "", err
	}
	n := dcdb.EncodeName(name)
	if back, _ = dcdb.DecodeName(n[:], foreign.Decode); dcdb.IsUnknown(back) {
		back = ""
	}
	place, err = t.place(n)
	return place, back, err
}

// nameChanged reports a name that reads back otherwise.
func (c *simpleEncoder) nameChanged(field, name, back string) {
	if len(name) > dcdb.NameSize && back != "" && strings.HasPrefix(strings.TrimSpace(name), back) {
		c.lost(model.LostTextEnd, field, "%q: cut to %d bytes", name, len(back))
		return
	}
	c.lost(model.Changed, field, "%q reads back as %q", name, back)
}
