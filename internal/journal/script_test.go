package journal_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"cbkit/internal/fsys"
	"cbkit/internal/journal"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
	"cbkit/internal/testkit/neighbours"
)

// state is the content of all files of the set "b", whose main file is b.one.
type state map[string][]byte

// street is a disk with the neighbours of the set.
var (
	street = crashfs.New()
	near   = neighbours.On(street, "b.one")
)

// step is a change of the set, or the end of a transaction.
type step struct {
	do   string
	name string
	at   int64
	data []byte
}

func (s step) String() string {
	return fmt.Sprintf("%s %s at %d, %d bytes", s.do, s.name, s.at, len(s.data))
}

// apply does to a state what run does to a set. Commit and rollback are the
// caller's.
func (s step) apply(st state) {
	content := st[s.name]
	switch s.do {
	case "write":
		if grow := s.at + int64(len(s.data)) - int64(len(content)); grow > 0 {
			content = append(slices.Clone(content), make([]byte, grow)...)
		}
		content = slices.Clone(content)
		copy(content[s.at:], s.data)
		st[s.name] = content
	case "cut":
		if s.at > int64(len(content)) {
			content = append(slices.Clone(content), make([]byte, s.at-int64(len(content)))...)
		}
		st[s.name] = slices.Clone(content[:s.at])
	case "rewrite":
		st[s.name] = s.data
	case "drop":
		delete(st, s.name)
	}
}

// perform makes the change.
func (s step) perform(set *journal.Set) error {
	f, err := set.File(s.name)
	if err != nil {
		return err
	}
	switch s.do {
	case "write":
		_, err = f.WriteAt(s.data, s.at)
	case "cut":
		err = f.Truncate(s.at)
	case "rewrite":
		err = f.Fill(s.data)
	case "drop":
		err = f.Drop()
	}
	return err
}

// start is the state before every script. Files are longer than a page.
func start() state {
	fill := func(n int, first byte) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = first + byte(i%251)
		}
		return b
	}
	return state{"b.one": fill(9000, 1), "b.two": fill(300, 2), "b.three": fill(5000, 3), "b.four": []byte("four")}
}

// newScript returns random steps with two or three commits.
func newScript(r *rand.Rand) []step { return newScriptOn(r, start()) }

// newScriptOn is newScript for other files.
func newScriptOn(r *rand.Rand, from state) []step {
	var script []step
	st := maps.Clone(from)
	for range 2 + r.IntN(2) {
		for range 1 + r.IntN(6) {
			s := newStep(r, st)
			s.apply(st)
			script = append(script, s)
		}
		script = append(script, step{do: "commit"})
	}
	return script
}

func newStep(r *rand.Rand, st state) step {
	names := slices.Sorted(maps.Keys(st))
	s := step{name: names[r.IntN(len(names))]}
	size := int64(len(st[s.name]))
	s.data = make([]byte, 1+r.IntN(400))
	if r.IntN(8) == 0 {
		s.data = make([]byte, 1+r.IntN(9000))
	}
	for i := range s.data {
		s.data[i] = byte(r.Uint32())
	}
	switch n := r.IntN(20); {
	case n < 8:
		s.do, s.at = "write", r.Int64N(size+1)
	case n < 11:
		s.do, s.at = "write", size
	case n == 11:
		s.do, s.at = "write", size+r.Int64N(6000)
	case n < 14:
		s.do, s.at = "cut", r.Int64N(size+1000)
	case n == 14 && s.name != "b.one":
		s.do = "drop"
	case n == 15:
		s.do, s.name = "rewrite", "b.new"
	default:
		s.do = "rewrite"
	}
	return s
}

// run performs a script. It returns the state that was committed last and the
// one that was being committed when an error ended the run, else the same.
func run(files fsys.FS, script []step, opt journal.Options) (done, next state, err error) {
	return runFrom(files, start(), script, opt)
}

// runFrom is run where the files are others.
func runFrom(files fsys.FS, from state, script []step, opt journal.Options) (done, next state, err error) {
	done, next = maps.Clone(from), maps.Clone(from)
	set, err := journal.Open(context.Background(), files, "b.one", opt)
	if err != nil {
		return done, done, err
	}
	defer func() { err = errors.Join(err, set.Close()) }()
	now := maps.Clone(from)
	for _, s := range script {
		switch s.do {
		case "commit":
			next = maps.Clone(now)
			if err := set.Commit(); err != nil {
				return done, next, err
			}
			done = next
		default:
			s.apply(now)
			if err := s.perform(set); err != nil {
				return done, done, err
			}
		}
	}
	return done, done, nil
}

// diskWith returns a disk with a state and the neighbours on it.
func diskWith(st state) *crashfs.FS {
	disk := street.Clone()
	for name, data := range st {
		disk.WriteFile(name, data)
	}
	return disk
}

// holds reports whether a disk has the files of a state and the neighbours, and
// no others.
func holds(disk *crashfs.FS, st state) bool {
	files := disk.Files()
	return near.WrongAmong(files) == "" && maps.EqualFunc(near.Without(files), st, bytes.Equal)
}

// tell says how a disk differs from a state.
func tell(t *testing.T, disk *crashfs.FS, st state) {
	t.Helper()
	if wrong := near.WrongAmong(disk.Files()); wrong != "" {
		t.Log(wrong)
	}
	files := near.Without(disk.Files())
	for _, name := range slices.Sorted(maps.Keys(files)) {
		want, ok := st[name]
		if !ok || !bytes.Equal(want, files[name]) {
			t.Logf("%s: %d bytes, want %d (%t)", name, len(files[name]), len(want), ok)
		}
	}
	for name := range st {
		if files[name] == nil {
			t.Logf("%s is missing", name)
		}
	}
}

// What a transaction reads is what was written so far, whatever was done; a
// rollback leaves the files as they were, a commit makes them what was read.
func TestScripts(t *testing.T) {
	for seed := range crashfs.Of(50, 400, 2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		script := newScript(r)
		disk := diskWith(start())
		set := must.Get(journal.Open(t.Context(), disk, "b.one", journal.Options{Memory: 1 + r.IntN(6)<<12}))(t)
		committed, now := start(), start()
		for i, s := range script {
			where := fmt.Sprintf("script %d, step %d: %v", seed, i, s)
			switch {
			case s.do == "commit" && r.IntN(4) == 0:
				if err := set.Rollback(); err != nil {
					t.Fatal(where, err)
				}
				if !holds(disk, committed) {
					tell(t, disk, committed)
					t.Fatal(where, "changed by a rollback")
				}
				now = maps.Clone(committed)
			case s.do == "commit":
				if err := set.Commit(); err != nil {
					t.Fatal(where, err)
				}
				committed = maps.Clone(now)
				if !holds(disk, committed) {
					tell(t, disk, committed)
					t.Fatal(where, "not what was written")
				}
			case now[s.name] == nil && s.do != "rewrite": // taken back
				continue
			default:
				s.apply(now)
				if err := s.perform(set); err != nil {
					t.Fatal(where, err)
				}
			}
			compare(t, where, r, set, now)
		}
		must.Do(t, set.Close())
		if !holds(disk, committed) {
			t.Fatalf("script %d: the end", seed)
		}
	}
}

// compare reads all files of a set, and parts of them.
func compare(t *testing.T, where string, r *rand.Rand, set *journal.Set, now state) {
	t.Helper()
	for name, want := range now {
		f, err := set.File(name)
		if err != nil {
			t.Fatal(where, err)
		}
		got, err := io.ReadAll(io.NewSectionReader(f, 0, f.Size()+10))
		if err != nil || !bytes.Equal(got, want) || f.Size() != int64(len(want)) {
			t.Fatalf("%s: %s is wrong, %v", where, name, err)
		}
		if len(want) == 0 {
			continue
		}
		at := r.IntN(len(want))
		part := make([]byte, r.IntN(len(want)-at)+1)
		if n, err := f.ReadAt(part, int64(at)); n != len(part) || err != nil || !bytes.Equal(part, want[at:at+n]) {
			t.Fatalf("%s: %d bytes of %s at %d: %d, %v", where, len(part), name, at, n, err)
		}
	}
}
