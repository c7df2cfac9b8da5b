package booster

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cbkit/internal/cbh"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// saved writes files into a folder of their own.
func saved(t testing.TB, files map[string][]byte) folder {
	t.Helper()
	f := folder(filepath.Join(t.TempDir(), "db"))
	for ext, b := range files {
		must.Do(t, os.WriteFile(f.Path(ext), b, 0o644))
	}
	return f
}

// vector1Files are the files of vector1.
func vector1Files(t testing.TB) map[string][]byte {
	t.Helper()
	table, blocks := &memory{}, &memory{}
	x, err := NewIndex(&cbh.Lists, table, blocks)
	if err == nil {
		err = x.Grow(2)
	}
	for _, e := range vector1() {
		if err == nil {
			err = x.Append(e)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{".cit": table.data, ".cib": blocks.data}
}

func TestReadLists(t *testing.T) {
	l := must.Get(OpenLists(saved(t, vector1Files(t)), &cbh.Lists))(t)
	defer l.Close()
	want := map[cbh.ListKind][2][]int32{
		cbh.PlayerList:     {{5}, {5}},
		cbh.TournamentList: {{1, 2, 4, 5, 6, 7, 8, 9, 10}, {3}},
		cbh.SourceList:     {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, nil},
		cbh.AnnotatorList:  {{1}, {2, 3, 4, 5, 6, 7, 8, 9, 10}},
	}
	for entity := range l.Rows {
		row := must.Get(l.Row(nil, entity))(t)
		for kind, ends := range row {
			blocks := 0
			got, err := l.Append(nil, entity, cbh.ListKind(kind), ends, 10, func(int32, *cbh.ListBlock) error {
				blocks++
				return nil
			})
			if err != nil || !slices.Equal(got, want[cbh.ListKind(kind)][entity]) || (blocks > 0) != (len(got) > 0) {
				t.Errorf("entity %d, kind %d: %v in %d blocks, %v", entity, kind, got, blocks, err)
			}
		}
	}
}

// What is wrong in a list is told with its place, and what comes before it is
// there.
func TestWrongLists(t *testing.T) {
	const row0, tournaments0 = 12, 12 + 8 // the first row, and its list of tournament 0
	block0 := int(cbh.BlockOffset(0))
	for _, c := range []struct {
		name string
		do   func(table, blocks []byte)
		want string
		ids  int
	}{
		{"head", func(table, _ []byte) { table[tournaments0] = 9 }, "db.cit: record 0 at 0xc (first block): corrupt: 9 is none of the 7 blocks", 0},
		{"next", func(_, blocks []byte) {
			blocks[block0] = 0x70
			clear(blocks[block0+1 : block0+4])
			blocks[block0+8] = 13
		},
			"db.cib: record 0 at 0xc (next block): corrupt: 112, but the list ends with block 0", 0},
		{"tail", func(table, _ []byte) { table[tournaments0+4] = 3 }, "db.cib: record 0 at 0xc (next block): corrupt: -1, but the list ends with block 3", 0},
		{"count", func(_, blocks []byte) { blocks[block0+8] = 0 }, "db.cib: record 0 at 0xc (count): corrupt: 0 ids, a block in use has 1 to 13", 0},
		{"order", func(_, blocks []byte) { blocks[block0+12+8] = 2 }, "db.cib: record 0 at 0xc (ids): corrupt: record 2 comes after record 2", 0},
		{"zero", func(_, blocks []byte) { blocks[block0+12] = 0 }, "db.cib: record 0 at 0xc (ids): corrupt: record 0, but there are 1 to 10", 0},
		{"inline", func(table, _ []byte) { copy(table[tournaments0:], []byte{99, 0, 0, 0x40, 255, 255, 255, 255}) },
			"db.cit: record 0 at 0xc (list): corrupt: records 99 to 99, but there are 1 to 10", 0},
		{"inline, sound", func(table, _ []byte) { copy(table[tournaments0:], []byte{2, 0, 0, 0x20, 5, 0, 0, 0}) }, "", 4},
	} {
		files := vector1Files(t)
		c.do(files[".cit"], files[".cib"])
		l := must.Get(OpenLists(saved(t, files), &cbh.Lists))(t)
		row := must.Get(l.Row(nil, 0))(t)
		ids, err := l.Append(nil, 0, cbh.TournamentList, row[cbh.TournamentList], 10, nil)
		if len(ids) != c.ids || (err != nil) != (c.want != "") || err != nil && err.Error() != c.want {
			t.Errorf("%s: %v, %v", c.name, ids, err)
		}
		l.Close()
	}
}

func TestOpenListsErrors(t *testing.T) {
	for _, c := range []struct {
		do   func(files map[string][]byte)
		want error
	}{
		{func(f map[string][]byte) { delete(f, ".cit") }, fs.ErrNotExist},
		{func(f map[string][]byte) { delete(f, ".cib") }, fs.ErrNotExist},
		{func(f map[string][]byte) { f[".cit"] = f[".cit"][:11] }, model.ErrTruncated},
		{func(f map[string][]byte) { f[".cib"] = nil }, model.ErrTruncated},
		{func(f map[string][]byte) { f[".cit"][0]++ }, model.ErrCorrupt},
		{func(f map[string][]byte) { f[".cib"] = f[".cib"][:100] }, model.ErrTruncated},
	} {
		files := vector1Files(t)
		c.do(files)
		if _, err := OpenLists(saved(t, files), &cbh.Lists); !errors.Is(err, c.want) {
			t.Errorf("%v, want %v", err, c.want)
		}
	}
}

// FuzzLists: whatever the files hold, a list is read to its end, and is in
// order where there is no error.
func FuzzLists(f *testing.F) {
	sound, files := vector1Files(f), folder(filepath.Join(f.TempDir(), "db"))
	f.Add(sound[".cit"], sound[".cib"], false)
	f.Add(unhex("08000000 00000000 00000000 02000040 ffffffff 00000000 00000000"),
		append(unhex("40000000 01000000 00000000"), (&cbh.ListBlock{Next: -1, Count: 1, IDs: [13]int32{3}}).Append(nil)...), true)
	f.Fuzz(func(t *testing.T, table, blocks []byte, titles bool) {
		pair := &cbh.Lists
		if titles {
			pair = &cbh.TitleLists
		}
		must.Do(t, os.WriteFile(files.Path(pair.Table), table, 0o644))
		must.Do(t, os.WriteFile(files.Path(pair.Blocks), blocks, 0o644))
		l, err := OpenLists(files, pair)
		if err != nil {
			return
		}
		defer l.Close()
		for entity := range l.Rows {
			row := must.Get(l.Row(nil, entity))(t)
			for kind, ends := range row {
				const last = 100
				ids, err := l.Append(nil, entity, cbh.ListKind(kind), ends, last, nil)
				if len(ids) > 2*last {
					t.Fatalf("%d ids", len(ids))
				}
				if err == nil && (!slices.IsSorted(ids) || len(ids) > 0 && (ids[0] < 1 || ids[len(ids)-1] > last)) {
					t.Fatalf("%v", ids)
				}
			}
		}
	})
}
