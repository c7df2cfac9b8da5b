package roundtrip

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"cbkit"
	"cbkit/archive"
	"cbkit/ctgwrite"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/internal/testkit/seeds"
	"cbkit/model"
	"cbkit/parquet"
	"cbkit/write"
)

// With a clock the same input gives the same bytes, in every file of every format:
// saved whole, record by record and in memory, with boosters, copied, edited,
// compacted, packed, and as a book.
func TestSameClockSameBytes(t *testing.T) {
	tried := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	switch {
	case testing.Short():
		tried = tried[:2]
	case !seeds.InCI:
		tried = []int{0, 1, 6, 11}
	}
	made := func() map[string][]byte {
		dir := gen.Folder(t)
		for _, seed := range tried {
			c := gen.Config{Leftovers: seed%2 == 0, NoHalfMoves: true, Records: 6 + 40*(seed%2)}
			db := gen.Database(c).Example(seed)
			for i := 0; seed == 11 && len(db.List) < 700; i++ {
				if g := db.List[i].Game; g != nil { // more than is decoded at once
					db.AddGame(g.Clone())
				} else {
					db.AddText(db.List[i].Text.Clone())
				}
			}
			at := filepath.Join(dir, fmt.Sprint(seed))
			must.Do(t, os.Mkdir(at, 0o777))
			makeAll(t, at, db)
		}
		return bytesIn(t, os.DirFS(dir))
	}
	first := made()
	time.Sleep(1100 * time.Millisecond) // stamps count seconds, archives hundredths
	again := made()
	for name, content := range first {
		if !bytes.Equal(content, again[name]) {
			t.Errorf("%s differs", name)
		}
		if filepath.Ext(name) == ".cbkit" {
			t.Errorf("%s is a seal", name)
		}
	}
	if len(again) != len(first) || first["0/a.cbb"] == nil || first["0/a.cbgi"] == nil || first["1/book.ctg"] == nil || len(first) < len(tried)*60 {
		t.Errorf("made %v", slices.Sorted(maps.Keys(first)))
	}
	// Ways that lead to the same thing lead to the same bytes.
	for name, content := range first {
		dir, base := filepath.Split(name)
		if twin, is := first[dir+"created."+base]; is && !bytes.Equal(content, twin) {
			t.Errorf("%s is not what records give that come one by one", name)
		}
		if twin, is := first[dir+"memory."+base]; is && !bytes.Equal(content, twin) {
			t.Errorf("%s is not what is made in memory", name)
		}
	}
}

// makeAll makes everything that can be made of a database.
func makeAll(t *testing.T, dir string, db *model.Database) {
	t.Helper()
	now := func() time.Time { return time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC) }
	at := func(name string) string { return filepath.Join(dir, name) }
	must := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %s: %v", dir, what, err)
		}
	}
	opt := cbkit.SaveOptions{Now: now, AcceptLosses: true, Boosters: &write.BoosterOptions{NoSeal: true}, Fresh: true}
	plain := opt
	plain.Plain = true
	memory := write.NewMemory()
	for name, opt := range map[string]cbkit.SaveOptions{
		"a.cbh": opt, "b.dci": opt, "c.pgn": opt, "c.plain.pgn": plain, "d.pgn.gz": opt, "e.pgn.zst": opt, "f.jsonl": opt,
		"g.jsonl.zst": opt, "h.parquet": opt,
	} {
		must(name, cbkit.Save(t.Context(), at(name), db, opt))
		sink, err := cbkit.Create(t.Context(), at("created."+name), opt)
		must(name, err)
		must(name, model.Copy(t.Context(), sink, db, model.CopyOptions{}))
		opt.In = memory
		must(name, cbkit.Save(t.Context(), "memory."+name, db, opt))
	}
	for name, content := range bytesIn(t, memory) {
		must(name, os.WriteFile(at(name), content, 0o666))
	}
	tables, err := parquet.Create(context.Background(), at("t.parquet"), parquet.Options{Tables: []parquet.Table{parquet.Games, parquet.Positions}, AcceptLosses: true})
	must("tables", err)
	must("tables", model.Copy(t.Context(), tables, db, model.CopyOptions{}))

	src, err := cbkit.Open(at("a.cbh"), cbkit.Options{})
	must("open", err)
	opt.Fresh = false
	must("copy", cbkit.Save(t.Context(), at("copy.cbh"), src, opt))
	must("close", src.Close())
	must("edited", cbkit.Save(t.Context(), at("edited.cbh"), db, cbkit.SaveOptions{Now: now, AcceptLosses: true}))
	ed, err := write.Edit(context.Background(), at("edited.cbh"), write.EditOptions{Now: now, AcceptLosses: true})
	must("edit", err)
	must("append", ed.Append(t.Context(), db, model.CopyOptions{}))
	if ed.Count() > 0 {
		must("delete", ed.Delete(1))
	}
	must("commit", errors.Join(ed.Commit(), ed.Close()))
	_, err = write.Compact(t.Context(), at("edited.cbh"), write.CompactOptions{Purge: true})
	must("compact", err)

	var names []string
	for name := range bytesIn(t, os.DirFS(dir)) {
		if base, _, _ := bytes.Cut([]byte(name), []byte(".")); string(base) == "a" && archive.Packs(name) {
			names = append(names, name)
		}
	}
	files, err := archive.Files(os.DirFS(dir), names...)
	must("archive", err)
	for i := range files {
		files[i].Modified = now()
	}
	must("archive", archive.Create(t.Context(), at("i.cbv"), files, archive.CreateOptions{}))

	book := ctgwrite.NewBuilder(ctgwrite.BuilderOptions{Variations: true, Options: ctgwrite.Options{AcceptLosses: true}})
	must("book", book.Add(t.Context(), db))
	if _, err := book.Write(t.Context(), at("book.ctg")); !errors.Is(err, ctgwrite.ErrNothingRead) {
		must("book", err)
	}
	must("book", book.Close())
}

// bytesIn returns the content of all files of a file system.
func bytesIn(t *testing.T, in fs.FS) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	must.Do(t, fs.WalkDir(in, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all[name], err = fs.ReadFile(in, name)
		}
		return err
	}))
	return all
}
