package posindex

import (
	"encoding/binary"
	"fmt"
	"io"

	"cbkit/internal/dbfile"
	"cbkit/internal/extsort"
	"cbkit/internal/fsys"
	"cbkit/model"
)

// Builder makes an index, or a segment of one. It must be closed.
type Builder struct {
	Head
	sorter  *extsort.Sorter
	of      Records // those of the new segment
	deleted Records
	kept    []byte // what stays of summaries and changes
	own     []uint64
	sorted  []byte

	frequent []uint64
	unplayed bool // there is a game that cannot be played through
}

// NewBuilder begins an index of positions after so many plies at most and of those
// with so many men at most, and of pawn structures and material if they are wanted. What
// does not fit into the memory of the sorting goes to files.
func NewBuilder(plies, men int, structures bool, sorting extsort.Options) *Builder {
	sorting.Size = sortedSize
	return &Builder{Head: Head{Plies: plies, Men: men, Structures: structures}, sorter: extsort.New(sorting)}
}

// Close removes the files of the sorting.
func (b *Builder) Close() error { return b.sorter.Close() }

// Add adds a record. They come in ascending order.
func (b *Builder) Add(id model.RecordID, rec Record) error {
	if rec.Deleted {
		b.deleted = b.deleted.with(id)
	}
	return b.addKeys(id, rec)
}

// addKeys adds a record but for its mark.
func (b *Builder) addKeys(id model.RecordID, rec Record) error {
	b.of = b.of.with(id)
	if rec.Text {
		return nil
	}
	b.unplayed = b.unplayed || rec.Game == nil || rec.Game.MovesErr != nil
	b.own = b.appendKeys(b.own[:0], rec.Game)
	for _, key := range b.own {
		if err := b.put(key, id); err != nil {
			return err
		}
	}
	return nil
}

// sortedSize is how many bytes are sorted of a key and a record, big-endian as they sort.
const sortedSize = keySize + 4

// put adds a record to a key.
func (b *Builder) put(key uint64, id model.RecordID) error {
	b.sorted = binary.BigEndian.AppendUint32(appendKey(b.sorted[:0], key), uint32(id))
	if err := b.sorter.Add(b.sorted); err != nil {
		return fmt.Errorf("sorting: %w", err)
	}
	return nil
}

// Write writes what was added, behind the header and the segments that stay, for an index
// of so many records. [Builder.Block] is the header then.
func (b *Builder) Write(w io.Writer, records model.RecordID) error {
	b.Records = records
	if len(b.of) > 0 {
		if err := b.writeSegment(w); err != nil {
			return err
		}
	}
	sets := appendPart(nil, b.deleted.appendTo(nil))
	for i := range b.segments {
		sets = appendPart(sets, b.segments[i].of.appendTo(nil))
	}
	b.sets = int64(len(sets))
	_, err := w.Write(append(sets, b.kept...))
	return err
}

// writeSegment writes the segment, and finds out which positions are frequent.
func (b *Builder) writeSegment(w io.Writer) error {
	out := newSegmentWriter(w)
	least := max(FewestSummarized, int(b.Records)/frequentOf)
	for r, err := range b.sorter.Sorted() {
		if err != nil {
			return fmt.Errorf("sorting: %w", err)
		}
		key, id := keyAt(r), model.RecordID(binary.BigEndian.Uint32(r[keySize:]))
		if key == out.key && id == out.id {
			continue // the game has the position again
		}
		if err := out.add(key, id); err != nil {
			return err
		}
		if out.many == least && key < lateKind {
			b.frequent = append(b.frequent, key)
		}
	}
	leaves, err := out.finish()
	b.segments = append(b.segments, segment{leaves: leaves, of: b.of})
	return err
}

// Index returns what is written so far as an index, to be asked.
func (b *Builder) Index(file fsys.ReadFile) *Index {
	x := &Index{Head: b.Head, file: dbfile.New(file, Ext), deleted: b.deleted}
	x.openSegments()
	return x
}
