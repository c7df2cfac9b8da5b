package main

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"
)

// The campaign damages sound databases, books and texts of every format at
// random, runs the verbs on them, and holds the answers against what the bytes
// say. A short one is part of every run of the tests; for a long one:
//
//	go test ./cmd/cbkit -run TestCampaign -campaign 10000 -timeout 0
//
// An input that fails is named by its number; -campaign-input runs it alone and
// keeps its files.
var (
	campaignInputs = flag.Int("campaign", 120, "number of damaged inputs")
	campaignSeed   = flag.Uint64("campaign-seed", 1, "seed of the damage")
	campaignInput  = flag.Int("campaign-input", -1, "run this input alone, and keep its files")
	campaignOf     = flag.String("campaign-of", "", "damage subjects with this word in their names only")
)

// campaignTotals counts what a campaign did.
type campaignTotals struct {
	inputs, runs, failed, refused map[string]int // by subject
	intact, visible               int            // games compared, inputs with damage that can be seen
}

func TestCampaign(t *testing.T) {
	subjects := newSubjects(t)
	totals := campaignTotals{inputs: map[string]int{}, runs: map[string]int{}, failed: map[string]int{}, refused: map[string]int{}}
	first, last := 0, *campaignInputs
	if testing.Short() {
		last = min(last, 40)
	}
	if *campaignInput >= 0 {
		first, last = *campaignInput, *campaignInput+1
	}
	dir := t.TempDir()
	for i := first; i < last; i++ {
		s := subjects[i%len(subjects)]
		if !strings.Contains(s.name, *campaignOf) {
			continue
		}
		c := newCampaignCase(t, s, i, filepath.Join(dir, fmt.Sprint(i)))
		c.run(&totals)
		if *campaignInput < 0 {
			os.RemoveAll(c.dir)
		}
	}
	for _, s := range subjects {
		t.Logf("%-22s %6d inputs, %6d runs, %6d with exit status 1", s.name, totals.inputs[s.name], totals.runs[s.name], totals.failed[s.name])
	}
	t.Logf("%d intact records compared, %d inputs with damage that can be seen", totals.intact, totals.visible)
}

// subject is something sound that is damaged.
type subject struct {
	name  string
	main  string            // the file that names it
	files map[string][]byte // by name
	// verbs are the runs to choose from; see campaignVerbs.
	verbs []campaignVerb
	// records says which bytes the records are made of; want is what a sound
	// subject gives for each, by the verb that gives all.
	records []ownBytes
	want    map[string]string
	all     func(c *campaignCase) map[string]string
	// damage says where a damaged subject has damage that can be seen, and
	// which verb's work it is in the way of: "" for check alone.
	damage func(files map[string][]byte) []visibleDamage

	unpacked  int               // how many bytes it may have unpacked, if more
	unordered bool              // numbers say nothing: records are told apart by what they say
	swallows  bool              // damage may swallow the records behind it, if that is told
	keys      map[string]string // of the entries of a book, by position
}

// size is how many bytes a subject has.
func size(files map[string][]byte) (n int) {
	for _, b := range files {
		n += len(b)
	}
	return n
}

// campaignCase is one damaged input.
type campaignCase struct {
	t       *testing.T
	subject *subject
	number  int
	rand    *rand.Rand
	dir     string // where the input is
	files   map[string][]byte
	what    []string // the damage in words
	visible []visibleDamage
	intact  []string // the records whose own bytes are whole
	chosen  int      // the record that a verb was last asked for
	runs    int
}

// newCampaignCase damages a subject and writes it down.
func newCampaignCase(t *testing.T, s *subject, number int, dir string) *campaignCase {
	t.Helper()
	c := &campaignCase{
		t: t, subject: s, number: number, rand: rand.New(rand.NewPCG(*campaignSeed, uint64(number))),
		dir: dir, files: map[string][]byte{},
	}
	for name, b := range s.files {
		c.files[name] = slices.Clone(b)
	}
	for range 1 + c.rand.IntN(3) {
		c.what = append(c.what, c.damageFile())
	}
	for _, r := range s.records {
		if r.intact(s.files, c.files) {
			c.intact = append(c.intact, r.key)
		}
	}
	if s.damage != nil {
		c.visible = s.damage(c.files)
	}
	if *campaignInput >= 0 {
		c.dir = filepath.Join(os.TempDir(), fmt.Sprint("campaign-", number))
		os.RemoveAll(c.dir)
	}
	if err := os.MkdirAll(c.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, b := range c.files {
		if err := os.WriteFile(filepath.Join(c.dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// path names the input.
func (c *campaignCase) path() string { return filepath.Join(c.dir, c.subject.main) }

// errorf reports what is wrong with a case.
func (c *campaignCase) errorf(format string, args ...any) {
	c.t.Helper()
	c.t.Errorf("input %d of seed %d, %s, %s:\n%s", c.number, *campaignSeed, c.subject.name,
		strings.Join(c.what, "; "), fmt.Sprintf(format, args...))
}

// run runs all that tells something in every case, and a few verbs by chance.
func (c *campaignCase) run(totals *campaignTotals) {
	totals.inputs[c.subject.name]++
	totals.intact += len(c.intact)
	if len(c.visible) > 0 {
		totals.visible++
	}
	c.compareIntact()
	chosen := c.rand.Perm(len(c.subject.verbs))
	if *campaignInput < 0 {
		chosen = chosen[:min(4, len(chosen))]
	}
	for i, v := range c.subject.verbs {
		if v.always || slices.Contains(chosen, i) {
			c.runVerb(v, totals)
		}
	}
	totals.runs[c.subject.name] += c.runs
}

// compareIntact compares the records whose own bytes are whole.
func (c *campaignCase) compareIntact() {
	if c.subject.all == nil {
		return
	}
	got := c.subject.all(c)
	if c.subject.unordered {
		c.compareUnordered(got)
		return
	}
	for _, key := range c.intact {
		switch line, ok := got[key]; {
		case !ok:
			c.errorf("record %s is intact and missing", key)
		case line != c.subject.want[key]:
			c.errorf("record %s is intact and another one:\n%s\nwant\n%s", key, line, c.subject.want[key])
		}
	}
}

// compareUnordered does so where the records have no place of their own.
func (c *campaignCase) compareUnordered(got map[string]string) {
	there := map[string]bool{}
	for _, line := range got {
		there[withoutNumber(line)] = true
	}
	for _, key := range c.intact {
		if !there[withoutNumber(c.subject.want[key])] {
			c.errorf("record %s is intact and missing:\n%s", key, c.subject.want[key])
		}
	}
}

// withoutNumber takes the number out of a line.
func withoutNumber(line string) string {
	return campaignNumber.ReplaceAllString(line, "")
}

var campaignNumber = regexp.MustCompile(`"id":[0-9]+,`)

// campaignVerb is one way to run the program on an input.
type campaignVerb struct {
	args func(c *campaignCase) []string
	// reads are the kinds of damage that are in the way of the verb's work.
	reads damageKind
	// shown says that the verb reads one record alone, the one last chosen.
	shown bool
	// file, if not empty, is the ending of the only file whose damage counts.
	file string
	// always says that every case runs it.
	always bool
	// after, if not nil, looks at what came out.
	after func(c *campaignCase, r result)
}

// runVerb runs a verb and judges its exit status.
func (c *campaignCase) runVerb(v campaignVerb, totals *campaignTotals) {
	args := v.args(c)
	if args == nil {
		return
	}
	r := c.runProgram(args...)
	if r.status == exitFailed {
		totals.failed[c.subject.name]++
	}
	if r.status == exitDone {
		for _, d := range c.visible {
			if d.kind&v.reads != 0 && (!v.shown || d.record == 0 || d.record == c.chosen) && (v.file == "" || d.file == "" || v.file == d.file) {
				c.errorf("cbkit %s: exit status 0 with %s\n%s%s", strings.Join(args, " "), d.what, r.out, r.errOut)
				break
			}
		}
	}
	if v.after != nil {
		v.after(c, r)
	}
}

// campaignPatience is how long one run may take, by a wide margin.
const campaignPatience = time.Minute

// runProgram runs the program and judges what every run must hold to: no panic,
// no hang, no more memory than 64 MiB and 32 times the input, the exit status 0
// or 1, and 1 with a word about it.
func (c *campaignCase) runProgram(args ...string) result {
	c.runs++
	done := make(chan result, 1)
	before := allocated()
	go func() { done <- c.execute(args) }()
	var r result
	select {
	case r = <-done:
	case <-time.After(campaignPatience):
		stacks := make([]byte, 1<<20)
		c.errorf("cbkit %s: not done after %v\n%s", strings.Join(args, " "), campaignPatience, stacks[:runtime.Stack(stacks, true)])
		c.t.FailNow()
	}
	if used := allocated() - before; used > c.memory() {
		if live := c.liveHeap(args); live > c.memory() {
			c.errorf("cbkit %s: %d MiB of live heap for %d bytes", strings.Join(args, " "), live>>20, size(c.files))
		}
	}
	switch {
	case r.status != exitDone && r.status != exitFailed:
		c.errorf("cbkit %s: exit status %d\n%s", strings.Join(args, " "), r.status, r.errOut)
	case r.status == exitFailed && r.out == "" && r.errOut == "":
		c.errorf("cbkit %s: exit status 1 without a word", strings.Join(args, " "))
	}
	return r
}

// memory is how much live heap the input may take.
func (c *campaignCase) memory() uint64 {
	n := size(c.files)
	if c.subject.unpacked > n {
		n = c.subject.unpacked
	}
	return 64<<20 + 32*uint64(n)
}

// execute runs the program; a panic is a result without a status of its own.
func (c *campaignCase) execute(args []string) (r result) {
	defer func() {
		if p := recover(); p != nil {
			r = result{-1, "", fmt.Sprintf("panic: %v\n%s", p, debug.Stack())}
		}
	}()
	var out, errOut bytes.Buffer
	status := run(args, strings.NewReader(""), &out, &errOut)
	return result{status, out.String(), errOut.String()}
}

// allocated is how many bytes were ever allocated.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// liveHeap runs the program again, with a collector that hardly rests, and
// returns how much of the heap was in use at the most.
func (c *campaignCase) liveHeap(args []string) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	runtime.GC()
	stop, most := make(chan bool), make(chan uint64)
	go func() {
		var peak uint64
		for {
			select {
			case <-stop:
				most <- peak
				return
			case <-time.After(time.Millisecond):
				peak = max(peak, markedHeap())
			}
		}
	}()
	before := markedHeap()
	c.execute(args)
	stop <- true
	return max(<-most, before) - before
}

// markedHeap is how much of the heap was live when the collector last looked.
func markedHeap() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
