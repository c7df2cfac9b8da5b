package avl

import (
	"errors"
	"strings"
	"testing"
)

// deletions are the cases of a rotation after a deletion. The record of the
// first letter named goes; trees are printed as by shape.
var deletions = []struct {
	name     string
	insert   string // one record per letter, in this order
	before   string
	delete   string
	after    string
	balances string // of the records of after, in order of their keys
	mirror   bool   // the mirror image holds too: no successor involved
}{
	{"leaf, no rotation", "bac", "b(a c)", "a", "b(- c)", "+0", true},
	{"only child", "bacd", "b(a c(- d))", "c", "b(a d)", "000", true},
	{"single, z deeper", "bacd", "b(a c(- d))", "a", "c(b d)", "000", true},
	{"single, z even", "badce", "b(a d(c e))", "a", "d(b(- c) e)", "+0-0", true},
	{"double, y even", "badc", "b(a d(c -))", "a", "c(b d)", "000", true},
	{"double, y deeper left", "cbgaehd", "c(b(a -) g(e(d -) h))", "a", "e(c(b d) g(- h))", "0000+0", true},
	{"double, y deeper right", "cbgaehf", "c(b(a -) g(e(- f) h))", "a", "e(c(b -) g(f h))", "0-0000", true},
	{"two rotations", "ebhacfjdgikl", "e(b(a c(- d)) h(f(- g) j(i k(- l))))", "a",
		"h(e(c(b d) f(- g)) j(i k(- l)))", "0000+00" + "0++0", true},
	{"two children, successor is the child", "bac", "b(a c)", "b", "c(a -)", "0-", false},
	{"two children, rotation at the successor", "cbda", "c(b(a -) d)", "c", "b(a d)", "000", false},
	{"two children, rotation above the successor", "dbgacfhi", "d(b(a c) g(f h(- i)))", "d",
		"f(b(a c) h(g i))", "0000" + "000", false},
	{"two children, successor with a child", "dbgacfhe", "d(b(a c) g(f(e -) h))", "d",
		"e(b(a c) g(f h))", "0000" + "000", false},
	{"two children, successor's child moves up", "cbfadge", "c(b(a -) f(d(- e) g))", "c",
		"d(b(a -) f(e g))", "0-000" + "0", false},
}

func TestDeleteRotates(t *testing.T) {
	for _, c := range deletions {
		t.Run(c.name, func(t *testing.T) {
			testDeletion(t, c.insert, c.before, c.delete, c.after, c.balances)
		})
		if c.mirror {
			t.Run(c.name+", mirrored", func(t *testing.T) {
				testDeletion(t, mirror(c.insert), mirrorShape(c.before), mirror(c.delete),
					mirrorShape(c.after), mirrorBalances(c.balances))
			})
		}
	}
}

func testDeletion(t *testing.T, insert, before, gone, after, balances string) {
	k := letters(t, insert)
	if got := k.shape(k.Root); got != before {
		t.Fatalf("before: %s, want %s", got, before)
	}
	id, ok := k.Find(k.find(gone))
	if !ok {
		t.Fatalf("no %s", gone)
	}
	k.remove(t, id)
	if got := k.shape(k.Root); got != after {
		t.Errorf("after: %s, want %s", got, after)
	}
	var got strings.Builder
	for id := range k.All() {
		got.WriteByte("-0+"[k.Nodes[id].Balance+1])
	}
	if got.String() != balances {
		t.Errorf("balances %s, want %s", got.String(), balances)
	}
	mustBeSound(t, k.Tree, k.order)
}

// mirror exchanges a and z, b and y, and so on.
func mirror(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return 'a' + 'z' - r
		}
		return r
	}, s)
}

// mirrorShape exchanges left and right as well: the shape read backwards with
// each key put before its children again.
func mirrorShape(s string) string {
	out, _ := mirrorNode(s)
	return out
}

func mirrorNode(s string) (out, rest string) {
	key, rest := mirror(s[:1]), s[1:]
	if !strings.HasPrefix(rest, "(") {
		return key, rest
	}
	l, rest := mirrorNode(rest[1:])
	r, rest := mirrorNode(rest[1:])
	return key + "(" + r + " " + l + ")", rest[1:]
}

func mirrorBalances(s string) string {
	var b strings.Builder
	for i := len(s) - 1; i >= 0; i-- {
		b.WriteByte(map[byte]byte{'-': '+', '0': '0', '+': '-'}[s[i]])
	}
	return b.String()
}

// Every order of insertion of six records, and from each tree every deletion.
func TestAllSmallTrees(t *testing.T) {
	for _, alphabet := range []string{"abcdef", "aabbcc", "aaaabb", "aaaaaa"} {
		permute([]byte(alphabet), 0, func(order string) {
			for gone := range int32(len(order)) {
				k := letters(t, order)
				mustBeSound(t, k.Tree, k.order)
				k.remove(t, gone)
				mustBeSound(t, k.Tree, k.order)
				if t.Failed() {
					t.Fatalf("inserted %s, removed %d", order, gone)
				}
			}
		})
	}
}

func permute(s []byte, i int, visit func(string)) {
	if i == len(s) {
		visit(string(s))
		return
	}
	for j := i; j < len(s); j++ {
		s[i], s[j] = s[j], s[i]
		permute(s, i+1, visit)
		s[i], s[j] = s[j], s[i]
	}
}

func TestDeleteAmongEqualKeys(t *testing.T) {
	const n = 100
	for gone := range int32(n) {
		k := letters(t, "az"+strings.Repeat("m", n-4)+"bc")
		k.remove(t, gone)
		mustBeSound(t, k.Tree, k.order)
		for id := range k.All() {
			if id == gone {
				t.Fatalf("record %d is still in the tree", gone)
			}
		}
		if k.Free != gone || k.Live != n-1 {
			t.Fatalf("first deleted %d, %d live; want %d, %d", k.Free, k.Live, gone, n-1)
		}
	}
}

func TestDeleteNotFound(t *testing.T) {
	k := letters(t, "bac")
	k.remove(t, 2)
	before := k.Clone()
	for _, c := range []struct {
		name string
		id   int32
		key  string
	}{
		{"deleted", 2, "c"}, {"beyond", 3, "b"}, {"negative", None, "b"},
		{"another key", 1, "b"}, {"key before all", 0, "A"}, {"key after all", 1, "z"},
	} {
		if err := k.Remove(c.id, k.find(c.key)); !errors.Is(err, errNotFound) {
			t.Errorf("%s: error %v, want errNotFound", c.name, err)
		}
	}
	if !sameTree(before, k.Tree) {
		t.Error("the tree changed")
	}
}

func TestDeleteLast(t *testing.T) {
	k := letters(t, "ab")
	k.remove(t, 0)
	k.remove(t, 1)
	want := &Tree{Nodes: []Node{{Deleted, None, 0}, {Deleted, 0, 0}}, Root: 0, Free: 1}
	if !sameTree(k.Tree, want) {
		t.Errorf("%+v, want %+v", k.Tree, want)
	}
	mustBeSound(t, k.Tree, k.order)
	if id := k.add(t, "c"); id != 1 || k.Root != 1 || k.Free != 0 {
		t.Errorf("next id %d, root %d, first deleted %d; want 1, 1, 0", id, k.Root, k.Free)
	}
}
