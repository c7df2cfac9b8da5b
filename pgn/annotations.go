package pgn

import (
	"cmp"
	"slices"

	"cbkit/model"
)

// annotationCollector collects the annotations of a game in the order in which they are
// read. Nodes are the numbers of the tree builder until collect.
type annotationCollector struct {
	list []model.Annotation
	// waiting has the indices in list of what belongs to the next move of a
	// line; every line under way has its part, the innermost one the last.
	waiting []int32
	// parts are texts to be joined to a text of the list.
	parts []part
	// raw has the indices of what came from raw commands.
	raw   []int32
	count []int32
	// ordered says that there are texts with another place than the one where
	// they stand.
	ordered bool
}

// orderedText is a text that stands in front of its move and has a place among
// the annotations of the move that is not the first.
type orderedText struct {
	model.Text
	at int
}

type part struct {
	at   int32
	text string
}

// place is where signs and comments go. The indices say which annotation of
// the list takes more of its kind at this place, -1 if there is none yet.
type place struct {
	waiting                        int32 // where this line's part of annotationCollector.waiting begins
	text, symbols, squares, arrows int32
}

func newPlace(waiting int) place { return place{int32(waiting), -1, -1, -1, -1} }

func (n *annotationCollector) reset() {
	n.list, n.waiting, n.parts, n.raw = n.list[:0], n.waiting[:0], n.parts[:0], n.raw[:0]
	n.ordered = false
}

// add appends an annotation and returns its index.
func (n *annotationCollector) add(node int32, v model.Value) int32 {
	n.list = append(n.list, model.Annotation{Node: node, Value: v})
	return int32(len(n.list) - 1)
}

// wait appends an annotation of the next move of the line.
func (n *annotationCollector) wait(node int32, v model.Value) int32 {
	at := n.add(node, v)
	n.waiting = append(n.waiting, at)
	return at
}

// beforeFirstMove reports whether the line is a variation without a move yet.
func (g *gameState) beforeFirstMove() bool { return !g.line.started && len(g.outer) > 0 }

// annotate adds a value at the place of the parser and returns its index.
func (p *parser) annotate(v model.Value) int32 {
	g := &p.game
	if g.beforeFirstMove() {
		return g.annotations.wait(g.line.node, v)
	}
	return g.annotations.add(g.line.node, v)
}

// addText adds a comment to the text of the place.
func (p *parser) addText(text string) {
	g := &p.game
	switch l := &g.line; {
	case text == "":
	case l.text >= 0:
		g.annotations.parts = append(g.annotations.parts, part{l.text, text})
	default:
		l.text = p.annotate(model.Text{Before: g.beforeFirstMove(), Text: text})
	}
}

// endLine settles what still waits for a move when a line ends. It belongs to
// the last move then, or, in a variation without moves, to the one that the
// variation interrupts. A question for the move to come stays as the words it
// was.
func (p *parser) endLine() {
	g := &p.game
	n, l := &g.annotations, &g.line
	to := l
	if g.beforeFirstMove() {
		to = &g.outer[len(g.outer)-1].line
	}
	for _, at := range n.waiting[l.waiting:] {
		a := &n.list[at]
		a.Node = to.node
		switch v := a.Value.(type) {
		case model.Training:
			words, _ := appendTraining(nil, v)
			a.Value = model.Text{Text: string(words)}
		case model.Text:
			v.Before = false
			a.Value = v
		case orderedText:
			v.Before = false
			a.Value = v.Text
		}
	}
	n.waiting = n.waiting[:l.waiting]
}

// collect appends the annotations to dst, sorted by node, with the nodes that
// order gives for those of the tree builder; nodes is how many there are.
func (n *annotationCollector) collect(dst []model.Annotation, order []int32, nodes int, texts *textArena) []model.Annotation {
	n.join(texts)
	if len(n.raw) > 0 {
		// What a raw command says better than another one of the same kind at the same
		// place goes. Texts have no copies of this sort.
		type kindAt struct {
			node int32
			kind model.Kind
		}
		better := make(map[kindAt]bool, len(n.raw))
		isRaw := make(map[int32]bool, len(n.raw))
		for _, at := range n.raw {
			a := &n.list[at]
			better[kindAt{a.Node, a.Value.Kind()}] = true
			isRaw[at] = true
		}
		kept := n.list[:0]
		for i, a := range n.list {
			if isRaw[int32(i)] || a.Value.Kind() == model.KindText || !better[kindAt{a.Node, a.Value.Kind()}] {
				kept = append(kept, a)
			}
		}
		n.list = kept
	}
	sorted := true
	last := int32(model.NoNode)
	for i := range n.list {
		a := &n.list[i]
		if order != nil && a.Node >= 0 {
			a.Node = order[a.Node]
		}
		sorted = sorted && a.Node >= last
		last = a.Node
	}
	from := len(dst)
	if sorted {
		dst = append(dst, n.list...)
	} else { // a counting sort, which keeps the order at each node
		n.count = slices.Grow(n.count[:0], nodes+2)[:nodes+2]
		clear(n.count)
		for i := range n.list {
			n.count[n.list[i].Node+2]++
		}
		for i := 1; i < len(n.count); i++ {
			n.count[i] += n.count[i-1]
		}
		dst = slices.Grow(dst, len(n.list))[:from+len(n.list)]
		for i := range n.list {
			at := &n.count[n.list[i].Node+1]
			dst[from+int(*at)] = n.list[i]
			*at++
		}
	}
	if n.ordered {
		arrange(dst[from:])
	}
	return dst
}

// arrange brings texts that have a place among the annotations of their node to
// it, around which the others keep their order. The list is sorted by node.
func arrange(list []model.Annotation) {
	isOrdered := func(a model.Annotation) bool { _, ok := a.Value.(orderedText); return ok }
	for n := 1; len(list) > 0; list, n = list[n:], 1 {
		for n < len(list) && list[n].Node == list[0].Node {
			n++
		}
		node := list[:n]
		if !slices.ContainsFunc(node, isOrdered) {
			continue
		}
		others := slices.DeleteFunc(slices.Clone(node), isOrdered)
		texts := slices.DeleteFunc(slices.Clone(node), func(a model.Annotation) bool { return !isOrdered(a) })
		slices.SortStableFunc(texts, func(a, b model.Annotation) int {
			return cmp.Compare(a.Value.(orderedText).at, b.Value.(orderedText).at)
		})
		for i := range node {
			if len(others) > 0 && (len(texts) == 0 || texts[0].Value.(orderedText).at > i) {
				node[i], others = others[0], others[1:]
				continue
			}
			node[i] = model.Annotation{Node: texts[0].Node, Value: texts[0].Value.(orderedText).Text}
			texts = texts[1:]
		}
	}
}

// join joins the parts of texts.
func (n *annotationCollector) join(texts *textArena) {
	byPlace := func(a, b part) int { return int(a.at - b.at) }
	if !slices.IsSortedFunc(n.parts, byPlace) {
		slices.SortStableFunc(n.parts, byPlace)
	}
	behind, last := 0, int32(-1) // what there is to join
	for _, p := range n.parts {
		if behind += len(p.text) + 1; p.at != last {
			behind += len(n.list[p.at].Value.(model.Text).Text)
			last = p.at
		}
	}
	for i := 0; i < len(n.parts); {
		at := n.parts[i].at
		t := n.list[at].Value.(model.Text)
		b := texts.room(behind, 0)
		from := b.Len()
		b.WriteString(t.Text)
		for ; i < len(n.parts) && n.parts[i].at == at; i++ {
			b.WriteByte(' ')
			b.WriteString(n.parts[i].text)
		}
		t.Text = b.String()[from:]
		behind -= len(t.Text)
		n.list[at].Value = t
	}
}
