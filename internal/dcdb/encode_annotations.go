package dcdb

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"cbkit/model"
)

// annotationEncoder writes the annotations of a game, place by place.
type annotationEncoder struct {
	list    []model.Annotation
	nags    []byte
	comment []byte
	ordered []model.Annotation
	kept    []model.Annotation
	text    bool // the comment ends in text, not in marks
}

// append writes what is said at a place: NAGs, then one comment. What reads
// back otherwise is reported.
func (n *annotationEncoder) append(dst []byte, node int, lost func(model.LossKind, string, string, ...any)) []byte {
	from, found := slices.BinarySearchFunc(n.list, int32(node), func(a model.Annotation, node int32) int { return int(a.Node) - int(node) })
	if !found {
		return dst
	}
	to := from
	for to < len(n.list) && n.list[to].Node == int32(node) {
		to++
	}
	n.nags, n.comment, n.kept, n.text = n.nags[:0], n.comment[:0], n.kept[:0], false
	for _, a := range n.inOrder(n.list[from:to]) {
		if !n.add(a.Value) {
			lost(model.LostAnnotation, string(a.Value.Kind()), "the format has no form for it")
			continue
		}
		n.kept = append(n.kept, a)
	}
	if node == model.NoNode && len(n.nags) > 0 {
		lost(model.LostAnnotation, string(model.KindSymbols), "there is no place for signs before the first move")
		n.nags = n.nags[:0]
		n.kept = slices.DeleteFunc(n.kept, func(a model.Annotation) bool { return a.Value.Kind() == model.KindSymbols })
	}
	if len(n.kept) > 0 && !n.plain() && !n.readsBack(node) {
		lost(model.Changed, "annotations", "what is said at one place becomes signs and one comment in any language")
	}
	if len(n.nags) > 0 {
		dst = AppendLength(append(dst, tagNAGs), uint32(len(n.nags)))
		dst = append(dst, n.nags...)
	}
	if len(n.comment) > 0 {
		dst = AppendLength(append(dst, tagComment), uint32(len(n.comment)))
		dst = append(dst, n.comment...)
	}
	return dst
}

// inOrder returns the annotations of a place in the order in which they are
// written: of the texts, which become one comment, those that stand in front of
// the move come first. All else keeps its place.
func (n *annotationEncoder) inOrder(here []model.Annotation) []model.Annotation {
	isBefore := func(a model.Annotation) bool {
		t, ok := a.Value.(model.Text)
		return ok && t.Before
	}
	if !slices.ContainsFunc(here, isBefore) {
		return here
	}
	n.ordered = append(n.ordered[:0], here...)
	slot := 0
	for _, before := range [...]bool{true, false} {
		for _, a := range here {
			if a.Value.Kind() != model.KindText || isBefore(a) != before {
				continue
			}
			for here[slot].Value.Kind() != model.KindText {
				slot++
			}
			n.ordered[slot] = a
			slot++
		}
	}
	return n.ordered
}

// add adds a value to the NAGs or the comment; it returns false if it has no
// form there.
func (n *annotationEncoder) add(v model.Value) bool {
	switch v := v.(type) {
	case model.Symbols:
		was := len(n.nags)
		var list [8]model.NAG
		for _, g := range v.AppendNAGs(list[:0]) {
			if g != 0 {
				n.nags = append(n.nags, byte(g))
			}
		}
		return len(n.nags) > was
	case model.Text:
		if v.Text == "" {
			return false
		}
		n.blank()
		n.comment, n.text = append(n.comment, v.Text...), true
		return true
	case model.Squares, model.Arrows:
		before := len(n.comment)
		if n.text {
			n.blank()
		}
		comment, ok := appendMarks(n.comment, v)
		if !ok {
			n.comment = n.comment[:before]
			return false
		}
		n.comment, n.text = comment, false
		return true
	}
	return false
}

// blank parts what is added from what is there.
func (n *annotationEncoder) blank() {
	if len(n.comment) > 0 {
		n.comment = append(n.comment, ' ')
	}
}

// plain reports, quickly, that what is said here certainly reads back: at most
// one comment in any language behind one list of signs.
func (n *annotationEncoder) plain() bool {
	texts, signs := 0, 0
	for _, a := range n.kept {
		switch v := a.Value.(type) {
		case model.Text:
			if v.Before || v.Language != model.AnyLanguage {
				return false
			}
			texts++
		case model.Symbols:
			if texts > 0 || len(v.More) > 0 || len(n.nags) > 1 {
				return false
			}
			var back model.Symbols
			back.Add(model.NAG(n.nags[0]))
			if back.Move != v.Move || back.Position != v.Position {
				return false
			}
			signs++
		default:
			return false
		}
	}
	return texts <= 1 && signs <= 1 && !bytes.Contains(n.comment, []byte("[%c")) && utf8.Valid(n.comment)
}

// readsBack reports whether what will be written reads back as what is said.
func (n *annotationEncoder) readsBack(node int) bool {
	d := Decoder{line: line{node: node, any: true, text: -1, symbols: -1}}
	if !utf8.Valid(n.comment) {
		return false
	}
	if len(n.nags) > 0 {
		d.addNAGs(n.nags)
	}
	if len(n.comment) > 0 {
		d.addComment(string(n.comment), false)
	}
	return slices.EqualFunc(d.annotations, n.kept, func(a, b model.Annotation) bool { return a.Value.Equal(b.Value) })
}
