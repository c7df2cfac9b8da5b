package check

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"cbkit/board"
	"cbkit/internal/ctg"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
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
	return newCheck(ctx, &opt, func(ctx context.Context, i *inspection) (Report, error) {
		if dbfile.Is(path, polyglotEnding) {
			return Report{}, checkPolyglot(ctx, path, i)
		}
		return Report{}, checkBook(ctx, path, i)
	})
}

func checkBook(ctx context.Context, path string, i *inspection) error {
	set, err := read.FindBook(nil, path)
	if err != nil {
		return err
	}
	if !set.Has(".ctg") {
		return fmt.Errorf("%s: %w: there is no %s beside it", path, model.ErrNotDatabase, set.Name(".ctg"))
	}
	set, watch, err := set.Watch(".ctg")
	if err != nil {
		return err
	}
	i.set = set
	if i.selected, err = i.opt.selection("files of books", bookExts); err != nil {
		return err
	}
	f, err := openFile(set, ".ctg")
	if err != nil {
		return err
	}
	defer f.Close()
	i.begin(Summary{Database: dbfile.StemOf(set.Path(".ctg"))})
	c := &bookChecker{inspection: i}
	return i.settle(watch, c.run(ctx, f))
}

// bookChecker is one run of [Book].
type bookChecker struct {
	*inspection

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
		name := c.set.Name(half.ext)
		if !c.set.Has(half.ext) {
			c.add(bookMissingFile, inFile(half.ext), "the file is missing; programs cannot find positions without it")
			continue
		}
		b, err := fsys.OS{}.ReadFile(c.set.Path(half.ext))
		if err != nil {
			return fmt.Errorf("%s: %w", name, dbfile.PlainError(err))
		}
		c.out.summary.Files = append(c.out.summary.Files, name)
		*half.data = b
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
	h, pages := book.Header(), c.pages()
	if rest := c.files.Size % ctg.PageSize; rest != 0 {
		c.add(bookFileSize, inFile(".ctg"), "the last page has %s of %d", quantity(rest, "byte"), ctg.PageSize)
	}
	if int64(h.Pages()) != int64(pages) {
		c.add(bookPageCount, inHeader(".ctg", 16, "pages"), "counts %d pages, the file has %d", h.Pages(), pages)
	}
	c.checkDirectory()
	var buf [ctg.PageSize]byte
	for n := range pages {
		if err := ctx.Err(); err != nil {
			return err
		}
		page, err := book.ReadPage(n, &buf)
		if err != nil {
			return err
		}
		at := inRecord(".ctg", n, int64(ctg.PageSize)*int64(n+1)+ctg.PageHeaderSize, "")
		c.keys = c.keys[:0]
		for e, err := range page.Entries() {
			if err != nil {
				at.Field = "entries"
				c.add(bookPage, at, "%v", bare(err))
				break
			}
			c.out.summary.Records++
			c.checkEntry(at, e)
			at.Offset += int64(len(e))
		}
		if c.opt.Progress != nil {
			c.opt.Progress(n+1, pages)
		}
	}
	if have, counted := int64(c.out.summary.Records), int64(h.Positions()); counted != have {
		c.add(bookPositions, inHeader(".ctg", 24, "positions"), "counts %d positions, %d are stored", counted, have)
	}
	return nil
}

// bare returns the reason of an error without its place.
func bare(err error) error {
	if f, ok := errors.AsType[*model.FormatError](err); ok {
		return f.Err
	}
	return err
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

// checkDirectory checks the .ctb and .cto files.
func (c *bookChecker) checkDirectory() {
	if err := c.book.ScanReason(); err != nil {
		ext := ".cto"
		if f, ok := errors.AsType[*model.FormatError](err); ok {
			ext = dbfile.EndingOf(f.File)
		}
		if c.files.CTB != nil && c.files.CTO != nil {
			c.add(bookDirectory, inFile(ext), "%v", bare(err))
		}
		return
	}
	d := c.book.Directory()
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
		c.addAs(Note, bookBounds, at,
			"are %d and %d; the tightest are %d and %d", have.Lower, have.Upper, want.Lower, want.Upper)
	}
	if lower != have.Lower {
		c.add(bookBounds, inHeader(".cto", 12, "lower bound"), "is %d, the other file says %d", lower, have.Lower)
	}
	if leaves := d.Leaves(); leaves != c.pages() {
		c.add(bookUnusedPage, inFile(".cto"), "the file has %d pages, the directory uses %d", c.pages(), leaves)
	}
	if !d.IsSplit(0) {
		c.add(bookRootLeaf, inFile(".ctb"), "nothing is split; some programs find no position of such a book")
	}
	if need := want.PaddedLen(); int64(n) < int64(need) {
		c.add(bookShortCTO, inHeader(".cto", 4, "entries"), "%d entries; some programs need %d", n, need)
	}
}

func (c *bookChecker) checkSize(ext string, have, want int64) {
	if have > want {
		c.addAs(Note, bookFileSize, inFile(ext), "%s behind the end", quantity(have-want, "byte"))
	}
}

// checkEntry checks one entry: that it is in its place, its figures fit each other, and
// its moves are legal and lead to positions of the book.
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
	at.Field = "statistics"
	s := e.Stats()
	if decided := s.Wins + s.Losses + s.Draws; decided > s.Games {
		c.add(bookStatistics, at, "%d wins, %d draws and %d losses in %d games", s.Wins, s.Draws, s.Losses, s.Games)
	} else {
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
	at.Field = "key"
	m, err := key.Position()
	var p board.Position
	if err == nil {
		p, err = board.New(&m)
	}
	if err != nil {
		c.add(bookKey, at, "%s: %v", &key, err)
		return
	}
	at.Field = "moves"
	moves := e.Moves()
	if len(moves) > 2*ctg.MaxPortableMoves {
		c.add(bookManyMoves, at,
			"%d moves in %s; some programs have room for %d", len(moves)/2, p.FEN(), ctg.MaxPortableMoves)
	}
	c.moves = c.moves[:0]
	for i := 0; i < len(moves); i += 2 {
		m, ok := ctg.DecodeMove(&p, 0, moves[i])
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
		undo := p.Make(m)
		key, _ := ctg.Encode(&p)
		_, found, err := c.book.Find(&key, &c.page)
		if twin, ok := ctg.EncodeTwin(&p); !found && err == nil && ok {
			_, found, err = c.book.Find(&twin, &c.page)
		}
		p.Unmake(m, undo)
		// A damaged page is reported as such.
		if !found && err == nil {
			c.add(bookChild, at, "%v in %s leads to a position that is not in the book", m, p.FEN())
		}
	}
}
