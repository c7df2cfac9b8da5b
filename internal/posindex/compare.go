package posindex

import "cbkit/model"

// Comparison compares an index with the games that it must list: eight bytes for each
// record.
type Comparison struct {
	head    Head
	deleted Records
	sums    []uint64 // of what the index has for each record
	own     []uint64
}

// Compare reads an index to its end and proves its order. The error is a
// *model.FormatError if it is damaged.
func (x *Index) Compare() (*Comparison, error) {
	c := &Comparison{head: x.Head, deleted: x.Deleted(), sums: make([]uint64, x.Records+1)}
	for e, err := range x.each(all) {
		if err != nil {
			return nil, err
		}
		sum := hashOf(e.key)
		for _, id := range e.ids {
			c.sums[id] += sum
		}
	}
	for _, err := range x.Summaries() {
		if err != nil {
			return nil, err
		}
	}
	return c, nil
}

// hashOf is a hash of a key; those of a game are added.
func hashOf(key uint64) uint64 { return mixed(key + 0x9e3779b97f4a7c15) }

// Lists reports whether the index has for a record just what follows from what it is.
func (c *Comparison) Lists(id model.RecordID, rec Record) bool {
	if id > c.head.Records || rec.Deleted != c.deleted.Has(id) {
		return false
	}
	c.own = c.own[:0]
	if !rec.Text {
		c.own = c.head.appendSorted(c.own, rec.Game)
	}
	sum := uint64(0)
	for _, key := range c.own {
		sum += hashOf(key)
	}
	return sum == c.sums[id]
}
