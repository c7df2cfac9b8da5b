package avl

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"cbkit/internal/testkit/must"
)

// sample is the tree d(b(a c) f(e g)), ids 0 to 6 in the order d b f a c e g,
// with 7 and 8 deleted: 8 first, then 7.
func sample(tb tester) *keyed[string] {
	tb.Helper()
	k := letters(tb, "dbfacegyz")
	k.remove(tb, 7)
	k.remove(tb, 8)
	if got := k.shape(k.Root); got != "d(b(a c) f(e g))" {
		tb.Fatalf("sample is %s", got)
	}
	return k
}

func TestVerifyFaults(t *testing.T) {
	for _, c := range []struct {
		name    string
		corrupt func(*keyed[string])
		want    []Finding
	}{
		{"sound", func(*keyed[string]) {}, nil},
		{"root beyond", func(k *keyed[string]) { k.Root = 9 },
			[]Finding{{BadRoot, None, fieldRoot, 9, 0}}},
		{"no root", func(k *keyed[string]) { k.Root = None },
			[]Finding{{BadRoot, None, fieldRoot, None, 0}}},
		{"root deleted", func(k *keyed[string]) { k.Root = 7 },
			[]Finding{{BadRoot, None, fieldRoot, 7, 0}}},
		{"root too low", func(k *keyed[string]) { k.Root = 1 }, []Finding{
			{Unreachable, 0, fieldLive, 0, 0}, {Unreachable, 2, fieldLive, 0, 0},
			{Unreachable, 5, fieldLive, 0, 0}, {Unreachable, 6, fieldLive, 0, 0}}},
		{"link beyond", func(k *keyed[string]) { k.Nodes[3].Left = 9 },
			[]Finding{{BadLink, 3, fieldLeft, 9, 0}}},
		{"link negative", func(k *keyed[string]) { k.Nodes[3].Right = -2 },
			[]Finding{{BadLink, 3, fieldRight, -2, 0}}},
		{"link right -999", func(k *keyed[string]) { k.Nodes[3].Right = Deleted },
			[]Finding{{BadLink, 3, fieldRight, Deleted, 0}}},
		{"link to deleted", func(k *keyed[string]) { k.Nodes[6].Right = 7 },
			[]Finding{{DeadLink, 6, fieldRight, 7, 0}}},
		{"cycle to the root", func(k *keyed[string]) { k.Nodes[6].Right = 0 },
			[]Finding{{Cycle, 6, fieldRight, 0, 0}}},
		{"cycle to itself", func(k *keyed[string]) { k.Nodes[3].Left = 3 },
			[]Finding{{Cycle, 3, fieldLeft, 3, 0}}},
		{"two parents", func(k *keyed[string]) { k.Nodes[6].Right = 3 },
			[]Finding{{TwoParents, 6, fieldRight, 3, 0}}},
		{"child lost", func(k *keyed[string]) { k.Nodes[1].Left = None }, []Finding{
			{WrongBalance, 1, fieldBalance, 0, 1}, {Unreachable, 3, fieldLive, 0, 0}}},
		{"subtree lost", func(k *keyed[string]) { k.Nodes[0].Right = None }, []Finding{
			{WrongBalance, 0, fieldBalance, 0, -2}, {Unbalanced, 0, fieldBalance, -2, 0},
			{Unreachable, 2, fieldLive, 0, 0}, {Unreachable, 5, fieldLive, 0, 0}, {Unreachable, 6, fieldLive, 0, 0}}},
		{"balance", func(k *keyed[string]) { k.Nodes[2].Balance = 1 },
			[]Finding{{WrongBalance, 2, fieldBalance, 1, 0}}},
		{"unbalanced and honest", func(k *keyed[string]) {
			k.Nodes[0].Left, k.Nodes[0].Balance = None, 2
			k.Root, k.Live = 0, 4
			for _, id := range []int32{1, 3, 4} {
				k.Nodes[id] = Node{Deleted, k.Free, 0}
				k.Free = id
			}
		}, []Finding{{Unbalanced, 0, fieldBalance, 2, 0}}},
		{"order", func(k *keyed[string]) { k.keys[3] = "bb" },
			[]Finding{{Disorder, 1, fieldKey, 3, 0}}},
		{"order across subtrees", func(k *keyed[string]) { k.keys[4] = "dd" },
			[]Finding{{Disorder, 0, fieldKey, 4, 0}}},
		{"equal keys", func(k *keyed[string]) { k.keys[4] = "d" }, nil},
		{"live count", func(k *keyed[string]) { k.Live = 6 },
			[]Finding{{WrongLive, None, fieldLive, 6, 7}}},
		{"live count 0", func(k *keyed[string]) { k.Live = 0 },
			[]Finding{{WrongLive, None, fieldLive, 0, 7}}},
		{"free list beyond", func(k *keyed[string]) { k.Free = 9 }, []Finding{
			{FreeBadLink, None, fieldFree, 9, 0},
			{FreeMissing, 7, fieldLeft, 0, 0}, {FreeMissing, 8, fieldLeft, 0, 0}}},
		{"free list ends beyond", func(k *keyed[string]) { k.Nodes[7].Right = -5 },
			[]Finding{{FreeBadLink, 7, fieldRight, -5, 0}}},
		{"free list to live", func(k *keyed[string]) { k.Nodes[7].Right = 4 },
			[]Finding{{FreeNotDeleted, 7, fieldRight, 4, 0}}},
		{"free list loop", func(k *keyed[string]) { k.Nodes[7].Right = 8 },
			[]Finding{{FreeLoop, 7, fieldRight, 8, 0}}},
		{"free list to itself", func(k *keyed[string]) { k.Nodes[7].Right = 7 },
			[]Finding{{FreeLoop, 7, fieldRight, 7, 0}}},
		{"free list short", func(k *keyed[string]) { k.Free = 7 },
			[]Finding{{FreeMissing, 8, fieldLeft, 0, 0}}},
		{"free list lost", func(k *keyed[string]) { k.Free = None },
			[]Finding{{FreeMissing, 7, fieldLeft, 0, 0}, {FreeMissing, 8, fieldLeft, 0, 0}}},
		{"deleted balance", func(k *keyed[string]) { k.Nodes[8].Balance = -1 },
			[]Finding{{DeletedBalance, 8, fieldBalance, -1, 0}}},
		{"leaf marked deleted", func(k *keyed[string]) { k.Nodes[4].Left = Deleted }, []Finding{
			{WrongLive, None, fieldLive, 7, 6}, {DeadLink, 1, fieldRight, 4, 0}, {FreeMissing, 4, fieldLeft, 0, 0}}},
		{"deleted marked live", func(k *keyed[string]) { k.Nodes[7].Left = None }, []Finding{
			{WrongLive, None, fieldLive, 7, 8}, {Unreachable, 7, fieldLive, 0, 0}, {FreeNotDeleted, 8, fieldRight, 7, 0}}},
		{"allocated only", func(k *keyed[string]) {
			if _, err := k.Allocate(); err != nil {
				panic(err)
			}
		}, []Finding{{FreeMissing, 8, fieldLeft, 0, 0}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := sample(t)
			c.corrupt(k)
			if diff := cmp.Diff(c.want, k.Verify(k.order)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestVerifyWithoutOrder(t *testing.T) {
	k := sample(t)
	k.keys[0] = "zz"
	if got := k.Verify(nil); len(got) > 0 {
		t.Errorf("%v", got)
	}
}

// An empty tree may have any root.
func TestVerifyEmpty(t *testing.T) {
	for _, root := range []int32{0, None, 5, Deleted} {
		for _, nodes := range [][]Node{nil, {{Deleted, None, 0}}} {
			tree := &Tree{Nodes: nodes, Root: root, Free: int32(len(nodes)) - 1}
			if got := tree.Verify(nil); len(got) > 0 {
				t.Errorf("root %d, %d nodes: %v", root, len(nodes), got)
			}
		}
	}
}

// Whatever single field of whatever node or of the header is changed in a
// sound tree, Verify notices.
func TestVerifyFindsAnySingleFault(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := drawSound(t)
		anyLink := rapid.OneOf(rapid.Int32Range(-2, int32(len(k.Nodes))+1), rapid.Just(Deleted), rapid.Int32())
		change := func(field *int32) {
			*field = anyLink.Filter(func(v int32) bool { return v != *field }).Draw(t, "value")
		}
		fields := []*int32{&k.Free, &k.Live}
		if k.Live > 0 {
			fields = append(fields, &k.Root)
		}
		for i := range k.Nodes {
			fields = append(fields, &k.Nodes[i].Left, &k.Nodes[i].Right)
		}
		which := rapid.IntRange(0, len(fields)+len(k.Nodes)-1).Draw(t, "field")
		if which < len(fields) {
			change(fields[which])
		} else {
			k.Nodes[which-len(fields)].Balance ^= int8(rapid.IntRange(1, 127).Draw(t, "bits"))
		}
		if len(k.Verify(k.order)) == 0 {
			t.Fatalf("not noticed: %+v", k.Tree)
		}
	})
}

func TestFindingStrings(t *testing.T) {
	for _, c := range []struct {
		f    Finding
		want string
	}{
		{Finding{BadLink, 17, fieldLeft, 99, 0}, "record 17 (left): leads to 99, outside the records"},
		{Finding{WrongBalance, 3, fieldBalance, 0, -1}, "record 3 (balance): is 0, the subtrees make it -1"},
		{Finding{WrongLive, None, fieldLive, 80, 79}, "header (live records): counts 80, there are 79"},
		{Finding{}, "record 0 (): unknown kind of finding 0"},
		{Finding{Kind: 200}, "record 0 (): unknown kind of finding 200"},
	} {
		if got := c.f.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	for kind := BadRoot; kind <= DeletedBalance; kind++ {
		text := Finding{Kind: kind, Value: 12345}.Text()
		if strings.Contains(text, "unknown") || strings.ContainsAny(text, "{}") {
			t.Errorf("kind %d: %q", kind, text)
		}
	}
}

func TestRebuild(t *testing.T) {
	t.Run("keeps a sound list of deleted records", func(t *testing.T) {
		k := sample(t)
		k.Root, k.Nodes[0].Balance, k.Live = 3, 7, 0
		must.Do(t, k.Rebuild(k.LiveIDs(), k.order))
		if want := sample(t); !sameTree(k.Tree, want.Tree) {
			t.Errorf("%+v, want %+v", k.Tree, want.Tree)
		}
		if got := k.AppendChanged(nil); !slices.Equal(got, []int32{0}) {
			t.Errorf("changed %v, want [0]", got)
		}
	})
	t.Run("makes a broken list anew", func(t *testing.T) {
		k := sample(t)
		k.Nodes[7].Right = 8
		must.Do(t, k.Rebuild(k.LiveIDs(), k.order))
		if k.Free != 7 || k.Nodes[7].Right != 8 || k.Nodes[8].Right != None {
			t.Errorf("first deleted %d, then %v", k.Free, k.Nodes[7:])
		}
		mustBeSound(t, k.Tree, k.order)
	})
	t.Run("drops and revives records", func(t *testing.T) {
		k := sample(t)
		must.Do(t, k.Rebuild(slices.Values([]int32{8, 2, 0}), k.order))
		if got := k.shape(k.Root); got != "f(d z)" || k.Live != 3 || k.Free != 1 {
			t.Errorf("%s, %d live, first deleted %d", got, k.Live, k.Free)
		}
		mustBeSound(t, k.Tree, k.order)
	})
	t.Run("of nothing", func(t *testing.T) {
		k := sample(t)
		must.Do(t, k.Rebuild(slices.Values([]int32(nil)), k.order))
		if k.Root != 0 || k.Live != 0 || k.Free != 0 {
			t.Errorf("root %d, %d live, first deleted %d", k.Root, k.Live, k.Free)
		}
		mustBeSound(t, k.Tree, k.order)
	})
}
