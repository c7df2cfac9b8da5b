package journal

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"cbkit/internal/testkit/crashfs"
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
		s, err := Open(context.Background(), disk, "db.cbh", Options{Memory: rapid.SampledFrom([]int{1, 1 << 20}).Draw(t, "memory")})
		if err != nil {
			t.Fatal(err)
		}
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
				if _, err := f.IsChanged(); err != nil {
					t.Fatal(err)
				}
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
		s, err := Open(context.Background(), disk, "db.cbh", Options{})
		if err != nil {
			t.Fatal(err)
		}
		var files [2]*File
		for i, name := range []string{"db.cbh", "db.cbg"} {
			if files[i], err = s.File(name); err != nil {
				t.Fatal(err)
			}
		}
		was := files[0].Changed()
		at := was.Add(late)
		if _, err := files[1].WriteAt([]byte("M"), 0); err != nil {
			t.Fatal(err)
		}
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
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
