package ctg

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"cbkit/internal/testkit/must"
)

func TestNodesFormATree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hash := rapid.Uint32().Draw(t, "hash")
		level := rapid.IntRange(0, 30).Draw(t, "level")
		c := NodeAt(hash, level)
		if c.Level() != level {
			t.Fatalf("node %d has level %d, want %d", c, c.Level(), level)
		}
		left, right := c.Children()
		want := left
		if hash>>level&1 != 0 {
			want = right
		}
		if next := NodeAt(hash, level+1); next != want {
			t.Fatalf("hash %08x goes from node %d to %d; its children are %d and %d", hash, c, next, left, right)
		}
		if left.Parent() != c || right.Parent() != c {
			t.Fatalf("the children of %d have the parents %d and %d", c, left.Parent(), right.Parent())
		}
	})
}

// newDirectory returns a directory whose root is the only leaf, with page 0.
func newDirectory() *Directory { return &Directory{pages: []int32{0}} }

// randomDirectory splits random leaves.
func randomDirectory(rng *rand.Rand, splits int) *Directory {
	d := newDirectory()
	leaves := []Node{0}
	for range splits {
		i := rng.IntN(len(leaves))
		c := leaves[i]
		if c.Level() > 12 {
			continue
		}
		left, right := c.Children()
		page := d.Page(c)
		d.Split(c)
		d.SetPage(left, page)
		d.SetPage(right, int32(len(leaves)))
		leaves[i] = left
		leaves = append(leaves, right)
	}
	return d
}

func TestDirectoryFilesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		d := randomDirectory(rng, rapid.IntRange(0, 300).Draw(t, "splits"))
		padded := rapid.Bool().Draw(t, "padded")
		must.Do(t, d.Check(d.Leaves()))
		ctb, cto := d.AppendBitmap(nil), d.AppendPages(nil, padded)
		back := new(Directory)
		must.Do(t, back.DecodeBitmap(ctb))
		must.Do(t, back.DecodePages(cto))
		must.Do(t, back.Check(d.Leaves()))
		if got := back.AppendBitmap(nil); !bytes.Equal(got, ctb) {
			t.Errorf(".ctb %x, want %x", got, ctb)
		}
		if got := back.AppendPages(nil, padded); !bytes.Equal(got, cto) {
			t.Errorf(".cto %x, want %x", got, cto)
		}
		for range 100 {
			hash := rng.Uint32()
			c := d.Leaf(hash)
			if got := back.Leaf(hash); got != c || back.Page(got) != d.Page(c) || d.Page(c) == NoPage {
				t.Fatalf("hash %08x: leaf %d page %d, want %d and %d", hash, got, back.Page(got), c, d.Page(c))
			}
		}
		b := d.Bounds()
		for c := range Node(d.Len()) {
			if c < Node(b.Lower) && !d.IsSplit(c) || c >= Node(b.Upper) && d.IsSplit(c) {
				t.Fatalf("node %d is on the wrong side of the bounds %v", c, b)
			}
			if padded && d.IsSplit(c) && 2*int(c)+2 >= (len(cto)-pagesHeaderSize)/4 {
				t.Fatalf("the children of node %d are past the end of the .cto file", c)
			}
		}
	})
}

func TestDirectoryCheckFindsDamage(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	fresh := func() *Directory { return randomDirectory(rand.New(rand.NewPCG(3, 4)), 40) }
	pages := fresh().Leaves()
	var leaves []Node
	for c := range Node(fresh().Len()) {
		if fresh().Page(c) != NoPage {
			leaves = append(leaves, c)
		}
	}
	for name, damage := range map[string]func(*Directory, Node){
		"page out of range":   func(d *Directory, c Node) { d.SetPage(c, int32(pages)) },
		"negative page":       func(d *Directory, c Node) { d.SetPage(c, -2) },
		"page used twice":     func(d *Directory, c Node) { d.SetPage(c, d.Page(leaves[0])); d.SetPage(leaves[1], d.Page(leaves[0])) },
		"leaf without a page": func(d *Directory, c Node) { d.SetPage(c, NoPage) },
		"split node a page":   func(d *Directory, c Node) { d.SetPage(c.Parent(), 0) },
		"split without pages": func(d *Directory, c Node) { d.Split(c) },
		"split below a leaf":  func(d *Directory, c Node) { left, _ := c.Children(); d.Split(left) },
		"page below a leaf":   func(d *Directory, c Node) { left, _ := c.Children(); d.SetPage(left, d.Page(c)) },
	} {
		d := fresh()
		damage(d, leaves[rng.IntN(len(leaves))])
		if err := d.Check(pages); err == nil {
			t.Errorf("%s: not noticed", name)
		}
	}
	if err := fresh().Check(pages - 1); err == nil {
		t.Error("more leaves than pages: not noticed")
	}
}

func randomEntry(rng *rand.Rand) []byte {
	key := Key{byte(2 + rng.IntN(MaxKey-1))}
	for i := 1; i < int(key[0]); i++ {
		key[i] = byte(rng.Uint32())
	}
	moves := make([]byte, 2*rng.IntN(5))
	for i := range moves {
		moves[i] = byte(rng.Uint32())
	}
	s := randomStats(rng)
	return AppendEntry(nil, &key, moves, &s)
}

func randomStats(rng *rand.Rand) Stats {
	u24 := func() uint32 { return rng.Uint32() & MaxCount }
	return Stats{
		Games: u24(), Wins: u24(), Losses: u24(), Draws: u24(), Score: rng.Uint32(),
		OwnGames: u24(), OwnSum: rng.Uint32(), OpponentGames: u24(), OpponentSum: rng.Uint32(),
		Recommendation: uint8(rng.Uint32()), Weight: int8(rng.Uint32()), Commentary: uint8(rng.Uint32()),
	}
}

func TestPageRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		var body []byte
		var entries []Entry
		for range rapid.IntRange(0, 100).Draw(t, "entries") {
			e := Entry(randomEntry(rng))
			sameKey := func(o Entry) bool { return o.Key() == e.Key() }
			if slices.ContainsFunc(entries, sameKey) {
				continue // short keys repeat
			}
			if len(body)+len(e) > PageSize-PageHeaderSize {
				break
			}
			body, entries = append(body, e...), append(entries, e)
		}
		page := Page(AppendPage(nil, len(entries), body))
		// What follows the used bytes is garbage to a reader.
		for i := page.Used(); i < PageSize; i++ {
			page[i] = byte(rng.Uint32())
		}
		var got []Entry
		for e := range must.All(t, page.Entries()) {
			got = append(got, e)
		}
		if d := cmp.Diff(entries, got); d != "" {
			t.Fatal(d)
		}
		for _, e := range entries {
			key := e.Key()
			found, ok, err := page.Find(&key)
			if err != nil || !ok || !bytes.Equal(found, e) {
				t.Fatalf("Find(%s) = %x, %v, %v; want %x", &key, found, ok, err, e)
			}
			s := e.Stats()
			if again := AppendEntry(nil, &key, e.Moves(), &s); !bytes.Equal(again, e) {
				t.Fatalf("encoded again %x, want %x", again, e)
			}
		}
		absent := Key{2, 0}
		if slices.ContainsFunc(entries, func(e Entry) bool { return e.Key() == absent }) {
			return
		}
		if _, ok, err := page.Find(&absent); ok || err != nil {
			t.Fatalf("an absent key: %v, %v", ok, err)
		}
	})
}

func TestTrieOrderKeepsNodesTogether(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	hashes := make([]uint32, 2000)
	for i := range hashes {
		hashes[i] = rng.Uint32()
	}
	slices.SortFunc(hashes, func(a, b uint32) int {
		if TrieOrder(a) < TrieOrder(b) {
			return -1
		}
		return 1
	})
	for level := range 12 {
		seen := map[Node]bool{}
		last := Node(1<<32 - 1)
		for _, h := range hashes {
			c := NodeAt(h, level)
			if c != last && seen[c] {
				t.Fatalf("node %d of level %d comes twice", c, level)
			}
			seen[c], last = true, c
		}
	}
}
