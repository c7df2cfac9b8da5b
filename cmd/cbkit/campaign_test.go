package main

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cbkit/internal/cbh"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/neighbours"
	"cbkit/internal/testkit/seeds"
)

// The campaign damages sound databases, books and texts of every format at
// random, runs the verbs on them, and holds the answers against what the bytes
// say. A short one is part of every run of the tests; for a long one:
//
//	go test ./cmd/cbkit -run 'TestCampaign$' -campaign 10000 -timeout 0 -v
//
// Inputs run side by side, on as many processors as -cpu allows. One that fails
// is named by its number: -campaign-input runs all verbs on it alone and keeps its
// files. After a fix, -campaign-from runs the rest.
var (
	campaignInputs = flag.Int("campaign", seeds.Often(70), "number of the input to stop before")
	campaignFrom   = flag.Int("campaign-from", 0, "number of the first input")
	campaignSeed   = flag.Uint64("campaign-seed", 1, "seed of the damage")
	campaignInput  = flag.Int("campaign-input", -1, "run this input alone, and keep its files")
	campaignOf     = flag.String("campaign-of", "", "damage subjects with this word in their names only")
)

// campaignPassword opens the enciphered archives of the campaign.
const campaignPassword = "sesame"

func TestCampaign(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // there is little to keep
	dir := campaignFolder(t)
	t.Setenv("TMPDIR", dir)
	t.Setenv(passwordVariable, campaignPassword)
	c := &campaign{t: t, dir: dir, totals: newCampaignTotals()}
	c.newSubjects()
	first, last := *campaignFrom, *campaignInputs
	if testing.Short() {
		last = min(last, first+8)
	}
	if *campaignInput >= 0 {
		first, last = *campaignInput, *campaignInput+1
	}
	c.next.Store(int64(first))
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() { c.work(int64(last)) })
	}
	workers.Wait()
	c.totals.log(t, c.subjects)
}

// campaignFolder returns a folder in memory, where there is one: most of the time
// would go into waiting for the disk.
func campaignFolder(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "cbkit-campaign")
	if err != nil {
		return gen.Folder(t)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// campaign is a run over many inputs.
type campaign struct {
	t        *testing.T
	dir      string
	subjects []*subject
	side     map[string][]byte // small sound files for verbs that need two inputs
	next     atomic.Int64      // the number of the next input
	stopped  atomic.Bool       // a run hangs
	alone    sync.RWMutex      // held for writing while memory is measured

	mu     sync.Mutex
	totals *campaignTotals
}

// work takes one input after the other.
func (c *campaign) work(last int64) {
	for !c.stopped.Load() {
		i := c.next.Add(1) - 1
		if i >= last {
			return
		}
		if s := c.subjects[int(i)%len(c.subjects)]; strings.Contains(s.name, *campaignOf) {
			c.input(s, int(i))
		}
	}
}

// input runs one input.
func (c *campaign) input(s *subject, i int) {
	dir := filepath.Join(c.dir, fmt.Sprint(i))
	if *campaignInput >= 0 {
		dir = filepath.Join(os.TempDir(), "..", fmt.Sprint("campaign-", i))
		os.RemoveAll(dir)
		c.t.Log("the input is in", filepath.Clean(dir))
	}
	one := newCampaignCase(c, s, i, dir)
	near := neighbours.Lay(c.t, one.path(), true)
	one.run()
	if wrong := near.Wrong(dir); wrong != "" {
		one.errorf("%s", wrong)
	}
	if *campaignInput < 0 {
		os.RemoveAll(dir)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.totals.add(one)
}

// subject is something sound that is damaged.
type subject struct {
	name  string
	main  string            // the file that names it
	files map[string][]byte // by name
	// verbs are the runs to choose from, those of a kind together.
	verbs [][]campaignVerb
	// records says which bytes the records are made of; want is what a sound
	// subject gives for each, by the verb that gives all.
	records []ownBytes
	want    map[string]string
	all     func(c *campaignCase) map[string]string
	// damage says where a damaged subject has damage that can be seen, and
	// which verb's work it is in the way of: "" for check alone.
	damage func(files map[string][]byte) []visibleDamage

	// unpack, if not nil, gives the files that records and damage are in, and
	// what does not unpack; inner are those of the sound subject.
	unpack func(files map[string][]byte) (map[string][]byte, []visibleDamage)
	inner  map[string][]byte

	unpacked int                 // how many bytes it may have unpacked, if more
	names    map[string][]string // of players and tournaments, by field

	isChessBase bool // it keeps all that another such database has

	unordered bool              // numbers say nothing: records are told apart by what they say
	keys      map[string]string // of the entries of a book, by position
}

// content returns the files that the records of the sound subject are in.
func (s *subject) content() map[string][]byte {
	if s.inner != nil {
		return s.inner
	}
	return s.files
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
	of      *campaign
	subject *subject
	number  int
	rand    *rand.Rand
	dir     string // where the input is
	files   map[string][]byte
	what    []string // the damage in words
	visible []visibleDamage
	intact  []string // the records whose own bytes are whole
	chosen  int      // the record that a verb was last asked for, 0 for none
	misuse  bool     // a refusal is right
	running string   // what is being run
	prepare func()   // makes the folder of targets again as it was before the run
	counted campaignCounts
}

// newCampaignCase damages a subject and writes it down.
func newCampaignCase(of *campaign, s *subject, number int, dir string) *campaignCase {
	c := &campaignCase{
		t: of.t, of: of, subject: s, number: number, rand: rand.New(rand.NewPCG(*campaignSeed, uint64(number))),
		dir: dir, files: maps.Clone(s.files), prepare: func() {},
	}
	for name, b := range c.files {
		c.files[name] = slices.Clone(b)
	}
	for range 1 + c.rand.IntN(3) {
		c.what = append(c.what, c.damageFile())
	}
	is := c.files
	if s.unpack != nil {
		is, c.visible = s.unpack(c.files)
	}
	for _, r := range s.records {
		if len(c.visible) == 0 && r.intact(s.content(), is) {
			c.intact = append(c.intact, r.key)
		}
	}
	if s.damage != nil && len(c.visible) == 0 {
		c.visible = s.damage(is)
	}
	c.write(dir)
	return c
}

// write writes the files of the input into a folder.
func (c *campaignCase) write(dir string) {
	mustDo(os.MkdirAll(dir, 0o755))
	for name, b := range c.files {
		mustDo(os.WriteFile(filepath.Join(dir, name), b, 0o644))
	}
}

// mustDo ends the campaign where its own files are at fault.
func mustDo(err error) {
	if err != nil {
		panic(err)
	}
}

// path names the input.
func (c *campaignCase) path() string { return filepath.Join(c.dir, c.subject.main) }

// errorf reports what is wrong with a case.
func (c *campaignCase) errorf(format string, args ...any) {
	c.t.Helper()
	c.t.Errorf("input %d of seed %d, %s, %s:\ncbkit %s: %s", c.number, *campaignSeed, c.subject.name,
		strings.Join(c.what, "; "), c.running, fmt.Sprintf(format, args...))
}

// campaignVerbs is how many verbs run by chance on each input.
const campaignVerbs = 4

// run runs all that tells something in every case, and a few verbs by chance: of
// a few kinds, one of each.
func (c *campaignCase) run() {
	if c.subject.all != nil {
		c.compare(c.subject.all(c), 0)
	}
	kinds := c.rand.Perm(len(c.subject.verbs))[:min(campaignVerbs, len(c.subject.verbs))]
	for i, kind := range c.subject.verbs {
		one := c.rand.IntN(len(kind))
		for j, v := range kind {
			if v.always || j == one && slices.Contains(kinds, i) || *campaignInput >= 0 {
				// Each has its own chances, whatever else runs.
				kept := c.rand
				c.rand = rand.New(rand.NewPCG(*campaignSeed, uint64(c.number)<<16|uint64(i)<<8|uint64(j)))
				c.runVerb(v)
				c.rand = kept
			}
		}
	}
}

// campaignVerb is one way to run the program on an input.
type campaignVerb struct {
	args func(c *campaignCase) []string
	// reads are the kinds of damage that are in the way of the verb's work.
	reads damageKind
	// shown says that the verb reads one record alone, the one last chosen.
	shown bool
	// file, if not empty, is the ending of the only file whose damage counts.
	file string
	// misuse says that it may be refused as bad use.
	misuse bool
	// always says that every case runs it.
	always bool
	// after, if not nil, looks at what came out.
	after func(c *campaignCase, r result)
}

// runVerb runs a verb and judges its exit status.
func (c *campaignCase) runVerb(v campaignVerb) {
	c.chosen, c.misuse = 0, v.misuse
	args := v.args(c)
	if args == nil {
		return
	}
	r := c.runProgram(args...)
	c.counted.of(verbOf(args), r.status)
	if r.status == exitDone {
		for _, d := range c.visible {
			if slices.Contains(args, "--purge") && c.isDeleted(d.record) {
				continue // it goes, and nobody asks what it refers to
			}
			if d.kind&v.reads != 0 && (!v.shown || d.record == 0 || d.record == c.chosen) && (v.file == "" || d.file == "" || v.file == d.file) {
				c.errorf("exit status 0 with %s\n%s%s", d.what, r.out, r.errOut)
				break
			}
		}
	}
	if v.after != nil {
		v.after(c, r)
	}
}

// isDeleted reports whether a record of a ChessBase database is marked as deleted.
func (c *campaignCase) isDeleted(record int) bool {
	headers := c.files[c.subject.main]
	at := record * cbh.RecordSize
	return c.subject.isChessBase && record > 0 && at < len(headers) && cbh.RecordType(headers[at]).IsDeleted()
}

// campaignPatience is how long one run may take, by a wide margin.
const campaignPatience = 2 * time.Minute

// runProgram runs the program and judges what every run must hold to: no panic,
// no hang, no more memory than 64 MiB and 32 times the input, the exit status 0
// or 1, and 1 with a word about it.
func (c *campaignCase) runProgram(args ...string) result {
	c.of.alone.RLock()
	c.counted.runs++
	c.running = strings.ReplaceAll(strings.Join(args, " "), c.dir+"/", "")
	done := make(chan result, 1)
	before := allocated()
	go func() { done <- c.execute(args) }()
	var r result
	select {
	case r = <-done:
	case <-time.After(campaignPatience):
		stacks := make([]byte, 1<<20)
		c.errorf("not done after %v\n%s", campaignPatience, stacks[:runtime.Stack(stacks, true)])
		c.of.stopped.Store(true)
		c.of.alone.RUnlock()
		return result{status: exitFailed, errOut: "hangs"}
	}
	used := allocated() - before
	c.of.alone.RUnlock()
	if used > c.memory() { // by all that ran
		c.of.alone.Lock()
		c.prepare()
		live := c.liveHeap(args)
		c.of.alone.Unlock()
		if live > c.memory() {
			c.errorf("%d MiB of live heap for %d bytes", live>>20, size(c.files))
		}
	}
	switch {
	case r.status == exitUsage && c.misuse:
	case r.status != exitDone && r.status != exitFailed:
		c.errorf("exit status %d\n%s", r.status, r.errOut)
	case r.status == exitFailed && r.out == "" && r.errOut == "":
		c.errorf("exit status 1 without a word")
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
func allocated() uint64 { return metric("/gc/heap/allocs:bytes") }

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
func markedHeap() uint64 { return metric("/gc/heap/live:bytes") }

func metric(name string) uint64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
