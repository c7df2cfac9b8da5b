package write

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
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
	"cbkit/internal/extsort"
	"cbkit/internal/journal"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
	"cbkit/internal/testkit/neighbours"
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
func layout(t must.TB, rows int32, limit int, records []derive.References) (table, blocks []byte) {
	disk := newDisk()
	out := must.Get(boostersOn(disk))(t)
	defer out.set.Close()
	b := &listBuilder{
		out: out, pair: &cbh.Lists, files: names{}, rows: rows, row: make([]cbh.ListEnds, cbh.ListKinds),
		capacity: slices.Repeat([]int32{rows}, cbh.ListKinds), sorter: extsort.NewNumbers(extsort.Options{Memory: 8 * limit, FS: disk}),
	}
	defer func() {
		must.Do(t, b.sorter.Close())
	}()
	for i := range records {
		must.Do(t, b.add(model.RecordID(i+1), &records[i]))
	}
	must.Do(t, b.finish())
	must.Do(t, out.place(booster.NewSeal(), crashClock()))
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
		k := must.Get(cbh.DecodeListBlock(blocks[cbh.BlockOffset(n):]))(t)
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
			for _, ref := range records[i].Append(nil, &cbh.Lists) {
				want[ref] = append(want[ref], int32(i+1))
			}
		}
		next := int32(0)
		for id := range int32(rows) {
			for kind := range cbh.ListKind(cbh.ListKinds) {
				ref := derive.Reference{Kind: kind, Entity: id}
				ends := must.Get(cbh.DecodeListEnds(table[cbh.Lists.RowOffset(id)+8*int64(kind):]))(t)
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
		k := must.Get(cbh.DecodeListBlock(blocks[cbh.BlockOffset(n):]))(t)
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
	b := &listBuilder{pair: &cbh.Lists, files: names{}, capacity: []int32{3, 1, 0, 1, 1}, sorter: extsort.NewNumbers(extsort.Options{})}
	err := b.add(7, &derive.References{White: 1, Black: 3, WhiteTeam: -1, BlackTeam: -1})
	if err == nil || err.Error() != "db.cbh: record 7 at 0x142 (player): corrupt: it refers to 3, and db.cbp is missing" {
		t.Errorf("%v", err)
	}
}

// boostersOn begins boosters of the database db on a disk.
func boostersOn(disk *crashfs.FS) (*boosterFiles, error) {
	set, err := journal.Open(context.Background(), disk, "db.cbh", journal.Options{})
	if err != nil {
		return nil, err
	}
	out, err := newBoosterFiles(disk, set, names{})
	if err != nil {
		return nil, errors.Join(err, set.Close())
	}
	return out, nil
}

// newDisk returns a disk with a database of that name and its neighbours.
func newDisk() *crashfs.FS {
	disk := crashfs.New()
	disk.WriteFile("db.cbh", []byte("a database"))
	neighbours.On(disk, "db.cbh")
	return disk
}

// placeOn replaces some boosters on a disk by others.
func placeOn(disk *crashfs.FS, content string, exts ...string) error {
	out, err := boostersOn(disk)
	if err != nil {
		return err
	}
	for _, ext := range exts {
		f, failed := out.create(ext, 0)
		if err = failed; err == nil {
			_, err = f.Append([]byte(content + ext))
		}
		if err != nil {
			break
		}
	}
	if err == nil {
		err = out.place(booster.NewSeal(), crashClock())
	}
	_, look := out.set.File("db.cbh") // fails if the disk did so behind the commit
	if closing := errors.Join(look, out.set.Close()); err == nil && closing != nil {
		return fmt.Errorf("%w: %w", errClosing, closing)
	}
	return err
}

// The main file of a database keeps its change time when boosters come, so that those
// who read it go on.
func TestBoostersTouchNothingElse(t *testing.T) {
	disk := newDisk()
	before := must.Get(disk.Stat("db.cbh"))(t)
	disk.Advance(time.Hour)
	must.Do(t, placeOn(disk, "new", ".cbgi"))
	if after, err := disk.Stat("db.cbh"); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("%v, %v", after.ModTime(), err)
	}
	calls := disk.Calls()
	taken := 0
	for n := 0; n < calls; n += 3 {
		disk := newDisk()
		disk.Advance(time.Hour)
		disk.CrashAt(n, true)
		_ = placeOn(disk, "new", ".cbgi")
		disk = disk.Restart(func(pending int) int { return pending }, func(string) bool { return true })
		r := must.Get(recoverSet(disk, "db.cbh", model.RecoverOptions{}))(t)
		if r.Outcome == model.RecoveryUndone {
			taken++
		}
		if after, err := disk.Stat("db.cbh"); err != nil || !after.ModTime().Equal(before.ModTime()) {
			t.Errorf("call %d, recovered: %v, %v", n, after.ModTime(), err)
		}
	}
	if taken == 0 {
		t.Error("no commit was taken back")
	}
}
