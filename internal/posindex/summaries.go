package posindex

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"
	"maps"
	"slices"

	"cbkit/board"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/internal/wire"
	"cbkit/model"
)

// FewestSummarized is how many games a position has at least that gets a summary. Tests set
// it.
var FewestSummarized = 200

// Positions that one game of frequentOf has, and FewestSummarized, get a summary, of which
// this package knows nothing but its key.
const (
	frequentOf = 100
	// mostSummaries is how many bytes summaries take at most.
	mostSummaries = 64 << 20
)

// Where a summary has what. (docs/formats/positions.md 6)
const (
	summaryKeyAt  = 4
	summarySizeAt = 10
	summaryHead   = 14
)

// Frequent returns the keys of the positions that get a summary, once the layers are
// written: none if there is a game that cannot be played through, of which reports count
// the beginning.
func (b *Builder) Frequent() []uint64 {
	if b.unplayed {
		return nil
	}
	return b.frequent
}

// Listed returns the games of a key that are not marked as deleted, from the file as it was
// written so far.
func (b *Builder) Listed(file fsys.ReadFile, key uint64, records model.RecordID) ([]model.RecordID, error) {
	l := layer{b.segments[0][positionLayer], dbfile.New(file, Ext), records}
	ids, err := l.find(nil, key)
	return slices.DeleteFunc(ids, b.marks.has), err
}

// Position returns the position with a key on the main line of a game.
func Position(g *model.Game, key uint64) (p board.Position, ok bool) {
	p, err := board.New(g.Start)
	if err != nil {
		return p, false
	}
	for _, n := range g.Moves.Nodes()[:g.Moves.MainLen()] {
		if positionKey(&p) == key {
			break
		}
		p.Make(n.Move)
	}
	return p, positionKey(&p) == key
}

// AppendSummary appends the summary of a key, of so many records.
func (b *Builder) AppendSummary(dst []byte, key uint64, summary []byte, records model.RecordID) []byte {
	b.summarized = records
	from := len(dst)
	dst = append(dst, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	putKey(dst[from+summaryKeyAt:], key)
	dst = append(wire.AppendU32LE(dst, uint32(len(summary))), summary...)
	binary.LittleEndian.PutUint32(dst[from:], crc32.Checksum(dst[from+summaryKeyAt:], castagnoli))
	b.summaries += int64(len(dst) - from)
	return dst
}

// ListedUnder returns the games that are listed under the key of a position and not marked
// as deleted.
func (x *Index) ListedUnder(key uint64) ([]model.RecordID, error) {
	ids, err := x.find(positionLayer, key)
	if err != nil {
		return nil, err
	}
	deleted, err := x.Deleted()
	return slices.DeleteFunc(ids, deleted.Has), err
}

// ErrNoSummary says that an index has no summary of a position, or one that holds no more.
var ErrNoSummary = errors.New("no summary")

// Summary returns the summary of a position of which all games are listed. It is for others
// that may have the same key, too.
func (x *Index) Summary(p *board.Position) (s Summary, err error) {
	if !x.SummariesHold() {
		return s, ErrNoSummary
	}
	if _, open, err := x.Reached(p); err != nil || len(open) > 0 {
		return s, errors.Join(err, ErrNoSummary)
	}
	want := positionKey(p)
	for s, err := range x.Summaries() {
		if err != nil || s.Key == want {
			return s, err
		}
	}
	return s, ErrNoSummary
}

// Summary is what is kept of a position.
type Summary struct {
	Key     uint64
	Content []byte
}

// SummariesHold reports whether what has changed since summaries were made is known.
func (x *Index) SummariesHold() bool { return x.summarized > 0 }

// Since returns what records were when summaries were made that have changed since, and
// those of them, and of those that have come, that are listed under a key and not marked as
// deleted; others too, which are not listed, if they are few. Both ascend.
func (x *Index) Since(key uint64) (was []Was, is []model.RecordID, err error) {
	for _, id := range slices.Sorted(maps.Keys(x.was)) {
		w, err := parseWas(id, x.was[id])
		if err != nil {
			return nil, nil, x.file.Wrong(x.file.Size()-x.log, -1, "change", model.ErrCorrupt, "%v", err)
		}
		was = append(was, w)
	}
	if n := len(was) + int(x.Records-x.summarized); n > 0 && n <= fewChanged {
		is, err = x.changedUnder(key)
		return was, is, err
	} else if n == 0 {
		return nil, nil, nil
	}
	ids, err := x.ListedUnder(key)
	return was, slices.DeleteFunc(ids, func(id model.RecordID) bool {
		_, changed := x.was[id]
		return !changed && id <= x.summarized
	}), err
}

// fewChanged is up to how many records it is faster to read those that may be listed than
// the list.
const fewChanged = 1 << 10

// changedUnder returns the records that have changed or come since summaries were made, are
// not marked as deleted, and may be listed under a key.
func (x *Index) changedUnder(key uint64) (ids []model.RecordID, err error) {
	deleted, err := x.Deleted()
	if err != nil {
		return nil, err
	}
	ids = slices.Sorted(maps.Keys(x.was))
	for id := x.summarized + 1; id <= x.Records; id++ {
		ids = append(ids, id)
	}
	return slices.DeleteFunc(ids, func(id model.RecordID) bool {
		own, known := x.changed[id]
		return deleted.Has(id) || known && !slices.Contains(own, posting{positionLayer, key})
	}), nil
}

// Summaries yields all of them.
func (x *Index) Summaries() iter.Seq2[Summary, error] {
	return func(yield func(Summary, error) bool) {
		at := x.file.Size() - x.log - x.summaries
		b, err := x.file.Bytes(nil, at, x.summaries)
		for err == nil && len(b) > 0 {
			size := int64(summaryHead)
			if len(b) >= summaryHead {
				size += int64(binary.LittleEndian.Uint32(b[summarySizeAt:]))
			}
			if size > int64(len(b)) || binary.LittleEndian.Uint32(b) != crc32.Checksum(b[summaryKeyAt:size], castagnoli) {
				err = x.file.Wrong(at, -1, "summary", model.ErrCorrupt, "it is cut, or has another sum")
				break
			}
			if !yield(Summary{keyAt(b[summaryKeyAt:]), b[summaryHead:size]}, nil) {
				return
			}
			b, at = b[size:], at+size
		}
		if err != nil {
			yield(Summary{}, fmt.Errorf("summaries: %w", err))
		}
	}
}
