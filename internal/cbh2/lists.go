package cbh2

import (
	"encoding/binary"
	"slices"
	"strings"

	"cbkit/internal/wire"
	"cbkit/model"
)

// Role is what an entity is to a record; .2lgd has a list of records for each entity
// in each of its roles.
type Role int

// The roles. The two sides of a game are one.
const (
	RolePlayer Role = iota + 1
	RoleTournament
	RoleSource
	RoleAnnotator // also author
	RoleTeam
	RoleGameTitle
	RoleTextTitle
	RoleAnalysisTitle
	Roles // how many there are, and one
)

// TypeOf are the types of the entities that have a role.
var TypeOf = [Roles]EntityType{RolePlayer: Players, RoleTournament: Tournaments, RoleSource: Sources, RoleAnnotator: Players,
	RoleTeam: Teams, RoleGameTitle: Tags, RoleTextTitle: Tags, RoleAnalysisTitle: Tags}

// References yields the entities of a record that have a role, teams that are none left
// out.
func (r *Record) References(yield func(role Role, id int64) bool) {
	type reference struct {
		role Role
		id   int64
	}
	list := []reference{{RolePlayer, r.White}, {RolePlayer, r.Black}, {RoleTournament, r.Tournament}, {RoleSource, r.Source},
		{RoleAnnotator, r.Annotator}, {RoleTeam, r.WhiteTeam}, {RoleTeam, r.BlackTeam}, {RoleGameTitle, r.Tag}}
	switch r.Kind {
	case TextRecord:
		list = []reference{{RoleTournament, r.Tournament}, {RoleSource, r.Source}, {RoleAnnotator, r.Annotator}, {RoleTextTitle, r.Tag}}
	case AnalysisRecord:
		list = []reference{{RoleSource, r.Source}, {RoleAnnotator, r.Annotator}, {RoleAnalysisTitle, r.Tag}}
	}
	for _, ref := range list {
		if (ref.role != RoleTeam || ref.id != NoID) && !yield(ref.role, ref.id) {
			return
		}
	}
}

// The file .2lgd: i32 256, i32 blocks of lists that are in use, i32 0. Records of
// 512 bytes follow. The first half of record i has the lists of the entities with the
// id i, of any type: in numbers of 64 bits at place r the first of the list of role r,
// at 10+r its last, at 20+r how many it has. The second half is block i of the lists:
// the next block or -1, how many records it has, records.
const (
	ListsHeaderSize = 12
	ListsRecordSize = 512
	// ListBlockAt is where the block is in a record.
	ListBlockAt   = 256
	MostInBlock   = 30
	inlineBit     = 1 << 62
	rangeBit      = 1 << 61
	listsHeadSize = 256
)

// DecodeListsHeader reads the header of .2lgd: how many blocks are in use.
func DecodeListsHeader(b []byte) (blocks int32, err error) {
	c := wire.NewCursor(b)
	head := c.I32LE()
	blocks = c.I32LE()
	if c.Err() == nil && (head != listsHeadSize || blocks < 0) {
		return 0, wrong(0, "header", model.ErrCorrupt, "%d and %d blocks begin no lists", head, blocks)
	}
	return blocks, c.Err()
}

// A List is the records of an entity in a role.
type List struct{ First, Last, Count int64 }

// DecodeLists reads the lists of the entities with an id from the first half of its
// record.
func DecodeLists(b []byte) (lists [Roles]List) {
	at := func(n int) int64 {
		c := wire.NewCursor(b[8*n:])
		return int64(c.U64LE())
	}
	for role := range int(Roles) {
		lists[role] = List{at(role), at(10 + role), at(20 + role)}
	}
	return lists
}

// Records yields the records of a list, which block reads: a number of a block, its
// records and the next one. They end with false where a chain has more blocks than the
// list can have.
func (l List) Records(block func(n int64) (ids []int64, next int64, ok bool), yield func(id int64)) bool {
	switch {
	case l.First == -1:
	case l.First&inlineBit != 0:
		yield(l.First &^ inlineBit)
		if l.Last != -1 {
			yield(l.Last)
		}
	case l.First&rangeBit != 0:
		from, to := l.First&^rangeBit, l.Last&^rangeBit
		if from < 0 || to-from+1 != l.Count {
			return false
		}
		for ; from <= to; from++ {
			yield(from)
		}
	default:
		for n, left := l.First, l.Count; ; {
			ids, next, ok := block(n)
			if left -= int64(len(ids)); !ok || len(ids) == 0 || left < 0 {
				return false
			}
			for _, id := range ids {
				yield(id)
			}
			if next == -1 {
				return n == l.Last
			}
			n = next
		}
	}
	return true
}

// DecodeListBlock reads the second half of a record.
func DecodeListBlock(b []byte) (ids []int64, next int64, ok bool) {
	c := wire.NewCursor(b)
	next = int64(c.U64LE())
	n := int64(c.U64LE())
	if n < 0 || n > MostInBlock {
		return nil, 0, false
	}
	for range n {
		ids = append(ids, int64(c.U64LE()))
	}
	return ids, next, c.Err() == nil
}

// The file .2lcd has pages. The first says (big-endian) 1, the number of pages and their
// size; the second has an entry of 128 bytes for each order: i16 depth, i32 page, i64
// root, i64 nodes, u8 type and 1, u8 3, u8 number, u8 1, and its name. The others are
// nodes, of 40 bytes, and directories of 1024 pages: the orders are balanced trees.
const (
	OrderPageSize = 4096
	orderEntry    = 128
	OrderNodeSize = 40
	nodesOfPage   = 102
	pagesOfPage   = 1024
	maxOrderDepth = 3
)

// Order is an entry of .2lcd: the order of the entities that have a role.
type Order struct {
	Role        Role
	Depth       int16
	Page        int32
	Root, Count int64
}

// DecodeOrders reads the first two pages: the orders whose role is known.
func DecodeOrders(b []byte) (orders []Order, err error) {
	c := wire.NewCursor(b)
	if one, _, size := c.I32BE(), c.I32BE(), c.I32BE(); c.Err() == nil && (one != 1 || size != OrderPageSize) {
		return nil, wrong(0, "header", model.ErrCorrupt, "%d and pages of %d bytes begin no sort orders", one, size)
	}
	c.Skip(OrderPageSize - 12)
	title := RoleGameTitle
	for range OrderPageSize / orderEntry {
		e := wire.NewCursor(c.Bytes(orderEntry))
		o := Order{Depth: int16(e.U16BE()), Page: e.I32BE(), Root: int64(e.U64BE()), Count: int64(e.U64BE())}
		of, _, number := EntityType(e.U8())-1, e.U8(), Role(e.U8())
		e.Skip(1)
		if e.U16BE() == 0 {
			continue
		}
		switch {
		case of == Tags && number == RoleGameTitle && title < Roles: // those of texts and analyses have its number too
			o.Role = title
			title++
		case number < RoleGameTitle && of == TypeOf[number]:
			o.Role = number
		default:
			continue
		}
		if o.Depth < 0 || o.Depth > maxOrderDepth {
			return nil, wrong(OrderPageSize, "depth", model.ErrCorrupt, "%d levels of pages", o.Depth)
		}
		orders = append(orders, o)
	}
	return orders, c.Err()
}

// Node returns where the node of an entity is; -1 where no page has it. The function
// reads a number in the file.
func (o Order) Node(id int64, number func(offset int64) (int32, error)) (offset int64, err error) {
	page, slot := o.Page, id/nodesOfPage
	for level := o.Depth; level > 0; level-- {
		n := slot
		for range level - 1 {
			n /= pagesOfPage
		}
		if page, err = number(int64(page)*OrderPageSize + 4*(n%pagesOfPage)); err != nil || page <= 0 {
			return -1, err
		}
	}
	if o.Depth == 0 && slot > 0 {
		return -1, nil
	}
	return int64(page)*OrderPageSize + OrderNodeSize*(id%nodesOfPage), nil
}

// OrderNode is an entity in an order.
type OrderNode struct {
	Left, Right, Parent int64
	Key                 uint64
	Balance             int16
	Slot                int32
}

// DecodeOrderNode reads a node.
func DecodeOrderNode(b []byte) (n OrderNode, err error) {
	c := wire.NewCursor(b)
	n.Left, n.Right, n.Parent, n.Key = int64(c.U64LE()), int64(c.U64LE()), int64(c.U64LE()), c.U64LE()
	n.Balance = c.I16LE()
	c.Skip(2)
	n.Slot = c.I32LE()
	return n, c.Err()
}

// OrderKey returns the key by which names are compared first: what stands before a text,
// and its first characters in lower case, eight bytes in all; 0 where one of those that
// are looked at is not allowed. Blank says that they may be blanks, and all that they may
// be anything of ASCII.
func OrderKey(before []byte, text string, blank, all bool) (key uint64) {
	b := slices.Clone(before)
	n := 0
	for _, r := range strings.ToLower(text) {
		if n++; n > 8-len(before) && (len(before) != 1 || n > 8) {
			break
		}
		if r > 0x7e || r < 0x20 || !all && (r < 'a' || r > 'z') && (r < '0' || r > '9') && (r != ' ' || !blank) {
			return 0
		}
		b = append(b, byte(r))
	}
	return binary.BigEndian.Uint64(wire.AppendZeros(b, 8))
}
