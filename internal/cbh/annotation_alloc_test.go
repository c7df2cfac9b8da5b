package cbh

import (
	"testing"

	"cbkit/model"
)

// A record takes one allocation for each text, which is a value of its own, and a
// few for all together; writing one takes none, also where losses are asked for.
func TestAnnotationAllocations(t *testing.T) {
	const places = 50
	var list []model.Annotation
	for node := range int32(places) {
		list = append(list,
			model.Annotation{Node: node, Value: model.Text{Text: "a text in \u00FCTF-8 or not"}},
			model.Annotation{Node: node, Value: model.Symbols{Move: 1, Position: 14}},
			model.Annotation{Node: node, Value: model.Squares{{Color: model.Red, Square: model.E4}}},
			model.Annotation{Node: node, Value: model.Arrows{{Color: model.Red, From: model.E2, To: model.E4}}})
	}
	losses := 0
	report := func(model.Loss) { losses++ }
	ctx := AnnotationContext{Game: 1}
	ascii := make([]model.Annotation, 0, 2*places)
	for i, a := range list {
		if i%4 == 0 {
			a.Value = model.Text{Text: "a text"}
		}
		if i%4 < 2 {
			ascii = append(ascii, a)
		}
	}
	var record []byte
	encode := func() { record = AppendAnnotations(record[:0], ascii, nil, ctx, report) }
	encode()
	const few = 3
	if n := testing.AllocsPerRun(10, encode); n > few {
		t.Errorf("%.0f allocations to write %d annotations", n, len(ascii))
	}
	if n := testing.AllocsPerRun(10, func() {
		if got, err := DecodeAnnotations(record, ctx, false); err != nil || len(got.List) != len(ascii) {
			t.Fatal(len(got.List), err)
		}
	}); n > places+few {
		t.Errorf("%.0f allocations to read %d texts and %d symbols", n, places, places)
	}
	if AppendAnnotations(nil, list, nil, ctx, report); losses > 0 {
		t.Errorf("%d losses", losses)
	}
}

// What readsBack vouches for does read back.
func TestReadsBack(t *testing.T) {
	nags := []model.NAG{0, 1, 6, 7, 8, 14, 22, 23, 33, 133, 139, 140, 255}
	values := []model.Value{
		model.Text{Text: "\x80"}, model.Text{Text: "\uE024 \u00A2 \u263A"}, model.Text{Text: "\u00C3\u00A4"},
		model.Text{Language: model.GuideLanguageBase, Text: "a"}, model.Text{Before: true, Language: 255, Text: "\x00\r\n"},
		model.Squares{{Color: 255, Square: model.NoSquare}}, model.Squares{{Color: 0, Square: model.A1}, {Color: 9, Square: model.H8}},
		model.Arrows{{From: model.A1, To: model.NoSquare}}, model.Arrows{{Color: 255, From: model.H8, To: model.H8}},
		model.Symbols{Move: 1, More: []model.NAG{2}},
	}
	for _, a := range nags {
		for _, b := range nags {
			for _, c := range nags {
				values = append(values, model.Symbols{Move: a, Position: b, Prefix: c})
			}
		}
	}
	for _, v := range values {
		payload, typ, err := AppendPayload(nil, v, CodePage{})
		if readsBack(v) && (err != nil || !DecodePayload(typ, payload, CodePage{}).Equal(v)) {
			t.Errorf("%#v: %v, % x", v, err, payload)
		}
	}
}
