package avl

// Verify returns every violation of the rules of the tree and of the list of
// deleted records, none for a sound tree. With order nil it does not look at
// keys. Its time and memory are bounded by the number of nodes, whatever the
// links say.
//
// One fault gives few findings: a link that is reported counts as empty, and
// heights that depend on it are not judged. The records below it are reported
// as unreachable, except under a bad root, where that goes without saying.
func (t *Tree) Verify(order Order) []Finding {
	s := survey{tree: t, order: order, prev: None, state: make([]visit, t.Len())}
	live := t.wrongLive()
	if live.Value != live.Want {
		s.report(live)
	}
	if t.isLive(t.Root) {
		s.walk()
		for id := range t.LiveIDs() {
			if s.state[id] == unseen {
				s.report(Finding{Kind: Unreachable, ID: id, Field: fieldLive})
			}
		}
	} else if live.Want > 0 {
		s.report(t.badRoot())
	}
	s.freeList()
	s.missing()
	return s.findings
}

// visit is what a survey knows about a node.
type visit uint8

const (
	unseen visit = iota
	onPath       // its subtrees are being visited
	done         // visited, or on the list of deleted records
)

// unknown is the height of a subtree with a reported link.
const unknown = -1

// A survey is one run of Verify.
type survey struct {
	tree     *Tree
	order    Order
	state    []visit
	stack    []frame
	prev     int32 // the node visited before, in order
	findings []Finding
}

// A frame is a node whose subtrees are being visited.
type frame struct {
	id    int32
	stage stage
	left  int32 // height of the left subtree once it is visited
}

type stage uint8

const (
	before  stage = iota // the left subtree comes next
	between              // the node itself, then the right subtree
	after                // both subtrees are visited
)

func (s *survey) report(f Finding) { s.findings = append(s.findings, f) }

// walk visits every node that is reached from the root, once, in order.
func (s *survey) walk() {
	s.push(s.tree.Root)
	height := int32(0) // of the subtree visited last
	for len(s.stack) > 0 {
		f := &s.stack[len(s.stack)-1]
		switch f.stage {
		case before:
			f.stage = between
			height = s.enter(f.id, left)
		case between:
			f.stage, f.left = after, height
			if s.order != nil && s.prev != None && s.order(s.prev, f.id) > 0 {
				s.report(Finding{Kind: Disorder, ID: f.id, Field: fieldKey, Value: s.prev})
			}
			s.prev = f.id
			height = s.enter(f.id, right)
		case after:
			height = s.leave(f.id, f.left, height)
		}
	}
}

func (s *survey) push(id int32) {
	s.state[id] = onPath
	s.stack = append(s.stack, frame{id: id})
}

// enter starts the visit of the child on one side. Where there is none to
// visit, the result is the height of that side.
func (s *survey) enter(id int32, side side) int32 {
	child := *s.tree.at(id).child(side)
	if child == None {
		return 0
	}
	kind := s.tree.linkFault(child)
	if kind == 0 {
		switch s.state[child] {
		case unseen:
			s.push(child)
			return unknown // until the child has been visited
		case onPath:
			kind = Cycle
		case done:
			kind = TwoParents
		}
	}
	s.report(Finding{Kind: kind, ID: id, Field: side.field(), Value: child})
	return unknown
}

// leave ends the visit of a node and returns the height of its subtree.
func (s *survey) leave(id, left, right int32) int32 {
	s.stack = s.stack[:len(s.stack)-1]
	s.state[id] = done
	if left == unknown || right == unknown {
		return unknown
	}
	stored, real := int32(s.tree.at(id).Balance), right-left
	if stored != real {
		s.report(Finding{Kind: WrongBalance, ID: id, Field: fieldBalance, Value: stored, Want: real})
	}
	if real < -1 || real > 1 {
		s.report(Finding{Kind: Unbalanced, ID: id, Field: fieldBalance, Value: real})
	}
	return max(left, right) + 1
}

// freeList follows the list of deleted records to its end or first fault.
func (s *survey) freeList() {
	from, field := None, fieldFree
	for id := s.tree.Free; id != None; id = s.tree.at(id).Right {
		kind := s.tree.freeFault(id)
		if kind == 0 && s.state[id] == done {
			kind = FreeLoop
		}
		if kind != 0 {
			s.report(Finding{Kind: kind, ID: from, Field: field, Value: id})
			return
		}
		s.state[id] = done
		from, field = id, fieldRight
	}
}

// missing reports the deleted nodes that freeList did not meet, and their
// balances.
func (s *survey) missing() {
	for id := range int32(s.tree.Len()) {
		n := s.tree.at(id)
		if n.Live() {
			continue
		}
		if s.state[id] == unseen {
			s.report(Finding{Kind: FreeMissing, ID: id, Field: fieldLeft})
		}
		if n.Balance != 0 {
			s.report(Finding{Kind: DeletedBalance, ID: id, Field: fieldBalance, Value: int32(n.Balance)})
		}
	}
}
