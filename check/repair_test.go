package check_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/check"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// Every code of a check says what a repair does about it, once.
func TestEveryCodeHasARuling(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range check.CodesAbout(check.AboutDatabases, check.AboutBoosters, check.AboutScid) {
		if by, unless := c.Repair(); seen[c.Code] || by == "" && unless == "" {
			t.Errorf("%s is there before, or the ruling says nothing", c.Code)
		}
		seen[c.Code] = true
	}
}

// halves are faults of which a part can be repaired, with what is left then.
var halves = map[string][]string{
	// The size of the annotations counts, however they are stored.
	"zero behind symbols": {"note .cba 11 annotation-form"},
	// An empty .cbj file is no fault.
	"live count with an empty .cbj": {"note .cbj ext-empty"},
}

// otherContent are faults that are repaired, but come with another content of the
// database: that is kept, whatever there was before.
var otherContent = []string{
	"renamed in place", "annotations without their flags",
	"checksum in version 4", "offset of the annotations in version 3", "offset of the moves in version 6", // older: no titles
}

// TestRepairOfFaults injects all faults: each is repaired, so that a check finds
// nothing and all games are what they were before the fault, or it is left alone
// byte for byte, with the reason for each finding. What could be read before can
// be read afterwards, and a second repair changes nothing.
func TestRepairOfFaults(t *testing.T) {
	repaired, left := 0, 0
	faults := allFaults()
	for i := range crashfs.Tried(len(faults), 5, 1) {
		f := faults[i]
		t.Run(f.name, func(t *testing.T) {
			sound, d := sample(t), sample(t)
			if strings.Contains(f.name, "old file") {
				sound.makeOld()
			}
			f.damage(d)
			path := d.save()
			before, readable := folderOf(t, path), recordsOf(path)
			found, changes := repairOf(t, path)
			after := folderOf(t, path)
			switch {
			case len(found) == 0:
				repaired++
				want := recordsOf(sound.save())
				if slices.Contains(otherContent, f.name) {
					want = readable
				}
				if diff := want.differences(recordsOf(path)); len(diff) > 0 {
					t.Errorf("records %v are not what they were before the fault", diff)
				}
			case halves[f.name] != nil:
				repaired++
				if !slices.Equal(found, halves[f.name]) {
					t.Errorf("left are %v", found)
				}
			default:
				left++
				if changes > 0 || !sameFiles(before, after) {
					t.Errorf("left are %v, but %d changes were made", found, changes)
				}
			}
			if lost := readable.lostIn(recordsOf(path), recordsOf(sound.save())); len(lost) > 0 {
				t.Errorf("records %v could be read before", lost)
			}
			if _, again := repairOf(t, path); again > 0 || !sameFiles(after, folderOf(t, path)) {
				t.Errorf("a second repair made %d changes", again)
			}
		})
	}
	t.Logf("%d faults are repaired, %d left alone", repaired, left)
}

// repairOf repairs a database and returns what is left, as faults have it, and
// the number of changes.
func repairOf(t *testing.T, path string) (left []string, changes int) {
	t.Helper()
	opt := write.RepairOptions{
		Repaired: func(c write.Repaired) { changes++; t.Logf("repaired: %+v", c) },
		Left: func(f check.Finding, why string) {
			if why == "" {
				t.Errorf("%v: no reason why it is left", f)
			}
			left = append(left, findingLine(&f))
		},
	}
	r, err := write.Repair(context.Background(), path, opt)
	if err != nil {
		if _, err := read.FindFiles(path); err == nil && strings.Contains(t.Name(), "main_file_missing") {
			return []string{"error .cbh missing-file"}, 0
		}
		t.Fatal(err)
	}
	n := 0
	for _, k := range r.Repaired {
		n += k
	}
	if n != changes || len(left) != r.Left.Errors+r.Left.Notes {
		t.Errorf("%d changes and %d findings, the result has %d and %d", changes, len(left), n, r.Left.Errors+r.Left.Notes)
	}
	return left, changes
}

// readRecords are the records of a database that can be read, by number; nil if
// it cannot be opened.
type readRecords struct {
	list   map[model.RecordID]model.Record
	tables *model.Entities
}

func recordsOf(path string) readRecords {
	db, err := read.Open(path, read.Options{})
	if err != nil {
		return readRecords{}
	}
	defer db.Close()
	r := readRecords{map[model.RecordID]model.Record{}, db.Entities()}
	for id := model.RecordID(1); int(id) <= db.Count(); id++ {
		rec, err := db.Record(context.Background(), id, model.WantMoves|model.WantAnnotations)
		if err == nil {
			r.list[id] = rec.Clone()
		}
	}
	return r
}

// nameless returns the records without their headers.
func (r readRecords) nameless() readRecords {
	for _, rec := range r.list {
		if rec.Game != nil {
			rec.Game.Header = model.NewHeader()
		}
	}
	return r
}

// isWhole reports whether all of a record could be read.
func isWhole(rec *model.Record) bool { return len(rec.Faults()) == 0 }

// equal reports whether another database has an equal record.
func (r readRecords) equal(id model.RecordID, other readRecords) bool {
	a, b := r.list[id], other.list[id]
	return (a.Game != nil || a.Text != nil) && (b.Game != nil || b.Text != nil) && model.EqualRecords(a, r.tables, b, other.tables)
}

// differences lists the records that are not equal in both databases.
func (r readRecords) differences(other readRecords) (ids []model.RecordID) {
	for _, id := range slices.Sorted(maps.Keys(r.list)) {
		if !r.equal(id, other) {
			ids = append(ids, id)
		}
	}
	if len(r.list) != len(other.list) {
		ids = append(ids, -1)
	}
	return ids
}

// lostIn lists the records that could be read as a whole before, and can be so no
// more, or are neither what they were nor what they should be.
func (r readRecords) lostIn(after, sound readRecords) (ids []model.RecordID) {
	for _, id := range slices.Sorted(maps.Keys(r.list)) {
		if rec := r.list[id]; isWhole(&rec) && !r.equal(id, after) && !sound.equal(id, after) {
			ids = append(ids, id)
		}
	}
	return ids
}

// folderOf reads the files beside a path.
func folderOf(t *testing.T, path string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	list := must.Get(filepath.Glob(filepath.Join(filepath.Dir(path), "*")))(t)
	for _, name := range list {
		if b, err := os.ReadFile(name); err == nil {
			files[filepath.Base(name)] = b
		}
	}
	return files
}

// sameFiles compares files byte by byte.
func sameFiles(a, b map[string][]byte) bool {
	return maps.EqualFunc(a, b, func(x, y []byte) bool { return string(x) == string(y) })
}

// TestRepairOfBoosterFaults drops boosters that are wrong or out of date; made
// anew they are as they were.
func TestRepairOfBoosterFaults(t *testing.T) {
	for i, f := range boosterFaults {
		if testing.Short() && i%6 > 0 {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			files := boostedSample(t)
			f.do(files)
			path := save(t, files)
			var wrong []string
			made := check.Database(t.Context(), path, check.Options{})
			for f, err := range made.Findings() {
				if err != nil {
					break // Summary has it
				}
				if f.Severity == check.Error || f.Code == "booster-stale" {
					wrong = append(wrong, f.Code)
				}
			}
			must.Get(made.Summary())(t)
			before := folderOf(t, path)
			r, err := write.Repair(t.Context(), path, write.RepairOptions{Left: func(f check.Finding, why string) {
				if why == "" || f.Severity == check.Error && f.Code != "missing-file" {
					t.Errorf("left: %v (%q)", f, why)
				}
			}})
			if err != nil {
				t.Fatal(err)
			}
			if len(wrong) == 0 && len(r.Repaired) > 0 && r.Repaired["first-reference"]+r.Repaired["reference-count"] == 0 {
				t.Errorf("nothing was wrong, but %v is repaired", r.Repaired)
			}
			if len(r.Repaired) == 0 && !sameFiles(before, folderOf(t, path)) {
				t.Error("files have changed though nothing was repaired")
			}
			if _, again := repairOf(t, path); again > 0 {
				t.Errorf("a second repair made %d changes", again)
			}
			if files[".cbg"] == nil {
				return
			}
			must.Get(write.Boosters(t.Context(), path, write.BoosterOptions{}))(t)
			left, _ := repairOf(t, path)
			if slices.ContainsFunc(left, func(line string) bool { return strings.HasPrefix(line, "error") }) {
				t.Errorf("with new boosters there is %v", left)
			}
		})
	}
}

// TestRepairOfRealDatabases repairs copies of what ChessBase wrote: all records are
// what they were, and a second repair changes nothing.
func TestRepairOfRealDatabases(t *testing.T) {
	for _, name := range []string{"hedgehog/Hedgehog.cbh", "mate2/Mate2.cbh", "small/small.cbh", "twic1134/twic1134.cbh",
		"cbh_test/cbh_test.cbh", "cbh_cbj_test/cbh_cbj_test.cbh", "world-ch/World-ch.cbh"} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && strings.HasPrefix(name, "twic") {
				t.Skip("it is large")
			}
			path := copied(t, corpus.Path(t, "cbh/"+name))
			before := recordsOf(path)
			changes, codes := 0, map[string]int{}
			for range 2 {
				changes = 0
				r := must.Get(write.Repair(t.Context(), path, write.RepairOptions{Repaired: func(write.Repaired) { changes++ }}))(t)
				for code, n := range r.Repaired {
					codes[code] += n
				}
				if max := strings.Count(name, "World"); r.Left.Errors > max {
					t.Errorf("%d errors are left: %v", r.Left.Errors, r.Left.Codes)
				}
			}
			if changes > 0 {
				t.Errorf("the second repair made %d changes", changes)
			}
			if diff := before.differences(recordsOf(path)); len(diff) > 0 {
				t.Errorf("records %v are not what they were", diff)
			}
			t.Logf("repaired: %v", codes)
		})
	}
}

// copied copies the files of a database to a folder of its own.
func copied(t *testing.T, path string) string {
	t.Helper()
	dir := gen.Folder(t)
	for name, b := range folderOf(t, path) {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), b, 0o644))
	}
	return filepath.Join(dir, filepath.Base(path))
}

// TestRepairOfRandomDamage changes bytes anywhere: no panic, no record that could
// be read before is lost, and a second repair changes nothing.
func TestRepairOfRandomDamage(t *testing.T) {
	runs := 200
	if testing.Short() {
		runs = 15
	}
	for n := range runs {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(n), 13))
			d := sample(t)
			names := slices.Sorted(maps.Keys(d.files))
			for range 1 + r.IntN(4) {
				name := names[r.IntN(len(names))]
				b := d.files[name]
				at := r.IntN(len(b))
				switch r.IntN(4) {
				case 0:
					d.files[name] = b[:at+1]
				case 1:
					clear(b[at:min(at+r.IntN(60), len(b))])
				default:
					b[at] ^= 1 << r.IntN(8)
				}
			}
			path := d.save()
			before := recordsOf(path)
			result := must.Get(write.Repair(t.Context(), path, write.RepairOptions{}))(t)
			sound, now := recordsOf(sample(t).save()), recordsOf(path)
			if result.Repaired["bad-header"] > 0 { // names may have come back
				before, sound, now = before.nameless(), sound.nameless(), now.nameless()
			}
			if lost := before.lostIn(now, sound); len(lost) > 0 {
				t.Errorf("records %v could be read before", lost)
			}
			after := folderOf(t, path)
			if _, again := repairOf(t, path); again > 0 || !sameFiles(after, folderOf(t, path)) {
				t.Errorf("a second repair made %d changes", again)
			}
		})
	}
}
