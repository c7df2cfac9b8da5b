package pgn

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"

	"pgregory.net/rapid"
)

// Only what is there is reported as lost.
func TestLostOfTeam(t *testing.T) {
	for _, c := range []struct {
		team model.Team
		want string
	}{
		{model.Team{Title: "T"}, ""},
		{model.Team{Number: 2}, "number 2"},
		{model.Team{Year: 2016}, "year 2016"},
		{model.Team{Year: 2016, Season: true}, "season 2016/2017"},
		{model.Team{Season: true}, "season"},
		{model.Team{Number: 3, Year: 1990}, "number 3, year 1990"},
	} {
		if got := lostOfTeam(c.team); got != c.want {
			t.Errorf("%+v: %q, want %q", c.team, got, c.want)
		}
	}
}

// A text in front of a side line stands there, whatever is said of the move
// before it.
func TestTextBeforeSideLine(t *testing.T) {
	b := new(model.TreeBuilder)
	b.Add(model.NoNode, model.NewMove(model.E2, model.E4))
	side := b.Add(model.NoNode, model.NewMove(model.D2, model.D4))
	g := &model.Game{Header: model.NewHeader()}
	b.Build(&g.Moves)
	g.Annotate(side, model.Symbols{Move: 1})
	g.Annotate(side, model.Text{Before: true, Text: "better was"})
	g.Annotate(side, model.Text{Text: "behind"})
	text := string(AppendGame(nil, g, &model.Entities{}))
	if _, moves, _ := strings.Cut(text, "\n\n"); moves != "1. e4 ({[%cbtext next;at=1] better was} 1. d4 $1 {behind}) *\n\n" {
		t.Errorf("written as %s", moves)
	}
	if back := readAll(t, []byte(text)); !slices.EqualFunc(back.List[0].Game.Annotations, g.Annotations, func(a, b model.Annotation) bool { return a.Node == b.Node && a.Value.Equal(b.Value) }) {
		t.Errorf("read back: %+v", back.List[0].Game.Annotations)
	}
}

// Moves are written by their signs as they are from a board.
func TestSignedMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		db := gen.Database(gen.Config{}).Draw(t, "db")
		for _, plain := range []bool{false, true} {
			var enc encoder
			enc.init(plain, nil)
			enc.legal = true
			for _, rec := range db.List {
				g := rec.Game
				if g == nil || g.MovesErr != nil {
					continue
				}
				g.Signs = nil
				onBoard := enc.appendGame(nil, g, &db.Tables)
				g.Signs = signsOf(t, g)
				if bySigns := enc.appendGame(nil, g, &db.Tables); !bytes.Equal(bySigns, onBoard) {
					t.Fatalf("by signs\n%s\non a board\n%s", bySigns, onBoard)
				}
			}
		}
	})
}

// signsOf returns the signs of the moves of a game.
func signsOf(t *rapid.T, g *model.Game) (signs []model.Sign) {
	p := must.Get(board.New(g.Start))(t)
	after := []board.Position{p}
	for _, n := range g.Moves.Nodes() {
		p := after[n.Parent+1]
		signs = append(signs, p.Sign(n.Move))
		p.Make(n.Move)
		after = append(after, p)
	}
	return signs
}
