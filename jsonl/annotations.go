package jsonl

import (
	"strconv"

	"cbkit/internal/jsontext"
	"cbkit/model"
)

// appendAnnotations appends "annotations": the complete list at a place. A leftover
// is one member more of its value.
func appendAnnotations(o *jsontext.Object, annotations []model.Annotation) {
	list := o.List("annotations")
	for i := range annotations {
		list.Next()
		o.Dst = AppendValue(o.Dst, annotations[i].Value)
		if l := annotations[i].Leftover; l != nil {
			o.Dst[len(o.Dst)-1] = ',' // instead of the brace
			var member jsontext.Object
			appendLeftover(&member, "leftover", l)
			o.Dst = append(o.Dst, member.End()[1:]...)
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
		s.Take()
		a := model.Annotation{Node: node}
		if text := s.Skip(); s.Err() == nil {
			var err error
			a.Value, err = parseValue(text, &a.Leftover)
			s.Fail(err)
		}
		list = append(list, a)
	}
	return list
}

// place is a place that the game does not have, with its annotations.
type place struct {
	node        int32
	annotations []model.Annotation
}

// appendElsewhere appends annotations with their places.
func appendElsewhere(o *jsontext.Object, key string, stray []model.Annotation) {
	list := o.List(key)
	for len(stray) > 0 {
		n, node := 1, stray[0].Node
		for n < len(stray) && stray[n].Node == node {
			n++
		}
		place := list.Object()
		place.Key("node")
		place.Dst = strconv.AppendInt(place.Dst, int64(node), 10)
		appendAnnotations(&place, stray[:n])
		o.Dst = place.End()
		stray = stray[n:]
	}
	list.End()
}

// parseElsewhere reads what appendElsewhere writes.
func parseElsewhere(s *jsontext.Scanner, d *details) {
	d.elsewhere = nil
	if d.skipElsewhere {
		s.Skip()
		return
	}
	places := jsontext.Elements(s, func() place {
		p := place{node: model.NoNode}
		placeShape.Parse(s, &p)
		return p
	})
	for _, p := range places {
		for _, a := range p.annotations {
			a.Node = p.node
			d.elsewhere = append(d.elsewhere, a)
		}
	}
}

var placeShape = jsontext.Shape[place]{
	jsontext.Number("node", func(p *place) *int32 { return &p.node }),
	{Key: "annotations", Parse: func(s *jsontext.Scanner, p *place) { p.annotations = parseAnnotations(s, p.annotations, 0) }},
}
