package cbhdb

import (
	"fmt"
	"slices"

	"cbkit/avl"
	"cbkit/internal/cbh"
)

// EntityRow says how the records of an entity file stand to their ids. The numbers
// of its Row are ids plus one.
type EntityRow struct {
	Row
	// Count is how many ids there are.
	Count int
	// Uncertain are the ids, in order, whose records do not fit and of which nothing
	// proves where their own are: those that stand there are perhaps others'.
	Uncertain []int32
}

// Slot returns the place, from 0, of the record of an id; avl.None if it is missing.
func (r *EntityRow) Slot(id int32) int32 { return int32(r.Row.Slot(int(id)+1)) - 1 }

// IsUncertain reports whether the record of an id is perhaps another's.
func (r *EntityRow) IsUncertain(id int32) bool {
	_, is := slices.BinarySearch(r.Uncertain, id)
	return is
}

// Words say what is out of step in a file with an ending.
func (r *EntityRow) Words(ext string) (list []string) {
	for _, n := range r.Gaps {
		list = append(list, fmt.Sprintf("the %s file lacks record %d: those behind it stand one place too far to the front", ext, n-1))
	}
	for _, at := range r.Repeated {
		list = append(list, fmt.Sprintf("the %s file has record %d twice: those behind it stand one place too far to the back", ext, r.Number(at)-1))
	}
	if s := r.Swapped; s != [2]int{} {
		list = append(list, fmt.Sprintf("records %d and %d of the %s file stand in each other's place", s[0]-1, s[1]-1, ext))
	}
	if n := len(r.Uncertain); n > 0 {
		list = append(list, fmt.Sprintf("nothing proves whose records stand at %d ids of the %s file, from %d on", n, ext, r.Uncertain[0]))
	}
	return list
}

// How far an explanation is looked for: so many records in a row can be missing or
// too many, so many explanations are compared.
const (
	entityReach = 4
	mostShifts  = 64
	mostSwaps   = 512
)

// FindRow finds out how the records stand to their ids. The witnesses are the links,
// which name ids and follow the order of the keys, and the references that each
// record counts. A record that is missing or there twice, or two that are exchanged,
// is believed if that explains what does not fit, and nothing else does as well.
// Uses are asked for where the links are not enough.
func (t *Table) FindRow(uses func() (Uses, error)) (EntityRow, error) {
	s := &settler{t: t, n: int(t.Count), signed: t.Kind.DefaultSigned}
	straight := EntityRow{Count: t.IDs()}
	s.hasTree = t.hasTree()
	for range 2 {
		if s.hasTree && s.judge(&straight).tree == 0 {
			return straight, nil
		}
		s.signed = !s.signed
	}
	var err error
	if s.uses, err = uses(); err != nil {
		return straight, err
	}
	usual, faults := s.find(straight)
	if faults == 0 {
		return usual, nil
	}
	s.signed = !s.signed
	if other, n := s.find(straight); n < faults {
		return other, nil
	}
	return usual, nil
}

// settler is one run of [Table.FindRow].
type settler struct {
	t      *Table
	uses   Uses
	signed bool
	n      int // records
	// hasTree is whether links are a witness: programs leave them out.
	hasTree bool
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

// find returns the best explanation, and how much speaks against it.
func (s *settler) find(straight EntityRow) (EntityRow, int) {
	before := s.judge(&straight)
	delta, most := s.n-int(s.t.Head.Capacity), mostSwaps
	var tries []EntityRow
	switch {
	case delta == 0:
		tries = s.swaps(before)
	case delta <= entityReach && delta >= -entityReach:
		tries, most = s.shifts(delta), mostShifts
	}
	const mostWork = 1 << 25 // records looked at
	most = min(most, max(mostWork/max(s.n, 1), entityReach))
	if len(tries) >= most {
		tries = nil // there is no order in it
	}
	var best []EntityRow
	least := before
	for i := range tries {
		after := s.judge(&tries[i])
		if explains := after.explains(before) || before.faults() == 0; !explains || after.faults() > least.faults() {
			continue
		}
		if after.faults() < least.faults() {
			least, best = after, nil
		}
		best = append(best, tries[i])
	}
	switch {
	case len(best) == 0:
		straight.Uncertain = before.uncertain()
		return straight, before.faults()
	case len(best) == 1:
		best[0].Uncertain = least.uncertain()
		return best[0], least.faults()
	case delta == 0: // one of them is the damage
		for _, row := range best {
			straight.Uncertain = append(straight.Uncertain, int32(row.Swapped[0]-1), int32(row.Swapped[1]-1))
		}
		slices.Sort(straight.Uncertain)
		straight.Uncertain = slices.Compact(straight.Uncertain)
		return straight, before.faults()
	}
	// Somewhere between the first and the last of them is the damage.
	first, row := &best[0], best[len(best)-1]
	for id := range int32(row.Count) {
		if slot := s.place(&row, id); slot != avl.None && slot != s.place(first, id) {
			row.Uncertain = append(row.Uncertain, id)
		}
	}
	return row, least.faults()
}

// node is what the links say of an id.
type node uint8

const (
	unmet   node = iota // they do not lead there
	fitting             // they do, and its record belongs there
	foreign             // they do, and its record belongs elsewhere
)

// judgement is what the witnesses say of one explanation.
type judgement struct {
	tree, uses int // how often they speak against it
	nodes      []node
	said       []Agreement // by uses
	tops       []int32     // foreign ids
	holes      []hole      // places in the tree whose records are missing
	order      []int32     // ids that links of the tree lead to, children behind their parents
}

// hole is a place in the tree whose record is missing.
type hole struct {
	visit
	below []int32 // ids that no link leads to, and which fit there
}

// faults is how much speaks against it.
func (j *judgement) faults() int { return j.tree + j.uses }

// explains reports whether what does not fit otherwise fits then: to one witness at
// least seven in eight, and to the other hardly less than before.
func (j *judgement) explains(before *judgement) bool {
	const part = 8
	fits := func(after, before int) bool { return after < before && after*part <= before }
	stays := func(after, before int) bool { return after <= before+before/part }
	return fits(j.tree, before.tree) && stays(j.uses, before.uses) || fits(j.uses, before.uses) && stays(j.tree, before.tree)
}

// uncertain returns the ids of which both witnesses say that the records are others',
// or one does and the other says nothing.
func (j *judgement) uncertain() (list []int32) {
	for id, n := range j.nodes {
		if n == foreign && j.said[id] != Agrees || n != fitting && j.said[id] == Clashes {
			list = append(list, int32(id))
		}
	}
	return list
}

// bounds are the places of the records between which a key must lie; avl.None is no
// bound.
type bounds struct{ above, below int32 }

// visit is an id that links lead to.
type visit struct {
	id int32
	bounds
}

// judge asks the witnesses.
func (s *settler) judge(row *EntityRow) *judgement {
	j := &judgement{nodes: make([]node, row.Count), said: make([]Agreement, row.Count)}
	live, missing := 0, 0
	linked := make([]bool, row.Count) // by a record that is in use
	for id := range int32(row.Count) {
		slot := s.place(row, id)
		if slot == avl.None {
			missing++
			continue
		}
		if j.said[id] = s.agree(slot, id); j.said[id] == Clashes {
			j.uses++
		}
		if !s.t.IsLive(slot) {
			continue
		}
		n := s.t.Tree.Node(slot)
		live++
		for _, child := range [...]int32{n.Left, n.Right} {
			if child >= 0 && int(child) < row.Count {
				linked[child] = true
			}
		}
	}
	if !s.hasTree {
		return j
	}
	none := bounds{avl.None, avl.None}
	if live > 0 {
		s.descend(j, row, visit{s.t.Tree.Root, none})
	}
	s.freeList(j, row)
	// What hung below missing records hangs nowhere now.
	for id := range int32(row.Count) {
		slot := s.place(row, id)
		if len(j.holes) == 0 || !s.t.IsLive(slot) || j.nodes[id] != unmet || linked[id] {
			continue
		}
		i := slices.IndexFunc(j.holes, func(h hole) bool { return len(h.below) < 2*missing && s.within(slot, h.bounds) })
		if i >= 0 {
			j.holes[i].below = append(j.holes[i].below, id)
			s.descend(j, row, visit{id, j.holes[i].bounds})
		}
	}
	s.balance(j, row)
	expected := missing == 0 // by links, of missing records
	for id, n := range j.nodes {
		switch isMissing := s.place(row, int32(id)) == avl.None; {
		case isMissing:
			expected = expected || n == fitting
		case n == unmet:
			j.tree++
		}
	}
	if !expected {
		j.tree++
	}
	return j
}

// place returns where the record of an id stands, avl.None if it is missing.
func (s *settler) place(row *EntityRow, id int32) int32 {
	if slot := row.Slot(id); int(slot) < s.n {
		return slot
	}
	return avl.None
}

// within reports whether a record is where its key belongs.
func (s *settler) within(slot int32, b bounds) bool {
	return (b.above == avl.None || s.t.Compare(b.above, slot, s.signed) <= 0) &&
		(b.below == avl.None || s.t.Compare(slot, b.below, s.signed) <= 0)
}

// descend follows the links of the tree from an id down.
func (s *settler) descend(j *judgement, row *EntityRow, from visit) {
	for stack := []visit{from}; len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v.id < 0 || int(v.id) >= row.Count || j.nodes[v.id] != unmet {
			j.tree++
			continue
		}
		slot := s.place(row, v.id)
		if slot == avl.None {
			j.nodes[v.id] = fitting
			j.holes, j.order = append(j.holes, hole{visit: v}), append(j.order, v.id)
			continue
		}
		n := s.t.Tree.Node(slot)
		j.nodes[v.id], j.order = fitting, append(j.order, v.id)
		if !n.Live() || !s.within(slot, v.bounds) {
			j.foreign(v.id)
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

// balance compares the balances with the heights.
func (s *settler) balance(j *judgement, row *EntityRow) {
	heights := make([]int32, row.Count)
	height := func(id int32) int32 {
		if id < 0 || int(id) >= row.Count {
			return 0
		}
		return heights[id]
	}
	for _, id := range slices.Backward(j.order) {
		left, right, stored := int32(0), int32(0), int32(0)
		if slot := s.place(row, id); slot != avl.None {
			n := s.t.Tree.Node(slot)
			left, right, stored = height(n.Left), height(n.Right), int32(n.Balance)
			if !n.Live() {
				continue
			}
		} else {
			i := slices.IndexFunc(j.holes, func(h hole) bool { return h.id == id })
			for _, below := range j.holes[i].below {
				if h := height(below); h > left {
					left, right = h, left
				} else {
					right = max(right, h)
				}
			}
			stored = max(right-left, -1)
		}
		if heights[id] = 1 + max(left, right); right-left != stored {
			j.tree++
		}
	}
}

func (j *judgement) foreign(id int32) {
	j.nodes[id] = foreign
	j.tops = append(j.tops, id)
	j.tree++
}

// freeList follows the list of deleted records. Where one is missing it goes on with
// those that no other leads to.
func (s *settler) freeList(j *judgement, row *EntityRow) {
	led, deleted := map[int32]bool{}, []int32{}
	for id := range int32(row.Count) {
		if slot := s.place(row, id); slot != avl.None && !s.t.IsLive(slot) {
			deleted = append(deleted, id)
			led[s.t.Tree.Node(slot).Right] = true
		}
	}
	follow := func(id int32) (toHole bool) {
		for id != avl.None {
			if id < 0 || int(id) >= row.Count || j.nodes[id] != unmet {
				j.tree++
				return false
			}
			slot := s.place(row, id)
			switch {
			case slot == avl.None:
				j.nodes[id] = fitting
				return true
			case s.t.IsLive(slot):
				j.foreign(id)
				return false
			}
			j.nodes[id] = fitting
			id = s.t.Tree.Node(slot).Right
		}
		return false
	}
	if !follow(s.t.Tree.Free) {
		return
	}
	more := entityReach
	for _, id := range deleted {
		if more > 0 && !led[id] && j.nodes[id] == unmet {
			follow(id)
			more--
		}
	}
}

// agree reports what the references of an id say of the record at a place.
func (s *settler) agree(slot, id int32) Agreement {
	var found cbh.EntityUse
	if int(id) < len(s.uses.Found) {
		found = s.uses.Found[id]
	}
	stored := cbh.DecodeEntityUse(s.t.Payload(slot))
	switch deleted := !s.t.IsLive(slot); {
	case !deleted && s.uses.Whole && stored.Count == 0 && found.Count == 0: // no other id can miss it
		return Agrees
	case deleted && found.Count == 0, !deleted && stored.Count == 0:
		return Unsaid
	case deleted:
		return Clashes
	case stored.Count == found.Count && (stored.First == found.First || stored.First == avl.None):
		return Agrees
	case !s.uses.Whole:
		return Unsaid
	}
	return Clashes
}

// shifts returns the rows with so many records too many, or too few if delta is
// negative, against which the least speaks if links are judged one by one; none if
// there are too many.
func (s *settler) shifts(delta int) (rows []EntityRow) {
	count, gap := s.n-delta, max(-delta, 0)
	// What speaks against the record at the number of an id, and against the one at
	// the place where the id has moved to.
	own, moved := make([]int, count), make([]int, count)
	judge := func(id int32, clashes func(slot int32) bool) {
		if id < 0 || int(id) >= count {
			return
		}
		if int(id) >= s.n || clashes(id) {
			own[id]++
		}
		if to := id + int32(delta); to < 0 || int(to) >= s.n || clashes(to) {
			moved[id]++
		}
	}
	tree := &s.t.Tree
	isDead := func(slot int32) bool { return !s.t.IsLive(slot) }
	isLive := func(slot int32) bool { return s.t.IsLive(slot) }
	judge(tree.Root, isDead)
	judge(tree.Free, isLive)
	for from := range int32(s.n) {
		n := tree.Node(from)
		if !n.Live() {
			judge(n.Right, isLive)
			continue
		}
		judge(n.Left, func(slot int32) bool { return isDead(slot) || s.t.Compare(slot, from, s.signed) > 0 })
		judge(n.Right, func(slot int32) bool { return isDead(slot) || s.t.Compare(from, slot, s.signed) > 0 })
	}
	for id := range int32(count) {
		judge(id, func(slot int32) bool { return s.agree(slot, id) == Clashes })
	}
	sum := 0
	for _, n := range moved[min(gap, count):] {
		sum += n
	}
	least := sum + 1
	for at := 0; at+gap <= count; at++ {
		if at > 0 {
			sum += own[at-1] - moved[at-1+gap]
		}
		if delta > 0 && !s.repeats(at, delta) || sum > least {
			continue
		}
		if sum < least {
			least, rows = sum, rows[:0]
		}
		row := EntityRow{Count: count}
		for k := range max(delta, gap) {
			if delta > 0 {
				row.Repeated = append(row.Repeated, at+k+1)
			} else {
				row.Gaps = append(row.Gaps, at+k+1)
			}
		}
		rows = append(rows, row)
	}
	if len(rows) > mostShifts {
		return nil
	}
	return rows
}

// repeats reports whether so many records from a place on are those before them.
func (s *settler) repeats(at, records int) bool {
	size := s.t.Kind.RecordSize()
	at *= size
	n := records * size
	return at >= n && at+n <= len(s.t.Records) && string(s.t.Records[at-n:at]) == string(s.t.Records[at:at+n])
}

// swaps returns pairs of records that can be exchanged: those that references expect
// in each other's place, those that the order of the keys shows, and those that cut
// a part of the tree off.
func (s *settler) swaps(before *judgement) (rows []EntityRow) {
	known := map[[2]int]bool{}
	add := func(a, b int32) {
		two := [2]int{int(min(a, b)) + 1, int(max(a, b)) + 1}
		if a == b || known[two] || len(rows) >= mostSwaps || s.agree(a, b) == Clashes || s.agree(b, a) == Clashes {
			return
		}
		known[two] = true
		rows = append(rows, EntityRow{Row: Row{Swapped: two}, Count: s.n})
	}
	var odd []int32
	for id, said := range before.said {
		if said == Clashes {
			odd = append(odd, int32(id))
		}
	}
	const most = 32
	for _, list := range [][]int32{odd, before.tops} {
		if len(list) > most {
			continue
		}
		for i, a := range list {
			for _, b := range list[i+1:] {
				add(a, b)
			}
		}
	}
	for _, below := range s.loop(before) {
		for _, above := range s.path(below) {
			add(above, below)
		}
	}
	return rows
}

// loop returns records that are cut off from the tree and lead to each other in a
// circle: one of two that are exchanged is among them if the other was above it.
func (s *settler) loop(j *judgement) (list []int32) {
	parents := map[int32]int32{}
	for id, met := range j.nodes {
		n := s.t.Tree.Node(int32(id))
		if met != unmet || !n.Live() {
			continue
		}
		parents[n.Left], parents[n.Right] = int32(id), int32(id)
	}
	seen := map[int32]int32{} // from which one
	for id := range int32(len(j.nodes)) {
		at, ok := id, j.nodes[id] == unmet
		for ; ok; at, ok = parents[at] {
			if from, is := seen[at]; is {
				ok = from == id
				break
			}
			seen[at] = id
		}
		for first := at; ok && len(list) < mostSwaps; {
			list = append(list, at)
			if at = parents[at]; at == first {
				return list
			}
		}
	}
	return nil
}

// path returns the ids on the way down from the root to where the key of a record
// belongs.
func (s *settler) path(slot int32) (list []int32) {
	const highest = 64
	for at := s.t.Tree.Root; s.t.IsLive(at) && len(list) < highest; {
		list = append(list, at)
		if n := s.t.Tree.Node(at); s.t.Compare(slot, at, s.signed) <= 0 {
			at = n.Left
		} else {
			at = n.Right
		}
	}
	return list
}
