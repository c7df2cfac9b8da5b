package check_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cbkit/board"
	"cbkit/check"
	"cbkit/ctgwrite"
	"cbkit/internal/ctg"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"

	"github.com/google/go-cmp/cmp"
)

// bookGames are enough to need several pages.
func bookGames(t testing.TB) *model.Database {
	t.Helper()
	db := new(model.Database)
	for first := range 20 {
		for second := range 20 {
			g := &model.Game{Header: model.NewHeader()}
			g.Result, g.WhiteElo, g.BlackElo = model.Draw, 2400, 2300
			p := board.Start()
			for ply := range 6 {
				moves := p.AppendLegal(nil)
				m := moves[[]int{first, second, first + 2*second}[ply%3]%len(moves)]
				g.Moves.Append(m)
				p.Make(m)
			}
			db.AddGame(g)
		}
	}
	return db
}

// writeBook writes a sound book and returns its path.
func writeBook(t testing.TB, dir string) string {
	t.Helper()
	b := ctgwrite.NewBuilder(ctgwrite.BuilderOptions{})
	defer b.Close()
	must.Do(t, b.Add(context.Background(), bookGames(t)))
	path := filepath.Join(dir, "b.ctg")
	must.Get(b.Write(context.Background(), path))(t)
	return path
}

// checkBook returns the findings of a book.
func checkBook(t testing.TB, path string, opt check.Options) ([]check.Finding, check.Summary) {
	t.Helper()
	var list []check.Finding
	made := check.Book(context.Background(), path, opt)
	for f, err := range made.Findings() {
		if err != nil {
			break // Summary has it
		}
		list = append(list, f)
	}
	s := must.Get(made.Summary())(t)
	return list, s
}

func TestSoundBook(t *testing.T) {
	path := writeBook(t, gen.Folder(t))
	list, s := checkBook(t, path, check.Options{})
	if len(list) != 0 || s.Errors+s.Notes != 0 {
		t.Errorf("findings %v", list)
	}
	if s.Records < 500 || !slices.Equal(s.Files, []string{"b.ctg", "b.ctb", "b.cto"}) {
		t.Errorf("summary %+v", s)
	}
}

// The real book has no errors, and the two traits that programs stumble over.
func TestRealBook(t *testing.T) {
	list, s := checkBook(t, corpus.Path(t, "ctg/simple/simple.ctg"), check.Options{})
	if s.Errors != 0 || !maps.Equal(s.Codes, map[string]int{"book-root-leaf": 1, "book-short-cto": 1}) || s.Records != 4 {
		t.Errorf("%+v: %v", s, list)
	}
}

// bookBytes are a book's files in memory, for damaging them.
type bookBytes struct {
	t             testing.TB
	ctg, ctb, cto []byte
}

func (b *bookBytes) page(n int) []byte { return b.ctg[ctg.PageSize*(n+1):][:ctg.PageSize] }

// entries returns the places of the entries of a page.
func (b *bookBytes) entries(n int) (list []ctg.Entry) {
	for e, err := range ctg.Page(b.page(n)).Entries() {
		if err != nil {
			b.t.Fatal(err)
		}
		list = append(list, e)
	}
	return list
}

// start returns the entry of the starting position, which has many moves.
func (b *bookBytes) start() ctg.Entry {
	p := board.Start()
	key, _ := ctg.Encode(&p)
	for n := range len(b.ctg)/ctg.PageSize - 1 {
		for _, e := range b.entries(n) {
			if e.Key() == key {
				return e
			}
		}
	}
	b.t.Fatal("no starting position")
	return nil
}

func put32(b []byte, n uint32) { binary.BigEndian.PutUint32(b, n) }

// bookFaults are ways to damage a book, with the codes that must be found, and
// no other errors.
var bookFaults = map[string]struct {
	damage func(b *bookBytes)
	want   []string
}{
	"no header":          {func(b *bookBytes) { b.ctg[0] = 1 }, []string{"book-header"}},
	"cut header":         {func(b *bookBytes) { b.ctg = b.ctg[:99] }, []string{"book-header"}},
	"no .ctb":            {func(b *bookBytes) { b.ctb = nil }, []string{"book-missing-file"}},
	"no .cto":            {func(b *bookBytes) { b.cto = nil }, []string{"book-missing-file"}},
	"half a page more":   {func(b *bookBytes) { b.ctg = append(b.ctg, 1, 2, 3) }, []string{"book-file-size"}},
	"page count":         {func(b *bookBytes) { put32(b.ctg[16:], 3) }, []string{"book-page-count"}},
	"position count":     {func(b *bookBytes) { put32(b.ctg[24:], 3) }, []string{"book-position-count"}},
	"too many positions": {func(b *bookBytes) { put32(b.ctg[24:], 1e6) }, []string{"book-position-count"}},
	"short .ctb":         {func(b *bookBytes) { b.ctb = b.ctb[:12] }, []string{"book-directory"}},
	"short .cto":         {func(b *bookBytes) { b.cto = b.cto[:40] }, []string{"book-directory"}},
	"page number":        {func(b *bookBytes) { put32(b.cto[len(b.cto)-4:], 1) }, []string{"book-directory"}},
	"bytes behind .ctb":  {func(b *bookBytes) { b.ctb = append(b.ctb, 0) }, []string{"book-file-size"}},
	"lower bound":        {func(b *bookBytes) { put32(b.ctb[4:], 80); put32(b.cto[12:], 80) }, []string{"book-bounds"}},
	"loose upper bound":  {func(b *bookBytes) { put32(b.ctb[8:], binary.BigEndian.Uint32(b.ctb[8:])+8); b.ctb = append(b.ctb, 0) }, []string{"book-bounds"}},
	"two lower bounds":   {func(b *bookBytes) { put32(b.cto[12:], 16) }, []string{"book-bounds"}},
	"extra page": {func(b *bookBytes) {
		b.ctg = ctg.AppendPage(b.ctg, 0, nil)
		put32(b.ctg[16:], uint32(len(b.ctg)/ctg.PageSize-1))
	}, []string{"book-unused-page"}},
	"page count of a page": {func(b *bookBytes) { b.page(0)[1]++ }, []string{"book-page"}},
	"used bytes of a page": {func(b *bookBytes) { b.page(0)[2] = 0xff }, []string{"book-page", "book-position-count"}},
	"key bits":             {func(b *bookBytes) { e := b.start(); e[len(e.KeyBytes())-1] &= 0xf0 }, []string{"book-key", "book-misplaced"}},
	"swapped pages": {func(b *bookBytes) {
		first := bytes.Clone(b.page(0))
		copy(b.page(0), b.page(1))
		copy(b.page(1), first)
	}, []string{"book-child", "book-misplaced"}},
	"entry twice": {func(b *bookBytes) {
		list := b.entries(0)
		key := list[0].Key()
		last := list[len(list)-1]
		s := last.Stats()
		copy(last, ctg.AppendEntry(nil, &key, nil, &s))
	}, []string{"book-child", "book-page", "book-twice"}},
	"move byte":       {func(b *bookBytes) { b.start().Moves()[0] = 0xff }, []string{"book-move"}},
	"illegal move":    {func(b *bookBytes) { b.start().Moves()[0] = 0x6b }, []string{"book-move"}},
	"move twice":      {func(b *bookBytes) { m := b.start().Moves(); m[0] = m[2] }, []string{"book-move-twice"}},
	"wins":            {func(b *bookBytes) { b.start().StatsBytes()[4] = 0xff }, []string{"book-statistics"}},
	"score":           {func(b *bookBytes) { put32(b.start().StatsBytes()[12:], 0) }, []string{"book-score"}},
	"ratings of none": {func(b *bookBytes) { s := b.start().StatsBytes(); s[16], s[17], s[18] = 0, 0, 0 }, []string{"book-ratings"}},
}

// A file that ends inside a page is cut, whether the header counts the page or
// not.
func TestBookFileSize(t *testing.T) {
	path := writeBook(t, gen.Folder(t))
	data := must.Get(os.ReadFile(path))(t)
	for _, size := range []int{len(data) + 3, len(data) - 3} {
		must.Do(t, os.WriteFile(path, append(bytes.Clone(data), 1, 2, 3)[:size], 0o666))
		list, _ := checkBook(t, path, check.Options{})
		if len(list) == 0 || list[0].Code != "book-file-size" || list[0].Severity != check.Error {
			t.Errorf("%d bytes instead of %d: %v", size, len(data), list)
		}
	}
}

func TestBookFaults(t *testing.T) {
	dir := gen.Folder(t)
	path := writeBook(t, dir)
	base := path[:len(path)-4]
	read := func(ext string) []byte {
		return must.Get(os.ReadFile(base + ext))(t)
	}
	good := [3][]byte{read(".ctg"), read(".ctb"), read(".cto")}
	found := map[string]bool{}
	for name, fault := range bookFaults {
		b := bookBytes{t, bytes.Clone(good[0]), bytes.Clone(good[1]), bytes.Clone(good[2])}
		fault.damage(&b)
		for ext, data := range map[string][]byte{".ctg": b.ctg, ".ctb": b.ctb, ".cto": b.cto} {
			if data == nil {
				os.Remove(base + ext)
			} else if err := os.WriteFile(base+ext, data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		list, s := checkBook(t, path, check.Options{})
		got := slices.Sorted(maps.Keys(s.Codes))
		if d := cmp.Diff(fault.want, got); d != "" {
			t.Errorf("%s: %s%v", name, d, list)
		}
		for _, code := range got {
			found[code] = true
		}
	}
	// The others have tests of their own.
	for _, code := range []string{"book-root-leaf", "book-short-cto", "book-move-form", "book-many-moves"} {
		found[code] = true
	}
	for _, c := range check.CodesAbout(check.AboutBooks) {
		if !found[c.Code] {
			t.Errorf("no fault gives %s", c.Code)
		}
		if c.Meaning == "" || c.Severity != check.Error && c.Severity != check.Note {
			t.Errorf("%s: severity %v, meaning %q", c.Code, c.Severity, c.Meaning)
		}
	}
}

// The documentation must list all codes.
func TestBookCodesAreDocumented(t *testing.T) {
	doc := must.Get(os.ReadFile(filepath.Join("..", "docs", "formats", "ctg.md")))(t)
	for _, c := range check.CodesAbout(check.AboutBooks) {
		row := fmt.Sprintf("| `%s` | %s | %s | %s |\n", c.Code, c.Severity, c.Ruling, c.Meaning)
		if !bytes.Contains(doc, []byte(row)) {
			t.Errorf("docs/formats/ctg.md lacks %s", row)
		}
	}
}

// What only ChessBase reads is a note.
func TestBookForChessBaseOnly(t *testing.T) {
	m := must.Get(board.ParseModel("k7/8/8/3Q4/8/8/3Q4/K6Q w - - 0 1"))(t)
	p := must.Get(board.New(&m))(t)
	db := new(model.Database)
	for _, move := range p.AppendLegal(nil) {
		g := &model.Game{Header: model.NewHeader(), Start: &m}
		g.Moves.Append(move)
		db.AddGame(g)
	}
	opt := ctgwrite.BuilderOptions{}
	opt.Exact = true
	b := ctgwrite.NewBuilder(opt)
	defer b.Close()
	must.Do(t, b.Add(context.Background(), db))
	path := filepath.Join(gen.Folder(t), "b.ctg")
	must.Get(b.Write(context.Background(), path))(t)
	list, s := checkBook(t, path, check.Options{})
	want := []string{"book-many-moves", "book-move-form", "book-root-leaf", "book-short-cto"}
	if got := slices.Sorted(maps.Keys(s.Codes)); !slices.Equal(got, want) || s.Errors != 0 {
		t.Errorf("codes %v, want %v: %v", got, want, list)
	}
}

func TestBookOptions(t *testing.T) {
	path := writeBook(t, gen.Folder(t))
	data := must.Get(os.ReadFile(path))(t)
	put32(data[24:], 0)
	must.Do(t, os.WriteFile(path, data, 0o666))
	if list, _ := checkBook(t, path, check.Options{Files: []string{"cto", ".CTB"}}); len(list) != 0 {
		t.Errorf("findings in files that were not selected: %v", list)
	}
	calls := 0
	opt := check.Options{Files: []string{"ctg"}, Progress: func(done, total int) { calls++ }}
	if list, _ := checkBook(t, path, opt); len(list) != 1 || calls != len(data)/ctg.PageSize-1 {
		t.Errorf("findings %v, %d calls of Progress", list, calls)
	}
	if _, err := check.Book(context.Background(), path, check.Options{Files: []string{"cbh"}}).Summary(); err == nil {
		t.Error("files of databases were accepted")
	}
	if _, err := check.Book(context.Background(), filepath.Join(gen.Folder(t), "no.ctg"), check.Options{}).Summary(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := check.Book(ctx, path, check.Options{}).Summary(); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func ExampleBook() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "book.ctg")
	if _, err := ctgwrite.Merge(context.Background(), path, nil, ctgwrite.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	if err := os.Remove(filepath.Join(dir, "book.ctb")); err != nil {
		fmt.Println(err)
		return
	}
	made := check.Book(context.Background(), path, check.Options{})
	for f, err := range made.Findings() {
		if err != nil {
			break // Summary has it
		}
		fmt.Println(f)
	}
	s, err := made.Summary()
	fmt.Println(s.Errors, err)
	// Output:
	// book.ctb: the file is missing; programs cannot find positions without it
	// 1 <nil>
}
