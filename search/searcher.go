package search

import (
	"cmp"
	"context"
	"io/fs"
	"iter"
	"slices"
	"sync/atomic"

	"cbkit/board"
	"cbkit/internal/jobs"
	"cbkit/internal/namepattern"
	"cbkit/internal/posindex"
	"cbkit/model"
	"cbkit/read"
)

// Options configures a search. The zero value is good for most databases.
type Options struct {
	// FS is where the database is, whose name has slashes then, such as an
	// archive; nil is the machine's files.
	FS fs.FS
	// CodePage is the page of names that are not UTF-8; see read.Options.
	CodePage string
	// Jobs is how many processors play through games, as in [read.Options].
	Jobs int
	// NoBoosters does not use search boosters, nor the trees of entity files: all names
	// are read. The answers are the same, except where a file is damaged in a part that a
	// look-up does not read.
	NoBoosters bool
	// Progress, if not nil, is called with how many of all records are done; the numbers
	// start again when a search has to start again. It is called from one goroutine at a
	// time.
	Progress func(done, total int)
	// Warn and Damage are called for oddities and damage of files as a whole, each
	// once, as in read.Options. They are called from one goroutine at a time.
	Warn, Damage func(error)
	// Unread, if not nil, is called with records that could not be read or decoded,
	// in whole or in part, so that the answer may be wrong about them. It is called
	// from one goroutine at a time.
	Unread func(model.RecordID, error)
}

// Searcher answers questions about one database. It may be used from several
// goroutines, and must be closed.
type Searcher struct {
	opt   Options
	chess *chessBase    // nil for other formats
	other read.Database // nil for ChessBase databases

	// files and watch are of a database that can have an index of positions.
	files *read.FileSet
	watch *read.Watch

	reaching keptIndex
	closed   atomic.Bool
}

// Open opens a database for searching: its main file, any of its other files,
// or the name without an ending. Of a ChessBase database only the headers are
// opened; the rest follows when a search needs it, so that questions about
// headers do not depend on it.
func Open(path string, opt Options) (*Searcher, error) {
	if opt.Damage == nil {
		opt.Damage = opt.Warn
	}
	opt.Warn, opt.Damage = reportOnce(opt.Warn), reportOnce(opt.Damage)
	s := &Searcher{opt: opt}
	files, err := read.FindFilesFS(opt.FS, path)
	if err == nil && files.Main(path) == ".cbh" {
		s.chess, err = openChessBase(files, opt)
	} else if err == nil && files.Main(path) == ".2cbh" {
		if s.files, s.watch, err = files.Watch(".2cbh"); err == nil {
			s.other, err = read.OpenFiles(s.files, opt.reading())
		}
	} else {
		// The error of reading says more than that of finding files.
		s.other, err = read.OpenFS(opt.FS, path, opt.reading())
	}
	if err != nil {
		return nil, err
	}
	if s.chess != nil {
		s.files, s.watch = s.chess.files, s.chess.watch
	}
	return s, nil
}

// reading says how a database is read.
func (o *Options) reading() read.Options {
	return read.Options{CodePage: o.CodePage, Jobs: o.Jobs, Warn: o.Warn, Damage: o.Damage, KeepGoing: true}
}

// count returns the number of records.
func (s *Searcher) count() int {
	if s.chess != nil {
		return int(s.chess.headers.Count)
	}
	return max(s.other.Count(), 0)
}

// oneState returns an error that says that the database has changed since it was
// opened, whatever else was wrong: that can come from it. Else it returns err.
func (s *Searcher) oneState(err error) error {
	if s.watch != nil {
		return cmp.Or(s.watch.Check(), err)
	}
	return err
}

// Close closes the database.
func (s *Searcher) Close() error {
	s.closed.Store(true)
	s.reaching.close()
	if s.chess != nil {
		return s.chess.close()
	}
	return s.other.Close()
}

// Database returns the database, to read what was found. It belongs to the
// searcher, whose Close closes it.
func (s *Searcher) Database() (read.Database, error) {
	if s.closed.Load() {
		return nil, fs.ErrClosed
	}
	if s.chess != nil {
		return s.chess.database()
	}
	return s.other, nil
}

// Result is the answer of [Searcher.Find].
type Result struct {
	// IDs are the records found, in ascending order.
	IDs []model.RecordID
	// More says that [Searcher.First] ended when it had found as many records as it was
	// asked for: there may be more.
	More bool
	// Unread are the records that could not be read or decoded, in whole or in
	// part; Options.Unread was told why.
	Unread IDSet
	// Plan says how they were found.
	Plan Plan
	// Unknown are the names in the condition that no entity has, if nothing was
	// found.
	Unknown []Unknown
	// MainLinesOnly says that nothing was found, and conditions about positions looked at
	// main lines alone; [InVariations] looks further.
	MainLinesOnly bool
	// Also are players whose names the condition does not match but who may be the
	// players it names, most games first. They do not change the answer.
	Also []Spelling
}

// Find returns the records for which a condition is true. Games whose moves
// cannot be read have no positions; Options.Unread is called for them, and the
// result counts them. Damage that leaves nothing to search is an error, and so is
// a change of the database since it was opened, which wraps model.ErrChanged.
//
// Find uses search boosters that are valid for the condition, and else reads the records.
// That never changes the answer: a list is used only if its records refer to the entity
// as often as the database counts, the .cbb file only if its seal fits, and games that
// the index of positions lists are played through.
func (s *Searcher) Find(ctx context.Context, c Condition) (Result, error) {
	return s.run(&session{ctx: ctx}, c)
}

// First is Find for the first n records alone, 1 or more: it ends when it has them.
func (s *Searcher) First(ctx context.Context, c Condition, n int) (Result, error) {
	return s.run(&session{ctx: ctx, limit: max(n, 1)}, c)
}

// Count is [Searcher.Find] for counting: it does not play through the games that the
// index of positions lists. If by chance two positions have the same key, it may count a
// game too many (docs/formats/positions.md 8).
func (s *Searcher) Count(ctx context.Context, c Condition) (Result, error) {
	return s.run(&session{ctx: ctx, counts: true}, c)
}

// run answers a question. The session says how far.
func (s *Searcher) run(run *session, c Condition) (Result, error) {
	if s.closed.Load() {
		return Result{}, fs.ErrClosed
	}
	run.of, run.opt, run.base, run.names = s, &s.opt, s.chess, map[nameQuery]*nameSet{}
	run.unread.onUnread = s.opt.Unread
	defer run.closeIndex()
	run.plan.Records = s.count()
	if s.chess == nil {
		run.entities, run.leftover = s.other.Entities(), s.other.Leftover()
	}
	var ids []model.RecordID
	t, err := bind(c, run)
	if err == nil {
		ids, err = run.find(t)
	}
	if err = s.oneState(err); err != nil {
		return Result{}, err
	}
	more := run.enough(len(ids))
	if more {
		ids = ids[:run.limit]
	}
	result := Result{IDs: ids, More: more, Unread: run.unread.IDSet, Plan: run.plan}
	if len(ids) == 0 {
		result.Unknown, _ = run.unknown() // what cannot be read of names is no part of the answer
		result.MainLinesOnly = run.mainLinesOnly
	}
	result.Also, _ = run.also() // nor is this
	return result, nil
}

// session is one search.
type session struct {
	ctx      context.Context
	of       *Searcher // nil for conditions alone
	opt      *Options
	base     *chessBase      // nil for other formats
	entities *model.Entities // of other formats
	leftover *model.Leftover // likewise
	plan     Plan
	unread   unread

	names         map[nameQuery]*nameSet // looked up so far
	persons       bool                   // a person is asked for
	games         []uint32               // of each player of other formats, counted if so
	sets          []*nameSet             // those of them that are of files
	wants         model.Want             // what undecided conditions need of a game
	mainLinesOnly bool                   // conditions about positions do not look at variations
	filters       bool                   // there are conditions that the .cbb file can answer

	about []nameCondition // of players, joined by "and" to what is prepared

	limit   int  // how many records are wanted; 0 is all
	counts  bool // only how many there are is asked for
	index   *posindex.Index
	lists   []*listedTest // tests by what it lists
	noIndex bool          // there is none that can be used
	// narrow, if not nil, is the position of a report: a search that reads all games ends
	// with errNotNarrowed.
	narrow *board.Position
}

// enough reports whether so many records are all that are wanted.
func (s *session) enough(n int) bool { return s.limit > 0 && n >= s.limit }

// nameQuery is one look-up of names.
type nameQuery struct {
	kind    *nameKind
	pattern pattern
	typed   bool // not a pattern but a name as it is typed
}

// set returns the set for a look-up, without names.
func (q nameQuery) set() *nameSet {
	s := &nameSet{kind: q.kind, pattern: q.pattern}
	if q.kind != places && q.kind != nations {
		s.number, s.isNumber = namepattern.ParseNumber(string(q.pattern))
	}
	switch {
	case q.typed && q.kind == players:
		p := namepattern.ParsePerson(string(q.pattern))
		s.person = &p
	case q.typed:
		s.words = namepattern.ParseWords(string(q.pattern))
	}
	return s
}

// jobs returns the number of workers.
func (s *session) jobs() int { return jobs.Count(s.opt.Jobs) }

// lookup finds the entities whose names are asked for.
func (s *session) lookup(query nameQuery) (*nameSet, error) {
	if set := s.names[query]; set != nil {
		return set, nil
	}
	if s.base == nil {
		set := query.set()
		set.entities = s.entities
		s.persons = s.persons || set.person != nil
		s.names[query] = set
		return set, nil
	}
	set, err := s.nameFiles().lookup(query)
	if err != nil {
		return nil, err
	}
	s.names[query] = set
	s.sets = append(s.sets, set)
	if set.damage != nil {
		s.plan.note("all names are read: %v", set.damage)
	}
	s.plan.note("%s %q: %d found, %d of %d looked at", query.kind.name, string(query.pattern), set.ids.Len(), set.visited, set.total)
	return set, nil
}

// nameFiles are the files of names of a ChessBase database.
func (s *session) nameFiles() *nameFiles {
	return &nameFiles{s.base.stored, s.base.page, s.opt.NoBoosters, s.opt.Warn, s.opt.Damage}
}

// readAll judges records of other formats with all that is needed of them, in one pass: those
// with some ids, or every one if that is nil. Of a game whose moves are nowhere the header
// is judged.
func (s *session) readAll(t test, ids []model.RecordID) (found []model.RecordID, err error) {
	db := s.of.other
	records := db.Records(s.ctx, 1, s.wants)
	if ids != nil {
		records = db.(model.Numbered).RecordsOf(s.ctx, slices.Values(ids), s.wants)
		if s.persons {
			for rec := range db.Records(s.ctx, 1, 0) {
				s.countGame(&rec)
			}
		}
	}
	var r row
	for rec, err := range records {
		if err != nil && rec.ID == 0 {
			return nil, err
		}
		if rec.ID%progressStep == 0 {
			s.progress(int(rec.ID))
		}
		game := rec.Game
		if err != nil {
			s.unread.report(rec.ID, err)
			// Its header can be read all the same, unless there is none.
			rec, _ = db.Record(s.ctx, rec.ID, model.WantHeaders)
		}
		s.unread.report(rec.ID, rec.Faults()...)
		if ids == nil {
			s.countGame(&rec)
		}
		r.setRecord(&rec)
		if r.judge(t, game) {
			found = append(found, rec.ID)
		}
		s.plan.Headers++
		if s.wants&model.WantMoves != 0 && game != nil && game.IsPlayable() {
			s.plan.Played++
		}
		if s.enough(len(found)) {
			break
		}
	}
	return found, s.ctx.Err()
}

// onlyTest returns a test without lists of one, and without empty ones, which are true.
func onlyTest(t test) test {
	switch list := t.(type) {
	case allTests:
		var rest allTests
		for _, one := range list {
			one = onlyTest(one)
			if all, ok := one.(allTests); !ok || len(all) > 0 {
				rest = append(rest, one)
			}
		}
		if len(rest) == 1 {
			return rest[0]
		}
		return rest
	case anyTests:
		if len(list) == 1 {
			return onlyTest(list[0])
		}
	}
	return t
}

// trusted returns the test of a position that alone decides, or with whether a record is
// not marked as deleted; nil if it is another test, or not enough by itself.
func trusted(t test) (l *listedTest, live bool) {
	all, ok := t.(allTests)
	if !ok {
		all = allTests{t}
	}
	for _, one := range all {
		if not, is := one.(notTest); is {
			if _, is := not.test.(deletedCondition); is {
				live = true
				continue
			}
		}
		listed, is := one.(*listedTest)
		if !is || !listed.trust || l != nil {
			return nil, false
		}
		l = listed
	}
	return l, live
}

// find tries lists first and falls back to all records.
func (s *session) find(t test) ([]model.RecordID, error) {
	t = onlyTest(t)
	l, live := trusted(t)
	if l != nil && len(l.known) == len(l.ids) {
		if live {
			return slices.DeleteFunc(l.known, l.deleted.Has), nil
		}
		return l.known, nil
	}
	for _, one := range s.lists {
		one.begin()
	}
	if l != nil {
		ids, err := s.judgeRows(t, l.open.all())
		listed := slices.Clone(l.known)
		if live {
			listed = slices.DeleteFunc(listed, l.deleted.Has)
		}
		ids = append(ids, listed...)
		slices.Sort(ids)
		return ids, err
	}
	if b := t.bound(); b != nil && !s.opt.NoBoosters {
		ids, ok, err := s.findByLists(t, b)
		if ok || err != nil {
			return ids, err
		}
	}
	return s.judgeRows(t, nil)
}

// judgeRows judges records, by their games too where that is needed: those with some
// ids, which ascend, or all if that is nil. It ends when there are enough.
func (s *session) judgeRows(t test, ids []model.RecordID) ([]model.RecordID, error) {
	if s.base == nil {
		return s.readAll(t, ids)
	}
	n := len(ids)
	if ids == nil {
		n = s.plan.Records
	}
	traces, err := s.openTraces(n)
	if err != nil {
		return nil, err
	}
	defer traces.close()
	rows := s.base.rows(s.ctx, ids)
	if s.limit == 0 {
		found, open, err := s.sift(t, rows, traces, nil)
		if err != nil {
			return nil, err
		}
		return s.settle(t, found, open, s.plan.Records)
	}
	next, stop := iter.Pull2(rows)
	defer stop()
	var all []model.RecordID
	for size, end := firstRows, false; !end && !s.enough(len(all)); size = min(2*size, mostRows) {
		var first, last model.RecordID
		found, open, err := s.sift(t, func(yield func(*row, error) bool) {
			for range size {
				r, err, ok := next()
				if end = !ok; end {
					return
				}
				if first, last = cmp.Or(first, r.id), r.id; !yield(r, err) {
					return
				}
			}
		}, traces, nil)
		if err == nil {
			found, err = s.settle(t, found, open, int(last-first)+1)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// How many records are judged at once where a few are wanted.
const (
	firstRows = 1 << 6
	mostRows  = 1 << 16
)

// sift judges records by their headers, and by the .cbb file if it is open. It
// returns those found and those that are still open. Each, if not nil, sees
// every row.
func (s *session) sift(t test, rows rowSeq, traces *traceFile, each func(*row)) (found, open []model.RecordID, err error) {
	n := 0
	for r, err := range rows {
		if err != nil {
			return nil, nil, err
		}
		if n++; n%progressStep == 0 {
			s.progress(n)
		}
		s.missing(r)
		if each != nil {
			each(r)
		}
		if traces != nil {
			if err := traces.fill(r); err != nil {
				return nil, nil, err
			}
		}
		switch t.eval(r) {
		case yes:
			found = append(found, r.id)
		case maybe:
			open = append(open, r.id)
		}
	}
	s.plan.Headers += n
	return found, open, nil
}

// progressStep is how many records go by between two reports.
const progressStep = 1024

func (s *session) progress(done int) {
	if s.opt.Progress != nil {
		s.opt.Progress(done, s.plan.Records)
	}
}

// settle decides the open records, of so many, by their games and joins them to the
// others. It ends when there are enough; there may be more then.
func (s *session) settle(t test, found, open []model.RecordID, among int) ([]model.RecordID, error) {
	var more []model.RecordID
	for s.limit > 0 && len(open) > firstRows {
		part, err := s.settleAll(t, open[:firstRows], int(open[firstRows-1]-open[0])+1)
		if err != nil {
			return nil, err
		}
		more = append(more, part...)
		before, _ := slices.BinarySearch(found, open[firstRows])
		if open = open[firstRows:]; s.enough(before + len(more)) {
			open = nil
		}
	}
	if len(open) > 0 {
		part, err := s.settleAll(t, open, among)
		if err != nil {
			return nil, err
		}
		more = append(more, part...)
	}
	found = append(found, more...)
	slices.Sort(found)
	return found, nil
}

// settleAll decides open records, of so many, by their games.
func (s *session) settleAll(t test, open []model.RecordID, among int) ([]model.RecordID, error) {
	// Reading on is much faster than seeking, game by game.
	switch {
	case len(open)*seekCost > among:
		return s.settleStream(t, open)
	case s.wants&model.WantAnnotations != 0 && len(open) > 0:
		return s.settleRecords(t, open)
	}
	return s.settleEach(t, open)
}

// seekCost is how many games can be read in a row in the time it takes to read
// a single one.
const seekCost = 3
