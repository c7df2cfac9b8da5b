package check

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"cbkit/internal/dbfile"
	"cbkit/internal/dcdb"
	"cbkit/internal/derive"
	"cbkit/model"
	"cbkit/read"
)

// simpleExts are the endings of the files of a Simple Chess Database.
var simpleExts = dbfile.Simple.Exts()

// Simple checks the Simple Chess Database that path names: one of its files,
// or the name without an ending. Each finding goes to report as it is made,
// the games in order.
//
// Damage of any kind is a finding; an error means that the check could not be
// made, as for [Database]. Of the options all but Files count.
func Simple(ctx context.Context, path string, opt Options, report func(Finding)) (Summary, error) {
	set, watch, err := simpleSet(path)
	if err != nil {
		return Summary{}, err
	}
	c := &simpleChecker{findings: findings{set: set}, opt: &opt, out: newReporter(Summary{
		Database: strings.TrimSuffix(set.Path(".dci"), filepath.Ext(set.Path(".dci"))),
	}, &opt, report)}
	c.see = c.out.see
	for _, ext := range simpleExts {
		if set.Has(ext) {
			c.out.summary.Files = append(c.out.summary.Files, set.Name(ext))
		}
	}
	if err = oneState(watch, c.run(ctx)); err == nil {
		c.out.finish()
	}
	return c.out.summary, err
}

// simpleSet finds the files of a database and begins to watch it.
func simpleSet(path string) (*read.FileSet, *read.Watch, error) {
	set, err := read.FindFiles(path)
	if err != nil {
		return nil, nil, err
	}
	if !set.Has(".dci") {
		return nil, nil, fmt.Errorf("%s: %w: there is no %s beside it", path, model.ErrNotDatabase, set.Name(".dci"))
	}
	return set.Watch(".dci")
}

// simpleChecker is one run of [Simple].
type simpleChecker struct {
	findings
	opt     *Options
	out     reporter
	damaged bool // something was found about the present game
}

// addError reports an error of the reader.
func (c *simpleChecker) addError(code string, err error) {
	c.damaged = true
	c.addStated(code, inFile(".dci"), err)
}

// warned sorts what the reader passes over.
func (c *simpleChecker) warned(err error) {
	var e *model.FormatError
	code := simpleGame
	if errors.As(err, &e) {
		code = simpleCode(e)
	}
	c.addError(code, err)
}

// simpleFieldCodes are the codes of warnings about a field that has one of its
// own, whatever the file.
var simpleFieldCodes = map[string]string{
	"magic": simpleMisprint, "version": simpleLayout, "status": simpleField,
	"white": simpleReference, "black": simpleReference, "site": simpleReference, "event": simpleReference,
	"length": simpleExtent, "text": simpleCodePage,
}

// simpleCode returns the code of a warning.
func simpleCode(e *model.FormatError) string {
	if code, ok := simpleFieldCodes[e.Field]; ok {
		return code
	}
	switch strings.ToLower(filepath.Ext(e.File)) {
	case ".dci":
		return simpleCut
	case ".dcg":
		return simpleGame
	}
	return simpleCodePage
}

// run makes all checks.
func (c *simpleChecker) run(ctx context.Context) error {
	db, err := read.Open(c.set.Path(".dci"), read.Options{CodePage: c.opt.CodePage, Jobs: c.opt.Jobs, Warn: c.warned})
	if err != nil {
		c.addError(simpleUnreadable, err)
		return nil
	}
	defer db.Close()
	c.out.summary.Records = db.Count()
	c.damaged = false
	for rec, err := range db.Records(ctx, 1, model.WantAll) {
		switch {
		case err != nil && rec.ID == 0:
			return err
		case err != nil:
			c.addError(simpleExtent, err)
		default:
			c.game(rec)
		}
		c.damaged = false
		if c.opt.Progress != nil {
			c.opt.Progress(int(rec.ID), c.out.summary.Records)
		}
	}
	return c.places(ctx)
}

// game looks at a game that could be read, if only its header.
func (c *simpleChecker) game(rec model.Record) {
	g, id := rec.Game, int64(rec.ID)
	for _, err := range rec.Damage {
		c.warned(err)
	}
	switch {
	case g.MovesErr != nil:
		c.addError(simpleGame, g.MovesErr)
	case g.Leftovers.Moves != nil && !c.damaged:
		c.add(simpleForm, inRecord(".dcg", id, -1, ""), "the game is not as it would be written")
	}
	if raw := g.Leftovers.Header.From(dcdb.Format); raw != nil {
		if e := dcdb.V0.DecodeEntry(raw); !e.Plain() {
			c.add(simpleField, inRecord(".dci", id, -1, ""), "status %02x, result %d, date %d.%d.%d, ECO %q: not all of them have a meaning",
				e.Status, e.Result, e.Year, e.Month, e.Day, e.ECO)
		}
	}
	if raw := g.Leftovers.Derived.From(dcdb.Format); raw != nil && g.MovesErr == nil && !c.damaged {
		want, err := derive.Search(g.Start, g.Moves.Nodes()[:g.Moves.MainLen()])
		if err == nil && want != dcdb.DecodeSearchFields(raw) {
			c.add(simpleSearch, inRecord(".dci", id, -1, "search fields"), "%x is stored, the moves give %x", raw, dcdb.AppendSearchFields(nil, &want))
		}
	}
}

// places compares the sizes of all games with that of their file.
func (c *simpleChecker) places(ctx context.Context) error {
	s, err := openSimpleFiles(c.set)
	if err != nil {
		return err
	}
	defer s.close()
	used := int64(dcdb.MagicSize)
	for id := range s.count {
		if id%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if _, err := s.entry(id); err != nil {
			return err
		}
		_, place, size, err := s.game()
		if err != nil {
			return err
		}
		used += place - int64(s.stored.Offset) + size
	}
	if spare := s.games.Size() - used; spare != 0 && s.sound {
		what := "%d bytes that no entry leads to"
		if spare < 0 {
			spare, what = -spare, "%d bytes that several entries lead to"
		}
		c.add(simpleUnused, inFile(".dcg"), what, spare)
	}
	return nil
}

// simpleFiles reads the index and the games of a Simple Chess Database as they
// are stored.
type simpleFiles struct {
	index, games     *dbfile.File
	entries, records *dbfile.Window
	layout           dcdb.Layout
	header           []byte
	count            int64
	sound            bool // all games lay inside their file so far
	stored           dcdb.Entry
}

func openSimpleFiles(set *read.FileSet) (s *simpleFiles, err error) {
	s = &simpleFiles{sound: true}
	if s.index, err = openFile(set, ".dci"); err != nil {
		return nil, err
	}
	if s.games, err = openFile(set, ".dcg"); err != nil {
		return nil, errors.Join(err, s.index.Close())
	}
	s.entries, s.records = newWindow(s.index), newWindow(s.games)
	if s.header, err = s.index.Start(dcdb.ProbeSize); err == nil {
		s.layout, err = dcdb.Detect(s.header, s.index.Size(), s.games.Size())
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	s.header = s.header[:s.layout.HeaderSize()]
	s.count = (s.index.Size() - int64(len(s.header))) / int64(s.layout.EntrySize())
	return s, nil
}

func (s *simpleFiles) close() error { return errors.Join(s.index.Close(), s.games.Close()) }

// entry returns the bytes of an entry, counting from 0, and decodes them.
func (s *simpleFiles) entry(n int64) ([]byte, error) {
	b, err := s.entries.At(s.entryPlace(n), int64(s.layout.EntrySize()))
	if err == nil {
		s.stored = s.layout.DecodeEntry(b)
	}
	return b, err
}

func (s *simpleFiles) entryPlace(n int64) int64 {
	return int64(len(s.header)) + n*int64(s.layout.EntrySize())
}

// game returns the bytes of the entry's game without its length, and where
// they are. A game that does not lie inside the file is cut there.
func (s *simpleFiles) game() (body []byte, place, size int64, err error) {
	f := s.games
	if s.stored.Offset >= uint64(f.Size()) {
		s.sound = false
		return nil, int64(min(s.stored.Offset, 1<<62)), 0, nil
	}
	at := int64(s.stored.Offset)
	head, err := s.records.At(at, min(dcdb.MaxLengthSize, f.Size()-at))
	if err != nil {
		return nil, at, 0, err
	}
	n, digits := dcdb.DecodeLength(head)
	place, size = at+int64(digits), int64(n)
	if digits == 0 || size > f.Size()-place {
		s.sound = false
		size = min(size, f.Size()-place)
	}
	body, err = s.records.At(place, size)
	return body, place, size, err
}
