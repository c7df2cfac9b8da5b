package check_test

import (
	"bytes"
	"slices"
	"testing"

	"cbkit/avl"
	"cbkit/internal/cbh"
	"cbkit/internal/testkit/must"
	"cbkit/internal/wire"
)

// unusual are databases that programs really leave behind: nothing in them is
// an error, and few things are worth a note.
var unusual = []struct {
	name   string
	change func(d *damaged)
	notes  []string // as in fault.want, without the severity
}{
	{"no teams", func(d *damaged) { delete(d.files, ".cbe") }, []string{".cbe missing-optional-file"}},
	{"no titles", func(d *damaged) { delete(d.files, ".cbl") }, []string{".cbl missing-optional-file"}},
	{"mandatory files alone", func(d *damaged) {
		for _, ext := range []string{".cbe", ".cbl", ".cbm", ".cbtt", ".flags"} {
			delete(d.files, ext)
		}
	}, []string{".cbe missing-optional-file", ".cbl missing-optional-file", ".cbm missing-optional-file"}},
	{"no .cbj", func(d *damaged) { delete(d.files, ".cbj") }, []string{".cbe reference-count", ".cbl reference-count"}},
	{".cbj of version 8 beside titles", withTitles(8, 78), []string{".cbl reference-count"}},
	{".cbj of version 3 beside titles", withTitles(3, 20), []string{".cbl reference-count"}},
	{".cbj of version 8 beside an empty title", func(d *damaged) {
		d.shorten(8, 78)
		d.files[".cbl"] = emptyFile(d, ".cbl")
		d.editTree(&cbh.GameTitles.EntityFile, func(tree *avl.Tree, payloads *[][]byte) {
			if _, err := tree.Add(func(int32) int { return 0 }); err != nil {
				d.t.Fatal(err)
			}
			*payloads = append(*payloads, make([]byte, cbh.GameTitles.Size))
		})
	}, nil},
	{".cbj that ends inside the teams", func(d *damaged) {
		titles, teams := d.files[".cbl"], d.files[".cbe"]
		d.shorten(1, 4)
		d.files[".cbl"], d.files[".cbe"] = titles, teams
	}, []string{".cbj unknown-version", ".cbe reference-count", ".cbl reference-count"}},
	{".cbj of a version to come", func(d *damaged) {
		const size = cbh.ExtRecordSize + 8
		out := append([]byte(nil), d.files[".cbj"][:cbh.ExtHeaderSize]...)
		for id := 1; id <= sampleRecords; id++ {
			d.put(".cbj", ext(id)+28, 0, 0) // other words may be summed up
			out = append(out, d.files[".cbj"][ext(id):ext(id+1)]...)
			out = append(out, make([]byte, size-cbh.ExtRecordSize)...)
		}
		d.files[".cbj"] = out
		d.putLE32(".cbj", 0, 12)
		d.putLE32(".cbj", 4, size)
	}, []string{".cbj unknown-version"}},
	{"offsets of 0 in version 8", func(d *damaged) {
		for id := 1; id <= sampleRecords; id++ {
			clear(d.files[".cbj"][ext(id)+30:][:8])
		}
		d.shorten(8, 78)
	}, nil},

	{"newest program", func(d *damaged) {
		d.put(".cbh", 5, 5)
		copy(d.files[".cbp"][d.entity(&cbh.Players.EntityFile, 6)+9:], "Żukertort Ðŝ")
		d.files[".cbtt"] = append(append([]byte(nil), d.files[".cbtt"][:32]...), make([]byte, 405)...)
		d.putLE32(".cbtt", 0, 5)
		d.putLE32(".cbtt", 4, 405)
		d.putLE32(".cbtt", 8, 0)
	}, []string{".cbtt unknown-version"}},
	{"UTF-8 in Cyrillic, Greek and Chinese", func(d *damaged) {
		d.editTree(&cbh.Players.EntityFile, func(tree *avl.Tree, payloads *[][]byte) {
			for i, name := range []string{"Карякин", "Цукерторт из Люблина", "Παπαδόπουλος", "丁立人"} {
				clear((*payloads)[i][:50])
				copy((*payloads)[i][:29], name) // the second is cut inside a letter
			}
			if err := tree.Rebuild(tree.LiveIDs(), func(a, b int32) int {
				return cbh.Players.Compare((*payloads)[a], (*payloads)[b], false)
			}); err != nil {
				d.t.Fatal(err)
			}
		})
	}, nil},
	{"old, opened by a newer program", func(d *damaged) {
		d.makeOld()
		for _, ext := range []string{".cbj", ".cbe", ".cbl"} {
			d.files[ext] = emptyFile(d, ext)
		}
	}, []string{".cbj ext-empty"}},
	{"all games removed", func(d *damaged) { d.removeAll(0) }, nil},
	{"all games removed, no root", func(d *damaged) { d.removeAll(-1) }, nil},
	{"empty .cba of 10 bytes", func(d *damaged) { d.removeAnnotations(oldHeader.Append(nil)) }, nil},
	{"empty .cba of 26 bytes", func(d *damaged) { d.removeAnnotations(emptyFile(d, ".cba")) }, nil},

	{"game of four bytes", func(d *damaged) { d.replace(".cbg", 8, wire.AppendU32BE(nil, 4)) }, []string{".cbg 8 move-end"}},
	{"no rounds, no ratings", func(d *damaged) {
		for id := 1; id <= sampleRecords; id++ {
			if !d.isText(id) {
				clear(d.files[".cbh"][head(id)+29:][:6])
			}
		}
	}, nil},
	{"nothing known of a game", func(d *damaged) {
		clear(d.files[".cbh"][head(plainGame)+24:][:13])
		d.put(".cbh", head(plainGame)+27, 3)
	}, nil},
	{"all records deleted", func(d *damaged) {
		for id := 1; id <= sampleRecords; id++ {
			d.files[".cbh"][head(id)] |= 0x80
		}
	}, nil},
	{"one player on both sides", func(d *damaged) {
		d.put(".cbh", head(plainGame)+12, 0, 0, 2)
		for id, use := range map[int][2]int32{2: {3, 2}, 3: {1, 4}} {
			at := d.entity(&cbh.Players.EntityFile, id) + 9 + 50
			d.putLE32(".cbp", at, use[0])
			d.putLE32(".cbp", at+4, use[1])
		}
	}, nil},
	{"guiding text without text", func(d *damaged) {
		rec, err := cbh.AppendGuide(nil, cbh.Guide{}, 12, cbh.CodePage{}, nil)
		if err != nil {
			d.t.Fatal(err)
		}
		d.replace(".cbg", 12, rec)
	}, nil},
	{"comment without text", func(d *damaged) { d.payload(plainGame, 0x02, "\x00\x00") }, nil},
	{"Chess960 without the flag of a starting position", func(d *damaged) { d.put(".cbh", head(7)+42, 0) },
		[]string{".cbh 7 stale-other-flags"}},
	{"every code without a meaning", func(d *damaged) {
		h := d.files[".cbh"][head(plainGame):]
		copy(h[24:], "\x0F\x8D\xFF\xFF")                 // date and result
		copy(h[29:], "\xFF\xFF\xFF\xFF\xFF\xFF\xFB\x00") // round, subround, ratings, opening
		d.put(".cbt", d.entity(&cbh.Tournaments.EntityFile, 0)+9+74, bytes.Repeat([]byte{0xFF}, 8)...)
		d.put(".cbe", d.entity(&cbh.Teams.EntityFile, 0)+9+54, 0xFF)
		d.put(".cbs", d.entity(&cbh.Sources.EntityFile, 0)+9+49, 0xFF, 0xFF)
		d.extValues(plainGame, func(r *cbh.ExtRecord) {
			r.RatingTypes[0] = cbh.RatingType{Kind: 0xFFFF, NationalTime: 0xFF, InternationalTime: 0xFF, Nation: 0xFF}
			r.Endgame[0] = 0xFFFF
		})
	}, []string{".cbh 3 bad-date", ".cbh 3 bad-eco", ".cbh 3 bad-result"}},
}

// withTitles makes the .cbj file one of an older version, with the titles that
// a newer program made.
func withTitles(version, size int) func(*damaged) {
	return func(d *damaged) {
		titles := d.files[".cbl"]
		d.shorten(version, size)
		d.files[".cbl"] = titles
	}
}

// emptyFile returns a file without records.
func emptyFile(d *damaged, ext string) []byte {
	d.t.Helper()
	b, ok := cbh.EmptyFile(ext)
	if !ok {
		d.t.Fatalf("there is no empty %s file", ext)
	}
	return append([]byte(nil), b...)
}

// removeAnnotations puts an empty file in the place of the annotations.
func (d *damaged) removeAnnotations(empty []byte) {
	for id := 1; id <= sampleRecords; id++ {
		if d.isText(id) {
			continue
		}
		d.setPlace(".cba", id, 0)
		h := d.files[".cbh"][head(id):]
		flags := h[42] & 3 // starting position and variations
		clear(h[37:39])
		clear(h[40:45])
		h[39], h[42] = h[39]&(1<<3), flags // the former: Chess960
	}
	d.files[".cba"] = empty
}

// removeAll makes the database one whose games were all removed, with the
// records of their players still on the list of deleted ones.
func (d *damaged) removeAll(root int32) {
	for ext := range d.files {
		if b, ok := cbh.EmptyFile(ext); ok && ext != ".cbp" {
			d.files[ext] = append([]byte(nil), b...)
		}
	}
	d.editTree(&cbh.Players.EntityFile, func(tree *avl.Tree, payloads *[][]byte) {
		for _, id := range slices.Collect(tree.LiveIDs()) {
			must.Do(d.t, tree.Remove(id, comparePlayer((*payloads)[id], payloads)))
		}
		tree.Root = root
	})
}

func TestUnusualDatabasesAreSound(t *testing.T) {
	for _, u := range unusual {
		t.Run(u.name, func(t *testing.T) {
			d := sample(t)
			u.change(d)
			d.wantNotes(t, u.notes)
		})
	}
}
