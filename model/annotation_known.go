package model

import "reflect"

// KnownValue returns a value as one of the types of this package that
// [Value] lists: as it is, or as what a pointer to one of them points to,
// since pointers have the methods of a Value too. For nil, for a pointer to
// nothing and for any other type it returns nil and false: no format has a
// form for those.
func KnownValue(v Value) (known Value, ok bool) {
	if isKnown(v) {
		return v, true
	}
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return nil, false
	}
	if v, ok = p.Elem().Interface().(Value); ok && isKnown(v) {
		return v, true
	}
	return nil, false
}

// isKnown reports whether a value is of one of the types of this package.
func isKnown(v Value) bool {
	switch v.(type) {
	case Text, Symbols, Squares, Arrows, TimeSpent, Training, Quotation,
		PawnStructure, PiecePath, Clock, Critical, WebLink, Engine, Medals,
		VariationColor, TimeControl, VideoTime, Evaluations, Opaque:
		return true
	}
	return false
}

// WithKnownValues returns the game as a [Sink] can write it: its annotations
// have values of the types of this package and no others, see [KnownValue].
// What else there is is left out and reported as a loss of record id. The game
// itself does not change; it is what is returned if there is nothing to do.
//
// [Game.Annotate] and [Game.SetAnnotations] take care of most of this, but a
// list can be set without them.
func (g *Game) WithKnownValues(id RecordID, report Report) *Game {
	if allKnown(g.Annotations) {
		return g
	}
	c := *g
	c.Annotations = nil
	for _, a := range g.Annotations {
		v, ok := KnownValue(a.Value)
		if !ok {
			report.Add(LostAnnotation, id, "annotation", "a value of type %T is none of the model's", a.Value)
			continue
		}
		a.Value = v
		c.Annotations = append(c.Annotations, a)
	}
	return &c
}

func allKnown(list []Annotation) bool {
	for i := range list {
		if !isKnown(list[i].Value) {
			return false
		}
	}
	return true
}
