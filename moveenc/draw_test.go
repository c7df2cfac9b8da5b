package moveenc_test

import (
	"cbkit/board"
	"cbkit/internal/testkit/must"
	"cbkit/model"

	"pgregory.net/rapid"
)

// game is what a record is made from.
type game struct {
	start *model.Position
	moves model.Tree
}

// drawGame draws a game of regular chess or of Chess960: from the standard
// position or any other, with variations and null moves, now and then so long
// that the counter n wraps.
func drawGame(t *rapid.T, chess960 bool) game {
	g := game{start: drawStart(t, chess960)}
	plies := rapid.IntRange(0, 60).Draw(t, "plies")
	if rapid.IntRange(0, 15).Draw(t, "long") == 0 {
		plies = rapid.IntRange(250, 600).Draw(t, "many plies")
	}
	straight := rapid.SampledFrom([]int{0, 3, 10, 1000}).Draw(t, "straight")
	p := must.Get(board.New(g.start))(t)
	positions := []board.Position{p} // positions[n+1] is the one after node n
	b := new(model.TreeBuilder)
	for n := range plies {
		parent := n - 1
		if rapid.IntRange(0, straight).Draw(t, "branch") == 0 {
			parent = rapid.IntRange(max(model.NoNode, n-12), n-1).Draw(t, "parent")
		}
		p := positions[parent+1]
		m := drawMove(t, &p)
		b.Add(parent, m)
		p.Make(m)
		positions = append(positions, p)
	}
	g.moves = b.Tree()
	return g
}

// drawMove draws a legal move, often one of a rare kind.
func drawMove(t *rapid.T, p *board.Position) model.Move {
	legal := p.AppendLegal(nil)
	if len(legal) == 0 || rapid.IntRange(0, 20).Draw(t, "null") == 0 {
		return model.NullMove
	}
	var rare []model.Move
	for _, m := range legal {
		pawn := p.PieceAt(m.From()).Type() == model.Pawn
		capture := p.PieceAt(m.To()) != model.NoPiece
		if m.IsCastling() || m.Promotion() != model.NoPieceType || capture || pawn && m.From().File() != m.To().File() {
			rare = append(rare, m)
		}
	}
	if len(rare) > 0 && rapid.Bool().Draw(t, "rare") {
		legal = rare
	}
	return rapid.SampledFrom(legal).Draw(t, "move")
}

func drawStart(t *rapid.T, chess960 bool) *model.Position {
	if chess960 {
		p := board.Chess960Start(rapid.IntRange(0, 959).Draw(t, "start number"))
		if rapid.Bool().Draw(t, "thinned") {
			thinOut(t, &p)
		}
		return &p
	}
	switch rapid.IntRange(0, 3).Draw(t, "start") {
	case 0:
		return nil
	case 1:
		p := model.StartPosition()
		thinOut(t, &p)
		return &p
	default:
		return drawSetUp(t)
	}
}

// thinOut takes most pieces but kings and rooks away, so that castling comes
// soon, takes some rights, and changes what else a start position has.
func thinOut(t *rapid.T, p *model.Position) {
	for s, piece := range p.Board {
		king, rook := piece.Type() == model.King, piece.Type() == model.Rook
		if !king && !rook && rapid.IntRange(0, 2).Draw(t, "gone") > 0 {
			p.Board[s] = model.NoPiece
		}
	}
	for c := range p.Rights {
		for side := range p.Rights[c] {
			if rapid.IntRange(0, 3).Draw(t, "forfeited") == 0 {
				p.Rights[c][side] = model.NoSquare
			}
		}
	}
	drawState(t, p)
}

// drawState draws side to move, move number and en passant file.
func drawState(t *rapid.T, p *model.Position) {
	p.Turn = model.Color(rapid.IntRange(0, 1).Draw(t, "turn"))
	p.FullMove = uint16(rapid.IntRange(1, 255).Draw(t, "move number"))
	p.EnPassant = int8(rapid.IntRange(-1, 7).Draw(t, "en passant"))
}

// drawSetUp draws up to 32 pieces, with many of the same kind and pawns close
// to promotion.
func drawSetUp(t *rapid.T) *model.Position {
	p := model.Position{Rights: model.NoRights()}
	drawState(t, &p)
	free := rapid.Permutation(allSquares()).Draw(t, "squares")
	p.Board[free[0]], p.Board[free[1]] = model.WhiteKing, model.BlackKing
	kinds := rapid.SampledFrom([][]model.PieceType{
		{model.Queen}, {model.Knight}, {model.Bishop, model.Queen}, {model.Pawn}, {model.Rook, model.Pawn},
		{model.Pawn, model.Knight, model.Bishop, model.Rook, model.Queen},
	}).Draw(t, "kinds")
	for _, s := range free[2 : 2+rapid.IntRange(0, 30).Draw(t, "pieces")] {
		color := model.Color(rapid.IntRange(0, 1).Draw(t, "color"))
		p.Board[s] = model.NewPiece(color, rapid.SampledFrom(kinds).Draw(t, "kind"))
	}
	return &p
}

func allSquares() []model.Square {
	var all []model.Square
	for s := range model.Square(64) {
		all = append(all, s)
	}
	return all
}
