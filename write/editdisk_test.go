package write_test

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing/fstest"
	"time"

	"cbkit/internal/cbh"
	"cbkit/internal/journal"
	"cbkit/internal/posindex"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
	"cbkit/internal/testkit/neighbours"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"

	"pgregory.net/rapid"
)

// files are what the machine's folder has of the database of a state: neighbours are
// beside it.
func (s *state) files() []string {
	s.t.Helper()
	list := must.Get(filepath.Glob(strings.TrimSuffix(s.path, ".cbh") + ".*"))(s.t)
	return slices.DeleteFunc(list, func(name string) bool { return s.beside.Has(filepath.Base(name)) })
}

// toDisk puts the database onto a disk that can crash, beside neighbours of its own; from
// then on it is edited there.
func (s *state) toDisk(own fstest.MapFS) {
	s.t.Helper()
	s.disk = crashfs.New()
	for name, f := range own {
		s.disk.WriteFile(name, f.Data)
		must.Do(s.t, s.disk.Chtimes(name, f.ModTime))
	}
	s.near = neighbours.On(s.disk, filepath.Base(s.path))
	s.disk.StrictNames()
}

// own are the files of the database as they are now, in memory: what reads them all does
// so again and again. On a disk that can crash the neighbours must be as they were, and
// nothing else may be there.
func (s *state) own() fstest.MapFS {
	s.t.Helper()
	own := fstest.MapFS{}
	if s.disk == nil {
		for _, name := range s.files() {
			b, err := os.ReadFile(name)
			info, look := os.Stat(name)
			must.Do(s.t, errors.Join(err, look))
			own[filepath.Base(name)] = &fstest.MapFile{Data: b, Mode: 0o600, ModTime: info.ModTime()}
		}
		return own
	}
	files := s.disk.Files()
	if wrong := s.near.WrongAmong(files); wrong != "" {
		s.t.Fatalf("after %d changes: %s", s.changes, wrong)
	}
	for name, b := range s.near.Without(files) {
		info := must.Get(s.disk.Stat(name))(s.t)
		if ending := filepath.Ext(name); strings.Contains(ending, "cbkit-") && ending != posindex.Ext {
			s.t.Fatalf("after %d changes: %s is left", s.changes, name)
		}
		own[name] = &fstest.MapFile{Data: b, Mode: 0o600, ModTime: info.ModTime()}
	}
	return own
}

// toFolder brings what is on the disk into the machine's folder.
func (s *state) toFolder() {
	s.t.Helper()
	if s.disk == nil {
		return
	}
	s.lay(s.own())
}

// lay makes files those of the database in the machine's folder.
func (s *state) lay(own fstest.MapFS) {
	s.t.Helper()
	for _, name := range s.files() {
		if own[filepath.Base(name)] == nil {
			must.Do(s.t, os.Remove(name))
		}
	}
	for name, f := range own {
		path := filepath.Join(filepath.Dir(s.path), name)
		must.Do(s.t, errors.Join(os.WriteFile(path, f.Data, f.Mode), os.Chtimes(path, f.ModTime, f.ModTime)))
	}
}

// committing is the state after a commit.
func (s *state) committing() *ref {
	next := s.now.clone()
	next.commit(false)
	return next
}

// fail lets one call of a commit fail, with its effect or without: the commit is done if
// its error says so, else nothing is changed.
func (s *state) fail() {
	next, before := s.committing(), s.changed()
	plan := rapid.SampledFrom([]func(*crashfs.FS, int){(*crashfs.FS).FailAt, (*crashfs.FS).CutAt}).Draw(s.t, "how it fails")
	plan(s.disk, rapid.IntRange(0, 250).Draw(s.t, "call that fails"))
	err := s.ed.Commit()
	s.disk.Plan(nil)
	done := write.IsInPlace(err)
	switch {
	case done:
		if s.earlier = nil; errors.Is(err, model.ErrUncertain) {
			s.earlier = s.committed
		}
		s.committed = next
	case !errors.Is(err, crashfs.ErrInjected):
		s.t.Fatalf("a call of a commit failed: %v", err)
	}
	if err := s.ed.Rollback(); errors.Is(err, crashfs.ErrInjected) { // another transaction could not begin
		_ = s.ed.Close()
		s.open()
	} else {
		s.must("rollback after a failure", err)
	}
	s.now = s.committed.clone()
	if !done && !s.changed().Equal(before) || errors.Is(err, model.ErrCommitted) {
		s.renewBoosters()
	}
	s.compare()
}

// changed is when the main file on the disk was changed.
func (s *state) changed() time.Time {
	s.t.Helper()
	info := must.Get(s.disk.Stat(filepath.Base(s.path)))(s.t)
	return info.ModTime()
}

// renewBoosters makes the boosters anew after a commit was taken back: that makes the main
// file newer, and a search goes by its time.
func (s *state) renewBoosters() { s.outside("boosters", s.makeBoosters) }

// crash stops the machine at a call of a commit. What was not synced is lost, or in part,
// and the next editor finds the state before or that after it.
func (s *state) crash() {
	next := s.committing()
	s.disk.CrashAt(rapid.IntRange(0, 250).Draw(s.t, "call of the crash"), rapid.Bool().Draw(s.t, "lost"))
	failed := s.ed.Commit()
	if failed != nil && !errors.Is(failed, crashfs.ErrInjected) {
		s.t.Fatalf("a commit that crashed: %v", failed)
	}
	_ = s.ed.Close() // which cannot give back its locks any more
	after := s.disk.Restarts(rand.New(rand.NewPCG(rapid.Uint64().Draw(s.t, "chance"), 1)))
	s.disk = after[rapid.SampledFrom(slices.Sorted(maps.Keys(after))).Draw(s.t, "what is left")]
	interrupted := must.Get(journal.Interrupted(s.disk, filepath.Base(s.path)))(s.t)
	earlier := s.earlier
	s.open()
	if s.isThere(next) {
		s.committed = next
	} else if failed == nil || errors.Is(failed, model.ErrCommitted) {
		s.t.Fatal("a commit was done, and is not there")
	} else if earlier != nil && !s.isThere(s.committed) {
		s.committed = earlier
	}
	s.now = s.committed.clone()
	if interrupted != "" {
		s.renewBoosters()
	}
	s.compare()
}

// load reads the database.
func (s *state) load(own fs.FS) *model.Database {
	s.t.Helper()
	db, err := read.OpenFS(own, filepath.Base(s.path), read.Options{CodePage: s.page})
	if s.disk == nil {
		db, err = read.Open(s.path, read.Options{CodePage: s.page})
	}
	if err != nil {
		s.t.Fatal(err)
	}
	got, err := model.Load(context.Background(), db)
	must.Do(s.t, errors.Join(err, db.Close()))
	return got
}

// isThere reports whether the database has the records of a state.
func (s *state) isThere(want *ref) bool {
	s.t.Helper()
	got := s.load(s.own())
	return model.Equal(&want.Database, got) && areThere(&want.Tables.Players, &got.Tables.Players) &&
		areThere(&want.Tables.Tournaments, &got.Tables.Tournaments) && areThere(&want.Tables.Annotators, &got.Tables.Annotators) &&
		areThere(&want.Tables.Sources, &got.Tables.Sources) && areThere(&want.Tables.Teams, &got.Tables.Teams)
}

// areThere reports whether two tables have the same live entities.
func areThere[T comparable](want, got *model.Table[T]) bool { return len(missing(want, got)) == 0 }

// missing returns how often each value is too seldom in a table; nothing is not counted.
func missing[T comparable](want, got *model.Table[T]) map[T]int {
	count := map[T]int{}
	for _, v := range want.Live() {
		count[v]++
	}
	for _, v := range got.Live() {
		count[v]--
	}
	var none T
	delete(count, none)
	maps.DeleteFunc(count, func(_ T, n int) bool { return n == 0 })
	return count
}

// outside does something to the database while it is not open for change.
func (s *state) outside(what string, do func() error) {
	s.t.Helper()
	s.must("close", s.ed.Close())
	s.toFolder()
	s.must(what, do())
	if s.disk != nil {
		s.disk = nil
		s.toDisk(s.own())
	}
	s.open()
}

// compact takes all holes away.
func (s *state) compact() {
	s.outside("compact", func() error {
		_, err := write.Compact(context.Background(), s.path, write.CompactOptions{CodePage: s.page})
		return err
	})
	s.holes = [2]int64{}
	s.compare()
}

// purge takes the deleted records away, and the entities that nothing refers to.
func (s *state) purge() {
	s.outside("purge", func() error {
		_, err := write.Compact(context.Background(), s.path, write.CompactOptions{CodePage: s.page, Purge: true})
		return err
	})
	left := s.committed.List[:0]
	for _, rec := range s.committed.List {
		if !rec.Deleted {
			rec.ID = model.RecordID(len(left) + 1)
			left = append(left, rec)
		}
	}
	s.committed.List, s.holes, s.stale = left, [2]int64{}, map[*cbh.EntityFile]bool{}
	s.committed.commit(true)
	s.now = s.committed.clone()
	s.compare()
}

// repair spoils a count, which a repair makes true again, and then the boosters that it
// has dropped.
func (s *state) repair() {
	s.outside("repair", func() error {
		path := strings.TrimSuffix(s.path, ".cbh") + rapid.SampledFrom([]string{".cbg", ".cba"}).Draw(s.t, "spoilt")
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		head, err := cbh.DecodeBlockHeader(b)
		if err != nil {
			return err
		}
		head.SetSizes(uint64(head.FileSize), uint64(head.Unused)+7)
		copy(b, head.Append(nil))
		if err := os.WriteFile(path, b, 0o600); err != nil {
			return err
		}
		r, err := write.Repair(context.Background(), s.path, write.RepairOptions{CodePage: s.page, Jobs: 1})
		if err == nil && r.Repaired["hole-count"] == 0 {
			s.t.Errorf("after %d changes: the count of holes was not repaired: %v", s.changes, r.Repaired)
		}
		return errors.Join(err, s.makeBoosters())
	})
	s.holes = [2]int64{}
	s.compare()
}

// makeBoosters makes the boosters that are to be there.
func (s *state) makeBoosters() error {
	for _, opt := range []write.BoosterOptions{
		{Jobs: 1, Memory: 1 << 16, Files: slices.DeleteFunc(slices.Clone(s.boosters), func(ext string) bool { return ext == posindex.Ext })},
		{Jobs: 1, Memory: 1 << 16, Positions: 6},
	} {
		if opt.Positions == 0 && len(opt.Files) == 0 || opt.Positions > 0 && !slices.Contains(s.boosters, posindex.Ext) {
			continue
		}
		if _, err := write.Boosters(context.Background(), s.path, opt); err != nil {
			return err
		}
	}
	return nil
}

// changeBoosters takes all boosters away, or makes all.
func (s *state) changeBoosters() {
	s.outside("boosters", func() error {
		all := append(write.BoosterExts(), posindex.Ext)
		for _, ext := range append(all, ".cbkit") {
			if err := os.Remove(strings.TrimSuffix(s.path, ".cbh") + ext); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		s.boosters = nil
		if rapid.Bool().Draw(s.t, "all boosters") {
			s.boosters = all
		}
		return s.makeBoosters()
	})
	s.compare()
}
