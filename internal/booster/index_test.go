package booster

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/derive"
	"cbkit/internal/fsys"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	_ "cbkit/internal/testkit/seeds"
	"cbkit/model"

	"pgregory.net/rapid"
)

// memory is a [dbfile.Writable].
type memory struct{ data []byte }

func (m *memory) Size() int64  { return int64(len(m.data)) }
func (m *memory) Close() error { return nil }

// pairOf are the files of a pair.
type pairOf struct {
	cbhdb.Files
	table, blocks *memory
}

func (p pairOf) Open(ext string) (*dbfile.File, error) {
	if ext == cbh.Lists.Table || ext == cbh.TitleLists.Table {
		return dbfile.New(p.table, "db"+ext), nil
	}
	return dbfile.New(p.blocks, "db"+ext), nil
}

func (m *memory) ReadAt(p []byte, offset int64) (int, error) {
	if offset >= int64(len(m.data)) {
		return 0, io.EOF
	}
	n := copy(p, m.data[offset:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (m *memory) WriteAt(p []byte, offset int64) (int, error) {
	if end := offset + int64(len(p)); end > int64(len(m.data)) {
		m.data = append(m.data, make([]byte, end-int64(len(m.data)))...)
	}
	return copy(m.data[offset:], p), nil
}

func (m *memory) Truncate(size int64) error {
	m.data = m.data[:size]
	return nil
}

// folder is the files of a database, by the path of its files without an
// ending.
type folder string

func (f folder) Path(ext string) string { return string(f) + ext }
func (f folder) Name(ext string) string { return filepath.Base(f.Path(ext)) }
func (f folder) Has(ext string) bool {
	_, err := os.Stat(f.Path(ext))
	return err == nil
}

func (f folder) Open(ext string) (*dbfile.File, error) {
	file, err := dbfile.Open(fsys.OS{}, f.Path(ext), f.Name(ext))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(ext), err)
	}
	return file, nil
}

func (f folder) Changed(ext string) (time.Time, error) {
	info, err := os.Stat(f.Path(ext))
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}

// corpusFolder finds a database of the corpus.
func corpusFolder(t testing.TB, name string) folder {
	t.Helper()
	return folder(strings.TrimSuffix(corpus.Path(t, name+".cbh"), ".cbh"))
}

// entries reads all records of a database.
func entries(t testing.TB, files folder) []Entry {
	t.Helper()
	db := cbhdb.New(files)
	defer db.Close()
	h := must.Get(db.Headers())(t)
	r := h.Reader(dbfile.FarAhead)
	var list []Entry
	for id := model.RecordID(1); id <= h.Count; id++ {
		head := must.Get(r.At(id))(t)
		list = append(list, Entry{id, head.References()})
	}
	return list
}

// NewIndex begins a pair of empty files.
func NewIndex(pair *cbh.ListFile, table, blocks *memory) (*Index, error) {
	table.data = pair.NewTableHeader().Append(nil)
	blocks.data = cbh.NewListBlocksHeader(0).Append(nil)
	return OpenIndex(pairOf{table: table, blocks: blocks}, pair)
}

// newIndex begins files in memory with rows for all entities of a database.
func newIndex(t testing.TB, files folder, pair *cbh.ListFile) (*Index, *memory, *memory) {
	t.Helper()
	table, blocks := &memory{}, &memory{}
	x := must.Get(NewIndex(pair, table, blocks))(t)
	db := cbhdb.New(files)
	defer db.Close()
	rows := must.Get(Capacities(db, pair))(t)
	must.Do(t, x.Grow(slices.Max(rows)))
	return x, table, blocks
}

// byTournament cuts records where the tournament changes.
func byTournament(list []Entry) [][]Entry {
	var batches [][]Entry
	for i, e := range list {
		if i == 0 || e.Refs.Tournament != list[i-1].Refs.Tournament {
			batches = append(batches, nil)
		}
		last := len(batches) - 1
		batches[last] = append(batches[last], e)
	}
	return batches
}

// withoutTrash clears what lies behind the ids of each block.
func withoutTrash(t *testing.T, blocks []byte) []byte {
	t.Helper()
	out := slices.Clone(blocks[:cbh.ListHeaderSize])
	for part := range slices.Chunk(blocks[cbh.ListHeaderSize:], cbh.ListBlockSize) {
		k := must.Get(cbh.DecodeListBlock(part))(t)
		clear(k.IDs[len(k.InUse()):])
		out = k.Append(out)
	}
	return out
}

// Adding the records of two real databases in the batches they once came in
// gives ChessBase's own files: the tables byte for byte, the blocks up to what
// lies behind the ids. (docs/formats/boosters.md 3, 7)
func TestBatchesReproduceRealFiles(t *testing.T) {
	for _, c := range []struct {
		database string
		pair     *cbh.ListFile
		batches  func([]Entry) [][]Entry
		count    int
	}{
		{"cbh/hedgehog/Hedgehog", &cbh.Lists, func(l []Entry) [][]Entry { return [][]Entry{l[:60], l[60:]} }, 2},
		{"cbh/world-ch/World-ch", &cbh.Lists, byTournament, 52},
		{"cbh/world-ch/World-ch", &cbh.TitleLists, byTournament, 52},
	} {
		t.Run(filepath.Base(c.database)+c.pair.Table, func(t *testing.T) {
			files := corpusFolder(t, c.database)
			x, table, blocks := newIndex(t, files, c.pair)
			batches := c.batches(entries(t, files))
			if len(batches) != c.count {
				t.Errorf("%d batches, want %d", len(batches), c.count)
			}
			for _, batch := range batches {
				must.Do(t, x.AppendBatch(batch))
			}
			if !bytes.Equal(table.data, must.Get(os.ReadFile(files.Path(c.pair.Table)))(t)) {
				t.Errorf("%s differs", c.pair.Table)
			}
			want := must.Get(os.ReadFile(files.Path(c.pair.Blocks)))(t)
			if !bytes.Equal(blocks.data, withoutTrash(t, want)) {
				t.Errorf("%s differs in more than trash", c.pair.Blocks)
			}
			t.Logf("%s: %d of %d bytes differ, all behind the ids", c.pair.Blocks, differing(blocks.data, want), len(want))
		})
	}
}

func differing(a, b []byte) int {
	n := 0
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		panic(err)
	}
	return b
}

// vector1 is a database of ten records: tournament 0 has all but record 3,
// which is of tournament 1; one is a game between players 0 and 1, the others
// are texts. (docs/formats/boosters.md 2)
func vector1() []Entry {
	var list []Entry
	for id := model.RecordID(1); id <= 10; id++ {
		refs := derive.References{
			Text: true, White: -1, Black: -1, WhiteTeam: -1, BlackTeam: -1, Annotator: 1, Title: 0,
		}
		switch id {
		case 1:
			refs.Annotator = 0
		case 3:
			refs.Tournament = 1
		case 5:
			refs.Text, refs.White, refs.Black = false, 0, 1
		}
		list = append(list, Entry{id, refs})
	}
	return list
}

func TestSavesReproduceVector1(t *testing.T) {
	table, blocks := &memory{}, &memory{}
	x := must.Get(NewIndex(&cbh.Lists, table, blocks))(t)
	must.Do(t, x.Grow(2))
	for _, e := range vector1() {
		must.Do(t, x.Append(e))
	}
	want := unhex(`28000000 00000000 00000000
		05000000 05000000 00000000 00000000 ffffffff ffffffff 01000000 01000000 02000000 02000000
		06000000 06000000 04000000 04000000 ffffffff ffffffff ffffffff ffffffff 03000000 03000000`)
	if !bytes.Equal(table.data, want) {
		t.Errorf("table\n% x, want\n% x", table.data, want)
	}
	want = unhex(`40000000 07000000 00000000 ffffffff 00000000 09000000
		01000000 02000000 04000000 05000000 06000000 07000000 08000000 09000000 0a000000`)
	if len(blocks.data) != 460 || !bytes.HasPrefix(blocks.data, want) {
		t.Errorf("blocks\n% x, want 460 bytes that begin with\n% x", blocks.data, want)
	}
}

// Random additions, batches and changes against lists in memory; free blocks
// and used ones together are all blocks, at the end of a transaction block 0 too.
func TestIndexAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table, blocks := &memory{}, &memory{}
		x := must.Get(NewIndex(&cbh.Lists, table, blocks))(t)
		m := indexModel{lists: map[derive.Reference][]int32{}}
		t.Repeat(map[string]func(*rapid.T){
			"save": func(t *rapid.T) {
				e := m.draw(t)
				m.grow(t, x)
				m.add(e)
				must.Do(t, x.Append(e))
			},
			"batch": func(t *rapid.T) {
				var batch []Entry
				for range rapid.IntRange(0, 30).Draw(t, "records") {
					batch = append(batch, m.draw(t))
					m.add(batch[len(batch)-1])
				}
				m.grow(t, x)
				must.Do(t, x.AppendBatch(batch))
			},
			"replace": func(t *rapid.T) {
				ref := derive.Reference{Kind: cbh.ListKind(rapid.IntRange(0, 4).Draw(t, "kind")), Entity: rapid.Int32Range(0, 3).Draw(t, "entity")}
				if ref.Entity >= x.Rows {
					t.Skip("no such entity")
				}
				var ids []int32
				for _, id := range m.lists[ref] {
					if rapid.Bool().Draw(t, "stays") {
						ids = append(ids, id)
					}
				}
				m.lists[ref] = ids
				must.Do(t, x.Replace(ref, ids))
			},
			"finish": func(t *rapid.T) {
				if err := x.Finish(); err != nil || x.vacant {
					t.Fatal(err)
				}
			},
			"reopen": func(t *rapid.T) {
				must.Do(t, x.Finish())
				x = must.Get(OpenIndex(pairOf{table: table, blocks: blocks}, &cbh.Lists))(t)
			},
			"": func(t *rapid.T) { m.check(t, x) },
		})
	})
}

// indexModel is what an index must hold.
type indexModel struct {
	lists map[derive.Reference][]int32
	last  model.RecordID
}

// draw makes the next record.
func (m *indexModel) draw(t *rapid.T) Entry {
	m.last++
	entity := rapid.Int32Range(-1, 3)
	return Entry{m.last, derive.References{
		White: entity.Draw(t, "white"), Black: entity.Draw(t, "black"), Tournament: entity.Draw(t, "tournament"),
		Annotator: entity.Draw(t, "annotator"), Source: entity.Draw(t, "source"),
		WhiteTeam: entity.Draw(t, "white team"), BlackTeam: entity.Draw(t, "black team"),
	}}
}

func (m *indexModel) add(e Entry) {
	for _, ref := range e.Refs.Append(nil, &cbh.Lists) {
		m.lists[ref] = append(m.lists[ref], int32(e.ID))
	}
}

func (m *indexModel) grow(t *rapid.T, x *Index) {
	must.Do(t, x.Grow(4))
}

func (m *indexModel) check(t *rapid.T, x *Index) {
	used := map[int32]bool{}
	for entity := range x.Rows {
		for kind := range cbh.ListKind(cbh.ListKinds) {
			ref := derive.Reference{Kind: kind, Entity: entity}
			if got := m.read(t, x, ref, used); !slices.Equal(got, m.lists[ref]) {
				t.Fatalf("%v: %v, want %v", ref, got, m.lists[ref])
			}
		}
	}
	for n := x.Head.FirstFree; n != 0; {
		if used[n] {
			t.Fatalf("free block %d is used, or twice free", n)
		}
		used[n] = true
		k := must.Get(x.Block(n))(t)
		n = k.Next
	}
	for n := range x.Head.Blocks {
		if !used[n] && !(n == 0 && x.vacant) {
			t.Fatalf("block %d is lost", n)
		}
	}
}

// read walks one list.
func (m *indexModel) read(t *rapid.T, x *Index, ref derive.Reference, used map[int32]bool) []int32 {
	ends := must.Get(x.Ends(ref))(t)
	var ids []int32
	for n := ends.Head; n != -1; {
		if used[n] {
			t.Fatalf("block %d is used twice", n)
		}
		used[n] = true
		k := must.Get(x.Block(n))(t)
		if k.Next == -1 && n != ends.Tail {
			t.Fatalf("%v ends with block %d, not %d", ref, n, ends.Tail)
		}
		ids = append(ids, k.InUse()...)
		n = k.Next
	}
	return ids
}
