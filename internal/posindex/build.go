package posindex

import (
	"fmt"
	"io"

	"cbkit/internal/booster"
	"cbkit/internal/extsort"
	"cbkit/model"
)

// Builder makes an index. It must be closed.
type Builder struct {
	head   Head
	sorter *extsort.Sorter
	own    []posting
	record []byte

	frequent []uint64
}

// NewBuilder begins an index of positions after so many plies at most and of those
// with so many men at most, and of pawn structures and material if they are wanted. What does not fit into the memory of the sorting goes to
// files.
func NewBuilder(plies, men int, structures bool, sorting extsort.Options) *Builder {
	return &Builder{head: Head{Plies: plies, Men: men, Structures: structures}, sorter: extsort.New(sorting)}
}

// Close removes the files of the sorting.
func (b *Builder) Close() error { return b.sorter.Close() }

// Add adds a game; nil is one that cannot be read. Guiding texts are not added.
func (b *Builder) Add(id model.RecordID, g *model.Game) error {
	b.own = b.head.appendPostings(b.own[:0], g)
	for _, p := range b.own { // big-endian, as it sorts
		b.record = append(b.record[:0], p.layer,
			byte(p.key>>40), byte(p.key>>32), byte(p.key>>24), byte(p.key>>16), byte(p.key>>8), byte(p.key),
			byte(id>>24), byte(id>>16), byte(id>>8), byte(id))
		if err := b.sorter.Add(b.record); err != nil {
			return fmt.Errorf("sorting: %w", err)
		}
	}
	return nil
}

// HeadSize is the size of the header, which comes before what Write writes.
const HeadSize = blockSize

// Write writes the layers, which come behind the header.
func (b *Builder) Write(w io.Writer, records model.RecordID) error {
	at := int64(HeadSize)
	layers := 0
	out := newLayerWriter(w, at)
	last, many := uint64(0), 0 // records of a position
	count := func(layer byte, key uint64) {
		if many > 0 && (layer != positionLayer || key != last) {
			if many >= max(fewest, int(records)/frequentOf) {
				b.frequent = append(b.frequent, last)
			}
			many = 0
		}
		if layer == positionLayer {
			last, many = key, many+1
		}
	}
	finish := func() (err error) {
		b.head.layers[layers], err = out.finish()
		at += int64(b.head.layers[layers].blocks()) * blockSize
		layers++
		out = newLayerWriter(w, at)
		return err
	}
	for r, err := range b.sorter.Sorted() {
		if err != nil {
			return fmt.Errorf("sorting: %w", err)
		}
		for layers < int(r[0]) {
			if err := finish(); err != nil {
				return err
			}
		}
		key := uint64(r[1])<<40 | uint64(r[2])<<32 | uint64(r[3])<<24 | uint64(r[4])<<16 | uint64(r[5])<<8 | uint64(r[6])
		id := model.RecordID(r[7])<<24 | model.RecordID(r[8])<<16 | model.RecordID(r[9])<<8 | model.RecordID(r[10])
		count(r[0], key)
		if err := out.add(key, id); err != nil {
			return err
		}
	}
	for layers < layerCount {
		if err := finish(); err != nil {
			return err
		}
	}
	count(layerCount, 0)
	return nil
}

// Head returns the header, when the summaries are behind the layers. States are those of
// the files that the index follows from.
func (b *Builder) Head(records model.RecordID, states booster.SealStates) []byte {
	b.head.Records, b.head.States = records, states
	return b.head.append(nil)
}
