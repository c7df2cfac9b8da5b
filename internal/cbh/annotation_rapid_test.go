package cbh

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "cbkit/internal/testkit/seeds"
	"cbkit/internal/wire"
	"cbkit/model"
)

// drawString draws a text of the characters that make a difference: of the
// page, of the symbols, and others; and the bytes of UTF-8 as letters.
func drawString(t *rapid.T, page CodePage, maxLen int) string {
	letter := rapid.OneOf(
		rapid.RuneFrom([]rune("aZ 5\r\n\t\x00\x04")),
		rapid.RuneFrom(page.page().char[0x80:]),
		rapid.RuneFrom(symbolPage().char[0x80:]),
		rapid.SampledFrom([]rune("ÃÂ¼½é→Ж中𝄞\uFFFD")),
	)
	return string(rapid.SliceOfN(letter, 0, maxLen).Draw(t, "text"))
}

func drawSquare(t *rapid.T) model.Square {
	return model.Square(rapid.Uint8Max(63).Draw(t, "square"))
}

// drawLanguage draws a language of annotations.
func drawLanguage(t *rapid.T) model.Language {
	return model.Language(rapid.Uint8().Draw(t, "language"))
}

// drawGuideLanguage draws a language that guiding texts have a number for.
func drawGuideLanguage(t *rapid.T) model.Language {
	l, _ := unpackGuideLanguage(rapid.OneOf(rapid.Uint16Max(9), rapid.Uint16Max(0xFFFF-256)).Draw(t, "language"))
	return l
}

// drawNAG draws a NAG that is stored as it is.
func drawNAG(t *rapid.T) model.NAG {
	return foldNAG(model.NAG(rapid.Uint8().Draw(t, "nag")))
}

// valueGenerators draw values, by kind, that can be stored as they are.
var valueGenerators = map[model.Kind]func(*rapid.T, CodePage) model.Value{
	model.KindText: func(t *rapid.T, page CodePage) model.Value {
		return model.Text{Language: drawLanguage(t), Before: rapid.Bool().Draw(t, "before"), Text: drawString(t, page, 40)}
	},
	model.KindSymbols: func(t *rapid.T, _ CodePage) model.Value {
		return model.Symbols{Move: drawNAG(t), Position: drawNAG(t), Prefix: drawNAG(t)}
	},
	model.KindSquares: func(t *rapid.T, _ CodePage) model.Value {
		return model.Squares(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) model.ColoredSquare {
			return model.ColoredSquare{Color: model.MarkColor(rapid.Uint8().Draw(t, "color")), Square: drawSquare(t)}
		}), 0, 8).Draw(t, "squares"))
	},
	model.KindArrows: func(t *rapid.T, _ CodePage) model.Value {
		return model.Arrows(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) model.ColoredArrow {
			return model.ColoredArrow{Color: model.MarkColor(rapid.Uint8().Draw(t, "color")), From: drawSquare(t), To: drawSquare(t)}
		}), 0, 8).Draw(t, "arrows"))
	},
	model.KindTimeSpent: func(t *rapid.T, _ CodePage) model.Value { return rapid.Make[model.TimeSpent]().Draw(t, "time") },
	model.KindTraining:  func(t *rapid.T, page CodePage) model.Value { return drawTraining(t, page) },
	model.KindQuotation: func(t *rapid.T, page CodePage) model.Value { return drawQuotation(t, page) },
	model.KindPawnStructure: func(t *rapid.T, _ CodePage) model.Value {
		return model.PawnStructure(rapid.Uint8().Draw(t, "structure"))
	},
	model.KindPiecePath: func(t *rapid.T, _ CodePage) model.Value {
		return model.PiecePath{Mode: rapid.Uint8().Draw(t, "mode"), Square: drawSquare(t)}
	},
	model.KindClock: func(t *rapid.T, _ CodePage) model.Value {
		return model.Clock{Player: model.Color(rapid.Uint8Max(1).Draw(t, "player")), Centiseconds: rapid.Uint32().Draw(t, "time")}
	},
	model.KindCritical: func(t *rapid.T, _ CodePage) model.Value { return model.Critical(rapid.Uint8().Draw(t, "phase")) },
	model.KindWebLink: func(t *rapid.T, page CodePage) model.Value {
		return model.WebLink{URL: drawString(t, page, 60), Caption: drawString(t, page, 60)}
	},
	model.KindEngine: func(t *rapid.T, _ CodePage) model.Value { return rapid.Make[model.Engine]().Draw(t, "engine") },
	model.KindMedals: func(t *rapid.T, _ CodePage) model.Value { return model.Medals(rapid.Uint32().Draw(t, "medals")) },
	model.KindVariationColor: func(t *rapid.T, _ CodePage) model.Value {
		return rapid.Make[model.VariationColor]().Draw(t, "color")
	},
	model.KindTimeControl: func(t *rapid.T, _ CodePage) model.Value {
		return rapid.Make[model.TimeControl]().Draw(t, "control")
	},
	model.KindVideoTime: func(t *rapid.T, _ CodePage) model.Value { return model.VideoTime(rapid.Uint32().Draw(t, "time")) },
	model.KindEvaluations: func(t *rapid.T, _ CodePage) model.Value {
		return rapid.Make[model.Evaluations]().Draw(t, "evaluations")
	},
	model.KindOpaque: func(t *rapid.T, _ CodePage) model.Value {
		typ := rapid.SampledFrom([]uint8{0x00, 0x06, 0x08, 0x10, 0x11, 0x12, 0x19, 0x1A, 0x1B, 0x20, 0x27, 0x61, 0x83, 0xFF}).Draw(t, "type")
		return model.Opaque{Format: Format, Type: typ, Data: rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "data")}
	},
}

func drawTrainingTexts(t *rapid.T, page CodePage) []model.TrainingText {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) model.TrainingText {
		return model.TrainingText{Language: drawGuideLanguage(t), Text: drawString(t, page, 20)}
	}), 0, 3).Draw(t, "texts")
}

func drawTraining(t *rapid.T, page CodePage) model.Training {
	v := model.Training{
		Seconds: rapid.Uint32().Draw(t, "seconds"), Points: rapid.Uint16().Draw(t, "points"),
		Question: drawTrainingTexts(t, page), WrongReply: drawTrainingTexts(t, page),
		FirstHint: drawTrainingTexts(t, page), SecondHint: drawTrainingTexts(t, page),
	}
	for range rapid.IntRange(0, 3).Draw(t, "solutions") {
		v.Solutions = append(v.Solutions, model.Solution{
			From: drawSquare(t), To: drawSquare(t), Promotion: rapid.Uint8().Draw(t, "promotion"),
			Points: rapid.Uint8().Draw(t, "points"), Reply: drawTrainingTexts(t, page),
		})
	}
	return v
}

func drawQuotation(t *rapid.T, page CodePage) model.Quotation {
	q := model.Quotation{
		White: drawString(t, page, 50), Black: drawString(t, page, 50),
		Event: drawString(t, page, 50), Site: drawString(t, page, 50),
		WhiteElo: rapid.Uint16().Draw(t, "elo"), BlackElo: rapid.Uint16().Draw(t, "elo"),
		Date: model.Date{
			Year: rapid.Uint16Max(4095).Draw(t, "year"), Month: rapid.Uint8Max(15).Draw(t, "month"), Day: rapid.Uint8Max(31).Draw(t, "day"),
		},
		EventType: rapid.Make[model.EventType]().Draw(t, "event"),
		Nation:    model.Nation(rapid.Uint8().Draw(t, "nation")),
		Category:  rapid.Uint16().Draw(t, "category"), Rounds: rapid.Uint16().Draw(t, "rounds"),
		Round: rapid.Uint8().Draw(t, "round"), Subround: rapid.Uint8().Draw(t, "subround"),
		Result:    model.Result(rapid.Uint8Max(uint8(model.BothLose)).Draw(t, "result")),
		WithMoves: rapid.Bool().Draw(t, "moves"), Spare: rapid.Uint16().Draw(t, "spare"),
	}
	q.EventType.System &= 31
	if rapid.Bool().Draw(t, "eco") {
		q.ECO = model.NewECO(rapid.IntRange(0, 499).Draw(t, "index"), rapid.IntRange(0, 99).Draw(t, "sub"))
	}
	if rapid.Bool().Draw(t, "set up") {
		q.Start = drawSetup(t)
	}
	// Moves as a board that knows kings and pawns takes them.
	board := newQuotedBoard(q.Start)
	for range rapid.IntRange(0, 12).Draw(t, "plies") {
		promoted := rapid.SampledFrom(quotedPromotions[:]).Draw(t, "promotion")
		from := rapid.OneOf(rapid.Custom(drawSquare), rapid.SampledFrom([]model.Square{model.E1, model.E8, model.A7, model.B2})).Draw(t, "from")
		to := rapid.OneOf(rapid.Custom(drawSquare), rapid.SampledFrom([]model.Square{model.G1, model.C8, model.A8, model.B1})).Draw(t, "to")
		if from == to {
			from, to = model.A1, model.A1 // the null move
		}
		q.Moves = append(q.Moves, board.move(from, to, promoted))
	}
	return q
}

// drawSetup draws a position that 28 bytes can hold.
func drawSetup(t *rapid.T) *model.Position {
	p := &model.Position{
		Turn: model.Color(rapid.Uint8Max(1).Draw(t, "turn")), Rights: model.NoRights(),
		EnPassant: rapid.Int8Range(-1, 7).Draw(t, "en passant"),
		FullMove:  uint16(rapid.Uint8Min(1).Draw(t, "move")),
	}
	for _, r := range setupRights {
		if rapid.Bool().Draw(t, "right") {
			p.Rights[r.color][r.side] = r.rook
		}
	}
	for range rapid.IntRange(0, wire.MostOnBoard).Draw(t, "pieces") {
		piece := model.NewPiece(
			model.Color(rapid.Uint8Max(1).Draw(t, "color")),
			model.PieceType(rapid.Uint8Range(uint8(model.Pawn), uint8(model.King)).Draw(t, "piece")))
		p.Board[drawSquare(t)] = piece
	}
	return p
}

// TestPayloadRoundTrip: what is written reads back, for each kind and page.
func TestPayloadRoundTrip(t *testing.T) {
	for kind, generate := range valueGenerators {
		t.Run(string(kind), rapid.MakeCheck(func(t *rapid.T) {
			page := drawPage(t)
			v := generate(t, page)
			if v.Kind() != kind {
				t.Fatalf("generated %s", v.Kind())
			}
			payload, typ, err := AppendPayload([]byte("before"), v, page)
			if err != nil {
				t.Fatal(err)
			}
			payload, ok := bytes.CutPrefix(payload, []byte("before"))
			if got := DecodePayload(typ, payload, page); !ok || !got.Equal(v) {
				t.Fatalf("% x\ngot  %#v\nwant %#v", payload, got, v)
			}
		}))
	}
}

// drawValue draws a value of any kind that can be stored as it is.
func drawValue(t *rapid.T, page CodePage) model.Value {
	kinds := make([]model.Kind, 0, len(valueGenerators))
	for kind := range valueGenerators {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	return valueGenerators[rapid.SampledFrom(kinds).Draw(t, "kind")](t, page)
}

// drawList draws annotations at a few places.
func drawList(t *rapid.T, draw func(*rapid.T) model.Value) []model.Annotation {
	list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) model.Annotation {
		return model.Annotation{Node: rapid.Int32Range(-1, 4).Draw(t, "node"), Value: draw(t)}
	}), 0, 12).Draw(t, "list")
	slices.SortStableFunc(list, byNode)
	return list
}

// withoutRepeats removes from a list what one place cannot hold twice.
func withoutRepeats(list []model.Annotation, page CodePage) []model.Annotation {
	var place placeContent
	return slices.DeleteFunc(list, func(a model.Annotation) bool {
		payload, typ, err := AppendPayload(nil, a.Value, page)
		return err != nil || !place.add(a.Node, typ, payload)
	})
}

// TestAnnotationsRoundTrip: a list that fits the format comes back, without a
// loss and without leftovers.
func TestAnnotationsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		page := drawPage(t)
		list := withoutRepeats(drawList(t, func(t *rapid.T) model.Value { return drawValue(t, page) }), page)
		list = slices.DeleteFunc(list, func(a model.Annotation) bool { return hasEmpty(a.Value) })
		ctx := AnnotationContext{Game: model.RecordID(rapid.IntRange(1, 1<<24-1).Draw(t, "game")), Page: page}
		rec := AppendAnnotations(nil, list, nil, ctx, func(l model.Loss) { t.Fatalf("loss: %v", l) })
		if len(list) == 0 {
			if len(rec) != 0 {
				t.Fatalf("% x for no annotations", rec)
			}
			return
		}
		got, err := DecodeAnnotations(rec, ctx, true)
		if err != nil || got.Leftover != nil {
			t.Fatalf("%v, leftover %v", err, got.Leftover)
		}
		checkList(t, got.List, list)
		for i, a := range got.List {
			if a.Leftover != nil {
				t.Errorf("annotation %d: leftover % x of %#v", i, a.Leftover.Data, a.Value)
			}
		}
		if f := FactsOf(rec); f.Count != len(list) {
			t.Errorf("%d annotations, not %d", f.Count, len(list))
		}
	})
}

// drawOddValue draws a value that may not fit the format.
func drawOddValue(t *rapid.T, page CodePage) model.Value {
	switch v := drawValue(t, page).(type) {
	case model.Text:
		v.Language = model.Language(rapid.Uint16().Draw(t, "language"))
		v.Text += rapid.SampledFrom([]string{"", "\xff", "\xc3"}).Draw(t, "tail")
		return v
	case model.Symbols:
		v.Move = model.NAG(rapid.Uint8().Draw(t, "nag"))
		v.More = rapid.SliceOfN(rapid.Map(rapid.Uint8(), func(n uint8) model.NAG { return model.NAG(n) }), 0, 2).Draw(t, "more")
		return v
	case model.Squares:
		return append(v, model.ColoredSquare{Square: model.Square(rapid.Uint8().Draw(t, "square"))})
	case model.PiecePath:
		v.Square = model.Square(rapid.Uint8().Draw(t, "square"))
		return v
	case model.Training:
		v.Question = append(v.Question, model.TrainingText{Language: model.Language(rapid.Uint16().Draw(t, "language"))})
		v.Solutions = append(v.Solutions, make([]model.Solution, rapid.SampledFrom([]int{0, 1, 255}).Draw(t, "more"))...)
		return v
	case model.Quotation:
		return drawOddQuotation(t, v)
	case model.WebLink:
		v.URL += rapid.StringN(0, 300, -1).Draw(t, "url")
		return v
	case model.Opaque:
		v.Format = rapid.SampledFrom([]string{Format, "other"}).Draw(t, "format")
		return v
	default:
		return v
	}
}

func drawOddQuotation(t *rapid.T, q model.Quotation) model.Quotation {
	q.White += rapid.StringN(0, 300, -1).Draw(t, "white")
	q.Date = model.Date{Year: rapid.Uint16().Draw(t, "year"), Month: rapid.Uint8().Draw(t, "month")}
	q.ECO = model.ECO(rapid.Uint16().Draw(t, "eco"))
	q.Result = model.Result(rapid.Uint8Max(9).Draw(t, "result"))
	q.EventType.System = model.EventSystem(rapid.Uint8().Draw(t, "system"))
	if q.Start != nil {
		q.Start.FullMove = rapid.Uint16().Draw(t, "move")
		q.Start.HalfMoves = rapid.Uint16Max(1).Draw(t, "half moves")
		q.Start.Chess960 = rapid.Bool().Draw(t, "chess960")
	}
	q.Moves = append(q.Moves, model.Move(rapid.Uint16().Draw(t, "move")))
	return q
}

// TestLossesAreSaid: where a list does not read back as it is, something was
// reported, and nothing otherwise.
func TestLossesAreSaid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		page := drawPage(t)
		list := drawList(t, func(t *rapid.T) model.Value { return drawOddValue(t, page) })
		ctx := AnnotationContext{Game: 1, Page: page}
		var losses []model.Loss
		rec := AppendAnnotations(nil, list, nil, ctx, func(l model.Loss) { losses = append(losses, l) })
		var got AnnotationRecord
		if len(rec) > 0 {
			var err error
			if got, err = DecodeAnnotations(rec, ctx, true); err != nil || got.Leftover != nil {
				t.Fatalf("%v, leftover %v", err, got.Leftover)
			}
		}
		equal := slices.EqualFunc(got.List, list, equalAnnotations)
		if equal != (len(losses) == 0) {
			t.Fatalf("losses: %v\ngot  %#v\nwant %#v", losses, got.List, list)
		}
	})
}

// TestLeftoversKeepBytes: a record of any payloads comes back exactly, under
// every code page.
func TestLeftoversKeepBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var items []byte
		n := rapid.IntRange(0, 6).Draw(t, "annotations")
		for range n {
			payload := rapid.SliceOfN(rapid.Byte(), 0, 12).Draw(t, "payload")
			typ := rapid.Uint8Max(0x28).Draw(t, "type") | rapid.SampledFrom([]uint8{0, 0x80}).Draw(t, "bit 7")
			node := rapid.SampledFrom([]byte{0, 1, 2, 0xFE, 0xFF}).Draw(t, "position")
			high := rapid.SampledFrom([]byte{0, 0xFF}).Draw(t, "position")
			items = append(items, high, high, node, typ, 0, byte(annotationItemHead+len(payload)))
			items = append(items, payload...)
		}
		h := AnnotationHead{
			Game:  rapid.Uint32Max(2).Draw(t, "game"),
			Count: uint32(n) + rapid.Uint32Max(2).Draw(t, "count"), Constant: AnnotationConstant,
			Size: uint32(AnnotationHeadSize + len(items)),
		}
		ctx := AnnotationContext{Game: 1, Page: drawPage(t)}
		if rapid.Bool().Draw(t, "moves") {
			ctx.Moves = new(model.Tree)
			ctx.Moves.Append(model.NullMove)
		}
		checkExact(t, append(h.append(nil), items...), ctx)
	})
}
