package check_test

import (
	"testing"

	"cbkit/check"
	"cbkit/internal/cbh"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/moveenc"
)

// A case says why its bytes do not come from the value, where that is known.
func TestVerifySaysWhy(t *testing.T) {
	for _, c := range []struct {
		ext     string
		change  func(d *damaged)
		message string
	}{
		{".cbp", func(d *damaged) { d.put(".cbp", d.entity(&cbh.Players.EntityFile, 2)+9+20, 'x') }, "bytes behind the NUL of a string"},
		{".cbp", func(d *damaged) { d.put(".cbp", d.entity(&cbh.Players.EntityFile, 3)+9, []byte("Polgár")...) },
			"stored as UTF-8 though the code page holds it"},
		{".cbp", func(d *damaged) {
			copy(d.files[".cbp"][d.entity(&cbh.Players.EntityFile, 6)+9:][:29], "ЖЖЖЖЖЖЖЖЖЖЖЖЖЖЖ")
		}, "a character cut by the end of its field"},
		{".cbt", func(d *damaged) { d.put(".cbt", d.entity(&cbh.Tournaments.EntityFile, 1)+9+77, 'x') }, "bits or bytes that mean nothing known"},
		{".cbj", func(d *damaged) { d.put(".cbj", 20, 'x') }, "bytes at the end of a header that mean nothing"},
		{".cbj", func(d *damaged) { d.put(".cbj", ext(4)+28, 0) }, "not the sum of the record"},
		{".cbm", func(d *damaged) { clear(d.files[".cbm"][32:]) }, "a record of zeros"},
		{".cbg", func(d *damaged) { d.extend(".cbg", 5) }, "bytes between the records"},
		{".cbg", withForm(plainGame, moveenc.Form{Dummies: []uint32{1}}), "a dummy in the moves"},
		{".cbg", withForm(plainGame, moveenc.Form{Mode: 5}), "another mode"},
		{".cbg", withForm(plainGame, moveenc.Form{Mode: 5, Bits: []uint32{0<<2 | 2, 1<<2 | 3}}), "another mode, bits for a promotion that is none"},
		{".cbg", withForm(plainGame, moveenc.Form{Bit7: true, NoEnd: true}), "the mark of guiding texts, no mark of the end"},
		{".cbg", withForm(plainGame, moveenc.Form{Words: []uint32{1}}), "moves in two bytes that have a code of one"},
		{".cbg", withForm(1, moveenc.Form{Twins: []uint32{4}}), "moves in the second of two codes"},
		{".cbg", withForm(plainGame, moveenc.Form{Trailer: []byte{7}}), "bytes behind the end of the moves"},
		{".cbg", func(d *damaged) { d.put(".cbg", d.place(".cbg", 2)+4, 7) }, "other bytes in the start position"},
		{".cbg", func(d *damaged) { d.put(".cbg", d.place(".cbg", 5), 0x81) }, "an older form of a guiding text, or bytes behind it"},
		{".cbg", withGuide("Über", "All"), "stored as UTF-8 though the code page holds it"},
		{".cbg", withGuide("About", "Über"), "formatting of a guiding text"},
		{".cba", func(d *damaged) { d.inText(2, 2, "xxxx", "für") }, "stored as UTF-8 though the code page holds it"},
		{".cba", func(d *damaged) { d.put(".cba", d.place(".cba", 2)+14+6, 1) }, "the first byte of a text is not 0"},
		{".cba", func(d *damaged) { d.payload(plainGame, 0x03, "\x01\x00\x00") }, "zeros at the end of symbols"},
		{".cba", func(d *damaged) { d.payload(plainGame, 0x03, "\x00\x25") }, "a symbol for which another is written"},
		{".cba", func(d *damaged) { d.payload(plainGame, 0x1C, "\x09\x00\x02xx\x03\xC3\xA1y") }, "other bytes than the value gives"},
		{".cba", func(d *damaged) { d.put(".cba", d.place(".cba", 2)+2, 0) }, "the head names another game, or is not the usual one"},
		{".cba", func(d *damaged) { d.put(".cba", d.place(".cba", 11)+14+2+7, 0) },
			"the head counts other annotations than a place can have"},
		{".cba", func(d *damaged) { d.put(".cba", d.place(".cba", 2)+14+2, 9) }, "belongs to a move that the game does not have"},
	} {
		t.Run(c.message, func(t *testing.T) {
			d := sample(t)
			c.change(d)
			f := d.verify(check.Options{Files: []string{c.ext}}).Files[0]
			if f.Different > 0 || len(f.Listed) != 1 || f.Listed[0].Message != c.message {
				t.Errorf("%+v", f)
			}
		})
	}
}

// withGuide makes the second guiding text one whose title and content are
// UTF-8.
func withGuide(title, content string) func(*damaged) {
	return func(d *damaged) {
		utf8, err := cbh.ParseCodePage("1251") // which has no umlauts
		if err != nil {
			d.t.Fatal(err)
		}
		text := func(s string) []model.LocalText { return []model.LocalText{{Language: model.English, Text: s}} }
		rec := must.Get(cbh.AppendGuide(nil, cbh.Guide{Titles: text(title), Contents: text(content)}, 12, utf8, nil))(d.t)
		d.replace(".cbg", 12, rec)
	}
}

// inText puts other bytes of the same length in the place of the text of a game
// that has one only.
func (d *damaged) inText(id int, node int32, text, bytes string) {
	rec := cbh.AppendAnnotations(nil, []model.Annotation{{Node: node, Value: model.Text{Text: text}}},
		nil, cbh.AnnotationContext{Game: model.RecordID(id)}, nil)
	copy(rec[len(rec)-len(bytes):], bytes)
	d.replace(".cba", id, rec)
}

// payload makes an annotation of the first move the only one of a game.
func (d *damaged) payload(id int, typ uint8, payload string) {
	opaque := model.Opaque{Format: cbh.Format, Type: typ, Data: []byte(payload)}
	withAnnotations(id, "1252", model.Annotation{Value: opaque})(d)
	d.put(".cbh", head(id)+42, 1<<typ)
}
