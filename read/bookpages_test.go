package read

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"cbkit/internal/ctg"
	"cbkit/internal/fsys"
	"cbkit/internal/journal"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// watchedPages opens a file of pages, of which each is filled with its number.
func watchedPages(t *testing.T, pages int) (*bookPages, string) {
	t.Helper()
	path := filepath.Join(gen.Folder(t), "b.ctg")
	var content []byte
	for i := range pages {
		content = append(content, bytes.Repeat([]byte{byte(i)}, ctg.PageSize)...)
	}
	must.Do(t, os.WriteFile(path, content, 0o666))
	set := must.Get(FindFiles(path))(t)
	_, w, err := set.Watch(".ctg")
	if err != nil {
		t.Fatal(err)
	}
	f := must.Get(os.Open(path))(t)
	t.Cleanup(func() { f.Close() })
	return newBookPages(f, w), path
}

// page reads a page, and returns the byte it is filled with.
func page(t *testing.T, c *bookPages, number int) (byte, error) {
	t.Helper()
	var buf [ctg.PageSize]byte
	must.Get(c.ReadAt(buf[:], int64(number)*ctg.PageSize))(t)
	return buf[17], c.settle()
}

// fill changes a page in a transaction.
func fill(t *testing.T, path string, number int, with byte) {
	t.Helper()
	set := must.Get(journal.Open(t.Context(), fsys.OS{}, path, journal.Options{}))(t)
	f, err := set.File(filepath.Base(path))
	if err == nil {
		_, err = f.WriteAt(bytes.Repeat([]byte{with}, ctg.PageSize), int64(number)*ctg.PageSize)
	}
	must.Do(t, err, set.Commit(), set.Close())
}

// What is kept answers as it was opened; what has to be read after a change is an
// error, and from then on all is.
func TestKeptPagesAreOfOneState(t *testing.T) {
	c, path := watchedPages(t, 5)
	for _, n := range []int{1, 2, 1} {
		if got, err := page(t, c, n); err != nil || got != byte(n) {
			t.Fatalf("page %d: %d, %v", n, got, err)
		}
	}
	fill(t, path, 1, 99)
	if got, err := page(t, c, 1); err == nil && got != 1 {
		t.Errorf("a page of the new state: %d, %v", got, err)
	}
	if got, err := page(t, c, 3); !errors.Is(err, model.ErrChanged) {
		t.Errorf("a page that was not read before: %d, %v", got, err)
	}
	if _, err := page(t, c, 2); !errors.Is(err, model.ErrChanged) {
		t.Errorf("a page that is kept, after the change was noticed: %v", err)
	}
}

// A page that was read while a commit was under way is not trusted later, whoever
// looked when.
func TestPageReadInACommitIsNotTrusted(t *testing.T) {
	c, path := watchedPages(t, 5)
	must.Get(page(t, c, 1))(t)
	var buf [ctg.PageSize]byte
	fill(t, path, 2, 99)
	if _, err := c.ReadAt(buf[:], 2*ctg.PageSize); err != nil || buf[0] != 99 {
		t.Fatal(buf[0], err)
	}
	for range 2 { // the second time it is kept
		if _, err := page(t, c, 2); !errors.Is(err, model.ErrChanged) {
			t.Fatal(err)
		}
	}
}

// Who asks for the same pages all the time learns of a change too.
func TestKeptPagesAreNotKeptForEver(t *testing.T) {
	c, path := watchedPages(t, 5)
	must.Get(page(t, c, 1))(t)
	fill(t, path, 4, 99)
	c.look.Add(-int64(bookPatience)) // that much later
	if _, err := page(t, c, 1); !errors.Is(err, model.ErrChanged) {
		t.Error(err)
	}
}

// Pages that share a slot take turns, and a file that is cut inside a page is read
// as far as it goes.
func TestSlotsAreShared(t *testing.T) {
	c, _ := watchedPages(t, bookSlots+3)
	for _, n := range []int{2, bookSlots + 2, 2, bookSlots + 1, 1} {
		if got, err := page(t, c, n); err != nil || got != byte(n) {
			t.Errorf("page %d: %d, %v", n, got, err)
		}
	}
	short := make([]byte, 100)
	for range 2 {
		if n, err := c.ReadAt(short, 2*ctg.PageSize); n != 100 || err != nil || short[99] != 2 {
			t.Error(n, err, short[99])
		}
	}
}

// A look-up in pages that are kept allocates nothing and asks nobody.
func TestKeptPagesCostNothing(t *testing.T) {
	c, _ := watchedPages(t, 3)
	must.Get(page(t, c, 1))(t)
	c.begun = c.begun.Add(time.Hour) // no look is due
	var buf [ctg.PageSize]byte
	if n := testing.AllocsPerRun(100, func() {
		if _, err := c.ReadAt(buf[:], ctg.PageSize); err != nil || c.settle() != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
