package ctgwrite_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/check"
	"cbkit/ctgwrite"
	"cbkit/internal/ctg"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
)

// figures are the findings about an entry that a new book takes over: what the
// damaged one counts.
const figures = "book-statistics book-score book-ratings"

// Whatever the pages of a book hold, pruning and merging it ends, and the new book
// has no faults but figures that contradict each other.
func FuzzDamagedBooks(f *testing.F) {
	source := filepath.Join(f.TempDir(), "source.ctg")
	build(f, wideDatabase(3), source, ctgwrite.BuilderOptions{})
	sound := must.Get(os.ReadFile(source))(f)
	f.Add(uint16(ctg.PageSize+4), sound[ctg.PageSize+4:][:64], false)
	f.Add(uint16(0), sound[:64], true)
	f.Fuzz(func(t *testing.T, at uint16, content []byte, merge bool) {
		data := append([]byte(nil), sound...)
		if int(at) < len(data) {
			copy(data[at:], content)
		}
		damaged := filepath.Join(filepath.Dir(source), "damaged.ctg")
		for _, ext := range []string{".ctg", ".cto", ".ctb"} {
			part := data
			if ext != ".ctg" {
				part = must.Get(os.ReadFile(strings.TrimSuffix(source, ".ctg") + ext))(t)
			}
			must.Do(t, os.WriteFile(strings.TrimSuffix(damaged, ".ctg")+ext, part, 0o644))
		}
		book, err := read.OpenBook(context.Background(), damaged)
		if err != nil {
			return
		}
		defer book.Close()
		target := filepath.Join(filepath.Dir(source), "target.ctg")
		opt := ctgwrite.Options{AcceptLosses: true, Force: true, OnError: func(error) error { return nil }}
		if merge {
			_, err = ctgwrite.Merge(context.Background(), target, []model.Book{book, book}, opt)
		} else {
			_, err = ctgwrite.Prune(context.Background(), target, book, 1, opt)
		}
		if err != nil {
			return
		}
		made := check.Book(context.Background(), target, check.Options{})
		for f, err := range made.Findings() {
			if err != nil {
				break // Summary has it
			}
			if f.Severity == check.Error && !strings.Contains(figures, f.Code) {
				t.Errorf("%v", f)
			}
		}
		_, err = made.Summary()
		if err != nil {
			t.Error(err)
		}
	})
}
