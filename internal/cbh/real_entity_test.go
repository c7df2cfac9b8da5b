package cbh

import (
	"bytes"
	"testing"
)

func TestRealEntities(t *testing.T) {
	testRealEntities(t, &Players, 3045)
	testRealEntities(t, &Tournaments, 305)
	testRealEntities(t, &Annotators, 89)
	testRealEntities(t, &Sources, 32)
	testRealEntities(t, &Teams, 168)
	testRealEntities(t, &GameTitles, 7)
}

func testRealEntities[T comparable](t *testing.T, c *EntityCodec[T], want int) {
	t.Helper()
	count, deleted := 0, 0
	cyrillic := mustPage(t, "1251")
	for _, f := range realFiles(t, c.Ext, 5) {
		h, err := DecodeEntityHeader(f.data)
		same(t, f.name, -1, h.Append(nil), f.data[:h.Size()], err)
		if err := c.Check(&h); err != nil {
			t.Fatalf("%s: %v", f.name, err)
		}
		list := records(t, f.name, f.data[h.Size():], c.RecordSize())
		if len(list) != int(h.Capacity) {
			t.Errorf("%s: %d records, not %d", f.name, len(list), h.Capacity)
		}
		for id, b := range list {
			links, err := DecodeEntityLinks(b)
			same(t, f.name, id, links.Append(nil), b[:EntityLinksSize], err)
			raw := b[EntityLinksSize:]
			checkPayload(t, f.name, id, c, raw, CodePage{})
			checkPayload(t, f.name, id, c, raw, cyrillic)
			if links.IsDeleted() {
				deleted++
			}
			count++
		}
		checkOrder(t, f.name, &c.EntityFile, int(h.Root), list)
	}
	t.Logf("%s: %d records, %d of them deleted", c.Ext, count, deleted)
	if count != want {
		t.Errorf("%s: %d records, not %d", c.Ext, count, want)
	}
}

// checkPayload proves that a payload comes back from its value: with itself as
// the old bytes exactly, without them as the same value.
func checkPayload[T comparable](t *testing.T, name string, id int, c *EntityCodec[T], raw []byte, cp CodePage) {
	t.Helper()
	v := c.Decode(raw, cp)
	b, losses := c.Merge(nil, v, raw, cp)
	same(t, name, id, b, raw, nil)
	fresh, more := c.Append(nil, v, cp)
	if got := c.Decode(fresh, cp); got != v || len(losses)+len(more) != 0 {
		t.Errorf("%s: record %d: %+v becomes %+v (%v %v)", name, id, v, got, losses, more)
	}
	use := DecodeEntityUse(raw)
	use.Put(fresh)
	if DecodeEntityUse(fresh) != use || !bytes.Equal(fresh[len(fresh)-EntityUseSize:], raw[len(raw)-EntityUseSize:]) {
		t.Errorf("%s: record %d: use %+v", name, id, use)
	}
	if c.Compare(raw, fresh, true) != 0 || c.Compare(raw, fresh, false) != 0 {
		t.Errorf("%s: record %d: the bytes behind strings count in the order", name, id)
	}
}

// checkOrder walks the tree of a file and compares all neighbours: one of the
// two orders must hold.
func checkOrder(t *testing.T, name string, f *EntityFile, root int, list [][]byte) {
	t.Helper()
	if len(list) == 0 {
		return
	}
	wrong := map[bool]int{}
	var last []byte
	var stack []int
	for at := root; at >= 0 || len(stack) > 0; {
		for at >= 0 {
			stack = append(stack, at)
			links, err := DecodeEntityLinks(list[at])
			if err != nil || len(stack) > len(list) {
				t.Fatalf("%s: links of %d", name, at)
			}
			at = int(links.Left)
		}
		at, stack = stack[len(stack)-1], stack[:len(stack)-1]
		links, _ := DecodeEntityLinks(list[at])
		payload := list[at][EntityLinksSize:]
		for _, signed := range []bool{false, true} {
			if last != nil && f.Compare(last, payload, signed) > 0 {
				wrong[signed]++
			}
		}
		last, at = payload, int(links.Right)
	}
	if wrong[f.DefaultSigned] != 0 {
		t.Logf("%s: the default order has %d violations, the other %d", name, wrong[f.DefaultSigned], wrong[!f.DefaultSigned])
	}
	if wrong[false] != 0 && wrong[true] != 0 {
		t.Errorf("%s: violations of both orders: %v", name, wrong)
	}
}
