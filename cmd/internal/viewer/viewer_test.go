package viewer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cbkit/collect"
	"cbkit/internal/testkit/bulk"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/write"
)

// corpusDatabases are real databases of every format that the viewer opens.
var corpusDatabases = []string{
	"cbh/cbh_cbj_test/cbh_cbj_test.cbh", "cbh/cbh_test/cbh_test.cbh", "cbh/hedgehog/Hedgehog.cbh", "cbh/mate2/Mate2.cbh",
	"cbh/small/small.cbh", "cbh/twic1134/twic1134.cbh", "cbv/small.cbv", "pgn/eco.pgn", "pgn/lichess-big.pgn", "dc-sample/ber83.dci", "dc-sample/edge.dci",
	"2cbh/made.2cbh", "2cbh/many.2cbh", "2cbh/variants/UPPER.2CBH", "si4/five/five.si4",
}

// Of the files that a folder has each database is opened by one name, whatever its format.
func TestOpenedNames(t *testing.T) {
	for _, name := range corpusDatabases {
		folder := filepath.Dir(corpus.Path(t, name))
		entries := must.Get(os.ReadDir(folder))(t)
		is := false
		for _, e := range entries {
			stem := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
			if strings.HasPrefix(e.Name(), stem+".") && IsOpened(e.Name()) && filepath.Ext(e.Name()) != ".cbz" { // for which one needs a password
				is = is || e.Name() == filepath.Base(name)
				open(t, filepath.Join(folder, e.Name()), true)
			}
		}
		if !is {
			t.Errorf("%s is not opened", name)
		}
	}
}

// open opens a database on the disk, or with files.
func open(t *testing.T, name string, inFiles bool) *Viewer {
	t.Helper()
	opt := Options{}
	if inFiles {
		opt.Files, name = os.DirFS(filepath.Dir(name)), filepath.Base(name)
	}
	v := new(Viewer)
	t.Cleanup(func() { _ = v.Close() })
	must.Do(t, v.Add(t.Context(), name, opt))
	return v
}

// ask makes a call and reads its answer as JSON.
func ask(t *testing.T, v *Viewer, name string, answer any, args ...string) {
	t.Helper()
	if err := tryAsk(t.Context(), v, name, answer, args...); err != nil {
		t.Fatalf("%s %v: %v", name, args, err)
	}
}

func tryAsk(ctx context.Context, v *Viewer, name string, answer any, args ...string) error {
	m := map[string]string{}
	for i := 0; i < len(args); i += 2 {
		m[args[i]] = args[i+1]
	}
	got, err := v.Call(ctx, name, m, nil)
	if err != nil {
		return err
	}
	text, err := json.Marshal(got)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, answer)
}

// From the disk and from files given by a page the answers are the same, and all of
// a game is in them: each move with where it stands, each annotation.
func TestGamesAreWhole(t *testing.T) {
	for _, name := range corpusDatabases {
		t.Run(filepath.Base(name), func(t *testing.T) {
			path := corpus.Path(t, name)
			v, other := open(t, path, false), open(t, path, true)
			s := v.sources[0].now.is
			annotated, step := 0, 1
			if testing.Short() {
				step = max(1, s.records.Count()/10)
			}
			for id := 1; id <= s.records.Count(); id += step {
				rec, e, err := s.records.record(t.Context(), model.RecordID(id), model.WantMoves|model.WantAnnotations)
				if err != nil {
					t.Fatal(id, err)
				}
				g := NewGame(&rec, e, s.page)
				err = s.resolve(t.Context(), g, func(int, int) {})
				text, marshalErr := json.Marshal(g)
				must.Do(t, err, marshalErr)
				if id%17 == 1 || rec.Game == nil || step > 1 {
					annotated++
					var again any
					ask(t, other, "game", &again, "id", fmt.Sprint(id))
					var here any
					must.Do(t, json.Unmarshal(text, &here))
					if diff := cmp.Diff(here, again); diff != "" {
						t.Fatalf("game %d from files:\n%s", id, diff)
					}
				}
				if rec.Game != nil {
					compareGame(t, rec.Game, g)
				}
			}
			if annotated == 0 && s.records.Count() > 0 {
				t.Error("nothing was compared")
			}
		})
	}
}

// compareGame compares what the page gets with the model.
func compareGame(t *testing.T, want *model.Game, got *Game) {
	t.Helper()
	if len(got.Nodes) != want.Moves.Len() {
		t.Fatalf("game %d has %d of %d moves", got.ID, len(got.Nodes), want.Moves.Len())
	}
	var annotations []model.Annotation
	add := func(node int, list []json.RawMessage) {
		for _, raw := range list {
			v, err := jsonl.ParseValue(raw)
			if err != nil {
				t.Fatal(got.ID, err)
			}
			annotations = append(annotations, model.Annotation{Node: int32(node), Value: v})
		}
	}
	add(model.NoNode, got.Notes)
	for i, n := range got.Nodes {
		next := max(want.Moves.NextAlternative(i), 0)
		if n.Parent != want.Moves.Parent(i) || n.Next != next || n.SAN == "" || n.FEN == "" {
			t.Fatalf("game %d, move %d: %+v", got.ID, i, n)
		}
		add(i, n.Notes)
	}
	if len(annotations) != len(want.Annotations) {
		t.Fatalf("game %d has %d of %d annotations", got.ID, len(annotations), len(want.Annotations))
	}
	for i, a := range want.Annotations {
		if annotations[i].Node != a.Node && a.Node >= 0 && int(a.Node) < len(got.Nodes) || !a.Value.Equal(annotations[i].Value) {
			t.Fatalf("game %d: annotation %d is %+v, want %+v", got.ID, i, annotations[i], a)
		}
	}
}

// Lists are in the order of collect.Sort, for all keys that they have, and so is
// what meets a condition.
func TestOrders(t *testing.T) {
	for _, name := range []string{"cbh/hedgehog/Hedgehog.cbh", "pgn/lichess-big.pgn", "dc-sample/ber83.dci"} {
		v := open(t, corpus.Path(t, name), false)
		s := v.sources[0].now.is
		keys := append(slices.Clone(sortNames), "date,-white", "-event,round", "-elo")
		if testing.Short() {
			keys = keys[len(keys)-2:]
		}
		for _, by := range keys {
			orders := must.Get(collect.ParseOrders(by))(t)
			sorted := must.Get(collect.Sort(t.Context(), s.records.all(), orders, collect.Options{}))(t)
			var want []model.RecordID
			for rec := range must.All(t, sorted.Records(t.Context(), 1, model.WantHeaders)) {
				want = append(want, sorted.Origin(rec.ID))
			}
			_ = sorted.Close()
			var got List
			ask(t, v, "list", &got, "sort", by, "n", "500")
			for i, row := range got.Rows {
				if row.ID != want[i] {
					t.Fatalf("%s by %s: row %d is %d, want %d", name, by, i, row.ID, want[i])
				}
			}
		}
	}
}

// The names of openings stand in lists too.
func TestOpeningsInLists(t *testing.T) {
	g := model.NewGame()
	g.ECO, _ = model.ParseECO("B90")
	if row := newRow(&model.Record{ID: 1, Game: g}, &model.Entities{}); !strings.Contains(row.Opening, "Najdorf") {
		t.Errorf("%+v", row)
	}
}

// A window of a list says where a record is, however it is sorted and found.
func TestListWindows(t *testing.T) {
	v := open(t, corpus.Path(t, "cbh/twic1134/twic1134.cbh"), false)
	var all, part, found List
	ask(t, v, "list", &all, "n", "500", "sort", "-elo")
	ask(t, v, "list", &part, "n", "10", "from", "100", "sort", "-elo", "at", fmt.Sprint(all.Rows[333].ID))
	if diff := cmp.Diff(all.Rows[100:110], part.Rows); diff != "" || part.At != 333 || part.Total != 6117 {
		t.Errorf("%d of %d: %s", part.At, part.Total, diff)
	}
	ask(t, v, "list", &found, "where", "elo:2790..", "n", "500", "sort", "date")
	if found.Total == 0 || found.Total > 200 || !slices.IsSortedFunc(found.Rows, func(a, b Row) int { return strings.Compare(a.Date, b.Date) }) {
		t.Errorf("%+v", found)
	}
	ask(t, v, "list", &found, "where", "Nobadi", "n", "5")
	if found.Total != 0 || len(found.Notes) != 1 || !strings.Contains(found.Notes[0], "Nobadi") {
		t.Errorf("%+v", found)
	}
	ask(t, v, "list", &found, "from", "6116", "n", "5")
	if len(found.Rows) != 1 {
		t.Errorf("%+v", found)
	}
}

// Who asks beside others gets the answer to his own question.
func TestClientsSideBySide(t *testing.T) {
	const clients, questions = 6, 60
	db := &model.Database{}
	for i := range 200 {
		g := model.NewGame()
		g.White = db.Tables.Players.Intern(model.Player{LastName: fmt.Sprintf("P%02d", i%20)})
		db.AddGame(g)
	}
	v := new(Viewer)
	v.AddSource("games", db)
	var all sync.WaitGroup
	for client := range clients {
		all.Go(func() {
			for n := range questions {
				name := fmt.Sprintf("P%02d", (client*7+n)%20)
				var got List
				if err := tryAsk(t.Context(), v, "list", &got, "where", "white-player:"+name, "sort", []string{"", "-date"}[n%2], "n", "20"); err != nil {
					t.Error(name, err)
				}
				other := func(r Row) bool { return r.White != name }
				if got.Total != 10 || len(got.Rows) != 10 || slices.ContainsFunc(got.Rows, other) {
					t.Errorf("%s: %d games, %+v", name, got.Total, got.Rows)
				}
			}
		})
	}
	all.Wait()
}

// Reports, books, entities and scores answer what their packages do.
func TestOtherCalls(t *testing.T) {
	v := open(t, corpus.Path(t, "cbh/twic1134/twic1134.cbh"), false)
	must.Do(t, v.Add(t.Context(), corpus.Path(t, "ctg/simple/simple.ctg"), Options{}))
	const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	var report struct {
		White struct{ Games int }
		Moves []struct{ SAN string }
	}
	ask(t, v, "report", &report, "fen", start)
	if report.White.Games < 6000 || report.Moves[0].SAN != "d4" && report.Moves[0].SAN != "e4" {
		t.Errorf("%+v", report)
	}
	var books []BookInfo
	ask(t, v, "book", &books, "fen", start)
	if len(books) != 1 || !books[0].Found || len(books[0].Moves) == 0 || books[0].Moves[0].Sign != "" { // stored is 224
		t.Errorf("%+v", books)
	}
	var players Entities
	ask(t, v, "entities", &players, "kind", "players", "find", "vachier", "n", "10")
	if players.Total != 1 || players.Rows[0].Name != "Vachier Lagrave, M" {
		t.Errorf("%+v", players)
	}
	var scores struct{ All struct{ Games int } }
	ask(t, v, "scores", &scores, "player", "Vachier Lagrave, M")
	if scores.All.Games != players.Rows[0].Games {
		t.Errorf("%d games, %+v", scores.All.Games, players.Rows[0])
	}
}

// The legal moves of a position have the square where the king goes and that of the rook,
// what a pawn becomes, and the position behind them, of Chess960 too. A quick report of few
// games is the report; of many without an index it says that it is slow.
func TestMovesAndQuickReports(t *testing.T) {
	v := new(Viewer)
	v.AddSource("none", &model.Database{})
	for _, c := range []struct {
		fen  string
		n    int
		want Legal
	}{
		{"r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1", 34, Legal{From: "e1", To: "g1", Over: "h1", SAN: "O-O", FEN: "r3k2r/1P6/8/8/8/8/8/R4RK1 b kq - 1 1"}},
		{"r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1", 34, Legal{From: "b7", To: "a8", Promotion: "n", SAN: "bxa8=N", FEN: "N3k2r/8/8/8/8/8/8/R3K2R b KQk - 0 1"}},
		{"4k3/8/8/8/8/8/8/5KR1 w G - 0 1", 13, Legal{From: "f1", To: "g1", Over: "g1", SAN: "O-O", FEN: "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"}},
		{"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0, Legal{}},
	} {
		var list []Legal
		if ask(t, v, "moves", &list, "fen", c.fen); len(list) != c.n || c.n > 0 && !slices.Contains(list, c.want) {
			t.Errorf("%s: %d moves, %+v", c.fen, len(list), list)
		}
	}
	many := &model.Database{}
	g := model.NewGame()
	g.Moves.Append(model.NewMove(model.E2, model.E4))
	for range fewRecords {
		many.AddGame(g)
	}
	v.AddSource("many", many)
	const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	for _, c := range []struct {
		more  int
		quick string
		slow  bool
	}{{0, "1", false}, {1, "1", true}, {0, "", false}} {
		for range c.more {
			many.AddGame(g)
		}
		var r struct {
			Slow  bool
			Moves []any
		}
		if ask(t, v, "report", &r, "db", "1", "fen", start, "quick", c.quick); r.Slow != c.slow || len(r.Moves) > 0 == c.slow {
			t.Errorf("%+v: %+v", c, r)
		}
	}
}

// What nobody should ask is an error, and what is cancelled ends.
func TestBadCalls(t *testing.T) {
	v := open(t, corpus.Path(t, "cbh/twic1134/twic1134.cbh"), false)
	for _, args := range [][]string{
		{"nonsense"}, {"list", "db", "1"}, {"list", "db", "-1"}, {"list", "from", "x"}, {"game", "id", "0"}, {"game", "id", "99999"},
		{"list", "where", "nosuch:1"}, {"list", "sort", "colour"}, {"list", "sort", "plies"}, {"report", "fen", "8/8"}, {"book", "fen", ""}, {"moves", "fen", "8/8"}, {"moves"}, {"entities", "kind", "x"},
	} {
		var answer any
		if err := tryAsk(t.Context(), v, args[0], &answer, args[1:]...); err == nil {
			t.Errorf("%v: %v", args, answer)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range [][]string{{"list", "sort", "white"}, {"list", "where", "piece:Nd5"}, {"report", "fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}, {"entities", "kind", "players"}} {
		var answer any
		if err := tryAsk(ended, v, args[0], &answer, args[1:]...); !errors.Is(err, context.Canceled) {
			t.Errorf("%v: %v", args, err)
		}
	}
	var list List // what was cancelled is not kept
	if ask(t, v, "list", &list, "sort", "white", "n", "1"); list.Total != 6117 || list.Rows[0].White == "" {
		t.Errorf("%+v", list)
	}
}

// Clocks and verdicts that servers write into comments are fields, and the comments
// are without them.
func TestServerComments(t *testing.T) {
	var n Node
	n.text(model.Text{Text: "a [%eval -0.17] [%clk 1:02:03.5] b [%foo 1] \uE005"})
	if n.Verdict == nil || n.Verdict.Pawns != -0.17 || n.Clock == nil || *n.Clock != 3723.5 || !n.Diagram || len(n.Texts) != 1 || n.Texts[0].Text != "a   b [%foo 1]" {
		t.Errorf("%+v %+v", n, n.Texts)
	}
	n = Node{}
	n.text(model.Text{Text: "[%eval #-3] [%clk oops] [% [%emt 5"})
	if n.Verdict == nil || n.Verdict.Mate != -3 || n.Clock != nil || n.Texts[0].Text != "[%clk oops] [% [%emt 5" {
		t.Errorf("%+v", n)
	}
	n = Node{}
	n.text(model.Text{Text: "[%cbgame White=A;Result=1-0] A - ? 1-0 [%cbsee] transposes to 1.d4"})
	if len(n.Texts) != 1 || n.Texts[0].Text != "A - ? 1-0  transposes to 1.d4" {
		t.Errorf("%+v", n.Texts)
	}
}

// A database that another program changes is opened again, and what was asked
// meanwhile still gets its answer.
func TestChangedFiles(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "games.pgn")
	write := func(n int) {
		t.Helper()
		must.Do(t, os.WriteFile(name, []byte(strings.Repeat("[White \"A\"]\n\n1. e4 *\n\n", n)), 0o600))
	}
	write(2)
	v := open(t, name, false)
	first, done, err := v.sources[0].use(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	write(3)
	var list List
	ask(t, v, "list", &list, "n", "9")
	if list.Total != 3 || len(list.Rows) != 3 {
		t.Errorf("%d games", list.Total)
	}
	if _, _, err := first.records.record(t.Context(), 1, model.WantHeaders); err != nil {
		t.Errorf("who had asked before: %v", err)
	}
	done()
	must.Do(t, os.Remove(name))
	if err := tryAsk(t.Context(), v, "list", &list); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "games.pgn") {
		t.Error(err)
	}
	write(1)
	ask(t, v, "list", &list, "n", "9")
	if list.Total != 1 {
		t.Errorf("%d games", list.Total)
	}
}

// Where one of several is gone, the others are shown, under their numbers, and it is
// said; it comes back with its file.
func TestOneIsGone(t *testing.T) {
	dir := t.TempDir()
	v := new(Viewer)
	t.Cleanup(func() { _ = v.Close() })
	names := []string{"a.pgn", "b.pgn", "c.bin"}
	contents := []string{"[White \"A\"]\n\n1. e4 *\n", "[White \"B\"]\n\n1. d4 *\n", "\x46\x3b\x96\x18\x16\x91\xfc\x9c\x03\x1c\x00\x01\x00\x00\x00\x00"}
	for i, name := range names {
		name = filepath.Join(dir, name)
		must.Do(t, os.WriteFile(name, []byte(contents[i]), 0o600))
		must.Do(t, v.Add(t.Context(), name, Options{}))
	}
	type info struct {
		Sources []SourceInfo
		Books   []string
		Failed  []string
	}
	for i, name := range names {
		must.Do(t, os.Rename(filepath.Join(dir, name), filepath.Join(dir, "away")))
		var got, back info
		ask(t, v, "open", &got)
		if len(got.Failed) != 1 || !strings.Contains(got.Failed[0], name) || len(got.Sources) != 2 || !slices.Equal(got.Books, names[2:]) {
			t.Fatalf("without %s: %+v", name, got)
		}
		for k, s := range got.Sources {
			if s.Name != names[k] || (s.Records == 1) == (i == k) || (len(s.Notes) == 0) == (i == k) {
				t.Errorf("without %s: %+v", name, s)
			}
			var list List
			if err := tryAsk(t.Context(), v, "list", &list, "db", fmt.Sprint(k), "n", "5"); (err == nil) == (i == k) || i != k && list.Rows[0].White != string(rune('A'+k)) {
				t.Errorf("without %s: %+v, %v", name, list, err)
			}
		}
		must.Do(t, os.Rename(filepath.Join(dir, "away"), filepath.Join(dir, name)))
		if ask(t, v, "open", &back); len(back.Failed) != 0 || len(back.Sources) != 2 {
			t.Errorf("%+v", back)
		}
	}
}

// An edited database is opened again.
func TestEditedWhileServed(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, os.CopyFS(dir, os.DirFS(filepath.Dir(corpus.Path(t, "cbh/hedgehog/Hedgehog.cbh")))))
	db := filepath.Join(dir, "Hedgehog.cbh")
	v := open(t, db, false)
	var before, after List
	ask(t, v, "list", &before, "n", "2")
	ed := must.Get(write.Edit(context.Background(), db, write.EditOptions{}))(t)
	must.Do(t, ed.Delete(2), ed.Commit(), ed.Close())
	ask(t, v, "list", &after, "n", "2")
	if before.Rows[1].Deleted || !after.Rows[1].Deleted {
		t.Error("the page shows the state of before")
	}
}

// A report is the same with an index of positions, by what it keeps, by the games that it
// lists, and after an edit.
func TestReportsWithAnIndex(t *testing.T) {
	path := filepath.Join(gen.Folder(t), "games.cbh")
	sink := must.Get(write.Create(t.Context(), path, write.Options{AcceptLosses: true}))(t)
	must.Do(t, model.Copy(t.Context(), sink, bulk.New(bulk.Options{Games: 500, Seed: 4}), model.CopyOptions{}))
	asked := []string{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b - - 0 1",
		"rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b - - 0 1"}
	reports := func() (list []any) {
		v := open(t, path, false)
		for _, fen := range asked {
			var r any
			ask(t, v, "report", &r, "fen", fen)
			list = append(list, r)
		}
		return list
	}
	for _, change := range []func(*write.Editor) error{
		func(*write.Editor) error { return nil },
		func(ed *write.Editor) error { return ed.Delete(3, 4, 5, 6, 7) },
	} {
		ed := must.Get(write.Edit(t.Context(), path, write.EditOptions{}))(t)
		must.Do(t, errors.Join(change(ed), ed.Commit(), ed.Close()))
		with := reports()
		index := strings.TrimSuffix(path, ".cbh") + ".cbkit-positions"
		_, missing := os.Stat(index)
		must.Do(t, os.RemoveAll(index))
		if diff := cmp.Diff(reports(), with); diff != "" {
			t.Errorf("index missing: %v, %s", missing, diff)
		}
		must.Get(write.Boosters(t.Context(), path, write.BoosterOptions{Positions: 10}))(t)
		if diff := cmp.Diff(reports(), with); diff != "" {
			t.Error(diff)
		}
	}
}

// What an engine says of its own move is its verdict, turned to White's view, and stays
// in the text.
func TestRemarksOfEngines(t *testing.T) {
	db := new(model.Database)
	g := model.NewGame()
	for _, m := range []model.Move{model.NewMove(model.E2, model.E4), model.NewMove(model.E7, model.E5)} {
		g.Annotate(g.Moves.Append(m), model.Text{Text: "+0.31/14 0.53s"})
	}
	db.AddGame(g)
	rec := must.Get(db.Record(1))(t)
	nodes := NewGame(&rec, db.Entities(), "").Nodes
	for i, want := range []float64{0.31, -0.31} {
		n := &nodes[i]
		if n.Verdict == nil || n.Verdict.Pawns != want || n.Spent == nil || *n.Spent != 0.53 || len(n.Texts) != 1 {
			t.Errorf("move %d: %+v", i+1, n)
		}
	}
}

// What is typed without a word of the language is looked for in players, tournaments,
// places, openings, dates and results, and told as it was understood; nothing found says
// what would find something. Conditions, quotes and parentheses stay what they are.
func TestPlainWords(t *testing.T) {
	v := open(t, corpus.Path(t, "cbh/twic1134/twic1134.cbh"), false)
	for _, c := range []struct{ typed, kinds, same string }{
		{"svidler", "player", "player:svidler"},
		{"svidler vachier", "player, player", "player:svidler player:vachier"},
		{"Svidler, P", "player", "player:\"Svidler, P\""},
		{"Biel", "tournament or place", "tournament:biel or place:biel"},
		{"C89", "opening", "eco:C89"},
		{"sicilian", "opening", "eco:sicilian"},
		{"2016.07", "date", "date:2016.07"},
		{"svidler 2016 1/2", "player, date, result", "player:svidler year:2016 result:1/2"},
		{"svidler elo:2700..", "player, ", "player:svidler elo:2700.."},
		{"(player:svidler or player:vachier) and not eco:C", "", "(player:svidler or player:vachier) and not eco:C"},
		{`"Peter Svidler"`, "player", `player:"Peter Svidler"`},
	} {
		var got, want List
		ask(t, v, "list", &got, "where", c.typed, "n", "3")
		ask(t, v, "list", &want, "where", "("+c.same+")", "n", "3")
		var kinds []string
		for _, chip := range got.Chips {
			kinds = append(kinds, chip.Kind)
		}
		if got.Total == 0 || got.Total != want.Total || strings.Join(kinds, ", ") != c.kinds {
			t.Errorf("%s: %d games, %d by %s; %+v", c.typed, got.Total, want.Total, c.same, got.Chips)
		}
	}
	for typed, want := range map[string]string{"svidler 1850": `without "1850" there are `, "Svidlex": `did you mean Svidler, P`, `player:"": x`: ""} {
		var got List
		if err := tryAsk(t.Context(), v, "list", &got, "where", typed); want != "" && (err != nil || got.Total != 0 || !strings.Contains(strings.Join(got.Notes, "; "), want)) {
			t.Errorf("%s: %v %q", typed, err, got.Notes)
		}
	}
	var all List
	ask(t, v, "list", &all, "where", "player:#5 2016")
	if len(all.Chips) != 2 || strings.HasPrefix(all.Chips[0].Text, "#") || all.Chips[0].Kind != "player" || all.Chips[0].Rest != "2016" || all.Chips[1].Rest != "player:#5" {
		t.Errorf("%+v", all.Chips)
	}
	for _, typed := range []string{`"`, `,`, `:`, `a"b`, "\x00", "(", strings.Repeat("a ", 300), "*", "#5", "..", "1990.."} { // no panic, an answer or an error of one line
		var got List
		if err := tryAsk(t.Context(), v, "list", &got, "where", typed, "n", "1"); err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", typed, err)
		}
	}
}
