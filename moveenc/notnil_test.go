package moveenc_test

import (
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/moveenc"

	"github.com/notnil/chess"
)

// An independent judge finds every move of the real games legal, and sees the
// same position before each.
func TestCorpusIsLegalByNotnil(t *testing.T) {
	if testing.Short() {
		t.Skip("replays half a million plies at some microseconds each")
	}
	eachDatabase(t, func(t *testing.T, games []stored) {
		var g moveenc.Game
		for i, s := range games {
			if !corpus.IsTried(i, len(games)) {
				continue
			}
			must.Do(t, moveenc.Decode(s.rec, &g))
			replayWithJudge(t, s.id, &g)
		}
	})
}

func replayWithJudge(t *testing.T, id int, g *moveenc.Game) {
	start := model.StartPosition()
	if g.HasStart {
		start = g.Start
	}
	// after[n+1] is the judge's position after node n.
	after := []*chess.Position{judgeAt(t, board.FormatFEN(&start))}
	nodes := g.Moves.Nodes()
	for n, p := range board.Walk(g.SetUp(), &g.Moves) {
		judge := after[nodes[n].Parent+1]
		if got, want := placement(p.FEN()), placement(judge.String()); got != want {
			t.Fatalf("game %d, node %d: %s, the judge has %s", id, n, got, want)
		}
		after = append(after, judgeMove(t, id, judge, nodes[n].Move))
	}
}

// placement returns the fields of a FEN that say what stands where and who is
// to move.
func placement(fen string) string { return strings.Join(strings.Fields(fen)[:2], " ") }

// judgeMove returns the position after a move that the judge must find legal.
func judgeMove(t *testing.T, id int, judge *chess.Position, m model.Move) *chess.Position {
	if m.IsNull() {
		return judgeAt(t, passed(judge.String()))
	}
	for _, legal := range judge.ValidMoves() {
		if legal.String() == m.UCI(false) {
			return judge.Update(legal)
		}
	}
	t.Fatalf("game %d: %v is illegal in %s", id, m, judge)
	return nil
}

// passed returns a FEN with the other side to move and no en passant.
func passed(fen string) string {
	fields := strings.Fields(fen)
	fields[1] = map[string]string{"w": "b", "b": "w"}[fields[1]]
	fields[3] = "-"
	return strings.Join(fields, " ")
}

func judgeAt(t *testing.T, fen string) *chess.Position {
	t.Helper()
	option, err := chess.FEN(fen)
	if err != nil {
		t.Fatalf("%s: %v", fen, err)
	}
	return chess.NewGame(option).Position()
}
