package check_test

import (
	"slices"
	"strings"
	"testing"

	"cbkit/check"
	"cbkit/internal/cbh"
)

// pad gives the games up to last default records in the .cbj file, as a newer
// program does that adds games to an old database.
func (d *damaged) pad(last int) {
	r := cbh.DefaultExtRecord()
	for id := 1; id <= last; id++ {
		d.put(".cbj", cbh.ExtHeaderSize+(id-1)*cbh.ExtRecordSize, r.Append(nil, cbh.ExtRecordSize)...)
	}
}

// What an old program has counted wrong is a note, also after a newer one has
// added games.
func TestPaddedOldDatabase(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(d *damaged)
		want   string
	}{
		{"new", func(*damaged) {}, "error .cbp live-count"},
		{"padded up to the newest game", func(d *damaged) { d.pad(sampleRecords - 1) }, "note .cbp live-count"},
		{"padded as a whole", func(d *damaged) { d.pad(sampleRecords) }, "note .cbp live-count"},
		{"a game in between", func(d *damaged) {
			kept := slices.Clone(d.files[".cbj"][cbh.ExtHeaderSize+2*cbh.ExtRecordSize:][:cbh.ExtRecordSize])
			d.pad(sampleRecords - 1)
			d.put(".cbj", cbh.ExtHeaderSize+2*cbh.ExtRecordSize, kept...)
		}, "error .cbp live-count"},
		{"a record like the default one among the newest", func(d *damaged) {
			kept := slices.Clone(d.files[".cbj"])
			d.pad(sampleRecords - 1)
			copy(d.files[".cbj"], kept[:cbh.ExtHeaderSize+cbh.ExtRecordSize])
		}, "error .cbp live-count"},
	} {
		d := sample(t)
		staleLive(d)
		c.change(d)
		list, _ := d.findings(check.Options{})
		if !slices.Contains(list, c.want) {
			t.Errorf("%s: %q, without %q", c.name, list, c.want)
		}
		// Default records do not tell who played for which team.
		if isOld := strings.HasPrefix(c.want, "note"); isOld && slices.Contains(list, "error .cbe reference-count") {
			t.Errorf("%s: %q", c.name, list)
		}
	}
}

// The header of an old database ends before its second counter.
func TestCounterBehindAnOldHeader(t *testing.T) {
	for value, want := range map[uint32]bool{0: true, sampleRecords + 1: true, 7: false} {
		d := sample(t)
		d.makeOld()
		d.putBE32(".cbh", 40, value)
		list, _ := d.findings(check.Options{})
		if sound := !slices.Contains(list, "error .cbh record-count"); sound != want {
			t.Errorf("%d: %q", value, list)
		}
	}
}
