package avl

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
)

// The vectors of docs/formats/cbh-entities.md 8 replay the history of a database that
// ChessBase wrote. A state lists the nodes that differ from the state before.

type name struct{ last, first string }

func comparePlayers(a, b name) int {
	return cmp.Or(strings.Compare(a.last, b.last), strings.Compare(a.first, b.first))
}

type tournament struct {
	year         int
	title, place string
}

func compareTournaments(a, b tournament) int {
	return cmp.Or(cmp.Compare(b.year, a.year), strings.Compare(a.title, b.title), strings.Compare(a.place, b.place))
}

type team struct {
	title                string
	number, season, year int
	nation               int
}

func compareTeams(a, b team) int {
	return cmp.Or(
		strings.Compare(a.title, b.title), cmp.Compare(a.number, b.number), cmp.Compare(b.season, a.season),
		cmp.Compare(a.year, b.year), cmp.Compare(a.nation, b.nation))
}

// replay is a keyed tree checked against the printed states.
type replay[K any] struct {
	keyed[K]
	t    *testing.T
	want map[int32]string
}

func newReplay[K any](t *testing.T, compare func(a, b K) int) *replay[K] {
	return &replay[K]{keyed[K]{Tree: New(), compare: compare}, t, map[int32]string{}}
}

// inserts adds a key and expects the id it got in the real file.
func (r *replay[K]) inserts(id int32, key K) {
	r.t.Helper()
	if got := r.add(r.t, key); got != id {
		r.t.Fatalf("%v got id %d, want %d", key, got, id)
	}
	mustBeSound(r.t, r.Tree, r.order)
}

func (r *replay[K]) deletes(id int32) {
	r.t.Helper()
	r.remove(r.t, id)
	delete(r.want, id)
	mustBeSound(r.t, r.Tree, r.order)
}

var printedNode = regexp.MustCompile(`(\d+)\([^)]*\)`)

// state compares root, head of the deleted records and all live nodes.
func (r *replay[K]) state(root, free int32, nodes string) {
	r.t.Helper()
	for _, m := range printedNode.FindAllStringSubmatch(nodes, -1) {
		id := must.Get(strconv.Atoi(m[1]))(r.t)
		r.want[int32(id)] = m[0]
	}
	if r.Root != root || r.Free != free {
		r.t.Errorf("root %d, first deleted %d; want %d, %d", r.Root, r.Free, root, free)
	}
	if int(r.Live) != len(r.want) {
		r.t.Errorf("%d live records, want %d", r.Live, len(r.want))
	}
	for id, want := range r.want {
		if got := links(r.Tree, id); got != want {
			r.t.Errorf("node %s, want %s", got, want)
		}
	}
}

func TestVectorPlayers(t *testing.T) {
	r := newReplay(t, comparePlayers)
	for id, key := range []name{
		{"Simple game", ""}, {"", ""}, {"M\xE5rdell", "Jimmy"}, {"Doe", "John"}, {"Simple annotations", ""},
		{"Dummy", ""}, {"Special moves", ""}, {"Variations", ""}, {"Setup", ""},
	} {
		r.inserts(int32(id), key)
	}
	r.state(2, None, "0(4,6,0) 1(-,-,0) 2(3,0,1) 3(1,5,0) 4(8,-,-1) 5(-,-,0) 6(-,7,1) 7(-,-,0) 8(-,-,0)")

	r.inserts(9, name{"", ""})
	r.inserts(10, name{"Comments in variations", ""})
	r.deletes(9)
	r.state(2, 9, "1(-,10,1) 2(3,0,0) 3(1,5,-1) 10(-,-,0)")

	r.inserts(9, name{"New game", ""})
	r.state(2, None, "0(8,6,0) 4(-,-,0) 8(9,4,0) 9(-,-,0)")

	r.inserts(11, name{"Colored squares and arrows", ""})
	r.state(2, None, "1(-,-,0) 3(11,5,-1) 11(1,10,0)")

	r.inserts(12, name{"Position uniquness test", ""})
	r.inserts(13, name{"Position uniqeness test", ""})
	r.deletes(12)
	r.state(2, 12, "0(8,6,-1) 2(3,0,1) 8(13,4,-1) 13(9,-,-1)")

	r.inserts(12, name{"Critical positions", ""})
	r.state(2, None, "2(10,0,1) 3(12,5,0) 10(11,3,0) 11(1,-,-1) 12(-,-,0)")

	r.inserts(14, name{"Many identical pieces", ""})
	r.state(2, None, "2(10,0,0) 3(12,5,1) 5(-,14,1) 10(11,3,1) 14(-,-,0)")

	r.inserts(15, name{"More identical pieces", ""})
	r.inserts(16, name{"Pawn promotions", ""})
	r.inserts(17, name{"Black starts with ep", ""})
	r.want = map[int32]string{}
	r.state(2, None, `0(8,6,-1) 1(-,-,0) 2(10,0,0) 3(12,14,1) 4(-,-,0) 5(-,-,0) 6(-,7,1) 7(-,-,0) 8(16,4,-1)
		9(-,-,0) 10(17,3,1) 11(-,-,0) 12(-,-,0) 13(-,-,0) 14(5,15,0) 15(-,-,0) 16(9,13,0) 17(1,11,0)`)
}

func TestVectorTournaments(t *testing.T) {
	r := newReplay(t, compareTournaments)
	r.inserts(0, tournament{})
	r.inserts(1, tournament{2016, "Swedish Ch", ""})
	r.inserts(2, tournament{2016, "Swedish Ch", "Stockholm"})
	r.deletes(1)
	r.state(2, 1, "0(-,-,0) 2(-,0,1)")
}

func TestVectorTeams(t *testing.T) {
	r := newReplay(t, compareTeams)
	r.inserts(0, team{"SK Rockaden Ume\xE5", 0, 0, 2016, 0})
	r.inserts(1, team{"Test Team", 0, 0, 2016, 0})
	r.inserts(2, team{"SK Rockaden Ume\xE5", 2, 1, 2016, 134})
	r.deletes(0)
	r.state(2, 0, "1(-,-,0) 2(-,1,1)")
}
