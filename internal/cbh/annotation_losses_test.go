package cbh

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cbkit/model"
)

// TestAnnotationLosses: what becomes of values that do not fit.
func TestAnnotationLosses(t *testing.T) {
	text := func(s string) model.Text { return model.Text{Language: model.English, Text: s} }
	tests := []struct {
		name   string
		list   []model.Annotation
		want   []model.Annotation
		losses []model.LossKind
	}{
		{
			"symbols for Black",
			at(0, model.Symbols{Move: 23, Position: 139, Prefix: 41}),
			at(0, model.Symbols{Move: 22, Position: 138, Prefix: 40}),
			[]model.LossKind{model.Changed, model.Changed, model.Changed},
		},
		{
			"more symbols",
			at(0, model.Symbols{Move: 1, More: []model.NAG{2, 3}}),
			at(0, model.Symbols{Move: 1}),
			[]model.LossKind{model.LostAnnotation, model.LostAnnotation},
		},
		{
			"two of a kind",
			append(at(0, model.Symbols{Move: 1}, model.Symbols{Move: 2}), at(1, model.Symbols{Move: 3})...),
			append(at(0, model.Symbols{Move: 1}), at(1, model.Symbols{Move: 3})...),
			[]model.LossKind{model.LostAnnotation},
		},
		{
			"both clocks are two kinds",
			at(-1, model.Clock{Player: model.White}, model.Clock{Player: model.Black}),
			at(-1, model.Clock{Player: model.White}, model.Clock{Player: model.Black}),
			nil,
		},
		{
			"texts of one language",
			at(0, text("a"), model.Text{Text: "any"}, text("b"), model.Text{Language: model.English, Before: true, Text: "before"}, text("c")),
			at(0, text("a b c"), model.Text{Text: "any"}, model.Text{Language: model.English, Before: true, Text: "before"}),
			[]model.LossKind{model.Changed, model.Changed},
		},
		{
			"language of a guiding text",
			at(0, model.Text{Text: "a"}, model.Text{Language: model.GuideLanguageBase + 9, Text: "b"}),
			at(0, model.Text{Text: "a b"}),
			[]model.LossKind{model.Changed},
		},
		{
			"language without a nation",
			at(0, model.Text{Language: model.GuideLanguageBase + 9, Text: "b"}),
			at(0, model.Text{Text: "b"}),
			[]model.LossKind{model.Changed},
		},
		{
			"values that say nothing",
			slices.Concat(
				at(-1, model.Evaluations{}, model.Medals(0)),
				at(0, model.Symbols{}, model.Squares{}, model.Arrows{}, text(""), text("a"), model.Text{Text: ""}),
				at(1, text("a"), text(""), text("b"))),
			append(at(0, text("a")), at(1, text("a b"))...),
			[]model.LossKind{model.LostAnnotation, model.LostAnnotation, model.LostAnnotation, model.LostAnnotation, model.LostAnnotation,
				model.LostAnnotation, model.LostAnnotation, model.Changed, model.LostAnnotation},
		},
		{
			"arrows that lead nowhere",
			append(at(0, model.Arrows{{Color: model.Red, From: model.E2, To: model.E4}, {Color: model.Red, From: model.E2, To: model.E2}}),
				at(1, model.Arrows{{Color: model.Red}})...),
			at(0, model.Arrows{{Color: model.Red, From: model.E2, To: model.E4}}),
			[]model.LossKind{model.Changed, model.LostAnnotation},
		},
		{
			"another format",
			at(0, model.Opaque{Format: "other", Type: 3, Data: []byte{1}}),
			nil,
			[]model.LossKind{model.LostAnnotation},
		},
		{
			"outside the format",
			slices.Concat(at(-2, text("a")), at(0, text("b")), at(1<<23, text("c"))),
			at(0, text("b")),
			[]model.LossKind{model.LostAnnotation, model.LostAnnotation},
		},
		{
			"longest text",
			at(0, text(strings.Repeat("x", maxPayload-2))),
			at(0, text(strings.Repeat("x", maxPayload-2))),
			nil,
		},
		{
			"text of the code page too long",
			at(0, text(strings.Repeat("ü", maxPayload))),
			at(0, text(strings.Repeat("ü", maxPayload-2))),
			[]model.LossKind{model.LostTextEnd},
		},
		{
			"text in UTF-8 too long",
			at(0, text("x"+strings.Repeat("中", maxPayload/3))),
			at(0, text("x"+strings.Repeat("中", (maxPayload-3)/3))),
			[]model.LossKind{model.LostTextEnd},
		},
		{
			"too many squares",
			at(0, make(model.Squares, maxPayload/2+1)),
			nil,
			[]model.LossKind{model.LostAnnotation},
		},
		{
			"too many solutions",
			at(0, model.Training{Solutions: make([]model.Solution, 256)}),
			nil,
			[]model.LossKind{model.LostAnnotation},
		},
		{
			"training in Polish",
			at(0, model.Training{Question: []model.TrainingText{{Language: model.Polish, Text: "a"}}}),
			at(0, model.Training{Question: []model.TrainingText{{Language: model.AnyLanguage, Text: "a"}}}),
			[]model.LossKind{model.Changed},
		},
		{
			"names of a quotation",
			at(0, model.Quotation{White: strings.Repeat("w", 256), Site: strings.Repeat("ж", 128)}),
			at(0, model.Quotation{White: strings.Repeat("w", 255), Site: strings.Repeat("ж", 127)}),
			[]model.LossKind{model.LostTextEnd, model.LostTextEnd},
		},
		{
			"board of a quotation",
			at(0, model.Quotation{Start: fullBoard()}),
			nil,
			[]model.LossKind{model.LostAnnotation},
		},
		{
			"address",
			at(0, model.WebLink{URL: strings.Repeat("u", 256), Caption: "c"}),
			at(0, model.WebLink{URL: strings.Repeat("u", 255), Caption: "c"}),
			[]model.LossKind{model.LostTextEnd},
		},
		{
			"year of a quotation",
			at(0, model.Quotation{Date: model.Date{Year: 4096, Month: 2}}),
			at(0, model.Quotation{Date: model.Date{Month: 2}}),
			[]model.LossKind{model.Changed},
		},
		{
			"no square",
			at(0, model.PiecePath{Square: model.NoSquare}),
			at(0, model.PiecePath{Square: model.A1}),
			[]model.LossKind{model.Changed},
		},
		{
			"order of places",
			slices.Concat(at(1, text("b")), at(0, text("a"))),
			slices.Concat(at(0, text("a")), at(1, text("b"))),
			nil,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var losses []model.LossKind
			ctx := AnnotationContext{Game: 17}
			rec := AppendAnnotations([]byte("before"), test.list, nil, ctx, func(l model.Loss) {
				if l.Record != 17 || l.Field == "" || len(l.String()) > 200 {
					t.Errorf("loss %v", l)
				}
				losses = append(losses, l.Kind)
			})
			if !slices.Equal(losses, test.losses) {
				t.Errorf("losses %v", losses)
			}
			rec, ok := bytes.CutPrefix(rec, []byte("before"))
			if len(test.want) == 0 {
				if len(rec) != 0 || !ok {
					t.Errorf("% x", rec)
				}
				return
			}
			got, err := DecodeAnnotations(rec, ctx, true)
			if err != nil || !ok {
				t.Fatal(err)
			}
			checkList(t, got.List, test.want)
		})
	}
}

// fullBoard returns a position with a pawn on every square.
func fullBoard() *model.Position {
	p := &model.Position{Rights: model.NoRights(), EnPassant: model.NoFile, FullMove: 1}
	for i := range p.Board {
		p.Board[i] = model.WhitePawn
	}
	return p
}

// Leftovers of annotations count only while they say the same.
func TestPayloadLeftovers(t *testing.T) {
	rec := slices.Concat(
		unhex("000001 01000e0e 000003 0000 0000"),
		unhex("000000 03 0008 0100"),      // a zero at the end
		unhex("000000 02 000a 0735 c3bc"), // byte 0, and UTF-8 that the page has
	)
	rec[13] = byte(len(rec))
	ctx := AnnotationContext{Game: 1}
	got, err := DecodeAnnotations(rec, ctx, true)
	if err != nil || got.Leftover != nil || got.List[0].Leftover == nil || got.List[1].Leftover == nil {
		t.Fatalf("%+v, %v", got, err)
	}
	golden(t, "unchanged", AppendAnnotations(nil, got.List, nil, ctx, failOnLoss(t)), fmt.Sprintf("%x", rec))

	got.List[0].Value = model.Symbols{Move: 2}
	got.List[1].Value = model.Text{Language: model.French, Text: "ü"}
	golden(t, "changed", AppendAnnotations(nil, got.List, nil, ctx, failOnLoss(t)),
		"000001 01000e0e 000003 0000001e  000000 03 0007 02  000000 02 0009 0031 fc")

	plain, err := DecodeAnnotations(rec, ctx, false)
	if err != nil || plain.List[0].Leftover != nil || plain.List[1].Leftover != nil {
		t.Errorf("leftovers that nobody wants: %+v, %v", plain, err)
	}
}

// TestRecordLeftovers: odd heads and orders are kept, a new id is put in, and a
// change drops all.
func TestRecordLeftovers(t *testing.T) {
	const items = "000000 03 0007 01  000001 03 0007 02"
	line := new(model.Tree)
	line.Append(model.NullMove)
	line.Append(model.NullMove)
	const canonical = "000005 01000e0e 000003 0000001c " + items
	for name, test := range map[string]struct {
		rec   string
		first int32 // place of the first annotation
	}{
		"id 0":           {"000000 01000e0e 000003 0000001c " + items, 0},
		"other constant": {"000005 02000e0e 000003 0000001c " + items, 0},
		"wrong count":    {"000005 01000e0e 000000 0000001c " + items, 0},
		"order":          {"000005 01000e0e 000003 0000001c 000001 03 0007 02  000000 03 0007 01", 0},
		"twice":          {"000005 01000e0e 000003 0000001c 000001 03 0007 01  000001 03 0007 02", 1},
		"position -7":    {"000005 01000e0e 000003 0000001c fffff9 03 0007 01  000001 03 0007 02", -1},
		"position 9":     {"000005 01000e0e 000003 0000001d 000009 03 0007 01  000009 02 0008 0000", 1},
		"no annotations": {"000005 01000e0e 000001 0000000e", 0},
	} {
		t.Run(name, func(t *testing.T) {
			rec := unhex(test.rec)
			ctx := AnnotationContext{Game: 5, Moves: line}
			got, err := DecodeAnnotations(rec, ctx, true)
			if err != nil || got.Leftover == nil {
				t.Fatalf("%+v, %v", got, err)
			}
			if len(got.List) > 0 && got.List[0].Node != test.first {
				t.Errorf("first at %d", got.List[0].Node)
			}
			golden(t, "copy", AppendAnnotations(nil, got.List, got.Leftover, ctx, failOnLoss(t)), test.rec)

			ctx.Game = 7
			moved := AppendAnnotations(nil, got.List, got.Leftover, ctx, failOnLoss(t))
			golden(t, "other id", moved, "000007"+test.rec[6:])

			ctx.Game = 5
			changed := at(0, model.Symbols{Move: 1})
			changed = append(changed, at(1, model.Symbols{Move: 2})...)
			if name == "order" || name == "id 0" || name == "other constant" || name == "wrong count" {
				changed[1].Value = model.Symbols{Move: 4}
			}
			fresh := AppendAnnotations(nil, changed, got.Leftover, ctx, failOnLoss(t))
			want := unhex(canonical)
			want[len(want)-1] = byte(changed[1].Value.(model.Symbols).Move)
			if !bytes.Equal(fresh, want) {
				t.Errorf("changed: % x", fresh)
			}
		})
	}
}

// TestPositionsInTheGame: without moves a game has one place only.
func TestPositionsInTheGame(t *testing.T) {
	rec := unhex("000005 01000e0e 000003 0000001c 000000 03 0007 01  000001 03 0007 02")
	for moves, want := range map[*model.Tree][2]int32{nil: {0, 1}, new(model.Tree): {-1, -1}} {
		got, err := DecodeAnnotations(rec, AnnotationContext{Game: 5, Moves: moves}, false)
		if err != nil || got.Leftover != nil || got.List[0].Node != want[0] || got.List[1].Node != want[1] {
			t.Errorf("%+v, %v", got, err)
		}
	}
}
