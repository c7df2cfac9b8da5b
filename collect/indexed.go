package collect

import (
	"context"
	"errors"
	"io/fs"

	"cbkit/internal/cbhdb"
	"cbkit/internal/posindex"
	"cbkit/model"
	"cbkit/read"
)

// indexed returns candidates that ask the index of positions of a ChessBase database.
// Scan is called if there is no index, if the index does not fit (which is passed to
// warn), or if so many games may be the same that reading the base is faster.
func indexed(base Base, warn func(error), scan candidates) candidates {
	source := model.Source(base)
	if w, is := source.(interface{ Unwrap() model.Source }); is {
		source = w.Unwrap()
	}
	db, is := source.(*read.ChessBase)
	if !is {
		return scan
	}
	without := false
	return func(ctx context.Context, games []mainLine) ([]model.RecordID, error) {
		if without {
			return scan(ctx, games)
		}
		ids, err := askIndex(ctx, db, games)
		switch {
		case err == nil:
			return ids, db.Changed()
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, errMany):
			return scan(ctx, games)
		case !errors.Is(err, fs.ErrNotExist) && warn != nil:
			warn(err)
		}
		without = true
		return scan(ctx, games)
	}
}

// errMany says that there are too many candidates to read them one by one.
var errMany = errors.New("too many candidates")

// manyOf is the part of a base that is read one by one at the most.
const manyOf = 20

// askIndex asks the index.
func askIndex(ctx context.Context, base *read.ChessBase, games []mainLine) (ids []model.RecordID, err error) {
	files := base.Files()
	name := files.Name(posindex.Ext)
	x, err := posindex.Open(cbhdb.FilesOf(files))
	if err != nil {
		return nil, posindex.NotUsed(name, err)
	}
	defer x.Close()
	if int(x.Records) != base.Count() {
		return nil, posindex.NotUsed(name, posindex.ErrNotFit)
	}
	lines := make([]posindex.Line, len(games))
	for i := range games {
		lines[i] = posindex.Line{Start: games[i].Start, Moves: games[i].Moves}
	}
	seen := map[model.RecordID]bool{}
	for related, err := range x.Related(lines, shortest) {
		if err != nil || ctx.Err() != nil {
			return nil, errors.Join(posindex.NotUsed(name, err), ctx.Err())
		}
		for _, id := range related {
			if !seen[id] {
				seen[id], ids = true, append(ids, id)
			}
		}
		if len(ids) > max(base.Count()/manyOf, 1000) {
			return nil, errMany
		}
	}
	return ids, nil
}
