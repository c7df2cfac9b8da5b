package write

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"cbkit/check"
	"cbkit/internal/cbh"
	"cbkit/internal/journal"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/neighbours"
)

// damagedDisk returns a disk with a database that has many faults, all of which
// can be repaired.
func damagedDisk(t testing.TB) *crashfs.FS {
	t.Helper()
	disk := crashFiles(t)
	head := func(id int) []byte { return disk[".cbh"][id*cbh.RecordSize:] }
	ext := func(id int) []byte { return disk[".cbj"][cbh.ExtHeaderSize+(id-1)*cbh.ExtRecordSize:] }
	disk[".cbh"][9]++                                    // the number of records
	head(1)[42] ^= 0x0C                                  // flags
	head(2)[45]++                                        // the number of moves
	head(4)[0] = 0                                       // not in use
	ext(3)[29]++                                         // a checksum
	ext(6)[37]++                                         // a place of moves
	disk[".cbg"][1] = 27                                 // the size of a header
	disk[".cba"][9]++                                    // unused bytes
	disk[".cbp"][20]++                                   // the number of live players
	at := cbh.EntityHeaderSize + 4                       // the first player
	binary.LittleEndian.PutUint32(disk[".cbp"][at:], 99) // has an impossible link
	disk[".cbp"][at+cbh.Players.RecordSize()-8]++        // and another count
	disk[".cib"][20] ^= 0xFF                             // a list
	out := crashfs.New()
	for name, b := range disk {
		out.WriteFile("games"+name, b)
	}
	neighbours.On(out, "games.cbh")
	return out
}

// crashFiles returns the files of the database on crashDisk by their endings.
func crashFiles(t testing.TB) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for name, b := range neighbours.On(crashfs.New(), "games.cbh").Without(crashDisk(t, true).Files()) {
		files[name[len("games"):]] = slices.Clone(b)
	}
	return files
}

// repairOn repairs the database on a disk.
func repairOn(disk *crashfs.FS, memory int) error {
	_, err := Repair(context.Background(), "games.cbh", RepairOptions{files: disk, Memory: memory, Jobs: 1})
	return err
}

// TestRepairAll repairs a database with faults of all kinds at once. A dry run
// tells the same and touches nothing; a second repair changes nothing.
func TestRepairAll(t *testing.T) {
	disk := damagedDisk(t)
	before := disk.Files()
	var dry, real []Repaired
	run := func(opt RepairOptions, to *[]Repaired) RepairResult {
		t.Helper()
		opt.files = disk
		opt.Repaired = func(c Repaired) { *to = append(*to, c) }
		opt.Left = func(f check.Finding, why string) {
			if f.Severity == check.Error {
				t.Errorf("left: %v (%s)", f, why)
			}
		}
		r, err := Repair(t.Context(), "games.cbh", opt)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if run(RepairOptions{DryRun: true}, &dry); !crashfs.Same(before, disk.Files()) {
		t.Error("a dry run has changed something")
	}
	r := run(RepairOptions{}, &real)
	if !slices.Equal(dry, real) || len(real) < 15 {
		t.Errorf("%d changes, a dry run tells %d", len(real), len(dry))
	}
	if !slices.Contains(r.DroppedBoosters, "games.cib") || !slices.Contains(r.DroppedBoosters, "games.cbb") {
		t.Errorf("dropped are %v", r.DroppedBoosters)
	}
	after := disk.Files()
	sound := crashFiles(t)
	for _, ext := range []string{".cbg", ".cba", ".cbj", ".cbh", ".cbp"} {
		if string(after["games"+ext]) != string(sound[ext]) {
			t.Errorf("%s is not what it was before the faults", ext)
		}
	}
	var again []Repaired
	if run(RepairOptions{}, &again); len(again) > 0 || !crashfs.Same(after, disk.Files()) {
		t.Errorf("a second repair made %d changes", len(again))
	}
}

// TestRepairCrashAtEveryCall stops the machine at every call of a repair: the
// next repair's predecessor finds the old database or the new one, byte for byte.
func TestRepairCrashAtEveryCall(t *testing.T) {
	before := damagedDisk(t)
	old := before.Files()
	points, outcomes := 0, [2]int{}
	for _, memory := range []int{0, 1} {
		whole := before.Clone()
		if err := repairOn(whole, memory); err != nil {
			t.Fatal(err)
		}
		fresh := whole.Files()
		r := rand.New(rand.NewPCG(13, uint64(memory)))
		counting := before.Clone()
		counting.Plan(nil)
		_ = repairOn(counting, memory)
		for n := range counting.Calls() {
			if r.Uint64N(crashfs.Of(31, 7, 1)) > 0 {
				continue
			}
			for _, lost := range []bool{false, true} {
				disk := before.Clone()
				disk.StrictNames()
				disk.CrashAt(n, lost)
				err := repairOn(disk, memory)
				if err != nil && !errors.Is(err, crashfs.ErrInjected) {
					t.Fatalf("call %d: %v", n, err)
				}
				for how, after := range disk.Restarts(r) {
					points++
					where := fmt.Sprintf("memory %d, call %d, lost %v, %s", memory, n, lost, how)
					if err := editOn(after, func(*Editor) error { return nil }, 0); err != nil && !after.Is(old) {
						t.Errorf("%s: %v", where, err)
						continue
					}
					switch {
					case err != nil && after.Is(old): // it was not said to be done
						outcomes[0]++
					case after.Is(fresh):
						outcomes[1]++
					default:
						t.Errorf("%s: neither the old database nor the new one: %v", where, crashfs.Differing(after.Files(), old, fresh))
					}
				}
			}
		}
	}
	t.Logf("%d points: %d gave the old database, %d the new one", points, outcomes[0], outcomes[1])
	if outcomes[0] == 0 || outcomes[1] == 0 {
		t.Error("only one of the two was met")
	}
}

// TestRepairFailure lets every call fail once: the repair fails and the old
// database is there, or it is done.
func TestRepairFailure(t *testing.T) {
	before := damagedDisk(t)
	old := before.Files()
	whole := before.Clone()
	if err := repairOn(whole, 1); err != nil {
		t.Fatal(err)
	}
	fresh := whole.Files()
	counting := before.Clone()
	counting.Plan(nil)
	_ = repairOn(counting, 1)
	for n := range counting.Calls() {
		if step := int(crashfs.Of(61, 7, 1)); n%step != 3%step {
			continue
		}
		disk := before.Clone()
		disk.FailAt(n)
		err := repairOn(disk, 1)
		disk.Plan(nil)
		if left, _ := journal.Interrupted(disk, "games.cbh"); left != "" {
			t.Errorf("call %d: a journal is left", n)
		}
		_ = editOn(disk, func(*Editor) error { return nil }, 0) // tidies
		if !disk.Is(fresh) && (err == nil || !disk.Is(old)) {
			t.Errorf("call %d: %v: %v", n, err, crashfs.Differing(disk.Files(), old, fresh))
		}
	}
}
