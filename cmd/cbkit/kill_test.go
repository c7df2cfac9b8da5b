//go:build unix

package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/internal/testkit/neighbours"
	"cbkit/internal/testkit/roomy"
	"cbkit/internal/testkit/seeds"
)

// The kill campaign stops the program at random moments of writing, by SIGKILL
// and by SIGTERM, also with two writers of one target at once, and looks at what
// is there: the old database or a new one, complete, after "cbkit recover" where
// the program asks for it. A short one is part of every run of the tests; for a
// long one:
//
//	go test ./cmd/cbkit -run TestKills -kills 300 -timeout 0
//	go test ./cmd/cbkit -run TestKills -kills 300 -kills-of edit -timeout 0
var (
	killsWanted = flag.Int("kills", seeds.Often(6), "how often each signal must stop the program at work")
	killsOf     = flag.String("kills-of", "", "only the scenarios whose names have this word")
	killSeed    = flag.Uint64("kills-seed", 1, "seed of the moments")
)

// asProgram makes the test binary the program.
const asProgram = "CBKIT_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(roomy.Run(m))
}

// scenario is work on a target, which is there before, by one program or several
// at once.
type scenario struct {
	name     string
	target   string
	look     []string // prints all that is in the target
	commands [][]string
	fresh    bool // there is no target before
	both     bool // the commands can be done one after the other
	// set by prepare
	results []string // what look prints before the work, after each command, and after both
	longest time.Duration
}

func scenarios() []*scenario {
	cbh, dci, ctg := []string{"export", "Games.cbh", "-"}, []string{"export", "Games.dci", "-"}, []string{"book", "export", "Games.ctg", "-"}
	text := []string{"export", "Games.jsonl", "--format", "jsonl", "-"}
	deleted, large := []string{"export", "--deleted", "Games.cbh", "-"}, []string{"export", "Large.cbh", "-"}
	archive, tables := []string{"export", "Games.cbv", "-"}, []string{"export", "Games.parquet", "--format", "jsonl", "-"}
	one := func(args ...string) [][]string { return [][]string{args} }
	return []*scenario{
		{name: "import", target: "Games.cbh", look: cbh, commands: one("import", "--force", "a.pgn", "Games.cbh")},
		{name: "import of a new one", target: "Games.cbh", look: cbh, fresh: true, commands: one("import", "a.pgn", "Games.cbh")},
		{name: "convert, with boosters", target: "Games.cbh", look: cbh, commands: one("convert", "--force", "--boosters", "A.cbh", "Games.cbh")},
		{name: "convert to .dci", target: "Games.dci", look: dci, commands: one("convert", "--force", "a.pgn", "Games.dci")},
		{name: "convert to text", target: "Games.jsonl", look: text, commands: one("convert", "--force", "A.cbh", "Games.jsonl")},
		{name: "boosters", target: "Games.cbh", look: cbh, commands: one("boosters", "Games.cbh")},
		{name: "book build", target: "Games.ctg", look: ctg, commands: one("book", "build", "--force", "--memory", "1", "A.cbh", "Games.ctg")},
		{name: "merge", target: "Games.cbh", look: cbh, commands: one("merge", "--force", "A.cbh", "b.pgn", "Games.cbh")},
		{name: "merge without duplicates", target: "Games.dci", look: dci, commands: one("merge", "--force", "--dedup", "A.cbh", "b.pgn", "Games.dci")},
		{name: "dedup", target: "Games.cbh", look: cbh, commands: one("dedup", "--force", "A.cbh", "Games.cbh")},
		{name: "sort", target: "Games.cbh", look: cbh, commands: one("sort", "--force", "--by=-date,white", "A.cbh", "Games.cbh")},
		{name: "strip", target: "Games.cbh", look: cbh, commands: one("strip", "--force", "--variations", "A.cbh", "Games.cbh")},
		{name: "eco", target: "Games.cbh", look: cbh, commands: one("eco", "--force", "A.cbh", "Games.cbh")},
		{name: "salvage", target: "Games.cbh", look: cbh, commands: one("salvage", "--force", "A.cbh", "Games.cbh")},
		{name: "find", target: "Games.cbh", look: cbh, commands: one("find", "--force", "A.cbh", "piece:Nf3", "-o", "Games.cbh")},
		{name: "pack", target: "Games.cbv", look: archive, commands: one("pack", "--force", "A.cbh", "Games.cbv")},
		{name: "tables", target: "Games.parquet", look: tables, commands: one("export", "--force", "A.cbh", "Games.parquet")},
		{name: "book merge", target: "Games.ctg", look: ctg, commands: one("book", "merge", "--force", "A.ctg", "A.ctg", "Games.ctg")},
		{name: "book prune", target: "Games.ctg", look: ctg, commands: one("book", "prune", "--force", "--min-games", "2", "A.ctg", "Games.ctg")},
		{name: "two merges", target: "Games.cbh", look: cbh, commands: [][]string{
			{"merge", "--force", "A.cbh", "b.pgn", "Games.cbh"}, {"sort", "--force", "--wait", "5s", "--by", "date", "b.pgn", "Games.cbh"}}},
		{name: "two packs", target: "Games.cbv", look: archive, commands: [][]string{
			{"pack", "--force", "A.cbh", "Games.cbv"}, {"pack", "--force", "--wait", "5s", "B.cbh", "Games.cbv"}}},
		{name: "two imports", target: "Games.cbh", look: cbh, commands: [][]string{
			{"import", "--force", "a.pgn", "Games.cbh"}, {"import", "--force", "b.pgn", "Games.cbh"}}},
		{name: "import and boosters", target: "Games.cbh", look: cbh, commands: [][]string{
			{"import", "--force", "--wait", "100ms", "a.pgn", "Games.cbh"}, {"boosters", "--wait", "5s", "Games.cbh"}}},
		{name: "two boosters", target: "Games.cbh", look: cbh, commands: [][]string{{"boosters", "Games.cbh"}, {"boosters", "--wait", "5s", "Games.cbh"}}},
		{name: "two conversions", target: "Games.dci", look: dci, commands: [][]string{
			{"convert", "--force", "a.pgn", "Games.dci"}, {"convert", "--force", "--wait", "5s", "b.pgn", "Games.dci"}}},
		{name: "edit", target: "Games.cbh", look: deleted, commands: one("edit", "Games.cbh", "--append", "b.pgn", "--replace", "9=long.pgn",
			"--delete", "1-20", "--set", "21-60.event=Linares", "--rename-player", "Old Morphy, Paul=Somebody Else")},
		{name: "edit that rewrites files", target: "Large.cbh", look: large, commands: one("edit", "Large.cbh", "--replace", "1=long.pgn")},
		{name: "edit by import --append", target: "Games.cbh", look: deleted, commands: one("import", "--append", "b.pgn", "Games.cbh")},
		{name: "edit: compact", target: "Games.cbh", look: deleted, commands: one("compact", "Games.cbh")},
		{name: "edit: compact a large one", target: "Large.cbh", look: large, commands: one("compact", "Large.cbh")},
		{name: "edit: purge", target: "Games.cbh", look: deleted, commands: one("compact", "--purge", "Games.cbh")},
		{name: "edit twice", target: "Games.cbh", look: deleted, both: true, commands: [][]string{
			{"edit", "Games.cbh", "--append", "b.pgn"}, {"edit", "Games.cbh", "--wait", "5s", "--delete", "3-40"}}},
		{name: "edit and boosters", target: "Games.cbh", look: deleted, commands: [][]string{
			{"edit", "Games.cbh", "--wait", "5s", "--set", "1-60.event=Linares"}, {"boosters", "--wait", "5s", "Games.cbh"}}},
		{name: "edit of a simple one", target: "Games.dci", look: dci, commands: one("edit", "Games.dci", "--append", "b.pgn", "--delete", "1-20")},
		{name: "edit: book add", target: "Games.ctg", look: ctg, commands: one("book", "add", "Games.ctg", "b.pgn")},
		{name: "two books", target: "Games.ctg", look: ctg, commands: [][]string{
			{"book", "build", "--force", "A.cbh", "Games.ctg"}, {"book", "build", "--force", "--wait", "5s", "b.pgn", "Games.ctg"}}},
	}
}

// killing is one run of the campaign.
type killing struct {
	t    *testing.T
	rand *rand.Rand
	old  string // folder with what is there before
	near *neighbours.Street
	kills, late, recovered,
	isOld, isNew int
}

// TestKills is the campaign.
func TestKills(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes")
	}
	k := &killing{t: t, rand: rand.New(rand.NewPCG(*killSeed, 0)), old: gen.Folder(t)}
	t.Chdir(k.old)
	t.Setenv("TMPDIR", gen.Folder(t))
	save(t, "a.pgn", manyGames("A ", 150))
	save(t, "b.pgn", manyGames("B ", 100))
	save(t, "old.pgn", manyGames("Old ", 50))
	mustRun(t, "import", "-q", "a.pgn", "A.cbh")
	mustRun(t, "import", "-q", "b.pgn", "B.cbh")
	mustRun(t, "book", "build", "-q", "a.pgn", "A.ctg")
	save(t, "long.pgn", "[White \"L\"]\n\n1. e4 {"+strings.Repeat("a long comment ", 200)+"} e5"+strings.Repeat(" 2. Nf3 Nf6 3. Ng1 Ng8", 90)+" *\n")
	save(t, "short.pgn", "[White \"S\"]\n\n1. e4 *\n")
	mustRun(t, "import", "-q", "old.pgn", "Games.cbh")
	mustRun(t, "edit", "-q", "Games.cbh", "--replace", "70=long.pgn")
	mustRun(t, "edit", "-q", "Games.cbh", "--replace", "70=short.pgn", "--delete", "80-90") // a hole
	mustRun(t, "boosters", "-q", "Games.cbh")
	save(t, "large.pgn", manyGames("L ", 2200))
	mustRun(t, "import", "-q", "large.pgn", "Large.cbh")
	mustRun(t, "edit", "-q", "Large.cbh", "--replace", "2=long.pgn")
	mustRun(t, "edit", "-q", "Large.cbh", "--replace", "2=short.pgn")
	mustRun(t, "convert", "-q", "old.pgn", "Games.dci")
	mustRun(t, "convert", "-q", "old.pgn", "Games.jsonl")
	mustRun(t, "convert", "-q", "old.pgn", "Games.cbv")
	mustRun(t, "export", "-q", "old.pgn", "Games.parquet")
	mustRun(t, "book", "build", "-q", "old.pgn", "Games.ctg")
	all := slices.DeleteFunc(scenarios(), func(s *scenario) bool { return !strings.Contains(s.name, *killsOf) })
	// A short run is of some of them.
	k.rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		k.kills, k.late, k.recovered, k.isOld, k.isNew = 0, 0, 0, 0, 0
		for n := 0; k.kills < *killsWanted && n < 20**killsWanted && !t.Failed(); n++ {
			k.run(all[n%len(all)], signal)
		}
		t.Logf("%v: %d times at work, %d times too late; the old state %d times, a new one %d times, recovered %d times",
			signal, k.kills, k.late, k.isOld, k.isNew, k.recovered)
		if k.kills < *killsWanted {
			t.Errorf("%v met the program at work %d times only", signal, k.kills)
		}
	}
}

// begin copies the files there are before into a new folder.
func (k *killing) begin(s *scenario) {
	k.t.Helper()
	dir := gen.Folder(k.t)
	must.Do(k.t, os.CopyFS(dir, os.DirFS(k.old)))
	k.t.Chdir(dir)
	if s.fresh {
		names := must.Get(filepath.Glob("Games.*"))(k.t)
		for _, name := range names {
			must.Do(k.t, os.Remove(name))
		}
	}
	k.near = neighbours.Lay(k.t, filepath.Join(dir, s.target), !s.fresh)
}

// program returns a run of the program that was not started.
func program(args []string) (*exec.Cmd, *bytes.Buffer) {
	cmd := exec.Command(os.Args[0], append(args, "-q")...)
	cmd.Env = append(os.Environ(), asProgram+"=yes")
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	return cmd, &errOut
}

// prepare finds out what each command of a scenario makes, and how long that
// takes.
func (k *killing) prepare(s *scenario) {
	k.t.Helper()
	k.begin(s)
	if s.fresh {
		s.results = append(s.results, "")
	} else {
		s.results = append(s.results, mustRun(k.t, s.look...).out)
	}
	for _, args := range s.commands {
		k.begin(s)
		cmd, errOut := program(args)
		start := time.Now()
		if err := cmd.Run(); err != nil {
			k.t.Fatalf("cbkit %v: %v\n%s", args, err, errOut)
		}
		s.longest = max(s.longest, time.Since(start))
		s.results = append(s.results, mustRun(k.t, s.look...).out)
	}
	if !s.both {
		return
	}
	for _, order := range [][]int{{0, 1}, {1, 0}} {
		k.begin(s)
		for _, i := range order {
			mustRun(k.t, append(s.commands[i], "-q")...)
		}
		s.results = append(s.results, mustRun(k.t, s.look...).out)
	}
}

// run does the work of a scenario, stops one or all of its programs at a random
// moment, and looks at the result.
func (k *killing) run(s *scenario, signal syscall.Signal) {
	k.t.Helper()
	if s.results == nil {
		k.prepare(s)
	}
	k.begin(s)
	var cmds []*exec.Cmd
	var errOuts []*bytes.Buffer
	for _, args := range s.commands {
		cmd, errOut := program(args)
		must.Do(k.t, cmd.Start())
		cmds, errOuts = append(cmds, cmd), append(errOuts, errOut)
	}
	time.Sleep(time.Duration(k.rand.Int64N(int64(s.longest) * 5 / 4)))
	which := k.rand.IntN(len(cmds) + 1) // the last one means all
	for i, cmd := range cmds {
		if i == which || which == len(cmds) {
			_ = cmd.Process.Signal(signal)
		}
	}
	stopped, clean, done := false, true, false
	for i, cmd := range cmds {
		err := cmd.Wait()
		status := cmd.ProcessState
		switch {
		case err == nil:
			done = done || s.results[i+1] != s.results[0]
		case status.Sys().(syscall.WaitStatus).Signaled():
			stopped, clean = true, false
		case strings.Contains(errOuts[i].String(), "interrupted"):
			stopped = true
		case strings.Contains(errOuts[i].String(), "is writing it"), strings.Contains(errOuts[i].String(), "; run cbkit recover"):
		default:
			k.t.Errorf("%s: cbkit %v: %v\n%s", s.name, s.commands[i], err, errOuts[i])
		}
	}
	if !stopped {
		k.late++
	} else {
		k.kills++
	}
	k.examine(s, fmt.Sprintf("%s, %v, commands %d", s.name, signal, which), clean, done)
}

// examine looks at what is there: the old state or a new one, complete. Clean says
// that nobody was killed, done that somebody says to have made a new one.
func (k *killing) examine(s *scenario, what string, clean, done bool) {
	k.t.Helper()
	defer func() { k.near.Check(k.t, ".") }()
	if left := k.leftBehind(); clean && len(left) > 0 {
		k.t.Errorf("%s: %v is left although nobody was killed", what, left)
	}
	r := cbkit(k.t, "", s.look...)
	if r.status != exitDone && strings.Contains(r.errOut, "cbkit recover") {
		k.recovered++
		mustRun(k.t, "recover", s.target)
		r = cbkit(k.t, "", s.look...)
	}
	state := slices.Index(s.results, r.out)
	if r.status != exitDone && !(state == 0 && s.fresh) || state < 0 {
		k.t.Errorf("%s: %v; there is %v", what, r.errOut, k.leftBehind())
		return
	}
	if done && state == 0 {
		k.t.Errorf("%s: a program says it has done its work, but the old state is there", what)
	}
	if state == 0 {
		k.isOld++
	} else {
		k.isNew++
	}
	// Recovering changes nothing of that, and clears what is left.
	if left := k.leftBehind(); len(left) > 0 {
		r := mustRun(k.t, "recover", s.target)
		for _, name := range left {
			if !strings.Contains(r.out, name) && exists(name) {
				k.t.Errorf("%s: %s is left, and recovering says %q", what, name, r.out)
			}
		}
		if again := cbkit(k.t, "", s.look...); !slices.Contains(s.results, again.out) || again.status != r.status && again.status == exitFailed && !s.fresh {
			k.t.Errorf("%s: after recovering: %v", what, again.errOut)
		}
	}
	if left := k.leftBehind(); len(left) > 0 {
		k.t.Errorf("%s: %v is left after recovering", what, left)
	}
	if ext := filepath.Ext(s.target); ext == ".jsonl" || ext == ".parquet" || !exists(s.target) {
		return
	}
	check := []string{"check", s.target}
	if filepath.Ext(s.target) == ".ctg" {
		check = []string{"book", "check", s.target}
	}
	if r := cbkit(k.t, "", append(check, "-q")...); r.status != exitDone {
		k.t.Errorf("%s: %s%s", what, r.out, r.errOut)
	}
	if filepath.Ext(s.target) == ".cbh" {
		if r := cbkit(k.t, "", "boosters", "--check", "-q", s.target); r.status != exitDone {
			k.t.Errorf("%s: %s%s", what, r.out, r.errOut)
		}
	}
}

// leftBehind lists what the program should not leave in the current folder.
func (k *killing) leftBehind() (names []string) {
	k.t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		k.t.Fatal(err)
	}
	for _, e := range entries {
		if strings.Contains(e.Name(), "cbkit-") && !k.near.Has(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names
}
