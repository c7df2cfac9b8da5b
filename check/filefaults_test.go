package check_test

import (
	"strings"

	"cbkit/internal/cbh"
	"cbkit/internal/testkit/gen"
)

// fileFaults are faults of files as a whole and of their headers.
var fileFaults = []fault{
	{"moves missing", func(d *damaged) { delete(d.files, ".cbg") }, []string{"error .cbg missing-file"}},
	{"players missing", func(d *damaged) { delete(d.files, ".cbp") }, []string{"error .cbp missing-file"}},
	{"main file missing", func(d *damaged) { delete(d.files, ".cbh") }, []string{"error .cbh missing-file"}},
	{"file that is none", func(d *damaged) {
		delete(d.files, ".flags")
		d.links = map[string]string{".flags": gen.Folder(d.t)}
	}, []string{"error .flags unreadable-file"}},

	{"signature of .cbh", func(d *damaged) { d.put(".cbh", 2, 45) }, []string{"error .cbh bad-header"}},
	{"version of .cbh", func(d *damaged) { d.put(".cbh", 5, 9) }, []string{"note .cbh unknown-version"}},
	{"next id too large", func(d *damaged) { d.putBE32(".cbh", 6, 20) }, []string{"error .cbh record-count"}},
	{"next id too small", func(d *damaged) { d.putBE32(".cbh", 6, sampleRecords) },
		[]string{"error .cbh record-count"}},
	{"next id of an empty database", func(d *damaged) { d.putBE32(".cbh", 6, 1) },
		[]string{"error .cbh record-count"}},
	{"next id stale in its repetition", func(d *damaged) { d.putBE32(".cbh", 40, 5) }, []string{"error .cbh record-count"}},
	{"reserved bytes of .cbh", func(d *damaged) { d.put(".cbh", 30, 1) }, []string{"note .cbh unknown-bits"}},
	{"bytes behind .cbh", func(d *damaged) { d.extend(".cbh", 10) }, []string{"note .cbh trailing-bytes"}},
	{"cut .cbh", func(d *damaged) { d.cut(".cbh", 6) },
		[]string{"error .cbh record-count", "error .cbh record-count", "note .cbh trailing-bytes", "error .cbj ext-count"}},

	{"header of .cbj", func(d *damaged) { d.putLE32(".cbj", 4, 0) }, []string{"error .cbj bad-header"}},
	{"version of .cbj", func(d *damaged) { d.putLE32(".cbj", 0, 12) }, []string{"note .cbj unknown-version"}},
	{"count of .cbj", func(d *damaged) { d.putLE32(".cbj", 8, 11) },
		[]string{"error .cbj ext-count", "note .cbj trailing-bytes"}},
	{"count of .cbj 0 beside its records", func(d *damaged) { d.putLE32(".cbj", 8, 0) },
		[]string{"error .cbj ext-count", "note .cbj trailing-bytes"}},
	{"count of .cbj too large", func(d *damaged) { d.putLE32(".cbj", 8, 13) },
		[]string{"error .cbj ext-count", "error .cbj cut-file"}},
	{"no records in .cbj", func(d *damaged) {
		d.putLE32(".cbj", 8, 0)
		d.cut(".cbj", len(d.files[".cbj"])-cbh.ExtHeaderSize)
	}, []string{
		"note .cbj ext-empty", "note .cbe reference-count", "note .cbl reference-count",
	}},
	{"cut .cbj", func(d *damaged) { d.cut(".cbj", 1) },
		[]string{"error .cbj cut-file", "note .cbl reference-count"}},

	{"header size of .cbg", func(d *damaged) { d.put(".cbg", 1, 27) }, []string{"error .cbg bad-header"}},
	{"declared size of .cbg", func(d *damaged) { d.putBE32(".cbg", 2, 5000) },
		[]string{"error .cbg declared-size", "note .cbg header-twins"}},
	{"declared size of .cba, 64 bits", func(d *damaged) { d.put(".cba", 10, 1) }, []string{"error .cba declared-size"}},
	{"bytes behind .cba", func(d *damaged) { d.extend(".cba", 14) }, []string{"note .cba trailing-bytes"}},
	{"unused bytes of .cbg in one field", func(d *damaged) { d.put(".cbg", 25, 7) }, []string{"note .cbg header-twins"}},
	{"unused bytes of .cba", func(d *damaged) { d.put(".cba", 9, 7); d.put(".cba", 25, 7) }, []string{"note .cba hole-count"}},
	{"cut .cbg", func(d *damaged) { d.cut(".cbg", 8) },
		[]string{"error .cbg declared-size", "error .cbg declared-size", "error .cbg 12 record-size"}},
	{"cut .cba", func(d *damaged) { d.cut(".cba", 1) },
		[]string{"error .cba declared-size", "error .cba declared-size", "error .cba 11 record-size"}},

	{"signature of .cbp", func(d *damaged) { d.put(".cbp", 8, 0) }, []string{"error .cbp bad-header"}},
	{"header length of .cbt", func(d *damaged) { d.put(".cbt", 24, 5) }, []string{"error .cbt bad-header"}},
	{"header length of .cbp, far too large", func(d *damaged) { d.put(".cbp", 27, 1) }, []string{"error .cbp bad-header"}},
	{"header length of .cbs, none", func(d *damaged) { d.put(".cbs", 24, 0) }, []string{"error .cbs bad-header"}},
	{"record size of .cbt", func(d *damaged) { d.putLE32(".cbt", 12, 91) }, []string{"error .cbt bad-header"}},
	{"capacity too small", func(d *damaged) {
		d.deletePlayers("Fischer")
		d.putLE32(".cbp", 0, 10)
	}, []string{"error .cbp record-count"}},
	{"capacity of 0", func(d *damaged) { d.putLE32(".cbp", 0, 0) }, []string{"error .cbp record-count"}},
	{"capacity too large", func(d *damaged) { d.putLE32(".cbp", 0, 11) }, []string{"error .cbp cut-file"}},
	{"bytes behind .cbs", func(d *damaged) { d.extend(".cbs", 1) }, []string{"note .cbs trailing-bytes"}},
	{"cut .cbs", func(d *damaged) { d.cut(".cbs", 1) }, []string{
		"error .cbs cut-file", "error .cbs 0 tree-link", "error .cbs live-count",
		"error .cbh 3 reference-range", "error .cbh 6 reference-range", "error .cbh 9 reference-range",
	}},
}

// smallFileFaults are faults of the files that are read as a whole.
var smallFileFaults = []fault{
	{"header of .cbtt", func(d *damaged) { d.putLE32(".cbtt", 4, 0) }, []string{"error .cbtt bad-header"}},
	{"version of .cbtt", func(d *damaged) { d.putLE32(".cbtt", 0, 9) }, []string{"note .cbtt unknown-version"}},
	{"highest tournament", func(d *damaged) {
		for range 4 {
			d.files[".cbtt"] = append(d.files[".cbtt"], d.files[".cbtt"][32:97]...)
		}
		d.putLE32(".cbtt", 8, 4)
	}, []string{"note .cbtt tournament-extra"}},
	{"cut .cbtt", func(d *damaged) { d.cut(".cbtt", 1) }, []string{"error .cbtt cut-file"}},
	{"bytes behind .cbtt", func(d *damaged) { d.extend(".cbtt", 3) }, []string{"note .cbtt trailing-bytes"}},
	{"end date of a tournament", func(d *damaged) { d.putBE32(".cbtt", 32+61, 1959<<9|13<<5) }, []string{"note .cbtt 0 bad-date"}},
	{"garbage in .cbtt", func(d *damaged) { copy(d.files[".cbtt"][32:97], strings.Repeat("\xCD", 65)) }, []string{"note .cbtt 0 tournament-extra"}},
	{"pattern of .cbtt", func(d *damaged) { d.put(".cbtt", 32+20, 1) }, []string{"note .cbtt 0 tournament-extra"}},

	{"header of .cbm", func(d *damaged) { d.putLE32(".cbm", 4, 3) }, []string{"error .cbm bad-header"}},
	{"cut .cbm", func(d *damaged) { d.cut(".cbm", 1000) }, []string{"error .cbm cut-file"}},
	{"media list", func(d *damaged) { d.put(".cbm", 40, 'f') }, []string{"note .cbm 0 media-record"}},
	{"media list longer than the file", func(d *damaged) { d.putLE32(".cbm", 36, 2) }, []string{"note .cbm 0 media-record"}},
	{"no media lists", func(d *damaged) {
		d.cut(".cbm", 1024)
		d.putLE32(".cbm", 8, 0)
	}, []string{"error .cbj 5 media-offset"}},
	{"no .cbm", func(d *damaged) { delete(d.files, ".cbm") }, []string{"note .cbm missing-optional-file"}},

	{"header of .flags", func(d *damaged) { d.files[".flags"] = make([]byte, 76) }, []string{"error .flags bad-header"}},
	{"value in .flags", func(d *damaged) {
		e := cbh.NewExamined(sampleRecords)
		e.Set(sampleRecords, 1)
		d.files[".flags"] = e.Append(nil)
	}, []string{"note .flags 12 examined-value"}},
	{"cut .flags", func(d *damaged) {
		d.files[".flags"] = cbh.NewExamined(sampleRecords).Append(nil)
		d.cut(".flags", 4)
	}, []string{"error .flags cut-file"}},
}
