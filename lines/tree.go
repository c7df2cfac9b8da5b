package lines

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"strings"

	"cbkit/board"
	"cbkit/eco"
	"cbkit/model"
	"cbkit/stats"
)

// Tree is one tree of a [Forest].
type Tree struct {
	key   treeKey
	opt   *Options
	start *model.Position
	made  int      // how many nodes there are, the root and those that are gone too
	nodes [][]node // in pieces, which need not be moved
	ends  []endOf
	notes []noteOf
	// lastNote is the last one in notes of a node, plus one; see, where its position stands
	// already.
	lastNote, see map[int32]int32
	said          map[saidAt]bool // which notes there are
	order         []int32         // by node of the game: that of the tree
	moves         int             // how many there are in the end
}

// node is a move, the root the start. Moves are linked as they come; which comes first is
// decided at the end.
type node struct {
	parent, first, next               int32 // none if there is none
	games, wins, draws, losses, rated int32 // White's
	ratings                           int64
	ends                              int32 // the last one in Tree.ends, plus one
	move                              model.Move
}

const (
	root = 0
	none = -1
)

// endOf is what is said of a game that ends at a node.
type endOf struct {
	text   string
	before int32 // the one before at the node, plus one
}

// noteOf is an annotation of a node.
type noteOf struct {
	value  model.Value
	before int32
}

// saidAt tells notes of a node apart.
type saidAt struct {
	node int32
	hash uint64
}

// piece is how many nodes are kept together.
const piece = 1 << 13

// at returns a node, which stays where it is.
func (t *Tree) at(n int32) *node { return &t.nodes[n/piece][n%piece] }

// make makes a node without links to others.
func (t *Tree) make(parent int32, m model.Move) int32 {
	switch last := len(t.nodes) - 1; {
	case last < 0:
		t.nodes = [][]node{nil}
	case len(t.nodes[last]) == piece:
		t.nodes = append(t.nodes, make([]node, 0, piece))
	}
	last := &t.nodes[len(t.nodes)-1]
	*last = append(*last, node{parent: parent, first: none, next: none, move: m})
	t.made++
	return int32(t.made - 1)
}

// child returns the node of a move behind another one, and makes it if it is not there.
// A position has at most some two hundred moves, and nearly always the first or second
// one is meant.
func (t *Tree) child(at int32, m model.Move) int32 {
	last := int32(none)
	for n := t.at(at).first; n != none; n = t.at(n).next {
		if t.at(n).move == m {
			return n
		}
		last = n
	}
	n := t.make(at, m)
	if last == none {
		t.at(at).first = n
	} else {
		t.at(last).next = n
	}
	return n
}

// add adds the moves of a game and counts it. It returns the node at which it ends.
func (t *Tree) add(f *Forest, g *model.Game) (last int32) {
	most, moves := f.opt.MaxPly, g.Moves.Nodes()
	if most <= 0 {
		most = math.MaxInt
	}
	main := g.Moves.MainLen()
	f.where = slices.Grow(f.where[:0], len(moves))[:len(moves)]
	t.count(root, &g.Header)
	at := int32(root)
	for i := range main {
		if f.where[i] = none; i < most {
			at = t.child(at, moves[i].Move)
			t.count(at, &g.Header)
			f.where[i] = at
		}
	}
	for i := main; i < len(moves); i++ {
		f.where[i] = none
		before := int32(root)
		if moves[i].Parent != model.NoNode {
			before = f.where[moves[i].Parent]
		}
		if f.opt.Variations && before != none && t.ply(before) < most {
			f.where[i] = t.child(before, moves[i].Move)
		}
	}
	return at
}

// ply returns how many moves lead to a node.
func (t *Tree) ply(n int32) (plies int) {
	if t.opt.MaxPly <= 0 { // it does not matter
		return 0
	}
	for ; n != root; n = t.at(n).parent {
		plies++
	}
	return plies
}

// count counts a game at a node.
func (t *Tree) count(at int32, h *model.Header) {
	n := t.at(at)
	n.games++
	var tally stats.Tally
	switch tally.Add(h.Result, model.White, 0, 0); {
	case tally.Wins > 0:
		n.wins++
	case tally.Draws > 0:
		n.draws++
	case tally.Losses > 0:
		n.losses++
	}
	for _, elo := range [2]uint16{h.WhiteElo, h.BlackElo} {
		if elo != 0 {
			n.ratings, n.rated = n.ratings+int64(elo), n.rated+1
		}
	}
}

// annotate adds the annotations of a game that was added last, which belong to the tree
// from now on.
func (t *Tree) annotate(f *Forest, g *model.Game) {
	if t.said == nil {
		t.said = map[saidAt]bool{}
	}
	for _, a := range g.Annotations {
		at := f.placeOf(a.Node)
		if at == none || a.Value == nil {
			continue
		}
		key := saidAt{at, maphash.String(f.hash, fmt.Sprintf("%T%+v", a.Value, a.Value))}
		if t.said[key] {
			continue
		}
		t.said[key] = true
		t.note(at, a.Value)
	}
}

// note adds an annotation to a node.
func (t *Tree) note(at int32, v model.Value) {
	t.notes = append(t.notes, noteOf{v, t.lastNote[at]})
	t.lastNote[at] = int32(len(t.notes))
}

// prune takes out moves of fewer games. Games end before them; a move has no more games
// than the one before it, which was made earlier.
func (t *Tree) prune(least int32) {
	for i := int32(t.made) - 1; i > root; i-- {
		n := t.at(i)
		parent := t.at(n.parent)
		if n.games >= least {
			continue
		}
		for end := n.ends; end != 0; {
			e := &t.ends[end-1]
			next := e.before
			e.before, parent.ends = parent.ends, end
			end = next
		}
		n.ends = 0
	}
	for i := range int32(t.made) {
		link := &t.at(i).first
		for *link != none {
			if n := t.at(*link); n.games < least {
				*link = n.next
			} else {
				link = &n.next
			}
		}
	}
}

// sort puts the moves of every position in order, and counts them.
func (t *Tree) sort() {
	t.moves = 0
	stack := []int32{root}
	white := []bool{t.key.start.Turn == model.White}
	var list []int32
	for len(stack) > 0 {
		at, turn := stack[len(stack)-1], white[len(white)-1]
		stack, white = stack[:len(stack)-1], white[:len(white)-1]
		list = list[:0]
		for n := t.at(at).first; n != none; n = t.at(n).next {
			list = append(list, n)
		}
		slices.SortStableFunc(list, func(x, y int32) int {
			a, b := t.at(x), t.at(y)
			games := cmp.Compare(b.games, a.games)
			if t.opt.BestFirst {
				return cmp.Or(cmp.Compare(b.share(turn), a.share(turn)), games)
			}
			return games
		})
		t.moves += len(list)
		link := &t.at(at).first
		for _, n := range list {
			*link = n
			link = &t.at(n).next
			if t.at(n).first != none {
				stack, white = append(stack, n), append(white, !turn)
			}
		}
		*link = none
	}
}

// share is the part of the points that a side has scored, -1 if no game has a result.
func (n *node) share(white bool) float64 {
	points := 2*n.wins + n.draws
	if !white {
		points = 2*n.losses + n.draws
	}
	if finished := n.wins + n.draws + n.losses; finished > 0 {
		return float64(points) / float64(2*finished)
	}
	return -1
}

// visit is a node to come to, with the position before its move.
type visit struct {
	node   int32
	before board.Position
}

// folder lets lines end where their position stands already. It goes through a tree ply by
// ply: who has come to a node has come to all before it.
type folder struct {
	*Tree
	seen    map[uint64]int32 // where a position stands
	visited []bool           // by node
	next    []visit          // of the next ply
}

// fold lets lines end where their position stands already: after fewer moves, or, of as
// many, where more games have come. What follows on such a line is joined to what follows
// there. A line that comes back to a position of its own goes on.
func (t *Tree) fold() {
	start, err := board.New(t.start)
	if err != nil {
		return
	}
	f := folder{t, map[uint64]int32{start.PolyglotKey(): root}, make([]bool, t.made), nil}
	f.visited[root] = true
	f.push(root, start)
	for len(f.next) > 0 {
		ply := f.next
		f.next = nil
		slices.SortStableFunc(ply, func(a, b visit) int { return cmp.Compare(t.at(b.node).games, t.at(a.node).games) })
		for _, v := range ply {
			p := v.before
			p.Make(t.at(v.node).move)
			f.visited[v.node] = true
			key := p.PolyglotKey()
			at, is := f.seen[key]
			switch {
			case !is:
				f.seen[key] = v.node
				f.push(v.node, p)
			case t.isBefore(at, v.node):
				f.push(v.node, p)
			default:
				t.see[v.node] = at
				f.join(v.node, at, p)
			}
		}
	}
}

// push comes to the moves behind a node.
func (f *folder) push(at int32, p board.Position) {
	for n := f.at(at).first; n != none; n = f.at(n).next {
		f.next = append(f.next, visit{n, p})
	}
}

// isBefore reports whether a node is on the line that leads to another one.
func (t *Tree) isBefore(at, n int32) bool {
	for n != none && n != at {
		n = t.at(n).parent
	}
	return n == at
}

// join joins what is behind a node to another one with the same position, and what ends
// there.
func (f *folder) join(from, to int32, p board.Position) {
	type pair struct {
		from, to int32
		p        board.Position
	}
	for work := []pair{{from, to, p}}; len(work) > 0; {
		w := work[len(work)-1]
		work = work[:len(work)-1]
		f.joinNode(w.from, w.to)
		var children []int32
		for n := f.at(w.from).first; n != none; n = f.at(n).next {
			children = append(children, n)
		}
		f.at(w.from).first = none
		for _, n := range children {
			link := &f.at(w.to).first
			for *link != none && f.at(*link).move != f.at(n).move {
				link = &f.at(*link).next
			}
			if same := *link; same != none {
				next := w.p
				next.Make(f.at(n).move)
				if see, is := f.see[same]; is { // that line goes on elsewhere
					f.at(same).addFigures(f.at(n))
					same = see
				}
				work = append(work, pair{n, same, next})
				continue
			}
			*link = n
			f.at(n).parent, f.at(n).next = w.to, none
			if f.visited[w.to] { // else it is come to behind that one
				f.next = append(f.next, visit{n, w.p})
			}
		}
	}
}

// joinNode adds what is known of a node to another one: of the games that come to it, and
// those that end there. What is said of its move stays, unless it is gone.
func (f *folder) joinNode(from, to int32) {
	a, b := f.at(from), f.at(to)
	b.addFigures(a)
	for _, i := range f.endsAt(from) {
		f.ends[i].before, b.ends = b.ends, i+1
	}
	a.ends = 0
	if _, stays := f.see[from]; stays {
		return
	}
	for _, i := range f.notesAt(from) {
		f.note(to, f.notes[i].value)
	}
	delete(f.lastNote, from)
}

// addFigures adds the games that come to another node.
func (n *node) addFigures(a *node) {
	n.games, n.wins, n.draws, n.losses = n.games+a.games, n.wins+a.wins, n.draws+a.draws, n.losses+a.losses
	n.ratings, n.rated = n.ratings+a.ratings, n.rated+a.rated
}

// endsAt returns which games end at a node, in the order in which they were added.
func (t *Tree) endsAt(at int32) (list []int32) {
	for i := t.at(at).ends; i != 0; i = t.ends[i-1].before {
		list = append(list, i-1)
	}
	slices.Sort(list)
	return list
}

// notesAt returns which annotations there are at a node, in the order of the games.
func (t *Tree) notesAt(at int32) (list []int32) {
	for i := t.lastNote[at]; i != 0; i = t.notes[i-1].before {
		list = append(list, i-1)
	}
	slices.Sort(list)
	return list
}

// Group is what the games have in common besides their start: a code of openings, the
// first move, or "".
func (t *Tree) Group() string {
	switch {
	case t.key.group == 0:
	case t.opt.By == ByECO:
		return model.NewECO(int(t.key.group-1), 0).String()
	case t.opt.By == ByFirstMove:
		if p, err := board.New(t.start); err == nil {
			return stats.FormatLine(p, []model.Move{model.Move(t.key.group - 1)})
		}
	}
	return ""
}

// title is what the tree is called: "C67 Ruy Lopez: Berlin Defense, 37 games".
func (t *Tree) title() string {
	name := t.Group()
	if t.opt.By == ByECO && name != "" {
		if o, ok := eco.Named(model.NewECO(int(t.key.group-1), 0)); ok {
			name += " " + o.Name
		}
	}
	if name != "" {
		name += ", "
	}
	return name + countGames(int(t.at(root).games))
}

func countGames(n int) string {
	if n == 1 {
		return "1 game"
	}
	return fmt.Sprintf("%d games", n)
}

// Len returns how many moves the tree has.
func (t *Tree) Len() int { return t.moves }

// Game returns the tree as a game whose variations are the games. Its header has nothing
// but the code of [ByECO].
func (t *Tree) Game() *model.Game {
	g := model.NewGame()
	g.Start = t.start
	if t.opt.By == ByECO && t.key.group != 0 {
		g.ECO = model.NewECO(int(t.key.group-1), 0)
	}
	t.order = slices.Grow(t.order[:0], t.moves)
	var moves model.Tree
	moves.Grow(t.moves)
	var list []model.Annotation
	say := func(at int32, place int) {
		for _, i := range t.notesAt(at) {
			list = append(list, model.Annotation{Node: int32(place), Value: t.notes[i].value})
		}
		if text := t.text(at); text != "" {
			list = append(list, model.Annotation{Node: int32(place), Value: model.Text{Text: text}})
		}
	}
	type visit struct {
		node   int32
		parent int
	}
	say(root, model.NoNode)
	stack := []visit{{t.at(root).first, model.NoNode}}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for n, parent := v.node, v.parent; n != none; n = t.at(n).first {
			if next := t.at(n).next; next != none {
				stack = append(stack, visit{next, parent})
			}
			parent = moves.AddStored(parent, t.at(n).move)
			t.order = append(t.order, n)
			say(n, parent)
		}
	}
	g.SetMoves(g.Start, moves)
	g.SetAnnotations(list)
	return g
}

// Figures returns how many games have come to a node of [Tree.Game], [model.NoNode] for
// the start, and how they ended. With [Options].Transpositions they are those that came to
// its position.
func (t *Tree) Figures(place int) Figures {
	n := t.at(root)
	if place != model.NoNode {
		if len(t.order) == 0 {
			t.Game()
		}
		n = t.at(t.order[place])
	}
	return n.figures()
}

func (n *node) figures() Figures {
	return Figures{int(n.games), int(n.wins), int(n.draws), int(n.losses), n.ratings, int(n.rated)}
}

// text is what stands at a node: of the games that end there, its figures, or where its
// line goes on.
func (t *Tree) text(at int32) string {
	n := t.at(at)
	var parts []string
	if t.opt.Ends == AtEndFigures && n.games > 0 && (n.first == none || at != root && (t.at(n.parent).first != at || n.next != none)) {
		parts = append(parts, n.figures().text(t.opt.Color))
	}
	for _, i := range t.endsAt(at) {
		parts = append(parts, t.ends[i].text)
	}
	if see, is := t.see[at]; is {
		parts = append(parts, seeCommand+" transposes to "+t.lineTo(see, at))
	}
	return strings.Join(parts, " ")
}

// lineTo returns the moves that lead to a node, from where they are others than those that
// lead to another one.
func (t *Tree) lineTo(at, from int32) string {
	path := func(n int32) (line []int32) {
		for ; n != root; n = t.at(n).parent {
			line = append(line, n)
		}
		slices.Reverse(line)
		return line
	}
	to, own := path(at), path(from)
	p, err := board.New(t.start)
	if err != nil {
		return ""
	}
	common := 0
	for common < min(len(to), len(own)) && to[common] == own[common] {
		p.Make(t.at(to[common]).move)
		common++
	}
	var moves []model.Move
	for _, n := range to[common:] {
		moves = append(moves, t.at(n).move)
	}
	return stats.FormatLine(p, moves)
}

// text says figures from the view of a side: "12 games +5 =4 -3, 2610".
func (f Figures) text(c model.Color) string {
	if c == model.Black {
		f.Wins, f.Losses = f.Losses, f.Wins
	}
	s := fmt.Sprintf("%s +%d =%d -%d", countGames(f.Games), f.Wins, f.Draws, f.Losses)
	if elo := f.Elo(); elo != 0 {
		s += fmt.Sprintf(", %d", elo)
	}
	return s
}
