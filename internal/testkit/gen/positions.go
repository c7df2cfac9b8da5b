package gen

import (
	"cbkit/board"
	"cbkit/model"

	"pgregory.net/rapid"
)

// setUps are positions in which the rarer moves are near.
var setUps = []string{
	"8/PPPPk1pp/8/8/8/8/1pp1KpPP/8 w - - 0 1",                              // promotions on both sides
	"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",                              // promotions by capture
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", // everything at once
	"rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",         // en passant now
	"4k3/8/8/2pP1Pp1/8/8/8/4K3 w - c6 0 20",                                // en passant, Black has just moved
	"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",                                 // castling
	"r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1",                                     // rights of one side each
	"N1N1k1nn/8/8/8/8/8/8/NN1K2nn w - - 0 1",                               // four knights of a colour
	"qqq1k3/8/8/8/8/8/8/QQQ1K1bb b - - 0 1",                                // many queens
	"4k3/8/8/8/8/8/8/4K3 b - - 0 99",                                       // bare kings
	"7k/5Q2/8/8/8/8/8/K7 b - - 0 1",                                        // stalemate
	"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",                                       // mate
	"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",             // Black begins
	"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",                // no rights
	"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 200",           // late
	"rnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR w KQkq - 0 1",             // odds of a pawn
}

func drawStart(t *rapid.T, c Config) *model.Position {
	choice := rapid.IntRange(0, 7).Draw(t, "start")
	var p model.Position
	switch {
	case choice == 7 && !c.NoChess960:
		p = drawChess960(t, c)
	case choice <= 4 || c.NoSetUp:
		return nil
	case choice == 5:
		p = drawPlacement(t)
	default:
		p = mustParse(rapid.SampledFrom(setUps).Draw(t, "set-up"))
	}
	if !c.NoHalfMoves && chance(t, 3, "half moves") {
		p.HalfMoves = rapid.Uint16Range(0, 200).Draw(t, "half moves")
	}
	return &p
}

func mustParse(fen string) model.Position {
	p, err := board.ParseModel(fen)
	if err != nil {
		panic(err)
	}
	return p
}

// drawChess960 draws a starting position of Chess960, or one from such a game.
func drawChess960(t *rapid.T, c Config) model.Position {
	p := board.Chess960Start(rapid.IntRange(0, 959).Draw(t, "number"))
	if c.NoSetUp || !chance(t, 4, "later") {
		return p
	}
	for file := range 8 { // the pawns are gone
		p.Board[model.NewSquare(file, 1)] = model.NoPiece
		p.Board[model.NewSquare(file, 6)] = model.NoPiece
	}
	p.Turn, p.FullMove = model.Black, 30
	return p
}

// drawPlacement draws a position of a few pieces in which the side that is
// not to move is not in check.
func drawPlacement(t *rapid.T) model.Position {
	p := model.Position{Rights: model.NoRights(), EnPassant: model.NoFile}
	squares := rapid.Permutation(allSquares()).Draw(t, "squares")
	p.Board[squares[0]], p.Board[squares[1]] = model.WhiteKing, model.BlackKing
	for i := range rapid.IntRange(0, 10).Draw(t, "pieces") {
		s := squares[2+i]
		kind := model.PieceType(rapid.IntRange(int(model.Pawn), int(model.Queen)).Draw(t, "kind"))
		if kind == model.Pawn && (s.Rank() == 0 || s.Rank() == 7) {
			kind = model.Knight
		}
		p.Board[s] = model.NewPiece(model.Color(rapid.IntRange(0, 1).Draw(t, "color")), kind)
	}
	p.Turn = model.Color(rapid.IntRange(0, 1).Draw(t, "turn"))
	p.FullMove = rapid.Uint16Range(1, 250).Draw(t, "full move")
	waiting := p
	waiting.Turn = p.Turn.Other()
	if pos, err := board.New(&waiting); err != nil || pos.InCheck() {
		return mustParse(setUps[0])
	}
	return p
}

func allSquares() []model.Square {
	list := make([]model.Square, 64)
	for i := range list {
		list[i] = model.Square(i)
	}
	return list
}
