package journal_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"cbkit/internal/fsys"
	"cbkit/internal/journal"
	"cbkit/internal/testkit/must"
)

// What is written to a new file in the making can be read back at once, wherever it was
// written, and is in the file in the end.
func TestStage(t *testing.T) {
	dir := t.TempDir()
	set, err := journal.Stage(fsys.OS{}, filepath.Join(dir, "b.cbh"), func(name string) (fsys.File, error) {
		return fsys.CreateNew(fsys.OS{}, filepath.Join(dir, name), 0)
	})
	if err != nil {
		t.Fatal(err)
	}
	f, err := set.File("b.cbg")
	if err != nil || f.Exists() {
		t.Fatal(f.Exists(), err)
	}
	want := []byte("header")
	must.Do(t, f.Fill(want))
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 2000 {
		b := bytes.Repeat([]byte{byte(i)}, 1+random.IntN(200))
		at := len(want)
		if i%5 == 0 {
			at = random.IntN(len(want) + 1)
		}
		if i%500 == 0 {
			b = bytes.Repeat(b, 1000) // more than is collected
		}
		must.Get(f.WriteAt(b, int64(at)))(t)
		want = append(want, b[copy(want[at:], b):]...)
		if i%7 == 0 {
			at, n := random.IntN(len(want)), 1+random.IntN(300)
			got := make([]byte, min(n, len(want)-at))
			if _, err := f.ReadAt(got, int64(at)); err != nil || !bytes.Equal(got, want[at:at+len(got)]) {
				t.Fatalf("write %d: %d bytes at %d differ, %v", i, len(got), at, err)
			}
		}
		if i%300 == 299 {
			must.Do(t, f.Truncate(int64(len(want)-10)))
			want = want[:len(want)-10]
		}
	}
	if f.Size() != int64(len(want)) {
		t.Errorf("%d bytes, want %d", f.Size(), len(want))
	}
	must.Do(t, set.Complete())
	got, err := os.ReadFile(filepath.Join(dir, "b.cbg"))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("the file has %d bytes, want %d, %v", len(got), len(want), err)
	}
	if names := list(t, dir); len(names) != 1 {
		t.Errorf("files %q", names)
	}
}
