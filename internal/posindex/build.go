package posindex

import (
	"fmt"
	"io"

	"cbkit/internal/extsort"
	"cbkit/model"
)

// Builder makes an index, or a segment of one. It must be closed.
type Builder struct {
	Head
	sorter *extsort.Sorter
	names  bool  // the records of the segment are listed
	at     int64 // where it begins
	own    []posting
	record []byte
	marks  idRanges // records that are marked as deleted

	empty bool   // there is no new segment
	kept  []byte // what stays of summaries and changes

	frequent []uint64
	unplayed bool // there is a game that cannot be played through
}

// NewBuilder begins an index of positions after so many plies at most and of those
// with so many men at most, and of pawn structures and material if they are wanted. What does not fit into the memory of the sorting goes to
// files.
func NewBuilder(plies, men int, structures bool, sorting extsort.Options) *Builder {
	sorting.Size = recordSize
	return &Builder{Head: Head{Plies: plies, Men: men, Structures: structures}, at: HeadSize, sorter: extsort.New(sorting)}
}

// Close removes the files of the sorting.
func (b *Builder) Close() error { return b.sorter.Close() }

// Add adds a record. They come in ascending order.
func (b *Builder) Add(id model.RecordID, rec Record) error {
	if rec.Deleted {
		b.marks = b.marks.add(idRange{id, id})
	}
	return b.add(id, rec)
}

// add adds the keys of a record.
func (b *Builder) add(id model.RecordID, rec Record) error {
	b.own = b.own[:0]
	if !rec.Text {
		b.own = b.appendKeys(b.own, rec.Game)
		b.unplayed = b.unplayed || rec.Game == nil || rec.Game.MovesErr != nil
	}
	if b.names {
		b.own = append(b.own, posting{layer: recordLayer})
	}
	for _, p := range b.own {
		if err := b.put(p, id); err != nil {
			return err
		}
	}
	return nil
}

// recordSize is how many bytes are sorted of a layer, a key and a record.
const recordSize = 11

// put adds a record to a key.
func (b *Builder) put(p posting, id model.RecordID) error {
	b.record = append(b.record[:0], p.layer, // big-endian, as it sorts
		byte(p.key>>40), byte(p.key>>32), byte(p.key>>24), byte(p.key>>16), byte(p.key>>8), byte(p.key),
		byte(id>>24), byte(id>>16), byte(id>>8), byte(id))
	if err := b.sorter.Add(b.record); err != nil {
		return fmt.Errorf("sorting: %w", err)
	}
	return nil
}

// HeadSize is the size of the header, which comes before all else.
const HeadSize = blockSize

// At returns where in the file what Write writes has its place. What was there goes.
func (b *Builder) At() int64 { return b.at }

// Write writes what was added, behind the header and the segments that stay.
// [Builder.Block] is the header then.
func (b *Builder) Write(w io.Writer, records model.RecordID) error {
	if !b.empty {
		if err := b.writeSegment(w, records); err != nil {
			return err
		}
	}
	deleted := b.marks.append(nil)
	b.deleted = int64(len(deleted))
	_, err := w.Write(append(deleted, b.kept...))
	return err
}

// writeSegment writes the layers.
func (b *Builder) writeSegment(w io.Writer, records model.RecordID) error {
	at := b.at
	var layers segment
	n := 0
	out := newLayerWriter(w, at)
	last, many := uint64(0), 0 // records of a position
	count := func(layer byte, key uint64) {
		if many > 0 && (layer != positionLayer || key != last) {
			if many >= max(FewestSummarized, int(records)/frequentOf) {
				b.frequent = append(b.frequent, last)
			}
			many = 0
		}
		if layer == positionLayer {
			last, many = key, many+1
		}
	}
	finish := func() (err error) {
		layers[n], err = out.finish()
		at += int64(layers[n].blocks()) * blockSize
		n++
		out = newLayerWriter(w, at)
		return err
	}
	var before [recordSize]byte
	for r, err := range b.sorter.Sorted() {
		if err != nil {
			return fmt.Errorf("sorting: %w", err)
		}
		if string(r) == string(before[:]) {
			continue // the game has the position again
		}
		copy(before[:], r)
		for n < int(r[0]) {
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
	for n < layerCount {
		if err := finish(); err != nil {
			return err
		}
	}
	count(layerCount, 0)
	b.segments = append(b.segments, layers)
	return nil
}
