package check

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"cbkit/board"
	"cbkit/internal/ctg"
	"cbkit/internal/dbfile"
	"cbkit/model"
	"cbkit/read"
)

// bookExts are the endings of a book's files.
var bookExts = dbfile.Book.Exts()

// Book checks the opening book that path names: a .bin file of Polyglot, or one of the files of a book of
// ChessBase, or its name without an ending. The number of the record of a finding is that
// of the page, from 0, of a Polyglot book that of the entry. Records of the summary counts the
// positions, of a Polyglot book the entries.
//
// Damage of any kind is a finding; an error means that the check could not be
// made, as for [Database]. Of the options, Files, Max and Progress count; the
// progress is in pages, or entries.
func Book(ctx context.Context, path string, opt Options) *Check {
	return &Check{ctx: ctx, make: func(ctx context.Context, report func(Finding)) (Summary, Report, error) {
		s, err := checkBook(ctx, path, opt, report)
		return s, Report{}, err
	}}
}

func checkBook(ctx context.Context, path string, opt Options, report func(Finding)) (Summary, error) {
	if dbfile.Is(path, polyglotEnding) {
		return checkPolyglot(ctx, path, opt, report)
	}
	set, err := read.FindFiles(path)
	if err != nil {
		return Summary{}, err
	}
	if !set.Has(".ctg") {
		return Summary{}, fmt.Errorf("%s: %w: there is no %s beside it", path, model.ErrNotDatabase, set.Name(".ctg"))
	}
	set, watch, err := set.Watch(".ctg")
	if err != nil {
		return Summary{}, err
	}
	c := &bookChecker{findings: findings{set: set}, opt: &opt, out: newReporter(Summary{
		Database: dbfile.StemOf(set.Path(".ctg")),
	}, &opt, report)}
	c.see = c.out.see
	if c.selected, err = bookSelection(opt.Files); err != nil {
		return Summary{}, err
	}
	f, err := openFile(set, ".ctg")
	if err != nil {
		return Summary{}, err
	}
	defer f.Close()
	if err = oneState(watch, c.run(ctx, f)); err == nil {
		c.out.finish()
	}
	return c.out.summary, err
}

// bookSelection reads the endings of the files to report on.
func bookSelection(names []string) (selection, error) {
	if len(names) == 0 {
		return nil, nil
	}
	s := selection{}
	for _, name := range names {
		ext := dbfile.ParseEnding(name)
		if !slices.Contains(bookExts, ext) {
			return nil, fmt.Errorf("%w: there is no check for %q files of books; known are %s", model.ErrOption, name, strings.Join(bookExts, " "))
		}
		s[ext] = true
	}
	return s, nil
}

// bookChecker is one run of [Book].
type bookChecker struct {
	findings
	opt *Options
	out reporter

	files ctg.Files
	book  *ctg.Book
	page  [ctg.PageSize]byte // for looking up moves
	keys  []ctg.Key          // of the page that is being checked
	moves []model.Move       // of the entry that is being checked
}

// run makes all checks.
func (c *bookChecker) run(ctx context.Context, f *dbfile.File) error {
	c.files = ctg.Files{
		Name: f.Name(), CTG: f, Size: f.Size(),
		CTBName: c.set.Name(".ctb"), CTOName: c.set.Name(".cto"),
	}
	c.out.summary.Files = []string{f.Name()}
	for _, half := range []struct {
		ext  string
		data *[]byte
	}{{".ctb", &c.files.CTB}, {".cto", &c.files.CTO}} {
		if err := c.readSmall(half.ext, half.data); err != nil {
			return err
		}
	}
	book, err := ctg.OpenBook(ctx, c.files)
	if dbfile.IsDamage(err) {
		c.add(bookHeader, inFile(".ctg"), "%v", bare(err))
		return nil
	}
	if err != nil {
		return err
	}
	c.book = book
	c.checkHeader()
	c.checkDirectory()
	return c.checkPages(ctx)
}

// readSmall reads one of the two files of the directory.
func (c *bookChecker) readSmall(ext string, data *[]byte) error {
	if !c.set.Has(ext) {
		c.add(bookMissingFile, inFile(ext), "the file is missing; programs cannot find positions without it")
		return nil
	}
	content, err := os.ReadFile(c.set.Path(ext))
	if err != nil {
		return fmt.Errorf("%s: %w", c.set.Name(ext), dbfile.PlainError(err))
	}
	c.out.summary.Files = append(c.out.summary.Files, c.set.Name(ext))
	*data = content
	return nil
}

// bare returns the reason of an error without its place.
func bare(err error) error {
	var f *model.FormatError
	if errors.As(err, &f) {
		return f.Err
	}
	return err
}

// checkHeader compares the header page with the file.
func (c *bookChecker) checkHeader() {
	h := c.book.Header()
	if rest := c.files.Size % ctg.PageSize; rest != 0 {
		c.add(bookFileSize, inFile(".ctg"), "the last page has %s of %d", quantity(rest, "byte"), ctg.PageSize)
	}
	if int64(h.Pages()) != int64(c.pages()) {
		c.add(bookPageCount, inHeader(".ctg", 16, "pages"), "counts %d pages, the file has %d", h.Pages(), c.pages())
	}
}

// pages returns the number of pages, without a last one that is cut and that
// the header does not count.
func (c *bookChecker) pages() int {
	n := c.book.Pages()
	if c.book.Cut() != nil && int64(c.book.Header().Pages()) < int64(n) {
		n--
	}
	return n
}

// checkPositions compares the number of positions with the header's.
func (c *bookChecker) checkPositions() {
	have, counted := int64(c.out.summary.Records), int64(c.book.Header().Positions())
	if counted != have {
		c.add(bookPositions, inHeader(".ctg", 24, "positions"), "counts %d positions, %d are stored", counted, have)
	}
}

// checkDirectory checks the .ctb and .cto files.
func (c *bookChecker) checkDirectory() {
	if err := c.book.ScanReason(); err != nil {
		var f *model.FormatError
		ext := ".cto"
		if errors.As(err, &f) {
			ext = dbfile.EndingOf(f.File)
		}
		if c.files.CTB != nil && c.files.CTO != nil {
			c.add(bookDirectory, inFile(ext), "%v", bare(err))
		}
		return
	}
	d := c.book.Directory()
	c.checkBounds(d)
	if leaves := d.Leaves(); leaves != c.pages() {
		c.add(bookUnusedPage, inFile(".cto"), "the file has %d pages, the directory uses %d", c.pages(), leaves)
	}
	if !d.IsSplit(0) {
		c.add(bookRootLeaf, inFile(".ctb"), "nothing is split; some programs find no position of such a book")
	}
	n, _ := ctg.StoredPages(c.files.CTO)
	if need := d.Bounds().PaddedLen(); int64(n) < int64(need) {
		c.add(bookShortCTO, inHeader(".cto", 4, "entries"), "%d entries; some programs need %d", n, need)
	}
}

// checkBounds checks sizes and bounds of the two files against the bitmap.
func (c *bookChecker) checkBounds(d *ctg.Directory) {
	want, have := d.Bounds(), ctg.StoredBounds(c.files.CTB)
	n, lower := ctg.StoredPages(c.files.CTO)
	c.checkSize(".ctb", int64(len(c.files.CTB)), ctg.BitmapFileSize(have))
	c.checkSize(".cto", int64(len(c.files.CTO)), ctg.PagesFileSize(n))
	at := inHeader(".ctb", 4, "bounds")
	switch {
	case have.Lower > want.Lower || have.Upper < want.Upper:
		c.add(bookBounds, at, "are %d and %d; by the bitmap every node is split below %d and none from %d on",
			have.Lower, have.Upper, want.Lower, want.Upper)
	case have != want:
		c.addAs(Note, bookBounds, at, "are %d and %d; the tightest are %d and %d", have.Lower, have.Upper, want.Lower, want.Upper)
	}
	if lower != have.Lower {
		c.add(bookBounds, inHeader(".cto", 12, "lower bound"), "is %d, the other file says %d", lower, have.Lower)
	}
}

func (c *bookChecker) checkSize(ext string, have, want int64) {
	if have > want {
		c.addAs(Note, bookFileSize, inFile(ext), "%s behind the end", quantity(have-want, "byte"))
	}
}

// checkPages checks all pages.
func (c *bookChecker) checkPages(ctx context.Context) error {
	var buf [ctg.PageSize]byte
	for n := range c.pages() {
		if err := ctx.Err(); err != nil {
			return err
		}
		page, err := c.book.ReadPage(n, &buf)
		if err != nil {
			return err
		}
		c.checkPage(n, page)
		if c.opt.Progress != nil {
			c.opt.Progress(n+1, c.pages())
		}
	}
	c.checkPositions()
	return nil
}

// checkPage checks the entries of a page.
func (c *bookChecker) checkPage(n int, page ctg.Page) {
	start := int64(ctg.PageSize) * int64(n+1)
	at := inRecord(".ctg", n, start+ctg.PageHeaderSize, "")
	c.keys = c.keys[:0]
	for e, err := range page.Entries() {
		if err != nil {
			at.Field = "entries"
			c.add(bookPage, at, "%v", bare(err))
			return
		}
		c.out.summary.Records++
		c.checkEntry(at, e)
		at.Offset += int64(len(e))
	}
}

// checkEntry checks one entry.
func (c *bookChecker) checkEntry(at place, e ctg.Entry) {
	key := e.Key()
	at.Field = "key"
	if slices.Contains(c.keys, key) {
		c.add(bookTwice, at, "%s is on this page before", &key)
	}
	c.keys = append(c.keys, key)
	if d := c.book.Directory(); d != nil {
		if page := d.Page(d.Leaf(key.Hash())); int64(page) != at.Record {
			c.add(bookMisplaced, at, "%s belongs on page %d", &key, page)
		}
	}
	c.checkStatistics(at, e)
	m, err := key.Position()
	var p board.Position
	if err == nil {
		p, err = board.New(&m)
	}
	if err != nil {
		c.add(bookKey, at, "%s: %v", &key, err)
		return
	}
	c.checkMoves(at, e, &p)
}

// checkMoves checks the moves of an entry and where they lead.
func (c *bookChecker) checkMoves(at place, e ctg.Entry, p *board.Position) {
	at.Field = "moves"
	moves := e.Moves()
	if len(moves) > 2*ctg.MaxPortableMoves {
		c.add(bookManyMoves, at, "%d moves in %s; some programs have room for %d", len(moves)/2, p.FEN(), ctg.MaxPortableMoves)
	}
	c.moves = c.moves[:0]
	for i := 0; i < len(moves); i += 2 {
		m, ok := ctg.DecodeMove(p, 0, moves[i])
		switch {
		case !ok || !p.Legal(m):
			c.add(bookMove, at, "%02x means no legal move in %s", moves[i], p.FEN())
			continue
		case slices.Contains(c.moves, m):
			c.add(bookMoveTwice, at, "%v is listed twice in %s", m, p.FEN())
			continue
		case !ctg.IsPortable(moves[i]):
			c.add(bookMoveForm, at, "other programs do not know the byte %02x for %v in %s", moves[i], m, p.FEN())
		}
		c.moves = append(c.moves, m)
		c.checkChild(at, p, m)
	}
}

// checkChild checks that a move leads to a position of the book.
func (c *bookChecker) checkChild(at place, p *board.Position, m model.Move) {
	undo := p.Make(m)
	key, _ := ctg.Encode(p)
	_, found, err := c.book.Find(&key, &c.page)
	if twin, ok := ctg.EncodeTwin(p); !found && err == nil && ok {
		_, found, err = c.book.Find(&twin, &c.page)
	}
	p.Unmake(m, undo)
	// A damaged page is reported as such.
	if !found && err == nil {
		c.add(bookChild, at, "%v in %s leads to a position that is not in the book", m, p.FEN())
	}
}

// checkStatistics checks that the figures of an entry fit each other.
func (c *bookChecker) checkStatistics(at place, e ctg.Entry) {
	at.Field = "statistics"
	s := e.Stats()
	decided := s.Wins + s.Losses + s.Draws
	if decided > s.Games {
		c.add(bookStatistics, at, "%d wins, %d draws and %d losses in %d games", s.Wins, s.Draws, s.Losses, s.Games)
		return
	}
	least := 10*s.Wins + 5*s.Draws
	if most := least + 10*(s.Games-decided); s.Score < least || s.Score > most {
		c.add(bookScore, at, "the score is %d, by the results it is from %d to %d", s.Score, least, most)
	}
	for _, r := range [...]struct {
		whose      string
		games, sum uint32
	}{{"the side to move", s.OwnGames, s.OwnSum}, {"the opponent", s.OpponentGames, s.OpponentSum}} {
		if r.games > s.Games || r.games == 0 && r.sum != 0 {
			c.add(bookRatings, at, "ratings of %s in %d of %d games, their sum is %d", r.whose, r.games, s.Games, r.sum)
		}
	}
}
