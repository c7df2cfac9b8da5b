// Package viewer answers what the page in web/ asks: the same calls, with the same
// answers, whether the page talks to a program on this machine or to WebAssembly
// in a worker beside it.
//
//	page (web/) ──► carrier ──► Viewer.Call(name, arguments) ──► read, search, stats
//	                  │
//	     HTTP of cbkit serve, messages to a worker
//
// The calls, with their arguments, which are all text:
//
//	open                              what is open: sources, whether there is a book
//	list      db where sort from n    rows of a list, with the number of all
//	game      db id                   a game with every position, or a text
//	picture   db id name              a picture of a text
//	pgn       db id                   a game as PGN
//	report    db fen quick            what was played in a position; quick: or that it takes long
//	edition   db                      how often it was reopened because another program changed it
//	moves     fen                     the legal moves of a position
//	book      fen                     what the book says of it
//	entities  db kind find sort from n   who and what is in a database
//	scores    db player               a player's score by colour, opening and year
//	terms                             the terms of conditions
//
// Rules of chess stay here: the page gets the moves with their notation and the
// FEN behind each of them. A call reads and never writes, ends when its context
// does, and tells its progress if it reads a whole database.
package viewer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"

	"cbkit/board"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/internal/packed"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/search"
	"cbkit/stats"
)

// Options configures [Viewer.Add].
type Options struct {
	// Files is where the name is; nil is the machine's files.
	Files fs.FS
	// CodePage is the page of names and texts that are not UTF-8, recognised where
	// it is empty.
	CodePage string
	// Jobs is how many processors work; 0 or less is all.
	Jobs int
	// Password opens an enciphered archive.
	Password []byte
	// Progress is called with how much of a file is read that must be read as a whole.
	Progress func(done, total int)

	only string // database of an archive; "" is all
}

// Viewer has sources and books open. It may be used from several goroutines.
type Viewer struct {
	sources []*slot[*source]
	books   []*slot[openBook]
	failed  []string
}

// openBook is a book with its name.
type openBook struct {
	name string
	read.Book
}

func (b openBook) changed() bool { return b.Changed() != nil }
func (b openBook) close() error  { return b.Close() }

// ErrRequest is the error of a call that should not be made.
var ErrRequest = errors.New("this cannot be asked")

// Add opens a database, a PGN file, an archive with all databases in it, or a book.
func (v *Viewer) Add(ctx context.Context, name string, opt Options) error {
	if dbfile.Is(name, ".ctg", ".bin") {
		open := func(ctx context.Context) (b openBook, err error) {
			b.name = baseName(name)
			b.Book, err = read.OpenBookFS(ctx, opt.Files, name)
			return b, err
		}
		b, err := open(ctx)
		if err == nil {
			v.books = append(v.books, newSlot(b, open))
		}
		return err
	}
	list, err := openSources(ctx, name, opt)
	for _, s := range list {
		var again func(context.Context) (*source, error)
		edition := 0
		if opt.Files == nil {
			again = func(ctx context.Context) (*source, error) {
				only := opt
				only.Progress, only.only = nil, s.name
				fresh, err := openSources(ctx, name, only)
				if err != nil || len(fresh) != 1 {
					return nil, errors.Join(err, closeAll(fresh), model.ErrChanged)
				}
				edition++
				fresh[0].edition = edition
				return fresh[0], nil
			}
		}
		v.sources = append(v.sources, newSlot(s, again))
	}
	return err
}

// IsOpened reports whether a name is one of those by which something is opened: of the files
// of a database or a book that of the main one alone.
func IsOpened(name string) bool {
	bare := name[:len(name)-len(packed.Ending(name))]
	return dbfile.FormatOf(dbfile.EndingOf(name)) != nil || dbfile.Is(name, ".cbv", ".cbz", ".bin") || dbfile.Is(bare, ".pgn")
}

// Fail notes what could not be opened, for the page to tell.
func (v *Viewer) Fail(err error) { v.failed = append(v.failed, plain(err.Error())) }

// AddSource takes records that are in memory.
func (v *Viewer) AddSource(name string, db *model.Database) {
	v.sources = append(v.sources, newSlot(&source{name: name, format: "records", records: memory{db, name}}, nil))
}

// Load takes records that can only be read as a whole: those of a file of the machine, which
// is loaded again once it has changed.
func (v *Viewer) Load(ctx context.Context, name string, load func(context.Context) (*model.Database, error)) error {
	edition := -1
	open := func(ctx context.Context) (*source, error) {
		watch := watchFile(name)
		db, err := load(ctx)
		edition++
		return &source{name: name, format: "records", records: memory{db, name}, watch: watch, edition: edition}, err
	}
	s, err := open(ctx)
	if err == nil {
		v.sources = append(v.sources, newSlot(s, open))
	}
	return err
}

// Len returns how many sources and books are open.
func (v *Viewer) Len() (sources, books int) { return len(v.sources), len(v.books) }

// Close closes everything.
func (v *Viewer) Close() error {
	return errors.Join(closeAll(v.sources), closeAll(v.books))
}

// Call answers a call of the page. Progress may be nil. The answer is for
// encoding/json.
func (v *Viewer) Call(ctx context.Context, name string, args map[string]string, progress func(done, total int)) (any, error) {
	if progress == nil {
		progress = func(int, int) {}
	}
	c := &call{ctx: ctx, viewer: v, args: args, progress: progress}
	defer c.end()
	do := calls[name]
	if do == nil {
		return nil, fmt.Errorf("%q: %w", name, ErrRequest)
	}
	answer, err := do(c)
	if err == nil {
		err = ctx.Err()
	}
	return answer, err
}

// calls are what can be asked.
var calls = map[string]func(*call) (any, error){
	"open": (*call).open, "book": (*call).book, "terms": (*call).terms, "moves": (*call).moves,
	"list": ofSource((*call).list), "report": ofSource((*call).report), "entities": ofSource((*call).entities),
	"scores": ofSource((*call).scores), "edition": ofSource((*call).edition),
	"game": ofRecord((*call).game), "pgn": ofRecord((*call).pgn), "picture": ofRecord((*call).picture),
}

// call is one call.
type call struct {
	ctx      context.Context
	viewer   *Viewer
	args     map[string]string
	progress func(done, total int)
	used     []func()
	wrong    error // the first of the arguments that is no number
}

// end gives back what was used.
func (c *call) end() {
	for _, done := range c.used {
		done()
	}
}

// use returns what is in a slot until the call ends.
func use[T opened](c *call, s *slot[T]) (T, error) {
	is, done, err := s.use(c.ctx)
	if err == nil {
		c.used = append(c.used, done)
	}
	return is, err
}

// number returns an argument that is a number, 0 if it is not there. What is none is noted
// in wrong.
func (c *call) number(name string, most int) int {
	text := c.args[name]
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		c.wrong = cmp.Or(c.wrong, fmt.Errorf("%s: %w: it is no number", name, ErrRequest))
		return 0
	}
	return min(n, most)
}

// ofSource is a call that asks a source.
func ofSource(do func(*call, *source) (any, error)) func(*call) (any, error) {
	return func(c *call) (any, error) {
		n := c.number("db", 1<<30)
		switch {
		case c.wrong != nil:
			return nil, c.wrong
		case n >= len(c.viewer.sources):
			return nil, fmt.Errorf("%w: there is no database %d", ErrRequest, n)
		}
		s, err := use(c, c.viewer.sources[n])
		if err != nil {
			return nil, err
		}
		return do(c, s)
	}
}

// SourceInfo is a source as the page lists it.
type SourceInfo struct {
	Name    string   `json:"name"`
	Format  string   `json:"format"`
	Records int      `json:"records"`
	Notes   []string `json:"notes,omitempty"`
	// Sorts are the columns that the list can be sorted by.
	Sorts []string `json:"sorts"`
}

func (c *call) open() (any, error) {
	var answer struct {
		Sources []SourceInfo `json:"sources"`
		Books   []string     `json:"books"`
		Failed  []string     `json:"failed,omitempty"`
	}
	answer.Sources, answer.Books, answer.Failed = []SourceInfo{}, []string{}, slices.Clone(c.viewer.failed)
	for _, slot := range c.viewer.sources {
		s, err := use(c, slot)
		if err != nil { // it keeps its number; the others are shown
			was := slot.last()
			answer.Failed = append(answer.Failed, plain(err.Error()))
			answer.Sources = append(answer.Sources, SourceInfo{was.name, was.format, 0, []string{plain(err.Error())}, sortNames})
			continue
		}
		answer.Sources = append(answer.Sources, SourceInfo{s.name, s.format, s.records.Count(), s.noteList(), sortNames})
	}
	for _, slot := range c.viewer.books {
		if _, err := use(c, slot); err != nil {
			answer.Failed = append(answer.Failed, plain(err.Error()))
		}
		answer.Books = append(answer.Books, slot.last().name)
	}
	return answer, nil
}

func (c *call) terms() (any, error) {
	var list [][3]string
	for _, t := range search.Terms() {
		list = append(list, [3]string{t.Name, t.Value, t.Help})
	}
	return list, nil
}

// BookMoveInfo is a move of a book.
type BookMoveInfo struct {
	UCI    string  `json:"uci"`
	SAN    string  `json:"san"`
	Sign   string  `json:"sign,omitempty"`
	Games  uint32  `json:"games"`
	Wins   uint32  `json:"wins"`
	Draws  uint32  `json:"draws"`
	Losses uint32  `json:"losses"`
	Score  float64 `json:"percent"`
	Elo    int     `json:"elo,omitempty"`
	Weight int     `json:"weight,omitempty"`
	// Advice is "main" or "avoid".
	Advice string `json:"advice,omitempty"`
	// Chance is the weight of the move in percent of those of the position, where a book
	// has weights in the place of figures.
	Chance float64 `json:"chance,omitempty"`
}

// BookInfo is what a book says of a position.
type BookInfo struct {
	Name  string `json:"name"`
	Found bool   `json:"found"`
	Games uint32 `json:"games"`
	// Weighed says that moves have chances, and no figures.
	Weighed bool           `json:"weighed,omitempty"`
	Moves   []BookMoveInfo `json:"moves"`
	Error   string         `json:"error,omitempty"`
}

func (c *call) book() (any, error) {
	on, err := board.Parse(c.args["fen"])
	if err != nil {
		return nil, err
	}
	list := []BookInfo{}
	for _, slot := range c.viewer.books {
		b, err := use(c, slot)
		if err != nil {
			list = append(list, BookInfo{Moves: []BookMoveInfo{}, Error: plain(err.Error())})
			continue
		}
		info := BookInfo{Name: b.name, Moves: []BookMoveInfo{}}
		e, err := b.Lookup(on)
		if err != nil && !errors.Is(err, model.ErrNoRecord) {
			info.Error = err.Error()
		}
		if info.Found = e != nil; info.Found {
			info.Games, info.Weighed = e.Stats.Games, e.Weighed
			for _, m := range e.Moves {
				move := BookMoveInfo{UCI: m.Move.UCI(on.Chess960()), SAN: on.SAN(m.Move)}
				if sign := pgn.FormatNAG(m.Annotation); !strings.HasPrefix(sign, "$") { // a number says nothing
					move.Sign = sign
				}
				if s := m.Stats; m.Known {
					move.Games, move.Wins, move.Draws, move.Losses, move.Score = s.Games, s.Wins, s.Draws, s.Losses, s.Percent()
					move.Elo, move.Weight, move.Advice = s.Own.Average(), int(s.Weight), s.Recommendation.String()
				} else if e.Weighed {
					move.Chance = 100 * float64(m.MoveWeight) / float64(max(1, e.MoveWeights()))
				}
				info.Moves = append(info.Moves, move)
			}
			slices.SortStableFunc(info.Moves, func(a, b BookMoveInfo) int {
				return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(b.Chance, a.Chance))
			})
		}
		list = append(list, info)
	}
	return list, nil
}

// source is an open source.
type source struct {
	name, format string
	records      records
	// search opens the database for a question; nil of what has no search.
	search func(progress func(done, total int), ask func(*search.Searcher) error) error
	end    func() error
	// watch returns an error once other files are there than were opened; nil of
	// what stays as it is.
	watch func() error
	// edition counts how often it was opened again.
	edition int

	notesLock sync.Mutex
	notes     []string

	// One at a time asks for what takes long, so that who asks twice gets the answer
	// of the first.
	listing sync.Mutex
	orders  []*order
	texts   []model.RecordID // of all guiding texts, once they are known
	counted bool
	entries map[stats.Kind]*stats.Listing

	files fsys.ReadFS
	set   *read.FileSet // nil of what has no pictures
	page  string        // the code page
}

// mostNotes is how many notes about a source are kept.
const mostNotes = 20

// addNote notes what is wrong with a source, once.
func (s *source) addNote(err error) {
	s.notesLock.Lock()
	defer s.notesLock.Unlock()
	if text := plain(err.Error()); len(s.notes) < mostNotes && !slices.Contains(s.notes, text) {
		s.notes = append(s.notes, text)
	}
}

func (s *source) noteList() []string {
	s.notesLock.Lock()
	defer s.notesLock.Unlock()
	return slices.Clone(s.notes)
}

func (s *source) changed() bool { return s.watch != nil && s.watch() != nil }

func (s *source) close() error {
	if s.end == nil {
		return nil
	}
	return s.end()
}

func closeAll[T interface{ close() error }](list []T) error {
	var errs []error
	for _, s := range list {
		errs = append(errs, s.close())
	}
	return errors.Join(errs...)
}

// baseName is the last part of a name, on any system.
func baseName(name string) string { return name[strings.LastIndexAny(name, `/\`)+1:] }

// plain makes control characters visible.
func plain(s string) string { return strings.Map(visible, s) }

func visible(r rune) rune {
	if r < ' ' || r >= 0x7F && r < 0xA0 {
		return '·'
	}
	return r
}
