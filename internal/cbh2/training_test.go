package cbh2

import (
	"reflect"
	"testing"

	"cbkit/internal/wire"
	"cbkit/model"
)

// A training question in any language is one; with marks it is bytes.
func TestTrainingLanguages(t *testing.T) {
	for n := range uint16(30) {
		want := model.Training{Seconds: 5, Question: []model.TrainingText{{Language: languageOf(n), Text: "Nie?"}}}
		raw, ok := appendTraining(nil, want)
		c := wire.NewCursor(raw)
		if got, known := decodeTraining(&c, func(b []byte) string { return string(b) }); !ok || !known || !reflect.DeepEqual(got, want) {
			t.Errorf("language %d: %#v", n, got)
		}
	}
	for language, marks := range map[model.Language]string{model.AnyLanguage: "\x03\x00\x00\x00\x02\x01\x40", model.GuideLanguageBase + 8: "\x02\x00\x00\x00\x02\x11"} {
		raw, _ := appendTraining(nil, model.Training{Question: []model.TrainingText{{Language: language, Text: marks}}})
		c := wire.NewCursor(raw)
		if got, known := decodeTraining(&c, func(b []byte) string { return string(b) }); got != nil || !known {
			t.Errorf("marks %q: %#v", marks, got)
		}
	}
}
