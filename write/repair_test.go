package write

import (
	"encoding/binary"
	"slices"
	"testing"

	"cbkit/check"
	"cbkit/internal/cbh"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
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
		return must.Get(Repair(t.Context(), "games.cbh", opt))(t)
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
