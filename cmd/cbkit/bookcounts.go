package main

import (
	"errors"
	"fmt"

	"cbkit/ctgwrite"
	"cbkit/model"
	"cbkit/parquet"
)

// addSource adds the games of a source to a book, or the positions that an
// engine has counted.
func (c bookGamesFlags) addSource(w *bookWriter, builder *ctgwrite.Builder, source string) error {
	if named(source) == formatParquet {
		counted, err := parquet.IsCounts(source)
		if err != nil {
			return plainError(err)
		}
		if counted {
			return c.addCounts(w, builder, source)
		}
	}
	return w.addGames(builder, source)
}

// addCounts adds the rows of a table of counted positions.
func (c bookGamesFlags) addCounts(w *bookWriter, builder *ctgwrite.Builder, source string) error {
	if c.MaxPly != 0 || c.Variations || c.Player != "" {
		return usageError{fmt.Errorf("%s: --max-ply, --variations and --player choose among games, and these were counted already; say it in the query that counts", source)}
	}
	counts, err := parquet.OpenCounts(source)
	if err != nil {
		return plainError(err)
	}
	bar, row := w.reading, int64(0)
	defer bar.of(w.env.sizeOf(source), func() (done, total int64) { return row, counts.Rows() })()
	return builder.AddCounts(w.env.ctx, func(yield func(*model.BookCount, error) bool) {
		for count, err := range counts.All(w.env.ctx) {
			row++
			bar.step()
			var one *parquet.RowError
			if err != nil && !errors.As(err, &one) {
				w.whole = err // the rest cannot be read
			}
			if !yield(count, err) {
				return
			}
		}
	})
}
