package write_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cbkit/check"
	"cbkit/internal/booster"
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// inStep fails the test unless a database has all boosters that it can have, and
// they hold what they would if they were made anew, and are sealed.
func inStep(t testing.TB, path string) {
	t.Helper()
	set := findFiles(t, path)
	for _, ext := range madeAnew(t, set) {
		if !set.Has(ext) {
			t.Errorf("%s: is missing", set.Name(ext))
			continue
		}
		files := cbhdb.FilesOf(set)
		if err := errors.Join(booster.CheckSeal(files, ext), booster.CheckSums(files, ext)); err != nil {
			t.Errorf("%s: %v", set.Name(ext), err)
		}
	}
	list := must.Get(check.Boosters(context.Background(), path, check.Options{Jobs: 1}))(t)
	for _, b := range list {
		if b.State != check.BoosterValid && b.State != check.BoosterInapplicable {
			t.Errorf("%s: %s: %v", b.File, b.State, b.Findings)
		}
	}
}

// madeAnew makes the boosters of a database anew beside it, compares those that the
// database has with them, and returns the endings of the new ones.
func madeAnew(t testing.TB, set *read.FileSet) (exts []string) {
	t.Helper()
	dir := must.Get(os.MkdirTemp(filepath.Dir(set.Path(".cbh")), "anew"))(t)
	defer os.RemoveAll(dir)
	for _, ext := range set.Endings() {
		if slices.Contains(write.BoosterExts(), ext) || ext == booster.SealExt {
			continue
		}
		must.Do(t, os.Link(set.Path(ext), filepath.Join(dir, set.Name(ext))))
	}
	result := must.Get(write.Boosters(context.Background(), filepath.Join(dir, set.Name(".cbh")), write.BoosterOptions{}))(t)
	fresh := findFiles(t, filepath.Join(dir, set.Name(".cbh")))
	for _, name := range result.Files {
		exts = append(exts, filepath.Ext(name))
	}
	for _, pair := range []*cbh.ListFile{&cbh.Lists, &cbh.TitleLists} {
		if fresh.Has(pair.Table) && set.Has(pair.Table) && !maps.EqualFunc(allLists(t, fresh, pair), allLists(t, set, pair), slices.Equal) {
			t.Errorf("%s: not the lists that the records give", set.Name(pair.Blocks))
		}
		if fresh.Has(pair.Table) && set.Has(pair.Table) && len(fileAt(t, set.Path(pair.Table))) < len(fileAt(t, fresh.Path(pair.Table))) {
			t.Errorf("%s: rows are missing", set.Name(pair.Table))
		}
	}
	for _, ext := range []string{".cbb", ".cbgi"} {
		if fresh.Has(ext) && set.Has(ext) && fileAt(t, set.Path(ext)) != fileAt(t, fresh.Path(ext)) {
			t.Errorf("%s: not what a new one would be", set.Name(ext))
		}
	}
	return exts
}

func fileAt(t testing.TB, path string) string {
	t.Helper()
	b := must.Get(os.ReadFile(path))(t)
	return string(b)
}

// What does not fit before an edit goes with it, and is named; on request it is
// made anew. What fits stays in step.
func TestEditDropsWhatDoesNotFit(t *testing.T) {
	beside := func(path, ext string) string { return strings.TrimSuffix(path, ".cbh") + ext }
	for name, c := range map[string]struct {
		damage func(t *testing.T, path string)
		gone   []string
	}{
		"nothing": {func(*testing.T, string) {}, nil},
		"no seal": {func(t *testing.T, path string) { must.Do(t, os.Remove(beside(path, ".cbkit"))) }, []string{".cbb"}},
		"a seal of version 1": {func(t *testing.T, path string) {
			must.Do(t, os.WriteFile(beside(path, ".cbkit"), []byte("cbkit seal 1\n.cbh 7 4c957ca4\n"), 0o644))
		}, []string{".cbb", ".cbkit"}},
		"traces changed": {func(t *testing.T, path string) { flip(t, beside(path, ".cbb"), 60) }, []string{".cbb"}},
		"traces and lists changed": {func(t *testing.T, path string) {
			flip(t, beside(path, ".cbb"), 60)
			flip(t, beside(path, ".cib"), 12+12) // the first id of block 0
		}, []string{".cit", ".cib", ".cbb"}},
		"lists cut":   {func(t *testing.T, path string) { must.Do(t, os.Truncate(beside(path, ".cib"), 100)) }, []string{".cit", ".cib"}},
		"half a pair": {func(t *testing.T, path string) { must.Do(t, os.Remove(beside(path, ".cit"))) }, []string{".cib"}},
		"an edit without boosters": {func(t *testing.T, path string) {
			away := gen.Folder(t)
			for _, ext := range append(write.BoosterExts(), ".cbkit") {
				must.Do(t, os.Rename(beside(path, ext), filepath.Join(away, "x"+ext)))
			}
			ed := edit(t, path)
			must.Do(t, ed.Append(context.Background(), games(3), model.CopyOptions{}))
			commit(t, ed)
			for _, ext := range append(write.BoosterExts(), ".cbkit") {
				must.Do(t, os.Rename(filepath.Join(away, "x"+ext), beside(path, ext)))
			}
		}, []string{".cbgi", ".cit", ".cib", ".cit2", ".cib2", ".cbb", ".cbkit"}},
		"other times": {func(t *testing.T, path string) {
			for _, ext := range []string{".cbh", ".cbg", ".cbb", ".cib"} {
				then := time.Unix(1e9, 0)
				must.Do(t, os.Chtimes(beside(path, ext), then, then))
			}
		}, nil},
	} {
		for _, again := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", anew ", again), func(t *testing.T) {
				path := filepath.Join(gen.Folder(t), "new.cbh")
				sink, err := write.Create(context.Background(), path, write.Options{Now: clock})
				must.Do(t, err)
				must.Do(t, model.Copy(context.Background(), sink, games(10, 12, 14, 9, 8, 7), model.CopyOptions{}))
				withBoosters(t, path)
				c.damage(t, path)
				ed, err := write.Edit(context.Background(), path, write.EditOptions{Now: clock, Boosters: again})
				must.Do(t, err)
				must.Do(t, replaceBy(ed, 2, 30))
				must.Do(t, ed.Append(context.Background(), games(4), model.CopyOptions{}))
				must.Do(t, ed.Commit())
				must.Do(t, ed.Close())
				var gone []string
				for _, name := range ed.Result().DroppedBoosters {
					gone = append(gone, filepath.Ext(name))
				}
				if !slices.Equal(gone, c.gone) {
					t.Errorf("gone are %v, want %v", gone, c.gone)
				}
				if again && len(gone) > 0 && len(ed.Result().MadeBoosters) == 0 {
					t.Error("nothing is said to be made anew")
				}
				set := findFiles(t, path)
				for _, ext := range c.gone {
					if set.Has(ext) != again {
						t.Errorf("%s: there is %v", ext, set.Has(ext))
					}
				}
				madeAnew(t, set)
				if again && c.gone == nil {
					inStep(t, path)
				}
			})
		}
	}
}

// flip changes a byte of a file.
func flip(t *testing.T, path string, at int64) {
	t.Helper()
	b := []byte(fileAt(t, path))
	b[at] ^= 1
	must.Do(t, os.WriteFile(path, b, 0o644))
	later := time.Now().Add(time.Second)
	must.Do(t, os.Chtimes(path, later, later))
}

// Compacting makes those boosters anew that are there. A second time nothing is
// written.
func TestCompactKeepsBoosters(t *testing.T) {
	for _, purge := range []bool{false, true} {
		path := withBoosters(t, create(t, games(40, 12, 14, 9), write.Options{}))
		ed := edit(t, path)
		must.Do(t, replaceBy(ed, 1, 3))
		must.Do(t, ed.Delete(3))
		commit(t, ed)
		result, err := write.Compact(context.Background(), path, write.CompactOptions{Purge: purge})
		if err != nil || len(result.DroppedBoosters) > 0 || (len(result.MadeBoosters) == 6) != purge || result.Records != 4-result.Purged {
			t.Errorf("%+v, %v", result, err)
		}
		inStep(t, path)
		once := filesOf(t, path)
		must.Get(write.Compact(context.Background(), path, write.CompactOptions{}))(t)
		if !maps.Equal(once, filesOf(t, path)) {
			t.Error("a second time something changed")
		}
	}
	path := create(t, games(4), write.Options{})
	if result, err := write.Compact(context.Background(), path, write.CompactOptions{}); err != nil || result.MadeBoosters != nil {
		t.Errorf("%+v, %v", result, err)
	}
	if set := findFiles(t, path); slices.ContainsFunc(write.BoosterExts(), set.Has) {
		t.Error("boosters have come")
	}
}

// withoutRecords copies a database without its records: its entities are there, and
// nothing refers to them.
func withoutRecords(t *testing.T, name string) (path string) {
	t.Helper()
	real := findFiles(t, corpus.Path(t, name))
	path = filepath.Join(gen.Folder(t), "new.cbh")
	put := func(ext string, b []byte) { must.Do(t, os.WriteFile(strings.TrimSuffix(path, ".cbh")+ext, b, 0o644)) }
	for _, ext := range cbh.NewFileExts {
		b, _ := cbh.EmptyFile(ext)
		put(ext, b)
	}
	head, err := cbh.DecodeFileHeader(readFile(t, real.Path(".cbh")))
	must.Do(t, err)
	head.SetRecords(0)
	put(".cbh", head.Append(nil))
	ext, err := cbh.DecodeExtHeader(readFile(t, real.Path(".cbj")))
	must.Do(t, err)
	ext.Records = 0
	put(".cbj", ext.Append(nil))
	for _, kind := range cbh.EntityFiles {
		if !real.Has(kind.Ext) {
			continue
		}
		b := readFile(t, real.Path(kind.Ext))
		h, err := cbh.DecodeEntityHeader(b)
		must.Do(t, err)
		for at := h.Size(); at+kind.RecordSize() <= len(b); at += kind.RecordSize() {
			if links, err := cbh.DecodeEntityLinks(b[at:]); err == nil && !links.IsDeleted() {
				cbh.EntityUse{First: -1}.Put(b[at+cbh.EntityLinksSize : at+kind.RecordSize()])
			}
		}
		put(kind.Ext, b)
	}
	return path
}

// headersOf reads the records of a database without their moves and texts.
func headersOf(t *testing.T, name, page string) *model.Database {
	t.Helper()
	real := findFiles(t, corpus.Path(t, name))
	dir := gen.Folder(t)
	must.Do(t, os.CopyFS(dir, os.DirFS(real.Dir)))
	if !real.Has(".cbg") {
		b, _ := cbh.EmptyFile(".cbg")
		must.Do(t, os.WriteFile(filepath.Join(dir, real.Base+".cbg"), b, 0o644))
	}
	db, err := read.Open(filepath.Join(dir, real.Name(".cbh")), read.Options{CodePage: page})
	must.Do(t, err)
	defer db.Close()
	all := &model.Database{}
	for rec, err := range db.Records(context.Background(), 1, 0) {
		if rec.ID == 0 {
			t.Fatal(err)
		}
		kept := model.Record{ID: rec.ID}
		if rec.Text != nil {
			text := model.NewGuidingText()
			text.Tournament, text.Annotator, text.Source, text.GameTitle = rec.Text.Tournament, rec.Text.Annotator, rec.Text.Source, rec.Text.GameTitle
			kept.Text = text
		} else {
			kept.Game = &model.Game{Header: rec.Game.Header}
		}
		all.List = append(all.List, kept)
	}
	all.Tables = db.Entities().Clone()
	return all
}

// Adding the records of two real databases in the batches in which they once came,
// by edits of a database that has their entities already, gives ChessBase's own
// .cit files byte for byte. (docs/formats/boosters.md 3, 7)
func TestEditsReproduceRealLists(t *testing.T) {
	for _, c := range []struct {
		name, page string
		isBorder   func(before, rec model.Record) bool
	}{
		{"cbh/hedgehog/Hedgehog.cbh", "1251", func(before, _ model.Record) bool { return before.ID == 60 }},
		{"cbh/world-ch/World-ch.cbh", "", func(before, rec model.Record) bool { return tournamentOf(before) != tournamentOf(rec) }},
	} {
		t.Run(filepath.Base(c.name), func(t *testing.T) {
			all, path := headersOf(t, c.name, c.page), withoutRecords(t, c.name)
			_, err := write.Boosters(context.Background(), path, write.BoosterOptions{Files: []string{".cit"}})
			must.Do(t, err)
			ed, err := write.Edit(context.Background(), path, write.EditOptions{Now: clock, CodePage: c.page, AcceptLosses: true})
			must.Do(t, err)
			defer ed.Close()
			for start := 0; start < len(all.List); {
				end := start + 1
				for end < len(all.List) && !c.isBorder(all.List[end-1], all.List[end]) {
					end++
				}
				batch := &model.Database{Tables: all.Tables.Clone(), List: slices.Clone(all.List[start:end])}
				for i := range batch.List {
					batch.List[i].ID = model.RecordID(i + 1)
				}
				must.Do(t, ed.Append(context.Background(), batch, model.CopyOptions{}))
				must.Do(t, ed.Commit())
				if gone := ed.Result().DroppedBoosters; len(gone) > 0 {
					t.Fatalf("after record %d: %v are gone", end, gone)
				}
				start = end
			}
			real, mine := findFiles(t, corpus.Path(t, c.name)), findFiles(t, path)
			equal, size := equalBytes(readFile(t, mine.Path(".cit")), readFile(t, real.Path(".cit")))
			blocks, blocksSize := equalBytes(readFile(t, mine.Path(".cib")), readFile(t, real.Path(".cib")))
			t.Logf("%d of %d bytes of .cit, %d of %d of .cib", equal, size, blocks, blocksSize)
			if equal != size || !bytes.Equal(readFile(t, mine.Path(".cit")), readFile(t, real.Path(".cit"))) {
				t.Error("the .cit file is another one")
			}
			if !maps.EqualFunc(allLists(t, mine, &cbh.Lists), allLists(t, real, &cbh.Lists), slices.Equal) {
				t.Error("the lists are others")
			}
		})
	}
}

func tournamentOf(rec model.Record) model.EntityID {
	if rec.Text != nil {
		return rec.Text.Tournament
	}
	return rec.Game.Tournament
}
