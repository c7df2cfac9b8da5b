package gen

import (
	"cbkit/model"

	"pgregory.net/rapid"
)

// Date draws a date of which each part may be unknown.
func Date(c Config) *rapid.Generator[model.Date] {
	return rapid.Custom(func(t *rapid.T) model.Date {
		if chance(t, 4, "no date") {
			return model.Date{}
		}
		return model.Date{
			Year:  number[uint16](t, c, 4000, "year"),
			Month: number[uint8](t, c, 12, "month"),
			Day:   number[uint8](t, c, 31, "day"),
		}
	})
}

// ECO draws a code, with or without a sub-code, or none.
func ECO(c Config) *rapid.Generator[model.ECO] {
	return rapid.Custom(func(t *rapid.T) model.ECO {
		if c.Wild {
			return model.ECO(rapid.Uint16().Draw(t, "ECO"))
		}
		if chance(t, 4, "no ECO") {
			return 0
		}
		return model.NewECO(rapid.IntRange(0, 499).Draw(t, "ECO"),
			rapid.SampledFrom([]int{0, 0, 1, 9, 10, 99}).Draw(t, "sub-code"))
	})
}

// Language draws a language of annotations.
func Language(c Config) *rapid.Generator[model.Language] {
	return rapid.Custom(func(t *rapid.T) model.Language {
		if c.Wild {
			return model.Language(rapid.Uint16().Draw(t, "language"))
		}
		if chance(t, 8, "any nation") {
			return model.Language(rapid.Byte().Draw(t, "language"))
		}
		return rapid.SampledFrom([]model.Language{
			model.AnyLanguage, model.English, model.German, model.French, model.Spanish,
			model.Italian, model.Dutch, model.Portuguese, model.Polish, model.Greek,
		}).Draw(t, "language")
	})
}

// guideLanguages are those in which guiding texts come.
var guideLanguages = []model.Language{
	model.English, model.German, model.French, model.Spanish, model.Italian, model.Dutch,
	model.Portuguese, model.GuideLanguageBase + 7, model.GuideLanguageBase + 100,
}

// EventType draws the type of a tournament.
func EventType(c Config) *rapid.Generator[model.EventType] {
	return rapid.Custom(func(t *rapid.T) model.EventType {
		return model.EventType{
			System:         model.EventSystem(number[uint8](t, c, uint8(model.Scheveningen), "system")),
			Blitz:          rapid.Bool().Draw(t, "blitz"),
			Rapid:          rapid.Bool().Draw(t, "rapid"),
			Correspondence: rapid.Bool().Draw(t, "correspondence"),
			Team:           rapid.Bool().Draw(t, "team"),
		}
	})
}

// Result draws a result, forfeits included.
func Result(c Config) *rapid.Generator[model.Result] {
	return rapid.Custom(func(t *rapid.T) model.Result {
		return model.Result(number[uint8](t, c, uint8(model.BothLose), "result"))
	})
}

// NAG draws a glyph that is not 0.
func NAG() *rapid.Generator[model.NAG] {
	return rapid.Custom(func(t *rapid.T) model.NAG {
		return model.NAG(rapid.ByteRange(1, 255).Draw(t, "NAG"))
	})
}

// Square draws a square of the board (in wild configurations, any number).
func Square(c Config) *rapid.Generator[model.Square] {
	return rapid.Custom(func(t *rapid.T) model.Square {
		return model.Square(number[uint8](t, c, uint8(model.H8), "square"))
	})
}
