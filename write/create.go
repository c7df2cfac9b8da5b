package write

import (
	"context"
	"fmt"
	"time"

	"cbkit/internal/cbh"
	"cbkit/internal/fsys"
	"cbkit/model"
)

// Options configures [Create], [CreateCopy] and [CreateSimple]. The zero value is good for
// most databases. What a database of the kind has no use for is not looked at.
type Options struct {
	// Force replaces a target that exists.
	Force bool
	// CodePage is the page for names and texts; what it cannot hold is
	// written as UTF-8. Names are those of read.Options; "" is 1252.
	CodePage string
	// Now is the clock of creation stamps; nil is time.Now. With a fixed
	// clock the same input gives the same bytes.
	Now func() time.Time
	// Report is told what the format cannot hold. If it is nil, Commit fails with a
	// *model.LossError if there is any such loss, unless AcceptLosses is set.
	Report       model.Report
	AcceptLosses bool
	// Wait is how long to wait for another writer of the target; 0 is not at all.
	Wait time.Duration
	// OnReplace, if not nil, is called by Commit if the target replaces a database:
	// it is told which old files were removed without a successor, and which were
	// in the way and are kept.
	OnReplace func(Replacement)
	// In, if not nil, is where the database is made, in place of the disk.
	In *Memory

	// Boosters, if not nil, says that Commit makes the search boosters too, as
	// [Boosters] does: they are in place with the database, or nothing is. Of these
	// options Wait means nothing. A copy leaves those of the source behind then.
	Boosters *BoosterOptions

	// Carried, if not nil, is told by Commit which damage a copy has taken over with
	// the stored bytes.
	Carried func([]Carried)

	// Layout, of a Simple Chess Database, is SimpleV0 or SimpleV1; 0 is that of the
	// source if it is one too, else DefaultSimpleLayout.
	Layout SimpleLayout
	// Fresh collects the names anew and computes everything, even if the source is
	// a Simple Chess Database as the target. A copy that leaves games out needs it.
	Fresh bool
	// Chess960 writes games of Chess960, which Simple Chess Databases exclude, with
	// their castling rights by files and castling as the king taking its rook. If it
	// is false each of them is a loss.
	Chess960 bool

	// apart says that names of one key stay apart although the source, which is
	// salvaged, is not known to be one of ChessBase.
	apart bool
	// locked says that the caller of [CreateCopy] has the target locked.
	locked bool
	// files is the file system, for tests; nil is the machine's.
	files fsys.FS
}

// Creator writes a new ChessBase database. It is a [model.Sink].
type Creator struct {
	*target
	page    cbh.CodePage
	encoder encoder

	src model.Source
	// companions go along with a ChessBase source.
	companions companions
	// unread are the endings of files of the source that are damaged or not
	// understood, and lost.
	unread []string
	apart  bool // names of one key stay apart, as in a ChessBase source

	heads, exts, moves, annotations *blockFile
	entities                        entityTables
	media                           *cbh.MediaFile

	last    model.RecordID
	stamp   stamps
	scratch scratch
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
// From then on nobody else can write there, until Commit or Abort; ctx ends waiting
// for it, and Commit. Errors wrap
// fs.ErrExist if there is a database already, or a file that would become a part
// of it, and Force is not set; model.ErrLocked if another process is writing it;
// model.ErrNeedsRecovery if that was interrupted.
func Create(ctx context.Context, path string, opt Options) (*Creator, error) {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	var page cbh.CodePage
	if opt.CodePage != "" {
		var err error
		if page, err = cbh.ParseCodePage(opt.CodePage); err != nil {
			return nil, err
		}
	}
	t, err := newTarget(ctx, path, targetOptions{
		force: opt.Force, wait: opt.Wait, onReplace: opt.OnReplace,
		report: opt.Report, acceptLosses: opt.AcceptLosses, boosters: opt.Boosters, files: within(opt.In, opt.files, path),
	})
	if err != nil {
		return nil, err
	}
	c := &Creator{target: t, page: page, apart: opt.apart, encoder: encoder{page: page, report: t.report}, media: cbh.NewMediaFile()}
	c.stamp.next = cbh.CreationStamp(opt.Now())
	return c, nil
}

// Begin implements [model.Sink].
func (c *Creator) Begin(src model.Source) error {
	if err := c.life.Begin(src); err != nil {
		return err
	}
	c.src = src
	c.companions = companionsOf(src, storedBy(src))
	c.unread, c.apart = c.companions.unread(), c.apart || c.companions.stored != nil
	if set := c.companions.files; set != nil {
		if err := c.reserve(set); err != nil {
			return err
		}
	}
	c.entities.begin(c)
	return c.life.Begun(c.openFiles())
}

// openFiles creates the files that grow with every record.
func (c *Creator) openFiles() (err error) {
	for _, f := range []struct {
		to       **blockFile
		ext      string
		headSize int
	}{
		{&c.heads, ".cbh", cbh.RecordSize}, {&c.exts, ".cbj", cbh.ExtHeaderSize},
		{&c.moves, ".cbg", cbh.BlockHeaderSize}, {&c.annotations, ".cba", cbh.BlockHeaderSize},
	} {
		if *f.to, err = c.createBlocks(f.ext, f.headSize); err != nil {
			return err
		}
	}
	return nil
}

// Put implements [model.Sink]. Records are numbered from 1 in the order in
// which they come.
func (c *Creator) Put(rec model.Record) error {
	if err := c.life.Put(&rec); err != nil {
		return err
	}
	if rec.ID <= c.last {
		return fmt.Errorf("write: record %d after record %d: records must come in ascending order", rec.ID, c.last)
	}
	if c.number() == cbh.MaxRecords {
		return fmt.Errorf("write: record %d: %w: a database holds %d games and texts", rec.ID, model.ErrTooLarge, cbh.MaxRecords)
	}
	c.last = rec.ID
	c.companions.examined.put(model.RecordID(c.number()+1), rec.ID)
	model.ReportUnread(rec, c.src.Entities(), cbh.Format, c.report)
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
