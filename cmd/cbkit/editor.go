package main

import (
	"context"
	"errors"
	"fmt"

	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// editor changes a database in place, of whichever format.
type editor interface {
	Append(ctx context.Context, src model.Source, opt model.CopyOptions) error
	Replace(id model.RecordID, rec model.Record, from *model.Entities) error
	Delete(ids ...model.RecordID) error
	Undelete(ids ...model.RecordID) error
	Header(id model.RecordID) (model.Header, error)
	SetHeader(id model.RecordID, h model.Header, from *model.Entities) error
	SetAnnotations(id model.RecordID, list []model.Annotation) error
	Annotate(id model.RecordID, by *model.Game) error
	Count() int
	Commit() error
	DryRun() (write.EditResult, error)
	Result() write.EditResult
	Close() error
}

// openEditor opens a database for change.
func openEditor(path string, opt write.EditOptions) (editor, error) {
	set, err := read.FindFiles(path)
	if err == nil && set.IsSimple(path) {
		return opened(write.EditSimple(path, opt))
	}
	return opened(write.Edit(path, opt))
}

// opened is an editor without the nil of an error in it.
func opened[E editor](ed E, err error) (editor, error) {
	if err != nil {
		return nil, err
	}
	return ed, nil
}

// errNames is the error of changing entities where they are no more than names.
var errNames = errors.New("a Simple Chess Database has no players and tournaments of their own; --set changes the names of games")

// ofChessBase is a step that only ChessBase databases know.
func ofChessBase(flag string, do func(t *transfer, ed *write.Editor) error) step {
	return func(_ context.Context, t *transfer, ed editor) error {
		chess, ok := ed.(*write.Editor)
		if !ok {
			return usageError{fmt.Errorf("--%s: %w", flag, errNames)}
		}
		return do(t, chess)
	}
}
