package write

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"time"

	"cbkit/internal/atomicset"
	"cbkit/internal/cbh"
	"cbkit/internal/fsys"
	"cbkit/internal/lifecycle"
	"cbkit/model"
)

// Options says how to write. The zero value is good for most databases.
type Options struct {
	// Force replaces a target that exists.
	Force bool
	// CodePage is the page for names and texts; what it cannot hold is
	// written as UTF-8. Names are those of read.Options; "" is 1252.
	CodePage string
	// Fresh numbers entities anew and computes everything, even if the source
	// is a ChessBase database. A copy that leaves records out needs it. Media,
	// settings and marks of an open ChessBase database go along all the same.
	Fresh bool
	// Carried, if not nil, is told by Commit which damage a copy has taken over
	// with the stored bytes.
	Carried func([]Carried)
	// Now is the clock of creation stamps; nil is time.Now. With a fixed
	// clock the same input gives the same bytes.
	Now func() time.Time
	// Report is told what the format cannot hold. Without one, Commit fails with
	// a *model.LossError if there is such a thing, unless AcceptLosses is set.
	Report       model.Report
	AcceptLosses bool
	// Boosters asks for the search boosters too; see the function Boosters.
	// They are computed when the database is in place.
	Boosters bool
	// Context, if not nil, ends Commit when it is done, and waiting. Once the
	// database is in place, only the search boosters are missing then.
	Context context.Context
	// Wait is how long Create waits for another writer of the target; 0 is not
	// at all.
	Wait time.Duration
	// OnReplace, if not nil, is told in Commit which files of the old database
	// went away that the new one has not, and what was in the way and is kept.
	OnReplace func(Replacement)
	// Jobs is how many processors compute search boosters; 0 uses all.
	Jobs int
	// Progress, if not nil, is told of how many of all records the search
	// boosters are computed.
	Progress func(done, total int)

	// files is the file system, for tests; nil is the machine's.
	files fsys.FS
}

// Creator writes a new ChessBase database. It is a [model.Sink].
type Creator struct {
	opt     Options
	page    cbh.CodePage
	encoder encoder
	claim   *atomicset.Claim
	set     *atomicset.Set
	path    string // of the .cbh file
	base    string // name of the files without an ending

	src  model.Source
	copy *copied // what is copied from a ChessBase source; nil when written afresh
	// companions go along either way.
	companions companions
	folders    []string // of media that are copied
	// unread are the endings of files of the source that are damaged or not
	// understood. Only a pure copy keeps them.
	unread []string

	heads, exts, moves, annotations *blockFile
	extSize                         int
	entities                        entityTables
	media                           *cbh.MediaFile

	life  lifecycle.Sink
	last  model.RecordID
	stamp stamps
	// replaced is what became of the files of the old database.
	replaced Replacement
	carried  carriedList
	extras   int // .cbj records written
	scratch  scratch
}

var (
	_ model.Sink    = (*Creator)(nil)
	_ model.Counter = (*Creator)(nil)
)

// Create begins a new database. Path names any of its files, or is the name
// without an ending; the endings are written in lower case. Another ending
// belongs to the name: "Mega.2024" becomes Mega.2024.cbh. Nothing is visible
// there before [Creator.Commit].
//
// From then on nobody else can write there, until Commit or Abort. Errors wrap
// fs.ErrExist if there is a database already, or a file that would become a part
// of it, and Force is not set; model.ErrLocked if another process is writing it;
// model.ErrNeedsRecovery if that was interrupted.
func Create(path string, opt Options) (*Creator, error) {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Context == nil {
		opt.Context = context.Background()
	}
	if opt.files == nil {
		opt.files = fsys.OS{}
	}
	var page cbh.CodePage
	if opt.CodePage != "" {
		var err error
		if page, err = cbh.ParseCodePage(opt.CodePage); err != nil {
			return nil, err
		}
	}
	main := mainFile(path)
	c := &Creator{opt: opt, page: page, path: main}
	claim, err := atomicset.NewClaim(opt.files, main, atomicset.Options{
		Force: opt.Force, Extensions: cbh.SetExtensions, Proves: isMain, Wait: opt.Wait, Context: opt.Context,
		OnReplace: func(r Replacement) { c.replaced = r },
	})
	if err != nil {
		return nil, err
	}
	set, err := claim.Begin()
	if err != nil {
		return nil, cmp.Or(err, claim.Release())
	}
	name := filepath.Base(main)
	c.claim, c.set, c.base = claim, set, name[:len(name)-len(".cbh")]
	c.life.Package = "write"
	c.opt.Report = c.life.Report(opt.Report, opt.AcceptLosses)
	c.encoder = encoder{page: page, report: c.opt.Report}
	c.carried.report = opt.Carried
	c.stamp.next = cbh.CreationStamp(opt.Now())
	return c, nil
}

// Begin implements [model.Sink].
func (c *Creator) Begin(src model.Source) error {
	if err := c.life.Begin(src); err != nil {
		return err
	}
	c.src = src
	stored := storedBy(src)
	// Entities of a source that does not know its size, such as JSON Lines, are
	// numbered as records mention them: not as they were in the original.
	if stored != nil && !c.opt.Fresh && src.Count() >= 0 {
		c.copy = copyOf(stored, src.Entities())
	}
	c.companions = companionsOf(src, stored)
	if stored != nil {
		c.unread = unread(stored, c.copy == nil && c.companions.files == nil)
	}
	if err := c.reserve(); err != nil {
		return err
	}
	if err := c.openFiles(); err != nil {
		return err
	}
	return c.life.Begun(c.entities.begin(c))
}

// openFiles creates the files that grow with every record.
func (c *Creator) openFiles() error {
	moves, annotations := cbh.NewBlockHeader(0, 0), cbh.NewBlockHeader(0, 0)
	ext := cbh.NewExtHeader()
	if c.copy != nil {
		moves.Size, annotations.Size = c.copy.Moves.Size, c.copy.Annotations.Size
		if c.copy.Ext != nil {
			ext = *c.copy.Ext
		}
	}
	c.extSize = int(ext.RecordSize)
	for _, f := range []struct {
		to       **blockFile
		ext      string
		headSize int
	}{
		{&c.heads, ".cbh", cbh.RecordSize},
		{&c.exts, ".cbj", cbh.ExtHeaderSize},
		{&c.moves, ".cbg", int(moves.Size)},
		{&c.annotations, ".cba", int(annotations.Size)},
	} {
		if f.ext == ".cbj" && c.copy != nil && c.copy.Ext == nil {
			continue // the original has no such file
		}
		file, err := c.create(f.ext)
		if err != nil {
			return err
		}
		if *f.to, err = newBlockFile(file, c.base+f.ext, f.headSize); err != nil {
			return err
		}
	}
	return c.openMedia()
}

// openMedia prepares the lists of media files.
func (c *Creator) openMedia() error {
	c.media = cbh.NewMediaFile()
	if c.copy == nil || c.copy.Media == nil {
		return nil
	}
	media, err := cbh.DecodeMediaFile(c.copy.Media)
	if err == nil {
		c.media = media
	}
	return err
}

// create creates a file of the set.
func (c *Creator) create(ext string) (fsys.File, error) { return c.set.Create(c.base + ext) }

// Put implements [model.Sink]. Records are numbered from 1 in the order in
// which they come.
func (c *Creator) Put(rec model.Record) error {
	if err := c.life.Put(&rec); err != nil {
		return err
	}
	if rec.ID <= c.last {
		return fmt.Errorf("record %d after record %d: records must come in ascending order", rec.ID, c.last)
	}
	if c.number() == cbh.MaxRecords {
		return fmt.Errorf("record %d: %w: a database holds %d games and texts", rec.ID, model.ErrTooLarge, cbh.MaxRecords)
	}
	if rec.ID != c.last+1 {
		c.copy.changed()
	}
	c.last = rec.ID
	c.companions.examined.put(model.RecordID(c.number()+1), rec.ID)
	if c.copy == nil {
		model.ReportMissing(rec, c.src.Entities(), c.opt.Report)
	}
	if rec.Text != nil {
		return c.putText(rec)
	}
	return c.putGame(rec)
}

// number returns how many records were written.
func (c *Creator) number() int { return int(c.heads.size/cbh.RecordSize) - 1 }

// Written implements [model.Counter].
func (c *Creator) Written() int {
	if c.heads == nil {
		return 0
	}
	return c.number()
}

// Abort implements [model.Sink].
func (c *Creator) Abort() error {
	c.life.Abort()
	return cmp.Or(c.set.Abort(), c.claim.Release())
}
