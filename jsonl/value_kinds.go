package jsonl

import (
	"strconv"
	"strings"

	"cbkit/internal/jsontext"
	"cbkit/model"
)

// kinds has a row for each kind of annotation: the members of its object, in
// order.
var kinds = map[model.Kind]valueKind{
	model.KindText: valueOf(jsontext.Shape[model.Text]{
		language(func(t *model.Text) *model.Language { return &t.Language }),
		jsontext.Flag("before", func(t *model.Text) *bool { return &t.Before }),
		jsontext.String("text", func(t *model.Text) *string { return &t.Text }),
	}),
	model.KindSymbols: valueOf(jsontext.Shape[model.Symbols]{
		jsontext.Number("move", func(v *model.Symbols) *model.NAG { return &v.Move }),
		jsontext.Number("position", func(v *model.Symbols) *model.NAG { return &v.Position }),
		jsontext.Number("prefix", func(v *model.Symbols) *model.NAG { return &v.Prefix }),
		{Key: "more", Append: appendMoreSymbols, Parse: parseMoreSymbols},
	}),
	model.KindSquares: valueOf(jsontext.Shape[model.Squares]{
		jsontext.Objects("squares", func(v *model.Squares) *[]model.ColoredSquare { return (*[]model.ColoredSquare)(v) },
			jsontext.Shape[model.ColoredSquare]{
				markColor(func(m *model.ColoredSquare) *model.MarkColor { return &m.Color }),
				square("square", func(m *model.ColoredSquare) *model.Square { return &m.Square }),
			}),
	}),
	model.KindArrows: valueOf(jsontext.Shape[model.Arrows]{
		jsontext.Objects("arrows", func(v *model.Arrows) *[]model.ColoredArrow { return (*[]model.ColoredArrow)(v) },
			jsontext.Shape[model.ColoredArrow]{
				markColor(func(m *model.ColoredArrow) *model.MarkColor { return &m.Color }),
				square("from", func(m *model.ColoredArrow) *model.Square { return &m.From }),
				square("to", func(m *model.ColoredArrow) *model.Square { return &m.To }),
			}),
	}),
	model.KindTimeSpent: valueOf(jsontext.Shape[model.TimeSpent]{
		jsontext.Number("hours", func(t *model.TimeSpent) *uint8 { return &t.Hours }),
		jsontext.Number("minutes", func(t *model.TimeSpent) *uint8 { return &t.Minutes }),
		jsontext.Number("seconds", func(t *model.TimeSpent) *uint8 { return &t.Seconds }),
		jsontext.Number("extra", func(t *model.TimeSpent) *uint8 { return &t.Extra }),
	}),
	model.KindTraining:  valueOf(trainingShape),
	model.KindQuotation: valueThrough(quotationShape, newQuotation, quotation.value),
	model.KindPawnStructure: valueOf(jsontext.Shape[model.PawnStructure]{
		jsontext.Number("structure", func(p *model.PawnStructure) *model.PawnStructure { return p }),
	}),
	model.KindPiecePath: valueOf(jsontext.Shape[model.PiecePath]{
		jsontext.Number("mode", func(p *model.PiecePath) *uint8 { return &p.Mode }),
		square("square", func(p *model.PiecePath) *model.Square { return &p.Square }),
	}),
	model.KindClock: valueOf(jsontext.Shape[model.Clock]{
		side("player", "player", func(c *model.Clock) *model.Color { return &c.Player }),
		jsontext.Number("centiseconds", func(c *model.Clock) *uint32 { return &c.Centiseconds }),
	}),
	model.KindCritical: valueOf(jsontext.Shape[model.Critical]{
		jsontext.Named("phase", "phase", func(c *model.Critical) *model.Critical { return c },
			model.Critical.String, model.ParseCritical),
	}),
	model.KindWebLink: valueOf(jsontext.Shape[model.WebLink]{
		jsontext.String("url", func(w *model.WebLink) *string { return &w.URL }),
		jsontext.String("caption", func(w *model.WebLink) *string { return &w.Caption }),
	}),
	model.KindEngine: valueOf(jsontext.Shape[model.Engine]{
		jsontext.Number("value", func(e *model.Engine) *int16 { return &e.Value }),
		jsontext.Number("type", func(e *model.Engine) *int16 { return &e.Type }),
		jsontext.Number("depth", func(e *model.Engine) *int16 { return &e.Depth }),
	}),
	model.KindMedals: valueOf(jsontext.Shape[model.Medals]{
		medals("medals", func(m *model.Medals) *model.Medals { return m }),
	}),
	model.KindVariationColor: valueOf(jsontext.Shape[model.VariationColor]{
		jsontext.Number("flags", func(v *model.VariationColor) *uint8 { return &v.Flags }),
		jsontext.Number("red", func(v *model.VariationColor) *uint8 { return &v.Red }),
		jsontext.Number("green", func(v *model.VariationColor) *uint8 { return &v.Green }),
		jsontext.Number("blue", func(v *model.VariationColor) *uint8 { return &v.Blue }),
	}),
	model.KindTimeControl: valueOf(jsontext.Shape[model.TimeControl]{
		{Key: "stages", Append: appendStages, Parse: parseStages},
	}),
	model.KindVideoTime: valueOf(jsontext.Shape[model.VideoTime]{
		jsontext.Number("time", func(t *model.VideoTime) *model.VideoTime { return t }),
	}),
	model.KindEvaluations: valueOf(jsontext.Shape[model.Evaluations]{
		jsontext.Objects("evaluations", func(e *model.Evaluations) *[]model.Evaluation { return (*[]model.Evaluation)(e) },
			jsontext.Shape[model.Evaluation]{
				jsontext.Named("type", "type of evaluation", func(e *model.Evaluation) *model.EvaluationKind { return &e.Kind },
					evaluationWord, model.ParseEvaluationKind),
				jsontext.Number("value", func(e *model.Evaluation) *int16 { return &e.Value }),
				jsontext.Number("depth", func(e *model.Evaluation) *uint8 { return &e.Depth }),
			}),
	}),
	model.KindOpaque: valueOf(jsontext.Shape[model.Opaque]{
		jsontext.String("format", func(v *model.Opaque) *string { return &v.Format }),
		jsontext.Number("type", func(v *model.Opaque) *uint8 { return &v.Type }),
		jsontext.Data("raw", func(v *model.Opaque) *[]byte { return &v.Data }),
	}),
}

var trainingShape = jsontext.Shape[model.Training]{
	jsontext.Number("seconds", func(t *model.Training) *uint32 { return &t.Seconds }),
	jsontext.Number("points", func(t *model.Training) *uint16 { return &t.Points }),
	jsontext.Objects("question", func(t *model.Training) *[]model.TrainingText { return &t.Question }, trainingText),
	jsontext.Objects("wrongReply", func(t *model.Training) *[]model.TrainingText { return &t.WrongReply }, trainingText),
	jsontext.Objects("firstHint", func(t *model.Training) *[]model.TrainingText { return &t.FirstHint }, trainingText),
	jsontext.Objects("secondHint", func(t *model.Training) *[]model.TrainingText { return &t.SecondHint }, trainingText),
	jsontext.Objects("solutions", func(t *model.Training) *[]model.Solution { return &t.Solutions },
		jsontext.Shape[model.Solution]{
			square("from", func(v *model.Solution) *model.Square { return &v.From }),
			square("to", func(v *model.Solution) *model.Square { return &v.To }),
			jsontext.Number("promotion", func(v *model.Solution) *uint8 { return &v.Promotion }),
			jsontext.Number("points", func(v *model.Solution) *uint8 { return &v.Points }),
			jsontext.Objects("reply", func(v *model.Solution) *[]model.TrainingText { return &v.Reply }, trainingText),
		}),
}

var trainingText = jsontext.Shape[model.TrainingText]{
	language(func(t *model.TrainingText) *model.Language { return &t.Language }),
	jsontext.String("text", func(t *model.TrainingText) *string { return &t.Text }),
}

func appendMoreSymbols(o *jsontext.Object, key string, v *model.Symbols) {
	jsontext.AppendList(o, key, v.More, appendNumber)
}

func parseMoreSymbols(s *jsontext.Scanner, v *model.Symbols) {
	v.More = jsontext.Elements(s, func() model.NAG { return jsontext.WholeNumber[model.NAG](s) })
}

func appendNumber[N jsontext.Whole](dst []byte, n N) []byte {
	return strconv.AppendInt(dst, int64(n), 10)
}

var stageShape = jsontext.Shape[model.TimeStage]{
	jsontext.Number("startCentiseconds", func(t *model.TimeStage) *uint32 { return &t.Start }),
	jsontext.Number("incrementCentiseconds", func(t *model.TimeStage) *uint32 { return &t.Increment }),
	jsontext.Number("moves", func(t *model.TimeStage) *uint16 { return &t.Moves }),
	jsontext.Number("type", func(t *model.TimeStage) *uint8 { return &t.Kind }),
}

// appendStages appends the stages up to the last that says something.
func appendStages(o *jsontext.Object, key string, t *model.TimeControl) {
	n := len(t)
	for n > 0 && t[n-1] == (model.TimeStage{}) {
		n--
	}
	jsontext.AppendObjects(o, key, t[:n], stageShape)
}

func parseStages(s *jsontext.Scanner, t *model.TimeControl) {
	stages := jsontext.ParseObjects(s, stageShape)
	if len(stages) > len(t) {
		s.Failf("%d stages; there are at most %d", len(stages), len(t))
	}
	*t = model.TimeControl{}
	copy(t[:], stages)
}

func language[T any](at func(*T) *model.Language) jsontext.Member[T] {
	return jsontext.Named("lang", "language", at, model.Language.String, model.ParseLanguage)
}

func markColor[T any](at func(*T) *model.MarkColor) jsontext.Member[T] {
	return jsontext.Named("color", "color", at, model.MarkColor.String, model.ParseMarkColor)
}

func square[T any](key string, at func(*T) *model.Square) jsontext.Member[T] {
	return jsontext.Named(key, "square", at, squareWord, parseSquareWord)
}

func side[T any](key, what string, at func(*T) *model.Color) jsontext.Member[T] {
	return jsontext.Named(key, what, at, sideWord, parseSide)
}

func nation[T any](at func(*T) *model.Nation) jsontext.Member[T] {
	return jsontext.Named("nation", "nation", at, model.Nation.String, model.ParseNation)
}

// evaluationWord returns no word for centipawns, which are meant where none
// stands.
func evaluationWord(k model.EvaluationKind) string {
	if k == model.Centipawns {
		return ""
	}
	return k.String()
}

// numberWord is the word of a number that has none: "#9".
func numberWord(n int) string { return "#" + strconv.Itoa(n) }

// parseNumberWord reads what numberWord returns; ok is false for other words
// and for numbers of more bits.
func parseNumberWord(word string, bits int) (n uint64, ok bool) {
	number, found := strings.CutPrefix(word, "#")
	if !found {
		return 0, false
	}
	n, err := strconv.ParseUint(number, 10, bits)
	return n, err == nil
}

// squareWord returns the name of a square, and "#64" for what is none.
func squareWord(s model.Square) string {
	if s < model.NoSquare {
		return s.String()
	}
	return numberWord(int(s))
}

func parseSquareWord(name string) (model.Square, bool) {
	if n, ok := parseNumberWord(name, 8); ok {
		return model.Square(n), true
	}
	return model.ParseSquare(name)
}

func sideWord(c model.Color) string {
	if c > model.Black {
		return numberWord(int(c))
	}
	return c.String()
}

func parseSide(word string) (model.Color, bool) {
	for _, c := range [...]model.Color{model.White, model.Black} {
		if word == c.String() {
			return c, true
		}
	}
	n, ok := parseNumberWord(word, 8)
	return model.Color(n), ok
}
