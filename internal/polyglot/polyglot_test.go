package polyglot

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/must"
	_ "cbkit/internal/testkit/seeds"
	"cbkit/model"

	"pgregory.net/rapid"
)

func drawEntry(t *rapid.T) Entry {
	return Entry{
		Key: rapid.Uint64().Draw(t, "key"), Move: Move(rapid.Uint16().Draw(t, "move")),
		Weight: rapid.Uint16().Draw(t, "weight"), Learn: rapid.Uint32().Draw(t, "learn"),
	}
}

func TestEntryReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawEntry(t)
		b := e.Append(nil)
		if back := Decode(b); len(b) != Size || back != e {
			t.Fatalf("%+v reads back as %+v from %d bytes", e, back, len(b))
		}
	})
}

// The bytes of an entry as docs/formats/polyglot.md 4 has them: 1.e4 with the weight 5, a
// learn value 7.
func TestEntryBytes(t *testing.T) {
	start := board.Start()
	e := Entry{Key: start.PolyglotKey(), Move: EncodeMove(model.NewMove(model.E2, model.E4)), Weight: 5, Learn: 7}
	if got := hex.EncodeToString(e.Append(nil)); got != "463b96181691fc9c031c000500000007" {
		t.Error(got)
	}
}

func TestMoves(t *testing.T) {
	for _, c := range []struct {
		fen, uci string
		bits     Move
		legal    bool
	}{
		{"", "e2e4", 12<<6 | 28, true},
		{"", "e2e5", 12<<6 | 36, false},
		{"7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q", 48<<6 | 56 | 4<<12, true},
		{"1r5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8n", 48<<6 | 57 | 1<<12, true},
		{"7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8", 48<<6 | 56, false},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", 4<<6 | 7, true},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", 4<<6 | 6, true}, // as some write it
		{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8a8", 60<<6 | 56, true},
		{"r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", "e1h1", 4<<6 | 7, false},
		{"7k/8/8/8/8/8/8/4R2K w - - 0 1", "e1h1", 4<<6 | 7, false}, // its own king stands there
		{"7k/8/8/8/8/8/8/K3R3 w - - 0 1", "e1h1", 4<<6 | 7, true},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 36<<6 | 43, true},
	} {
		p := board.Start()
		if c.fen != "" {
			p = must.Get(board.Parse(c.fen))(t)
		}
		m, legal := c.bits.On(&p)
		if c.bits.String() != c.uci || legal != c.legal {
			t.Errorf("%04x is %v, legal %v in %s", uint16(c.bits), c.bits, legal, p.FEN())
		}
		if back := EncodeMove(m); legal && c.uci != "e1g1" && back != c.bits {
			t.Errorf("%v is encoded as %04x", m, uint16(back))
		}
	}
	for bits, possible := range map[Move]bool{0: true, 1: true, 9<<6 | 9: false, 1 | 5<<12: false, 1 | 4<<12: true, 1 | 1<<15: false} {
		if bits.IsPossible() != possible {
			t.Errorf("%04x: possible %v", uint16(bits), !possible)
		}
	}
}

// Every legal move of random positions reads back, and no other bits mean one of them but
// those of castling by the king's own squares.
func TestAllMoves(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 4 {
		p := board.Start()
		for range 20 {
			legal := p.AppendLegal(nil)
			if len(legal) == 0 {
				break
			}
			met := map[model.Move]bool{}
			for bits := range 1 << 16 {
				if m, ok := Move(bits).On(&p); ok {
					met[m] = true
					if EncodeMove(m) != Move(bits) && !m.IsCastling() {
						t.Fatalf("%04x is %v, encoded as %04x", bits, m, uint16(EncodeMove(m)))
					}
				}
			}
			if len(met) != len(legal) {
				t.Fatalf("%d moves are met of %d in %s", len(met), len(legal), p.FEN())
			}
			for range 20 {
				if legal = p.AppendLegal(nil); len(legal) > 0 {
					p.Make(legal[rng.IntN(len(legal))])
				}
			}
		}
	}
}

// fileOf returns a book of entries.
func fileOf(entries ...Entry) *File {
	var data []byte
	for i := range entries {
		data = entries[i].Append(data)
	}
	return &File{Name: "b.bin", Data: bytes.NewReader(data), Length: int64(len(data))}
}

// Find finds the first of the entries of every key, and no key that is not there, whatever
// the place in blocks.
func TestFind(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var buf [Block]byte
	for _, n := range []int{0, 1, 2, 255, 256, 257, 511, 512, 513, 5000} {
		var entries []Entry
		for len(entries) < n {
			key := rng.Uint64() >> 1 << 1 // even
			for range 1 + rng.IntN(600)*(rng.IntN(8)/7) {
				entries = append(entries, Entry{Key: key, Move: Move(1 + len(entries)%60)})
			}
		}
		entries = entries[:n]
		slices.SortStableFunc(entries, func(a, b Entry) int {
			if a.Key < b.Key {
				return -1
			} else if a.Key > b.Key {
				return 1
			}
			return 0
		})
		f := fileOf(entries...)
		for i, e := range entries {
			if i > 0 && entries[i-1].Key == e.Key {
				continue
			}
			first, found, err := f.Find(e.Key, &buf)
			if !found || err != nil || first != int64(i) {
				t.Fatalf("%d entries: %d is at %d, %v, %v", n, i, first, found, err)
			}
			at := i
			for one, err := range f.Of(e.Key, first, &buf) {
				if err != nil || one.Number != int64(at) || one.Entry != entries[at] {
					t.Fatalf("%d entries: %+v, %v at %d", n, one, err, at)
				}
				at++
			}
			if at < n && entries[at].Key == e.Key || entries[at-1].Key != e.Key {
				t.Fatalf("%d entries: those of a key end at %d", n, at)
			}
			for _, odd := range []uint64{e.Key - 1, e.Key + 1} {
				if _, found, err := f.Find(odd, &buf); found || err != nil {
					t.Fatalf("%d entries: %x is found, %v", n, odd, err)
				}
			}
		}
	}
}

func TestRecognise(t *testing.T) {
	e4 := Move(12<<6 | 28)
	many := make([]Entry, 100)
	for i := range many {
		many[i] = Entry{Key: uint64(i), Move: e4}
	}
	swapped := slices.Clone(many)
	swapped[50].Key = 3
	noise := make([]byte, 1<<12)
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	raw := func(b []byte) *File { return &File{Name: "b.bin", Data: bytes.NewReader(b), Length: int64(len(b))} }
	cut := fileOf(many...)
	cut.Length -= 5
	for name, c := range map[string]struct {
		f          *File
		no, damage string
	}{
		"empty":         {raw(nil), "", ""},
		"one entry":     {fileOf(many[1]), "", ""},
		"sound":         {fileOf(many...), "", ""},
		"placeholder":   {fileOf(Entry{Key: math.MaxUint64}), "", ""},
		"placeholders":  {fileOf(Entry{Key: math.MaxUint64}, Entry{Key: math.MaxUint64}), "b.bin: at 0x0", ""},
		"zero":          {fileOf(Entry{}), "b.bin: at 0x0", ""},
		"equal keys":    {fileOf(many[7], Entry{Key: 7, Move: 1}, Entry{Key: 7, Move: 2}), "", ""},
		"15 bytes":      {raw(make([]byte, 15)), "b.bin: at 0x0: ", ""},
		"out of order":  {fileOf(swapped...), "", "b.bin: at 0x320 (key)"},
		"cut":           {cut, "", "b.bin: at 0x630"},
		"zeros":         {raw(make([]byte, 1<<12)), "b.bin: at 0x0", ""},
		"ones":          {raw(bytes.Repeat([]byte{255}, 1<<12)), "b.bin: at 0x0", ""},
		"noise":         {raw(noise), "b.bin: at 0x", ""},
		"text":          {raw([]byte(strings.Repeat("This is a text and no book. ", 50))), "b.bin: at 0x", ""},
		"another's own": {raw(append([]byte("MZ\x90\x00"), noise...)), "b.bin: at 0x", ""},
	} {
		no, damage := c.f.Recognise()
		if fmt := func(err error) string {
			if err == nil {
				return ""
			}
			return err.Error()
		}; !strings.Contains(fmt(no), c.no) || (no == nil) != (c.no == "") || !strings.Contains(fmt(damage), c.damage) || (damage == nil) != (c.damage == "") {
			t.Errorf("%s: %v; %v", name, no, damage)
		}
		if no != nil && !errors.Is(no, model.ErrNotDatabase) {
			t.Errorf("%s: %v is no model.ErrNotDatabase", name, no)
		}
	}
}

// Whatever the bytes are, all are read and each key of them is looked for, without an end
// that does not come.
func FuzzFile(f *testing.F) {
	f.Add([]byte{})
	f.Add(bytes.Repeat([]byte{1}, 33))
	f.Add((&Entry{Key: 1, Move: 2}).Append((&Entry{Key: 1, Move: 2}).Append(nil)))
	f.Fuzz(func(t *testing.T, b []byte) {
		file := &File{Name: "b.bin", Data: bytes.NewReader(b), Length: int64(len(b))}
		_, _ = file.Recognise()
		var buf [Block]byte
		var before Entry
		sorted, n := true, int64(0)
		p := board.Start()
		for e, err := range file.All(context.Background(), 0) {
			if err != nil || e.Number != n {
				t.Fatal(e.Number, n, err)
			}
			n++
			sorted = sorted && (n == 1 || before.Key <= e.Key)
			before = e.Entry
			if m, legal := e.Move.On(&p); legal {
				p.Make(m)
			}
			if again := e.Append(nil); !bytes.Equal(again, b[e.Number*Size:][:Size]) {
				t.Fatalf("%x is encoded as %x", b[e.Number*Size:][:Size], again)
			}
			_, _ = fmt.Sprint(e.Move), file.Fault(e.Number, &before, &e.Entry)
		}
		if n != file.Len() {
			t.Fatalf("%d entries of %d", n, file.Len())
		}
		for e := range file.All(context.Background(), 0) {
			if _, found, err := file.Find(e.Key, &buf); err != nil || sorted && !found {
				t.Fatalf("%x: found %v, %v", e.Key, found, err)
			}
		}
	})
}
