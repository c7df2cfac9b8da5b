package check

import (
	"unicode/utf8"

	"cbkit/internal/cbh"
	"cbkit/model"
	"cbkit/moveenc"
)

// Why stored bytes are not those that their value gives, in a few words.
const (
	reasonUTF8       = "stored as UTF-8 though the code page holds it"
	reasonCut        = "a character cut by the end of its field"
	reasonNUL        = "bytes behind the NUL of a string"
	reasonHeaderTail = "bytes at the end of a header that mean nothing"
	reasonMeaning    = "bits or bytes that mean nothing known"
	reasonChecksum   = "not the sum of the record"
	reasonHole       = "bytes between the records"
	reasonZeros      = "a record of zeros"
	reasonList       = "not a list as it is written now"
	reasonFormatting = "formatting of a guiding text"
	reasonFrame      = "an older form of a guiding text, or bytes behind it"
	reasonHead       = "the head names another game, or is not the usual one"
	reasonCount      = "the head counts other annotations than a place can have"
	reasonNoSymbol   = "symbols without any symbol"
	reasonOrder      = "behind an annotation of a later move"
	reasonPlace      = "belongs to a move that the game does not have"
)

// annotationForms are the ways in which annotations are stored that are not
// those of their values. The first that fits is the reason.
var annotationForms = []struct {
	reason string
	kind   model.Kind // "": any
	fits   func(stored, value []byte) bool
}{
	{"the first byte of a text is not 0", model.KindText, func(stored, _ []byte) bool { return stored[0] != 0 }},
	{reasonUTF8, model.KindText, func(stored, value []byte) bool { return utf8.Valid(stored[textAt:]) && !utf8.Valid(value[textAt:]) }},
	{reasonNoSymbol, model.KindSymbols, func(stored, _ []byte) bool { return len(stored) == 0 }},
	{"zeros at the end of symbols", model.KindSymbols, func(stored, _ []byte) bool { return stored[len(stored)-1] == 0 }},
	{"a symbol for which another is written", model.KindSymbols, always},
	{"other bytes than the value gives", "", always},
}

func always(_, _ []byte) bool { return true }

// textAt is where the text of an annotation begins, behind a zero and the
// language (docs/formats/cba.md 6).
const textAt = 2

// annotationForm returns why the payload of an annotation is not the one that
// its value gives.
func annotationForm(kind model.Kind, stored, value []byte) string {
	for _, form := range annotationForms {
		if (form.kind == "" || form.kind == kind) && form.fits(stored, value) {
			return form.reason
		}
	}
	return ""
}

// moveForms are the ways in which moves are stored that are not ours.
var moveForms = []struct {
	reason string
	fits   func(*moveenc.Form) bool
}{
	{"a dummy in the moves", func(f *moveenc.Form) bool { return len(f.Dummies) > 0 }},
	{"another mode", func(f *moveenc.Form) bool { return f.Mode != 0 }},
	{"the mark of guiding texts", func(f *moveenc.Form) bool { return f.Bit7 }},
	{"other bytes in the start position", func(f *moveenc.Form) bool { return len(f.Start) > 0 }},
	{"moves in two bytes that have a code of one", func(f *moveenc.Form) bool { return len(f.Words) > 0 }},
	{"moves in the second of two codes", func(f *moveenc.Form) bool { return len(f.Twins) > 0 }},
	{"no mark of the end", func(f *moveenc.Form) bool { return f.NoEnd }},
	{"bytes behind the end of the moves", func(f *moveenc.Form) bool { return len(f.Trailer) > 0 }},
}

// moveForm returns why a record of moves is not the one that its game gives.
func moveForm(f *moveenc.Form) (reasons string) {
	for _, form := range moveForms {
		if !form.fits(f) {
			continue
		}
		if reasons != "" {
			reasons += ", "
		}
		reasons += form.reason
	}
	return reasons
}

// guideForm returns why the record of a guiding text is not the one that its
// texts give.
func guideForm(g *cbh.Guide) string {
	for _, t := range g.Contents {
		if t.Leftover != nil {
			return reasonFormatting
		}
	}
	for _, t := range g.Titles {
		if t.Leftover != nil {
			return reasonUTF8
		}
	}
	return reasonFrame
}
