package journal

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"cbkit/internal/fsys"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
	"cbkit/model"

	"pgregory.net/rapid"
)

// The differences of a file, put into what was there, give what is there; a file
// without any is not changed.
func TestDifferences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		disk := crashfs.New()
		old := bytes.Repeat([]byte("old"), rapid.IntRange(0, 5000).Draw(t, "size"))
		disk.WriteFile("db.cbh", old)
		s := must.Get(Open(context.Background(), disk, "db.cbh", Options{Memory: rapid.SampledFrom([]int{1, 1 << 20}).Draw(t, "memory")}))(t)
		defer s.Close()
		f, err := s.File("db.cbh")
		if err != nil {
			t.Fatal(err)
		}
		now := slices.Clone(old)
		for range rapid.IntRange(0, 5).Draw(t, "changes") {
			at := rapid.IntRange(0, 16000).Draw(t, "at")
			if rapid.Bool().Draw(t, "cut") {
				err = f.Truncate(int64(at))
				now = append(now, make([]byte, max(at-len(now), 0))...)[:at]
			} else {
				b := rapid.SliceOfN(rapid.SampledFrom([]byte("old")), 1, 20).Draw(t, "bytes")
				_, err = f.WriteAt(b, int64(at))
				now = append(now, make([]byte, max(at+len(b)-len(now), 0))...)
				copy(now[at:], b)
			}
			if err != nil {
				t.Fatal(err)
			}
			if rapid.Bool().Draw(t, "ask in between") {
				must.Get(f.IsChanged())(t)
			}
		}
		changed, err := s.IsChanged()
		if err != nil || changed == bytes.Equal(old, now) {
			t.Fatalf("changed: %v, %v", changed, err)
		}
		got := slices.Clone(old)
		end := int64(0)
		err = f.Differences(func(at int64, was, is []byte) error {
			if at < end || len(was) != len(is) || at/pageSize != (at+int64(len(is))-1)/pageSize || !bytes.Equal(was, got[at:at+int64(len(was))]) {
				t.Fatalf("%d bytes at %d", len(is), at)
			}
			end = at + int64(len(is))
			copy(got[at:], is)
			return nil
		})
		both := min(len(old), len(now))
		if err != nil || !bytes.Equal(got[:both], now[:both]) {
			t.Fatal("the differences are others", err)
		}
		was := make([]byte, len(old))
		if err := f.ReadOld(was, 0); err != nil || !bytes.Equal(was, old) || f.OldSize() != int64(len(old)) {
			t.Fatal("what was there is lost", err)
		}
	})
}

// A commit gives files the change times that were asked for, and the main file
// always a later one than before; where that is another one it says so.
func TestSetChanged(t *testing.T) {
	for _, late := range []time.Duration{time.Hour, -time.Hour} {
		disk := crashfs.New()
		disk.WriteFile("db.cbh", []byte("main"))
		disk.WriteFile("db.cbg", []byte("moves"))
		s := must.Get(Open(context.Background(), disk, "db.cbh", Options{}))(t)
		var files [2]*File
		for i, name := range []string{"db.cbh", "db.cbg"} {
			files[i] = must.Get(s.File(name))(t)
		}
		was := files[0].Changed()
		at := was.Add(late)
		must.Get(files[1].WriteAt([]byte("M"), 0))(t)
		for _, f := range files {
			f.SetChanged(at)
		}
		if err := s.Commit(); errors.Is(err, model.ErrCommitted) != (late < 0) || late > 0 && err != nil {
			t.Fatal(err)
		}
		if got := files[1].Changed(); !got.Equal(at) {
			t.Errorf("the time is %v, not %v", got, at)
		}
		if got := files[0].Changed(); !got.After(was) || late > 0 && !got.Equal(at) {
			t.Errorf("the main file was changed at %v, and now at %v", was, got)
		}
		must.Do(t, s.Close())
	}
}

// coarse is a disk that keeps change times in units of two seconds.
type coarse struct{ *crashfs.FS }

func (c coarse) Chtimes(name string, t time.Time) error {
	return c.FS.Chtimes(name, fsys.Clocks[len(fsys.Clocks)-1].Keeps(t))
}

// A commit on a disk with a coarse clock is done: all files have what it keeps of their
// times. One that keeps less than the others has not the time that it was to get.
func TestCoarseClock(t *testing.T) {
	disk := coarse{crashfs.New()}
	disk.WriteFile("db.cbh", []byte("main"))
	disk.WriteFile("db.cbg", []byte("moves"))
	s := must.Get(Open(context.Background(), disk, "db.cbh", Options{}))(t)
	defer s.Close()
	for _, name := range []string{"db.cbh", "db.cbg"} {
		f := must.Get(s.File(name))(t)
		must.Get(f.WriteAt([]byte("M"), 0))(t)
		f.SetChanged(f.Changed().Add(time.Hour + 1234567*time.Microsecond))
	}
	if err := s.Commit(); err != nil {
		t.Error(err)
	}
}
