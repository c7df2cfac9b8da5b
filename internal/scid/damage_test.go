package scid

import (
	"errors"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/internal/wire"
	"cbkit/model"
)

// Of a record whose texts break off, those that are there stand at their places, and no
// other place has one.
func TestMissingText(t *testing.T) {
	record := []byte{0, 0, 0xcf, markText, 0xcf, markText, 0x67, markText, markStop, 'a', 0, 'b'}
	var g Game
	err := g.Decode(record)
	if !errors.Is(err, model.ErrTruncated) || !g.InTexts {
		t.Fatal(err, g.InTexts)
	}
	line, _ := lineOf(&g, 0)
	if got := show(line); len(g.Texts) != 1 || got != `{"Before":null,"Moves":[{"UCI":"e2e4","NAGs":null,"Comment":"\"a\"","Vars":null},{"UCI":"e7e5","NAGs":null,"Comment":null,"Vars":null},{"UCI":"g1f3","NAGs":null,"Comment":null,"Vars":null}]}` {
		t.Error(got)
	}
}

// A file of names that announces more than it can have costs no memory.
func TestNamesThatAreNotThere(t *testing.T) {
	b := append([]byte(namesMagic), 0, 0, 0, 0)
	for range 2 * kinds {
		b = wire.AppendU24BE(b, 1<<24-1)
	}
	b = append(b, 0xff, 0xff, 0xf0, 0, 0, 1, 1, 'x')
	allocated := testing.Benchmark(func(bench *testing.B) {
		for range bench.N {
			if _, err := DecodeNames(b); !errors.Is(err, model.ErrTruncated) {
				bench.Fatal(err)
			}
		}
	}).AllocedBytesPerOp()
	if allocated > 1<<12 {
		t.Errorf("%d bytes for a file of %d", allocated, len(b))
	}
}

// Every truncation of what decodes is an error or less, and never a panic.
func FuzzGame(f *testing.F) {
	f.Add([]byte{0, 0, 0xcf, markText, 0xcf, 0x67, markStop, 'a', 0}, false)
	f.Add([]byte{0xf3, 1, 'c', 0, 1, '8', '/', 'P', '6', 'k', 0, 0, markStop}, true)
	f.Fuzz(func(t *testing.T, b []byte, open bool) {
		g := Game{Open: open}
		if g.Decode(b) != nil {
			return
		}
		again := must.Get(g.Append(nil, &Entry{}))(t)
		var h Game
		if err := h.Decode(again); err != nil || len(h.Steps) != len(g.Steps) || len(h.Texts) != len(g.Texts) {
			t.Fatalf("%x becomes %x: %v", b, again, err)
		}
	})
}

func FuzzNames(f *testing.F) {
	f.Add((&Names{Lists: [kinds][]Name{{{Bytes: []byte("a")}, {ID: 1, Bytes: []byte("ab")}}}}).Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		if n, err := DecodeNames(b); err == nil {
			must.Get(DecodeNames(n.Append(nil)))(t)
		}
		if n, _, err := DecodeNames5(b); err == nil && n == nil {
			t.Fatal("nothing")
		}
	})
}

func FuzzEntry(f *testing.F) {
	f.Add(make([]byte, V5.EntrySize()))
	f.Fuzz(func(t *testing.T, b []byte) {
		if h, _, err := DecodeHeader(b); err == nil && len(h.Append(nil)) > len(b) {
			t.Fatal("a longer header")
		}
		for _, v := range []Version{V3, V4, V5} {
			if len(b) < v.EntrySize() {
				continue
			}
			e := v.DecodeEntry(b)
			v.DayOfEvent(&e)
			FormatECO(e.ECO)
			if again := v.AppendEntry(nil, &e); string(again) != string(b[:v.EntrySize()]) {
				t.Fatalf("%x becomes %x", b, again)
			}
		}
	})
}
