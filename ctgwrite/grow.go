package ctgwrite

import (
	"bytes"
	"fmt"
	"io"

	"cbkit/internal/ctg"
	"cbkit/model"
)

// pageStore is where the pages of a growing book are.
type pageStore interface {
	io.ReaderAt
	io.WriterAt
}

// grower changes the entries of a book one by one, as dbm does: an entry that
// does not fit its page splits the leaf, and then goes where it belongs, which
// may need another split. (docs/formats/ctg.md 3.5)
type grower struct {
	name     string // of the file, for errors
	store    pageStore
	dir      *ctg.Directory
	pages    int
	capacity int // of a page in bytes, header included
	page     [ctg.PageSize]byte
	out      []byte
	left     []byte
	right    []byte
}

// update gives a key the entry that do makes of the one it has; nil stands for
// none. What do is given is valid until it returns, what it returns must be in
// memory of its own. A page whose entries stay the same is not written.
func (g *grower) update(key *ctg.Key, do func(old ctg.Entry) (ctg.Entry, error)) error {
	c := g.dir.Leaf(key.Hash())
	page, err := g.read(c)
	if err != nil {
		return err
	}
	old, _, err := page.Find(key)
	if err != nil {
		return g.wrong(g.dir.Page(c), err)
	}
	e, err := do(old)
	if err != nil || bytes.Equal(old, e) {
		return err
	}
	for {
		body, count, err := g.with(page, key, e)
		if err != nil {
			return g.wrong(g.dir.Page(c), err)
		}
		if ctg.PageHeaderSize+len(body) <= g.capacity {
			return g.write(g.dir.Page(c), count, body)
		}
		if err := g.split(c, page); err != nil {
			return err
		}
		c = g.dir.Leaf(key.Hash())
		if page, err = g.read(c); err != nil {
			return err
		}
	}
}

// with returns the entries of a page with that of a key put in, or without it.
func (g *grower) with(page ctg.Page, key *ctg.Key, e ctg.Entry) (body []byte, count int, err error) {
	g.left = g.left[:0]
	put := func(e ctg.Entry) {
		if e != nil {
			g.left = append(g.left, e...)
			count++
		}
	}
	done := false
	for old, err := range page.Entries() {
		switch {
		case err != nil:
			return nil, 0, err
		case !done && bytes.Equal(old.KeyBytes(), key.Bytes()):
			done = true
			put(e)
		default:
			put(old)
		}
	}
	if !done {
		put(e)
	}
	return g.left, count, nil
}

// split gives a leaf two children. The left one keeps the page.
func (g *grower) split(c ctg.Node, page ctg.Page) error {
	level := c.Level()
	if level == ctg.MaxLevel {
		return fmt.Errorf("%w: too many positions whose hashes end in the same %d bits", model.ErrTooLarge, ctg.MaxLevel)
	}
	g.left, g.right = g.left[:0], g.right[:0]
	var leftCount, rightCount int
	for e, err := range page.Entries() {
		if err != nil {
			return g.wrong(g.dir.Page(c), err)
		}
		if ctg.Hash(e.KeyBytes())>>level&1 == 0 {
			g.left = append(g.left, e...)
			leftCount++
		} else {
			g.right = append(g.right, e...)
			rightCount++
		}
	}
	number := g.dir.Page(c)
	left, right := c.Children()
	g.dir.Split(c)
	g.dir.SetPage(left, number)
	g.dir.SetPage(right, int32(g.pages))
	g.pages++
	if err := g.write(number, leftCount, g.left); err != nil {
		return err
	}
	return g.write(g.dir.Page(right), rightCount, g.right)
}

// read returns the page of a leaf.
func (g *grower) read(c ctg.Node) (ctg.Page, error) { return g.readPage(g.dir.Page(c), &g.page) }

// readPage reads a page into buf.
func (g *grower) readPage(page int32, buf *[ctg.PageSize]byte) (ctg.Page, error) {
	n, err := g.store.ReadAt(buf[:], offsetOf(page))
	if n == len(buf) {
		return buf[:], nil
	}
	if err == nil || err == io.EOF {
		err = model.ErrTruncated
	}
	return nil, g.wrong(page, err)
}

// wrong returns an error about a page.
func (g *grower) wrong(page int32, err error) error {
	return &model.FormatError{File: g.name, Offset: offsetOf(page), Record: -1, Field: fmt.Sprintf("page %d", page), Err: err}
}

func (g *grower) write(page int32, count int, body []byte) error {
	g.out = ctg.AppendPage(g.out[:0], count, body)
	_, err := g.store.WriteAt(g.out, offsetOf(page))
	return err
}

func offsetOf(page int32) int64 { return ctg.PageSize * (1 + int64(page)) }
