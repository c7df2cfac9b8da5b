package cbhdb

import (
	"slices"

	"cbkit/avl"
	"cbkit/internal/cbh"
)

// entityReach is how many entity records that a header announces and that are missing
// are believed in.
const entityReach = 4

// mostSuspects is how many records can be others'; of more nothing is known.
const mostSuspects = 1 << 6

// Doubtful returns the ids, in order, of which it is not certain that the records that
// stand there are their own: one may be missing in front of them, be there twice, or two
// be exchanged. The witnesses are the links, which name ids and follow the order of the
// keys, and the references that each record counts. Uses are asked for where the links
// are not enough.
func (t *Table) Doubtful(uses func() (Uses, error)) ([]int32, error) {
	w := &witnesses{t: t, signed: t.Kind.DefaultSigned, announced: max(t.Count, t.Head.Capacity)}
	w.hasTree = t.hasTree()
	none := [2]int32{avl.None, avl.None}
	faults := w.followLinks(none)
	if w.signed = !w.signed; faults > 0 && w.followLinks(none) >= faults {
		w.signed = !w.signed
		w.followLinks(none)
	}
	if w.hasTree && w.faults == 0 && t.Count == t.Head.Capacity {
		return nil, nil
	}
	var err error
	if w.uses, err = uses(); err != nil {
		return nil, err
	}
	if t.Count != t.Head.Capacity {
		return w.behindShift(), nil
	}
	return w.exchanged(), nil
}

// witnesses are asked of which records they say that these are others'.
type witnesses struct {
	t      *Table
	uses   Uses
	signed bool
	// hasTree is whether links are a witness: programs leave them out.
	hasTree bool
	// announced is how many ids there may be.
	announced int32

	// What the links say: of each id, and of how many they do not fit.
	links  []Agreement // Unsaid: they do not lead there from the root
	faults int
	tops   []int32 // ids that clash
	loose  []int32 // live ones to which no link leads
	out    int     // links to records that are missing
	swap   [2]int32
}

// hasTree reports whether there are links, or nothing that could have any.
func (t *Table) hasTree() bool {
	if t.Tree.Root >= 0 {
		return true
	}
	live := 0
	for id := range t.Tree.LiveIDs() {
		if n := t.Tree.Node(id); n.Left != avl.None || n.Right != avl.None {
			return true
		}
		live++
	}
	return live < 2
}

// place returns where the record of an id stands.
func (w *witnesses) place(id int32) int32 {
	switch id {
	case w.swap[0]:
		return w.swap[1]
	case w.swap[1]:
		return w.swap[0]
	}
	return id
}

// followLinks looks how the links fit if two records are exchanged, and returns how many
// do not.
func (w *witnesses) followLinks(swap [2]int32) int {
	w.links, w.faults, w.tops, w.loose, w.out, w.swap = make([]Agreement, w.t.Count), 0, nil, nil, 0, swap
	if !w.hasTree {
		return 0
	}
	linked, live := make([]bool, w.t.Count), int32(0)
	for slot := range w.t.Tree.LiveIDs() {
		n := w.t.Tree.Node(slot)
		live++
		for _, child := range [...]int32{n.Left, n.Right} {
			if w.t.InRange(child) {
				linked[child] = true
			}
		}
	}
	if live > 0 {
		w.descend(w.t.Tree.Root)
	}
	// What hangs nowhere has its own links still. It hangs below records that are
	// missing, two below each, or something is wrong.
	met, room := slices.Clone(w.links), 0
	if w.out > 0 {
		room = 2 * int(w.announced-w.t.Count)
	}
	for id := range w.t.Count {
		if w.t.IsLive(w.place(id)) && w.links[id] == Unsaid && !linked[id] {
			w.descend(id)
			w.loose = append(w.loose, id)
			if room--; room < 0 {
				w.faults++
			}
		}
	}
	if w.announced > w.t.Count && w.out == 0 && live < w.t.Tree.Live {
		w.faults++ // those that are missing should hang somewhere
	}
	for id, said := range w.links {
		if said == Unsaid && w.t.IsLive(w.place(int32(id))) {
			w.faults++
		}
		if met[id] == Unsaid {
			w.links[id] = Unsaid
		}
	}
	return w.faults
}

// bounds are the places of the records between which a key must lie; avl.None is no
// bound.
type bounds struct{ above, below int32 }

// within reports whether a record is where its key belongs.
func (w *witnesses) within(slot int32, b bounds) bool {
	return (b.above == avl.None || w.t.Compare(b.above, slot, w.signed) <= 0) &&
		(b.below == avl.None || w.t.Compare(slot, b.below, w.signed) <= 0)
}

// descend follows the links of the tree from an id down.
func (w *witnesses) descend(from int32) {
	type visit struct {
		id int32
		bounds
	}
	for stack := []visit{{from, bounds{avl.None, avl.None}}}; len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v.id >= w.t.Count && v.id < w.announced {
			w.out++
			continue
		}
		if !w.t.InRange(v.id) || w.links[v.id] != Unsaid {
			w.faults++
			continue
		}
		slot := w.place(v.id)
		n := w.t.Tree.Node(slot)
		w.links[v.id] = Agrees
		if !n.Live() || !w.within(slot, v.bounds) {
			w.links[v.id] = Clashes
			w.tops, w.faults = append(w.tops, v.id), w.faults+1
			v.bounds = bounds{avl.None, avl.None} // what is below goes by its parents
		}
		if !n.Live() {
			continue
		}
		if n.Left != avl.None {
			stack = append(stack, visit{n.Left, bounds{v.above, slot}})
		}
		if n.Right != avl.None {
			stack = append(stack, visit{n.Right, bounds{slot, v.below}})
		}
	}
}

// found are the references to an id.
func (w *witnesses) found(id int32) (u cbh.EntityUse) {
	if id >= 0 && int(id) < len(w.uses.Found) {
		u = w.uses.Found[id]
	}
	return u
}

// agree reports what the references of an id say of the record at a place.
func (w *witnesses) agree(slot, id int32) Agreement {
	found, stored := w.found(id), cbh.DecodeEntityUse(w.t.Payload(slot))
	switch deleted := !w.t.IsLive(slot); {
	case !deleted && w.uses.Whole && stored.Count == 0 && found.Count == 0: // no other id can miss it
		return Agrees
	case deleted && found.Count == 0, !deleted && stored.Count == 0:
		return Unsaid
	case deleted:
		return Clashes
	case stored.Count == found.Count && (stored.First == found.First || stored.First == avl.None):
		return Agrees
	case !w.uses.Whole:
		return Unsaid
	}
	return Clashes
}

// behindShift returns the ids of a file that has other records than its header
// announces, from the first one on that may be missing or there twice. The first of
// which the references clash is that, or behind it in a row of ids that have as many.
func (w *witnesses) behindShift() (list []int32) {
	first := int32(0)
	for first < w.t.Count && w.agree(first, first) != Clashes {
		first++
	}
	if w.hasTree && w.faults == 0 && (first == w.t.Count || w.announced > w.t.Count+entityReach) {
		return nil
	}
	for shift := w.t.Count - w.t.Head.Capacity; first > 0; first-- {
		if before := first - 1; w.found(before) != w.found(before-shift) && w.agree(before, before) != Unsaid {
			break
		}
	}
	for id := first; id < w.t.Count; id++ {
		list = append(list, id)
	}
	return list
}

// exchanged returns the ids of two records each that fit in each other's place: both
// witnesses say that they are others', or one does and the other says nothing, or the
// links fit once they are exchanged.
func (w *witnesses) exchanged() (list []int32) {
	var odd, suspects []int32
	for id := range w.t.Count {
		said := w.agree(id, id)
		if said == Clashes {
			odd = append(odd, id)
		}
		if w.links[id] == Clashes && said != Agrees || w.links[id] != Agrees && said == Clashes {
			suspects = append(suspects, id)
		}
	}
	if len(suspects) <= mostSuspects {
		for _, a := range suspects {
			if slices.ContainsFunc(suspects, func(b int32) bool { return a != b && w.fitEachOther(a, b) }) {
				list = append(list, a)
			}
		}
	}
	before := w.faults
	for _, two := range w.pairs(odd) {
		const part = 8 // of the faults that may be left
		if w.followLinks(two)*part <= before {
			list = append(list, two[0], two[1])
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// fitEachOther reports whether references allow that two records are exchanged.
func (w *witnesses) fitEachOther(a, b int32) bool {
	return w.agree(a, b) != Clashes && w.agree(b, a) != Clashes
}

// pairs returns two ids each whose records can be exchanged: those that references
// expect in each other's place, those that the order of the keys shows, a deleted one to
// which a link leads and a live one to which none does, and those that cut a part of the
// tree off.
func (w *witnesses) pairs(odd []int32) (list [][2]int32) {
	const (
		mostWork  = 1 << 25 // records looked at
		mostPairs = 512
		most      = 32 // ids of which there is an order
	)
	add := func(a, b int32) {
		two := [2]int32{min(a, b), max(a, b)}
		if a != b && len(list) < min(mostPairs, mostWork/int(w.t.Count)) && !slices.Contains(list, two) && w.fitEachOther(a, b) {
			list = append(list, two)
		}
	}
	for _, ids := range [][]int32{odd, w.tops} {
		for i, a := range ids[:min(len(ids), most)] {
			for _, b := range ids[i+1 : min(len(ids), most)] {
				add(a, b)
			}
		}
	}
	for _, a := range w.tops[:min(len(w.tops), most)] {
		for _, b := range w.loose[:min(len(w.loose), most)] {
			if !w.t.IsLive(a) {
				add(a, b)
			}
		}
	}
	for _, below := range w.circle() {
		for _, above := range w.path(below) {
			add(above, below)
		}
	}
	return list
}

// circle returns records that are cut off from the tree and lead to each other in a
// circle: one of two that are exchanged is among them if the other was above it.
func (w *witnesses) circle() (list []int32) {
	parents := map[int32]int32{}
	for id, said := range w.links {
		if n := w.t.Tree.Node(int32(id)); said == Unsaid && n.Live() {
			parents[n.Left], parents[n.Right] = int32(id), int32(id)
		}
	}
	delete(parents, avl.None)
	seen := map[int32]int32{} // from which one
	for id := range w.t.Count {
		for at, ok := id, w.links[id] == Unsaid; ok; at, ok = parents[at] {
			from, is := seen[at]
			if !is {
				seen[at] = id
				continue
			}
			for first := at; from == id && !slices.Contains(list, at); at = parents[at] {
				list = append(list, at)
				if parents[at] == first {
					return list
				}
			}
			break
		}
	}
	return list
}

// path returns the ids on the way down from the root to where the key of a record
// belongs.
func (w *witnesses) path(slot int32) (list []int32) {
	for at := w.t.Tree.Root; w.t.IsLive(at) && len(list) <= maxTreeHeight; {
		list = append(list, at)
		if n := w.t.Tree.Node(at); w.t.Compare(slot, at, w.signed) <= 0 {
			at = n.Left
		} else {
			at = n.Right
		}
	}
	return list
}
