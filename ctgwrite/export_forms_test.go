package ctgwrite

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/polyglot"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"

	"github.com/google/go-cmp/cmp"
)

// randomBook builds a book of random games.
func randomBook(t testing.TB, games, plies int) (*read.CTG, *model.Database) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(games), 0))
	db := new(model.Database)
	for range games {
		g := &model.Game{Header: model.NewHeader()}
		g.Result = model.Result(rng.IntN(4))
		g.WhiteElo, g.BlackElo = uint16(2000+rng.IntN(800)), uint16(2000+rng.IntN(800))
		p := board.Start()
		for ply := range plies {
			moves := p.AppendLegal(nil)
			if len(moves) == 0 {
				break
			}
			m := moves[rng.IntN(min(len(moves), 2+ply))]
			g.Moves.Append(m)
			p.Make(m)
		}
		db.AddGame(g)
	}
	return bookOf(t, db), db
}

func bookOf(t testing.TB, db *model.Database) *read.CTG {
	t.Helper()
	b := NewBuilder(BuilderOptions{Options: Options{AcceptLosses: true}})
	defer b.Close()
	must.Do(t, b.Add(context.Background(), db))
	path := filepath.Join(gen.Folder(t), "b.ctg")
	must.Get(b.Write(context.Background(), path))(t)
	book := must.Get(read.OpenBook(context.Background(), path))(t)
	t.Cleanup(func() { book.Close() })
	return book.(*read.CTG)
}

// keyOf returns the key of a position.
func keyOf(t *testing.T, m *model.Position) uint64 {
	t.Helper()
	p := must.Get(board.New(m))(t)
	return p.PolyglotKey()
}

// bin is a reader of Polyglot books that knows nothing but their layout.
type bin []byte

func (b bin) probe(key uint64) map[uint16]uint16 {
	n := len(b) / 16
	first := 0
	for low, high := 0, n; low < high; {
		mid := (low + high) / 2
		if binary.BigEndian.Uint64(b[16*mid:]) < key {
			low = mid + 1
		} else {
			high = mid
		}
		first = low
	}
	moves := map[uint16]uint16{}
	for i := first; i < n && binary.BigEndian.Uint64(b[16*i:]) == key; i++ {
		moves[binary.BigEndian.Uint16(b[16*i+8:])] = binary.BigEndian.Uint16(b[16*i+10:])
	}
	return moves
}

// Every position of every game must be in the Polyglot book with the same
// moves as in ours, as it was played and with colours exchanged.
func TestPolyglotHasEverything(t *testing.T) {
	book, db := randomBook(t, 150, 80)
	var out bytes.Buffer
	n := must.Get(WritePolyglot(context.Background(), &out, []model.Book{book}, PolyglotOptions{TempDir: gen.Folder(t)}))(t)
	data := bin(out.Bytes())
	if len(data) != 16*n {
		t.Fatalf("%d bytes for %d entries", len(data), n)
	}
	for i := 16; i < len(data); i += 16 {
		if bytes.Compare(data[i-16:i-8], data[i:i+8]) > 0 {
			t.Fatalf("entry %d is out of order", i/16)
		}
	}
	mirrors := 0
	for i := range db.List {
		for _, p := range board.Replay(nil, &db.List[i].Game.Moves) {
			m := p.Model()
			want := map[uint16]uint16{}
			e := must.Get(book.Lookup(*p))(t)
			for _, move := range e.Moves {
				want[uint16(polyglot.EncodeMove(move.Move))] = uint16(2*move.Stats.Wins + move.Stats.Draws +
					move.Stats.Games - move.Stats.Wins - move.Stats.Draws - move.Stats.Losses)
			}
			if d := cmp.Diff(want, data.probe(keyOf(t, &m))); d != "" {
				t.Fatalf("%s: %s", p.FEN(), d)
			}
			other := flip.position(&m)
			if len(data.probe(keyOf(t, &other))) != len(want) {
				t.Fatalf("%s: not there with colours exchanged", p.FEN())
			}
			if king := p.KingSquare(p.Turn()); king.File() < 4 && !m.Rights.Any() {
				mirrors++
			}
		}
	}
	if mirrors < 50 {
		t.Errorf("%d positions are mirrored in the book: too few to mean anything", mirrors)
	}
}

func TestPolyglotWeights(t *testing.T) {
	move := func(score uint32, weight int8, r model.Recommendation) model.BookMove {
		return model.BookMove{Known: true, Stats: model.BookStats{Score: score, Weight: weight, Recommendation: r}}
	}
	for _, c := range []struct {
		moves []model.BookMove
		want  []uint32
	}{
		{nil, []uint32{}},
		{[]model.BookMove{move(25, 0, 0), move(10, 50, 0)}, []uint32{5, 2}},
		{[]model.BookMove{move(25, 0, model.AvoidMove), move(10, -125, 0), move(5, 0, model.MainMove)}, []uint32{0, 0, 1}},
		{[]model.BookMove{move(25, 0, 0), move(0, 125, 0)}, []uint32{0, 1}},
		{[]model.BookMove{move(25, 125, model.AvoidMove), move(5, 0, 0)}, []uint32{0, 1}},
		{[]model.BookMove{move(4*5*65535, 0, 0), move(5*65535, 0, 0)}, []uint32{4 * 65535, 65535}},
	} {
		if d := cmp.Diff(c.want, polyglotWeights(&model.BookEntry{Moves: c.moves})); d != "" {
			t.Errorf("%+v: %s", c.moves, d)
		}
	}
}

// sampleEntry is the start of the book of docs/formats/ctg.md, with made up moves.
func sampleEntry() *model.BookEntry {
	return &model.BookEntry{
		Position: model.StartPosition(),
		Stats: model.BookStats{
			Games: 499, Wins: 176, Draws: 122, Losses: 201, Score: 2370,
			Own: model.BookRatings{Games: 2, Sum: 4488}, Opponent: model.BookRatings{Games: 1, Sum: 2283},
		},
		Moves: []model.BookMove{
			{
				Move: model.NewMove(model.E2, model.E4), Annotation: 1, Known: true,
				Stats: model.BookStats{
					Games: 10, Wins: 6, Draws: 2, Losses: 2, Score: 70,
					Own: model.BookRatings{Games: 1, Sum: 2244}, Opponent: model.BookRatings{Games: 1, Sum: 2283},
					Recommendation: model.MainMove, Weight: 5, Commentary: 14,
				},
			},
			{Move: model.NewMove(model.G1, model.F3)},
		},
	}
}

func TestJSONForm(t *testing.T) {
	want := `{"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",` +
		`"games":499,"wins":176,"draws":122,"losses":201,"score":2370,` +
		`"ratings":{"own":{"games":2,"average":2244},"opponent":{"games":1,"average":2283}},` +
		`"moves":[{"uci":"e2e4","san":"e4","games":10,"wins":6,"draws":2,"losses":2,"score":70,` +
		`"averageRating":2244,"performance":2430,"annotation":1,"recommendation":"main","weight":5,"commentary":14},` +
		`{"uci":"g1f3","san":"Nf3"}]}`
	if got := string(AppendJSON(nil, sampleEntry())); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	last := &model.BookEntry{Position: model.StartPosition(), Stats: model.BookStats{Games: 1}}
	want = `{"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","games":1,"wins":0,"draws":0,"losses":0,"score":0}`
	if got := string(AppendJSON(nil, last)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Every stored entry must come once, in canonical form.
func TestWriteJSON(t *testing.T) {
	book, _ := randomBook(t, 60, 40)
	var out bytes.Buffer
	n := must.Get(WriteJSON(context.Background(), &out, book, nil))(t)
	lines := bytes.Split(bytes.TrimSuffix(out.Bytes(), []byte("\n")), []byte("\n"))
	if n != book.Positions() || len(lines) != n {
		t.Fatalf("%d entries in %d lines, want %d", n, len(lines), book.Positions())
	}
	seen := map[string]bool{}
	for _, line := range lines {
		var e struct {
			FEN   string
			Games int
			Moves []struct {
				UCI, SAN string
				Games    int
			}
		}
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		m := must.Get(board.ParseModel(e.FEN))(t)
		p := must.Get(board.New(&m))(t)
		if seen[e.FEN] || p.Turn() != model.White || e.Games == 0 {
			t.Fatalf("twice: %v: %s", seen[e.FEN], line)
		}
		seen[e.FEN] = true
		for _, move := range e.Moves {
			uci, err := p.ParseUCI(move.UCI)
			if err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			if san, err := p.ParseSAN(move.SAN); err != nil || san != uci || move.Games == 0 {
				t.Fatalf("%s and %s, %v: %s", move.UCI, move.SAN, err, line)
			}
		}
	}
}

func TestDamagedBook(t *testing.T) {
	db := new(model.Database)
	db.AddGame(&model.Game{Header: model.NewHeader()})
	path := bookOf(t, db).Files().Path(".ctg")
	data := must.Get(os.ReadFile(path))(t)
	data[2*4096+4] = 0x16 // the start's castling rights are gone, their bits are not
	must.Do(t, os.WriteFile(path, data, 0o666))
	book := must.Get(read.OpenBook(context.Background(), path))(t)
	defer book.Close()
	skipped := 0
	skip := func(err error) error { skipped++; return nil }
	for name, export := range map[string]func(func(error) error) error{
		"json": func(on func(error) error) error {
			_, err := WriteJSON(context.Background(), new(bytes.Buffer), book, on)
			return err
		},
		"polyglot": func(on func(error) error) error {
			_, err := WritePolyglot(context.Background(), new(bytes.Buffer), []model.Book{book}, PolyglotOptions{OnError: on})
			return err
		},
	} {
		skipped = 0
		if err := export(nil); !errors.Is(err, model.ErrCorrupt) {
			t.Errorf("%s: error %v, want model.ErrCorrupt", name, err)
		}
		if err := export(skip); err != nil || skipped != 1 {
			t.Errorf("%s: %v, %d skipped", name, err, skipped)
		}
	}
}

// A page that is damaged costs the entries on it. Entries of other pages whose
// moves lead there stay, without the figures of those moves, and the page is
// told once.
func TestDamagedPage(t *testing.T) {
	whole, _ := randomBook(t, 60, 20)
	path := whole.Files().Path(".ctg")
	var sound bytes.Buffer
	entries := must.Get(WriteJSON(context.Background(), &sound, whole, nil))(t)
	data := must.Get(os.ReadFile(path))(t)
	const page = 3
	lost := int(binary.BigEndian.Uint16(data[4096*(page+1):]))
	data[4096*(page+1)+4] = 0 // a key of no length
	damaged := filepath.Join(gen.Folder(t), "b.ctg")
	for ext, b := range map[string][]byte{".ctg": data, ".ctb": nil, ".cto": nil} {
		if b == nil {
			b = must.Get(os.ReadFile(strings.TrimSuffix(path, ".ctg") + ext))(t)
		}
		must.Do(t, os.WriteFile(strings.TrimSuffix(damaged, ".ctg")+ext, b, 0o666))
	}
	book := must.Get(read.OpenBook(context.Background(), damaged))(t)
	defer book.Close()
	var told []string
	report := func(err error) error {
		told = append(told, err.Error())
		return nil
	}
	var kept bytes.Buffer
	n, err := WriteJSON(context.Background(), &kept, book, report)
	if err != nil || n != entries-lost || len(told) != 1 || !strings.Contains(told[0], "page 3") {
		t.Errorf("%d entries of %d, %d on the page; %v, told %q", n, entries, lost, err, told)
	}
	if _, err := WriteJSON(context.Background(), new(bytes.Buffer), book, nil); !errors.Is(err, model.ErrCorrupt) {
		t.Errorf("without a decision: %v", err)
	}
	told = nil
	var exported bytes.Buffer
	if _, err := WritePolyglot(context.Background(), &exported, []model.Book{book}, PolyglotOptions{OnError: report}); err != nil || len(told) != 1 {
		t.Errorf("polyglot: %v, told %q", err, told)
	}
	have := bin(exported.Bytes())
	for e, err := range book.Entries(context.Background()) {
		if err == nil && len(have.probe(keyOf(t, &e.Position))) != len(e.Moves) {
			t.Fatalf("the Polyglot book has not all moves of %s", board.FormatFEN(&e.Position))
		}
	}
}

func TestPerformance(t *testing.T) {
	for _, c := range []struct {
		score, games uint32
		want         int
	}{{50, 10, 2400}, {100, 10, 3200}, {0, 10, 1600}, {75, 10, 2591}, {25, 10, 2209}, {101, 10, 3200}, {1 << 31, 1, 3200}} {
		s := model.BookStats{Games: c.games, Score: c.score, Opponent: model.BookRatings{Games: 1, Sum: 2400}}
		if got := performance(&s); got != c.want {
			t.Errorf("%d of %d: %d, want %d", c.score, 10*c.games, got, c.want)
		}
	}
	if got := performance(&model.BookStats{Games: 3}); got != 0 {
		t.Errorf("without ratings: %d", got)
	}
}
