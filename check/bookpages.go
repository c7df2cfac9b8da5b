package check

import (
	"context"
	"slices"

	"cbkit/board"
	"cbkit/internal/ctg"
	"cbkit/model"
)

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
	at := bookPlace{".ctg", int64(n), start + ctg.PageHeaderSize, ""}
	c.keys = c.keys[:0]
	for e, err := range page.Entries() {
		if err != nil {
			at.field = "entries"
			c.add(bookPage, at, "%v", bare(err))
			return
		}
		c.out.summary.Records++
		c.checkEntry(at, e)
		at.offset += int64(len(e))
	}
}

// checkEntry checks one entry.
func (c *bookChecker) checkEntry(at bookPlace, e ctg.Entry) {
	key := e.Key()
	at.field = "key"
	if slices.Contains(c.keys, key) {
		c.add(bookTwice, at, "%s is on this page before", &key)
	}
	c.keys = append(c.keys, key)
	if d := c.book.Directory(); d != nil {
		if page := d.Page(d.Leaf(key.Hash())); int64(page) != at.page {
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
func (c *bookChecker) checkMoves(at bookPlace, e ctg.Entry, p *board.Position) {
	at.field = "moves"
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
func (c *bookChecker) checkChild(at bookPlace, p *board.Position, m model.Move) {
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
func (c *bookChecker) checkStatistics(at bookPlace, e ctg.Entry) {
	at.field = "statistics"
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
