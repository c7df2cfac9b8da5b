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

// place makes a node and what is below it: a leaf of the entries ahead if they fit.
func (pl *placer) place(c ctg.Node) error {
	n, fits, err := pl.fill(c)
	if err != nil {
		return err
	}
	if fits && (c != 0 || !pl.splitRoot) {
		list := pl.ahead[:n]
		slices.SortStableFunc(list, func(a, b placed) int { return cmp.Compare(a.seq, b.seq) })
		pl.body = pl.body[:0]
		for i := range list {
			pl.body = append(pl.body, list[i].Entry...)
		}
		if err := pl.leaf(c, n, pl.body); err != nil {
			return err
		}
		// The others go to the front.
		pl.ahead = pl.ahead[:copy(pl.ahead, pl.ahead[n:])]
		end := 0
		for i := range pl.ahead {
			size := copy(pl.arena[end:], pl.ahead[i].Entry)
			pl.ahead[i].Entry = pl.arena[end : end+size : end+size]
			end += size
		}
		pl.arena = pl.arena[:end]
		return nil
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
			if pl.stopped {
				return n, true, nil
			}
			e, ok, err := pl.next()
			if !ok || err != nil {
				pl.stopped = true
				return n, true, err
			}
			from := len(pl.arena)
			pl.arena = append(pl.arena, e.Entry...)
			e.Entry = pl.arena[from:len(pl.arena):len(pl.arena)]
			pl.ahead = append(pl.ahead, e)
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
