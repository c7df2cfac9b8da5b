package posindex

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"slices"

	"cbkit/board"
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

// Frequent returns the keys of the positions that get a summary, once the segment
// is written: none if there is a game that cannot be played through, of which reports count
// the beginning.
func (b *Builder) Frequent() []uint64 {
	if b.unplayed {
		return nil
	}
	return b.frequent
}

// AppendSummary appends the summary of a key.
func (b *Builder) AppendSummary(dst []byte, key uint64, summary []byte) []byte {
	b.summarized = b.Records
	from := len(dst)
	dst = appendPart(dst, append(binary.LittleEndian.AppendUint64(nil, key), summary...))
	b.summaries += int64(len(dst) - from)
	return dst
}

// ListedUnder returns the games that are listed under the key of a position and not marked
// as deleted.
func (x *Index) ListedUnder(key uint64) ([]model.RecordID, error) {
	ids, err := x.find(among(key))
	return slices.DeleteFunc(ids, x.Deleted().Has), err
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

// Summaries yields all of them.
func (x *Index) Summaries() iter.Seq2[Summary, error] {
	return func(yield func(Summary, error) bool) {
		for p, err := range parts(x.file, x.file.Size()-x.log-x.summaries, x.summaries, "summary") {
			if err == nil && len(p.content) < 8 {
				err = x.file.Wrong(p.at, -1, "summary", model.ErrCorrupt, "it is cut")
			}
			if err != nil {
				yield(Summary{}, fmt.Errorf("summaries: %w", err))
				return
			}
			if !yield(Summary{binary.LittleEndian.Uint64(p.content), p.content[8:]}, nil) {
				return
			}
		}
	}
}
