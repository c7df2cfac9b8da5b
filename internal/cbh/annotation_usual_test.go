package cbh

import (
	"bytes"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"cbkit/internal/testkit/must"
	"cbkit/internal/wire"
	"cbkit/model"
)

// TestUsualTextsAreNoOthers writes annotations with and without a look for what
// is usual: bytes and losses are the same, in every page.
func TestUsualTextsAreNoOthers(t *testing.T) {
	piece := rapid.SampledFrom([]string{"", "a", "[%clk 0:00:01]", "(0.1 → 0.2)", "é", "Ã©", "\uE000", "ж", "\xff", "\x00", "€uro", "lots of words "})
	rapid.Check(t, func(t *rapid.T) {
		page := must.Get(ParseCodePage(rapid.SampledFrom([]string{"1252", "1251", "437"}).Draw(t, "page")))(t)
		ctx := AnnotationContext{Game: 7, Page: page}
		var list []model.Annotation
		for range rapid.IntRange(0, 12).Draw(t, "annotations") {
			a := model.Annotation{Node: int32(rapid.IntRange(-2, 6).Draw(t, "node"))}
			if rapid.IntRange(0, 4).Draw(t, "kind") > 0 {
				text := ""
				for range rapid.IntRange(0, 4).Draw(t, "pieces") {
					text += piece.Draw(t, "piece")
				}
				a.Value = model.Text{Before: rapid.Bool().Draw(t, "before"), Text: text,
					Language: rapid.SampledFrom([]model.Language{0, 1, model.GuideLanguageBase}).Draw(t, "language")}
			} else {
				a.Value = model.Symbols{Move: 1}.Value()
			}
			list = append(list, a)
		}
		slices.SortStableFunc(list, byNode)
		var want, got []model.Loss
		w := annotationWriter{ctx: ctx, report: func(l model.Loss) { want = append(want, l) }, out: wire.AppendZeros(nil, AnnotationHeadSize)}
		for i := range list {
			w.add(list, i)
		}
		rec := AppendAnnotations(nil, list, nil, ctx, func(l model.Loss) { got = append(got, l) })
		if w.count == 0 != (len(rec) == 0) || len(rec) > 0 && !bytes.Equal(rec[AnnotationHeadSize:], w.out[AnnotationHeadSize:]) {
			t.Fatalf("%v:\n got %x\nwant %x", list, rec, w.out)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

// A text is encoded by runs of ASCII: the same as character by character.
func TestEncodeByRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		page := CodePage{}.symbolTable()
		s := rapid.StringOf(rapid.RuneFrom([]rune("abc é→ж\uE000Ã©"))).Draw(t, "text")
		want, ok := page.encode(nil, s)
		if !ok || utf8.Valid(want) {
			want = []byte(s)
		}
		if got := page.encodeText(s); !bytes.Equal(got, want) {
			t.Fatalf("%q: %x, want %x", s, got, want)
		}
	})
}

// FactsOf counts what AnnotationItems yields, also of damaged records.
func TestFactsOfDamage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := []model.Annotation{{Node: -1, Value: model.Medals(3)}, {Node: 0, Value: model.Text{Text: "a text"}}, {Node: 1, Value: model.Symbols{Move: 1}.Value()}}
		rec := AppendAnnotations(nil, list, nil, AnnotationContext{}, nil)
		rec = rec[:rapid.IntRange(0, len(rec)).Draw(t, "size")]
		if len(rec) > AnnotationHeadSize {
			rec[rapid.IntRange(AnnotationHeadSize, len(rec)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		var want AnnotationFacts
		for item, err := range AnnotationItems(rec) {
			if err != nil {
				break
			}
			want.add(item.Type, item.Payload)
		}
		if got := FactsOf(rec); got != want {
			t.Fatalf("%x: %+v, want %+v", rec, got, want)
		}
	})
}
