package crashfs

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"iter"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

var everyCall = flag.Bool("every-call", false, "crash tests: try every call to the file system")

// EveryCall reports whether every call is to be tried, as releases are tested.
func EveryCall() bool { return *everyCall }

// Of returns one of three numbers: of a run with -short, of a usual one, and of one
// that tries every call.
func Of(short, usual, all uint64) uint64 {
	switch {
	case *everyCall:
		return all
	case testing.Short():
		return short
	}
	return usual
}

// Tried are the numbers below n that are tried: one of so many of a run with -short,
// and of a usual one, and the last; all of one that tries every call. The step is the
// next that is prime to n, so that what comes again and again is met at all its places.
func Tried(n int, short, usual uint64) iter.Seq[int] {
	step := prime(Of(short, usual, 1), n)
	return func(yield func(int) bool) {
		for i := 0; i < n-1; i += step {
			if !yield(i) {
				return
			}
		}
		if n > 0 {
			yield(n - 1)
		}
	}
}

// prime returns the next step that is prime to n, 1 at least.
func prime(step uint64, n int) int {
	for s := int64(max(step, 1)); ; s++ {
		if new(big.Int).GCD(nil, nil, big.NewInt(s), big.NewInt(int64(max(n, 1)))).Int64() == 1 {
			return int(s)
		}
	}
}

// Trial tries a change of files that is to happen as a whole or not at all.
type Trial struct {
	Before *FS
	// Change makes the change, Next is what comes first after a crash.
	Change, Next func(*FS) error
	// One of Step calls is tried, beginning where Seed says, and the last; 0 is all of
	// them. With -short it is about five at most. Seed is that of chance, too.
	Seed uint64
	Step uint64
}

// Tally counts what came of a trial.
type Tally struct{ Old, New int }

// begin makes the change once undisturbed, and returns the numbers of the calls
// that are to be tried, and the files after it.
func (t *Trial) begin() (calls []int, fresh map[string][]byte, err error) {
	disk := t.Before.Clone()
	disk.Plan(nil)
	err = t.Change(disk)
	step := prime(max(t.Step, Of(uint64(disk.Calls()/5), 1, 1)), disk.Calls())
	for n := int(t.Seed % uint64(step)); n < disk.Calls()-1; n += step {
		calls = append(calls, n)
	}
	return append(calls, disk.Calls()-1), disk.Files(), err
}

// Crash stops the machine at every call of the change, which has its effect or
// has not, and starts it again with all that was written, with what was synced
// alone, and with anything between. After Next the files must be the old ones or
// the new ones, byte for byte, and nothing else may be there; report is told
// otherwise.
func (t *Trial) Crash(report func(format string, args ...any)) (tally Tally) {
	r := rand.New(rand.NewPCG(t.Seed, 1))
	old := t.Before.Files()
	calls, fresh, err := t.begin()
	if err != nil {
		report("without a crash: %v", err)
	}
	for _, n := range calls {
		for _, lost := range []bool{false, true} {
			disk := t.Before.Clone()
			disk.FoldersApart()
			disk.CrashAt(n, lost)
			if err := t.Change(disk); !errors.Is(err, ErrInjected) {
				report("call %d: %v", n, err)
			}
			for how, after := range disk.Restarts(r) {
				where := fmt.Sprintf("call %d, lost %v, %s", n, lost, how)
				if err := t.Next(after); err != nil {
					report("%s: %v", where, err)
					continue
				}
				switch {
				case after.Is(old):
					tally.Old++
				case after.Is(fresh):
					tally.New++
				default:
					report("%s: neither the old files nor the new ones: %v", where, Differing(after.Files(), old, fresh))
				}
			}
		}
	}
	return tally
}

// Fail lets every call of the change fail once, with its effect and without. The
// files must be the new ones if done says so of the error, else the old ones.
func (t *Trial) Fail(done func(error) bool, report func(format string, args ...any)) {
	old := t.Before.Files()
	calls, fresh, err := t.begin()
	if err != nil {
		report("without a failure: %v", err)
	}
	for _, n := range calls {
		for what, plan := range map[string]func(*FS, int){"fails": (*FS).FailAt, "is cut": (*FS).CutAt} {
			disk := t.Before.Clone()
			plan(disk, n)
			err := t.Change(disk)
			disk.Plan(nil)
			want := old
			if err == nil || done(err) {
				want = fresh
			}
			where := fmt.Sprintf("call %d %s: %v", n, what, err)
			if err := t.Next(disk); err != nil {
				report("%s: afterwards: %v", where, err)
			}
			if !disk.Is(want) {
				report("%s: %v", where, Differing(disk.Files(), old, fresh))
			}
		}
	}
}

// Restarts are what a crash can make of a disk.
func (f *FS) Restarts(r *rand.Rand) map[string]*FS {
	return map[string]*FS{
		"everything written":   f.Restart(func(n int) int { return n }, func(string) bool { return true }),
		"nothing unsynced":     f.Restart(nil, nil),
		"scattered":            f.RestartScattered(r.IntN, true),
		"scattered with names": f.RestartScattered(r.IntN, false),
	}
}

// Same compares files byte by byte.
func Same(a, b map[string][]byte) bool {
	return maps.EqualFunc(a, b, bytes.Equal)
}

// Differing says how files differ from both states.
func Differing(files, old, fresh map[string][]byte) (list []string) {
	names := maps.Clone(old)
	maps.Copy(names, fresh)
	maps.Copy(names, files)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		content, there := files[name]
		is := func(state map[string][]byte) bool {
			b, in := state[name]
			return in == there && bytes.Equal(b, content)
		}
		switch o, n := is(old), is(fresh); {
		case !o && !n:
			list = append(list, name+" is neither")
		case o && !n:
			list = append(list, name+" is old")
		case n && !o:
			list = append(list, name+" is new")
		}
	}
	return list
}
