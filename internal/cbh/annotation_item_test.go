package cbh

import (
	"bytes"
	"errors"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/model"
)

func TestAnnotationItems(t *testing.T) {
	rec := AppendAnnotations(nil, []model.Annotation{
		{Node: model.NoNode, Value: model.Text{Text: "so"}},
		{Node: 3, Value: model.Symbols{Move: 1}},
	}, nil, AnnotationContext{Game: 7}, nil)
	var got []AnnotationItem
	for item := range must.All(t, AnnotationItems(rec)) {
		got = append(got, item)
	}
	if len(got) != 2 || got[0].Position != -1 || got[0].Type != annotationText || got[0].Offset != 14 ||
		got[0].Size() != 10 || got[1].Position != 3 || got[1].Offset != 24 || len(got[1].Payload) != 1 {
		t.Errorf("%+v", got)
	}
	twice := append([]byte(nil), rec...)
	twice[14+2], twice[14+3] = 3, annotationSymbols
	twice[14] = 0
	twice[14+1] = 0
	repeated := 0
	for item := range AnnotationItems(twice) {
		if item.Repeated {
			repeated++
		}
	}
	if repeated != 1 {
		t.Errorf("%d repeated, want 1", repeated)
	}
	for n := range rec {
		checkItemsOf(t, rec[:n])
	}
	damaged := append([]byte(nil), rec...)
	damaged[14+5] = 5
	if n, err := checkItemsOf(t, damaged); n != 0 || !errors.Is(err, model.ErrCorrupt) {
		t.Errorf("%d items, %v", n, err)
	}
}

// checkItemsOf counts items; an error is the last thing that is yielded.
func checkItemsOf(t *testing.T, rec []byte) (n int, last error) {
	t.Helper()
	for _, err := range AnnotationItems(rec) {
		if last != nil {
			t.Fatalf("%d bytes: goes on after %v", len(rec), last)
		}
		if last = err; err == nil {
			n++
		}
	}
	return n, last
}

// Items written one by one are those of the record.
func TestAppendAnnotationItem(t *testing.T) {
	list := []model.Annotation{
		{Node: model.NoNode, Value: model.Text{Language: model.German, Text: "Zug für Zug"}},
		{Node: 3, Value: model.Squares{{Color: 4, Square: model.H8}}},
	}
	rec := AppendAnnotations(nil, list, nil, AnnotationContext{Game: 7}, nil)
	got := append([]byte(nil), rec[:AnnotationHeadSize]...)
	for _, a := range list {
		got = must.Get(AppendAnnotationItem(got, a.Node, a.Value, CodePage{}))(t)
	}
	if !bytes.Equal(got, rec) {
		t.Errorf("% x\nwant % x", got, rec)
	}
	foreign := model.Opaque{Format: "other"}
	if out, err := AppendAnnotationItem(got, 0, foreign, CodePage{}); err == nil || len(out) != len(got) {
		t.Errorf("%d bytes, %v", len(out), err)
	}
}
