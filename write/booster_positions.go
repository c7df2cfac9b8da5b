package write

import (
	"errors"
	"fmt"

	"cbkit/internal/dbfile"
	"cbkit/internal/extsort"
	"cbkit/internal/posindex"
	"cbkit/model"
)

// indexBuilder makes the index of positions.
type indexBuilder struct {
	*posindex.Builder
	file *blockFile
}

// newIndexBuilder begins an index of positions after so many plies at most.
func newIndexBuilder(out *boosterFiles, plies, memory int) (*indexBuilder, error) {
	if plies < 0 || plies > posindex.MostPlies {
		return nil, fmt.Errorf("%w: positions after %d plies; between 1 and %d can be listed", model.ErrOption, plies, posindex.MostPlies)
	}
	file, err := out.create(posindex.Ext, posindex.HeadSize)
	if err != nil {
		return nil, err
	}
	return &indexBuilder{
		posindex.NewBuilder(plies, posindex.DefaultMen, extsort.Options{Memory: memory / 2, FS: out.fs, Dir: out.dir}), file,
	}, nil
}

// close removes the temporary files; b may be nil. There is nothing to be done about
// errors: recovering removes them.
func (b *indexBuilder) close() {
	if b != nil {
		_ = b.Builder.Close()
	}
}

// addToIndex adds a game, or the error in its place.
func (b *boosterBuild) addToIndex(rec model.Record, err error) error {
	g := rec.Game
	if err == nil && g != nil {
		err = g.MovesErr
	}
	if err != nil {
		if !dbfile.IsDamage(err) {
			return err // nothing is wrong with the game
		}
		if g = nil; b.traces == nil { // else it is told once
			b.tell(rec.ID, fmt.Errorf("its positions are not in the index: %w", err))
		}
	}
	return b.index.Add(rec.ID, g, rec.Text != nil)
}

// finishIndex completes the index.
func (b *boosterBuild) finishIndex() error {
	if err := errors.Join(b.index.Write(b.index.file), b.unchanged()); err != nil {
		return err
	}
	return b.index.file.finish(b.index.Block(b.headers.Count, b.bases))
}
