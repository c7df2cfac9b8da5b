package read_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"cbkit/board"
	"cbkit/ctgwrite"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"

	"github.com/google/go-cmp/cmp"
)

func openBook(t testing.TB, path string) *read.CTG {
	t.Helper()
	b := must.Get(read.OpenBook(context.Background(), path))(t)
	t.Cleanup(func() { b.Close() })
	return b.(*read.CTG)
}

// bookGame returns a game of moves in UCI notation.
func bookGame(t testing.TB, result model.Result, moves string) *model.Game {
	t.Helper()
	g := &model.Game{Header: model.NewHeader()}
	g.Result = result
	p := board.Start()
	for _, uci := range strings.Fields(moves) {
		m := must.Get(p.ParseUCI(uci))(t)
		g.Moves.Append(m)
		p.Make(m)
	}
	return g
}

// buildBook builds a book of games in a new folder and returns its path.
func buildBook(t testing.TB, games ...*model.Game) string {
	t.Helper()
	db := new(model.Database)
	for _, g := range games {
		db.AddGame(g)
	}
	b := ctgwrite.NewBuilder(ctgwrite.BuilderOptions{})
	defer b.Close()
	must.Do(t, b.Add(context.Background(), db))
	path := filepath.Join(gen.Folder(t), "b.ctg")
	must.Get(b.Write(context.Background(), path))(t)
	return path
}

// fewGames have colour-reversed twins, long castling and a transposition.
func fewGames(t testing.TB) []*model.Game {
	first := bookGame(t, model.WhiteWins, "e2e4 e7e5 g1f3 b8c6")
	first.WhiteElo, first.BlackElo = 2700, 2600
	second := bookGame(t, model.BlackWins, "e2e4 c7c5")
	second.BlackElo = 2500
	return []*model.Game{
		first, second,
		bookGame(t, model.Draw, "g1f3 b8c6 e2e4 e7e5"),
		bookGame(t, model.NoResult, "d2d4 d7d5 c1f4 c8f5 d1d2 d8d7 b1c3 b8c6 e1c1 e8c8 c1b1"),
	}
}

func TestOpenBookByAnyName(t *testing.T) {
	path := buildBook(t, fewGames(t)...)
	base := strings.TrimSuffix(path, ".ctg")
	for _, name := range []string{path, base, base + ".cto", base + ".CTB"} {
		b, err := read.OpenBook(context.Background(), name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if b.Games() != 4 || b.Warning() != nil {
			t.Errorf("%s: %d games, warning %v", name, b.Games(), b.Warning())
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestOpenBookErrors(t *testing.T) {
	dir := gen.Folder(t)
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		must.Do(t, os.WriteFile(path, []byte(content), 0o666))
		return path
	}
	interrupted := filepath.Join(dir, "gone.ctg")
	must.Do(t, os.Mkdir(interrupted+".cbkit-moving", 0o777))
	write("gone.ctb", "x")
	for _, c := range []struct {
		path string
		want error
		text string
	}{
		{filepath.Join(dir, "nothing.ctg"), os.ErrNotExist, "nothing.ctg"},
		{write("alone.cto", "x"), nil, "alone.ctg"},
		{write("text.ctg", strings.Repeat("no book\n", 1000)), model.ErrNotDatabase, "text.ctg"},
		{write("short.ctg", "\x00\x20\x10\x00"), model.ErrTruncated, "short.ctg"},
		{interrupted, model.ErrNeedsRecovery, "gone.ctg"},
	} {
		b, err := read.OpenBook(context.Background(), c.path)
		if err == nil {
			b.Close()
			t.Errorf("%s: no error", c.path)
			continue
		}
		if c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: error %v; want %v about %s", c.path, err, c.want, c.text)
		}
	}
}

func TestProbeRealBook(t *testing.T) {
	b := openBook(t, corpus.Path(t, "ctg/simple/simple.ctg"))
	if b.Games() != 1 || b.Positions() != 4 || b.Pages() != 1 || b.Warning() != nil {
		t.Errorf("%d games, %d positions, %d pages, warning %v", b.Games(), b.Positions(), b.Pages(), b.Warning())
	}
	e := must.Get(b.Lookup(board.Start()))(t)
	one := model.BookStats{Games: 1, Score: 5}
	want := model.BookEntry{
		Position: model.StartPosition(), Stats: model.BookStats{Games: 2, Score: 10},
		Moves: []model.BookMove{
			{Move: model.NewMove(model.E2, model.E4), Annotation: 0xe0, Known: true, Stats: one},
			{Move: model.NewMove(model.D2, model.D4), Annotation: 0xe0, Known: true, Stats: one},
		},
	}
	e.Leftover = nil
	if d := cmp.Diff(want, *e); d != "" {
		t.Error(d)
	}
}

// Figures and moves come as the side to move sees them, on its own board.
func TestProbeOrientation(t *testing.T) {
	b := openBook(t, buildBook(t, fewGames(t)...))
	afterE4 := must.Get(board.Parse("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"))(t)
	e := must.Get(b.Lookup(afterE4))(t)
	rated := func(sum ...uint32) model.BookRatings {
		r := model.BookRatings{Games: uint32(len(sum))}
		for _, n := range sum {
			r.Sum += n
		}
		return r
	}
	if d := cmp.Diff(model.BookStats{
		Games: 2, Wins: 1, Losses: 1, Score: 10, Own: rated(2600, 2500), Opponent: rated(2700),
	}, e.Stats); d != "" {
		t.Errorf("after 1.e4: %s", d)
	}
	if e.Position != afterE4.Model() {
		t.Errorf("the position is not the one that was asked for: %v", e.Position)
	}
	got := map[string]model.BookStats{}
	for _, m := range e.Moves {
		got[m.Move.String()] = m.Stats
	}
	want := map[string]model.BookStats{
		"e7e5": {Games: 1, Losses: 1, Own: rated(2600), Opponent: rated(2700)},
		"c7c5": {Games: 1, Wins: 1, Score: 10, Own: rated(2500)},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("moves after 1.e4: %s", d)
	}
}

// A king without castling rights on the left half of the board mirrors it;
// moves must come back on the caller's board.
func TestProbeMirroredPosition(t *testing.T) {
	b := openBook(t, buildBook(t, fewGames(t)...))
	p := must.Get(board.ParseModel("2kr1bnr/pppqpppp/2n5/3p1b2/3P1B2/2N5/PPPQPPPP/2KR1BNR w - - 0 6"))(t)
	var e model.BookEntry
	if found, err := b.Find(p, &e); !found || err != nil {
		t.Fatalf("%v, %v", found, err)
	}
	if len(e.Moves) != 1 || e.Moves[0].Move.String() != "c1b1" {
		t.Errorf("moves %v, want c1b1", e.Moves)
	}
	// The mirror image is the same entry.
	for s := range 32 {
		a, z := model.Square(s/4*8+s%4), model.Square(s/4*8+7-s%4)
		p.Board[a], p.Board[z] = p.Board[z], p.Board[a]
	}
	if found, err := b.Find(p, &e); !found || err != nil || e.Moves[0].Move.String() != "f1g1" {
		t.Errorf("%v, %v, moves %v; want f1g1", found, err, e.Moves)
	}
}

func TestProbeAbsentAndImpossible(t *testing.T) {
	b := openBook(t, buildBook(t, fewGames(t)...))
	p := must.Get(board.ParseModel("4k3/8/8/8/8/8/8/4K3 w - - 0 1"))(t)
	e := model.BookEntry{Stats: model.BookStats{Games: 3}}
	if e, err := b.Lookup(board.Position{}); e != nil || !errors.Is(err, model.ErrNoRecord) || !strings.Contains(err.Error(), "b.ctg: ") {
		t.Errorf("an empty board: %v, %v", e, err)
	}
	if found, err := b.Find(p, &e); found || err != nil || e.Stats.Games != 3 {
		t.Errorf("%v, %v, %+v", found, err, e.Stats)
	}
	p.Board[0], p.Board[1] = model.WhiteKing, model.WhiteKing
	if _, err := b.Find(p, &e); err == nil {
		t.Error("three white kings: no error")
	}
}

// Without its companions the book reads the same, and says what it missed.
func TestBookWithoutDirectory(t *testing.T) {
	path := buildBook(t, fewGames(t)...)
	want := exportAll(t, openBook(t, path))
	for _, ext := range []string{".cto", ".ctb"} {
		must.Do(t, os.Remove(strings.TrimSuffix(path, ".ctg")+ext))
		b := openBook(t, path)
		if b.Warning() == nil || !strings.Contains(b.Warning().Error(), ".ct") {
			t.Errorf("without %s: warning %v", ext, b.Warning())
		}
		if d := cmp.Diff(want, exportAll(t, b)); d != "" {
			t.Errorf("without %s: %s", ext, d)
		}
	}
}

// exportAll returns every entry with its figures as text.
func exportAll(t testing.TB, b model.Book) (out []string) {
	t.Helper()
	for e := range must.All(t, b.Entries(context.Background())) {
		e = e.Clone()
		var again model.BookEntry
		if found, err := b.Find(e.Position, &again); !found || err != nil {
			t.Fatalf("%s: %v, %v", board.FormatFEN(&e.Position), found, err)
		}
		must.Do(t, b.Figures(&again))
		out = append(out, fmt.Sprint(board.FormatFEN(&e.Position), again.Stats, again.Moves))
	}
	return out
}

func TestWalkVisitsEverythingOnce(t *testing.T) {
	b := openBook(t, buildBook(t, fewGames(t)...))
	var lines []string
	for step := range must.All(t, b.Walk(context.Background(), board.Start())) {
		p := board.Start()
		for _, m := range step.Line {
			if !p.Legal(m) {
				t.Fatalf("line %v is not legal", step.Line)
			}
			p.Make(m)
		}
		if p.Model() != step.Entry.Position {
			t.Fatalf("line %v leads to %s, not %s", step.Line, p.FEN(), board.FormatFEN(&step.Entry.Position))
		}
		lines = append(lines, fmt.Sprint(step.Line))
	}
	if len(lines) != b.Positions() {
		t.Errorf("%d of %d positions visited: %v", len(lines), b.Positions(), lines)
	}
	slices.Sort(lines)
	if n := len(slices.Compact(lines)); n != b.Positions() {
		t.Errorf("%d different lines", n)
	}
	for range b.Walk(context.Background(), board.Start()) {
		break // must be possible
	}
}

func TestBookIsSafeForConcurrentUse(t *testing.T) {
	b := openBook(t, buildBook(t, fewGames(t)...))
	want := exportAll(t, b)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for range 20 {
				if got := exportAll(t, b); !slices.Equal(got, want) {
					t.Error("different under concurrent use")
				}
			}
		})
	}
	wait.Wait()
}

// Damage on one page is told with the page's number, and the other pages are
// still read.
func TestDamagedPage(t *testing.T) {
	path := buildBook(t, fewGames(t)...)
	data := must.Get(os.ReadFile(path))(t)
	data[4096+4] = 0x1f // the first key of page 0 is now 31 bytes long
	must.Do(t, os.WriteFile(path, data, 0o666))
	b := openBook(t, path)
	good, bad := 0, 0
	for _, err := range b.Entries(context.Background()) {
		var format *model.FormatError
		switch {
		case err == nil:
			good++
		case errors.As(err, &format) && format.File == "b.ctg" && strings.Contains(err.Error(), "page 0"):
			bad++
		default:
			t.Error(err)
		}
	}
	if bad == 0 || good == 0 {
		t.Errorf("%d entries read, %d errors", good, bad)
	}
}

// A file that ends inside its last page gives all entries that are whole, and
// says that it is cut. At every length, no entry comes out different.
func TestBookCutInsideAPage(t *testing.T) {
	path := buildBook(t, fewGames(t)...)
	data := must.Get(os.ReadFile(path))(t)
	// entries reads as many entries as there are, and says whether the end of
	// the file was told.
	entries := func() (list []string, cut bool) {
		b := openBook(t, path)
		defer b.Close()
		for e, err := range b.Entries(context.Background()) {
			if cut = cut || errors.Is(err, model.ErrTruncated); err != nil {
				continue
			}
			list = append(list, fmt.Sprint(e.Position, e.Stats, e.Moves))
			found, err := b.Find(e.Position, new(model.BookEntry))
			if err != nil || !found {
				t.Fatalf("an entry that is there is not found: %v", err)
			}
		}
		return list, cut
	}
	want, _ := entries()
	last := len(data) - 4096
	used := int(data[last+2])<<8 | int(data[last+3])
	for size := last + 1; size < len(data); size += 7 {
		must.Do(t, os.WriteFile(path, data[:size], 0o666))
		got, cut := entries()
		if !cut || len(got) > len(want) || !slices.Equal(got, want[:len(got)]) {
			t.Fatalf("cut after %d bytes: %d entries, the cut is told: %v", size, len(got), cut)
		}
		if size >= last+used && len(got) < len(want) {
			t.Fatalf("cut behind the last entry after %d bytes: %d of %d entries", size, len(got), len(want))
		}
	}
}

// FuzzOpenBook varies the bytes of a book's pages and directory.
func FuzzOpenBook(f *testing.F) {
	path := buildBook(f, fewGames(f)...)
	read3 := func(ext string) []byte {
		return must.Get(os.ReadFile(strings.TrimSuffix(path, ".ctg") + ext))(f)
	}
	ctg := read3(".ctg")
	header, page0, page1 := ctg[:4096], trimmed(ctg[4096:8192]), trimmed(ctg[8192:12288])
	f.Add(page0, page1, read3(".ctb"), read3(".cto"))
	f.Fuzz(func(t *testing.T, page0, page1, ctb, cto []byte) {
		file := slices.Clone(header)
		for _, page := range [][]byte{page0, page1} {
			var buf [4096]byte
			copy(buf[:], page)
			file = append(file, buf[:]...)
		}
		dir := gen.Folder(t)
		for name, data := range map[string][]byte{"b.ctg": file, "b.ctb": ctb, "b.cto": cto} {
			must.Do(t, os.WriteFile(filepath.Join(dir, name), data, 0o666))
		}
		b, err := read.OpenBook(context.Background(), filepath.Join(dir, "b.ctg"))
		if err != nil {
			return
		}
		defer b.Close()
		for e, err := range b.Entries(context.Background()) {
			if err == nil {
				_ = b.Figures(e)
			}
		}
		for range b.Walk(context.Background(), board.Start()) {
			continue
		}
	})
}

func trimmed(b []byte) []byte { return bytes.TrimRight(b, "\x00") }

func ExampleOpenBook() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "book.ctg")
	if err := writeExampleBook(path); err != nil {
		fmt.Println(err)
		return
	}

	b, err := read.OpenBook(context.Background(), path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer b.Close()
	e, err := b.Lookup(board.Start())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range e.Moves {
		fmt.Println(m.Move, m.Stats.Games, m.Stats.Percent())
	}
	// Output: e2e4 1 100
}

// A book is read where it is, as databases are.
func ExampleOpenBookFS() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := writeExampleBook(filepath.Join(dir, "book.ctg")); err != nil {
		fmt.Println(err)
		return
	}
	b, err := read.OpenBookFS(context.Background(), os.DirFS(dir), "book.ctg")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer b.Close()
	fmt.Println(b.Games(), "game")
	// Output: 1 game
}

func writeExampleBook(path string) error {
	g := &model.Game{Header: model.NewHeader()}
	g.Result = model.WhiteWins
	g.Moves.Append(model.NewMove(model.E2, model.E4))
	db := new(model.Database)
	db.AddGame(g)
	b := ctgwrite.NewBuilder(ctgwrite.BuilderOptions{})
	defer b.Close()
	if err := b.Add(context.Background(), db); err != nil {
		return err
	}
	_, err := b.Write(context.Background(), path)
	return err
}
