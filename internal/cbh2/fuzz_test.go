package cbh2

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
)

// seed adds the vectors of some kinds.
func seed(f *testing.F, kinds ...string) {
	var list []vector
	if b, err := os.ReadFile("../../../shared/spec/2cbh-vectors.json"); err == nil {
		must.Do(f, json.Unmarshal(b, &list))
	}
	f.Add([]byte{})
	for _, v := range list {
		if b, err := hex.DecodeString(v.Hex); err == nil && slices.ContainsFunc(kinds, func(k string) bool { return strings.HasPrefix(v.Kind, k) }) {
			f.Add(b)
		}
	}
}

// What a record says is written again as it was read.
func FuzzRecord(f *testing.F) {
	seed(f, "2cbh-record")
	f.Fuzz(func(t *testing.T, b []byte) {
		var r, again Record
		if r.Decode(b) != nil {
			return
		}
		if err := again.Decode(r.Append(nil)); err != nil || again != r {
			t.Errorf("%+v, %v; want %+v", again, err, r)
		}
	})
}

func FuzzFrame(f *testing.F) {
	seed(f, "frame")
	f.Fuzz(func(t *testing.T, b []byte) {
		h, content, err := DecodeFrame(b)
		if err != nil {
			return
		}
		if again, same, err := DecodeFrame(AppendFrame(nil, h.Tag, content, h.Spare)); err != nil || again != h || string(same) != string(content) {
			t.Errorf("%+v, %v; want %+v", again, err, h)
		}
	})
}

// Moves that can be read give the same bytes, but for the words of a set-up.
func FuzzMoves(f *testing.F) {
	seed(f, "moves")
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, tag := range []uint16{TagGame, TagChess960} {
			var g, h Moves
			if g.Decode(tag, b) != nil {
				continue
			}
			if n := len(Places(nil, &g.Tree)); n != g.Tree.Len() {
				t.Errorf("%d places of %d moves", n, g.Tree.Len())
			}
			again, same, err := AppendMoves(nil, &g)
			if err != nil || same != tag {
				t.Fatal(same, err)
			}
			if err := h.Decode(tag, again); err != nil || !slices.Equal(h.Tree.Nodes(), g.Tree.Nodes()) || h.Start != g.Start {
				t.Errorf("% x gives % x: %v", b, again, err)
			}
		}
	})
}

func FuzzAnnotations(f *testing.F) {
	seed(f, "annotations")
	f.Fuzz(func(t *testing.T, b []byte) {
		list, err := DecodeAnnotations(nil, b, nil)
		if err != nil {
			return
		}
		content := must.Get(AppendAnnotations(nil, list))(t)
		again, err := DecodeAnnotations(nil, content, nil)
		if err != nil || len(again) != len(list) {
			t.Fatal(len(again), len(list), err)
		}
		for i := range list {
			if a, b := again[i], list[i]; a.Place != b.Place || a.Type != b.Type || !reflect.DeepEqual(a.Value, b.Value) {
				t.Errorf("%+v, want %+v", a, b)
			}
		}
	})
}

func FuzzEntity(f *testing.F) {
	seed(f, "entity")
	f.Fuzz(func(t *testing.T, b []byte) {
		data, _, used, err := EntityData(b)
		if err != nil || !used {
			return
		}
		for _, of := range []EntityType{Players, Tournaments, Sources, Teams, Tags} {
			value, key, err := Entity(of, data, nil)
			if err != nil {
				continue
			}
			if again, sameKey, err := Entity(of, value, nil); err != nil || string(again) != string(value) || sameKey != key {
				t.Errorf("%v: %x, want %x: %v", of, again, value, err)
			}
		}
	})
}

func FuzzHeaders(f *testing.F) {
	seed(f, "2cb", "lid-header", "lgd", "lcd")
	f.Fuzz(func(t *testing.T, b []byte) {
		if h, err := DecodeNamesHeader(b); err == nil {
			if again, err := DecodeNamesHeader(h.Append(nil)); err != nil || again.Block() != h.Block() {
				t.Errorf("%+v, %v", again, err)
			}
		}
		if h, err := DecodeHeader(b); err == nil {
			_ = h.Check(len(b))
		}
		if h, err := DecodeBlobHeader(b); err == nil && string(h.Append(nil)) != string(b[:BlobHeaderSize]) {
			t.Errorf("%+v", h)
		}
		_, _ = DecodeListsHeader(b)
		_, _, _ = DecodeListBlock(b)
		if orders, err := DecodeOrders(b); err == nil {
			for _, o := range orders {
				_, _ = o.Node(12345678, func(int64) (int32, error) { return 1, nil })
			}
		}
	})
}
