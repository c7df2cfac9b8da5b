package jsonl

import (
	"cbkit/internal/jsontext"
	"cbkit/model"
)

// appendLocalTexts appends a text in several languages.
func appendLocalTexts(o *jsontext.Object, key string, texts []model.LocalText) {
	list := o.List(key)
	for i := range texts {
		text := list.Object()
		text.Text("lang", texts[i].Language.String())
		text.Text("text", texts[i].Text)
		appendLeftover(&text, "leftover", texts[i].Leftover)
		o.Dst = text.End()
	}
	list.End()
}

// parseLocalTexts reads what appendLocalTexts writes, and the comments of
// moves.
func parseLocalTexts(s *jsontext.Scanner) []model.LocalText {
	return jsontext.Elements(s, func() (t model.LocalText) {
		s.Members(func(key string) bool {
			switch key {
			case "lang":
				t.Language = jsontext.Word(s, "language", model.ParseLanguage)
			case "text":
				t.Text = s.Text()
			case "leftover":
				t.Leftover = parseLeftover(s)
			default:
				return false
			}
			return true
		})
		return t
	})
}
