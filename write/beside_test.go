package write_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"

	"cbkit/check"
	"cbkit/internal/testkit/gen"
	"cbkit/model"
	"cbkit/read"
	"cbkit/search"
	"cbkit/write"
)

// Everything that reads a database ends with ErrChanged if somebody edits it
// meanwhile, and tells nothing of the state in between.
func TestReadersAreOvertaken(t *testing.T) {
	for name, work := range map[string]func(path string, edit func()) error{
		"check": func(path string, edit func()) error {
			opt := check.Options{Progress: func(_, _ int) { edit() }}
			made := check.Database(t.Context(), path, opt)
			for f, err := range made.Findings() {
				if err != nil {
					break // Summary has it
				}
				if f.Severity == check.Error {
					t.Error(f)
				}
			}
			_, err := made.Summary()
			return err
		},
		"verify": func(path string, edit func()) error {
			_, err := check.Verify(t.Context(), path, check.Options{Progress: func(_, _ int) { edit() }})
			return err
		},
		"search": func(path string, edit func()) error {
			s, err := search.Open(path, search.Options{})
			if err != nil {
				return err
			}
			edit()
			_, err = s.Find(t.Context(), search.Games())
			return errors.Join(err, s.Close())
		},
		"what was found": func(path string, edit func()) error {
			s, err := search.Open(path, search.Options{})
			if err != nil {
				return err
			}
			if _, err := s.Find(t.Context(), search.Games()); err != nil {
				return err
			}
			edit()
			_, err = s.Database()
			return errors.Join(err, s.Close())
		},
		"copy": func(path string, edit func()) error {
			db, err := read.Open(path, read.Options{})
			if err != nil {
				return err
			}
			to, err := write.CreateCopy(context.Background(), filepath.Join(gen.Folder(t), "copy.cbh"), db.(*read.ChessBase), write.Options{})
			if err != nil {
				return err
			}
			last := model.RecordID(db.Count())
			// After the last record the names are still to be read.
			err = model.Copy(context.Background(), to, db, model.CopyOptions{Progress: func(id model.RecordID) {
				if id == last {
					edit()
				}
			}})
			return errors.Join(err, db.Close())
		},
	} {
		if testing.Short() && name == "verify" {
			continue // as check
		}
		t.Run(name, func(t *testing.T) {
			path := copyOf(t, "twic1134")
			var once sync.Once
			err := work(path, func() {
				once.Do(func() {
					ed := edit(t, path)
					if err := ed.Players().Change(1, model.Player{LastName: "Somebody else"}); err != nil {
						t.Error(err)
					}
					if err := ed.Append(context.Background(), oneGame("another"), model.CopyOptions{}); err != nil {
						t.Error(err)
					}
					commit(t, ed)
				})
			})
			if !errors.Is(err, model.ErrChanged) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}
