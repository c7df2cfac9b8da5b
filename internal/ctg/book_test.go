package ctg

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	"cbkit/model"

	"github.com/google/go-cmp/cmp"
)

// naiveBook builds the three files from entries by the definition of the
// directory: a node is split if its entries exceed a page.
func naiveBook(entries []Entry) Files {
	d := newDirectory()
	var pages []byte
	n := int32(0)
	var place func(c Node, list []Entry)
	place = func(c Node, list []Entry) {
		body := bytes.Join(toBytes(list), nil)
		if PageHeaderSize+len(body) <= PageSize {
			pages = AppendPage(pages, len(list), body)
			d.SetPage(c, n)
			n++
			return
		}
		d.Split(c)
		left, right := c.Children()
		level := c.Level()
		bit := func(e Entry) bool { return Hash(e.KeyBytes())>>level&1 != 0 }
		place(left, slices.DeleteFunc(slices.Clone(list), bit))
		place(right, slices.DeleteFunc(slices.Clone(list), func(e Entry) bool { return !bit(e) }))
	}
	d.pages = nil
	place(0, entries)
	h := NewHeader()
	h.SetCounts(uint32(n), uint32(len(entries)), 1)
	return makeFiles(append(slices.Clone(h.Bytes()), pages...), d.AppendBitmap(nil), d.AppendPages(nil, false))
}

func toBytes(list []Entry) (out [][]byte) {
	for _, e := range list {
		out = append(out, e)
	}
	return out
}

func makeFiles(ctg, ctb, cto []byte) Files {
	return Files{
		Name: "b.ctg", CTG: bytes.NewReader(ctg), Size: int64(len(ctg)),
		CTBName: "b.ctb", CTB: ctb, CTOName: "b.cto", CTO: cto,
	}
}

func content(f Files) []byte {
	b, err := io.ReadAll(io.NewSectionReader(f.CTG, 0, f.Size))
	if err != nil {
		panic(err)
	}
	return b
}

// randomEntries makes entries of positions of random games.
func randomEntries(seed uint64, n int) []Entry {
	rng := rand.New(rand.NewPCG(seed, 1))
	seen := map[Key]bool{}
	var list []Entry
	for len(list) < n {
		walk(rng.Uint64(), 80, func(p *board.Position) {
			key, view := Encode(p)
			if seen[key] || len(list) == n {
				return
			}
			seen[key] = true
			var moves []byte
			for _, m := range p.AppendLegal(nil) {
				if code, ok := EncodeMove(p, view, m, PortableCodes); ok && rng.IntN(4) == 0 {
					moves = append(moves, code, byte(rng.IntN(7)))
				}
			}
			s := randomStats(rng)
			list = append(list, AppendEntry(nil, &key, moves, &s))
		})
	}
	return list
}

func open(t testing.TB, f Files) *Book {
	t.Helper()
	return must.Get(OpenBook(context.Background(), f))(t)
}

func checkHolds(t *testing.T, b *Book, want []Entry) {
	t.Helper()
	var buf [PageSize]byte
	for _, e := range want {
		key := e.Key()
		got, found, err := b.Find(&key, &buf)
		if err != nil || !found || !bytes.Equal(got, e) {
			t.Fatalf("Find(%s) = %x, %v, %v; want %x", &key, got, found, err, e)
		}
	}
	var all [][]byte
	for e := range must.All(t, b.Entries(context.Background())) {
		all = append(all, bytes.Clone(e.Entry))
		at := make([]byte, len(e.Entry))
		if _, err := b.files.CTG.ReadAt(at, e.Offset); err != nil || !bytes.Equal(at, e.Entry) {
			t.Fatalf("offset 0x%x of page %d is not where %x is", e.Offset, e.Page, e.Entry)
		}
	}
	wanted := toBytes(want)
	slices.SortFunc(all, bytes.Compare)
	slices.SortFunc(wanted, bytes.Compare)
	if d := cmp.Diff(wanted, all); d != "" {
		t.Fatal(d)
	}
}

func TestBookFindsAll(t *testing.T) {
	for _, n := range []int{0, 1, 5, 300, 3000} {
		entries := randomEntries(uint64(n), n)
		f := naiveBook(entries)
		b := open(t, f)
		if b.ScanReason() != nil {
			t.Fatal(b.ScanReason())
		}
		checkHolds(t, b, entries)
		if got := b.Header().Positions(); got != uint32(n) {
			t.Errorf("the header counts %d positions, want %d", got, n)
		}
	}
}

// Without a usable directory the book must still find everything and say why.
func TestBookScansWithoutDirectory(t *testing.T) {
	if testing.Short() {
		t.Skip("scans books of thousands of positions")
	}
	entries := randomEntries(7, 1000)
	good := naiveBook(entries)
	short := func(b []byte, n int) []byte { return b[:len(b)-n] }
	other := naiveBook(randomEntries(8, 2000))
	for name, c := range map[string]struct{ ctb, cto []byte }{
		"no .ctb":        {nil, good.CTO},
		"no .cto":        {good.CTB, nil},
		"neither":        {nil, nil},
		"short .ctb":     {short(good.CTB, 1), good.CTO},
		"short .cto":     {good.CTB, short(good.CTO, 1)},
		"empty .ctb":     {[]byte{}, good.CTO},
		"another's .cto": {good.CTB, other.CTO},
		"another's .ctb": {other.CTB, good.CTO},
		"text":           {[]byte("a text that is no bitmap"), []byte("and another one")},
	} {
		b := open(t, makeFiles(content(good), c.ctb, c.cto))
		if b.ScanReason() == nil {
			t.Errorf("%s: not noticed", name)
		}
		checkHolds(t, b, entries)
	}
}

func TestBookRefusesOtherFiles(t *testing.T) {
	good := content(naiveBook(randomEntries(9, 5)))
	for name, c := range map[string]struct {
		ctg  []byte
		want error
	}{
		"empty":         {nil, model.ErrTruncated},
		"half a header": {good[:100], model.ErrTruncated},
		"text":          {bytes.Repeat([]byte("chess "), 2000), model.ErrNotDatabase},
		"page size":     {append([]byte{0, 32, 32, 0}, good[4:]...), model.ErrUnsupported},
	} {
		_, err := OpenBook(context.Background(), makeFiles(c.ctg, nil, nil))
		var format *model.FormatError
		if !errors.Is(err, c.want) || !errors.As(err, &format) || format.File != "b.ctg" {
			t.Errorf("%s: error %v, want %v about b.ctg", name, err, c.want)
		}
	}
}

// Every file of a book, cut off at every length, must give the entries that
// are whole, or an error.
func TestBookCutShort(t *testing.T) {
	f := naiveBook(randomEntries(10, 200))
	ctg := content(f)
	for _, n := range []int{PageSize, PageSize + 1, 2*PageSize - 1, 2 * PageSize, len(ctg) - 1} {
		tour(makeFiles(ctg[:n], f.CTB, f.CTO))
	}
	for n := range f.CTB {
		tour(makeFiles(ctg, f.CTB[:n], f.CTO))
	}
	for n := range f.CTO {
		tour(makeFiles(ctg, f.CTB, f.CTO[:n]))
	}
}

// tour uses every method of a book that may be damaged.
func tour(f Files) {
	b, err := OpenBook(context.Background(), f)
	if err != nil {
		return
	}
	var buf [PageSize]byte
	for e, err := range b.Entries(context.Background()) {
		if err != nil {
			continue
		}
		key := e.Key()
		_, _, _ = b.Find(&key, &buf)
		_ = e.Stats()
		if m, err := key.Position(); err == nil {
			if p, err := board.New(&m); err == nil {
				for i := 0; i < len(e.Moves()); i += 2 {
					_, _ = DecodeMove(&p, 0, e.Moves()[i])
				}
			}
		}
	}
	for h := range uint32(100) {
		_, _, _ = b.Find(&Key{2, byte(h)}, &buf)
	}
}

// TestRealBook checks the book of docs/formats/ctg.md 11 byte by byte.
func TestRealBook(t *testing.T) {
	ctg, ctb, cto := corpus.Read(t, "ctg/simple/simple.ctg"), corpus.Read(t, "ctg/simple/simple.ctb"), corpus.Read(t, "ctg/simple/simple.cto")
	b := open(t, makeFiles(ctg, ctb, cto))
	if b.ScanReason() != nil {
		t.Fatal(b.ScanReason())
	}
	h := NewHeader()
	h.SetCounts(1, 4, 1)
	if !bytes.Equal(h.Bytes(), ctg[:PageSize]) {
		t.Error("the header page differs from ours")
	}
	if got := b.Directory().AppendBitmap(nil); !bytes.Equal(got, ctb) {
		t.Errorf(".ctb %x, want %x", got, ctb)
	}
	if got := b.Directory().AppendPages(nil, false); !bytes.Equal(got, cto) {
		t.Errorf(".cto %x, want %x", got, cto)
	}
	type row struct {
		offset       int64
		moves        string
		games, score uint32
	}
	var got []row
	var page []byte
	for e := range must.All(t, b.Entries(context.Background())) {
		key, s := e.Key(), e.Stats()
		got = append(got, row{e.Offset - PageSize, hex.EncodeToString(e.Moves()), s.Games, s.Score})
		page = AppendEntry(page, &key, e.Moves(), &s)
		if _, err := key.Position(); err != nil {
			t.Errorf("entry at 0x%x: %v", e.Offset, err)
		}
	}
	want := []row{{4, "", 1, 5}, {60, "5fe0e6e0", 2, 10}, {120, "e6e0", 1, 5}, {178, "", 1, 5}}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(row{})); d != "" {
		t.Error(d)
	}
	if again := AppendPage(nil, 4, page); !bytes.Equal(again, ctg[PageSize:]) {
		t.Error("the page encoded again differs")
	}
}

func TestErrorsSayWhere(t *testing.T) {
	f := naiveBook(randomEntries(11, 400))
	ctg := content(f)
	ctg[PageSize] = 0xff // page 0 now claims too many entries
	b := open(t, makeFiles(ctg, f.CTB, f.CTO))
	var lines []string
	for _, err := range b.Entries(context.Background()) {
		if err != nil {
			lines = append(lines, err.Error())
		}
	}
	if len(lines) != 1 || !strings.HasPrefix(lines[0], "b.ctg: at 0x1") || !strings.Contains(lines[0], "page 0") {
		t.Errorf("errors %q; want one about page 0 of b.ctg", lines)
	}
}
