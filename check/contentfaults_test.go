package check_test

import (
	"cbkit/internal/cbh"
	"cbkit/internal/testkit/must"
	"cbkit/internal/wire"
	"cbkit/model"
	"cbkit/moveenc"
)

// withForm writes the moves of a game again with things that mean nothing.
func withForm(id int, form moveenc.Form) func(*damaged) {
	return func(d *damaged) {
		var g moveenc.Game
		must.Do(d.t, moveenc.Decode(d.stored(".cbg", id), &g))
		rec := must.Get(moveenc.Append(nil, g.SetUp(), &g.Moves, &form))(d.t)
		d.replace(".cbg", id, rec)
	}
}

// kingInCheck replaces a game by one in which a check is overlooked.
func kingInCheck(d *damaged) {
	var moves model.Tree
	for _, m := range [][2]model.Square{{model.E2, model.E4}, {model.F7, model.F6}, {model.D1, model.H5}, {model.A7, model.A6}} {
		moves.Append(model.NewMove(m[0], m[1]))
	}
	rec := must.Get(moveenc.Append(nil, nil, &moves, nil))(d.t)
	d.replace(".cbg", plainGame, rec)
}

// contentFaults are faults of moves and guiding texts.
var contentFaults = []fault{
	{"impossible move", func(d *damaged) { d.put(".cbg", d.place(".cbg", 3)+5, 0x11) }, []string{"error .cbg 3 moves"}},
	{"moves that do not end", func(d *damaged) { d.put(".cbg", d.place(".cbg", 8)+4, 0xDC) }, []string{"error .cbg 8 moves"}},
	{"unknown mode", func(d *damaged) { d.put(".cbg", d.place(".cbg", 3), 15) }, []string{"error .cbg 3 unsupported-moves"}},
	{"king left in check", kingInCheck, []string{"error .cbg 3 moves"}},
	{"dummies", withForm(plainGame, moveenc.Form{Dummies: []uint32{1, 3}}), []string{"note .cbg 3 move-dummy"}},
	{"no end of the moves", withForm(plainGame, moveenc.Form{NoEnd: true}), []string{"note .cbg 3 move-end"}},
	{"move in two bytes", withForm(plainGame, moveenc.Form{Words: []uint32{1}}), []string{"note .cbg 3 move-form"}},
	{"move in the second of two codes", withForm(1, moveenc.Form{Twins: []uint32{4}}), []string{"note .cbg 1 move-form"}},
	{"marker of a start position", func(d *damaged) { d.put(".cbg", d.place(".cbg", 2)+4, 7) }, []string{"note .cbg 2 start-block"}},
	{"bytes behind the moves", withForm(plainGame, moveenc.Form{Trailer: []byte{1, 2, 3}}), []string{"note .cbg 3 move-trailer"}},

	{"size of a content", func(d *damaged) { d.put(".cbg", d.place(".cbg", mediaText)+24, 0xFF) }, []string{"error .cbg 5 text"}},
	{"version of a text", func(d *damaged) { d.put(".cbg", d.place(".cbg", mediaText)+4, 9) }, []string{"note .cbg 5 unsupported-text"}},
	{"mark of a text", func(d *damaged) { d.put(".cbg", d.place(".cbg", mediaText), 0) }, []string{"note .cbg 5 text-mark"}},
	{"Russian text", func(d *damaged) {
		page, err := cbh.ParseCodePage("1251")
		if err != nil {
			d.t.Fatal(err)
		}
		guide := cbh.Guide{Contents: []model.LocalText{{Language: model.English, Text: "Отчёт о турнире"}}}
		rec, err := cbh.AppendGuide(nil, guide, 12, page, nil)
		if err != nil {
			d.t.Fatal(err)
		}
		d.replace(".cbg", 12, rec)
	}, []string{"note .cbg code-page"}},
}

// withAnnotations replaces the annotations of a game by others, without
// correcting what the .cbh file says of them.
func withAnnotations(id int, page string, list ...model.Annotation) func(*damaged) {
	return func(d *damaged) {
		cp := must.Get(cbh.ParseCodePage(page))(d.t)
		ctx := cbh.AnnotationContext{Game: model.RecordID(id), Page: cp}
		d.replace(".cba", id, cbh.AppendAnnotations(nil, list, nil, ctx, nil))
	}
}

// annotationFaults are faults of .cba records.
var annotationFaults = []fault{
	{"size of an annotation", func(d *damaged) { d.put(".cba", d.place(".cba", 2)+14+5, 0xFF) },
		[]string{"error .cba 2 annotation-record"}},
	{"annotation smaller than its head", func(d *damaged) { d.put(".cba", d.place(".cba", 11)+14+5, 3) },
		[]string{"error .cba 11 annotation-record"}},
	{"count of annotations", func(d *damaged) { d.put(".cba", d.place(".cba", 2)+9, 5) },
		[]string{"error .cba 2 annotation-count"}},
	{"order of annotations", func(d *damaged) { d.put(".cba", d.place(".cba", 11)+14+2, 2) },
		[]string{"error .cba 11 annotation-order"}},
	{"zero behind symbols", func(d *damaged) { d.payload(11, 0x03, "\x05\x00") },
		[]string{"note .cba 11 annotation-form", "note .cbh 11 stale-magnitude"}},
	{"text in UTF-8", func(d *damaged) { d.inText(2, 2, "xx", "é") },
		[]string{"note .cba text-utf8"}},
	{"another game", func(d *damaged) { d.put(".cba", d.place(".cba", 2)+2, 0) }, []string{"note .cba 2 annotation-head"}},
	{"constant of annotations", func(d *damaged) { d.put(".cba", d.place(".cba", 2)+5, 0x0F) }, []string{"note .cba 2 annotation-head"}},
	{"move that is not there", func(d *damaged) { d.put(".cba", d.place(".cba", 2)+14+2, 9) },
		[]string{"note .cba 2 annotation-position"}},
	{"place before the game", func(d *damaged) { d.put(".cba", d.place(".cba", 2)+14, 0xFF, 0xFF, 0xFE) },
		[]string{"note .cba 2 annotation-position", "error .cba 2 annotation-order"}},
	{"two of one type", func(d *damaged) { d.put(".cba", d.place(".cba", 11)+14+2+7, 0) },
		[]string{"note .cba 11 annotation-duplicate"}},
	{"no annotations", func(d *damaged) {
		d.replace(".cba", plainGame, wire.AppendU32BE([]byte{0, 0, plainGame, 1, 0, 0x0E, 0x0E, 0, 0, 1}, 14))
	}, []string{"note .cba 3 annotation-empty"}},
	{"unknown annotation", withAnnotations(plainGame, "1252", model.Annotation{Value: model.Opaque{Format: cbh.Format, Type: 0x27, Data: []byte{1}}}),
		[]string{"note .cba 3 annotation-opaque"}},
	{"Russian comment", withAnnotations(2, "1251", model.Annotation{Node: 2, Value: model.Text{Before: true, Text: "Пешку надо остановить"}}),
		[]string{"note .cba code-page"}},
}

// factFaults are values that do not follow from the content of their game.
var factFaults = []fault{
	{"flag without a cause", func(d *damaged) { d.put(".cbh", head(plainGame)+42, 0x04) }, []string{"error .cbh 3 stale-flags"}},
	{"missing flag", func(d *damaged) { d.put(".cbh", head(1)+42, 0x3C) }, []string{"error .cbh 1 stale-flags"}},
	{"one of each", func(d *damaged) { d.put(".cbh", head(1)+42, 0x3D&^4) },
		[]string{"error .cbh 1 stale-flags", "error .cbh 1 stale-flags"}},
	{"flag that other programs know", func(d *damaged) { d.put(".cbh", head(plainGame)+39, 0x10) },
		[]string{"note .cbh 3 stale-other-flags"}},
	{"flag of Chess960", func(d *damaged) { d.put(".cbh", head(7)+39, 0) }, []string{"note .cbh 7 stale-other-flags"}},
	{"unknown flag", func(d *damaged) { d.put(".cbh", head(plainGame)+39, 0x80) }, []string{"note .cbh 3 stale-other-flags"}},
	{"magnitude", func(d *damaged) { d.put(".cbh", head(11)+44, 0) }, []string{"note .cbh 11 stale-magnitude"}},
	{"magnitude of the variations", func(d *damaged) { d.put(".cbh", head(1)+44, 1) }, []string{"note .cbh 1 stale-magnitude"}},
	{"medals", func(d *damaged) { d.put(".cbh", head(richGame)+38, 0) }, []string{"note .cbh 4 stale-medals"}},
	{"material", func(d *damaged) {
		d.extValues(plainGame, func(r *cbh.ExtRecord) { r.Material[1] = 0x8292 })
	}, []string{"note .cbj 3 stale-material"}},
	{"material in the other order", func(d *damaged) {
		d.extValues(plainGame, func(r *cbh.ExtRecord) { r.Material = [2]uint32{r.Material[1], r.Material[0]} })
	}, []string{"note .cbj 3 stale-material"}},
	{"move count", func(d *damaged) { d.put(".cbh", head(plainGame)+45, 4) }, []string{"error .cbh 3 stale-move-count"}},
	{"annotations without their flags", withAnnotations(plainGame, "1252", model.Annotation{Value: model.Medals(1)}, model.Annotation{Value: model.Symbols{Move: 1}}),
		[]string{"error .cbh 3 stale-flags", "note .cbh 3 stale-medals"}},
}
