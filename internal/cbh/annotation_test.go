package cbh

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"cbkit/model"
)

// at makes the annotations of one place.
func at(node int32, values ...model.Value) []model.Annotation {
	var list []model.Annotation
	for _, v := range values {
		list = append(list, model.Annotation{Node: node, Value: v})
	}
	return list
}

// The records of docs/formats/cba.md 10, written by ChessBase.
var annotationVectors = []struct {
	name string
	game model.RecordID
	rec  string
	list [][]model.Annotation
	// What the .cbh record says, without what comes from the moves.
	flags     uint32
	magnitude uint16
	textBytes int
}{
	{
		name: "squares and arrows", game: 13,
		rec: `00000d 01000e0e 000005 00000048
			ffffff 04 0008  0224
			000000 05 0009  022425
			000001 05 0015  02312b 031a1b 041016 032425 022005
			000001 04 0014  030b 0313 0325 0427 042f 0235 023d`,
		list: [][]model.Annotation{
			at(-1, model.Squares{{Color: model.Green, Square: model.E4}}),
			at(0, model.Arrows{{Color: model.Green, From: model.E4, To: model.E5}}),
			at(1, model.Arrows{
				{Color: model.Green, From: model.G1, To: model.F3},
				{Color: model.Yellow, From: model.D2, To: model.D3},
				{Color: model.Red, From: model.B8, To: model.C6},
				{Color: model.Yellow, From: model.E4, To: model.E5},
				{Color: model.Green, From: model.D8, To: model.A5},
			}, model.Squares{
				{Color: model.Yellow, Square: model.B3},
				{Color: model.Yellow, Square: model.C3},
				{Color: model.Yellow, Square: model.E5},
				{Color: model.Red, Square: model.E7},
				{Color: model.Red, Square: model.F7},
				{Color: model.Green, Square: model.G5},
				{Color: model.Green, Square: model.H5},
			}),
		},
		flags: 0x30,
	},
	{
		name: "texts and symbols", game: 230,
		rec: `0000e6 01000e0e 000007 00000062
			00000d 03 0007 01
			00000e 03 0007 06
			000010 03 0007 06
			00004e 82 0011 0000 426574746572206973
			00004e 02 0013 0000 284b6173706172 6f76292e
			00004f 02 001b 0000 666f6c6c6f777320746865207468656f72792e`,
		list: [][]model.Annotation{
			at(13, model.Symbols{Move: 1}), at(14, model.Symbols{Move: 6}), at(16, model.Symbols{Move: 6}),
			at(78, model.Text{Before: true, Text: "Better is"}, model.Text{Text: "(Kasparov)."}),
			at(79, model.Text{Text: "follows the theory."}),
		},
		flags: 0x0C, textBytes: 39,
	},
	{
		name: "symbol slots", game: 322,
		rec: `000142 01000e0e 000009 00000051  000020 03 0007 01  000022 02 000d 00008562352b2d  000022 05 0009 040c0d
			00003b 03 0007 02  00004e 03 0007 01  00005d 03 0008 0012  000064 03 0007 02  000068 03 0009 00008e`,
		list: [][]model.Annotation{
			at(32, model.Symbols{Move: 1}),
			at(34, model.Text{Text: "\uE00Db5+-"}, model.Arrows{{Color: model.Red, From: model.B4, To: model.B5}}),
			at(59, model.Symbols{Move: 2}), at(78, model.Symbols{Move: 1}), at(93, model.Symbols{Position: 18}),
			at(100, model.Symbols{Move: 2}), at(104, model.Symbols{Prefix: 142}),
		},
		flags: 0x2C, textBytes: 5,
	},
	{
		name: "quotation", game: 1,
		rec: `000001 01000e0e 000002 0000006e  000003 13 0060
			005a 0002 0000  0d 4de57264656c6c2c4a696d6d79 00  0e 4361726c73656e2c4d61676e7573 00  0834 0af0 8000
			04 54657374 00  00 00  00000000 0000 0000 0000 0000  01 02 00  000a
			df93 6cd8 f859 0dc6 48b8 0a5a 920e 727d a54a 9d46 bfb9`,
		list: [][]model.Annotation{at(3, model.Quotation{
			White: "Mårdell,Jimmy", Black: "Carlsen,Magnus", WhiteElo: 2100, BlackElo: 2800,
			ECO: model.NewECO(255, 0), Event: "Test", Round: 2, Subround: 1, Result: model.BlackWins,
			WithMoves: true, Spare: 10,
			Moves: []model.Move{
				model.NewMove(model.E2, model.E4), model.NewMove(model.E7, model.E5),
				model.NewMove(model.G1, model.F3), model.NewMove(model.B8, model.C6),
				model.NewMove(model.F1, model.C4), model.NewMove(model.G8, model.F6),
				model.NewMove(model.D2, model.D3), model.NewMove(model.F8, model.E7),
				model.NewCastling(model.E1, model.H1), model.NewCastling(model.E8, model.H8),
			},
		})},
		flags: 1 << 19,
	},
}

// Vector E is a payload only: it is put into a record here.
const trainingVector = `010001 1700 68010000 0a00 0000 0000 0000 0000 01 10 09 00 0a 0000`

func TestAnnotationVectors(t *testing.T) {
	for _, v := range annotationVectors {
		t.Run(v.name, func(t *testing.T) {
			rec := unhex(v.rec)
			ctx := AnnotationContext{Game: v.game}
			got, err := DecodeAnnotations(rec, ctx, true)
			if err != nil || got.StoredGame != uint32(v.game) || got.Leftover != nil {
				t.Fatalf("game %d, leftover %v: %v", got.StoredGame, got.Leftover, err)
			}
			var want []model.Annotation
			for _, place := range v.list {
				want = append(want, place...)
			}
			checkList(t, got.List, want)
			if out := AppendAnnotations(nil, got.List, nil, ctx, failOnLoss(t)); !bytes.Equal(out, rec) {
				t.Errorf("got  % x\nwant % x", out, rec)
			}
			f := FactsOf(rec)
			if f.Flags() != v.flags || f.Magnitude() != v.magnitude || f.amounts[annotationText] != v.textBytes || f.Count != len(want) {
				t.Errorf("flags %#x, magnitude %#x, %+v", f.Flags(), f.Magnitude(), f)
			}
		})
	}
}

// checkList compares annotations without their leftovers.
func checkList(t rapid.TB, got, want []model.Annotation) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d annotations, not %d: %+v", len(got), len(want), got)
	}
	for i := range want {
		if !equalAnnotations(got[i], want[i]) {
			t.Errorf("annotation %d at %d, not %d: %s", i, got[i].Node, want[i].Node, cmp.Diff(got[i].Value, want[i].Value))
		}
	}
}

func TestTrainingVector(t *testing.T) {
	payload := unhex(trainingVector)
	want := model.Training{Seconds: 360, Points: 10, Solutions: []model.Solution{{From: model.C1, To: model.B2, Points: 10}}}
	if got := DecodePayload(annotationTraining, payload, CodePage{}); !got.Equal(want) {
		t.Errorf("got %+v", got)
	}
	out, typ, err := AppendPayload(nil, want, CodePage{})
	if typ != annotationTraining || err != nil || !bytes.Equal(out, payload) {
		t.Errorf("%02x % x: %v", typ, out, err)
	}
}

func TestTrainingLists(t *testing.T) {
	// One text in each list, in its own language.
	payload := unhex(`010001 3500 3c000000 0300
		0100 0000 0200 4131  0100 0100 0200 4132  0100 0700 0200 4133  0100 0900 0200 4134
		01 00 3f 00 03  0100 0200 0200 a765`)
	text := func(l model.Language, s string) []model.TrainingText {
		return []model.TrainingText{{Language: l, Text: s}}
	}
	want := model.Training{
		Seconds: 60, Points: 3,
		Question: text(model.English, "A1"), WrongReply: text(model.German, "A2"),
		FirstHint: text(model.AnyLanguage, "A3"), SecondHint: text(model.GuideLanguageBase+9, "A4"),
		Solutions: []model.Solution{{From: model.A1, To: model.H8, Points: 3, Reply: text(model.French, "\uE029e")}},
	}
	if got := DecodePayload(annotationTraining, payload, CodePage{}); !got.Equal(want) {
		t.Errorf("got %+v", got)
	}
	if out, _, err := AppendPayload(nil, want, CodePage{}); err != nil || !bytes.Equal(out, payload) {
		t.Errorf("% x: %v", out, err)
	}
}

// TestStoredOrder puts annotations into the game of vector G: the later of two
// variations is stored first.
func TestStoredOrder(t *testing.T) {
	b := new(model.TreeBuilder)
	null := model.NullMove // the moves do not matter here
	main := []int{model.NoNode}
	for range 13 {
		main = append(main, b.Add(main[len(main)-1], null))
	}
	bc4 := b.Add(main[4], null)
	ng5 := bc4
	for range 4 {
		ng5 = b.Add(ng5, null)
	}
	nxe4 := b.Add(main[9], null)
	var tree model.Tree
	order := b.Build(&tree)
	list := append(at(order[nxe4], model.Symbols{Move: 1}), at(order[ng5], model.Symbols{Move: 2})...)
	got := AppendAnnotations(nil, list, nil, AnnotationContext{Game: 9, Moves: &tree}, failOnLoss(t))
	want := unhex(`000009 01000e0e 000003 0000001c  00000d 03 0007 01  000012 03 0007 02`)
	if !bytes.Equal(got, want) {
		t.Errorf("got % x", got)
	}
}

// The payloads of the kinds that no vector has, from the layouts in
// docs/formats/cba.md 6 and 7.
func TestPayloads(t *testing.T) {
	tests := []struct {
		typ     uint8
		payload string
		value   model.Value
	}{
		{0x02, "00 35 fcbe", model.Text{Language: model.German, Text: "ü¾"}},
		{0x82, "00 00", model.Text{Before: true}},
		{0x03, "", model.Symbols{}},
		{0x03, "01 0e 8e", model.Symbols{Move: 1, Position: 14, Prefix: 142}},
		{0x04, "07 40", model.Squares{{Color: model.Blue, Square: model.H8}}},
		{0x05, "", model.Arrows{}},
		{0x07, "01 3b 02 1e", model.TimeSpent{Hours: 1, Minutes: 59, Seconds: 2, Extra: 30}},
		{0x14, "03", model.PawnStructure(3)},
		{0x15, "03 02", model.PiecePath{Mode: 3, Square: model.A2}},
		{0x16, "000057e4", model.Clock{Player: model.White, Centiseconds: 22500}},
		{0x17, "00000001", model.Clock{Player: model.Black, Centiseconds: 1}},
		{0x18, "02", model.CriticalMiddlegame},
		{0x1C, "0900 03 612e62 02 63e4", model.WebLink{URL: "a.b", Caption: "cä"}},
		{0x21, "d7ff 0100 1c00", model.Engine{Value: -41, Type: 1, Depth: 28}},
		{0x22, "00000201", model.Medals(0x201)},
		{0x23, "00 408000", model.VariationColor{Blue: 0x40, Green: 0x80}},
		{0x24, "000AFC80 00000BB8 0028 01  00057E40 00000BB8 0014 01  00015F90 00000BB8 03E8 03", model.TimeControl{
			{Start: 720000, Increment: 3000, Moves: 40, Kind: 1},
			{Start: 360000, Increment: 3000, Moves: 20, Kind: 1},
			{Start: 90000, Increment: 3000, Moves: 1000, Kind: 3},
		}},
		{0x25, "0000d29a", model.VideoTime(53914)},
		{0x26, "0002 00 11 fff1  ff 00 0000", model.Evaluations{{Depth: 17, Value: -15}, {Kind: model.NoEvaluation}}},
	}
	for _, test := range tests {
		payload := unhex(test.payload)
		if got := DecodePayload(test.typ, payload, CodePage{}); !got.Equal(test.value) {
			t.Errorf("%02x % x: got %#v", test.typ, payload, got)
		}
		out, typ, err := AppendPayload(nil, test.value, CodePage{})
		if err != nil || typ != test.typ || !bytes.Equal(out, payload) {
			t.Errorf("%#v: %02x % x: %v", test.value, typ, out, err)
		}
	}
}

func TestOpaquePayloads(t *testing.T) {
	tests := []struct {
		typ     uint8
		payload string
		why     string
	}{
		{0x08, "00000001", "type not understood"},
		{0x61, "", "type not understood"},
		{0x02, "00", "no language"},
		{0x03, "01020304", "four symbols"},
		{0x04, "02", "half a square"},
		{0x04, "0200", "square 0"},
		{0x04, "0241", "square 65"},
		{0x05, "0201", "no arrow"},
		{0x05, "020041", "square 0"},
		{0x07, "010203", "three bytes"},
		{0x09, "010002 1700 68010000 0a00 0000 0000 0000 0000 01 10 09 00 0a 0000", "variant 2"},
		{0x09, "010001 1800 68010000 0a00 0000 0000 0000 0000 01 10 09 00 0a 0000", "wrong size"},
		{0x09, "010001 1700 68010000 0a00 0000 0000 0000 0000 01 40 09 00 0a 0000", "square 64"},
		{0x09, "010001 1100 68010000 0a00 0000 0000 0000 0000 01", "no solution"},
		{0x09, "010001 1500 68010000 0a00 0100 ffff 0000 0000 0000 0000 00", "language 65535"},
		{0x13, "005a 0002 0000", "short"},
		{0x14, "0303", "two bytes"},
		{0x15, "0300", "square 0"},
		{0x16, "000057", "three bytes"},
		{0x17, "000057e400", "five bytes"},
		{0x18, "", "empty"},
		{0x1C, "0a00 03 612e62 02 63e4", "wrong size"},
		{0x1C, "0900 03 612e62 03 63e4", "wrong length"},
		{0x21, "d7ff01001c", "five bytes"},
		{0x22, "0001", "two bytes"},
		{0x23, "00", "one byte"},
		{0x24, "000AFC80 00000BB8 0028 01", "one stage"},
		{0x25, "00", "one byte"},
		{0x26, "0002 00 11 fff1", "count too large"},
		{0x26, "0001 00 11 fff1 00", "count too small"},
	}
	for _, test := range tests {
		payload := unhex(test.payload)
		want := model.Opaque{Format: Format, Type: test.typ, Data: payload}
		got := DecodePayload(test.typ, payload, CodePage{})
		if !got.Equal(want) {
			t.Errorf("%02x, %s: got %#v", test.typ, test.why, got)
		}
		out, typ, err := AppendPayload(nil, got, CodePage{})
		if err != nil || typ != test.typ || !bytes.Equal(out, payload) {
			t.Errorf("%02x, %s: %02x % x: %v", test.typ, test.why, typ, out, err)
		}
	}
}

// TestOddQuotations changes single bytes of vector F.
func TestOddQuotations(t *testing.T) {
	payload := unhex(annotationVectors[3].rec)[AnnotationHeadSize+annotationItemHead:]
	moves := quotationMovesAt(payload)
	tests := []struct {
		why    string
		at     int
		set    byte
		opaque bool
	}{
		{"mode 3", 3, 3, true},
		{"start 1", 5, 1, true},
		{"string without its zero", 6 + 1 + 13, 1, true},
		{"result 8", moves - 3, 8, true},
		{"nation above 255", moves - 11, 1, true},
		{"unknown bits of the event type", moves - 13, 0x0E, false},
		{"other memory", moves - 1, 0x77, false},
		{"last move without the end", len(payload) - 2, 0, true},
	}
	for _, test := range tests {
		odd := bytes.Clone(payload)
		odd[test.at] = test.set
		v := DecodePayload(annotationQuotation, odd, CodePage{})
		if isOpaque(v) != test.opaque {
			t.Errorf("%s: %+v", test.why, v)
		}
		rec := recordOf(annotationQuotation, odd)
		checkExact(t, rec, AnnotationContext{Game: 1})
	}
}

// TestQuotedSetup: the board of docs/formats/cbg.md 4, Black to move after an advance
// on the f-file, with one right for each side.
func TestQuotedSetup(t *testing.T) {
	block := append(unhex("01 16 06 09 580e93"), make([]byte, 21)...)
	want := model.Position{
		Turn: model.Black, EnPassant: 5, FullMove: 9,
		Rights: model.CastlingRights{{model.H1, model.NoSquare}, {model.NoSquare, model.A8}},
	}
	want.Board[model.A2], want.Board[model.B1], want.Board[model.B4] = model.WhitePawn, model.BlackRook, model.WhiteKnight
	got := decodeSetup(block)
	if got == nil || *got != want {
		t.Errorf("got %+v", got)
	}
	if out, ok := appendSetup(nil, &want); !ok || !bytes.Equal(out, block) {
		t.Errorf("% x", out)
	}
	full := model.StartPosition()
	full.Board[model.E4] = model.WhitePawn // the 33rd piece
	if _, ok := appendSetup(nil, &full); ok {
		t.Error("33 pieces fit")
	}
	for why, bad := range map[string][]byte{
		"too short":     block[:27],
		"piece 7":       append(unhex("01 00 00 01 b8"), make([]byte, 23)...), // 1 0 111
		"many pieces":   append(unhex("01 00 00 01"), bytes.Repeat([]byte{0x8C, 0x63, 0x18, 0xC6, 0x31}, 5)[:24]...),
		"piece 0 at a1": append(unhex("01 00 00 01 80"), make([]byte, 23)...),
	} {
		if got := decodeSetup(bad); got != nil {
			t.Errorf("%s: %+v", why, got)
		}
	}
}

// recordOf returns a record of game 1 with one annotation at 0.
func recordOf(typ uint8, payload []byte) []byte {
	h := AnnotationHead{
		Game: 1, Constant: AnnotationConstant, Count: 2,
		Size: uint32(AnnotationHeadSize + annotationItemHead + len(payload)),
	}
	rec := h.append(nil)
	size := annotationItemHead + len(payload)
	rec = append(rec, 0, 0, 0, typ, byte(size>>8), byte(size))
	return append(rec, payload...)
}

// checkExact proves that a record comes back from what it was decoded to.
func checkExact(t rapid.TB, rec []byte, ctx AnnotationContext) {
	t.Helper()
	got, err := DecodeAnnotations(rec, ctx, true)
	ctx.Damage = err
	if out := AppendAnnotations(nil, got.List, got.Leftover, ctx, nil); !bytes.Equal(out, rec) {
		t.Fatalf("got  % x\nwant % x", out, rec)
	}
}

// TestDamagedRecord: a wrong size costs what stands behind it, not what stands
// before, and the record comes back only while nothing else is known.
func TestDamagedRecord(t *testing.T) {
	rec := unhex("000001 01000e0e 000004 00000026 000001 03 0007 02  000000 03 0007 01  000002 02 0003 0000 6162")
	ctx := AnnotationContext{Game: 1}
	got, err := DecodeAnnotations(rec, ctx, true)
	want := []model.Annotation{{Node: 0, Value: model.Symbols{Move: 1}}, {Node: 1, Value: model.Symbols{Move: 2}}}
	if !errors.Is(err, model.ErrCorrupt) || !strings.Contains(err.Error(), "(2 of 3 annotations could be read)") {
		t.Errorf("error: %v", err)
	}
	checkList(t, got.List, want)
	checkExact(t, rec, ctx)

	ctx.Damage = err
	var losses []model.Loss
	report := func(l model.Loss) { losses = append(losses, l) }
	changed := append(slices.Clone(got.List), at(3, model.Symbols{Move: 3})...)
	out := AppendAnnotations(nil, changed, got.Leftover, ctx, report)
	again, err := DecodeAnnotations(out, ctx, false)
	if checkList(t, again.List, changed); err != nil {
		t.Error(err)
	}
	if len(losses) != 1 || losses[0].Kind != model.LostAnnotation || !strings.Contains(losses[0].What, "2 of 3") {
		t.Errorf("losses: %v", losses)
	}
	// Without the damage, the list is all there is.
	ctx.Damage = nil
	out = AppendAnnotations(nil, got.List, got.Leftover, ctx, report)
	if _, err := DecodeAnnotations(out, ctx, false); err != nil || len(losses) != 1 {
		t.Errorf("%v, losses: %v", err, losses)
	}
}

func TestDecodeAnnotationErrors(t *testing.T) {
	tests := []struct {
		rec    string
		err    error
		offset int64
	}{
		{"", model.ErrTruncated, 0},
		{"000001 01000e0e 000002", model.ErrTruncated, 10},
		{"000001 01000e0e 000002 0000000d", model.ErrCorrupt, 10},
		{"000001 01000e0e 000002 ffffffff", model.ErrCorrupt, 10},
		{"000001 01000e0e 000002 00000014 000000 03 0005", model.ErrCorrupt, 18},
		{"000001 01000e0e 000002 00000014 000000 03 0007", model.ErrTruncated, 20},
		{"000001 01000e0e 000002 00000010 0000", model.ErrTruncated, 14},
	}
	for _, test := range tests {
		rec := unhex(test.rec)
		got, err := DecodeAnnotations(rec, AnnotationContext{Game: 1}, true)
		var place *model.FormatError
		if !errors.Is(err, test.err) || !errors.As(err, &place) || place.Offset != test.offset || len(got.List) != 0 {
			t.Errorf("%s: %v", test.rec, err)
		}
		checkExact(t, rec, AnnotationContext{Game: 1})
	}
}

// TestTruncatedAnnotations cuts a record everywhere, also with the size that
// fits.
func TestTruncatedAnnotations(t *testing.T) {
	for _, v := range annotationVectors {
		whole := unhex(v.rec)
		ctx := AnnotationContext{Game: v.game}
		for n := range whole {
			rec := bytes.Clone(whole[:n])
			if _, err := DecodeAnnotations(rec, ctx, false); err == nil {
				t.Errorf("%s: no error for %d bytes", v.name, n)
			}
			checkExact(t, rec, ctx)
			if n >= AnnotationHeadSize {
				rec[13] = byte(n)
				checkExact(t, rec, ctx)
			}
			FactsOf(rec)
		}
	}
}
