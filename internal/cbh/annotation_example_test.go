package cbh_test

import (
	"fmt"

	"cbkit/internal/cbh"
	"cbkit/internal/wire"
	"cbkit/model"
)

func ExampleAppendAnnotations() {
	list := []model.Annotation{
		{Node: 0, Value: model.Symbols{Move: 1}},
		{Node: 1, Value: model.Symbols{Move: 23}},
	}
	ctx := cbh.AnnotationContext{Game: 17}
	rec := cbh.AppendAnnotations(nil, list, nil, ctx, func(l model.Loss) { fmt.Println(l) })
	fmt.Printf("% x\n", rec)
	// Output:
	// record 17: symbols: $23 became $22
	// 00 00 11 01 00 0e 0e 00 00 03 00 00 00 1c 00 00 00 03 00 07 01 00 00 01 03 00 07 16
}

func ExampleDecodeAnnotations() {
	ctx := cbh.AnnotationContext{Game: 17}
	rec := cbh.AppendAnnotations(nil, []model.Annotation{
		{Node: model.NoNode, Value: model.Text{Language: model.English, Text: "A short game."}},
		{Node: 3, Value: model.Squares{{Color: model.Green, Square: model.F7}}},
	}, nil, ctx, nil)

	got, err := cbh.DecodeAnnotations(rec, ctx, true)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range got.List {
		fmt.Println(a.Node, a.Value.Kind(), a.Value)
	}
	// Output:
	// -1 text {en false A short game.}
	// 3 squares [{green f7}]
}

func ExampleDecodeAnnotationHead() {
	head, err := cbh.DecodeAnnotationHead([]byte{0, 0, 17, 1, 0, 0x0E, 0x0E, 0, 0, 2, 0, 0, 0, 21})
	fmt.Println(head.Game, head.Count-1, head.Size, err)
	// Output: 17 1 21 <nil>
}

func ExampleDecodePayload() {
	fmt.Printf("%+v\n", cbh.DecodePayload(0x07, []byte{0, 4, 30, 0}, cbh.CodePage{}))
	fmt.Printf("%+v\n", cbh.DecodePayload(0x08, []byte{1}, cbh.CodePage{}))
	// Output:
	// {Hours:0 Minutes:4 Seconds:30 Extra:0}
	// {Format:cbh Type:8 Data:[1]}
}

func ExampleAppendPayload() {
	payload, typ, err := cbh.AppendPayload(nil, model.Critical(model.CriticalEndgame), cbh.CodePage{})
	fmt.Printf("%x: % x %v\n", typ, payload, err)
	// Output: 18: 03 <nil>
}

func ExampleFactsOf() {
	rec := cbh.AppendAnnotations(nil, []model.Annotation{
		{Node: 0, Value: model.Text{Text: "A novelty."}},
		{Node: 0, Value: model.Medals(1 << 3)},
	}, nil, cbh.AnnotationContext{Game: 1}, nil)
	f := cbh.FactsOf(rec)
	fmt.Printf("flags %#x, magnitude %#x, medals %#x\n", f.Flags(), f.Magnitude(), f.Medals())
	// Output: flags 0x4, magnitude 0x0, medals 0x8
}

func ExampleAppendGuide() {
	guide := cbh.Guide{
		HTML:     true,
		Titles:   []model.LocalText{{Language: model.English, Text: "About"}},
		Contents: []model.LocalText{{Language: model.English, Text: "<p>Games of 1934.</p>"}},
	}
	rec, err := cbh.AppendGuide(nil, guide, 1, cbh.CodePage{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("% x\n", rec[:19])
	// Output: 80 00 00 33 03 00 01 00 00 00 05 00 41 62 6f 75 74 01 01
}

func ExampleDecodeGuide() {
	rec := []byte{0x80, 0, 0, 14, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0}
	_, err := cbh.DecodeGuide(rec, cbh.CodePage{})
	fmt.Println(wire.Locate(err, "games.cbg", 0x4c2, 17))

	rec = []byte{0x80, 0, 0, 15, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0}
	guide, err := cbh.DecodeGuide(rec, cbh.CodePage{})
	fmt.Println(guide.Titles[0].Language, len(guide.Contents), err)
	// Output:
	// games.cbg: record 17 at 0x4cf: truncated
	// de 0 <nil>
}
