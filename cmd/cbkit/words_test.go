package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cbkit/collect"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

func TestPlural(t *testing.T) {
	for want, got := range map[string]string{
		"1 game": plural(1, "game"), "0 games": plural(0, "game"), "2 plies": plural(2, "ply"), "1 ply": plural(1, "ply"),
		"3 entries": plural(3, "entry"), "2 boxes": plural(2, "box"), "5 details of a tournament": plural(5, "detail| of a tournament"),
		"2 sets of coloured squares": plural(2, "set| of coloured squares"), "2 names that no game refers to": plural(2, "name| that no game refers to"),
		"2 names of White": "2 " + lostThing(2, lossKey{kind: model.LostField, field: "white"}),
		"2 days":           plural(2, "day"), "2 searches": plural(2, "search"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Every kind of loss, of annotations and of duplicates has words for people: kinds
// of losses are the constants of the model as they stand in its source.
func TestEveryLossHasWords(t *testing.T) {
	file := must.Get(parser.ParseFile(token.NewFileSet(), "../../model/loss.go", nil, 0))(t)
	kinds := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, is := n.(*ast.ValueSpec)
		if !is || len(spec.Values) != 1 {
			return true
		}
		value, is := spec.Values[0].(*ast.BasicLit)
		if !is || value.Kind != token.STRING {
			return true
		}
		kind := must.Get(strconv.Unquote(value.Value))(t)
		if kinds++; lossWords[model.LossKind(kind)] == "" {
			t.Errorf("a loss of the kind %q has no words", kind)
		}
		return true
	})
	if kinds != len(lossWords) {
		t.Errorf("%d kinds of losses, and words for %d", kinds, len(lossWords))
	}
	for _, kind := range model.Kinds() {
		word := lostThing(1, lossKey{model.LostAnnotation, string(kind)})
		if word == "" || word == string(kind) && strings.Contains(word, "-") || annotationWords[string(kind)] == "" {
			t.Errorf("%s has no words", kind)
		}
	}
	for r := collect.SameGame; r <= collect.Contained; r++ {
		if reasonWords[r] == "" {
			t.Errorf("%v has no words", r)
		}
	}
}

// Losses of one field are told in one order, whatever that of the map is.
func TestLossesInOneOrder(t *testing.T) {
	var b lossBook
	for _, kind := range []model.LossKind{model.LostTag, model.Changed, model.LostField, model.LostAnnotation} {
		b.add(model.Loss{Kind: kind, Field: "FEN"})
	}
	told := map[string]bool{}
	for range 100 {
		var out strings.Builder
		b.print(&out, false)
		told[out.String()] = true
	}
	if len(told) != 1 {
		t.Errorf("%d orders: %q", len(told), slices.Collect(maps.Keys(told)))
	}
}
