package avl

// Values of links that are not record ids.
const (
	None    int32 = -1   // no child; end of the list of deleted records
	Deleted int32 = -999 // in Left: the record is deleted
)

// detached in Right, with Deleted in Left, marks a record that is neither in
// the tree nor on the list of deleted records: between Allocate and Insert, or
// between Delete and Release. It never belongs in a file.
const detached = Deleted

// maxNodes is the number of records an entity file can hold: ids are three
// bytes wide where games refer to them (docs/formats/cbh-entities.md 3), and the
// highest value is left unused.
const maxNodes = 1<<24 - 1

// A Node holds the links of one record as the file stores them.
type Node struct {
	Left    int32 // id of the left child, None, or Deleted
	Right   int32 // id of the right child or None; of a deleted record the next deleted one
	Balance int8  // height(right) - height(left)
}

// Live reports whether the record is in use.
func (n Node) Live() bool { return n.Left != Deleted }

// A Tree is the links of all records of an entity file, with the three header
// fields that belong to them. Fill the exported fields from a file, start with
// [New], or use [Open] to read the links as they are needed. The zero value is
// not an empty tree: its Free points at record 0.
//
// Methods that change the tree must not run beside any other method.
// Copy a tree with [Tree.Clone]: two copies of the struct share their memory.
type Tree struct {
	Nodes []Node // indexed by record id; nil in a tree from Open
	Root  int32  // id of the root; of no meaning when no record is live
	Free  int32  // the deleted record to be used next, or None
	Live  int32  // number of live records; look-ups do not rely on it

	stored *stored // of a tree from Open

	path   []step   // way down of the operation under way, kept for its memory
	undo   []change // what the last operation overwrote
	before header   // header fields before the last operation
}

// New returns an empty tree, with the header fields ChessBase gives a new file.
func New() *Tree { return &Tree{Free: None} }

// Clone returns an independent copy. After it [Tree.AppendChanged] of the copy appends
// nothing.
func (t *Tree) Clone() *Tree {
	return &Tree{
		Nodes: append([]Node(nil), t.Nodes...), stored: t.stored.clone(),
		Root: t.Root, Free: t.Free, Live: t.Live,
	}
}

// A Compare says how the key in question sorts against the key of the live
// record id: negative before it, zero equal, positive after it.
type Compare func(id int32) int

// An Order says how the keys of two live records sort: negative if a comes
// before b, zero if they are equal, positive if a comes after b.
type Order func(a, b int32) int

// side names one of the two children. Its value is also the balance of a node
// that is deeper on that side, which lets one piece of code serve both.
type side int8

const (
	left  side = -1
	right side = +1
)

// field is the name of the link on side s.
func (s side) field() string {
	if s == left {
		return fieldLeft
	}
	return fieldRight
}

// child gives the link of n on side s.
func (n *Node) child(s side) *int32 {
	if s == left {
		return &n.Left
	}
	return &n.Right
}

// inRange reports whether id is the id of a record, live or deleted.
func (t *Tree) inRange(id int32) bool { return uint32(id) < uint32(t.Len()) }

// isLive reports whether id is the id of a live record.
func (t *Tree) isLive(id int32) bool { return t.inRange(id) && t.at(id).Live() }
