package pgn

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cbkit/model"
)

func en(s string) model.TrainingText { return model.TrainingText{Language: model.English, Text: s} }
func de(s string) model.TrainingText { return model.TrainingText{Language: model.German, Text: s} }

// trainings are commands with their values: texts may be missing in a language.
var trainings = []struct {
	name, args string
	want       model.Training
}{
	{"reply in one language more", `"En","q","","","e2e4","right",5,"De","","","","e2e4","richtig",5`, model.Training{
		Question: list(en("q")), Solutions: solutions(5, en("right"), de("richtig")),
	}},
	{"question in one language more", `"En","q","","","e2e4","right",5,"De","f","","","e2e4","",5`, model.Training{
		Question: list(en("q"), de("f")), Solutions: solutions(5, en("right")),
	}},
	{"hint in one language", `"En","q","","","e2e4","",5,"De","f","h","","e2e4","",5`, model.Training{
		Question: list(en("q"), de("f")), FirstHint: list(de("h")), Solutions: solutions(5),
	}},
	{"no two parts in the same languages", `"En","q","","","e2e4","",5,"De","","h","","e2e4","",5`, model.Training{
		Question: list(en("q")), FirstHint: list(de("h")), Solutions: solutions(5),
	}},
	{"language without texts", `"En","q","","","e2e4","r",5,"De","","","","e2e4","",5`, model.Training{
		Question: list(en("q"), de("")), Solutions: solutions(5, en("r")),
	}},
	{"language without texts first", `"De","","","","e2e4","",5,"En","q","","","e2e4","r",5`, model.Training{
		Question: list(de(""), en("q")), Solutions: solutions(5, en("r")),
	}},
	{"languages in an order that no part tells", `"En","","h","","e2e4","",5,"De","f","","","e2e4","",5`, model.Training{
		Question: list(en(""), de("f")), FirstHint: list(en("h")), Solutions: solutions(5),
	}},
	{"no texts", `"En","","","","e2e4","",5`, model.Training{Solutions: solutions(5)}},
	{"no texts in two languages", `"En","","","","e2e4","",5,"De","","","","e2e4","",5`, model.Training{
		Question: list(en(""), de("")), Solutions: solutions(5),
	}},
	{"no texts in German", `"De","","","","e2e4","",5`, model.Training{Question: list(de("")), Solutions: solutions(5)}},
}

func list(texts ...model.TrainingText) []model.TrainingText { return texts }

func solutions(points uint8, reply ...model.TrainingText) []model.Solution {
	return []model.Solution{{From: model.E2, To: model.E4, Points: points, Reply: reply}}
}

// A question is understood whatever texts are missing, and written as it was.
func TestTrainingWithoutSomeTexts(t *testing.T) {
	for _, c := range trainings {
		t.Run(c.name, func(t *testing.T) {
			c.want.Points = 5
			text := "{[%tqu " + c.args + "]} 1. e4 *"
			got := notesOf(t, text)
			if len(got) != 1 || got[0].node != 0 || !got[0].value.Equal(c.want) {
				t.Errorf("%s", cmp.Diff([]note{{0, c.want}}, got, cmp.AllowUnexported(note{})))
			}
			if moves := movesOf(t, text); moves != text {
				t.Errorf("written as %s", moves)
			}
		})
	}
	// The same move and points are in all languages, and each is there once.
	for _, odd := range []string{
		`"En","q","","","e2e4","r",5,"De","","","","d2d4","",5`, `"En","q","","","e2e4","r",5,"De","","","","e2e4","",4`,
		`"En","q","","","e2e4","r",5,"En","","","","e2e4","",5`, `"En","q","","","e2e4","r",5,"De","","","","e2e4"`,
	} {
		command := "[%tqu " + odd + "]"
		if got := notesOf(t, "{"+command+"} 1. e4 *"); len(got) != 1 || got[0] != (note{-1, text(command)}) {
			t.Errorf("%s: %v", odd, got)
		}
	}
}

// All texts of a question are in the command, also those that another one has
// not in that language.
func TestTrainingSaysAllLanguages(t *testing.T) {
	v := model.Training{
		Points: 5, Question: list(de("f")), SecondHint: list(en("h"), de("H"), model.TrainingText{Language: model.French, Text: "i"}),
		Solutions: solutions(5, en("r"), de("R")),
	}
	got, exact := appendTraining(nil, v)
	const want = `[%tqu "En","","","h","e2e4","r",5,"De","f","","H","e2e4","R",5,"Fr","","","i","e2e4","",5]`
	if string(got) != want || !exact {
		t.Errorf("%s\nwant %s (%v)", got, want, exact)
	}
	if back, ok := parseTraining(strings.TrimSuffix(strings.TrimPrefix(want, "[%tqu "), "]")); !ok || !back.Equal(v) {
		t.Errorf("reads back as %+v", back)
	}
}
