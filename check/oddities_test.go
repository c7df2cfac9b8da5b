package check_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"cbkit/avl"
	"cbkit/check"
	"cbkit/internal/cbh"
	"cbkit/model"
	"cbkit/moveenc"

	"github.com/google/go-cmp/cmp"
)

// oddity is something that real databases have and that harms nobody: at most
// notes are found, and all bytes come back.
type oddity struct {
	name   string
	change func(d *damaged)
	notes  []string // as in fault.want, without the severity
	// parts are those that do not come from the values alone, with their
	// outcome: ".cbg game kept".
	parts []string
}

// oldHeader is that of an empty .cba file of an old program.
var oldHeader = cbh.BlockHeader{Size: cbh.OldBlockHeaderSize, FileSize: cbh.OldBlockHeaderSize}

var oddities = []oddity{
	{"entities deleted, an id used again", func(d *damaged) {
		d.deletePlayers("Fischer", "Spasski")
		id := d.addPlayers("Karpov")[0]
		d.put(".cbh", head(plainGame)+9, 0, 0, byte(id))
		use := func(id, count, first int32) {
			at := d.entity(&cbh.Players.EntityFile, int(id)) + 9 + 50
			d.putLE32(".cbp", at, count)
			d.putLE32(".cbp", at+4, first)
		}
		use(id, 1, plainGame)
		use(2, 1, 2) // Tal lost one
		use(10, 25, 7)
	}, nil, nil},
	{"tree out of balance in an old file", inOld(unbalance), []string{".cbt 0 tree-unbalanced", ".cbt 1 tree-unbalanced"}, nil},
	{"wrong counters in old files", inOld(func(d *damaged) {
		d.putLE32(".cbt", 20, 6)
		d.putLE32(".cbc", 20, 0)
		d.put(".cbg", 9, 77)
		d.putBE32(".cba", 2, uint32(len(d.files[".cba"])))
		d.files[".cba"] = append(d.files[".cba"], "stale bytes..."...)
	}), []string{".cbt live-count", ".cbc live-count", ".cbg hole-count", ".cba trailing-bytes"}, []string{".cba hole trash"}},
	{"an empty .cba that has stale bytes", inOld(func(d *damaged) {
		for id := 1; id <= sampleRecords; id++ {
			if !d.isText(id) {
				d.setPlace(".cba", id, 0)
				clear(d.files[".cbh"][head(id)+37 : head(id)+45])
			}
		}
		for id, flags := range map[int]byte{1: 2, 2: 1} {
			d.put(".cbh", head(id)+42, flags)
		}
		d.putBE32(".cbh", head(7)+39, 1<<27|1)
		d.files[".cba"] = append(oldHeader.Append(nil), "fourteen stale"...)
	}), []string{".cba trailing-bytes"}, []string{".cba hole trash"}},

	{"stamps, rating types and unknown words", func(d *damaged) {
		d.extValues(plainGame, func(r *cbh.ExtRecord) {
			r.Saves, r.Created, r.Changed, r.Unknown70, r.Unknown74 = 600, 1, 1<<60, 0xFFFF, 0x01001A00
			r.RatingTypes[0] = cbh.RatingType{Kind: 0x1A, NationalTime: 9, InternationalTime: 0x90, Nation: 0x86}
			copy(r.RatingTypes[1].Name[:], "FIDE\x00garbage")
			r.Endgame[3] = 7
		})
	}, nil, nil},
	{"tails of strings", func(d *damaged) {
		for _, kind := range cbh.EntityFiles {
			for id := range int(d.le32(kind.Ext, 0)) {
				payload := d.files[kind.Ext][d.entity(kind, id)+9:][:kind.Size]
				clean := bytes.Clone(payload)
				for i := range payload { // all that may be cleared is filled
					if payload[i] != 0 {
						continue
					}
					payload[i] = 'x'
					probe := bytes.Clone(payload)
					if kind.ClearTails(probe); !bytes.Equal(probe, clean) {
						payload[i] = 0
					}
				}
			}
		}
	}, nil, []string{
		".cbp player trash", ".cbt tournament trash", ".cbc annotator trash", ".cbs source trash", ".cbe team trash", ".cbl game title trash",
	}},
	{"garbage in headers", func(d *damaged) {
		copy(d.files[".cbj"][12:32], "FIDE\x00 .cbh \x00 garbage!!")
		copy(d.files[".cbtt"][12:32], "FIDE\x00 .cbh \x00 garbage!!")
		copy(d.files[".cbm"][16:32], "garbage in a .cbm")
		d.put(".cbs", 28, 0xF8, 0xCE, 0x2F, 0x01)
	}, nil, []string{".cbj header trash", ".cbtt header trash", ".cbm header trash", ".cbs header trash"}},

	{"Windows-1251", func(d *damaged) {
		d.put(".cbp", d.entity(&cbh.Players.EntityFile, 6)+9, []byte("\xD6\xF3\xEA\xE5\xF0\xF2\xEE\xF0\xF2")...)
		withAnnotations(2, "1251", model.Annotation{Node: 2, Value: model.Text{Before: true, Text: "Пешку надо остановить: ♟"[:40]}})(d)
	}, []string{".cbp code-page", ".cba code-page"}, nil},
	{"UTF-8, and a character cut by the end of its field", func(d *damaged) {
		at := d.entity(&cbh.Players.EntityFile, 6) + 9
		copy(d.files[".cbp"][at:at+29], strings.Repeat("Ж", 15))
		withAnnotations(2, "1252", model.Annotation{Node: 2, Value: model.Text{Before: true, Text: "Die Bauern müssen gehen ∑"}})(d)
	}, nil, []string{".cbp player kept"}},
	{"older signs for pieces", func(d *damaged) {
		rec := cbh.AppendAnnotations(nil, []model.Annotation{{Node: 2, Value: model.Text{Before: true, Text: strings.Repeat("x", 12)}}},
			nil, cbh.AnnotationContext{Game: 2}, nil)
		copy(rec[len(rec)-12:], "\x7F\x99e5 \xABd4 \xBCf3")
		d.replace(".cba", 2, rec)
	}, nil, nil},
	{"title that fills its field", func(d *damaged) {
		at := d.entity(&cbh.Teams.EntityFile, 2) + 9
		copy(d.files[".cbe"][at:at+45], "Solingen"+strings.Repeat("!", 40))
	}, nil, nil},

	{".cbj of version 8", func(d *damaged) {
		clear(d.files[".cbj"][ext(plainGame)+30:][:8]) // allowed in this version
		d.shorten(8, 78)
	}, nil, nil},
	{".cbj of version 7", func(d *damaged) { d.shorten(7, 74) }, nil, nil},
	{".cbj of version 6", func(d *damaged) { d.shorten(6, 38) }, nil, nil},
	{".cbj of version 4", func(d *damaged) { d.shorten(4, 30) }, nil, nil},
	{".cbj of version 3", func(d *damaged) { d.shorten(3, 20) }, nil, nil},
	{".cbj of version 1", func(d *damaged) { d.shorten(1, 8) }, nil, nil},
	{".cbj without records", func(d *damaged) {
		d.putLE32(".cbj", 8, 0)
		d.cut(".cbj", len(d.files[".cbj"])-cbh.ExtHeaderSize)
		delete(d.files, ".cbe")
		delete(d.files, ".cbl")
	}, []string{".cbj ext-empty"}, nil},
	{".cbtt without records", func(d *damaged) { d.cut(".cbtt", cbh.TournamentExtraSize) }, nil, nil},
	{".cbtt that says so", func(d *damaged) {
		d.cut(".cbtt", cbh.TournamentExtraSize)
		d.putLE32(".cbtt", 8, -1)
	}, nil, nil},

	{"game in another mode", withForm(plainGame, moveenc.Form{Mode: 5}), nil, []string{".cbg game kept"}},
	{"dummies, no end", withForm(plainGame, moveenc.Form{Dummies: []uint32{0}, NoEnd: true}),
		[]string{".cbg 3 move-dummy", ".cbg 3 move-end"}, []string{".cbg game kept"}},
	{"wrong number of a Chess960 position", func(d *damaged) { d.put(".cbg", d.place(".cbg", 7)+38, 3, 0x11) }, nil, []string{".cbg game kept"}},
	{"holes", func(d *damaged) {
		for _, file := range []string{".cbg", ".cba"} {
			// The record before the last goes to the end, and leaves a hole.
			id := map[string]int{".cbg": 12, ".cba": 11}[file]
			rec, at := bytes.Clone(d.stored(file, id)), len(d.files[file])
			d.files[file] = append(d.files[file], rec...)
			d.setPlace(file, id, at)
			h := cbh.NewBlockHeader(uint64(len(d.files[file])), uint64(len(rec)))
			d.put(file, 0, h.Append(nil)...)
		}
	}, nil, []string{".cbg hole trash", ".cba hole trash"}},
	{"moves in longer codes", withForm(plainGame, moveenc.Form{Words: []uint32{0, 2}}),
		[]string{".cbg 3 move-form"}, []string{".cbg game kept"}},
	{"marker of a start position", func(d *damaged) { d.put(".cbg", d.place(".cbg", 2)+4, 7) },
		[]string{".cbg 2 start-block"}, []string{".cbg game kept"}},
	{"en passant without a pawn", func(d *damaged) { d.put(".cbg", d.place(".cbg", 2)+5, 5) },
		[]string{".cbg 2 start-block"}, nil},
	{"en passant on no file", func(d *damaged) { d.put(".cbg", d.place(".cbg", 2)+5, 9) },
		[]string{".cbg 2 start-block"}, []string{".cbg game kept"}},
	{"spare bits of castling rights", func(d *damaged) { d.put(".cbg", d.place(".cbg", 2)+6, 0x10) },
		[]string{".cbg 2 start-block"}, []string{".cbg game kept"}},
	{"squares of Chess960 that are none", func(d *damaged) {
		d.put(".cbg", d.place(".cbg", 7)+32, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF)
	}, []string{".cbg 7 start-block"}, []string{".cbg game kept"}},
	{"a king of Chess960 elsewhere", func(d *damaged) { d.files[".cbg"][d.place(".cbg", 7)+32]++ },
		[]string{".cbg 7 start-block"}, []string{".cbg game kept"}},
	{"a rook of Chess960 elsewhere", func(d *damaged) { d.files[".cbg"][d.place(".cbg", 7)+34]++ },
		[]string{".cbg 7 start-block"}, []string{".cbg game kept"}},
	{"texts in UTF-8 that the page can hold", func(d *damaged) {
		d.inText(2, 2, "xxxx", "für")
		d.inText(3, 1, "xxxx", "dé:")
		d.put(".cbh", head(3)+42, 4)
	}, []string{".cba text-utf8"}, []string{".cba text kept"}},
	{"first byte of a text", func(d *damaged) { d.put(".cba", d.place(".cba", 2)+14+6, 1) },
		[]string{".cba 2 annotation-form"}, []string{".cba text kept"}},
	{"symbols with zeros at the end", func(d *damaged) { d.payload(plainGame, 0x03, "\x01\x00\x00") },
		[]string{".cba 3 annotation-form"}, []string{".cba symbols kept"}},
	{"symbols without any", func(d *damaged) { d.payload(plainGame, 0x03, "") },
		[]string{".cba 3 annotation-form"}, []string{".cba record kept"}},
	{"Black's symbol of a pair", func(d *damaged) { d.payload(plainGame, 0x03, "\x00\x25") },
		[]string{".cba 3 annotation-form"}, []string{".cba symbols kept"}},
	{"deleted text", func(d *damaged) { d.put(".cbh", head(12), 0x83) }, nil, nil},
	{"place behind the last move", func(d *damaged) { d.put(".cba", d.place(".cba", 2)+14+2, 9) },
		[]string{".cba 2 annotation-position"}, []string{".cba text kept"}},
	{"two annotations of a type", func(d *damaged) { d.put(".cba", d.place(".cba", 11)+14+2+7, 0) },
		[]string{".cba 11 annotation-duplicate"}, []string{".cba record kept"}},
	{"spare word of a quotation", func(d *damaged) {
		rec := d.stored(".cba", richGame)
		at := bytes.Index(rec, []byte("Zurich")) + len("Zurich\x00\x00\x00") + 4 + 2 + 2 + 2 + 2 + 3
		copy(rec[at:], "\x91\xC8")
	}, nil, nil},
	{"single unused empty entity", func(d *damaged) {
		d.addPlayers("")
		d.putLE32(".cbp", d.entity(&cbh.Players.EntityFile, 10)+9+50, 99)
	}, []string{".cbp 10 reference-count"}, nil},
	{"names in the order of signed bytes", func(d *damaged) {
		d.editTree(&cbh.Players.EntityFile, func(tree *avl.Tree, payloads *[][]byte) {
			copy((*payloads)[8], "P\xE9ter") // before Polgar then
			err := tree.Rebuild(tree.LiveIDs(), func(a, b int32) int {
				return cbh.Players.Compare((*payloads)[a], (*payloads)[b], true)
			})
			if err != nil {
				d.t.Fatal(err)
			}
		})
	}, nil, nil},
	{"renamed in order", func(d *damaged) {
		d.editTree(&cbh.Players.EntityFile, func(_ *avl.Tree, payloads *[][]byte) { copy((*payloads)[0], "Menchikova") })
	}, nil, nil},
}

func TestOdditiesAreNoted(t *testing.T) {
	for _, o := range oddities {
		t.Run(o.name, func(t *testing.T) {
			d := sample(t)
			o.change(d)
			d.wantNotes(t, o.notes)
			o.checkParts(t, d.verify(check.Options{}))
		})
	}
}

// wantNotes checks the database, which must have these notes, given without the
// severity, and nothing else.
func (d *damaged) wantNotes(t *testing.T, notes []string) {
	t.Helper()
	got, full := d.findings(check.Options{})
	var want []string
	for _, note := range notes {
		want = append(want, "note "+note)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !cmp.Equal(got, want) {
		t.Errorf("%s\n%v", cmp.Diff(want, got), full)
	}
}

// checkParts compares the outcomes of all parts with the expected ones.
func (o *oddity) checkParts(t *testing.T, r check.Report) {
	t.Helper()
	var got []string
	for _, f := range r.Files {
		for _, p := range f.Parts {
			if outcome := outcomeOf(f, p.Name); outcome != "exact" {
				got = append(got, f.File[len("sample"):]+" "+p.Name+" "+string(outcome))
			}
		}
	}
	slices.Sort(got)
	if want := slices.Sorted(slices.Values(o.parts)); !cmp.Equal(got, want) {
		t.Errorf("%s\n%+v", cmp.Diff(want, got), r)
	}
}
