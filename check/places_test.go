package check_test

import (
	"os"
	"path/filepath"
	"testing"

	"cbkit/check"
	"cbkit/internal/cbh"
	"cbkit/internal/testkit/must"
)

// Findings tell the place in the file, to the byte.
func TestFindingsHavePlaces(t *testing.T) {
	d := sample(t)
	player, tournament := &cbh.Players.EntityFile, &cbh.Tournaments.EntityFile
	moves, notes := d.place(".cbg", plainGame), d.place(".cba", 2)
	for _, c := range []struct {
		damage func(d *damaged)
		offset int
		field  string
	}{
		{func(d *damaged) { d.putBE32(".cbh", 40, 5) }, 40, "next id, repeated"},
		{func(d *damaged) { d.put(".cbh", head(3)+27, 9) }, head(3) + 27, "result"},
		{func(d *damaged) { d.put(".cbh", head(3)+45, 9) }, head(3) + 45, "move count"},
		{func(d *damaged) { d.put(".cbj", ext(3)+29, 0) }, ext(3) + 28, "checksum"},
		{func(d *damaged) { d.put(".cbg", 0, 1) }, 0, "header size"},
		{func(d *damaged) { d.put(".cbg", moves+5, 0x11) }, moves + 5, "moves"},
		{func(d *damaged) { d.put(".cbg", moves+1, 0, 0, 0) }, moves, "size"},
		{func(d *damaged) { d.put(".cba", notes+14+5, 0xFF) }, notes + 20, ""},
		{func(d *damaged) { d.put(".cba", notes+9, 5) }, notes + 7, "count"},
		{func(d *damaged) { d.put(".cbp", 8, 0) }, 8, "signature"},
		{func(d *damaged) { d.put(".cbp", 20, 9) }, 20, "live records"},
		{func(d *damaged) { d.put(".cbp", d.entity(player, 5)+8, 0xFE) }, d.entity(player, 5), "balance"},
		{func(d *damaged) { d.putLE32(".cbp", d.entity(player, 3)+59, 7) }, d.entity(player, 3), "count"},
		{func(d *damaged) { d.putLE32(".cbt", d.entity(tournament, 2)+79, 13<<5) }, d.entity(tournament, 2), "start date"},
		{func(d *damaged) { d.put(".cbtt", 32+20, 1) }, 32, ""},
		{func(d *damaged) { d.put(".cbm", 40, 'f') }, 32, ""},
	} {
		d := sample(t)
		c.damage(d)
		_, full := d.findings(check.Options{})
		if len(full) == 0 || full[0].Offset != int64(c.offset) || full[0].Field != c.field {
			t.Errorf("want %d (%s): %+v", c.offset, c.field, full)
		}
	}
}

// Files beyond 4 GiB have the true offsets in the 64-bit fields.
// (docs/formats/cbh-entities.md 10)
func TestBeyond4GiB(t *testing.T) {
	const far = 1<<32 + 26
	d := sample(t)
	text := append([]byte(nil), d.stored(".cbg", sampleRecords)...)
	end := d.place(".cbg", sampleRecords)
	h := cbh.NewBlockHeader(far+uint64(len(text)), far-uint64(end))
	d.put(".cbg", 0, h.Append(nil)...)
	d.files[".cbg"] = d.files[".cbg"][:end]
	d.putBE32(".cbh", head(sampleRecords)+1, far&0xFFFFFFFF)
	d.extValues(sampleRecords, func(r *cbh.ExtRecord) { r.MovesOffset = far })

	path := d.save()
	f := must.Get(os.OpenFile(filepath.Join(filepath.Dir(path), "sample.cbg"), os.O_WRONLY, 0))(t)
	defer f.Close()
	if _, err := f.WriteAt(text, far); err != nil {
		t.Skipf("no room for a file with a hole: %v", err)
	}
	made := check.Database(t.Context(), path, check.Options{})
	for f, err := range made.Findings() {
		if err != nil {
			break // Summary has it
		}
		t.Errorf("%v", f)
	}
	s, err := made.Summary()
	if err != nil || s.Records != sampleRecords {
		t.Errorf("%+v, %v", s, err)
	}
	r := must.Get(check.Verify(t.Context(), path, check.Options{Files: []string{"cbg"}}))(t)
	if g := r.Files[0]; g.Bytes != far+int64(len(text)) || g.Exact != g.Records-1 || g.Trash != 1 {
		t.Errorf("%+v", g.Tally)
	}

	h.SetSizes(far+1<<33, 0)
	must.Get(f.WriteAt(h.Append(nil), 0))(t)
	s, err = check.Database(t.Context(), path, check.Options{Files: []string{"cbg"}}).Summary()
	if err != nil || s.Codes["declared-size"] != 1 || s.Codes["hole-count"] != 1 {
		t.Errorf("%+v, %v", s, err)
	}
}

// A fault in one of many batches is found as well as in the first.
func TestManyBatches(t *testing.T) {
	const copies = 100
	d := sample(t)
	d.multiply(copies)
	if list, full := d.findings(check.Options{Jobs: 3}); len(list) > 0 {
		t.Fatal(full)
	}
	const last = copies * sampleRecords
	d.put(".cbh", head(last-sampleRecords+plainGame)+45, 9)
	d.put(".cbh", head(sampleRecords+plainGame)+9, 0, 1, 0)
	list, _ := d.findings(check.Options{Jobs: 3})
	if len(list) != 3 || list[0] != "error .cbh 15 reference-range" || list[1] != "error .cbh 1191 stale-move-count" {
		t.Errorf("%v", list)
	}
	r := d.verify(check.Options{Jobs: 3})
	for _, f := range r.Files {
		if f.Exact != f.Records {
			t.Errorf("%s: %+v", f.File, f.Tally)
		}
	}
	headers := r.File(".cbh")
	if headers.Records != last+1 || headers.Given != copies*(10*17+2*8) || len(headers.Parts) != 3 || headers.Parts[2].Records != 2*copies {
		t.Errorf("%+v", headers)
	}
}

// Progress tells the records in order, up to the last.
func TestProgress(t *testing.T) {
	d := sample(t)
	d.multiply(100)
	var told []int
	opt := check.Options{Progress: func(done, total int) {
		if total != 100*sampleRecords {
			t.Errorf("%d in all", total)
		}
		told = append(told, done)
	}}
	d.findings(opt)
	if len(told) != 3 || told[0] != 512 || told[1] != 1024 || told[2] != 1200 {
		t.Errorf("%v", told)
	}
}
