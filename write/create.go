package write

import (
	"context"
	"fmt"
	"slices"
	"time"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhedit"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/internal/jobs"
	"cbkit/model"
	"cbkit/read"
)

// Options configures [Create], [CreateCopy] and [CreateSimple]. The zero value is good
// for most databases. A field that does not concern the kind of database is ignored.
type Options struct {
	// Force replaces a target that exists.
	Force bool
	// CodePage is the page for names and texts; what it cannot hold is
	// written as UTF-8. Names are those of read.Options; "" is 1252.
	CodePage string
	// Now is the clock of creation stamps; nil is time.Now. With a fixed
	// clock the same input gives the same bytes.
	Now func() time.Time
	// Report is called for what the format cannot hold. If it is nil, Commit fails with a
	// *model.LossError if there is any such loss, unless AcceptLosses is set.
	Report       model.Report
	AcceptLosses bool
	// Wait is how long to wait for another writer of the target; 0 is not at all.
	Wait time.Duration
	// OnReplace, if not nil, is called by Commit if the target replaces a database, with
	// the old files that no new file replaced and the files in the way that are kept.
	OnReplace func(model.Replacement)
	// In, if not nil, is where the database is made, in place of the disk.
	In *Memory
	// Folder, if not nil, is shared by databases that are made in one folder.
	Folder *Folder

	// Boosters, if not nil, says that Commit makes the search boosters too, as [Boosters]
	// does: they are in place with the database, or nothing is. Their Wait is ignored. A
	// copy then does not take over the boosters of the source.
	Boosters *BoosterOptions

	// Layout, of a Simple Chess Database, is SimpleV0 or SimpleV1; 0 is that of the
	// source if it is one too, else SimpleV1.
	Layout SimpleLayout
	// Fresh collects the names anew and computes everything, even if source and target
	// are both Simple Chess Databases. A copy that leaves games out needs it.
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
	appender

	src model.Source
	// stored is what a ChessBase source has besides its records, nil if the source is not
	// one; from are its files, nil if they are not at hand.
	stored   *cbh.DatabaseLeftover
	from     *read.FileSet
	examined examinedMarks
	apart    bool // names of one key stay apart, as in a ChessBase source
	entities entityTables
	extras   []byte // records of the .cbtt file of the source of an unknown kind
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
// From then on no other writer can write there, until Commit or Abort. When ctx is done,
// waiting for another writer and Commit end. Errors wrap fs.ErrExist if there is a
// database already, or a file that would become a part of it, and Force is not set;
// model.ErrLocked if another process is writing it; model.ErrNeedsRecovery if that was
// interrupted.
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
	t, err := newTarget(ctx, path, opt)
	if err != nil {
		return nil, err
	}
	c := &Creator{target: t, apart: opt.apart, appender: appender{encoder: encoder{page: page, report: t.opt.Report}}}
	c.stamp.next = cbh.CreationStamp(opt.Now())
	return c, nil
}

// Begin implements [model.Sink].
func (c *Creator) Begin(src model.Source) error {
	if err := c.lifecycle.Begin(src); err != nil {
		return err
	}
	c.src = src
	if data := src.Leftover().From(cbh.Format); data != nil {
		if stored, err := cbh.DecodeDatabaseLeftover(data); err == nil {
			c.stored, c.apart = stored, true
			c.examined = newExaminedMarks(stored.Examined, model.RecordID(stored.Records))
			if db, ok := src.(interface{ Files() *read.FileSet }); ok {
				c.from = db.Files()
			}
		}
	}
	if c.from != nil {
		if err := c.reserve(c.from); err != nil {
			return err
		}
	}
	return c.lifecycle.Begun(c.open())
}

// open makes the files of a database without records, with what of the source belongs
// into their headers.
func (c *Creator) open() (err error) {
	head := cbh.NewFileHeader(0)
	if c.stored != nil && c.stored.Games != nil {
		// Numbers of embedded media go on, since the folders of media go along.
		from := c.stored.Games
		head.NextSound, head.NextPicture, head.NextVideo = from.NextSound, from.NextPicture, from.NextVideo
	}
	extras := cbh.NewTournamentExtraHeader()
	if c.from != nil && c.stored.TournamentExtras != nil {
		stored, err := cbh.DecodeTournamentExtraHeader(c.stored.TournamentExtras)
		if err != nil {
			return err
		}
		if !stored.IsKnown() { // else the tournaments know what the records say
			records := c.stored.TournamentExtras[cbh.TournamentExtraHeaderSize:]
			cut := len(records) % int(stored.RecordSize)
			if c.extras = records[:len(records)-cut]; cut > 0 {
				c.leftBehind(".cbtt", "%d bytes behind the last whole record", cut)
			}
			extras = stored
			extras.Highest = 0
		}
	}
	// ChessBase always writes the first record.
	first, _ := cbh.AppendTournamentExtra(extras.Append(nil), model.Tournament{}, int(extras.RecordSize)) // nothing to lose
	if c.db, err = cbhedit.Create(c.staged, map[string][]byte{".cbh": head.Append(nil), ".cbtt": first}); err == nil {
		t, e := &c.entities, c.src.Entities()
		t.players.init(c, &cbh.Players, &e.Players)
		t.tournaments.init(c, &cbh.Tournaments, &e.Tournaments)
		t.annotators.init(c, &cbh.Annotators, &e.Annotators)
		t.sources.init(c, &cbh.Sources, &e.Sources)
		t.teams.init(c, &cbh.Teams, &e.Teams)
		t.gameTitles.init(c, &cbh.GameTitles, &e.GameTitles)
	}
	return err
}

// Put implements [model.Sink]. Records are numbered from 1 in the order in
// which they come.
func (c *Creator) Put(rec model.Record) error {
	if err := c.begin(&rec); err != nil {
		return err
	}
	if c.db.Count() == cbh.MaxRecords {
		return fmt.Errorf("write: record %d: %w: a database holds %d games and texts", rec.ID, model.ErrTooLarge, cbh.MaxRecords)
	}
	c.examined.put(c.db.Count()+1, rec.ID)
	model.ReportUnread(rec, c.src.Entities(), cbh.Format, c.opt.Report)
	return c.add(rec, &c.entities)
}

// Written implements [model.Counter].
func (c *Creator) Written() int {
	if c.db == nil {
		return 0
	}
	return int(c.db.Count())
}

// Commit implements [model.Sink].
func (c *Creator) Commit() error {
	if err := c.lifecycle.Commit(); err != nil {
		return err
	}
	return c.commit(c.settle, c.finishCompanions)
}

// settle makes true what entities say that several records have brought, and what of
// tournaments is not in their own file. Then the files agree, and are closed.
func (c *Creator) settle() error {
	e := &c.entities
	if err := jobs.InTurn(e.tournaments.settle, e.sources.settle); err != nil {
		return err
	}
	origins, size := []int(nil), 0
	if c.extras != nil {
		head, err := cbh.DecodeTournamentExtraHeader(c.stored.TournamentExtras)
		if err != nil {
			return err
		}
		origins, size = e.tournaments.origins(), int(head.RecordSize)
	}
	for id, t := range e.tournaments.values {
		var old []byte
		if origins != nil && origins[id] >= 0 && origins[id] < len(c.extras)/size {
			old = c.extras[origins[id]*size:][:size]
		}
		losses, err := c.db.PutExtra(int32(id), t, old)
		if err != nil {
			return err
		}
		c.encoder.loseOf(&cbh.Tournaments.EntityFile, losses, 0)
	}
	if _, err := c.db.Finish(false); err != nil {
		return err
	}
	return c.staged.Complete()
}

// finishCompanions writes the marks, the settings and the folders of media of a ChessBase
// source. Its boosters are left, which can be computed, and its opening keys and the like,
// which is reported: all of them go by numbers of records and entities.
func (c *Creator) finishCompanions() error {
	if c.stored == nil {
		return nil
	}
	examined, ok := c.examined.file(c.Written())
	if !ok {
		c.leftBehind(".flags", "cannot be read, and records have other numbers now")
	}
	if examined != nil {
		if err := c.writeFile(".flags", examined); err != nil {
			return err
		}
	}
	if err := c.writeSettings(c.stored.Settings); err != nil {
		return err
	}
	const unread = "it is damaged or of an unknown version; only a copy without changes keeps it"
	isUnread := func(ext string) bool { return slices.Contains(cbh.NewFileExts, ext) }
	for _, ext := range c.stored.Others {
		if isUnread(ext) {
			c.leftBehind(ext, unread)
		}
	}
	if c.from == nil {
		if h, err := cbh.DecodeTournamentExtraHeader(c.stored.TournamentExtras); c.stored.TournamentExtras != nil && err == nil && !h.IsKnown() {
			c.leftBehind(".cbtt", unread)
		}
		return nil
	}
	for _, ext := range c.stored.Others {
		if !dbfile.IsBooster(ext) && !isUnread(ext) {
			c.leftBehind(ext, "not copied: it may go by the numbers of records and names, which have changed")
		}
	}
	return c.copyMedia(c.from)
}
