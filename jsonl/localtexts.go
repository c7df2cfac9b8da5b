package jsonl

import (
	"cbkit/internal/jsontext"
	"cbkit/model"
)

// localText is a text in one language; the comments of moves have its form,
// too.
var localText = jsontext.Shape[model.LocalText]{
	language(func(t *model.LocalText) *model.Language { return &t.Language }),
	jsontext.String("text", func(t *model.LocalText) *string { return &t.Text }),
	leftover("leftover", func(t *model.LocalText) **model.Leftover { return &t.Leftover }),
}

// parseLocalTexts reads a text in several languages.
func parseLocalTexts(s *jsontext.Scanner) []model.LocalText {
	return jsontext.ParseObjects(s, localText)
}
