package write

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"cbkit/internal/booster"
	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/derive"
	"cbkit/internal/fsys/crashfs"
	"cbkit/model"

	"pgregory.net/rapid"
)

// names are the files of a database called db.
type names struct{}

func (names) Has(string) bool        { return false }
func (names) Name(ext string) string { return "db" + ext }
func (names) Path(ext string) string { return "db" + ext }

func (names) Changed(string) (time.Time, error) { return time.Time{}, fs.ErrNotExist }

func (names) Open(ext string) (*dbfile.File, error) { return nil, fs.ErrNotExist }

// layout builds .cit and .cib files of records that come in id order. Limit is
// the number of references that are kept in memory.
func layout(t interface{ Fatal(...any) }, rows int32, limit int, records []derive.References) (table, blocks []byte) {
	disk := crashfs.New()
	out := &boosterFiles{fs: disk, files: names{}, temp: map[string]string{}}
	defer out.cleanUp()
	b := &listBuilder{
		out: out, pair: &cbh.Lists, files: names{}, rows: rows, row: make([]cbh.ListEnds, cbh.ListKinds),
		capacity: slices.Repeat([]int32{rows}, cbh.ListKinds),
	}
	b.sorter.limit = limit
	b.sorter.create = out.createScratch
	for i := range records {
		if err := b.add(model.RecordID(i+1), &records[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.finish(); err != nil {
		t.Fatal(err)
	}
	if err := out.place(nil); err != nil {
		t.Fatal(err)
	}
	return disk.Files()["db.cit"], disk.Files()["db.cib"]
}

// The rebuild of the first test vector. (docs/formats/boosters.md 2)
func TestRebuildVector(t *testing.T) {
	var records []derive.References
	for id := 1; id <= 10; id++ {
		r := derive.References{White: -1, Black: -1, WhiteTeam: -1, BlackTeam: -1, Annotator: 1, Title: -1}
		switch id {
		case 1:
			r.Annotator = 0
		case 3:
			r.Tournament = 1
		case 5:
			r.White, r.Black = 0, 1
		}
		records = append(records, r)
	}
	table, blocks := layout(t, 2, 1000, records)
	want, err := hex.DecodeString(strings.Join(strings.Fields(`28000000 00000000 00000000
		00000000 00000000 01000000 01000000 ffffffff ffffffff 02000000 02000000 03000000 03000000
		04000000 04000000 05000000 05000000 ffffffff ffffffff ffffffff ffffffff 06000000 06000000`), ""))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(table, want) {
		t.Errorf("table\n% x, want\n% x", table, want)
	}
	var lists []string
	for n := range int32(7) {
		k, err := cbh.DecodeListBlock(blocks[cbh.BlockOffset(n):])
		if err != nil {
			t.Fatal(err)
		}
		lists = append(lists, fmt.Sprint(k.InUse()))
	}
	if got, want := strings.Join(lists, " "), "[5] [1 2 4 5 6 7 8 9 10] [1 2 3 4 5 6 7 8 9 10] [1] [5] [3] [2 3 4 5 6 7 8 9 10]"; got != want {
		t.Errorf("lists %s, want %s", got, want)
	}
}

// Random lists are all there, in order, and come out the same however little
// memory there is to sort them.
func TestRebuildOfRandomLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const rows = 6
		entity := rapid.Int32Range(-1, rows-1)
		records := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) derive.References {
			return derive.References{
				White: entity.Draw(t, "white"), Black: entity.Draw(t, "black"), Tournament: entity.Draw(t, "tournament"),
				Annotator: entity.Draw(t, "annotator"), Source: entity.Draw(t, "source"),
				WhiteTeam: entity.Draw(t, "white team"), BlackTeam: entity.Draw(t, "black team"),
			}
		}), 0, 100).Draw(t, "records")
		table, blocks := layout(t, rows, 1<<20, records)
		small, smallBlocks := layout(t, rows, rapid.IntRange(1, 50).Draw(t, "limit"), records)
		if !bytes.Equal(table, small) || !bytes.Equal(blocks, smallBlocks) {
			t.Fatal("with little memory the files are others")
		}
		want := map[derive.Reference][]int32{}
		for i := range records {
			for _, ref := range records[i].AppendLists(nil) {
				want[ref] = append(want[ref], int32(i+1))
			}
		}
		next := int32(0)
		for id := range int32(rows) {
			for kind := range cbh.ListKind(cbh.ListKinds) {
				ref := derive.Reference{Kind: kind, Entity: id}
				ends, err := cbh.DecodeListEnds(table[cbh.Lists.RowOffset(id)+8*int64(kind):])
				if err != nil {
					t.Fatal(err)
				}
				got, after := consecutive(t, blocks, ends, next)
				if !slices.Equal(got, want[ref]) {
					t.Fatalf("%v: %v, want %v", ref, got, want[ref])
				}
				next = after
			}
		}
	})
}

// consecutive reads a list whose blocks must begin with the given one and
// follow each other. It returns the number of the block behind it.
func consecutive(t *rapid.T, blocks []byte, ends cbh.ListEnds, next int32) ([]int32, int32) {
	if ends == cbh.NoList {
		return nil, next
	}
	var ids []int32
	for n := ends.Head; ; n++ {
		if n != next {
			t.Fatalf("block %d, want %d", n, next)
		}
		next++
		k, err := cbh.DecodeListBlock(blocks[cbh.BlockOffset(n):])
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, k.InUse()...)
		if n == ends.Tail {
			return ids, next
		}
		if k.Next != n+1 || k.Count != cbh.ListBlockIDs {
			t.Fatalf("block %d leads to %d and has %d ids", n, k.Next, k.Count)
		}
	}
}

// A reference to an entity that does not exist is refused.
func TestRebuildRefusesUnknownEntities(t *testing.T) {
	b := &listBuilder{pair: &cbh.Lists, files: names{}, capacity: []int32{3, 1, 0, 1, 1}}
	b.sorter.limit = 10
	err := b.add(7, &derive.References{White: 1, Black: 3, WhiteTeam: -1, BlackTeam: -1})
	if err == nil || err.Error() != "db.cbh: record 7 at 0x142 (player): corrupt: it refers to 3, and db.cbp is missing" {
		t.Errorf("%v", err)
	}
}

// placeOn replaces the boosters on a disk by others.
func placeOn(disk *crashfs.FS, content string) error {
	out := &boosterFiles{fs: disk, files: names{}, temp: map[string]string{}}
	defer out.cleanUp()
	for _, ext := range []string{".cit", ".cib", ".cbb", ".cbgi"} {
		f, err := out.create(ext, 0)
		if err == nil {
			err = f.append([]byte(content))
		}
		if err == nil {
			err = f.finish(nil)
		}
		if err != nil {
			return err
		}
	}
	return out.place(booster.NewSeal())
}

// After a crash at any call every booster is the old one, the new one, or
// missing; a table never comes with the blocks of another, nor a seal with
// another .cbb file.
func TestBoosterCrashAtEveryCall(t *testing.T) {
	start := func() *crashfs.FS {
		disk := crashfs.New()
		if err := placeOn(disk, "old"); err != nil {
			t.Fatal(err)
		}
		return disk.Restart(nil, nil)
	}
	counted := start()
	counted.Plan(nil)
	if err := placeOn(counted, "new"); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for n := range counted.Calls() {
		for _, lost := range []bool{false, true} {
			disk := start()
			disk.CrashAt(n, lost)
			_ = placeOn(disk, "new") // the disk is what counts
			files := disk.Restart(nil, nil).Files()
			for _, ext := range []string{".cit", ".cib", ".cbb", ".cbgi"} {
				content := string(files["db"+ext])
				seen[content]++
				if content != "" && content != "old" && content != "new" {
					t.Errorf("call %d: %s holds %q", n, ext, content)
				}
			}
			if table, blocks := files["db.cit"], files["db.cib"]; table != nil && !bytes.Equal(table, blocks) {
				t.Errorf("call %d: the table is %q, the blocks are %q", n, table, blocks)
			}
			if content := files["db"+booster.SealExt]; content != nil {
				want := booster.NewSeal()
				err := want.Set(".cbb", booster.State{Size: int64(len(files["db.cbb"]))}, bytes.NewReader(files["db.cbb"]))
				seal, failed := booster.ParseSeal(content)
				if err != nil || failed != nil || !slices.Equal(seal.Sums[7], want.Sums[7]) {
					t.Errorf("call %d: the seal is %x, the .cbb file %q", n, content, files["db.cbb"])
				}
			}
		}
	}
	if seen["old"] == 0 || seen["new"] == 0 {
		t.Errorf("crashes left %v", seen)
	}
	if left := counted.Names(); slices.ContainsFunc(left, func(s string) bool { return strings.Contains(s, ".cbkit-new") || strings.HasSuffix(s, ".tmp") }) {
		t.Errorf("left behind: %q", left)
	}
}

// After the failure of any call there is an error, or the new files are there.
func TestBoosterFailureAtEveryCall(t *testing.T) {
	disk := crashfs.New()
	if err := placeOn(disk, "new"); err != nil {
		t.Fatal(err)
	}
	want, calls := disk.Files(), disk.Calls()
	for n := range calls {
		disk := crashfs.New()
		disk.FailAt(n)
		if err := placeOn(disk, "new"); err == nil {
			for name, content := range want {
				if !bytes.Equal(disk.Files()[name], content) {
					t.Errorf("call %d failed silently: %s holds %q", n, name, disk.Files()[name])
				}
			}
		}
	}
}
