package model

import "cbkit/internal/jsontext"

func (t Training) appendJSON(o *jsontext.Object) {
	o.Int("seconds", int64(t.Seconds))
	o.Int("points", int64(t.Points))
	appendTrainingTexts(o, "question", t.Question)
	appendTrainingTexts(o, "wrongReply", t.WrongReply)
	appendTrainingTexts(o, "firstHint", t.FirstHint)
	appendTrainingTexts(o, "secondHint", t.SecondHint)
	appendObjects(o, "solutions", t.Solutions, func(o *jsontext.Object, s Solution) {
		o.Text("from", squareWord(s.From))
		o.Text("to", squareWord(s.To))
		o.Int("promotion", int64(s.Promotion))
		o.Int("points", int64(s.Points))
		appendTrainingTexts(o, "reply", s.Reply)
	})
}

func parseTraining(s *jsontext.Scanner) Value {
	var t Training
	members(s, func(key string) bool {
		switch key {
		case "seconds":
			t.Seconds = s.Uint32()
		case "points":
			t.Points = s.Uint16()
		case "question":
			t.Question = parseTrainingTexts(s)
		case "wrongReply":
			t.WrongReply = parseTrainingTexts(s)
		case "firstHint":
			t.FirstHint = parseTrainingTexts(s)
		case "secondHint":
			t.SecondHint = parseTrainingTexts(s)
		case "solutions":
			t.Solutions = jsontext.Elements(s, func() Solution { return parseSolution(s) })
		default:
			return false
		}
		return true
	})
	return t
}

func parseSolution(s *jsontext.Scanner) (v Solution) {
	s.Members(func(key string) bool {
		switch key {
		case "from":
			v.From = jsontext.Word(s, "square", parseSquareWord)
		case "to":
			v.To = jsontext.Word(s, "square", parseSquareWord)
		case "promotion":
			v.Promotion = s.Uint8()
		case "points":
			v.Points = s.Uint8()
		case "reply":
			v.Reply = parseTrainingTexts(s)
		default:
			return false
		}
		return true
	})
	return v
}

func appendTrainingTexts(o *jsontext.Object, key string, list []TrainingText) {
	appendObjects(o, key, list, func(o *jsontext.Object, t TrainingText) {
		o.Text("lang", t.Language.String())
		o.Text("text", t.Text)
	})
}

func parseTrainingTexts(s *jsontext.Scanner) []TrainingText {
	return jsontext.Elements(s, func() (t TrainingText) {
		s.Members(func(key string) bool {
			switch key {
			case "lang":
				t.Language = jsontext.Word(s, "language", ParseLanguage)
			case "text":
				t.Text = s.Text()
			default:
				return false
			}
			return true
		})
		return t
	})
}
