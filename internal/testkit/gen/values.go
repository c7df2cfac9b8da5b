package gen

import (
	"cbkit/model"

	"pgregory.net/rapid"
)

// Value draws the value of an annotation of one of the kinds of c.
func Value(c Config) *rapid.Generator[model.Value] {
	return rapid.Custom(func(t *rapid.T) model.Value {
		return drawValue(t, c, rapid.SampledFrom(c.kinds()).Draw(t, "kind"))
	})
}

func drawValue(t *rapid.T, c Config, kind model.Kind) model.Value {
	switch kind {
	case model.KindText:
		return drawText(t, c)
	case model.KindSymbols:
		return drawSymbols(t, c)
	case model.KindSquares:
		return drawSquares(t, c)
	case model.KindArrows:
		return drawArrows(t, c)
	case model.KindTraining:
		return drawTraining(t, c)
	case model.KindQuotation:
		return drawQuotation(t, c)
	case model.KindPiecePath:
		return model.PiecePath{Mode: rapid.Byte().Draw(t, "mode"), Square: Square(c).Draw(t, "square")}
	case model.KindWebLink:
		return model.WebLink{URL: c.text(t, "URL"), Caption: c.text(t, "caption")}
	case model.KindOpaque:
		return drawOpaque(t, c)
	}
	return drawNumbers(t, c, kind)
}

// drawNumbers draws the kinds that consist of numbers.
func drawNumbers(t *rapid.T, c Config, kind model.Kind) model.Value {
	switch kind {
	case model.KindTimeSpent:
		return model.TimeSpent{
			Hours: number[uint8](t, c, 9, "hours"), Minutes: number[uint8](t, c, 59, "minutes"),
			Seconds: number[uint8](t, c, 59, "seconds"), Extra: rapid.SampledFrom([]uint8{0, 0, 30, 255}).Draw(t, "extra"),
		}
	case model.KindPawnStructure:
		return model.PawnStructure(rapid.Byte().Draw(t, "structure"))
	case model.KindClock:
		return model.Clock{Player: model.Color(number[uint8](t, c, 1, "player")), Centiseconds: rapid.Uint32().Draw(t, "time")}
	case model.KindCritical:
		return model.Critical(number[uint8](t, c, uint8(model.CriticalEndgame), "phase"))
	case model.KindEngine:
		return model.Engine{Value: rapid.Int16().Draw(t, "value"),
			Type: rapid.SampledFrom([]int16{0, 1, 3, 32, -1}).Draw(t, "type"), Depth: rapid.Int16().Draw(t, "depth")}
	case model.KindMedals:
		m := model.Medals(number[uint32](t, c, 1<<16-1, "medals"))
		if m == 0 && !c.Wild {
			m = 1 // there are no empty lists of medals
		}
		return m
	case model.KindVariationColor:
		return model.VariationColor{Flags: rapid.ByteRange(0, 3).Draw(t, "flags"),
			Red: rapid.Byte().Draw(t, "red"), Green: rapid.Byte().Draw(t, "green"), Blue: rapid.Byte().Draw(t, "blue")}
	case model.KindTimeControl:
		return drawTimeControl(t, c)
	case model.KindVideoTime:
		return model.VideoTime(rapid.Uint32().Draw(t, "time"))
	case model.KindEvaluations:
		return drawEvaluations(t, c)
	}
	panic("gen: no generator for kind " + string(kind))
}

func drawText(t *rapid.T, c Config) model.Value {
	text := c.text(t, "text")
	if text == "" && !c.Wild {
		text = "x" // there are no empty texts
	}
	return model.Text{Language: Language(c).Draw(t, "language"), Before: rapid.Bool().Draw(t, "before"), Text: text}
}

// drawSymbols draws at least one NAG, and More only where it can come to be:
// behind taken slots.
func drawSymbols(t *rapid.T, c Config) model.Value {
	var s model.Symbols
	if c.Wild {
		slot := rapid.Byte()
		s = model.Symbols{Move: model.NAG(slot.Draw(t, "move")), Position: model.NAG(slot.Draw(t, "position")),
			Prefix: model.NAG(slot.Draw(t, "prefix"))}
		s.More = rapid.SliceOfN(NAG(), 0, 3).Draw(t, "more")
		return s
	}
	for _, n := range rapid.SliceOfN(NAG(), 1, 5).Draw(t, "NAGs") {
		s.Add(n)
	}
	return s
}

func drawColor(t *rapid.T) model.MarkColor {
	return rapid.SampledFrom([]model.MarkColor{model.Green, model.Yellow, model.Red, model.Blue, 8, 9}).Draw(t, "color")
}

func drawSquares(t *rapid.T, c Config) model.Value {
	var list model.Squares
	for range rapid.IntRange(1, 5).Draw(t, "squares") {
		list = append(list, model.ColoredSquare{Color: drawColor(t), Square: Square(c).Draw(t, "square")})
	}
	return list
}

func drawArrows(t *rapid.T, c Config) model.Value {
	var list model.Arrows
	for range rapid.IntRange(1, 5).Draw(t, "arrows") {
		a := model.ColoredArrow{Color: drawColor(t), From: Square(c).Draw(t, "from"), To: Square(c).Draw(t, "to")}
		if a.From == a.To && !c.Wild {
			a.To ^= 1 // there are no arrows that lead nowhere
		}
		list = append(list, a)
	}
	return list
}

// opaqueTypes are the annotation types of ChessBase that are not understood.
var opaqueTypes = []uint8{0x06, 0x08, 0x10, 0x11, 0x12, 0x19, 0x1a, 0x1b, 0x20, 0x27, 0x61}

func drawOpaque(t *rapid.T, c Config) model.Value {
	o := model.Opaque{Format: "cbh", Type: rapid.SampledFrom(opaqueTypes).Draw(t, "type"),
		Data: rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "data")}
	if c.Wild {
		o.Format, o.Type = c.name(t, "format"), rapid.Byte().Draw(t, "type")
	}
	return o
}

// drawTimeControl draws one to three stages; what follows the last is empty.
func drawTimeControl(t *rapid.T, c Config) model.Value {
	var v model.TimeControl
	for i := range rapid.IntRange(1, len(v)).Draw(t, "stages") {
		v[i] = model.TimeStage{
			Start: rapid.Uint32().Draw(t, "start"), Increment: rapid.Uint32().Draw(t, "increment"),
			Moves: rapid.SampledFrom([]uint16{0, 1, 40, 1000, 65535}).Draw(t, "moves"),
			Kind:  rapid.SampledFrom([]uint8{0, 1, 2, 3, 5}).Draw(t, "kind"),
		}
	}
	return v
}

func drawEvaluations(t *rapid.T, c Config) model.Value {
	var list model.Evaluations
	for range rapid.IntRange(1, 6).Draw(t, "evaluations") {
		e := model.Evaluation{Kind: model.NoEvaluation}
		if !chance(t, 4, "no evaluation") {
			e = model.Evaluation{
				Kind:  rapid.SampledFrom([]model.EvaluationKind{model.Centipawns, model.MateInPlies, 2, 254}).Draw(t, "type"),
				Depth: rapid.Byte().Draw(t, "depth"), Value: rapid.Int16().Draw(t, "value"),
			}
		}
		list = append(list, e)
	}
	return list
}

func drawTraining(t *rapid.T, c Config) model.Value {
	v := model.Training{
		Seconds: rapid.Uint32().Draw(t, "seconds"), Points: rapid.Uint16().Draw(t, "points"),
		Question: drawTrainingTexts(t, c), WrongReply: drawTrainingTexts(t, c),
		FirstHint: drawTrainingTexts(t, c), SecondHint: drawTrainingTexts(t, c),
	}
	for range rapid.IntRange(0, 3).Draw(t, "solutions") {
		v.Solutions = append(v.Solutions, model.Solution{
			From: Square(c).Draw(t, "from"), To: Square(c).Draw(t, "to"),
			Promotion: rapid.SampledFrom([]uint8{0, 0, 5}).Draw(t, "promotion"),
			Points:    rapid.Byte().Draw(t, "points"), Reply: drawTrainingTexts(t, c),
		})
	}
	return v
}

func drawTrainingTexts(t *rapid.T, c Config) []model.TrainingText {
	var list []model.TrainingText
	for range rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(t, "texts") {
		// The languages in which training texts come are those of guiding texts.
		language := rapid.SampledFrom(guideLanguages).Draw(t, "language")
		if c.Wild {
			language = Language(c).Draw(t, "language")
		}
		list = append(list, model.TrainingText{Language: language, Text: c.text(t, "text")})
	}
	return list
}

func drawQuotation(t *rapid.T, c Config) model.Value {
	str := func(label string) string { return c.String(t, min(c.textBytes(), 255), label) }
	q := model.Quotation{
		White: str("white"), Black: str("black"), Event: str("event"), Site: str("site"),
		WhiteElo: rapid.Uint16().Draw(t, "white Elo"), BlackElo: rapid.Uint16().Draw(t, "black Elo"),
		ECO: ECO(c).Draw(t, "ECO"), Date: Date(c).Draw(t, "date"), EventType: EventType(c).Draw(t, "type"),
		Nation: model.Nation(rapid.Byte().Draw(t, "nation")), Category: rapid.Uint16().Draw(t, "category"),
		Rounds: rapid.Uint16().Draw(t, "rounds"), Round: rapid.Byte().Draw(t, "round"),
		Subround: rapid.Byte().Draw(t, "subround"), Spare: rapid.Uint16().Draw(t, "spare"),
		Result: rapid.SampledFrom([]model.Result{model.NoResult, model.WhiteWins, model.BlackWins, model.Draw}).Draw(t, "result"),
	}
	if c.Wild {
		q.Result = Result(c).Draw(t, "result")
		for _, m := range rapid.SliceOfN(rapid.Uint16(), 0, 10).Draw(t, "moves") {
			q.Moves = append(q.Moves, model.Move(m))
		}
	}
	if q.WithMoves = rapid.Bool().Draw(t, "with moves"); q.WithMoves && !c.Wild {
		c.NoVariations, c.NoNullMoves, c.NoChess960, c.Plies = true, true, true, 30
		c.NoSetUp = true
		start, moves := drawMoves(t, c)
		q.Start = start
		for _, n := range moves.Nodes() {
			q.Moves = append(q.Moves, n.Move)
		}
	}
	return q
}
