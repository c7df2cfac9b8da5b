package dcdb

import (
	"strings"

	"cbkit/model"
)

// annotation reads a comment or NAGs.
func (d *Decoder) annotation(at int, tag byte) bool {
	field := "comment"
	if tag == tagNAGs {
		field = "NAGs"
	}
	b, ok := d.block(field)
	if !ok {
		return d.stop(at, field, model.ErrCorrupt, "no length")
	}
	switch {
	case d.NoAnnotations || len(b) == 0:
	case tag == tagNAGs:
		d.addNAGs(b)
	case len(d.pending) > 0 && !d.line.any:
		d.line.before = append(d.line.before, d.text(at, b))
	default:
		d.addComment(d.text(at, b), false)
	}
	return true
}

// addNAGs adds to the symbols at the present place.
func (d *Decoder) addNAGs(list []byte) {
	var s model.Symbols
	if d.line.symbols >= 0 {
		s = d.annotations[d.line.symbols].Value.(model.Symbols)
	}
	any := false
	for _, n := range list {
		if n != 0 {
			s.Add(model.NAG(n))
			any = true
		}
	}
	switch {
	case !any:
	case d.line.symbols >= 0:
		d.annotations[d.line.symbols].Value = s
	default:
		d.line.symbols = d.annotate(s)
	}
}

// addComment adds a comment at the present place. A second one is joined to
// the first, by closeText.
func (d *Decoder) addComment(comment string, before bool) {
	ahead, text, behind := splitComment(comment)
	for _, v := range ahead {
		d.annotate(v)
	}
	switch {
	case text == "":
	case d.line.text >= 0:
		d.line.more = append(d.line.more, text)
	default:
		d.line.text = d.annotate(model.Text{Before: before, Text: text})
	}
	for _, v := range behind {
		d.annotate(v)
	}
}

// annotate adds a value at the present place and returns its index.
func (d *Decoder) annotate(v model.Value) int {
	d.annotations = append(d.annotations, model.Annotation{Node: int32(d.line.node), Value: v})
	return len(d.annotations) - 1
}

// closeText joins the comments of a place that is left.
func (d *Decoder) closeText() {
	if len(d.line.more) == 0 {
		return
	}
	text := d.annotations[d.line.text].Value.(model.Text)
	text.Text = strings.Join(append([]string{text.Text}, d.line.more...), " ")
	d.annotations[d.line.text].Value = text
	d.line.more = nil
}
