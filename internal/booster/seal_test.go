package booster

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"cbkit/internal/testkit/must"
)

// sealed is a database with a seal.
func sealed(t testing.TB) folder {
	t.Helper()
	f := saved(t, map[string][]byte{".cbh": []byte("headers"), ".cbg": []byte("moves"), ".cbb": []byte("traces")})
	seal := must.Get(SealOf(f, SealedFiles[:]))(t)
	must.Do(t, os.WriteFile(f.Path(SealExt), seal.Append(nil), 0o644))
	return f
}

// The layout of a seal, and the check value of CRC-32C. (docs/formats/boosters.md 12)
func TestSealFormat(t *testing.T) {
	s := NewSeal()
	must.Do(t, s.Set(".cbb", State{9, 0x0102}, strings.NewReader("123456789")))
	b := s.Append(nil)
	if !bytes.HasPrefix(b, []byte("cbkit seal 2\n\x00\x00\x00")) || len(b) != 204 {
		t.Errorf("%d bytes: %q", len(b), b)
	}
	for at, want := range map[int]string{
		20: "00000100", 24: "ffffffffffffffff0000000000000000",
		24 + 16*7: "09000000000000000201000000000000", 168 + 4*7: "839206e3", 168: "00000000",
	} {
		if got := fmt.Sprintf("%x", b[at:at+len(want)/2]); got != want {
			t.Errorf("at %d: %s, want %s", at, got, want)
		}
	}
}

// A seal fits the files it was made for, and nothing else.
func TestCheckSeal(t *testing.T) {
	later := time.Now().Add(time.Hour)
	write := func(ext, content string) func(f folder) error {
		return func(f folder) error {
			return errors.Join(os.WriteFile(f.Path(ext), []byte(content), 0o644), os.Chtimes(f.Path(ext), later, later))
		}
	}
	for name, c := range map[string]struct {
		do         func(f folder) error
		want, sums string // what CheckSeal and CheckSums say
	}{
		"sound":        {func(folder) error { return nil }, "", ""},
		"no seal":      {func(f folder) error { return os.Remove(f.Path(SealExt)) }, "there is no db.cbkit", "there is no db.cbkit"},
		"no traces":    {func(f folder) error { return os.Remove(f.Path(".cbb")) }, "db.cbb has come or gone", "db.cbb has come or gone"},
		"new file":     {write(".cbj", ""), "db.cbj has come or gone", "db.cbj has come or gone"},
		"longer":       {write(".cbg", "moves!"), "db.cbg has changed", "db.cbg has changed"},
		"other moves":  {write(".cbg", "moveS"), "db.cbg has another time", "db.cbg has changed since, at 0x0"},
		"other time":   {write(".cbg", "moves"), "db.cbg has another time", ""},
		"other lists":  {write(".cit", "lists"), "", ""},
		"garbage":      {write(SealExt, "garbage"), "the content is no seal", "the content is no seal"},
		"of version 1": {write(SealExt, "cbkit seal 1\n.cbh 7 4c957ca4\n"), "the content is no seal", "the content is no seal"},
		"cut":          {func(f folder) error { return os.Truncate(f.Path(SealExt), 190) }, "", "the seal is cut"},
		"damaged": {func(f folder) error {
			b, err := os.ReadFile(f.Path(SealExt))
			b[30]++
			return errors.Join(err, os.WriteFile(f.Path(SealExt), b, 0o644))
		}, "the seal is damaged", "the seal is damaged"},
	} {
		f := sealed(t)
		must.Do(t, c.do(f))
		for _, check := range []struct {
			err  error
			want string
		}{{CheckSeal(f, ".cbb"), c.want}, {CheckSums(f, ".cbb"), c.sums}} {
			if (check.err == nil) != (check.want == "") || check.err != nil && (!errors.Is(check.err, ErrNoSeal) || !strings.Contains(check.err.Error(), check.want)) {
				t.Errorf("%s: %v, want %q", name, check.err, check.want)
			}
		}
	}
}

// File systems with coarse clocks keep a part of a change time, and that of all files
// alike: one that alone has a part of it was changed, and its time put back.
func TestOtherTime(t *testing.T) {
	exts := []string{".cbh", ".cbj", ".cbg", ".cbb"}
	times := func(at ...time.Time) *SealStates {
		s := &NewSeal().States
		for i, ext := range exts {
			if !at[i].IsZero() {
				*s.Of(ext) = NewState(1, at[i])
			}
		}
		return s
	}
	one, two := time.Unix(1001, 123456789), time.Unix(1003, 987654321)
	sealed := times(one, time.Time{}, two, two)
	for _, c := range []struct {
		cbh, cbg, cbb time.Time
		other         string
	}{
		{one, two, two, ""}, {one.Truncate(100), two.Truncate(100), two.Truncate(100), ""},
		{time.Unix(1001, 123000000), time.Unix(1003, 987000000), time.Unix(1003, 987000000), ""},
		{time.Unix(1001, 0), time.Unix(1003, 0), time.Unix(1003, 0), ""}, {time.Unix(1000, 0), time.Unix(1002, 0), time.Unix(1002, 0), ""},
		{one.Add(-1), two, two, ".cbh"}, {time.Unix(1002, 0), two, two, ".cbh"}, {time.Unix(999, 0), time.Unix(1002, 0), time.Unix(1002, 0), ".cbh"},
		{one, time.Unix(1003, 0), two, ".cbg"}, {one, time.Unix(1002, 0), two, ".cbg"}, {one, two, two.Truncate(100), ".cbb"},
		{time.Unix(1001, 0), time.Unix(1002, 0), time.Unix(1003, 0), ".cbh"}, {time.Unix(1001, 0), two, two, ".cbh"},
	} {
		if got := sealed.OtherTime(times(c.cbh, time.Time{}, c.cbg, c.cbb), exts); got != c.other {
			t.Errorf("%v: %q", c, got)
		}
	}
}

// changedFile is a file before and after a transaction.
type changedFile struct {
	old, now []byte
	fresh    bool
}

func (f *changedFile) ReadAt(b []byte, at int64) (int, error) {
	return bytes.NewReader(f.now).ReadAt(b, at)
}
func (f *changedFile) Size() int64 { return int64(len(f.now)) }
func (f *changedFile) IsNew() bool { return f.fresh }
func (f *changedFile) Differences(do func(at int64, was, is []byte) error) error {
	const page = 1 << 12
	n := min(len(f.old), len(f.now))
	for at := 0; at < n && !f.fresh; at += page {
		was, is := f.old[at:min(at+page, n)], f.now[at:min(at+page, n)]
		if !bytes.Equal(was, is) {
			if err := do(int64(at), was, is); err != nil {
				return err
			}
		}
	}
	return nil
}

// However a file changes, the sums that follow the change are those of the file as
// it is; and a part that was damaged before does not become sound by a change.
func TestFollow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(0, 3*SealChunk).Draw(t, "size")
		f := &changedFile{old: bytes.Repeat([]byte{7}, size), fresh: rapid.IntRange(0, 9).Draw(t, "new") == 0}
		f.now = slices.Clone(f.old)
		if end := rapid.IntRange(0, 4*SealChunk).Draw(t, "new size"); end < size {
			f.now = f.now[:end]
		} else {
			f.now = append(f.now, bytes.Repeat([]byte{9}, end-size)...)
		}
		for range rapid.IntRange(0, 5).Draw(t, "changes") {
			if len(f.now) > 0 {
				f.now[rapid.IntRange(0, len(f.now)-1).Draw(t, "at")] ^= byte(rapid.IntRange(1, 255).Draw(t, "by"))
			}
		}
		seal := NewSeal()
		was := State{Size: int64(size)}
		must.Do(t, seal.Set(".cbg", was, bytes.NewReader(f.old)))
		damaged := -1
		if size > 0 && !f.fresh && rapid.Bool().Draw(t, "damage") {
			damaged = rapid.IntRange(0, len(seal.Sums[2])-1).Draw(t, "damaged")
			seal.Sums[2][damaged] ^= 1
		}
		file := &memory{data: seal.Append(nil)}
		must.Do(t, Follow(file, ".cbg", was, f))
		states := seal.States
		states.Of(".cbg").Size = f.Size()
		must.Get(file.WriteAt(states.Append(nil), 0))(t)
		got, err := ParseSeal(file.data)
		want, failed := sumsOf(bytes.NewReader(f.now), f.Size())
		if err != nil || failed != nil {
			t.Fatal(err, failed)
		}
		shrunk := len(f.now) < size
		for n := range want {
			cut := shrunk && n == len(want)-1 // summed anew
			if sound := got.Sums[2][n] == want[n]; sound == (n == damaged) && !cut {
				t.Fatalf("part %d of %d is sound: %v", n, len(want), sound)
			}
		}
	})
}

// Appending reads what has come and no more.
func TestFollowReadsLittle(t *testing.T) {
	f := &changedFile{old: make([]byte, 10*SealChunk+5)}
	f.now = append(slices.Clone(f.old), "more"...)
	seal := NewSeal()
	was := State{Size: int64(len(f.old))}
	must.Do(t, seal.Set(".cbg", was, bytes.NewReader(f.old)))
	counted := &counting{changedFile: f}
	if err := Follow(&memory{data: seal.Append(nil)}, ".cbg", was, counted); err != nil || counted.n != 4 {
		t.Errorf("%d bytes were read, %v", counted.n, err)
	}
}

type counting struct {
	*changedFile
	n int
}

func (c *counting) ReadAt(b []byte, at int64) (int, error) {
	n, err := c.changedFile.ReadAt(b, at)
	c.n += n
	if err == io.EOF && n == len(b) {
		err = nil
	}
	return n, err
}

// FuzzSeal: what is read is written again.
func FuzzSeal(f *testing.F) {
	f.Add(NewSeal().Append(nil))
	f.Add([]byte(sealTitle))
	seal := NewSeal()
	must.Do(f, seal.Set(".cbh", State{9, 1}, strings.NewReader("123456789")))
	f.Add(seal.Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		seal, err := ParseSeal(b)
		if err != nil {
			return
		}
		again, err := ParseSeal(seal.Append(nil))
		if err != nil || fmt.Sprint(again) != fmt.Sprint(seal) {
			t.Fatalf("%q became %v, then %v, %v", b, seal, again, err)
		}
	})
}
