package viewer

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"

	"cbkit/archive"
	"cbkit/internal/fsys"
	"cbkit/internal/packed"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/search"
)

// records are what a source has: any record by its number, and all of them in a
// row. The entities are those of the record.
type records interface {
	Count() int
	// record returns one record, the caller's to keep, with its entities.
	record(ctx context.Context, id model.RecordID, want model.Want) (model.Record, *model.Entities, error)
	// all returns a source that can be read once from its beginning.
	all() model.Source
}

// openSources opens what a name names: an archive may have several databases.
func openSources(ctx context.Context, name string, opt Options) ([]*source, error) {
	bare := strings.ToLower(name)
	for _, ending := range []string{".gz", ".bz2", ".zst"} {
		bare = strings.TrimSuffix(bare, ending)
	}
	switch path.Ext(bare) {
	case ".pgn":
		s, err := openPGN(ctx, name, opt)
		if err != nil {
			return nil, err
		}
		return []*source{s}, nil
	case ".cbv", ".cbz":
		return openArchive(name, opt)
	}
	s := &source{name: strings.TrimSuffix(baseName(name), path.Ext(name))}
	if err := s.openDatabase(name, opt); err != nil {
		return nil, err
	}
	return []*source{s}, nil
}

// database is an open database.
type database struct {
	read.Database
	lock *sync.Mutex // of one that only one goroutine at a time may use
}

func (d database) record(ctx context.Context, id model.RecordID, want model.Want) (model.Record, *model.Entities, error) {
	if d.lock != nil {
		d.lock.Lock()
		defer d.lock.Unlock()
	}
	rec, err := d.Record(ctx, id, want)
	return rec, d.Entities(), err
}

func (d database) all() model.Source { return d.Database }

// openDatabase opens a database of several files.
func (s *source) openDatabase(name string, opt Options) error {
	set, err := read.FindFilesFS(opt.Files, name)
	s.set, s.files = set, fsys.OS{}
	if opt.Files != nil {
		s.files = fsys.FromFS(opt.Files)
	}
	if err == nil && opt.CodePage == "" {
		if guess, err := read.GuessCodePage(context.Background(), set); err == nil {
			opt.CodePage = guess.Page
			if guess.Clear {
				s.addNote(fmt.Errorf("read in code page %v", guess))
			}
		}
	}
	how := read.Options{CodePage: opt.CodePage, Jobs: opt.Jobs, KeepGoing: true, Damage: s.addNote}
	db, err := read.OpenFS(opt.Files, name, how)
	if err != nil {
		return err
	}
	s.format, s.end, s.page = "cbh", db.Close, opt.CodePage
	if files, is := db.(interface{ Changed() error }); is {
		s.watch = files.Changed
	}
	d := database{Database: db}
	if _, is := db.(*read.SimpleDB); is {
		s.format, d.lock = "dci", new(sync.Mutex)
	}
	s.records = d
	s.search = func(progress func(done, total int), ask func(*search.Searcher) error) error {
		searcher, err := search.Open(name, search.Options{
			FS: opt.Files, CodePage: opt.CodePage, Jobs: opt.Jobs, Progress: progress, Damage: s.addNote,
			Unread: func(_ model.RecordID, err error) { s.addNote(err) },
		})
		if err != nil {
			return err
		}
		defer func() { _ = searcher.Close() }() // it was only read
		return ask(searcher)
	}
	return nil
}

// openArchive opens all databases of an archive, or the one that is asked for. Each has the
// archive open by itself.
func openArchive(name string, opt Options) (list []*source, err error) {
	watch := watchFile(name)
	packed, err := archiveAt(name, opt)
	if err != nil {
		return nil, err
	}
	names := packed.Databases()
	if len(names) == 0 {
		return nil, errors.Join(fmt.Errorf("%s: %w: it holds no ChessBase database", name, model.ErrNotDatabase), packed.Close())
	}
	for _, inside := range names {
		s := &source{name: baseName(name) + ":" + inside}
		if opt.only != "" && s.name != opt.only {
			continue
		}
		if len(list) > 0 {
			if packed, err = archiveAt(name, opt); err != nil {
				return list, err
			}
		}
		for _, m := range packed.Members() {
			if m.Err != nil {
				s.addNote(m.Err)
			}
		}
		within, own := opt, packed
		within.Files = packed.FS()
		if err := s.openDatabase(inside, within); err != nil {
			return list, errors.Join(err, packed.Close())
		}
		closeDatabase := s.end
		s.end = func() error { return errors.Join(closeDatabase(), own.Close()) }
		s.watch = watch
		list = append(list, s)
	}
	return list, nil
}

// archiveAt opens an archive.
func archiveAt(name string, opt Options) (*archive.Archive, error) {
	with := archive.Options{CodePage: opt.CodePage, Jobs: opt.Jobs, Password: opt.Password, KeepGoing: true}
	if opt.Files == nil {
		return archive.Open(name, with)
	}
	f, err := opt.Files.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	at, is := f.(io.ReaderAt)
	if err != nil || !is {
		return nil, errors.Join(err, f.Close(), fmt.Errorf("%s: cannot be read anywhere", name))
	}
	return archive.NewReader(at, info.Size(), name, with)
}

// memory is a database in memory.
type memory struct {
	*model.Database
	name string
}

func (m memory) record(_ context.Context, id model.RecordID, _ model.Want) (model.Record, *model.Entities, error) {
	rec, err := m.Record(id)
	if err != nil {
		err = fmt.Errorf("%s: %w", baseName(m.name), err)
	}
	return rec, m.Entities(), err
}

func (m memory) all() model.Source { return m.Database }

// pgnFile is a PGN file of which is known where each game begins.
type pgnFile struct {
	text   io.ReaderAt
	size   int64
	starts []int64
	opt    pgn.ReaderOptions
}

// mostPacked is how large compressed PGN may become in memory.
const mostPacked = 256 << 20

// watchFile returns what returns an error once another file of the machine is there than now,
// or none: of one in a zip, the zip.
func watchFile(name string) func() error {
	if zip, _, is := packed.SplitZip(name); is {
		name = zip
	}
	before, failed := os.Stat(name)
	return func() error {
		now, err := os.Stat(name)
		if err == nil && (failed != nil || !fsys.Unchanged(before, now)) {
			err = model.ErrChanged
		}
		return err
	}
}

// openPGN reads a PGN file once, to find its games.
func openPGN(ctx context.Context, name string, opt Options) (*source, error) {
	var f fs.File
	var err error
	watch := watchFile(name)
	if opt.Files != nil {
		f, err = opt.Files.Open(name)
	} else {
		f, err = packed.OpenFile(name)
	}
	if err != nil {
		return nil, err
	}
	s := &source{name: baseName(name), format: "pgn", end: f.Close, watch: watch}
	p, err := newPGN(ctx, f, name, opt, s)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	s.records = p
	return s, nil
}

// newPGN finds the games of a file.
func newPGN(ctx context.Context, f fs.File, name string, opt Options, s *source) (*pgnFile, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w: it is no file", name, model.ErrNotDatabase)
	}
	decode, err := read.TextDecoder(opt.CodePage)
	if err != nil {
		return nil, err
	}
	p := &pgnFile{size: info.Size(), opt: pgn.ReaderOptions{File: baseName(name), DecodeText: decode, KeepGoing: true, Jobs: opt.Jobs}}
	head := make([]byte, packed.HeadSize)
	at, is := f.(io.ReaderAt)
	if is {
		n, _ := at.ReadAt(head, 0) // what is wrong shows again
		head = head[:n]
	}
	if p.text = at; !is || packed.IsPacked(head) {
		if err := p.unpack(f, name); err != nil {
			return nil, err
		}
	}
	r := pgn.NewReader(io.NewSectionReader(p.text, 0, p.size), p.opt)
	for rec, err := range r.Records(ctx, 1, model.WantHeaders) {
		switch {
		case err != nil && rec.ID == 0:
			return nil, err
		case err != nil:
			s.addNote(err)
			continue
		}
		p.starts = append(p.starts, r.Offset())
		if len(p.starts)%progressStep == 0 && opt.Progress != nil {
			opt.Progress(int(r.Offset()>>10), int(p.size>>10))
		}
	}
	if len(p.starts) == 0 && ctx.Err() == nil {
		return nil, fmt.Errorf("%s: %w: it has no game", name, model.ErrNotDatabase)
	}
	return p, ctx.Err()
}

// unpack keeps what a compressed file holds in memory.
func (p *pgnFile) unpack(f io.Reader, name string) error {
	text, done, err := packed.NewReader(f, name)
	if err != nil {
		return err
	}
	defer done()
	all, err := io.ReadAll(io.LimitReader(text, mostPacked+1))
	switch {
	case err != nil:
		return err
	case len(all) > mostPacked:
		return fmt.Errorf("%s: %w: unpack it first, it has more than %d MiB", name, model.ErrTooLarge, mostPacked>>20)
	}
	p.text, p.size = bytes.NewReader(all), int64(len(all))
	return nil
}

// Count returns the number of games.
func (p *pgnFile) Count() int { return len(p.starts) }

func (p *pgnFile) record(ctx context.Context, id model.RecordID, want model.Want) (model.Record, *model.Entities, error) {
	if id < 1 || int(id) > len(p.starts) {
		return model.Record{}, nil, fmt.Errorf("%s: %w %d", p.opt.File, model.ErrNoRecord, id)
	}
	from, to := p.starts[id-1], p.size
	if int(id) < len(p.starts) {
		to = p.starts[id]
	}
	opt := p.opt
	opt.Jobs = 1
	var damage []error
	opt.Report = func(l model.Loss) {
		if l.Kind == model.CutGame {
			_, what, _ := strings.Cut(l.What, ": game 1: ") // its line is one of the game and not of the file
			damage = append(damage, errors.New(cmp.Or(what, l.What)))
		}
	}
	r := pgn.NewReader(io.NewSectionReader(p.text, from, to-from), opt)
	for rec, err := range r.Records(ctx, 1, want) {
		if err == nil {
			rec = rec.Clone()
			rec.ID, rec.Damage = id, append(rec.Damage, damage...)
			return rec, r.Entities(), nil
		}
	}
	return model.Record{}, nil, fmt.Errorf("%s: game %d: %w", p.opt.File, id, model.ErrChanged)
}

func (p *pgnFile) all() model.Source {
	return pgn.NewReader(io.NewSectionReader(p.text, 0, p.size), p.opt)
}
