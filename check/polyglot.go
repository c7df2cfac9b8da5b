package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"cbkit/board"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/internal/polyglot"
	"cbkit/model"
	"cbkit/read"
)

// polyglotEnding is that of Polyglot books.
const polyglotEnding = ".bin"

// polyglotChecker is one run of [Book] for a Polyglot book.
type polyglotChecker struct {
	*inspection
	file polyglot.File
	name string

	// Of the key that is being checked: where it begins, how many entries it has, which
	// moves, and whether one has a weight.
	first    int64
	listed   [1 << 16 / 64]uint64
	moves    []polyglot.Move
	isPlayed bool
	keys     int
}

// checkPolyglot checks a Polyglot book. It reads the book twice: once as it is stored,
// and once from the start of the game.
func checkPolyglot(ctx context.Context, path string, i *inspection) error {
	for _, name := range i.opt.Files {
		if dbfile.ParseEnding(name) != polyglotEnding {
			return fmt.Errorf("%w: there is no check for %q files of this book; known is %s", model.ErrOption, name, polyglotEnding)
		}
	}
	c := &polyglotChecker{inspection: i, name: filepath.Base(path)}
	summary := Summary{Database: dbfile.StemOf(path), Files: []string{c.name}}
	book, err := read.OpenBook(ctx, path)
	if wrong, ok := errors.AsType[*model.FormatError](err); ok && errors.Is(err, model.ErrNotDatabase) {
		c.begin(summary)
		c.add(binFile, c.at(wrong.Offset/polyglot.Size, ""), "%v", wrong.Err)
		c.out.finish()
		return nil
	}
	if err != nil {
		return err
	}
	defer book.Close()
	f, err := dbfile.Open(fsys.OS{}, path, c.name)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer f.Close()
	c.begin(summary)
	c.file = polyglot.File{Name: c.name, Data: f, Length: f.Size()}
	if err = c.checkStored(ctx); err == nil {
		err = c.checkReached(ctx, book)
	}
	if err = cmp.Or(book.Changed(), err); err == nil {
		c.out.finish()
	}
	return err
}

// at is a field of an entry.
func (c *polyglotChecker) at(entry int64, field string) place {
	return inRecord(c.name, entry, entry*polyglot.Size, field)
}

// checkStored checks what needs no position.
func (c *polyglotChecker) checkStored(ctx context.Context) error {
	var before polyglot.Entry
	for e, err := range c.file.All(ctx, 0) {
		if err != nil {
			return err
		}
		if e.Number == 0 || e.Key != before.Key {
			c.endKey()
			c.first, c.isPlayed = e.Number, false
			c.keys++
		}
		switch {
		case e.Number > 0 && e.Key < before.Key:
			c.add(binOrder, c.at(e.Number, "key"), "%016x stands behind %016x", e.Key, before.Key)
		case e.Move.IsNone():
			c.add(binNoMove, c.at(e.Number, "move"), "the move is 0")
		case !e.Move.IsPossible():
			c.add(binMove, c.at(e.Number, "move"), "%v is no move", e.Move)
		}
		if !e.Move.IsNone() {
			if bit := uint64(1) << (e.Move & 63); c.listed[e.Move>>6]&bit == 0 {
				c.listed[e.Move>>6] |= bit
				c.moves = append(c.moves, e.Move)
			} else {
				c.add(binMoveTwice, c.at(e.Number, "move"), "%v is listed before for the key %016x", e.Move, e.Key)
			}
		}
		c.isPlayed = c.isPlayed || e.Weight > 0
		before = e.Entry
		c.out.summary.Records++
		if c.opt.Progress != nil && e.Number&0xffff == 0 {
			c.opt.Progress(int(e.Number), int(c.file.Len()))
		}
	}
	c.endKey()
	if err := c.file.Cut(); err != nil {
		c.add(binCut, c.at(c.file.Len(), ""), "%v", bare(err))
	}
	return nil
}

// endKey ends the entries of a key.
func (c *polyglotChecker) endKey() {
	if len(c.moves) > 0 && !c.isPlayed {
		c.add(binWeights, c.at(c.first, "weight"), "%s, all with the weight 0", quantity(len(c.moves), "move"))
	}
	for _, m := range c.moves {
		c.listed[m>>6] = 0
	}
	c.moves = c.moves[:0]
}

// checkReached checks the moves of the positions that the book leads to.
func (c *polyglotChecker) checkReached(ctx context.Context, book read.Book) error {
	reached := 0
	var buf [polyglot.Block]byte
	for step, err := range book.Walk(ctx, board.Start()) {
		if err != nil {
			return err
		}
		reached++
		p, err := board.New(&step.Entry.Position)
		if err != nil {
			return err
		}
		key := p.PolyglotKey()
		first, found, err := c.file.Find(key, &buf)
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		castled := map[model.Move]bool{}
		for e, err := range c.file.Of(key, first, &buf) {
			if err != nil {
				return err
			}
			m, legal := e.Move.On(&p)
			switch {
			case e.Move.IsNone() || !e.Move.IsPossible(): // reported before
			case !legal:
				c.add(binIllegal, c.at(e.Number, "move"), "%v in %s", e.Move, p.FEN())
			case polyglot.EncodeMove(m) != e.Move:
				c.add(binCastling, c.at(e.Number, "move"),
					"%v in %s; %v is what all programs read", e.Move, p.FEN(), polyglot.EncodeMove(m))
			}
			if legal && m.IsCastling() {
				if castled[m] {
					c.add(binMoveTwice, c.at(e.Number, "move"), "%v is listed before in %s, in the other form", e.Move, p.FEN())
				}
				castled[m] = true
			}
		}
	}
	if n := c.keys - reached; n > 0 {
		c.add(binUnreached, inFile(c.name),
			"%s of %d; a book for another start, or for positions that were met otherwise, has such", quantity(n, "position"), c.keys)
	}
	return nil
}
