package write

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"cbkit/internal/booster"
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/derive"
	"cbkit/internal/extsort"
	"cbkit/internal/fsys"
	"cbkit/internal/journal"
	"cbkit/internal/posindex"
	"cbkit/model"
	"cbkit/read"
)

// BoosterOptions configures [Boosters]. The zero value is good for most
// databases.
type BoosterOptions struct {
	// Files are the endings of the files to write, with or without a dot; none
	// means all that the database can have. Of a pair (.cit and .cib, .cit2
	// and .cib2) always both are written.
	Files []string
	// Positions, if not 0, makes the index of positions: those after at most so many
	// plies, up to 10,000, and all with at most 12 pieces; 40 is usual
	// (docs/formats/positions.md). Without Files nothing else is made.
	Positions int
	// Structures also lists pawn structures and material in that index, for searches for
	// them, which makes it larger by three fifths. If Positions is 0 it makes the index.
	Structures bool
	// Memory bounds the memory for sorting in bytes; 0 is 16 MB, and 64 MB for the index
	// of positions. What does not fit goes to a temporary file beside the database.
	Memory int
	// Jobs is how many processors decode, as in [read.Options].
	Jobs int
	// Progress, if not nil, is called with how many of all records are done.
	Progress func(done, total int)
	// Undecoded, if not nil, is called for every game whose moves cannot be
	// decoded: its record in the .cbb file is left zero.
	Undecoded func(model.RecordID, error)

	// NoSeal leaves out the seal (.cbkit), which holds the change times of files, so that
	// the same database gives the same bytes. Without a seal no search trusts the .cbb
	// file, and the next edit removes it.
	NoSeal bool

	// Wait is how long to wait for another writer of the database; 0 is not at
	// all.
	Wait time.Duration

	// In, if not nil, is where the database is, in place of the disk.
	In *Memory

	// files is the file system, for tests; nil is the machine's.
	files fsys.FS
	// set is the database, if the caller has it open for change.
	set *journal.Set
}

// BoosterResult reports what [Boosters] did.
type BoosterResult struct {
	// Files are the names of the files written.
	Files []string `json:"files"`
	// Records is the number of games and texts they cover.
	Records int `json:"records"`
	// Undecoded is the number of games without a record in the .cbb file.
	Undecoded int `json:"undecoded"`
	// Skipped are the files that could not be computed; existing ones are left as
	// they were.
	Skipped []SkippedBoosters `json:"skipped,omitempty"`
}

// SkippedBoosters are booster files that could not be computed, with the
// reason.
type SkippedBoosters struct {
	Files  []string `json:"files"`
	Reason string   `json:"reason"`
}

// lacking returns an error if boosters are missing of a database that is in place.
func (r BoosterResult) lacking() error {
	if len(r.Skipped) == 0 {
		return nil
	}
	return fmt.Errorf("%w, but search boosters could not be made: %s", model.ErrCommitted, r.Skipped[0].Reason)
}

// BoosterExts returns the endings of the search boosters of a ChessBase database,
// in the order in which they are reported:
//
//	.cit .cib    the records that refer to a player, tournament, team, source or annotator
//	.cit2 .cib2  the records that refer to a game title
//	.cbb         where the pieces stood in each game
//	.cbgi        where the moves of each game are
func BoosterExts() []string { return dbfile.ChessBase.Exts(dbfile.Booster) }

// The memory for sorting.
const (
	defaultBoosterMemory = 16 << 20
	defaultIndexMemory   = 64 << 20
)

// Boosters computes the search boosters of the ChessBase database at path and
// writes them beside it, in one pass over its records. The files that are there
// are replaced together, as one commit of an [Editor]: should the machine stop, all
// of them are the old ones, or all the new ones.
//
// The layout is that of a full rebuild (docs/formats/boosters.md 8). With the .cbb file
// comes a seal, a small file that lets searches find out whether it still fits
// the database.
//
// A database without game titles has no .cit2 and .cib2 files. A booster that needs a
// missing or damaged part of the database is left out, and the others are written: the
// .cbb file needs the moves, a pair of lists that every record refers to entities that
// exist. If nothing can be written, the error says why. It is [model.ErrLocked] while
// another writer has the database or its boosters.
//
// Beside a database of ChessBase 17 (.2cbh) it makes the index of positions alone.
//
// The boosters have the permissions of the .cbh file.
func Boosters(ctx context.Context, path string, opt BoosterOptions) (r BoosterResult, err error) {
	files, err := opt.In.findFiles(path)
	main := mainFile(path)
	switch {
	case errors.Is(err, model.ErrLocked) && opt.Wait > 0 && opt.set == nil: // it is being replaced
	case err != nil:
		return BoosterResult{}, err
	case files.Has(".cbh"):
		main = files.Path(".cbh")
	case files.Has(main2) && len(opt.Files) == 0 && opt.makesIndex():
		main = files.Path(main2)
	default:
		return BoosterResult{}, fmt.Errorf("%s: %w: search boosters belong to a %s", path, model.ErrNotDatabase, files.Name(".cbh"))
	}
	opt.files = within(opt.In, opt.files, path)
	if opt.set == nil {
		set, failed := openSet(ctx, opt.files, main, journal.Options{Wait: opt.Wait})
		if failed != nil {
			return r, failed
		}
		opt.set = set
		defer func() { err = cmp.Or(err, set.Close()) }()
		// The one that had the lock before may have replaced the database since.
		if files, err = opt.In.findFiles(main); err != nil {
			return r, err
		}
	}
	var names places = files
	if files.Has(main2) {
		names = posindex.Named{Files: files}
	}
	out, err := newBoosterFiles(opt.files, opt.set, names)
	if err != nil {
		return r, err
	}
	b := &boosterBuild{opt: opt, files: files, db: cbhdb.New(posindex.FilesOf(cbhdb.FilesOf(files))), out: out}
	defer b.close()
	return b.run(ctx)
}

// boosterFiles are new booster files of a database, which take their places in one
// commit of its journal, or together with a database in the making.
type boosterFiles struct {
	fs     fsys.FS
	set    *journal.Set
	staged bool   // the set is in the making: nothing is committed
	dir    string // of the database
	files  places
	mode   fs.FileMode // of a database that is there, which its boosters get
	ready  []string    // endings of the new files
}

// places are the names of the files of a database, by their endings, without and
// with their folder.
type places interface {
	Name(ext string) string
	Path(ext string) string
}

// newBoosterFiles begins boosters that have the permissions of their database. In
// the place of one may be a file, which gives way, and nothing else.
func newBoosterFiles(files fsys.FS, set *journal.Set, names places) (*boosterFiles, error) {
	info, err := files.Stat(names.Path(".cbh"))
	if err != nil {
		return nil, err
	}
	for _, ext := range append(BoosterExts(), booster.SealExt, posindex.Ext) {
		old, err := files.Lstat(names.Path(ext))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case !old.Mode().IsRegular():
			return nil, fmt.Errorf("%s: is in the place of a search booster, but no file; move it away", names.Path(ext))
		}
	}
	return &boosterFiles{fs: files, set: set, dir: set.Dir(), files: names, mode: info.Mode().Perm()}, nil
}

// create begins a new file with room for a header.
func (b *boosterFiles) create(ext string, headSize int) (*journal.File, error) {
	f, err := b.set.File(b.files.Name(ext))
	if err != nil {
		return nil, err
	}
	if err := f.Fill(make([]byte, headSize)); err != nil {
		return nil, fmt.Errorf("%s: %w", b.files.Name(ext), dbfile.PlainError(err))
	}
	b.ready = append(b.ready, ext)
	if !b.staged {
		if err := f.Chmod(b.mode); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// place puts the new files into their places, with a seal for them, or without any if it
// is nil. Their change time is the given one; those of a database in the making keep
// theirs.
func (b *boosterFiles) place(seal *booster.Seal, at time.Time) error {
	if b.staged { // before their change times are asked for
		if err := b.set.Complete(); err != nil {
			return err
		}
	}
	for _, ext := range b.ready {
		if ext == posindex.Ext { // it has a seal of its own
			continue
		}
		f, err := b.set.File(b.files.Name(ext))
		if err == nil && b.staged {
			var info fs.FileInfo
			if info, err = b.fs.Stat(b.files.Path(ext)); err == nil {
				at = info.ModTime()
			}
		}
		if err == nil {
			if f.SetChanged(at); seal != nil {
				err = seal.Set(ext, booster.NewState(f.Size(), at), f)
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", b.files.Name(ext), dbfile.PlainError(err))
		}
	}
	if seal != nil {
		f, err := b.create(booster.SealExt, 0)
		if err == nil {
			_, err = f.Append(seal.Append(nil))
		}
		if err != nil {
			return err
		}
		return b.commit()
	}
	old, err := b.set.File(b.files.Name(booster.SealExt))
	if err == nil && old.Exists() {
		err = old.Drop()
	}
	if err != nil {
		return err
	}
	return b.commit()
}

// commit commits what is to be in place, unless it comes there with its database.
func (b *boosterFiles) commit() error {
	if b.staged {
		return b.set.Complete()
	}
	return b.set.CommitDerived()
}

// boosterBuild is one run of [Boosters].
type boosterBuild struct {
	opt     BoosterOptions
	files   *read.FileSet
	out     *boosterFiles
	db      *cbhdb.DB
	headers *cbhdb.Headers // nil of a database of ChessBase 17
	count   model.RecordID

	lists   []*listBuilder
	offsets *offsetBuilder
	traces  *journal.File // the .cbb file: for every game, where its pieces stood
	trace   []byte        // of the last game, for its memory
	index   *indexBuilder
	games   read.Database      // what traces and the index are made of, nil without them
	bases   booster.SealStates // of the files that boosters follow from, at the beginning
	result  BoosterResult
	failure error // why the first files were left out
}

func (b *boosterBuild) close() {
	_ = b.db.Close() // it was only read
	if b.games != nil {
		_ = b.games.Close() // it was only read
	}
	for _, list := range b.lists {
		_ = list.sorter.Close()
	}
	b.index.close()
}

func (b *boosterBuild) run(ctx context.Context) (BoosterResult, error) {
	var err error
	if b.bases, err = booster.StatesOf(b.db.Files(), booster.Bases()); err != nil {
		return b.result, err
	}
	if !b.files.Has(main2) {
		if b.headers, err = b.db.Headers(); err != nil {
			return b.result, err
		}
		b.count = b.headers.Count
	}
	if err := b.begin(); err != nil {
		return b.result, err
	}
	if b.isIdle() {
		return b.result, b.failure
	}
	if err := b.pass(ctx); err != nil {
		return b.result, err
	}
	if b.isIdle() && b.failure != nil {
		return b.result, b.failure
	}
	if err := b.finish(ctx); err != nil {
		return b.result, err
	}
	b.result.Records = int(b.count)
	for _, ext := range b.out.ready {
		if ext != booster.SealExt {
			b.result.Files = append(b.result.Files, b.out.files.Name(ext))
		}
	}
	return b.result, nil
}

// isIdle reports whether there is nothing to write.
func (b *boosterBuild) isIdle() bool {
	return len(b.lists) == 0 && b.traces == nil && b.offsets == nil && b.index == nil
}

// skip leaves files out because of what is wrong with the database.
func (b *boosterBuild) skip(reason error, exts ...string) {
	s := SkippedBoosters{Reason: reason.Error()}
	for _, ext := range exts {
		s.Files = append(s.Files, b.out.files.Name(ext))
	}
	b.result.Skipped = append(b.result.Skipped, s)
	if b.failure == nil {
		b.failure = reason
	}
}

// makesIndex reports whether the index of positions is made.
func (opt *BoosterOptions) makesIndex() bool { return opt.Positions != 0 || opt.Structures }

// begin prepares the builders of the chosen files.
func (b *boosterBuild) begin() error {
	var chosen []string
	if len(b.opt.Files) == 0 && !b.opt.makesIndex() {
		chosen = BoosterExts()
	}
	for _, name := range b.opt.Files {
		ext := dbfile.ParseEnding(name)
		if !slices.Contains(BoosterExts(), ext) {
			return fmt.Errorf("%w: %q is no search booster; there are %s", model.ErrOption, name, strings.Join(BoosterExts(), " "))
		}
		if cbh.ListFileOf(ext) == &cbh.TitleLists && !b.headers.HasTitles() {
			if b.out.staged { // the old database had some
				continue
			}
			return fmt.Errorf("%s: the database has no game titles", b.files.Name(ext))
		}
		chosen = append(chosen, ext)
	}
	memory := cmp.Or(max(b.opt.Memory, 0), defaultBoosterMemory)
	for _, pair := range cbh.ListFiles {
		if !slices.Contains(chosen, pair.Table) && !slices.Contains(chosen, pair.Blocks) || pair == &cbh.TitleLists && !b.headers.HasTitles() {
			continue
		}
		capacity, err := booster.Capacities(b.db, pair)
		if dbfile.IsDamage(err) {
			b.skip(err, pair.Table, pair.Blocks)
			continue
		}
		if err != nil {
			return err
		}
		b.lists = append(b.lists, &listBuilder{
			out: b.out, pair: pair, files: b.db.Files(), capacity: capacity, rows: slices.Max(capacity), row: make([]cbh.ListEnds, len(pair.Kinds)),
			sorter: extsort.NewNumbers(extsort.Options{Memory: memory / 2, FS: b.out.fs, Dir: b.out.dir}),
		})
	}
	if err := b.beginGames(slices.Contains(chosen, ".cbb")); err != nil {
		return err
	}
	if slices.Contains(chosen, offsetsBooster) {
		file, err := b.out.create(offsetsBooster, 0)
		if err != nil {
			return err
		}
		if b.offsets, err = newOffsetBuilder(file, b.count); err != nil {
			return err
		}
	}
	return nil
}

// beginGames prepares what is made of moves.
func (b *boosterBuild) beginGames(traces bool) (err error) {
	var exts []string
	if traces {
		exts = append(exts, ".cbb")
	}
	if b.opt.makesIndex() {
		exts = append(exts, posindex.Ext)
	}
	if len(exts) == 0 {
		return nil
	}
	games, err := read.OpenFiles(b.files, read.Options{Jobs: b.opt.Jobs})
	if dbfile.IsDamage(err) || b.headers != nil && slices.ContainsFunc(dbfile.ChessBase.Exts(dbfile.Part), func(ext string) bool { return !b.files.Has(ext) }) {
		b.skip(err, exts...)
		return nil
	}
	if err != nil {
		return err
	}
	if b.games = games; b.headers == nil {
		b.count = model.RecordID(games.Count())
	}
	if b.opt.makesIndex() {
		if b.index, err = newIndexBuilder(b.out, &b.opt); err != nil {
			return err
		}
	}
	if !traces {
		return nil
	}
	if b.traces, err = b.out.create(".cbb", 0); err != nil {
		return err
	}
	head := cbh.NewTraceHeader(int(b.count))
	_, err = b.traces.Append(head.Append(nil))
	return err
}

// reportUndecoded reports what is wrong with a record.
func (b *boosterBuild) reportUndecoded(id model.RecordID, err error) {
	b.result.Undecoded++
	if b.opt.Undecoded != nil {
		b.opt.Undecoded(id, err)
	}
}

// pass reads all records, or where no builder needs moves all headers.
func (b *boosterBuild) pass(ctx context.Context) error {
	var r *cbhdb.HeaderReader
	if b.headers != nil {
		r = b.headers.Reader(dbfile.FarAhead)
	}
	if b.games == nil {
		for id := model.RecordID(1); id <= b.count; id++ {
			if _, err := b.add(ctx, r, id); err != nil {
				return err
			}
		}
		return nil
	}
	for rec, err := range b.games.Records(ctx, 1, model.WantMoves) {
		if err != nil && rec.ID == 0 {
			return err
		}
		refs, failed := b.add(ctx, r, rec.ID)
		if failed == nil {
			failed = b.addMoves(r, rec, err, refs.Text)
		}
		if failed != nil {
			return failed
		}
	}
	return nil
}

// addMoves passes a game, or the error in its place, to the builders that need its moves.
func (b *boosterBuild) addMoves(r *cbhdb.HeaderReader, rec model.Record, err error, text bool) error {
	g, trace := rec.Game, cbh.GameTrace{}
	if err == nil && g != nil {
		err = g.MovesErr
	}
	if err != nil {
		if !dbfile.IsDamage(err) {
			return err // nothing is wrong with the game
		}
		g = nil
	}
	if b.index != nil {
		if err != nil && b.traces == nil && !text { // else it is reported below
			b.reportUndecoded(rec.ID, fmt.Errorf("its positions are not in the index: %w", err))
		}
		is := posindex.Record{Game: g, Text: text || rec.Text != nil, Deleted: rec.Deleted}
		if r != nil {
			h, err := r.At(rec.ID)
			if err != nil {
				return err
			}
			is.Deleted = h.Type().IsDeleted()
		}
		if err := b.index.add(rec.ID, is); err != nil {
			return err
		}
	}
	if b.traces == nil {
		return nil
	}
	// That of a guiding text, and of a game that cannot be played through, is all zeros.
	if g != nil {
		trace, err = derive.Trace(g.Start, &g.Moves)
	}
	if err != nil && !text {
		b.reportUndecoded(rec.ID, fmt.Errorf("left out of .cbb: %w", err))
	}
	b.trace = trace.Append(b.trace[:0])
	_, err = b.traces.Append(b.trace)
	return err
}

// boosterStep is how many records go by between two looks at the context.
const boosterStep = 256

// add passes the header of the next record to the builders, and returns what
// it refers to.
func (b *boosterBuild) add(ctx context.Context, r *cbhdb.HeaderReader, id model.RecordID) (derive.References, error) {
	if id%boosterStep == 0 || id == b.count {
		if err := ctx.Err(); err != nil {
			return derive.References{}, err
		}
		if b.opt.Progress != nil {
			b.opt.Progress(int(id), int(b.count))
		}
	}
	if r == nil {
		return derive.References{}, nil
	}
	head, err := r.At(id)
	if err != nil {
		return derive.References{}, err
	}
	refs := head.References()
	if err := cbhdb.NotInUse(b.files.Name(".cbh"), id, head.Type()); err != nil {
		b.reportUndecoded(id, err)
	}
	for i := 0; i < len(b.lists); i++ {
		list := b.lists[i]
		if err := list.add(id, &refs); dbfile.IsDamage(err) {
			b.skip(err, list.pair.Table, list.pair.Blocks)
			_ = list.sorter.Close()
			b.lists = slices.Delete(b.lists, i, i+1)
			i--
		} else if err != nil {
			return refs, err
		}
	}
	if b.offsets != nil {
		err = b.offsets.add(head.Head)
	}
	return refs, err
}

// finish completes the files and puts them in place, with a seal for the files that boosters
// follow from, and for the boosters that were there before, fit, and stay.
func (b *boosterBuild) finish(ctx context.Context) error {
	for _, list := range b.lists {
		if err := list.finish(); err != nil {
			return err
		}
	}
	if b.offsets != nil {
		if err := b.offsets.finish(b.count); err != nil {
			return err
		}
	}
	if b.index != nil {
		if err := b.finishIndex(ctx); err != nil {
			return err
		}
		if len(b.out.ready) == 1 { // boosters stay what they are
			return b.out.commit()
		}
	}
	files := b.db.Files()
	seal, err := booster.SealOf(files, booster.Bases())
	if err != nil {
		return err
	}
	if err := b.unchanged(); err != nil {
		return err
	}
	if b.bases != seal.States {
		return b.changed()
	}
	old, err := booster.ReadSeal(files)
	if err != nil && !errors.Is(err, booster.ErrNoSeal) {
		return err
	}
	for _, ext := range BoosterExts() {
		if err == nil && files.Has(ext) && !slices.Contains(b.out.ready, ext) {
			if err := seal.TakeOver(&old, files, ext); err != nil {
				return err
			}
		}
	}
	if b.opt.NoSeal {
		seal = nil
	}
	return b.out.place(seal, time.Now().Truncate(time.Microsecond))
}

// unchanged returns an error if a file that boosters follow from has changed since the
// beginning.
func (b *boosterBuild) unchanged() error {
	now, err := booster.StatesOf(b.db.Files(), booster.Bases())
	if err == nil && now != b.bases {
		err = b.changed()
	}
	return err
}

func (b *boosterBuild) changed() error {
	return fmt.Errorf("%s was changed meanwhile; compute the boosters again", b.out.files.Name(".cbh"))
}
