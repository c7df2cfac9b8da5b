package cbh

import (
	"math"
	"slices"

	"cbkit/model"
)

// guideLanguages are the languages of guiding texts, and of training
// questions, by number. Number 7 is no particular language (docs/formats/cbg.md 8).
var guideLanguages = [8]model.Language{
	model.English, model.German, model.French, model.Spanish,
	model.Italian, model.Dutch, model.Portuguese, model.AnyLanguage,
}

const guideAnyLanguage = 7

// unpackGuideLanguage returns the language with the given number: above 7 the
// number behind [model.GuideLanguageBase], false where that has no room for it.
func unpackGuideLanguage(n uint16) (model.Language, bool) {
	if int(n) < len(guideLanguages) {
		return guideLanguages[n], true
	}
	return model.GuideLanguageBase + model.Language(n), n <= math.MaxUint16-uint16(model.GuideLanguageBase)
}

// packGuideLanguage is the inverse of unpackGuideLanguage. Languages without a
// number become number 7; ok is false then.
func packGuideLanguage(l model.Language) (n uint16, ok bool) {
	if i := slices.Index(guideLanguages[:], l); i >= 0 {
		return uint16(i), true
	}
	if n := l - model.GuideLanguageBase; l >= model.GuideLanguageBase && int(n) >= len(guideLanguages) {
		return uint16(n), true
	}
	return guideAnyLanguage, false
}
