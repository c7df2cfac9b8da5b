package avl

import (
	"cmp"
	"math/rand/v2"
	"testing"

	"cbkit/internal/testkit/must"
)

const benchRecords = 100_000

// randomKeys gives the same keys in every run.
func randomKeys(n int) []uint64 {
	random := rand.New(rand.NewPCG(1, 2))
	keys := make([]uint64, n)
	for i := range keys {
		keys[i] = random.Uint64()
	}
	return keys
}

// fill inserts all keys under ids in their order.
func fill(tb testing.TB, t *Tree, keys []uint64) {
	for _, key := range keys {
		must.Get(t.Add(func(id int32) int { return cmp.Compare(key, keys[id]) }))(tb)
	}
}

func BenchmarkAdd(b *testing.B) {
	keys := randomKeys(benchRecords)
	t := New()
	b.ReportAllocs()
	for b.Loop() {
		t.Nodes, t.Root, t.Free, t.Live = t.Nodes[:0], 0, None, 0
		fill(b, t, keys)
	}
	b.ReportMetric(float64(b.N)*benchRecords/b.Elapsed().Seconds(), "inserts/s")
}

func BenchmarkFind(b *testing.B) {
	keys := randomKeys(benchRecords)
	t := New()
	fill(b, t, keys)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		key := keys[i]
		if _, ok := t.Find(func(id int32) int { return cmp.Compare(key, keys[id]) }); !ok {
			b.Fatal("not found")
		}
		if i++; i == len(keys) {
			i = 0
		}
	}
}

func BenchmarkRemove(b *testing.B) {
	keys := randomKeys(benchRecords)
	full, t := New(), New()
	fill(b, full, keys)
	b.ReportAllocs()
	for b.Loop() {
		t.Nodes = append(t.Nodes[:0], full.Nodes...)
		t.Root, t.Free, t.Live = full.Root, full.Free, full.Live
		for gone, key := range keys {
			if err := t.Remove(int32(gone), func(id int32) int { return cmp.Compare(key, keys[id]) }); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.N)*benchRecords/b.Elapsed().Seconds(), "removals/s")
}

func BenchmarkAll(b *testing.B) {
	t := New()
	fill(b, t, randomKeys(benchRecords))
	b.ReportAllocs()
	for b.Loop() {
		for range t.All() {
		}
	}
	b.ReportMetric(float64(b.N)*benchRecords/b.Elapsed().Seconds(), "records/s")
}

func BenchmarkVerify(b *testing.B) {
	keys := randomKeys(benchRecords)
	t := New()
	fill(b, t, keys)
	order := func(x, y int32) int { return cmp.Compare(keys[x], keys[y]) }
	b.ReportAllocs()
	for b.Loop() {
		if len(t.Verify(order)) > 0 {
			b.Fatal("not sound")
		}
	}
	b.ReportMetric(float64(b.N)*benchRecords/b.Elapsed().Seconds(), "records/s")
}

// A change allocates nothing once the tree has grown to its size.
func TestNoAllocationPerChange(t *testing.T) {
	keys := randomKeys(5000)
	tree := New()
	fill(t, tree, keys)
	i := int32(0)
	allocations := testing.AllocsPerRun(1000, func() {
		key := keys[i]
		compare := func(id int32) int { return cmp.Compare(key, keys[id]) }
		if err := tree.Remove(i, compare); err != nil {
			t.Fatal(err)
		}
		if id, err := tree.Add(compare); err != nil || id != i {
			t.Fatal(id, err)
		}
		if id, ok := tree.Find(compare); !ok || id != i {
			t.Fatal(id, ok)
		}
		i++
	})
	if allocations != 0 {
		t.Errorf("%v allocations per change", allocations)
	}
}
