package extsort_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"cbkit/internal/extsort"
	"cbkit/internal/fsys"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
	_ "cbkit/internal/testkit/seeds"

	"pgregory.net/rapid"
)

func collect(t testing.TB, s *extsort.Sorter) (got [][]byte) {
	t.Helper()
	for r := range must.All(t, s.Sorted()) {
		got = append(got, bytes.Clone(r))
	}
	return got
}

func same(a, b [][]byte) bool { return slices.EqualFunc(a, b, bytes.Equal) }

// Sorting must equal sorting in memory, whatever the number of runs.
func TestSortedIsSorted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		n := rapid.SampledFrom([]int{0, 1, 10, 1000, 8000}).Draw(t, "records")
		size := rapid.SampledFrom([]int{3, 20, 400}).Draw(t, "size")
		letters := rapid.SampledFrom([]uint32{2, 3, 256}).Draw(t, "letters")
		all := rapid.SampledFrom([]int{0, 1, 7, 8, 11, 16}).Draw(t, "size of all")
		if all > 0 {
			n *= 6 // beyond the memory, too
		}
		disk := crashfs.New()
		s := extsort.New(extsort.Options{FS: disk, Size: all})
		var want [][]byte
		for range n {
			r := make([]byte, cmp.Or(all, rng.IntN(size+1)))
			for i := range r {
				r[i] = byte(rng.Uint32N(letters))
			}
			want = append(want, r)
			must.Do(t, s.Add(r))
		}
		slices.SortFunc(want, bytes.Compare)
		for range 2 {
			var got [][]byte
			for r := range must.All(t, s.Sorted()) {
				got = append(got, bytes.Clone(r))
			}
			if !same(got, want) {
				t.Fatalf("%d records of up to %d bytes are not sorted", n, size)
			}
		}
		must.Do(t, s.Close())
		if left := disk.Names(); len(left) != 0 {
			t.Fatalf("left on disk: %v", left)
		}
	})
}

// With less memory for buffers than runs, runs are merged in several rounds.
func TestManyRuns(t *testing.T) {
	disk := crashfs.New()
	disk.KeepOpen() // so that they can be counted
	s := extsort.New(extsort.Options{Memory: 1, FS: disk})
	const n = 1_000_000
	record := make([]byte, 20)
	for i := range n {
		copy(record, fmt.Sprintf("%08d", int64(i)*7919%n))
		must.Do(t, s.Add(record))
	}
	runs := len(disk.Names())
	if runs < 20 {
		t.Fatalf("%d runs; the test needs more", runs)
	}
	i := 0
	for r := range must.All(t, s.Sorted()) {
		if string(r[:8]) != fmt.Sprintf("%08d", i) {
			t.Fatalf("record %d is %q", i, r)
		}
		i++
	}
	if i != n {
		t.Errorf("%d records, want %d", i, n)
	}
	if left := len(disk.Names()); left >= runs {
		t.Errorf("%d runs at the end, %d in the beginning", left, runs)
	}
	if err := s.Close(); err != nil || len(disk.Names()) != 0 {
		t.Errorf("%v; left on disk: %v", err, disk.Names())
	}
}

// Every call that fails must be told, and Close must clear up.
func TestFailures(t *testing.T) {
	if testing.Short() {
		t.Skip("sorts much again and again")
	}
	work := func(disk *crashfs.FS) (sorted int, err error) {
		s := extsort.New(extsort.Options{FS: disk})
		err = func() error {
			for i := range 100_000 {
				if err := s.Add(fmt.Appendf(nil, "%30d", i^0x5555)); err != nil {
					return err
				}
			}
			for _, err := range s.Sorted() {
				if err != nil {
					return err
				}
				sorted++
			}
			return nil
		}()
		return sorted, errors.Join(err, s.Close())
	}
	disk := crashfs.New()
	disk.Plan(nil)
	must.Get(work(disk))(t)
	total := disk.Calls()
	for n := 0; n < total; n += 1 + total/50 {
		disk := crashfs.New()
		disk.FailAt(n)
		sorted, err := work(disk)
		if err == nil && sorted == 100_000 && len(disk.Names()) == 0 {
			continue // a file kept its name for longer; nothing else can be so harmless
		}
		if !errors.Is(err, crashfs.ErrInjected) {
			t.Errorf("call %d of %d: error %v", n, total, err)
		}
		if left := disk.Names(); len(left) > 1 {
			t.Errorf("call %d: left on disk: %v", n, left)
		}
	}
}

func TestTooLargeRecord(t *testing.T) {
	s := extsort.New(extsort.Options{FS: crashfs.New()})
	if err := s.Add(make([]byte, extsort.MaxRecord)); err != nil {
		t.Error(err)
	}
	if err := s.Add(make([]byte, extsort.MaxRecord+1)); err == nil {
		t.Error("a record larger than the maximum was taken")
	}
	if err := extsort.New(extsort.Options{FS: crashfs.New(), Size: 8}).Add(make([]byte, 9)); err == nil {
		t.Error("a record of another size was taken")
	}
	if got := collect(t, s); len(got) != 1 || len(got[0]) != extsort.MaxRecord {
		t.Errorf("%d records", len(got))
	}
}

func TestOnRealDisk(t *testing.T) {
	dir := t.TempDir()
	s := extsort.New(extsort.Options{FS: fsys.OS{}, Dir: dir})
	for i := range 100_000 {
		must.Do(t, s.Add(fmt.Appendf(nil, "%020d", i*7%100_000)))
	}
	if got := collect(t, s); len(got) != 100_000 || string(got[99_999]) != fmt.Sprintf("%020d", 99_999) {
		t.Errorf("%d records", len(got))
	}
	must.Do(t, s.Close())
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left on disk: %v", left)
	}
}

func Example() {
	s := extsort.New(extsort.Options{FS: fsys.OS{}, Dir: os.TempDir()})
	defer s.Close()
	for _, word := range []string{"rook", "king", "bishop"} {
		if err := s.Add([]byte(word)); err != nil {
			fmt.Println(err)
		}
	}
	for record, err := range s.Sorted() {
		fmt.Println(string(record), err)
	}
	// Output:
	// bishop <nil>
	// king <nil>
	// rook <nil>
}

// Numbers come out sorted however few are kept in memory, and nothing is left behind.
func TestNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(rapid.Uint64Range(0, 1<<40), 0, 500).Draw(t, "numbers")
		disk := crashfs.New()
		n := extsort.NewNumbers(extsort.Options{Memory: 8 * rapid.IntRange(0, 600).Draw(t, "limit"), FS: disk})
		for _, number := range want {
			must.Do(t, n.Add(number))
		}
		var got []uint64
		for number := range must.All(t, n.Sorted()) {
			got = append(got, number)
		}
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%d, want %d", got, want)
		}
		if err := n.Close(); err != nil || len(disk.Files()) > 0 {
			t.Fatal(err, disk.Files())
		}
	})
}
