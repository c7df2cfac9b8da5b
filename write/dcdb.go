package write

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"time"

	"cbkit/internal/atomicset"
	"cbkit/internal/dbfile"
	"cbkit/internal/dcdb"
	"cbkit/internal/fsys"
	"cbkit/internal/lifecycle"
	"cbkit/model"
)

// SimpleOptions says how to write a Simple Chess Database. The zero value is
// good for most.
type SimpleOptions struct {
	// Layout is SimpleV0 or SimpleV1; 0 is that of the source if it is a
	// Simple Chess Database, else DefaultSimpleLayout.
	Layout SimpleLayout
	// Force replaces a target that exists.
	Force bool
	// Fresh collects the names anew and computes everything, even if the
	// source is a Simple Chess Database. A copy that leaves games out needs
	// it.
	Fresh bool
	// Carried, if not nil, is told by Commit which damage a copy has taken over
	// with the stored bytes.
	Carried func([]Carried)
	// Chess960 writes games of Chess960, which the format excludes, with their
	// castling rights by files and castling as the king taking its rook. If it
	// is false each of them is a loss.
	Chess960 bool
	// Report is told what the format cannot hold. Without one, Commit fails with
	// a *model.LossError if there is such a thing, unless AcceptLosses is set.
	Report       model.Report
	AcceptLosses bool
	// Wait is how long CreateSimple waits for another writer of the target; 0
	// is not at all. Context, if not nil, ends it.
	Wait    time.Duration
	Context context.Context
	// OnReplace, if not nil, is told in Commit which files of the old database
	// went away that the new one has not, and what was in the way and is kept.
	OnReplace func(Replacement)

	// files is the file system, for tests; nil is the machine's.
	files fsys.FS
}

// SimpleCreator writes a new Simple Chess Database. It is a [model.Sink].
type SimpleCreator struct {
	simpleEncoder
	set  *atomicset.Set
	base string // name of the files without an ending
	src  model.Source

	openDefault  uint64
	index, games *blockFile

	life    lifecycle.Sink
	last    model.RecordID
	written int
}

// simpleEncoder makes index entries and records of games.
type simpleEncoder struct {
	opt     SimpleOptions
	layout  dcdb.Layout
	tables  *model.Entities // of the games that come
	copying bool            // names and references are those of the source
	carried carriedList

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

// CreateSimple begins a new Simple Chess Database. Path names any of its files,
// or is the name without an ending; the endings are written in lower case.
// Nothing is visible there before [SimpleCreator.Commit].
//
// Errors are those of [Create].
func CreateSimple(path string, opt SimpleOptions) (*SimpleCreator, error) {
	switch opt.Layout {
	case 0, SimpleV0, SimpleV1:
	default:
		return nil, fmt.Errorf("write: databases of %v are not written", opt.Layout)
	}
	if opt.files == nil {
		opt.files = fsys.OS{}
	}
	main := simpleMain(path)
	set, err := atomicset.New(opt.files, main, atomicset.Options{
		Force: opt.Force, Extensions: simpleExtensions, Proves: isSimpleMain, Wait: opt.Wait, Context: opt.Context, OnReplace: opt.OnReplace,
	})
	if err != nil {
		return nil, err
	}
	name := filepath.Base(main)
	c := &SimpleCreator{life: lifecycle.Sink{Package: "write"}, set: set, base: name[:len(name)-len(".dci")]}
	c.opt = opt
	c.opt.Report = c.life.Report(opt.Report, opt.AcceptLosses)
	c.carried.report = opt.Carried
	c.encoder.Lost = c.lost
	return c, nil
}

// simpleMain returns the name of a database's .dci file.
func simpleMain(path string) string { return atomicset.MainFile(path, "dci", simpleExtensions) }

// RecoverSimple does for a Simple Chess Database what [Recover] does for a
// ChessBase database.
func RecoverSimple(path string) (Recovery, error) {
	return atomicset.Recover(fsys.OS{}, simpleMain(path), atomicset.Options{Extensions: simpleExtensions, Proves: isSimpleMain})
}

// isSimpleMain reports whether a .dci file that begins so is one.
func isSimpleMain(head []byte) bool {
	_, err := dcdb.CheckMagic(head, dcdb.Index)
	return err == nil
}

// Begin implements [model.Sink].
func (c *SimpleCreator) Begin(src model.Source) error {
	if err := c.life.Begin(src); err != nil {
		return err
	}
	c.src = src
	c.layout = dcdb.Layout(c.opt.Layout)
	header := src.Leftover().From(dcdb.Format)
	if c.layout == 0 {
		c.layout = layoutOf(header)
	}
	c.encoder.Promotions = c.layout.Promotions()
	c.from(src.Entities())
	for _, names := range []*nameTable{&c.players, &c.sites, &c.events} {
		names.places = map[dcdb.Name]uint32{}
	}
	if !c.opt.Fresh {
		if len(header) >= dcdb.V0.HeaderSize() {
			c.openDefault = dcdb.V0.OpenDefault(header)
		}
		if err := c.copyNames(); err != nil {
			return err
		}
	}
	for _, f := range []struct {
		to       **blockFile
		ext      string
		headSize int
	}{{&c.index, ".dci", c.layout.HeaderSize()}, {&c.games, ".dcg", dcdb.MagicSize}} {
		file, err := c.set.Create(c.base + f.ext)
		if err != nil {
			return err
		}
		if *f.to, err = newBlockFile(file, c.base+f.ext, f.headSize); err != nil {
			return err
		}
	}
	return c.life.Begun(nil)
}

// Layout returns the layout of the database. It is known from Begin on.
func (c *SimpleCreator) Layout() SimpleLayout { return SimpleLayout(c.layout) }

// layoutOf returns the layout of a source with the given index header, if it
// has one, and can be written.
func layoutOf(header []byte) dcdb.Layout {
	switch {
	case len(header) == dcdb.V0.HeaderSize():
		return dcdb.V0
	case len(header) == dcdb.V1.HeaderSize() && header[dcdb.MagicSize] == 1:
		return dcdb.V1
	}
	return dcdb.Layout(DefaultSimpleLayout)
}

// lost reports a loss of the record that is being written.
func (c *simpleEncoder) lost(kind model.LossKind, field, format string, args ...any) {
	c.opt.Report.Add(kind, c.writing, field, format, args...)
}

// Put implements [model.Sink]. Games are numbered from 1 in the order in which
// they come.
func (c *SimpleCreator) Put(rec model.Record) error {
	if err := c.life.Put(&rec); err != nil {
		return err
	}
	if rec.ID <= c.last {
		return fmt.Errorf("write: record %d after record %d: records must come in ascending order", rec.ID, c.last)
	}
	c.last = rec.ID
	if !c.takes(rec) {
		return nil
	}
	return c.putGame(rec)
}

// takes reports whether a record is a game that the format has; what is not is
// lost.
func (c *simpleEncoder) takes(rec model.Record) bool {
	c.writing = rec.ID
	switch {
	case rec.Text != nil:
		c.lost(model.LostRecord, "text", "the format has no guiding texts")
		return false
	case !c.opt.Chess960 && rec.Game.Start != nil && rec.Game.Start.Chess960:
		c.lost(model.LostRecord, "game", "the format excludes Chess960")
		return false
	}
	model.ReportMissing(rec, c.tables, c.opt.Report)
	return true
}

// putGame writes a game and its index entry.
func (c *SimpleCreator) putGame(rec model.Record) error {
	body, err := c.encode(rec)
	if err != nil {
		return err
	}
	if uint64(c.games.size) > math.MaxInt64-uint64(len(body))-dcdb.MaxLengthSize {
		return fmt.Errorf("write: record %d: %w", rec.ID, model.ErrTooLarge)
	}
	c.entry.Offset = uint64(c.games.size)
	c.head = dcdb.AppendLength(c.head[:0], uint32(len(body)))
	if err := errors.Join(c.games.append(c.head), c.games.append(body)); err != nil {
		return err
	}
	c.head = c.layout.AppendEntry(c.head[:0], &c.entry)
	c.written++
	return c.index.append(c.head)
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
	if err := c.life.Commit(); err != nil {
		return err
	}
	for _, f := range []struct {
		ext   string
		kind  dcdb.File
		table *nameTable
	}{{".dcn", dcdb.Names, &c.players}, {".dcs", dcdb.Sites, &c.sites}, {".dce", dcdb.Events, &c.events}} {
		if err := c.writeNames(f.ext, f.kind, f.table); err != nil {
			return err
		}
	}
	if err := c.games.finish(dcdb.AppendMagic(nil, dcdb.Games)); err != nil {
		return err
	}
	if err := c.index.finish(c.layout.AppendIndexHeader(nil, c.openDefault)); err != nil {
		return err
	}
	if err := c.life.Lost(); err != nil {
		return err
	}
	if err := c.set.Commit(); err != nil {
		return err
	}
	c.carried.tell()
	return nil
}

// writeNames writes a file of names.
func (c *SimpleCreator) writeNames(ext string, kind dcdb.File, table *nameTable) error {
	file, err := c.set.Create(c.base + ext)
	if err != nil {
		return err
	}
	for _, part := range [][]byte{dcdb.AppendMagic(nil, kind), table.records} {
		if _, err := file.Write(part); err != nil {
			return fmt.Errorf("%s%s: %w", c.base, ext, err)
		}
	}
	return file.Close()
}

// Written implements [model.Counter].
func (c *SimpleCreator) Written() int { return c.written }

// Abort implements [model.Sink].
func (c *SimpleCreator) Abort() error {
	c.life.Abort()
	return c.set.Abort()
}
