package jsonl

import (
	"bytes"
	"strconv"

	"cbkit/internal/jsontext"
	"cbkit/model"
)

// appendAnnotations appends "annotations": the complete list at a place.
func appendAnnotations(o *jsontext.Object, annotations []model.Annotation) {
	list := o.List("annotations")
	for i := range annotations {
		list.Next()
		o.Dst = appendAnnotation(o.Dst, &annotations[i])
	}
	list.End()
}

// appendAnnotation appends the value, with the leftover as one member more.
func appendAnnotation(dst []byte, a *model.Annotation) []byte {
	dst = model.AppendValueJSON(dst, a.Value)
	if a.Leftover == nil {
		return dst
	}
	dst[len(dst)-1] = ',' // instead of the brace
	var o jsontext.Object
	appendLeftover(&o, "leftover", a.Leftover)
	return append(dst, o.End()[1:]...)
}

// appendNAGs appends the readable copy of the symbols at a place.
func appendNAGs(o *jsontext.Object, annotations []model.Annotation) {
	list := o.List("nags")
	for i := range annotations {
		symbols, ok := annotations[i].Value.(model.Symbols)
		if !ok {
			continue
		}
		for _, n := range symbols.NAGs() {
			list.Next()
			o.Dst = strconv.AppendUint(o.Dst, uint64(n), 10)
		}
	}
	list.End()
}

// appendComments appends the readable copy of the texts before or after a
// move.
func appendComments(o *jsontext.Object, key string, annotations []model.Annotation, before bool) {
	list := o.List(key)
	for i := range annotations {
		text, ok := annotations[i].Value.(model.Text)
		if !ok || text.Before != before {
			continue
		}
		comment := list.Object()
		comment.Text("lang", text.Language.String())
		comment.Text("text", text.Text)
		o.Dst = comment.End()
	}
	list.End()
}

// parseAnnotations reads a list of annotations of the given place.
func parseAnnotations(s *jsontext.Scanner, list []model.Annotation, node int32) []model.Annotation {
	s.BeginArray()
	for s.NextElement() {
		a := parseAnnotation(s)
		a.Node = node
		list = append(list, a)
	}
	return list
}

// leftoverKey is how the key of a leftover looks; one with escapes is taken
// for a key that is not known.
var leftoverKey = []byte(`"leftover"`)

func parseAnnotation(s *jsontext.Scanner) (a model.Annotation) {
	text := s.Skip()
	if s.Err() != nil {
		return a
	}
	var err error
	if bytes.Contains(text, leftoverKey) {
		text, a.Leftover, err = cutLeftover(text)
	}
	if err == nil {
		a.Value, err = model.ParseValueJSON(text)
	}
	s.Fail(err)
	return a
}

// cutLeftover takes the member "leftover" out of the object of an annotation.
func cutLeftover(text []byte) (rest []byte, l *model.Leftover, err error) {
	s := jsontext.NewScanner(text)
	rest = append(rest, '{')
	s.BeginObject()
	for s.NextKey() {
		if string(s.Key()) == "leftover" {
			l = parseLeftover(s)
			continue
		}
		if len(rest) > 1 {
			rest = append(rest, ',')
		}
		rest = jsontext.AppendString(rest, string(s.Key()))
		rest = append(rest, ':')
		rest = append(rest, s.Skip()...)
	}
	return append(rest, '}'), l, s.End()
}

// appendStrayAnnotations appends "elsewhere": the annotations of places that
// the game does not have.
func appendStrayAnnotations(o *jsontext.Object, g *model.Game) {
	list := o.List("elsewhere")
	for from := 0; from < len(g.Annotations); {
		node := g.Annotations[from].Node
		here := g.AnnotationsAt(int(node))
		from += max(len(here), 1)
		if node == model.NoNode || g.MovesErr == nil && node > model.NoNode && int(node) < g.Moves.Len() {
			continue
		}
		place := list.Object()
		place.Key("node")
		place.Dst = strconv.AppendInt(place.Dst, int64(node), 10)
		appendAnnotations(&place, here)
		o.Dst = place.End()
	}
	list.End()
}

// parseStrayAnnotations reads what appendStrayAnnotations writes.
func parseStrayAnnotations(s *jsontext.Scanner, list []model.Annotation) []model.Annotation {
	s.BeginArray()
	for s.NextElement() {
		from, node := len(list), int32(model.NoNode)
		s.Members(func(key string) bool {
			switch key {
			case "node":
				node = s.Int32()
			case "annotations":
				list = parseAnnotations(s, list, 0)
			default:
				return false
			}
			return true
		})
		for i := from; i < len(list); i++ {
			list[i].Node = node
		}
	}
	return list
}
