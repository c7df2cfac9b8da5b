package ctgwrite

import (
	"cmp"
	"fmt"
	"slices"

	"cbkit/internal/ctg"
	"cbkit/model"
)

// placed is an entry on its way into a page.
type placed struct {
	hash uint32
	// seq orders the entries of a page.
	seq uint64
	ctg.Entry
}

// placer cuts a stream of entries in trie order into pages and makes the
// directory of it. It reads ahead one page at most.
//
// A node of the directory becomes a leaf if what is left of the stream in it
// fits a page, else its two children are placed one after the other: the
// definition of the directory, taken literally.
type placer struct {
	// next returns the next entry, and false at the end. The entry is valid
	// until the next call.
	next func() (placed, bool, error)
	// leaf takes the page of a node: its entries back to back.
	leaf func(c ctg.Node, count int, body []byte) error
	// capacity of a page in bytes without its header.
	capacity int
	// splitRoot splits the root even if everything fits one page.
	splitRoot bool

	dir     *ctg.Directory
	ahead   []placed
	arena   []byte // their bytes, in the order of reading
	stopped bool   // next has no more
	body    []byte
}

// run places everything.
func (pl *placer) run() error {
	pl.dir = new(ctg.Directory)
	// What is ahead fits one page, save for the last entry.
	pl.arena = make([]byte, 0, 2*ctg.PageSize)
	return pl.place(0)
}

// place makes a node and what is below it.
func (pl *placer) place(c ctg.Node) error {
	n, fits, err := pl.fill(c)
	if err != nil {
		return err
	}
	if fits && (c != 0 || !pl.splitRoot) {
		return pl.emit(c, n)
	}
	if c.Level() == ctg.MaxLevel {
		return fmt.Errorf("%w: too many positions whose hashes end in the same %d bits", model.ErrTooLarge, ctg.MaxLevel)
	}
	pl.dir.Split(c)
	left, right := c.Children()
	if err := pl.place(left); err != nil {
		return err
	}
	return pl.place(right)
}

// fill reads ahead until it knows whether what comes of a node fits a page,
// and if so, how many entries that are.
func (pl *placer) fill(c ctg.Node) (n int, fits bool, err error) {
	level := c.Level()
	size := 0
	for ; ; n++ {
		if n == len(pl.ahead) {
			if more, err := pl.read(); err != nil {
				return 0, false, err
			} else if !more {
				return n, true, nil
			}
		}
		e := &pl.ahead[n]
		if ctg.NodeAt(e.hash, level) != c {
			return n, true, nil
		}
		if size += len(e.Entry); size > pl.capacity {
			return 0, false, nil
		}
	}
}

// read adds an entry to those ahead.
func (pl *placer) read() (bool, error) {
	if pl.stopped {
		return false, nil
	}
	e, ok, err := pl.next()
	if !ok || err != nil {
		pl.stopped = true
		return false, err
	}
	from := len(pl.arena)
	pl.arena = append(pl.arena, e.Entry...)
	e.Entry = pl.arena[from:len(pl.arena):len(pl.arena)]
	pl.ahead = append(pl.ahead, e)
	return true, nil
}

// emit makes a leaf of the first n entries ahead.
func (pl *placer) emit(c ctg.Node, n int) error {
	list := pl.ahead[:n]
	slices.SortStableFunc(list, func(a, b placed) int { return cmp.Compare(a.seq, b.seq) })
	pl.body = pl.body[:0]
	for i := range list {
		pl.body = append(pl.body, list[i].Entry...)
	}
	if err := pl.leaf(c, n, pl.body); err != nil {
		return err
	}
	pl.consume(n)
	return nil
}

// consume drops the first n entries ahead and moves the others to the front.
func (pl *placer) consume(n int) {
	rest := copy(pl.ahead, pl.ahead[n:])
	pl.ahead = pl.ahead[:rest]
	end := 0
	for i := range pl.ahead {
		size := copy(pl.arena[end:], pl.ahead[i].Entry)
		pl.ahead[i].Entry = pl.arena[end : end+size : end+size]
		end += size
	}
	pl.arena = pl.arena[:end]
}
