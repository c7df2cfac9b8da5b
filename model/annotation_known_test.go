package model_test

import (
	"testing"

	"cbkit/model"
)

// foreign is a value of a type that no format knows.
type foreign struct{}

func (foreign) Kind() model.Kind       { return model.KindText }
func (foreign) Equal(model.Value) bool { return false }

// A pointer to a value compiles wherever a value does; it must not cost what
// it points to.
func TestPointersBecomeValues(t *testing.T) {
	medals := model.Medals(3)
	for _, tt := range []struct{ given, want model.Value }{
		{&model.Text{Text: "pointer"}, model.Text{Text: "pointer"}},
		{&medals, medals},
		{&model.Squares{{Color: model.Red, Square: model.E4}}, model.Squares{{Color: model.Red, Square: model.E4}}},
	} {
		var g, set model.Game
		g.Annotate(0, tt.given)
		set.SetAnnotations([]model.Annotation{{Node: 0, Value: tt.given}})
		for how, g := range map[string]*model.Game{"Annotate": &g, "SetAnnotations": &set} {
			if len(g.Annotations) != 1 || !tt.want.Equal(g.Annotations[0].Value) {
				t.Errorf("%s(%T): %v, want %v", how, tt.given, g.Annotations, tt.want)
			}
		}
	}
}

// Nothing is said by nil.
func TestNilIsNoAnnotation(t *testing.T) {
	var g model.Game
	g.Annotate(0, nil)
	g.Annotate(0, (*model.Text)(nil))
	g.Annotate(0, model.VideoTime(1))
	g.SetAnnotations(append(g.Annotations, model.Annotation{Node: 0}, model.Annotation{Node: 0, Value: (*model.Medals)(nil)}))
	if len(g.Annotations) != 1 || !g.Annotations[0].Value.Equal(model.VideoTime(1)) {
		t.Errorf("annotations %v, want one", g.Annotations)
	}
	for _, v := range []model.Value{nil, (*model.Text)(nil), foreign{}, &foreign{}} {
		if known, ok := model.KnownValue(v); ok || known != nil {
			t.Errorf("KnownValue(%T) = %v, %v", v, known, ok)
		}
	}
}

func TestWithKnownValues(t *testing.T) {
	text := model.Annotation{Node: 0, Value: model.Text{Text: "a"}}
	sound := &model.Game{Annotations: []model.Annotation{text}}
	if sound.WithKnownValues(1, nil) != sound {
		t.Error("a game with nothing to do was copied")
	}

	given := []model.Annotation{{Node: 0}, text, {Node: 0, Value: foreign{}}, {Node: 1, Value: &model.Text{Text: "b"}}}
	g := &model.Game{Annotations: given}
	var losses []model.Loss
	got := g.WithKnownValues(7, func(l model.Loss) { losses = append(losses, l) }).Annotations
	if len(got) != 2 || got[0].Value != text.Value || got[1] != (model.Annotation{Node: 1, Value: model.Text{Text: "b"}}) {
		t.Errorf("annotations %v", got)
	}
	if len(losses) != 2 || losses[0].Record != 7 || losses[0].Kind != model.LostAnnotation {
		t.Errorf("losses %v, want two", losses)
	}
	if len(g.Annotations) != 4 {
		t.Error("the game itself was changed")
	}
	if (model.ResolvedGame{Annotations: given}).Equal(model.ResolvedGame{Annotations: given}) {
		t.Error("a game with a value that equals nothing is equal to itself")
	}
}
