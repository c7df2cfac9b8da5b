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
