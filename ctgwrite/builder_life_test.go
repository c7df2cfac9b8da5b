package ctgwrite_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"cbkit/ctgwrite"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// TestAddAfterTheEnd: a builder that is used up or closed says so. Without its
// workers it waited for them for ever.
func TestAddAfterTheEnd(t *testing.T) {
	src := randomDatabase(1, 3, 10)
	ends := map[string]func(b *ctgwrite.Builder) error{
		"Write": func(b *ctgwrite.Builder) error {
			_, err := b.Write(t.Context(), filepath.Join(gen.Folder(t), "b.ctg"))
			return err
		},
		"Close": (*ctgwrite.Builder).Close,
	}
	for name, end := range ends {
		b := ctgwrite.NewBuilder(ctgwrite.BuilderOptions{Jobs: 1, Options: ctgwrite.Options{AcceptLosses: true}})
		if err := errors.Join(b.Add(t.Context(), src), end(b)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		done := make(chan error, 1)
		go func() { done <- b.Add(context.WithoutCancel(t.Context()), src) }()
		select {
		case err := <-done:
			if err == nil {
				t.Errorf("after %s Add returned no error", name)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("after %s Add hangs", name)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestEditCancelled: without its .cto file a book is looked through from end
// to end before it can be changed, and that stops with the context.
func TestEditCancelled(t *testing.T) {
	path := filepath.Join(gen.Folder(t), "b.ctg")
	must.Get(ctgwrite.Write(t.Context(), path, listBook{randomEntries(30, 300)}, ctgwrite.Options{}))(t)
	must.Do(t, os.Remove(filepath.Join(filepath.Dir(path), "b.cto")))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ctgwrite.Edit(ctx, path, ctgwrite.EditOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}
