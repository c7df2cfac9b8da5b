package moveenc_test

import (
	"encoding/hex"
	"errors"
	"fmt"

	"cbkit/model"
	"cbkit/moveenc"
)

// 1.e4 e5 (1...c5), as ChessBase stores it.
func ExampleDecode() {
	rec, _ := hex.DecodeString("0000000AFFDD000EDC0F")
	var g moveenc.Game // can be used again for the next record
	if err := moveenc.Decode(rec, &g); err != nil {
		fmt.Println(err)
		return
	}
	for n, node := range g.Moves.Nodes() {
		fmt.Println(n, node.Move, "after", node.Parent)
	}
	// Output:
	// 0 e2e4 after -1
	// 1 e7e5 after 0
	// 2 c7c5 after 0
}

// A record that cannot be decoded says why, and where.
func ExampleDecode_error() {
	rec, _ := hex.DecodeString("3F0000050C")
	var g moveenc.Game
	err := moveenc.Decode(rec, &g)
	fmt.Println(err)
	fmt.Println(errors.Is(err, model.ErrUnsupported))
	// Output:
	// game record: at 0x0 (mode): mode 63 is not known: unsupported
	// true
}

func ExampleAppend() {
	var moves model.Tree
	e4 := moves.AddStored(model.NoNode, model.NewMove(model.E2, model.E4))
	moves.AddStored(e4, model.NewMove(model.E7, model.E5))
	moves.AddStored(e4, model.NewMove(model.C7, model.C5))
	rec, err := moveenc.Append(nil, nil, &moves, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("% X\n", rec)
	// Output: 00 00 00 0A FF DD 00 0E DC 0F
}

// An old game with a dummy byte keeps it on its way through the model.
func ExampleAppendForm() {
	rec, _ := hex.DecodeString("00000007FFA00D")
	var g moveenc.Game
	if err := moveenc.Decode(rec, &g); err != nil {
		fmt.Println(err)
		return
	}
	kept := model.Leftover{Format: "cbh", Data: moveenc.AppendForm(nil, &g.Form)}

	form, err := moveenc.DecodeForm(kept.From("cbh"))
	if err != nil {
		fmt.Println(err)
		return
	}
	same, err := moveenc.Append(nil, g.SetUp(), &g.Moves, &form)
	fmt.Printf("dummies %v: % X %v\n", form.Dummies, same, err)
	// Output: dummies [1]: 00 00 00 07 FF A0 0D <nil>
}

func ExampleDecodeHead() {
	head, err := moveenc.DecodeHead([]byte{0x4A, 0x00, 0x00, 0x7B})
	fmt.Printf("%+v %v\n", head, err)
	// Output: {Mode:10 Bit7:false HasStart:true Size:123} <nil>
}

func ExampleLosses() {
	start := model.StartPosition()
	start.HalfMoves = 12
	for _, loss := range moveenc.Losses(&start) {
		fmt.Println(loss)
	}
	// Output: start: half-move clock 12
}

// The form of a record is bytes in a leftover, and typed again for encoding.
func ExampleDecodeForm() {
	rec, _ := hex.DecodeString("00000007FFA00D") // 1.e4 with a dummy byte
	var g moveenc.Game
	if err := moveenc.Decode(rec, &g); err != nil {
		fmt.Println(err)
		return
	}
	form, err := moveenc.DecodeForm(moveenc.AppendForm(nil, &g.Form))
	if err != nil {
		fmt.Println(err)
		return
	}
	again, err := moveenc.Append(nil, g.SetUp(), &g.Moves, &form)
	fmt.Printf("%v %X %v\n", form.Dummies, again, err)
	// Output: [1] 00000007FFA00D <nil>
}

// A record is decoded as the game that it has to be: 1.e4 d6 2.Bb5+ and now a move
// that leaves the king in check is refused.
func ExampleDecodeLegal() {
	var moves model.Tree
	for _, m := range []model.Move{
		model.NewMove(model.E2, model.E4), model.NewMove(model.D7, model.D6),
		model.NewMove(model.F1, model.B5), model.NewMove(model.A7, model.A6),
	} {
		moves.Append(m)
	}
	rec, err := moveenc.Append(nil, nil, &moves, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var g moveenc.Game
	fmt.Println(moveenc.Decode(rec, &g), g.Moves.Len())
	fmt.Println(moveenc.DecodeLegal(rec, &g))
	// Output:
	// <nil> 4
	// game record: at 0x0 (moves): move 4: a7a6 leaves the own king in check: corrupt
}

// Of a game with a move that no piece can make, the rest is kept.
func ExampleTrim() {
	b := new(model.TreeBuilder)
	e4 := b.Add(model.NoNode, model.NewMove(model.E2, model.E4))
	wrong := b.Add(e4, model.NewMove(model.E7, model.E3))
	b.Add(wrong, model.NewMove(model.D2, model.D4))
	b.Add(e4, model.NewMove(model.C7, model.C5))
	moves := b.Tree()

	start := model.StartPosition()
	trimmed, err := moveenc.Trim(&start, &moves)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, cut := range trimmed.Cuts {
		fmt.Println(moves.Move(cut.Node), "and", cut.After, "more:", cut.Err)
	}
	for node, to := range trimmed.Order {
		fmt.Println(moves.Move(node), to)
	}
	rec, err := moveenc.Append(nil, nil, &trimmed.Moves, nil)
	fmt.Println(len(rec), "bytes", err)
	// Output:
	// e7e3 and 1 more: move 2: illegal move e7e3 in rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1: corrupt
	// e2e4 0
	// e7e3 -1
	// d2d4 -1
	// c7c5 1
	// 7 bytes <nil>
}
