package check_test

import (
	"slices"
	"testing"

	"cbkit/check"

	"github.com/google/go-cmp/cmp"
)

// fault is a kind of damage and all that a check must find then: "severity
// ending record code" for each finding, in any order.
type fault struct {
	name   string
	damage func(d *damaged)
	want   []string
}

// testFaults checks that each fault is found, and nothing else.
func testFaults(t *testing.T, faults []fault) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			d := sample(t)
			f.damage(d)
			got, full := d.findings(check.Options{})
			slices.Sort(got)
			want := slices.Sorted(slices.Values(f.want))
			if !cmp.Equal(got, want) {
				t.Errorf("%s", cmp.Diff(want, got))
			}
			for _, finding := range full {
				t.Logf("%v", finding)
			}
		})
	}
}

// allFaults are the faults of all tables.
func allFaults() []fault {
	return slices.Concat(fileFaults, headFaults, placeFaults, extFaults, contentFaults, annotationFaults,
		factFaults, treeFaults, useFaults, smallFileFaults)
}

func TestEnoughFaults(t *testing.T) {
	names := map[string]bool{}
	for _, f := range allFaults() {
		if names[f.name] {
			t.Errorf("two faults are called %q", f.name)
		}
		names[f.name] = true
	}
	if len(names) < 60 {
		t.Errorf("only %d faults", len(names))
	}
	t.Logf("%d faults", len(names))
}

// Every code of the table is found in at least one fault, and the other way
// round.
func TestEveryCodeHasAFault(t *testing.T) {
	found := map[string]bool{}
	for _, f := range allFaults() {
		d := sample(t)
		f.damage(d)
		_, full := d.findings(check.Options{})
		for _, finding := range full {
			found[finding.Code] = true
		}
	}
	for _, c := range check.CodesAbout(check.AboutDatabases) {
		if !found[c.Code] {
			t.Errorf("no fault leads to %q", c.Code)
		}
		delete(found, c.Code)
	}
	for code := range found {
		t.Errorf("%q is not in the table of codes", code)
	}
}

func TestFileFaults(t *testing.T)       { testFaults(t, fileFaults) }
func TestHeadFaults(t *testing.T)       { testFaults(t, headFaults) }
func TestPlaceFaults(t *testing.T)      { testFaults(t, placeFaults) }
func TestExtFaults(t *testing.T)        { testFaults(t, extFaults) }
func TestContentFaults(t *testing.T)    { testFaults(t, contentFaults) }
func TestAnnotationFaults(t *testing.T) { testFaults(t, annotationFaults) }
func TestFactFaults(t *testing.T)       { testFaults(t, factFaults) }
func TestTreeFaults(t *testing.T)       { testFaults(t, treeFaults) }
func TestUseFaults(t *testing.T)        { testFaults(t, useFaults) }
func TestSmallFileFaults(t *testing.T)  { testFaults(t, smallFileFaults) }
