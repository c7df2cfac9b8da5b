package cbh

import (
	"slices"

	"cbkit/model"
)

// withoutEmpty returns what is left of a value without the marks that ChessBase
// never stores: arrows that lead nowhere. It returns nil for a value that says
// nothing: no symbols, no text, no squares, arrows, evaluations or medals
// (docs/formats/cba.md 6).
func withoutEmpty(v model.Value) model.Value {
	says := true
	switch v := v.(type) {
	case model.Text:
		says = v.Text != ""
	case model.Symbols:
		says = v.Move != 0 || v.Position != 0 || v.Prefix != 0
	case model.Squares:
		says = len(v) > 0
	case model.Arrows:
		if slices.ContainsFunc(v, leadsNowhere) {
			v = slices.DeleteFunc(slices.Clone(v), leadsNowhere)
		}
		if len(v) > 0 {
			return v
		}
		says = false
	case model.Evaluations:
		says = len(v) > 0
	case model.Medals:
		says = v != 0
	}
	if !says {
		return nil
	}
	return v
}

func leadsNowhere(a model.ColoredArrow) bool { return a.From == a.To }

// hasEmpty reports whether withoutEmpty would take something away.
func hasEmpty(v model.Value) bool {
	if arrows, ok := v.(model.Arrows); ok {
		return len(arrows) == 0 || slices.ContainsFunc(arrows, leadsNowhere)
	}
	return withoutEmpty(v) == nil
}
