package posindex

import (
	"io"
	"testing"

	"cbkit/internal/extsort"
	"cbkit/internal/fsys"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// The file with the first moves has 86 bytes for each record, however long its game is:
// check.Options says so.
func TestSizeOfBeginnings(t *testing.T) {
	b := NewBeginnings(extsort.Options{Memory: 200, FS: fsys.OS{}, Dir: t.TempDir()})
	defer b.Close()
	long, short := model.NewGame(), model.NewGame()
	for range 50 {
		for _, m := range []model.Move{model.NewMove(6, 21), model.NewMove(62, 45), model.NewMove(21, 6), model.NewMove(45, 62)} {
			long.Moves.Append(m)
		}
	}
	n := int64(0)
	for range 100 {
		for _, g := range []*model.Game{long, short, nil} {
			must.Do(t, b.Add(Record{Game: g}))
			n++
		}
	}
	if b.file == nil {
		t.Fatal("it is in memory")
	}
	must.Do(t, b.out.Flush())
	var one [1]byte
	if _, err := b.ReadAt(one[:], 86*n-1); err != nil || b.Size() != 86*n {
		t.Errorf("%d records have %d bytes, %v", n, b.Size(), err)
	}
	if k, err := b.ReadAt(one[:], 86*n); k != 0 || err != io.EOF {
		t.Errorf("the file goes on: %v", err)
	}
}
