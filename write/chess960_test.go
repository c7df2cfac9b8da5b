package write

import (
	"testing"

	"cbkit/board"
	"cbkit/internal/cbh"
	"cbkit/model"
)

// What a game is written afresh with keeps the number of its Chess960 start where its own
// start is none, or that one.
func TestNumberOfChess960Stays(t *testing.T) {
	array := board.Chess960Start(785)
	later, other, bare := array, board.Chess960Start(114), array
	later.Board[model.E2], later.Board[model.E4], later.Turn = model.NoPiece, later.Board[model.E2], model.Black
	bare.Rights = model.NoRights()
	otherBare := other
	otherBare.Rights = model.NoRights()
	twoOnLight := array // no array at all
	twoOnLight.Board[model.A1], twoOnLight.Board[model.B1] = twoOnLight.Board[model.B1], twoOnLight.Board[model.A1]
	twoOnLight.Board[model.A8], twoOnLight.Board[model.H8] = twoOnLight.Board[model.H8], twoOnLight.Board[model.A8]
	usual := model.StartPosition()
	for name, c := range map[string]struct {
		start *model.Position
		want  int
	}{
		"the array": {&array, 785}, "a position of the game": {&later, 785}, "the array without rights": {&bare, 785}, "no array": {&twoOnLight, 785},
		"another": {&other, 114}, "another without rights": {&otherBare, -1}, "no Chess960": {&usual, -1}, "no start": {nil, -1},
	} {
		g := model.NewGame()
		g.Start = c.start
		r := cbh.NewGameRecord(785)
		g.Leftovers.Header = &model.Leftover{Format: cbh.Format, Data: cbh.AppendGameLeftover(nil, r, cbh.NewExtRecord(), 0)}
		got, _, stored := headersOf(g, chess960Number(g.Start))
		if _, number := cbh.UnpackOpening(got.Opening); number != c.want || !stored {
			t.Errorf("%s: %d, want %d", name, number, c.want)
		}
	}
}
