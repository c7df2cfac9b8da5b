package search

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"sync"

	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"

	"cbkit/internal/cbh"
	"cbkit/model"
	"cbkit/read"
)

// rowSeq yields records by their headers. A row is valid until the next step.
type rowSeq = iter.Seq2[*row, error]

// chessBase is a ChessBase database. Its headers are read directly.
type chessBase struct {
	files   *read.FileSet
	opt     Options
	page    cbh.CodePage
	watch   *read.Watch
	stored  *cbhdb.DB
	headers *cbhdb.Headers

	open sync.Mutex
	db   read.Database // nil until needed
}

func openChessBase(files *read.FileSet, opt Options) (*chessBase, error) {
	files, watch, err := files.Watch(".cbh")
	if err != nil {
		return nil, err
	}
	b := &chessBase{files: files, opt: opt, watch: watch, stored: cbhdb.New(cbhdb.FilesOf(files))}
	if opt.CodePage != "" {
		if b.page, err = cbh.ParseCodePage(opt.CodePage); err != nil {
			return nil, err
		}
	}
	if b.headers, err = b.stored.Headers(); err != nil {
		return nil, errors.Join(cmp.Or(watch.Check(), err), b.stored.Close())
	}
	for _, warning := range b.headers.Warnings {
		opt.Warn(warning)
	}
	for _, damage := range b.headers.Damage {
		opt.Damage(damage)
	}
	return b, nil
}

// reportOnce returns a function that passes each error on once: searches open the
// files of a database for several purposes.
func reportOnce(warn func(error)) func(error) {
	var lock sync.Mutex
	reported := map[string]bool{}
	return func(err error) {
		lock.Lock()
		defer lock.Unlock()
		if line := err.Error(); warn != nil && !reported[line] {
			reported[line] = true
			warn(err)
		}
	}
}

// rows yields the records with the given ids, which ascend; nil means all.
func (b *chessBase) rows(ctx context.Context, ids []model.RecordID) rowSeq {
	return func(yield func(*row, error) bool) {
		ahead, n := dbfile.FarAhead, int(b.headers.Count)
		if ids != nil {
			n = len(ids)
		}
		if n*denseRows < int(b.headers.Count) {
			ahead = nearAhead
		}
		headers := b.headers.Reader(ahead)
		var r row
		var facts stored
		for i := range n {
			id := model.RecordID(i + 1)
			if ids != nil {
				id = ids[i]
			}
			h, err := headers.At(id)
			if err == nil {
				r.setHead(&h, &facts)
			}
			if i%progressStep == 0 && ctx.Err() != nil {
				err = ctx.Err()
			}
			if !yield(&r, err) || err != nil {
				return
			}
		}
	}
}

// nearAhead is how far ahead headers are read of which some are needed; where it is more
// than one of denseRows, all are.
const (
	nearAhead = 1 << 10
	denseRows = 16
)

// database opens the whole database when it is needed first.
func (b *chessBase) database() (read.Database, error) {
	b.open.Lock()
	defer b.open.Unlock()
	if b.db == nil {
		db, err := read.OpenFiles(b.files, b.opt.reading())
		if err != nil {
			return nil, err
		}
		if err := b.watch.Check(); err != nil { // it has another state than what was found
			return nil, errors.Join(err, db.Close())
		}
		b.db = db
	}
	return b.db, nil
}

func (b *chessBase) close() error {
	err := b.stored.Close()
	b.open.Lock()
	defer b.open.Unlock()
	if b.db == nil {
		return err
	}
	return errors.Join(err, b.db.Close())
}
