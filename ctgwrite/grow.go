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

// grower puts entries into a book one by one, as dbm does: an entry that does
// not fit its page splits the leaf, and then goes where it belongs, which may
// need another split. (spec/ctg.md 3.5)
type grower struct {
	store    pageStore
	dir      *ctg.Directory
	pages    int
	capacity int // of a page in bytes, header included
	page     [ctg.PageSize]byte
	out      []byte
	left     []byte
	right    []byte
}

// put stores an entry, in place of the one with the same key if there is one.
func (g *grower) put(hash uint32, e ctg.Entry) (added bool, err error) {
	for {
		c := g.dir.Leaf(hash)
		page, err := g.read(c)
		if err != nil {
			return false, err
		}
		body, count, replaced, err := g.with(page, e)
		if err != nil {
			return false, err
		}
		if ctg.PageHeaderSize+len(body) <= g.capacity {
			return !replaced, g.write(g.dir.Page(c), count, body)
		}
		if err := g.split(c, page); err != nil {
			return false, err
		}
	}
}

// with returns the entries of a page with one put in.
func (g *grower) with(page ctg.Page, e ctg.Entry) (body []byte, count int, replaced bool, err error) {
	g.left = g.left[:0]
	for old, err := range page.Entries() {
		if err != nil {
			return nil, 0, false, err
		}
		if bytes.Equal(old.KeyBytes(), e.KeyBytes()) {
			old, replaced = e, true
		}
		g.left = append(g.left, old...)
		count++
	}
	if !replaced {
		g.left = append(g.left, e...)
		count++
	}
	return g.left, count, replaced, nil
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
			return err
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
func (g *grower) read(c ctg.Node) (ctg.Page, error) {
	n, err := g.store.ReadAt(g.page[:], offsetOf(g.dir.Page(c)))
	if n == len(g.page) {
		return g.page[:], nil
	}
	if err == nil || err == io.EOF {
		err = model.ErrTruncated
	}
	return nil, err
}

func (g *grower) write(page int32, count int, body []byte) error {
	g.out = ctg.AppendPage(g.out[:0], count, body)
	_, err := g.store.WriteAt(g.out, offsetOf(page))
	return err
}

func offsetOf(page int32) int64 { return ctg.PageSize * (1 + int64(page)) }
