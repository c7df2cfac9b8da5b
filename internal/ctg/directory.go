package ctg

import (
	"fmt"
	"math/bits"
	"slices"

	"cbkit/model"
)

// Node is a node of the directory, which is a binary trie over the bits of the
// hash, lowest bit first, stored as a heap: level L has the nodes from
// 2^L-1 on, and node r of a level (0 … 2^L-1) holds the hashes whose
// lowest L bits are r. (docs/formats/ctg.md 2)
type Node uint32

// MaxLevel is how deep the directory may grow. The .cto file needs four bytes
// for each node up to the last leaf.
const MaxLevel = 26

// NodeAt returns the node of a hash on a level, which is below 32.
func NodeAt(hash uint32, level int) Node {
	mask := uint32(1)<<level - 1
	return Node(hash&mask + mask)
}

// Level returns the node's level, 0 for the root.
func (c Node) Level() int { return bits.Len64(uint64(c)+1) - 1 }

// Children returns the two children: hash bit Level clear, and set.
func (c Node) Children() (left, right Node) {
	level := c.Level()
	rank := c - (1<<level - 1)
	first := Node(1)<<(level+1) - 1
	return rank + first, rank + 1<<level + first
}

// Parent returns the node above; the root is its own parent.
func (c Node) Parent() Node {
	level := c.Level()
	if level == 0 {
		return 0
	}
	rank := c - (1<<level - 1)
	mask := Node(1)<<(level-1) - 1
	return rank&mask + mask
}

// DecodeDirectory reads a directory from the contents of the .ctb and .cto files
// and checks that it fits a number of pages.
func DecodeDirectory(ctb, cto []byte, pages int) (*Directory, error) {
	d := new(Directory)
	if err := d.DecodeBitmap(ctb); err != nil {
		return nil, err
	}
	if err := d.DecodePages(cto); err != nil {
		return nil, err
	}
	return d, d.Check(pages)
}

// NoPage is the page number of a node that is not a leaf.
const NoPage int32 = -1

// Directory says which page holds a hash: the content of the .ctb file (which
// nodes are split) and of the .cto file (the page of each leaf).
type Directory struct {
	split []byte  // bit c at byte c/8, lowest first
	pages []int32 // by node
}

// IsSplit reports whether a node has children.
func (d *Directory) IsSplit(c Node) bool {
	return int64(c>>3) < int64(len(d.split)) && d.split[c>>3]>>(c&7)&1 != 0
}

// Leaf returns the leaf that holds a hash.
func (d *Directory) Leaf(hash uint32) Node {
	level := 0
	for level < 31 && d.IsSplit(NodeAt(hash, level)) {
		level++
	}
	return NodeAt(hash, level)
}

// Page returns the page of a node, [NoPage] if it is not a leaf.
func (d *Directory) Page(c Node) int32 {
	if int64(c) >= int64(len(d.pages)) {
		return NoPage
	}
	return d.pages[c]
}

// Leaves returns the number of leaves.
func (d *Directory) Leaves() int {
	n := 1
	for _, b := range d.split {
		n += bits.OnesCount8(b)
	}
	return n
}

// Len returns the number of nodes up to the last leaf.
func (d *Directory) Len() int { return len(d.pages) }

// SetPage makes a node a leaf with the given page.
func (d *Directory) SetPage(c Node, page int32) {
	d.pages = slices.Grow(d.pages, max(0, int(c)+1-len(d.pages)))
	for len(d.pages) <= int(c) {
		d.pages = append(d.pages, NoPage)
	}
	d.pages[c] = page
}

// Split makes a leaf a split node.
func (d *Directory) Split(c Node) {
	for int64(len(d.split)) <= int64(c>>3) {
		d.split = append(d.split, 0)
	}
	d.split[c>>3] |= 1 << (c & 7)
	if int64(c) < int64(len(d.pages)) {
		d.pages[c] = NoPage
	}
}

// Check reports the first place where the two halves of the directory do not
// fit each other or the number of pages: every leaf of the bitmap has a page
// of its own that exists, and nothing else has one.
func (d *Directory) Check(pages int) error {
	if err := d.checkBitmap(); err != nil {
		return err
	}
	seen := make([]byte, pages/8+1)
	leaves := 0
	for i, page := range d.pages {
		if page == NoPage {
			continue
		}
		c := Node(i)
		switch {
		case page < 0 || int(page) >= pages:
			return d.wrong(c, "page %d of %d", page, pages)
		case d.IsSplit(c) || c != 0 && !d.IsSplit(c.Parent()):
			return d.wrong(c, "has page %d and is not a leaf of the bitmap", page)
		case seen[page>>3]>>(page&7)&1 != 0:
			return d.wrong(c, "page %d is used twice", page)
		}
		seen[page>>3] |= 1 << (page & 7)
		leaves++
	}
	if want := d.Leaves(); leaves != want {
		return fmt.Errorf("%w: %d leaves of the bitmap have no page", model.ErrCorrupt, want-leaves)
	}
	return nil
}

// beyond returns how many pages behind so many the directory has. A number that
// is only wrong does not count: there are as many leaves as pages then.
func (d *Directory) beyond(pages int) int {
	last := NoPage
	for _, page := range d.pages {
		last = max(last, page)
	}
	if d.Leaves() <= pages {
		return 0
	}
	return max(int(last)+1-pages, 0)
}

// checkBitmap reports a split node below one that is not split.
func (d *Directory) checkBitmap() error {
	for i, b := range d.split {
		for ; b != 0; b &= b - 1 {
			c := Node(i<<3 + bits.TrailingZeros8(b))
			if c != 0 && !d.IsSplit(c.Parent()) {
				return d.wrong(c, "is split and its parent is not")
			}
		}
	}
	return nil
}

func (d *Directory) wrong(c Node, format string, args ...any) error {
	return fmt.Errorf("%w: node %d: %s", model.ErrCorrupt, c, fmt.Sprintf(format, args...))
}
