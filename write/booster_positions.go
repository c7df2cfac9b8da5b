package write

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"cbkit/internal/extsort"
	"cbkit/internal/journal"
	"cbkit/internal/posindex"
	"cbkit/model"
	"cbkit/stats"
)

// indexBuilder makes the index of positions.
type indexBuilder struct {
	*posindex.Builder
	file       *journal.File
	beginnings *posindex.Beginnings
}

// newIndexBuilder begins the index of positions.
func newIndexBuilder(out *boosterFiles, opt *BoosterOptions) (*indexBuilder, error) {
	plies, memory := cmp.Or(opt.Positions, posindex.DefaultPlies), cmp.Or(max(opt.Memory, 0), defaultIndexMemory)
	if plies < 0 || plies > posindex.MostPlies {
		return nil, fmt.Errorf("%w: positions after %d plies; between 1 and %d can be listed", model.ErrOption, plies, posindex.MostPlies)
	}
	file, err := out.create(posindex.Ext, posindex.HeadSize)
	if err != nil {
		return nil, err
	}
	where := extsort.Options{Memory: memory / 2, FS: out.fs, Dir: out.dir}
	b := &indexBuilder{Builder: posindex.NewBuilder(plies, posindex.DefaultMen, opt.Structures, where), file: file}
	where.Memory = memory / 8
	b.beginnings = posindex.NewBeginnings(where)
	return b, nil
}

// add adds a record.
func (b *indexBuilder) add(id model.RecordID, rec posindex.Record) error {
	if err := b.beginnings.Add(rec); err != nil {
		return err
	}
	return b.Add(id, rec)
}

// close removes the temporary files; b may be nil. There is nothing to be done about
// errors: recovering removes them.
func (b *indexBuilder) close() {
	if b != nil {
		_ = b.Builder.Close()
		_ = b.beginnings.Close()
	}
}

// finishIndex completes the index.
func (b *boosterBuild) finishIndex(ctx context.Context) error {
	err := b.index.Write(io.NewOffsetWriter(b.index.file, posindex.HeadSize), b.count)
	if err == nil {
		err = b.index.Builder.Close() // the memory of sorting
	}
	if err == nil {
		err = b.summarize(ctx)
	}
	if err == nil {
		err = b.unchanged()
	}
	if err != nil {
		return err
	}
	b.index.States = b.bases
	_, err = b.index.file.WriteAt(b.index.Block(), 0)
	return err
}

// summarize puts summaries of the positions that many games have behind the segment.
func (b *boosterBuild) summarize(ctx context.Context) error {
	temp := b.out.dir
	if b.opt.In != nil {
		temp = ""
	}
	x := b.index.Index(writtenFile{b.index.file, b.index.file.Size()})
	for _, key := range b.index.Frequent() {
		games, ids, position, err := b.index.beginnings.Under(ctx, x, b.games.(posindex.Games), key, stats.SummaryPlies)
		if err != nil {
			return err
		}
		if games == nil { // all are marked as deleted
			continue
		}
		kept, err := stats.Summarize(ctx, games, ids, position, stats.Options{TempDir: temp})
		if err != nil {
			return err
		}
		if _, err := b.index.file.Append(b.index.AppendSummary(nil, key, kept)); err != nil {
			return err
		}
	}
	return nil
}

// writtenFile is the part of a file in the making that is written.
type writtenFile struct {
	*journal.File
	written int64
}

// Size implements [fsys.ReadFile].
func (f writtenFile) Size() int64 { return f.written }

// Close implements [io.Closer]; the file goes on.
func (writtenFile) Close() error { return nil }
