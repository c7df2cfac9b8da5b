package weeks

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"cbkit"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/internal/journal"
	"cbkit/internal/lock"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// perRun is how many seeds a run plays that is not told: in CI twice as many as elsewhere,
// few in a short run.
func perRun() int {
	switch {
	case *weeks > 0:
		return *weeks
	case testing.Short():
		return 30
	case os.Getenv("CI") == "true":
		return 300
	}
	return 150
}

var (
	weeks = flag.Int("seeds", 0, "how many seeds are played, 0 for as many as a usual run does")
	from  = flag.Uint64("from", 1, "the first seed")
	fresh = flag.Bool("fresh", false, "begin with a seed of chance, and print it")
)

// step is a step of a script. All that chance decides in it comes of its seed.
type step struct {
	seed  uint64
	fault string // what goes wrong, "" for nothing
	turn  uint64 // where it does and what becomes of it, otherwise from turn to turn
}

// faults are what can go wrong.
var faults = []string{"", "", "", "crash", "crash", "crash", "fail", "fail and crash", "cut", "full", "files", "drop", "second", "readers", "held"}

// script returns the steps of a seed.
func script(seed uint64, faults []string) (list []step) {
	r := rand.New(rand.NewPCG(seed, 38))
	for range 6 + r.IntN(7) {
		list = append(list, step{seed: r.Uint64(), fault: faults[r.IntN(len(faults))]})
	}
	return list
}

// neighbours are files of nobody, which stay.
var neighbours = []string{
	"Games.ini", "Games.txt", "Games.cbh.bak", "Games2.cbh", "Game.cbh", "games2.pgn.old", "Games.2024.txt", "Games.2024", "Games.2025.cbg", "xGames.cbh",
	"Games.cbkit-notes.txt", "Games.bak/Games.cbh",
}

// world is a disk and what is known of it.
type world struct {
	disk *crashfs.FS
	want map[string][]string
	// maybe is what the power may bring back: what was there before a step that was not
	// told to have been done and to last.
	maybe map[string][][]string
	// touched are targets that a step was about, dirty those that a crash has left something of.
	touched, dirty map[string]bool
	told           []string // the steps, for who reads of a failure
	second         action   // what somebody else does meanwhile
	came           string   // whether that was "before" or "after" this one, "" if it was refused
	begun          bool     // whether this one has changed anything of its target
	inside         string   // what somebody did since
}

// start is the disk that all scripts begin with.
func start() *crashfs.FS {
	disk := crashfs.New()
	disk.FoldersApart()
	fsys.Play(disk)
	defer fsys.Play(nil)
	must := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	must(disk.Mkdir("Games.bak", 0o777))
	must(disk.Mkdir("tmp", 0o777))
	for _, name := range neighbours {
		disk.WriteFile(name, []byte("this is "+name))
	}
	w := &world{disk: disk, want: beginning()}
	for _, target := range targets {
		var a action
		switch formatOf(target) {
		case cbkit.Book:
			a = building(target, "Games.cbh", nil)
		case cbkit.Archive:
			a = packing(target, "Games.cbh", nil)
		case "":
			a = tabling(target, "Games.cbh", nil)
		default:
			must(cbkit.Save(ctx, target, database(w.want[target]), cbkit.SaveOptions{AcceptLosses: true, Now: now}))
			continue
		}
		must(a.run())
	}
	return disk.Restart(func(n int) int { return n }, func(string) bool { return true })
}

// beginning is what the targets have then.
func beginning() map[string][]string {
	want := map[string][]string{}
	for i, target := range targets {
		for n := range 3 + i%3 {
			want[target] = append(want[target], newGame(uint64(100*i+7*n+1)))
		}
	}
	want["Games.ctg"] = added(nil, want["Games.cbh"])
	want["Games.cbv"] = want["Games.cbh"]
	want["tables/1"] = tabled(want["Games.cbh"])
	want["tables/2"] = tabled(want["Games.cbh"])
	return want
}

// failure is what was found: its kind, and in one line what it is.
type failure struct{ kind, what string }

func (w *world) fail(kind, format string, args ...any) *failure {
	return &failure{kind, fmt.Sprintf(format, args...)}
}

var (
	template *crashfs.FS
	skip     func(op, name string) bool // of the disks of all scripts
	playing  int                        // which step is played
	at       = -1                       // at which call it goes wrong, -1 for one of chance
	total    int                        // of how many
)

// play plays a script.
func play(list []step) (told []string, f *failure) {
	if template == nil {
		template = start()
	}
	w := &world{disk: template.Clone(), want: beginning(), maybe: map[string][][]string{}, touched: map[string]bool{}, dirty: map[string]bool{}}
	w.disk.FoldersApart()
	w.disk.Skip = skip
	defer func() {
		fsys.Play(nil)
		if v := recover(); v != nil {
			stack := strings.Split(string(debug.Stack()), "\n")
			told, f = w.told, &failure{"panic", fmt.Sprint(v, " ", strings.Join(stack[min(7, len(stack)):min(16, len(stack))], " "))}
		}
	}()
	for i, s := range list {
		playing = i
		if f := w.step(s); f != nil {
			return w.told, f
		}
	}
	for _, target := range targets {
		if !w.touched[target] {
			continue
		}
		fsys.Play(w.disk)
		if err := recovery(target); err != nil {
			return w.told, w.fail("recover", "in the end: %v", err)
		}
		if f := w.look(target, append(w.maybe[target], w.want[target])...); f != nil {
			return w.told, f
		}
		if wrong := unsound(target); wrong != "" {
			return w.told, w.fail("unsound", "%s: %s", target, wrong)
		}
	}
	return w.told, nil
}

// look compares what is there with one of some states.
func (w *world) look(target string, states ...[]string) *failure {
	got, err := lines(target)
	if errors.Is(err, fs.ErrNotExist) && slices.ContainsFunc(states, func(list []string) bool { return list == nil }) {
		return nil // beside what is left of another of its name
	}
	if err != nil {
		return w.fail("unreadable", "%s: %v", target, err)
	}
	for _, state := range states {
		if slices.Equal(got, state) {
			return nil
		}
	}
	return w.fail("state", "%s has %s", target, differing(got, states))
}

// differing says in short how a state differs from others.
func differing(got []string, states [][]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d lines", len(got))
	for i, state := range states {
		at := 0
		for at < min(len(got), len(state)) && got[at] == state[at] {
			at++
		}
		of := func(list []string) string {
			if at < len(list) {
				return list[at]
			}
			return "nothing"
		}
		fmt.Fprintf(&b, "; of state %d with %d lines line %d differs: %s, want %s", i+1, len(state), at+1, of(got), of(state))
	}
	return b.String()
}

// others returns a name of a file that is not of the target and differs between two disks, "" if
// none. What is there for a while does not count.
func (w *world) others(target string, before, after map[string][]byte) string {
	other := func(name string) bool {
		is, _ := belongs(name, target)
		for _, target := range targets {
			if w.maybe[target] != nil || w.dirty[target] {
				may, _ := belongs(name, target)
				is = is || may
			}
		}
		return !is && (!strings.Contains(name, ".cbkit-") || slices.Contains(neighbours, name))
	}
	for name, content := range before {
		if other(name) && !bytes.Equal(after[name], content) {
			return name
		}
	}
	for name := range after {
		if _, was := before[name]; !was && other(name) {
			return name
		}
	}
	return ""
}

// left are the working files of a target, but for what other sets of its name may have left.
func (w *world) left(target string, before []string) []string {
	list, _ := leftOf(target)
	if isTables(target) {
		return list
	}
	for _, kind := range []lock.Kind{lock.Writer, lock.Commit} {
		if name := lock.File(target, kind); w.disk.Stale(name) {
			list = append(list, name)
		}
	}
	ours := dbfile.StemOf(target) + ".cbkit-"
	if left, err := journal.Interrupted(fsys.OS{}, target); left == "" && err == nil && slices.Contains(list, ours+"journal") {
		return nil // it is that of another set, which is to be recovered first
	}
	return slices.DeleteFunc(list, func(name string) bool { return strings.HasPrefix(name, ours) && slices.Contains(before, name) })
}

// isChange reports whether a call changes the disk.
func isChange(op string) bool {
	switch op {
	case "open", "read", "readdir", "stat", "lstat", "seek", "close", "unlock":
		return false
	}
	return true
}

// step plays a step.
func (w *world) step(s step) *failure {
	r := rand.New(rand.NewPCG(s.seed, 1))
	w.disk.Advance([]time.Duration{0, 0, time.Second, time.Hour}[r.IntN(4)])
	fsys.Play(w.disk)
	a := w.next(r)
	r = rand.New(rand.NewPCG(s.seed, 2+s.turn))
	w.told = append(w.told, fmt.Sprint(a.target, ": ", a.what))
	if w.came = ""; a.alone {
		s.fault = ""
	}
	w.second = w.another(r, a.target)
	w.touched[a.target] = true
	old := w.want[a.target]
	fresh := a.apply(old)
	before, names := w.disk.Files(), w.disk.Names()
	// What an earlier crash has left of sources is put right first.
	for _, name := range a.sources {
		if left, _ := leftOf(name); len(left) > 0 && name != a.target {
			if err := recovery(name); err != nil {
				return w.fail("recover", "%s: %v", name, err)
			}
			before = w.disk.Files()
		}
	}
	var err error
	crashed := false
	if s.fault == "" {
		err = w.retried(a)
	} else if crashed, err = w.disturbed(r, s, a); crashed {
		return w.crashed(r, a, old, fresh, before, names)
	}
	w.disk.Decide, w.disk.Before, w.disk.Cause = nil, nil, nil
	switch w.came {
	case "before":
		old = w.second.apply(old)
		fresh = a.apply(old)
	case "after":
		fresh = w.second.apply(fresh)
	}
	if errors.Is(err, errSecond) {
		return w.fail("second", "%v", err)
	}
	if errors.Is(err, errWrong) {
		return w.fail("told", "%v", err)
	}
	states, uncertain := [][]string{fresh}, false
	switch {
	case err == nil || model.IsDone(err):
	case errors.Is(err, model.ErrUncertain) || errors.Is(err, model.ErrCommitted) || errors.Is(err, errClosing):
		uncertain = true
	case s.fault == "":
		return w.fail("refused", "%v", err)
	default:
		states, uncertain = [][]string{old}, true
		if errors.Is(err, model.ErrNeedsRecovery) {
			states = append(states, fresh) // the way back or forth is open
		}
		if isTables(a.target) && strings.Contains(err.Error(), "are gone") {
			states = append(states, nil)
		}
	}
	if err != nil {
		w.told[len(w.told)-1] += ": " + err.Error()
	}
	if name := w.others(a.target, before, w.disk.Files()); name != "" {
		return w.fail("neighbour", "%s has changed", name)
	}
	if err != nil {
		if left, _ := leftOf(a.target); len(left) > 0 || errors.Is(err, model.ErrNeedsRecovery) {
			if err := recovery(a.target); err != nil {
				return w.fail("recover", "%s: %v", a.target, err)
			}
			if left := w.left(a.target, names); len(left) > 0 {
				return w.fail("left", "after the recovery: %s", left)
			}
		}
	} else if left := w.left(a.target, names); !a.refused && !a.alone && slices.Contains([]string{"", "second", "readers", "held"}, s.fault) && len(left) > 0 {
		return w.fail("left", "%s", left)
	}
	if f := w.look(a.target, states...); f != nil {
		return f
	}
	delete(w.dirty, a.target)
	for _, target := range targets { // of its name, which may have been put right
		if !w.dirty[target] {
			continue
		}
		if left, _ := leftOf(target); len(left) == 0 {
			delete(w.dirty, target)
			if f := w.look(target, append(w.maybe[target], w.want[target])...); f != nil {
				return f
			}
		}
	}
	w.want[a.target], _ = lines(a.target)
	if err == nil && !slices.Equal(old, fresh) { // else it can have done nothing
		delete(w.maybe, a.target)
	} else if uncertain {
		w.maybe[a.target] = append(w.maybe[a.target], statesOf(a.target, old, fresh)...)
	}
	if r.IntN(4) == 0 {
		if wrong := unsound(a.target); wrong != "" {
			return w.fail("unsound", "%s: %s", a.target, wrong)
		}
	}
	return w.lasts(r, a, names, err == nil && s.fault == "" && !a.alone && !slices.Equal(old, fresh))
}

// retried runs an action, after a recovery if it asks for one. Between the three others may write.
func (w *world) retried(a action) error {
	err := a.run()
	if errors.Is(err, model.ErrNeedsRecovery) {
		w.anew()
		if err := recoveries(a.target); err != nil {
			return err
		}
		w.anew()
		err = a.run()
	}
	return err
}

// anew says that an action begins again: what somebody did came before it.
func (w *world) anew() {
	if w.came == "after" {
		w.came = "before"
	}
	w.begun, w.inside = false, ""
}

// lasts cuts the power behind a step: what was done stays done, and what was cleared stays so if
// nothing failed.
func (w *world) lasts(r *rand.Rand, a action, names []string, clean bool) *failure {
	after := cutOff(r, w.disk)
	if same := crashfs.Same(after.Files(), w.disk.Files()); same {
		return nil
	}
	fsys.Play(after)
	defer func() { fsys.Play(w.disk) }()
	// A scratch file was removed behind the commit, and goes with the next one.
	left := slices.DeleteFunc(w.left(a.target, names), func(name string) bool { return strings.HasSuffix(name, dbfile.SuffixScratch) })
	if clean && len(left) > 0 {
		return w.fail("lost", "after the power was cut %s is back", left)
	}
	if err := recovery(a.target); err != nil {
		return w.fail("recover", "%s after the power was cut: %v", a.target, err)
	}
	if f := w.look(a.target, append(w.maybe[a.target], w.want[a.target])...); f != nil {
		f.kind, f.what = "lost", "after the power was cut "+f.what
		return f
	}
	if name := w.others(a.target, w.disk.Files(), after.Files()); name != "" {
		return w.fail("lost", "after the power was cut %s is another", name)
	}
	return nil
}

// cutOff is what is on a disk when the power is cut.
func cutOff(r *rand.Rand, disk *crashfs.FS) *crashfs.FS {
	switch r.IntN(5) {
	case 0:
		return disk.Restart(func(n int) int { return n }, func(string) bool { return true })
	case 1:
		return disk.Restart(nil, nil)
	case 2:
		return disk.RestartUnordered(func(int) bool { return r.IntN(2) == 0 }, func(string) bool { return r.IntN(2) == 0 })
	}
	return disk.RestartScattered(r.IntN, r.IntN(2) == 0)
}

// stopped is what is on a disk when the power is cut, or the process killed.
func stopped(r *rand.Rand, disk *crashfs.FS) (after *crashfs.FS, killed bool) {
	if r.IntN(4) == 0 {
		return disk.Kill(), true
	}
	return cutOff(r, disk), false
}

// calls counts the calls of an action that are as asked for, on a copy of the disk, and chooses
// one: half of the time one of a sync or of a journal or of those behind it, where its absence
// shows, and nearly always where one is left out.
func (w *world) calls(r *rand.Rand, a action, is func(op, name string) bool) (n, choice int) {
	var syncs, skipped []int
	trial := w.disk.Clone()
	trial.FoldersApart()
	fsys.Play(trial)
	defer fsys.Play(w.disk)
	trial.Before = func(op, name string) {
		if skip != nil && skip(op, name) {
			skipped = append(skipped, n)
		}
		if is(op, name) {
			if op == "sync" || op == "syncdir" || strings.HasSuffix(name, dbfile.SuffixJournal) {
				syncs = append(syncs, n)
			}
			n++
		}
	}
	_ = a.run()
	if n > 0 {
		choice = r.IntN(n)
	}
	if len(syncs) > 0 && r.IntN(2) == 0 {
		choice = min(syncs[r.IntN(len(syncs))]+r.IntN(4), n-1)
	}
	if len(skipped) > 0 && r.IntN(8) > 0 {
		choice = min(skipped[r.IntN(len(skipped))]+r.IntN([]int{2, 6, 20}[r.IntN(3)]), n-1)
	}
	if at >= 0 && a.what != "" {
		choice, total = min(at, n-1), n
	}
	return n, choice
}

var errSecond = errors.New("a second writer")

// disturbed runs an action while something goes wrong. It says whether the machine has stopped.
func (w *world) disturbed(r *rand.Rand, s step, a action) (crashed bool, err error) {
	changes := func(op, _ string) bool { return isChange(op) }
	n := 0
	is := changes
	switch s.fault {
	case "fail", "cut":
		if r.IntN(3) == 0 {
			is = func(op, _ string) bool { return op != "unlock" }
		}
	case "files":
		is = func(op, _ string) bool { return op == "open" }
	case "drop":
		is = func(op, _ string) bool { return op == "sync" || op == "syncdir" }
	case "second", "readers":
		is = func(string, string) bool { return true }
	case "held":
		return false, w.held(a)
	}
	total, at := w.calls(r, a, is)
	if total == 0 {
		return false, w.retried(a)
	}
	lost, once, later := r.IntN(2) == 0, r.IntN(2) == 0, 1+r.IntN(8)
	w.told[len(w.told)-1] += fmt.Sprintf("; %s at call %d of %d", s.fault, at+1, total)
	decide := func(do func(op, name string) crashfs.Fate) {
		w.disk.Decide = func(op, name string) crashfs.Fate {
			if crashed {
				return crashfs.Fail
			}
			if !is(op, name) {
				return crashfs.Succeed
			}
			n++
			if n-1 == at {
				w.told[len(w.told)-1] += fmt.Sprintf(" (%s %s)", op, name)
			}
			return do(op, name)
		}
	}
	switch s.fault {
	case "crash", "fail and crash":
		decide(func(op, name string) crashfs.Fate {
			if s.fault != "crash" && n-1 == at {
				at, s.fault = at+later, "crash"
				return crashfs.Fail
			}
			if n-1 < at {
				return crashfs.Succeed
			}
			crashed = true
			if lost {
				return crashfs.Fail
			}
			return crashfs.Cut
		})
	case "fail", "cut", "drop":
		fate := map[string]crashfs.Fate{"fail": crashfs.Fail, "cut": crashfs.Cut, "drop": crashfs.Drop}[s.fault]
		w.disk.Cause = syscall.EIO
		decide(func(op, name string) crashfs.Fate {
			if n-1 == at {
				return fate
			}
			return crashfs.Succeed
		})
	case "full":
		w.disk.Cause = syscall.ENOSPC
		decide(func(op, name string) crashfs.Fate {
			if n-1 < at || op != "write" && op != "mkdir" && op != "truncate" {
				return crashfs.Succeed
			}
			return crashfs.Cut
		})
	case "files":
		w.disk.Cause = syscall.EMFILE
		decide(func(op, name string) crashfs.Fate {
			if n-1 < at || once && n-1 > at {
				return crashfs.Succeed
			}
			return crashfs.Fail
		})
	case "second", "readers":
		w.told[len(w.told)-1] += ""
		return false, w.beside(r, s, a, at)
	}
	err = a.run()
	return crashed, err
}

// beside runs an action while somebody else writes, or reads, between two calls.
func (w *world) beside(r *rand.Rand, s step, a action, at int) error {
	old, n, busy := w.want[a.target], 0, false
	w.anew()
	left, _ := leftOf(a.target)
	fresh := a.apply(old)
	var wrong error
	report := func(format string, args ...any) {
		if wrong == nil {
			wrong = fmt.Errorf("%w: "+format, append([]any{errSecond}, args...)...)
		}
	}
	w.disk.Before = func(op, name string) {
		if busy {
			return
		}
		if is, _ := belongs(filepath.Clean(name), a.target); is && isChange(op) && !strings.HasPrefix(name, "tmp") {
			if w.begun = true; w.inside != "" {
				report("%s, and the writer went on with %s %s", w.inside, op, name)
				w.inside = ""
			}
		}
		n++
		if n-1 != at && !(s.fault == "readers" && n%(at+7) == 0) {
			return
		}
		busy = true
		defer func() { busy = false }()
		switch s.fault {
		case "second":
			switch err := w.second.run(); {
			case err != nil && !errors.Is(err, model.ErrLocked) && !errors.Is(err, model.ErrNeedsRecovery):
				report("%s before %s %s: %v", w.second.what, op, name, err)
			case err == nil && w.begun:
				w.inside = fmt.Sprintf("%s before %s %s was let in", w.second.what, op, name)
				w.came = "after"
			case err == nil:
				w.came = "before"
			}
		case "readers":
			if w.disk.Locked(".cbkit-commit") {
				return // they would wait
			}
			got, err := lines(a.target)
			switch {
			case errors.Is(err, model.ErrLocked), errors.Is(err, model.ErrChanged), (len(left) > 0 || isTables(a.target)) && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, model.ErrNeedsRecovery)):
			case err != nil:
				report("reading before %s %s: %v", op, name, err)
			case !slices.Equal(got, old) && !slices.Equal(got, fresh):
				report("reading before %s %s: %s", op, name, differing(got, [][]string{old, fresh}))
			}
		}
	}
	err := w.retried(a)
	w.disk.Before = nil
	if wrong != nil {
		return wrong
	}
	return err
}

// held runs an action while somebody holds a reader, which has the old state or says that it is
// gone.
func (w *world) held(a action) (err error) {
	left, _ := leftOf(a.target)
	ran := false
	got, failed := lines(a.target, func() {
		ran, err = true, w.retried(a)
	})
	if !ran {
		err = w.retried(a)
	}
	switch {
	case w.want[a.target] == nil && errors.Is(failed, fs.ErrNotExist):
	case failed != nil && !errors.Is(failed, model.ErrChanged) && len(left) == 0:
		return fmt.Errorf("%w: who held a reader: %w", errSecond, failed)
	case failed == nil && !slices.Equal(got, w.want[a.target]):
		return fmt.Errorf("%w: who held a reader: %s", errSecond, differing(got, [][]string{w.want[a.target]}))
	}
	return err
}

// statesOf are what a stopped action can leave: of tables, whose old files go before new ones
// come, nothing too.
func statesOf(target string, old, fresh []string) [][]string {
	if isTables(target) {
		return [][]string{nil, old, fresh}
	}
	return [][]string{old, fresh}
}

// crashed starts the machine again behind a crash, or goes on where a process was killed, and
// sees that one state is there.
func (w *world) crashed(r *rand.Rand, a action, old, fresh []string, before map[string][]byte, names []string) *failure {
	w.disk.Decide = nil
	states := append(w.maybe[a.target], statesOf(a.target, old, fresh)...)
	for range 2 { // what else it could have left
		disk, killed := stopped(r, w.disk)
		if f := w.putRight(r, disk, a, names, killed, states); f != nil {
			return f
		}
	}
	disk, killed := stopped(r, w.disk)
	w.disk = disk
	fsys.Play(w.disk)
	// The recovery is stopped too, and what recovers from that.
	for range r.IntN(3) {
		again := action{target: a.target, run: func() error { return recovery(a.target) }}
		total, at := w.calls(r, again, func(op, _ string) bool { return isChange(op) })
		if total == 0 {
			break
		}
		n, lost, over := 0, r.IntN(2) == 0, false
		w.disk.Decide = func(op, name string) crashfs.Fate {
			if over {
				return crashfs.Fail
			}
			if !isChange(op) {
				return crashfs.Succeed
			}
			if n++; n-1 < at {
				return crashfs.Succeed
			}
			if over = true; lost {
				return crashfs.Fail
			}
			return crashfs.Cut
		}
		w.told[len(w.told)-1] += fmt.Sprintf("; its recovery too at call %d of %d", at+1, total)
		_ = again.run()
		w.disk.Decide = nil
		w.disk, killed = stopped(r, w.disk)
		fsys.Play(w.disk)
	}
	if name := w.others(a.target, before, w.disk.Files()); name != "" {
		return w.fail("neighbour", "%s has changed after the crash", name)
	}
	if f := w.putRight(r, w.disk.Clone(), a, names, killed, states); f != nil {
		return f
	}
	after := w.disk.Clone()
	fsys.Play(after)
	var others []string // that were put right there
	for _, target := range targets {
		states := w.maybe[target]
		if target == a.target || states == nil {
			continue
		}
		if err := recovery(target); err != nil {
			return w.fail("recover", "%v", err)
		}
		if f := w.look(target, append(states, w.want[target])...); f != nil {
			return f
		}
		w.want[target], _ = lines(target)
		if delete(w.maybe, target); killed {
			w.maybe[target] = append(states, w.want[target])
		}
		others = append(others, target)
	}
	if err := recovery(a.target); err != nil {
		return w.fail("recover", "%v", err)
	}
	if f := w.look(a.target, states...); f != nil {
		return f
	}
	w.want[a.target], _ = lines(a.target)
	if delete(w.maybe, a.target); killed {
		w.maybe[a.target] = states
	}
	if files := after.Files(); len(states) == len(statesOf(a.target, nil, nil)) && !slices.Equal(old, fresh) && slices.Equal(w.want[a.target], old) && len(w.dirty) == 0 {
		for name, content := range before {
			if is, working := belongs(name, a.target); is && !working && !dbfile.IsScratch(name) && !strings.HasPrefix(name, "tmp") && !bytes.Equal(files[name], content) {
				return w.fail("bytes", "the old state, but %s is another", name)
			}
		}
	}
	w.told[len(w.told)-1] += map[bool]string{true: ", killed", false: ""}[killed] + map[bool]string{true: ": the old state", false: ": the new state"}[slices.Equal(w.want[a.target], old)]
	if w.dirty[a.target] = r.IntN(2) == 0; !w.dirty[a.target] {
		delete(w.dirty, a.target)
		w.disk = after // else the next step finds what the crash has left
	}
	if w.dirty[a.target] {
		for _, target := range others {
			w.dirty[target] = true
		}
	}
	fsys.Play(w.disk)
	return nil
}

// putRight recovers what a crash has left on a disk, while somebody else tries to, and cuts the
// power behind it.
func (w *world) putRight(r *rand.Rand, disk *crashfs.FS, a action, names []string, killed bool, states [][]string) *failure {
	defer func(was *crashfs.FS) { w.disk = was; fsys.Play(was) }(w.disk)
	w.disk = disk
	w.second = w.recovering(a.target)
	fsys.Play(disk)
	again := action{target: a.target, run: func() error { return recovery(a.target) }, apply: func([]string) []string { return states[len(states)-1] }}
	beside := "second"
	if len(states) == len(statesOf(a.target, nil, nil)) && r.IntN(2) == 0 {
		beside = "readers"
	}
	if err := w.beside(r, step{fault: beside}, again, r.IntN(40)); err != nil {
		return w.fail("recover", "%v", err)
	}
	if left := w.left(a.target, names); len(left) > 0 {
		return w.fail("left", "after the recovery: %s", left)
	}
	if f := w.look(a.target, states...); f != nil {
		return f
	}
	if !killed { // what the process did not know to be on the disk, the recovery does not either
		got, _ := lines(a.target)
		states = [][]string{got}
	}
	fsys.Play(cutOff(r, disk))
	if left := w.left(a.target, names); len(left) > 0 && !killed && !formatOf(a.target).IsFile() && !isTables(a.target) {
		return w.fail("lost", "the power was cut behind the recovery: %s is back", left)
	}
	if err := recovery(a.target); err != nil {
		return w.fail("recover", "after the power was cut: %v", err)
	}
	if f := w.look(a.target, states...); f != nil {
		f.kind, f.what = "lost", "the power was cut behind the recovery: "+f.what
		return f
	}
	return nil
}

// found are seeds of scripts that have shown what was wrong, which are played first.
var found = []uint64{102060, 400926, 404300, 507669, 514186, 702797, 719257, 734573}

// TestWeeks plays scripts.
func TestWeeks(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	t.Setenv("TMPDIR", "tmp")
	if *fresh {
		*from = uint64(time.Now().UnixNano() >> 10)
		fmt.Fprintf(os.Stderr, "weeks: seeds from %d\n", *from)
	}
	began, steps := time.Now(), 0
	failures := 0
	seeds := slices.Clone(found)
	if *weeks == 1 {
		seeds = nil
	}
	for n := range uint64(perRun()) {
		seeds = append(seeds, *from+n)
	}
	for _, seed := range seeds {
		list := script(seed, faults)
		steps += len(list)
		again := ""
		if seed%10 == 0 {
			again = twice(list)
		}
		told, f := play(list)
		if *weeks == 1 {
			t.Logf("%s", strings.Join(told, "\n"))
		}
		if f == nil && again != "" {
			f = &failure{"unsteady", again}
		}
		if f == nil {
			continue
		}
		if f.kind != "unsteady" {
			told, f = shortest(list)
		}
		t.Errorf("seed %d: %s: %s\n  %s", seed, f.kind, cut(f.what, 600), strings.Join(cutAll(told[max(0, len(told)-12):], 200), "\n  "))
		if failures++; failures == 3 && !testing.Verbose() || failures == 12 {
			break
		}
	}
	t.Logf("%d steps in %v", steps, time.Since(began))
}

// TestEveryCall stops the machine at every call that changes anything, of all that is done first in
// some scripts.
func TestEveryCall(t *testing.T) {
	if !crashfs.EveryCall() {
		t.Skip("it takes long: -every-call")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer func() { at = -1 }()
	t.Setenv("TMPDIR", "tmp")
	points := 0
	for seed := range uint64(perRun()) {
		list := script(*from+seed, []string{"crash"})[:1]
		for at, total = 0, 1; at < total; at++ {
			for list[0].turn = range uint64(4) {
				points++
				if told, f := play(list); f != nil {
					t.Fatalf("seed %d, call %d: %s: %s\n  %s", *from+seed, at, f.kind, cut(f.what, 600), told)
				}
			}
		}
	}
	t.Logf("%d points", points)
}

// twice plays a script two times, and says where they differ in what they change or open: a seed
// that does not replay is none.
func twice(list []step) string {
	defer func(was func(op, name string) bool) { skip = was }(skip)
	var calls [2][]string
	for i := range calls {
		skip = func(op, name string) bool {
			if isChange(op) || op == "open" {
				calls[i] = append(calls[i], op+" "+name)
			}
			return false
		}
		told, _ := play(list)
		calls[i] = append(calls[i], told...)
	}
	for i, call := range calls[0] {
		if i >= len(calls[1]) || calls[1][i] != call {
			return fmt.Sprintf("behind %q came %q once, then %q", calls[0][max(i-1, 0)], call, calls[1][min(i, len(calls[1])-1)])
		}
	}
	return ""
}

// shortest leaves out steps and faults as long as the same kind of failure comes of the rest.
func shortest(list []step) ([]string, *failure) {
	told, f := play(list)
	if f == nil {
		return told, &failure{"unsteady", "it does not come again"}
	}
	try := func(other []step) bool {
		t, g := play(other)
		if g == nil || g.kind != f.kind {
			return false
		}
		list, told, f = other, t, g
		return true
	}
	for again := true; again; {
		again = false
		for i := len(list) - 1; i >= 0; i-- {
			if i < len(list) && try(slices.Delete(slices.Clone(list), i, i+1)) {
				again = true
			}
		}
		for i := range list {
			if other := slices.Clone(list); list[i].fault != "" {
				other[i].fault = ""
				again = try(other) || again
			}
		}
	}
	return told, f
}

func cut(s string, n int) string {
	if len(s) > n {
		return s[:n] + "…"
	}
	return s
}

func cutAll(list []string, n int) []string {
	for i := range list {
		list[i] = cut(list[i], n)
	}
	return list
}

// A scratch file of an edit that cannot be removed is told, and the edit is done.
func TestScratchFileThatStays(t *testing.T) {
	disk := crashfs.New()
	fsys.Play(disk)
	defer fsys.Play(nil)
	must.Do(t, cbkit.Save(ctx, "Games.pgn", database([]string{newGame(1)}), cbkit.SaveOptions{AcceptLosses: true}))
	disk.Decide = func(op, name string) crashfs.Fate {
		if op == "remove" && dbfile.IsScratch(path.Base(name)) {
			return crashfs.Fail
		}
		return crashfs.Succeed
	}
	ed := must.Get(cbkit.Edit(ctx, "Games.pgn", cbkit.EditOptions{NewNames: true, AcceptLosses: true}))(t)
	err := cmp.Or(ed.Append(ctx, database([]string{newGame(2)}), model.CopyOptions{}), ed.Set("white", "Tal", cbkit.IDs{From: 2, To: 2}))
	if err == nil {
		err = ed.Commit()
	}
	var untidy *model.UntidyError
	if !errors.As(err, &untidy) || !model.IsDone(err) || ed.Result().Appended != 1 {
		t.Errorf("%v, %+v", err, ed.Result())
	}
	if got, err := lines("Games.pgn"); len(got) != 2 {
		t.Errorf("%s, %v", got, err)
	}
	if err := ed.Close(); err != nil {
		t.Error(err)
	}
}
