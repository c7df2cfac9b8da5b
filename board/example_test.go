package board_test

import (
	"errors"
	"fmt"

	"cbkit/board"
	"cbkit/model"
)

func Example() {
	p := board.Start()
	for _, san := range []string{"e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"} {
		m, err := p.ParseSAN(san)
		if err != nil {
			fmt.Println(san, err)
			return
		}
		p.Make(m)
	}
	fmt.Println(p.FEN())
	fmt.Println("mate:", p.IsCheckmate())
	// Output:
	// r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4
	// mate: true
}

func ExampleNew() {
	setup, err := board.ParseModel("8/8/8/8/8/5k2/8/4K2R w K - 0 1")
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := board.New(&setup)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Turn(), p.KingSquare(model.White), p.PieceAt(model.H1) == model.WhiteRook)
	// Output: white e1 true
}

func ExamplePosition_Make() {
	p := board.Start()
	m := model.NewMove(model.E2, model.E4)
	undo := p.Make(m)
	fmt.Println(p.FEN())
	p.Unmake(m, undo)
	fmt.Println(p == board.Start())
	// Output:
	// rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
	// true
}

func ExamplePosition_AppendLegal() {
	setup, _ := board.ParseModel("7k/P7/8/8/8/8/8/K7 w - - 0 1")
	p, _ := board.New(&setup)
	var buf [256]model.Move
	for _, m := range p.AppendLegal(buf[:0]) {
		fmt.Print(p.SAN(m), " ")
	}
	// Output: a8=Q+ a8=R+ a8=B a8=N Kb1 Ka2 Kb2
}

func ExamplePosition_Legal() {
	setup, _ := board.ParseModel("4k3/8/8/8/8/8/8/4K2R w - - 0 1")
	p, _ := board.New(&setup)
	short := model.NewCastling(model.E1, model.H1)
	fmt.Println(p.Legal(short), p.LegalLoose(short))
	// Output: false true
}

func ExamplePosition_AppendSAN() {
	p := board.Start()
	m := model.NewMove(model.G1, model.F3)
	fmt.Printf("1.%s\n", p.AppendSAN(nil, m))
	// Output: 1.Nf3
}

func ExamplePosition_ParseSAN() {
	p := board.Start()
	for _, text := range []string{"Nf3", "Ng1-f3", "g1f3", "Nf3+!?", "Nd3"} {
		m, err := p.ParseSAN(text)
		fmt.Println(text, m, err)
	}
	// Output:
	// Nf3 g1f3 <nil>
	// Ng1-f3 g1f3 <nil>
	// g1f3 g1f3 <nil>
	// Nf3+!? g1f3 <nil>
	// Nd3 0000 no legal move fits
}

func ExamplePosition_ParseUCI() {
	setup, _ := board.ParseModel("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
	p, _ := board.New(&setup)
	m, err := p.ParseUCI("e1g1")
	fmt.Println(p.SAN(m), m.From(), m.To(), err)
	// Output: O-O e1 h1 <nil>
}

func ExampleParseModel() {
	p, err := board.ParseModel("1r3kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 b KQkq - 0 1")
	fmt.Println(p.Turn, p.Chess960, p.Rights[model.White][model.KingSide], err)

	_, err = board.ParseModel("8/8/8/8/8/8/8/9 w - - 0 1")
	fmt.Println(err)
	// Output:
	// black true g1 <nil>
	// FEN: board at byte 14: "9" is not a piece
}

func ExampleFormatFEN() {
	p := board.Chess960Start(0)
	fmt.Println(board.FormatFEN(&p))
	fmt.Println(board.ShredderFEN(&p))
	// Output:
	// bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1
	// bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1
}

func ExampleChess960Number() {
	p := board.Chess960Start(518)
	fmt.Println(board.Chess960Number(&p))
	// Output: 518 true
}

// game returns 1.e4 e5 (1...c5 2.Nf3) 2.Nc3.
func game() model.Tree {
	b := new(model.TreeBuilder)
	e4 := b.Add(model.NoNode, model.NewMove(model.E2, model.E4))
	e5 := b.Add(e4, model.NewMove(model.E7, model.E5))
	c5 := b.Add(e4, model.NewMove(model.C7, model.C5))
	b.Add(c5, model.NewMove(model.G1, model.F3))
	b.Add(e5, model.NewMove(model.B1, model.C3))
	return b.Tree()
}

func ExampleWalk() {
	tree := game()
	for node, p := range board.Walk(nil, &tree) {
		fmt.Println(node, p.FullMove(), p.Turn(), p.SAN(tree.Move(node)))
	}
	// Output:
	// 0 1 white e4
	// 1 1 black e5
	// 2 2 white Nc3
	// 3 1 black c5
	// 4 2 white Nf3
}

func ExampleReplay() {
	tree := game()
	for node, p := range board.Replay(nil, &tree) {
		fmt.Print(p.SAN(tree.Move(node)), " ")
	}
	// Output: e4 e5 Nc3
}

func ExampleAfter() {
	tree := game()
	p, err := board.After(nil, &tree, 4)
	fmt.Println(p.FEN(), err)
	// Output: rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2 <nil>
}

func ExampleValidate() {
	var tree model.Tree
	tree.Append(model.NewMove(model.E2, model.E5))
	fmt.Println(board.Validate(nil, &tree))
	// Output: move e2e5 (node 0) is not legal in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
}

func ExamplePosition_DiagramKey() {
	start := model.StartPosition()
	moved, err := board.ParseModel("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 4 3") // the kings have moved
	if err != nil {
		panic(err)
	}
	var positions [2]board.Position
	for i, p := range []*model.Position{&start, &moved} {
		if positions[i], err = board.New(p); err != nil {
			panic(err)
		}
	}
	fmt.Println(positions[0].PolyglotKey() == positions[1].PolyglotKey(), positions[0].DiagramKey() == positions[1].DiagramKey(), positions[0].SameDiagram(&positions[1]))
	// Output: false true true
}

func ExamplePosition_PolyglotKey() {
	p := board.Start()
	fmt.Printf("%016x\n", p.PolyglotKey())
	// Output: 463b96181691fc9c
}

func ExamplePosition_BookKey() {
	var keys []uint64
	for _, fen := range []string{
		"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", // White to move, with a pawn more
		"4k3/4p3/8/8/8/8/8/4K3 b - - 0 1", // the same for Black
	} {
		data, err := board.ParseModel(fen)
		if err != nil {
			panic(err)
		}
		p, err := board.New(&data)
		if err != nil {
			panic(err)
		}
		keys = append(keys, p.BookKey())
	}
	fmt.Println(keys[0] == keys[1])
	// Output: true
}

// One buffer serves for many positions.
func ExampleAppendFEN() {
	start := model.StartPosition()
	var buf [100]byte
	fmt.Printf("%s\n", board.AppendFEN(buf[:0], &start))
	fmt.Printf("%s\n", board.AppendPlacement(buf[:0], &start.Board))
	// Output:
	// rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
	// rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR
}

// A program that has a FEN from its user can show him the place of the mistake.
func ExampleFENError() {
	fen := "8/8/8/8/8/5k2/8/4K2R w KX - 0 1"
	_, err := board.ParseModel(fen)
	var wrong *board.FENError
	if errors.As(err, &wrong) {
		fmt.Printf("%s: %s, at %q\n", wrong.Field, wrong.Reason, fen[wrong.Offset:])
	}
	// Output: castling: "X" is not a castling right, at "X - 0 1"
}

// Up to the illegal move, a game can be used.
func ExampleMoveError() {
	var tree model.Tree
	tree.Append(model.NewMove(model.E2, model.E4))
	tree.Append(model.NewMove(model.E7, model.E4))
	var illegal *board.MoveError
	if err := board.Validate(nil, &tree); errors.As(err, &illegal) {
		fmt.Println("after ply", tree.Ply(illegal.Node), illegal.Move)
	}
	// Output: after ply 1 e7e4
}

func ExampleAppendSigned() {
	setup, _ := board.ParseModel("4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1")
	p, _ := board.New(&setup)
	m := model.NewMove(model.A1, model.B3)
	var sign model.Sign = p.Sign(m)
	fmt.Println(sign.Piece() == model.Knight, sign&model.SignFile != 0, board.Origin(p.Pieces(model.White, model.Knight)&^1, model.A1) == model.SignFile)
	fmt.Println(string(board.AppendSigned(nil, m, sign)))
	// Output:
	// true true true
	// Nab3
}

// A position to play on, to search for and to look up in books.
func ExampleParse() {
	p, err := board.Parse("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
	if err != nil {
		panic(err)
	}
	mate, err := p.ParseSAN("Qxf7")
	if err != nil {
		panic(err)
	}
	fmt.Println(p.SAN(mate))
	// Output: Qxf7#
}
