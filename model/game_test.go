package model_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"cbkit/model"
)

// TestAnnotate keeps annotations sorted by place, and at each place in the
// order in which they were added.
func TestAnnotate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var g model.Game
		want := map[int][]model.Value{}
		n := rapid.IntRange(0, 30).Draw(t, "annotations")
		var list []model.Annotation
		for i := range n {
			place := rapid.IntRange(model.NoNode, 5).Draw(t, "place")
			v := model.VideoTime(i)
			g.Annotate(place, v)
			list = append(list, model.Annotation{Node: int32(place), Value: v})
			want[place] = append(want[place], v)
		}
		check := func(how string, g *model.Game) {
			if len(g.Annotations) != n {
				t.Fatalf("%s: %d annotations, want %d", how, len(g.Annotations), n)
			}
			for place := -3; place < 9; place++ {
				var got []model.Value
				for _, a := range g.AnnotationsAt(place) {
					if int(a.Node) != place {
						t.Fatalf("%s: at %d there is one for %d", how, place, a.Node)
					}
					got = append(got, a.Value)
				}
				if !slices.EqualFunc(got, want[place], model.Value.Equal) {
					t.Fatalf("%s: at %d have %v, want %v", how, place, got, want[place])
				}
			}
		}
		check("Annotate", &g)
		var set model.Game
		set.SetAnnotations(list)
		check("SetAnnotations", &set)
	})
}

// full returns a game with all leftovers and errors.
func full() *model.Game {
	g := &model.Game{Header: model.NewHeader(), MovesErr: model.ErrCorrupt, AnnotationsErr: model.ErrCorrupt}
	l := func() *model.Leftover { return &model.Leftover{Format: "cbh", Data: []byte{1}} }
	g.Leftovers = model.GameLeftovers{Header: l(), Derived: l(), Moves: l(), Annotations: l()}
	return g
}

func TestForget(t *testing.T) {
	type state struct{ header, derived, moves, annotations, movesErr, annotationsErr bool }
	for name, c := range map[string]struct {
		change func(*model.Game)
		want   state
	}{
		"Forget nothing":     {func(g *model.Game) { g.Forget(0) }, state{true, false, true, true, true, true}},
		"Forget moves":       {func(g *model.Game) { g.Forget(model.MovesPart) }, state{true, false, false, true, false, true}},
		"Forget annotations": {func(g *model.Game) { g.Forget(model.AnnotationsPart) }, state{true, false, true, false, true, false}},
		"Forget both": {func(g *model.Game) { g.Forget(model.MovesPart | model.AnnotationsPart) },
			state{header: true}},
		"SetMoves":       {func(g *model.Game) { g.SetMoves(nil, model.Tree{}) }, state{true, false, false, true, false, true}},
		"SetAnnotations": {func(g *model.Game) { g.SetAnnotations(nil) }, state{true, false, true, false, true, false}},
		"Annotate":       {func(g *model.Game) { g.Annotate(-1, model.Critical(1)) }, state{true, false, true, false, true, false}},
	} {
		g := full()
		c.change(g)
		l := g.Leftovers
		got := state{l.Header != nil, l.Derived != nil, l.Moves != nil, l.Annotations != nil, g.MovesErr != nil, g.AnnotationsErr != nil}
		if got != c.want {
			t.Errorf("%s: have %+v, want %+v", name, got, c.want)
		}
	}
	text := &model.GuidingText{ContentErr: model.ErrCorrupt, Leftovers: model.TextLeftovers{
		Header: &model.Leftover{}, Content: &model.Leftover{}}}
	text.SetContents(nil, nil)
	if text.ContentErr != nil || text.Leftovers.Content != nil || text.Leftovers.Header == nil {
		t.Errorf("SetContents: have %+v", text)
	}
}

func TestSymbols(t *testing.T) {
	var s model.Symbols
	for _, n := range []model.NAG{0, 16, 1, 142, 2, 17, 140, 22} {
		s.Add(n)
	}
	want := model.Symbols{Move: 1, Position: 16, Prefix: 142, More: []model.NAG{2, 17, 140, 22}}
	if !s.Equal(want) {
		t.Errorf("have %+v, want %+v", s, want)
	}
	if got := s.NAGs(); !slices.Equal(got, []model.NAG{142, 1, 16, 2, 17, 140, 22}) {
		t.Errorf("listed as %v", got)
	}
	for n := 1; n < 256; n++ {
		var one model.Symbols
		one.Add(model.NAG(n))
		if !slices.Equal(one.NAGs(), []model.NAG{model.NAG(n)}) {
			t.Errorf("$%d is kept as %+v", n, one)
		}
		if move := n <= 9 || n == 22; (one.Move != 0) != move || (one.Prefix != 0) != (n >= 140 && n <= 145) {
			t.Errorf("$%d is in the slots %+v", n, one)
		}
	}
}

func TestGameMedals(t *testing.T) {
	var g model.Game
	if g.Medals() != 0 {
		t.Error("a game without annotations has medals")
	}
	g.Annotate(3, model.Medals(1))
	g.Annotate(3, model.Text{Text: "x"})
	g.Annotate(-1, model.Medals(6))
	if g.Medals() != 7 {
		t.Errorf("have %#x", g.Medals())
	}
}

func TestGameStart(t *testing.T) {
	var g model.Game
	if g.StartPosition() != model.StartPosition() {
		t.Error("a game without a set-up starts elsewhere")
	}
	p := model.Position{FullMove: 7}
	g.Start = &p
	if g.StartPosition() != p {
		t.Error("the set-up is not the start")
	}
}

func TestFormatError(t *testing.T) {
	const file = "games.cbg"
	for want, e := range map[string]*model.FormatError{
		"games.cbg: record 17 at 0x4c2 (size): truncated": {File: file, Offset: 0x4c2, Record: 17, Field: "size", Err: model.ErrTruncated},
		"games.cbg: record 0: truncated":                  {File: file, Offset: -1, Record: 0, Err: model.ErrTruncated},
		"games.cbg: at 0x0: truncated":                    {File: file, Offset: 0, Record: -1, Err: model.ErrTruncated},
		"games.cbg (size): truncated":                     {File: file, Offset: -1, Record: -1, Field: "size", Err: model.ErrTruncated},
		"games.cbg: truncated":                            {File: file, Offset: -1, Record: -1, Err: model.ErrTruncated},
	} {
		if got := e.Error(); got != want {
			t.Errorf("have %q, want %q", got, want)
		}
		if !errors.Is(e, model.ErrTruncated) || errors.Is(e, model.ErrCorrupt) {
			t.Errorf("%v: the kind is lost", e)
		}
	}
}

func TestLosses(t *testing.T) {
	var got []model.Loss
	report := model.Report(func(l model.Loss) { got = append(got, l) })
	report.Add(model.LostTextEnd, 17, "Site", "cut to %d bytes", 29)
	report.Add(model.LostEntity, 0, "players", "none")
	model.Report(nil).Add(model.LostTag, 1, "x", "dropped")
	want := []model.Loss{
		{Kind: model.LostTextEnd, Record: 17, Field: "Site", What: "cut to 29 bytes"},
		{Kind: model.LostEntity, Field: "players", What: "none"},
	}
	if !slices.Equal(got, want) || got[0].String() != "record 17: Site: cut to 29 bytes" || got[1].String() != "players: none" {
		t.Errorf("have %v", got)
	}
}

func TestLeftover(t *testing.T) {
	var none *model.Leftover
	if none.From("cbh") != nil || none.Clone() != nil {
		t.Error("no leftover is something")
	}
	l := &model.Leftover{Format: "cbh", Data: []byte{1, 2}}
	c := l.Clone()
	c.Data[0] = 9
	if l.Data[0] != 1 || l.From("dcdb") != nil || len(l.From("cbh")) != 2 {
		t.Errorf("have %+v", l)
	}
}
