package check_test

import (
	"testing"

	"cbkit/internal/cbh"
)

// headFaults are faults of the values in .cbh records and entities.
var headFaults = []fault{
	{"record not in use", func(d *damaged) { d.put(".cbh", head(3), 0) }, []string{"error .cbh 3 record-type"}},
	{"unknown type", func(d *damaged) { d.put(".cbh", head(3), 0x11) }, []string{"note .cbh 3 unknown-bits"}},
	{"month of a game", func(d *damaged) { d.put(".cbh", head(3)+25, 0x8D, 0xC3) }, []string{"note .cbh 3 bad-date"}},
	{"bits of a date", func(d *damaged) { d.put(".cbh", head(3)+24, 0x8F) }, []string{"note .cbh 3 unknown-bits"}},
	{"result", func(d *damaged) { d.put(".cbh", head(3)+27, 9) }, []string{"note .cbh 3 bad-result"}},
	{"opening", func(d *damaged) { d.put(".cbh", head(3)+35, 0xFB, 0x7F) }, []string{"note .cbh 3 bad-eco"}},
	{"opening behind E99", func(d *damaged) { d.put(".cbh", head(3)+35, 0xFB, 0) }, []string{"note .cbh 3 bad-eco"}},
	{"sub-code of an opening", func(d *damaged) { d.put(".cbh", head(3)+35, 0x0F, 0xE4) }, []string{"note .cbh 3 bad-eco"}},
	{"line evaluation", func(d *damaged) { d.put(".cbh", head(3)+28, 14) }, []string{"note .cbh 3 line-evaluation"}},
	{"reserved bytes of a text", func(d *damaged) { d.put(".cbh", head(mediaText)+40, 1) }, []string{"note .cbh 5 unknown-bits"}},
	{"flag of a text", func(d *damaged) { d.putBE32(".cbh", head(mediaText)+18, 0) }, []string{"note .cbh 5 text-flags"}},

	{"month of a tournament", func(d *damaged) {
		at := d.entity(&cbh.Tournaments.EntityFile, 2) + 9 + 70
		d.putLE32(".cbt", at, 1934<<9|14<<5)
	}, []string{"note .cbt 2 bad-date"}},
	{"month of a source", func(d *damaged) {
		at := d.entity(&cbh.Sources.EntityFile, 0) + 9 + 41
		d.putLE32(".cbs", at, 1966<<9|15<<5)
	}, []string{"note .cbs 0 bad-date"}},
	{"Russian name", func(d *damaged) {
		// Zukertort, who is last in any case.
		d.put(".cbp", d.entity(&cbh.Players.EntityFile, 6)+9, 0xD6, 0xF3, 0xEA, 0xE5, 0xF0, 0xF2, 0xEE, 0xF0, 0xF2)
	}, []string{"note .cbp code-page"}},

	{"player out of range", func(d *damaged) { d.put(".cbh", head(3)+9, 0, 0, 10) },
		[]string{"error .cbh 3 reference-range", "error .cbp 2 reference-count"}},
	{"no player", func(d *damaged) { d.put(".cbh", head(3)+9, 0xFF, 0xFF, 0xFF) },
		[]string{"error .cbh 3 reference-range", "error .cbp 2 reference-count"}},
	{"tournament out of range", func(d *damaged) { d.put(".cbh", head(3)+15, 1, 0, 0) },
		[]string{"error .cbh 3 reference-range", "error .cbt 2 reference-count", "error .cbt 2 first-reference"}},
	{"source of a text out of range", func(d *damaged) { d.put(".cbh", head(12)+10, 0, 0, 99) },
		[]string{"error .cbh 12 reference-range", "error .cbs 1 reference-count"}},
	{"deleted player", func(d *damaged) {
		d.deletePlayers("Fischer")
		d.put(".cbh", head(3)+12, 0, 0, 10)
	}, []string{"error .cbh 3 reference-deleted", "error .cbp 3 reference-count", "error .cbp 3 first-reference"}},
	{"team out of range", func(d *damaged) { d.extValues(3, func(r *cbh.ExtRecord) { r.WhiteTeam = 4 }) },
		[]string{"error .cbj 3 reference-range", "error .cbe 3 reference-count", "error .cbe 3 first-reference"}},
	{"title out of range", func(d *damaged) { d.extValues(3, func(r *cbh.ExtRecord) { r.GameTitle = -7 }) },
		[]string{"error .cbj 3 reference-range", "error .cbl 0 reference-count"}},
}

// placeFaults are faults of where the parts of a record lie.
var placeFaults = []fault{
	{"moves in the header", func(d *damaged) { d.setPlace(".cbg", 12, 25) },
		[]string{"error .cbg 12 offset-outside"}},
	{"moves past the end", func(d *damaged) { d.setPlace(".cbg", 12, 997-3) },
		[]string{"error .cbg 12 offset-outside"}},
	{"annotations past the end", func(d *damaged) { d.setPlace(".cba", 11, 1<<30) },
		[]string{"error .cba 11 offset-outside"}},
	{"moves beyond 4 GiB", func(d *damaged) {
		d.extValues(12, func(r *cbh.ExtRecord) { r.MovesOffset += 1 << 32 })
	}, []string{"error .cbg 12 offset-outside"}},
	{"size 0", func(d *damaged) { d.put(".cbg", d.place(".cbg", 3)+1, 0, 0, 0) },
		[]string{"error .cbg 3 record-size"}},
	{"size past the end", func(d *damaged) { d.put(".cbg", d.place(".cbg", 12)+1, 0xFF, 0, 0) },
		[]string{"error .cbg 12 record-size"}},
	{"size of annotations past the end", func(d *damaged) { d.put(".cba", d.place(".cba", 11)+10, 0xFF) },
		[]string{"error .cba 11 record-size"}},
	{"size of annotations less than their head", func(d *damaged) { d.putBE32(".cba", d.place(".cba", 11)+10, 13) },
		[]string{"error .cba 11 record-size"}},
	{"games swapped", func(d *damaged) {
		one, two := d.place(".cbg", twinOne), d.place(".cbg", twinTwo)
		d.setPlace(".cbg", twinOne, two)
		d.setPlace(".cbg", twinTwo, one)
	}, []string{"error .cbg 10 descending"}},
	{"two games in one place", func(d *damaged) { d.setPlace(".cbg", twinTwo, d.place(".cbg", twinOne)) },
		[]string{"error .cbg 10 overlap"}},
	{"annotations in one place", func(d *damaged) {
		d.setPlace(".cba", 2, d.place(".cba", 1))
		copy(d.files[".cbh"][head(2)+37:head(2)+45], d.files[".cbh"][head(1)+37:])
		d.put(".cbh", head(2)+42, 0x3D) // its own starting position
	}, []string{
		"error .cba 2 overlap", "note .cba 2 annotation-head", "note .cba 2 annotation-position",
	}},
	{"many games in one place", func(d *damaged) {
		// A large record, at the end of the file, that four games share.
		rec := append([]byte(nil), d.stored(".cbg", twinOne)...)
		rec = append(rec, make([]byte, 1<<21)...)
		rec[1], rec[2], rec[3] = byte(len(rec)>>16), byte(len(rec)>>8), byte(len(rec))
		at := len(d.files[".cbg"])
		d.files[".cbg"] = append(d.files[".cbg"], rec...)
		size := uint64(len(d.files[".cbg"]))
		h := cbh.NewBlockHeader(size, 0)
		d.put(".cbg", 0, h.Append(nil)...)
		for _, id := range []int{3, 6, twinOne, twinTwo} {
			d.setPlace(".cbg", id, at)
			copy(d.files[".cbh"][head(id)+37:head(id)+46], d.files[".cbh"][head(twinOne)+37:])
			d.extValues(id, func(r *cbh.ExtRecord) { r.Material = [2]uint32{0x8292, 0x8292} })
		}
	}, []string{
		"note .cbg 3 move-trailer", "error .cbg 4 descending", "error .cbg 5 descending",
		"note .cbg 6 move-trailer", "error .cbg 6 overlap", "error .cbg 7 descending", "error .cbg 8 descending",
		"error .cbg 9 not-examined", "error .cbg 9 overlap", "error .cbg 10 not-examined", "error .cbg 10 overlap",
		"error .cbg 11 descending", "error .cbg 12 descending",
	}},
}

// extFaults are faults of .cbj records.
var extFaults = []fault{
	{"checksum", func(d *damaged) { d.put(".cbj", ext(3)+29, 0) }, []string{"error .cbj 3 checksum"}},
	{"checksum in version 4", func(d *damaged) {
		d.shorten(4, 30)
		d.put(".cbj", cbh.ExtHeaderSize+2*30+29, 0)
	}, []string{"error .cbj 3 checksum"}},
	{"offset of the annotations in version 3", func(d *damaged) {
		d.shorten(3, 20)
		d.put(".cbj", cbh.ExtHeaderSize+19, 25)
	}, []string{"error .cbj 1 offset-twins"}},
	{"offset of the moves in version 6", func(d *damaged) {
		d.shorten(6, 38)
		d.put(".cbj", cbh.ExtHeaderSize+37, 25)
	}, []string{"error .cbj 1 offset-twins"}},
	{"offset of the moves", func(d *damaged) {
		d.extValues(3, func(r *cbh.ExtRecord) { r.MovesOffset++ })
	}, []string{"error .cbj 3 offset-twins"}},
	{"no offset of the moves", func(d *damaged) {
		d.extValues(3, func(r *cbh.ExtRecord) { r.MovesOffset = 0 })
	}, []string{"error .cbj 3 offset-twins"}},
	{"offset of the annotations", func(d *damaged) {
		d.extValues(1, func(r *cbh.ExtRecord) { r.AnnotationsOffset-- })
	}, []string{"error .cbj 1 offset-twins"}},
	{"media list of a text", func(d *damaged) {
		d.extValues(mediaText, func(r *cbh.ExtRecord) { r.Media = 41 })
	}, []string{"error .cbj 5 media-offset"}},
	{"media list of a game", func(d *damaged) {
		d.extValues(3, func(r *cbh.ExtRecord) { r.Media = 40 })
	}, []string{"note .cbj 3 misplaced-field"}},
	{"no media of an extract", func(d *damaged) {
		d.extValues(3, func(r *cbh.ExtRecord) { r.Media = 0 })
	}, nil},
	{"teams of a text", func(d *damaged) {
		d.extValues(mediaText, func(r *cbh.ExtRecord) { r.BlackTeam = 0 })
	}, []string{"note .cbj 5 misplaced-field"}},
}

// useFaults are faults of the references that entities count.
var useFaults = []fault{
	{"count of a player", func(d *damaged) { d.putLE32(".cbp", d.entity(&cbh.Players.EntityFile, 3)+9+50, 9) },
		[]string{"error .cbp 3 reference-count"}},
	{"count of a title", func(d *damaged) { d.putLE32(".cbl", d.entity(&cbh.GameTitles.EntityFile, 1)+9+1600, 6) },
		[]string{"error .cbl 1 reference-count"}},
	{"first game of a player", func(d *damaged) { d.putLE32(".cbp", d.entity(&cbh.Players.EntityFile, 3)+9+54, 9) },
		[]string{"error .cbp 3 first-reference"}},
	{"unused player", func(d *damaged) { d.addPlayers("Kasparov") }, []string{"error .cbp 10 unused-entity"}},
	{"unused player with a count", func(d *damaged) {
		d.addPlayers("Kasparov")
		d.putLE32(".cbp", d.entity(&cbh.Players.EntityFile, 10)+9+50, 3)
	}, []string{"error .cbp 10 reference-count"}},
	{"unused empty player with a count", func(d *damaged) {
		d.addPlayers("")
		d.putLE32(".cbp", d.entity(&cbh.Players.EntityFile, 10)+9+50, 77)
	}, []string{"note .cbp 10 reference-count"}},
	{"two unused empty players", func(d *damaged) { d.addPlayers("", "") },
		[]string{"error .cbp 10 unused-entity", "error .cbp 11 unused-entity"}},
}

// TestOverlapOfOneByte: a record that begins with the last byte of the one
// before it is inside it, one that begins right behind it is not.
func TestOverlapOfOneByte(t *testing.T) {
	testFaults(t, []fault{
		{"a record that is one byte too long", func(d *damaged) {
			at := d.place(".cbg", twinOne)
			d.put(".cbg", at+3, d.files[".cbg"][at+3]+1)
		}, []string{"note .cbg 9 move-trailer", "error .cbg 10 overlap"}},
	})
}
