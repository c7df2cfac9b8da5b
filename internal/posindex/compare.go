package posindex

import (
	"encoding/binary"

	"cbkit/model"
)

// Comparison compares an index with the games that it must list: eight bytes for each
// record.
type Comparison struct {
	x       *Index
	deleted Records
	sums    []uint64 // of what the index has for each record
	own     []posting
}

// Compare reads an index to its end and proves its order. The error is a
// *model.FormatError if it is damaged.
func (x *Index) Compare() (*Comparison, error) {
	deleted, err := x.Deleted()
	if err != nil {
		return nil, err
	}
	c := &Comparison{x: x, deleted: deleted, sums: make([]uint64, x.Records+1)}
	for i := range x.segments {
		for n := range layerCount {
			if err := c.add(i, n); err != nil {
				return nil, err
			}
		}
	}
	for _, err := range x.Summaries() {
		if err != nil {
			return nil, err
		}
	}
	for id, own := range x.changed {
		c.sums[id] = 0
		for _, p := range own {
			c.sums[id] += p.sum()
		}
	}
	return c, nil
}

// add reads a layer of a segment.
func (c *Comparison) add(segment, n int) error {
	l := c.x.layer(segment, n)
	later := c.x.later[segment]
	keys, postings, last := uint64(0), uint64(0), uint64(0)
	for e, err := range l.from(0) {
		if err != nil {
			return err
		}
		if keys == 0 || e.key != last {
			keys, last = keys+1, e.key
		}
		postings += uint64(len(e.ids))
		sum := posting{uint8(n), e.key}.sum()
		for _, id := range e.ids {
			if n != recordLayer && !later.has(id) {
				c.sums[id] += sum
			}
		}
	}
	if keys != l.keys || postings != l.postings {
		return c.x.file.Wrong(int64(headStatesAt), -1, "layer", model.ErrCorrupt,
			"layer %d has %d keys and %d records for them, not %d and %d", n, keys, postings, l.keys, l.postings)
	}
	return l.proveBranches()
}

// sum is a hash of a posting; those of a game are added.
func (p posting) sum() uint64 {
	z := p.key<<2 + uint64(p.layer) + 0x9e3779b97f4a7c15 // SplitMix64
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Lists reports whether the index has for a record just what follows from what it is.
func (c *Comparison) Lists(id model.RecordID, rec Record) bool {
	if id > c.x.Records || rec.Deleted != c.deleted.Has(id) {
		return false
	}
	c.own = c.own[:0]
	if !rec.Text {
		c.own = c.x.appendPostings(c.own, rec.Game)
	}
	sum := uint64(0)
	for _, p := range c.own {
		sum += p.sum()
	}
	return sum == c.sums[id]
}

// proveBranches compares the keys of branches with the blocks below.
func (l *layer) proveBranches() error {
	levels := l.levels()
	below := uint64(0) // the first block of the level below
	var buf, child []byte
	for i := 1; i < len(levels); i++ {
		first := below + levels[i-1]
		for n := range levels[i] {
			b, err := l.block(buf, first+n)
			if err != nil {
				return err
			}
			buf = b
			keys, err := l.keysOf(b, first+n)
			if err != nil {
				return err
			}
			if want := min(fanOut, levels[i-1]-n*fanOut); uint64(len(keys)/8) != want {
				return l.file.Wrong(l.at+int64(first+n)*blockSize, -1, "keys", model.ErrCorrupt, "%d keys, not %d", len(keys)/8, want)
			}
			for k := range uint64(len(keys) / 8) {
				if child, err = l.block(child, below+n*fanOut+k); err != nil {
					return err
				}
				key := binary.LittleEndian.Uint64(child[branchHead:])
				if i == 1 {
					key = keyAt(child[6:])
				}
				if key != binary.LittleEndian.Uint64(keys[8*k:]) {
					return l.file.Wrong(l.at+int64(first+n)*blockSize, -1, "keys", model.ErrCorrupt, "key %d is not that of the block below", k)
				}
			}
		}
		below = first
	}
	return nil
}
