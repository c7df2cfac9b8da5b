package ctgwrite_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/ctgwrite"
	"cbkit/internal/ctg"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// The real book must come back to the byte.
func TestRewriteRealBookExactly(t *testing.T) {
	source := corpus.Path(t, "ctg/simple/simple.ctg")
	path := bookPath(t)
	r := must.Get(ctgwrite.Write(context.Background(), path, openBook(t, source), ctgwrite.Options{Exact: true}))(t)
	sameFiles(t, "simple", source, path)
	if r.Positions != 4 || r.Pages != 1 || r.Games != 1 || r.Bytes != 8192 {
		t.Errorf("result %+v", r)
	}
}

// In the other form every reader must find the real book's four positions.
func TestRewriteRealBookPortably(t *testing.T) {
	path := bookPath(t)
	book := openBook(t, corpus.Path(t, "ctg/simple/simple.ctg"))
	must.Get(ctgwrite.Write(context.Background(), path, book, ctgwrite.Options{}))(t)
	naive := openNaive(t, path)
	for e := range must.All(t, book.Entries(context.Background())) {
		raw, _, err := ctg.CutEntry(e.Leftover.From(ctg.Format))
		if err != nil {
			t.Fatal(err)
		}
		moves, stats, found := naive.find(raw.KeyBytes())
		if !found || string(moves) != string(raw.Moves()) || string(stats) != string(raw.StatsBytes()) {
			t.Errorf("%x: found %v, moves %x, figures %x", raw, found, moves, stats)
		}
	}
}

// randomEntries makes entries of different positions with figures that a book
// can have, and no regard for whether moves lead anywhere.
func randomEntries(seed uint64, n int) []*model.BookEntry {
	rng := rand.New(rand.NewPCG(seed, 9))
	seen := map[ctg.Key]bool{}
	var list []*model.BookEntry
	for len(list) < n {
		g := randomGame(rng, 80)
		for _, p := range board.Replay(g.Start, &g.Moves) {
			key, view := ctg.Encode(p)
			if _, twin := ctg.EncodeTwin(p); twin || seen[key] || len(list) == n {
				continue
			}
			seen[key] = true
			e := &model.BookEntry{Position: p.Model()}
			count := func() uint32 { return uint32(rng.IntN(1000)) }
			e.Stats = model.BookStats{Wins: count(), Draws: count(), Losses: count(), Weight: int8(rng.IntN(250) - 125)}
			e.Stats.Games = e.Stats.Wins + e.Stats.Draws + e.Stats.Losses
			e.Stats.Score = 10*e.Stats.Wins + 5*e.Stats.Draws
			for _, m := range p.AppendLegal(nil) {
				if _, ok := ctg.EncodeMove(p, view, m, ctg.AllCodes); ok && rng.IntN(6) == 0 {
					e.Moves = append(e.Moves, model.BookMove{Move: m, Annotation: model.NAG(rng.IntN(7))})
				}
			}
			list = append(list, e)
		}
	}
	return list
}

func each(list []*model.BookEntry) iter.Seq2[*model.BookEntry, error] {
	return func(yield func(*model.BookEntry, error) bool) {
		for _, e := range list {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// insert puts entries into a book one by one, and makes it if it is not there.
func insert(t testing.TB, path string, list []*model.BookEntry, opt ctgwrite.Options) {
	t.Helper()
	ctx := context.Background()
	if _, err := ctgwrite.Write(ctx, path, listBook{}, opt); err != nil && !errors.Is(err, os.ErrExist) {
		t.Fatal(err)
	}
	ed := must.Get(ctgwrite.Edit(ctx, path, ctgwrite.EditOptions{Extended: opt.Extended}))(t)
	for _, e := range list {
		must.Do(t, ed.Put(e))
	}
	must.Do(t, ed.Commit(), ed.Close())
}

// A book that grew entry by entry and the same book written in one go must
// have the same directory, and the same entries on every leaf; rewritten
// exactly it must come back to the byte, page numbers included.
func TestInsertAndBulkAgree(t *testing.T) {
	dir := gen.Folder(t)
	pool := randomEntries(4, 1200)
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(0, len(pool)).Draw(rt, "positions")
		list := slices.Clone(pool[:n])
		seed := rapid.Uint64().Draw(rt, "order")
		rng := rand.New(rand.NewPCG(seed, 0))
		rng.Shuffle(n, func(i, j int) { list[i], list[j] = list[j], list[i] })
		opt := ctgwrite.Options{Exact: rapid.Bool().Draw(rt, "exact"), Extended: true, TempDir: dir}
		grown := filepath.Join(dir, fmt.Sprintf("grown-%x-%v.ctg", seed, opt.Exact))
		half := n / 2
		insert(t, grown, list[:half], opt)
		insert(t, grown, list[half:], opt) // into what is there
		defer removeBook(grown)

		book := openBook(t, grown)
		opt.Force = true
		if opt.Exact {
			again := filepath.Join(dir, "again.ctg")
			must.Get(ctgwrite.Write(context.Background(), again, book, opt))(t)
			sameFiles(t, "rewritten", grown, again)
		}
		bulk := filepath.Join(dir, "bulk.ctg")
		must.Get(ctgwrite.Write(context.Background(), bulk, listBook{list}, opt))(t)
		if a, b := files(t, grown)[".ctb"], files(t, bulk)[".ctb"]; a != b {
			t.Fatalf("bitmaps %x and %x", a, b)
		}
		if d := cmp.Diff(leaves(t, grown), leaves(t, bulk)); d != "" {
			t.Fatal(d)
		}
		checkTopDown(t, bulk, opt.Exact)
	})
}

func removeBook(path string) {
	for _, ext := range []string{".ctg", ".ctb", ".cto"} {
		os.Remove(strings.TrimSuffix(path, ".ctg") + ext)
	}
}

// leaves returns the entries of every leaf, sorted.
func leaves(t testing.TB, path string) map[ctg.Node][]string {
	t.Helper()
	f := files(t, path)
	pages := len(f[".ctg"])/ctg.PageSize - 1
	dir := must.Get(ctg.DecodeDirectory([]byte(f[".ctb"]), []byte(f[".cto"]), pages))(t)
	out := map[ctg.Node][]string{}
	for c := range ctg.Node(dir.Len()) {
		page := dir.Page(c)
		if page == ctg.NoPage {
			continue
		}
		out[c] = []string{}
		for e := range must.All(t, ctg.Page(f[".ctg"][ctg.PageSize*(int(page)+1):][:ctg.PageSize]).Entries()) {
			if at := dir.Leaf(ctg.Hash(e.KeyBytes())); at != c {
				t.Fatalf("an entry of leaf %d is on the page of leaf %d", at, c)
			}
			out[c] = append(out[c], string(e))
		}
		slices.Sort(out[c])
	}
	return out
}

// checkTopDown checks the definition of the directory: a node is split if and
// only if its entries exceed a page, the root of the portable form excepted.
func checkTopDown(t testing.TB, path string, exact bool) {
	t.Helper()
	capacity := ctg.PageSize - 1
	if exact {
		capacity = ctg.PageSize
	}
	size := map[ctg.Node]int{}
	byLeaf := leaves(t, path)
	for c, list := range byLeaf {
		for _, e := range list {
			for at := c; ; at = at.Parent() {
				size[at] += len(e)
				if at == 0 {
					break
				}
			}
		}
	}
	for c := range byLeaf {
		if ctg.PageHeaderSize+size[c] > capacity {
			t.Errorf("leaf %d has %d bytes of entries", c, size[c])
		}
		for at := c; at != 0; at = at.Parent() {
			if up := at.Parent(); ctg.PageHeaderSize+size[up] <= capacity && (up != 0 || exact) {
				t.Errorf("node %d is split and has %d bytes of entries", up, size[up])
			}
		}
	}
}

// listBook is a book in memory.
type listBook struct{ list []*model.BookEntry }

func (b listBook) Entries(context.Context) iter.Seq2[*model.BookEntry, error] { return each(b.list) }
func (b listBook) Games() int                                                 { return 7 }
func (b listBook) Leftover() *model.Leftover                                  { return nil }

func (b listBook) Find(p model.Position, e *model.BookEntry) (bool, error) {
	pos, err := board.New(&p)
	if err != nil {
		return false, err
	}
	want, _ := ctg.Encode(&pos)
	for _, have := range b.list {
		q, err := board.New(&have.Position)
		if err != nil {
			return false, err
		}
		if key, _ := ctg.Encode(&q); key == want {
			*e = *have.Clone()
			return true, nil
		}
	}
	return false, nil
}

// Figures pretends that every move leads to a position of the book.
func (b listBook) Figures(e *model.BookEntry) error {
	for i := range e.Moves {
		e.Moves[i].Known = true
	}
	return nil
}

// Writing and reading must give back positions, figures and moves.
func TestWriteReadIsIdentity(t *testing.T) {
	dir := gen.Folder(t)
	rapid.Check(t, func(rt *rapid.T) {
		list := randomEntries(rapid.Uint64().Draw(rt, "seed"), rapid.IntRange(0, 300).Draw(rt, "positions"))
		path := filepath.Join(dir, "b.ctg")
		opt := ctgwrite.Options{Exact: rapid.Bool().Draw(rt, "exact"), Extended: true, Force: true, TempDir: dir}
		must.Get(ctgwrite.Write(context.Background(), path, listBook{list}, opt))(t)
		book := openBook(t, path)
		defer book.Close()
		for _, want := range list {
			var got model.BookEntry
			found, err := book.Find(want.Position, &got)
			if err != nil || !found {
				t.Fatalf("%v, %v", found, err)
			}
			got.Leftover = nil
			if d := cmp.Diff(*want, got); d != "" {
				t.Fatal(d)
			}
		}
		if book.Games() != 7 {
			t.Errorf("%d games, want 7", book.Games())
		}
	})
}

// An entry that is inserted again takes the place of the old one.
func TestInsertReplaces(t *testing.T) {
	path := bookPath(t)
	list := randomEntries(5, 400)
	insert(t, path, list, ctgwrite.Options{Extended: true})
	for _, e := range list {
		e.Stats.Weight = 99
		e.Moves = nil
	}
	insert(t, path, list[:100], ctgwrite.Options{Extended: true})
	book := openBook(t, path)
	if n := book.Positions(); n != 400 {
		t.Errorf("%d positions, want 400", n)
	}
	for i, e := range list {
		var got model.BookEntry
		if found, err := book.Find(e.Position, &got); !found || err != nil {
			t.Fatalf("%v, %v", found, err)
		}
		if replaced := got.Stats.Weight == 99 && len(got.Moves) == 0; replaced != (i < 100) {
			t.Fatalf("entry %d is replaced: %v", i, replaced)
		}
	}
}

// A book is found whatever the case of its names.
func TestInsertFindsNamesInUpperCase(t *testing.T) {
	path := bookPath(t)
	list := randomEntries(6, 20)
	insert(t, path, list[:10], ctgwrite.Options{})
	upper := filepath.Join(filepath.Dir(path), "BOOK.CTG")
	for _, ext := range []string{".ctg", ".ctb", ".cto"} {
		name := strings.TrimSuffix(path, ".ctg") + ext
		must.Do(t, os.Rename(name, strings.TrimSuffix(upper, ".CTG")+strings.ToUpper(ext)))
	}
	insert(t, upper, list[10:], ctgwrite.Options{})
	insert(t, path, list[:1], ctgwrite.Options{})
	if n := openBook(t, upper).Positions(); n != 20 {
		t.Errorf("%d positions, want those of before too, 20", n)
	}
}

// A move that grows an entry past the end of its page splits the page too.
func TestInsertGrowsEntries(t *testing.T) {
	path := bookPath(t)
	list := randomEntries(6, 500)
	short := make([]*model.BookEntry, len(list))
	for i, e := range list {
		short[i] = e.Clone()
		short[i].Moves = nil
	}
	opt := ctgwrite.Options{Exact: true}
	insert(t, path, short, opt)
	before := len(leaves(t, path))
	insert(t, path, list, opt)
	if after := len(leaves(t, path)); after <= before || openBook(t, path).Positions() != len(list) {
		t.Fatalf("%d pages before, %d after", before, after)
	}
	checkTopDown(t, path, true)
}

func TestExistingBookIsRefused(t *testing.T) {
	path := bookPath(t)
	book := listBook{randomEntries(7, 5)}
	must.Get(ctgwrite.Write(context.Background(), path, book, ctgwrite.Options{}))(t)
	_, err := ctgwrite.Write(context.Background(), path, book, ctgwrite.Options{})
	if !errors.Is(err, os.ErrExist) {
		t.Errorf("error %v, want one that is os.ErrExist", err)
	}
	for _, name := range []string{path, strings.TrimSuffix(path, ".ctg"), strings.TrimSuffix(path, ".ctg") + ".CTO"} {
		if _, err := ctgwrite.Write(context.Background(), name, book, ctgwrite.Options{Force: true}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 3 {
		t.Errorf("files %v, %v; want three", entries, err)
	}
}

// What would stop the writing of a book is known before, and asking leaves
// nothing behind.
func TestClaim(t *testing.T) {
	path := bookPath(t)
	claim := func(path string, opt ctgwrite.Options) (*ctgwrite.Claim, error) {
		return ctgwrite.NewClaim(context.Background(), path, opt)
	}
	ask := func(path string, opt ctgwrite.Options) error {
		c, err := claim(path, opt)
		if err == nil {
			err = c.Release()
		}
		return err
	}
	if err := ask(path, ctgwrite.Options{}); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) > 0 {
		t.Errorf("left is %v, %v", left, err)
	}
	if err := ask(filepath.Join(path, "no", "b.ctg"), ctgwrite.Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
	insert(t, path, randomEntries(10, 50), ctgwrite.Options{})
	want := files(t, path)
	if err := ask(path, ctgwrite.Options{}); !errors.Is(err, os.ErrExist) {
		t.Errorf("a book that is there: %v", err)
	}
	c := must.Get(claim(path, ctgwrite.Options{Force: true}))(t)
	for name, write := range map[string]func(ctgwrite.Options) error{
		"another claim": func(opt ctgwrite.Options) error { return ask(path, opt) },
		"a writer": func(opt ctgwrite.Options) error {
			_, err := ctgwrite.Write(context.Background(), path, listBook{randomEntries(8, 5)}, opt)
			return err
		},
		"an editor": func(ctgwrite.Options) error {
			_, err := ctgwrite.Edit(context.Background(), path, ctgwrite.EditOptions{})
			return err
		},
	} {
		if err := write(ctgwrite.Options{Force: true}); !errors.Is(err, model.ErrLocked) {
			t.Errorf("%s beside a claim: %v", name, err)
		}
	}
	other := listBook{randomEntries(8, 5)}
	if _, err := ctgwrite.Write(context.Background(), path+"x", other, ctgwrite.Options{Claim: c}); err == nil {
		t.Error("a claim on another book was taken")
	}
	if d := cmp.Diff(want, files(t, path)); d != "" {
		t.Error(d)
	}
	if _, err := ctgwrite.Write(context.Background(), path, other, ctgwrite.Options{Force: true, Claim: c}); err != nil {
		t.Error(err)
	}
	if err := c.Release(); err != nil {
		t.Error(err)
	}
}

// A replacement that stopped while the new files moved in is completed.
func TestRecover(t *testing.T) {
	path := bookPath(t)
	insert(t, path, randomEntries(10, 50), ctgwrite.Options{Extended: true})
	want := files(t, path)
	moving := path + ".cbkit-moving"
	must.Do(t, os.Mkdir(moving, 0o777))
	if err := os.WriteFile(filepath.Join(moving, "cbkit-folder"), nil, 0o666); err != nil {
		t.Fatal(err) // the mark of a working folder
	}
	for _, name := range []string{"book.ctg", "book.ctb"} {
		must.Do(t, os.Rename(filepath.Join(filepath.Dir(path), name), filepath.Join(moving, name)))
	}
	for _, does := range []string{"the replacement was completed; the new files are in place; cleared book.ctg.cbkit-moving", "nothing to recover"} {
		if did, err := ctgwrite.Recover(path, model.RecoverOptions{}); err != nil || did.String() != does {
			t.Fatal(did, err)
		}
		if d := cmp.Diff(want, files(t, path)); d != "" {
			t.Error(d)
		}
	}
	if _, err := os.Stat(moving); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s: %v", moving, err)
	}
}

// The .ini file of a book stays where it is and goes where the book goes.
func TestIniIsKept(t *testing.T) {
	path := bookPath(t)
	dir := filepath.Dir(path)
	must.Get(ctgwrite.Write(context.Background(), path, listBook{randomEntries(8, 5)}, ctgwrite.Options{}))(t)
	ini := filepath.Join(dir, "book.ini")
	must.Do(t, os.WriteFile(ini, []byte("[Book]\r\nTournament=1\r\n"), 0o666))
	other := filepath.Join(dir, "other.ctg")
	for _, target := range []string{path, other} {
		book := openBook(t, path)
		must.Get(ctgwrite.Write(context.Background(), target, book, ctgwrite.Options{Force: true, AcceptLosses: true}))(t)
	}
	for _, name := range []string{ini, filepath.Join(dir, "other.ini")} {
		if data, err := os.ReadFile(name); err != nil || string(data) != "[Book]\r\nTournament=1\r\n" {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
}

// Positions whose hashes agree in all the bits that the directory may use
// cannot be stored on different pages.
func TestTooManyEqualHashes(t *testing.T) {
	if testing.Short() {
		t.Skip("looks for positions of one hash")
	}
	var list []*model.BookEntry
	want := uint32(0)
	for _, e := range randomEntries(9, 200) {
		p := must.Get(board.New(&e.Position))(t)
		key, _ := ctg.Encode(&p)
		if len(list) == 0 {
			want = key.Hash()
		}
		if key.Hash() == want {
			list = append(list, e)
		}
	}
	// The same position again and again stands for different ones with one
	// hash: the exact form keeps what it is given.
	for len(list) < 120 {
		list = append(list, list[0])
	}
	_, err := ctgwrite.Write(context.Background(), bookPath(t), listBook{list}, ctgwrite.Options{Exact: true})
	if !errors.Is(err, model.ErrTooLarge) {
		t.Errorf("error %v, want model.ErrTooLarge", err)
	}
	var losses int
	opt := ctgwrite.Options{Report: func(l model.Loss) { losses++ }}
	if _, err := ctgwrite.Write(context.Background(), bookPath(t), listBook{list}, opt); err != nil || losses < 100 {
		t.Errorf("without doubles: %v, %d losses", err, losses)
	}
}
