package avl

import "maps"

// stored are nodes that are read when they are needed first.
type stored struct {
	count int
	nodes map[int32]*Node // those that were read or changed
	read  func(id int32) (Node, error)
	err   error // of the first read that failed in the operation under way
}

// Open returns a tree of so many nodes with the given header fields. A node is
// read when an operation meets it first, and kept: what an operation costs
// depends on the height of the tree and not on the number of its nodes. An error
// of read ends the operation, which then has changed nothing, with that error.
//
// Look-ups have no error to return: to them, a node that cannot be read is a
// deleted one. [Tree.Err] returns the error.
func Open(nodes int, root, free, live int32, read func(id int32) (Node, error)) *Tree {
	return &Tree{
		Root: root, Free: free, Live: live,
		stored: &stored{count: nodes, nodes: map[int32]*Node{}, read: read},
	}
}

// Err returns the error of the first node that a look-up could not read since the last
// change or the last call of Err; nil for a tree in memory.
func (t *Tree) Err() error {
	if t.stored == nil {
		return nil
	}
	err := t.stored.err
	t.stored.err = nil
	return err
}

// Len returns the number of records, deleted ones included.
func (t *Tree) Len() int {
	if t.stored != nil {
		return t.stored.count
	}
	return len(t.Nodes)
}

// Node returns the links of record id, from 0 to Len-1.
func (t *Tree) Node(id int32) Node { return *t.at(id) }

// at returns node id to be looked at or, after edit, to be changed. In a slice
// the pointer is good until the next record is appended.
func (t *Tree) at(id int32) *Node {
	if t.stored != nil {
		return t.stored.at(id)
	}
	return &t.Nodes[id]
}

func (s *stored) at(id int32) *Node {
	if n := s.nodes[id]; n != nil {
		return n
	}
	n, err := s.read(id)
	if err != nil {
		if s.err == nil {
			s.err = err
		}
		return &Node{Left: Deleted, Right: None}
	}
	s.nodes[id] = &n
	return &n
}

// grow appends a node.
func (t *Tree) grow() {
	if t.stored == nil {
		t.Nodes = append(t.Nodes, Node{})
		return
	}
	t.stored.nodes[int32(t.stored.count)] = new(Node)
	t.stored.count++
}

// truncate takes the last nodes away, so that so many are left.
func (t *Tree) truncate(nodes int) {
	if t.stored == nil {
		t.Nodes = t.Nodes[:nodes]
		return
	}
	for ; t.stored.count > nodes; t.stored.count-- {
		delete(t.stored.nodes, int32(t.stored.count-1))
	}
}

// clone returns an independent copy; of nothing, nothing.
func (s *stored) clone() *stored {
	if s == nil {
		return nil
	}
	c := *s
	c.nodes = maps.Clone(s.nodes)
	for id, n := range c.nodes {
		node := *n
		c.nodes[id] = &node
	}
	return &c
}

// Kept returns how many nodes of a tree from [Open] are in memory.
func (t *Tree) Kept() int {
	if t.stored == nil {
		return 0
	}
	return len(t.stored.nodes)
}
