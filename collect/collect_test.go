package collect_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"cbkit/collect"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/read"

	"pgregory.net/rapid"
)

var ctx = context.Background()

// load reads a source into memory.
func load(t testing.TB, src model.Source) *model.Database {
	t.Helper()
	return must.Get(model.Load(ctx, src))(t)
}

// twic is a real database of 6,117 games, none of them twice.
func twic(t testing.TB) read.Database {
	t.Helper()
	db := must.Get(read.Open(corpus.Path(t, "cbh/twic1134/twic1134.cbh"), read.Options{}))(t)
	t.Cleanup(func() { db.Close() })
	return db
}

// A union has the records of its parts, one after the other.
func TestUnion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var parts []model.Source
		want := &model.Database{}
		for range rapid.IntRange(0, 3).Draw(t, "parts") {
			db := gen.Database(gen.Config{}).Draw(t, "db")
			parts = append(parts, db)
			want.List = append(want.List, db.List...)
		}
		u := collect.NewUnion(parts...)
		if u.Count() != len(want.List) {
			t.Fatalf("%d records, want %d", u.Count(), len(want.List))
		}
		got := must.Get(model.Load(ctx, u))(t)
		at := 0
		for _, p := range parts {
			for _, rec := range p.(*model.Database).List {
				if !model.EqualRecords(got.List[at], &got.Tables, rec, p.Entities()) || int(got.List[at].ID) != at+1 {
					t.Fatalf("record %d differs from record %d of its part", at+1, rec.ID)
				}
				at++
			}
		}
	})
}

// Sorting changes the order and nothing else.
func TestSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		db := gen.Database(gen.Config{}).Draw(t, "db")
		orders := must.Get(collect.ParseOrders(rapid.SampledFrom([]string{"date", "-white,black", "elo,-plies", "white-elo,-black-elo", "event,round", "eco,result,place"}).Draw(t, "by")))(t)
		sorted := must.Get(collect.Sort(ctx, db, orders, collect.Options{}))(t)
		got := must.Get(model.Load(ctx, sorted))(t)
		must.Do(t, sorted.Close())
		if len(got.List) != len(db.List) {
			t.Fatalf("%d records, want %d", len(got.List), len(db.List))
		}
		left := slices.Clone(db.List)
		for _, rec := range got.List {
			i := slices.IndexFunc(left, func(r model.Record) bool { return model.EqualRecords(rec, &got.Tables, r, &db.Tables) })
			if i < 0 {
				t.Fatalf("record %d is none of the source", rec.ID)
			}
			left = slices.Delete(left, i, i+1)
		}
	})
}

func games(players ...string) *model.Database {
	db := &model.Database{}
	for i, name := range players {
		g := model.NewGame()
		g.White = db.Tables.Players.Intern(model.ParsePlayer(name))
		g.Date = model.Date{Year: uint16(2000 - i)}
		db.AddGame(g)
	}
	return db
}

func TestSortOrder(t *testing.T) {
	db := games("Müller, A", "muller, B", "Adams", "", "Zukertort")
	db.AddText(model.NewGuidingText())
	for by, want := range map[string]string{
		"white":       "Adams; Müller, A; muller, B; Zukertort; ; text",
		"-white":      "Zukertort; muller, B; Müller, A; Adams; ; text",
		"date":        "Zukertort; ; Adams; muller, B; Müller, A; text",
		"result,date": "Zukertort; ; Adams; muller, B; Müller, A; text",
	} {
		orders := must.Get(collect.ParseOrders(by))(t)
		sorted := must.Get(collect.Sort(ctx, db, orders, collect.Options{}))(t)
		var names []string
		for rec := range must.All(t, sorted.Records(ctx, 1, model.WantHeaders)) {
			if rec.Game == nil {
				names = append(names, "text")
				continue
			}
			names = append(names, sorted.Entities().Players.Value(rec.Game.White).String())
		}
		if got := strings.Join(names, "; "); got != want {
			t.Errorf("by %s: %s, want %s", by, got, want)
		}
		if err := sorted.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{"", "date,", "height"} {
		if _, err := collect.ParseOrders(bad); err == nil {
			t.Errorf("%q is no order", bad)
		}
	}
}

// Every record is in exactly one group.
func TestSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		db := gen.Database(gen.Config{}).Draw(t, "db")
		by, err := collect.ParseGrouping(rapid.SampledFrom([]string{"white", "player", "event", "eco", "year", "3"}).Draw(t, "by"))
		if err != nil {
			t.Fatal(err)
		}
		groups := must.Get(collect.Split(ctx, db, by, collect.Options{}))(t)
		skip := rapid.IntRange(-1, 3).Draw(t, "skip")
		n, seen := 0, map[string]bool{}
		for group := range must.All(t, groups.All()) {
			if seen[group.Name] {
				t.Fatalf("%q twice", group.Name)
			}
			seen[group.Name] = true
			if len(seen) == skip {
				continue // nobody reads it
			}
			part := must.Get(model.Load(ctx, group))(t)
			n += len(part.List)
			if by == "3" && len(part.List) > 3 {
				t.Fatalf("%d records in a group of 3", len(part.List))
			}
		}
		if skip < 1 && n != len(db.List) {
			t.Fatalf("%d records in groups, %d in all", n, len(db.List))
		}
		must.Do(t, groups.Close())
	})
}

// The temporary files go.
func TestNothingIsLeft(t *testing.T) {
	dir := t.TempDir()
	sorted := must.Get(collect.Sort(ctx, games("a", "b"), []collect.Order{{Key: "white"}}, collect.Options{TempDir: dir}))(t)
	must.Do(t, sorted.Close())
	broken := &model.Database{List: []model.Record{{ID: 1, Game: model.NewGame()}}}
	done, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := collect.Split(done, broken, "white", collect.Options{TempDir: dir}); err == nil {
		t.Error("a split that was cancelled")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}

// No game of a real database is taken for another one.
func TestNoFalseDuplicates(t *testing.T) {
	list := must.Get(collect.Duplicates(ctx, twic(t), collect.DuplicateOptions{}))(t)
	for _, d := range list {
		t.Errorf("%+v %v", d, d.Reason)
	}
}

// A database and itself: the second half is there twice.
func TestDuplicatesOfItself(t *testing.T) {
	db := twic(t)
	list := must.Get(collect.Duplicates(ctx, collect.NewUnion(db, db), collect.DuplicateOptions{}))(t)
	n := model.RecordID(db.Count())
	if len(list) != int(n) {
		t.Errorf("%d duplicates of %d games", len(list), n)
	}
	for _, d := range list {
		if d.Drop != d.Keep+n || d.Reason != collect.SameGame {
			t.Fatalf("%+v", d)
		}
	}
}

// spoilers change a game as databases change them on their way.
var spoilers = map[string]func(*model.Game, *model.Entities, *rand.Rand){
	"initial": func(g *model.Game, e *model.Entities, _ *rand.Rand) {
		for _, id := range []*model.EntityID{&g.White, &g.Black} {
			p := e.Players.Value(*id)
			if p.FirstName != "" {
				p.FirstName = string([]rune(p.FirstName)[:1])
			}
			*id = e.Players.Intern(p)
		}
	},
	"spelling": func(g *model.Game, e *model.Entities, r *rand.Rand) {
		for _, id := range []*model.EntityID{&g.White, &g.Black} {
			p := e.Players.Value(*id)
			p.LastName = respell(p.LastName, r)
			*id = e.Players.Intern(p)
		}
	},
	"no date": func(g *model.Game, _ *model.Entities, _ *rand.Rand) { g.Date = model.Date{} },
	"year":    func(g *model.Game, _ *model.Entities, _ *rand.Rand) { g.Date.Month, g.Date.Day = 0, 0 },
	"round":   func(g *model.Game, _ *model.Entities, _ *rand.Rand) { g.Round, g.Subround = 0, 0 },
	"cut": func(g *model.Game, _ *model.Entities, r *rand.Rand) {
		n := g.Moves.MainLen()
		if n < 20 {
			return
		}
		var line model.Tree
		for _, node := range g.Moves.Nodes()[:16+r.IntN(n-16)] {
			line.Append(node.Move)
		}
		g.SetMoves(g.Start, line)
		g.SetAnnotations(nil)
	},
}

// respell writes a name as another language or a typist would.
func respell(s string, r *rand.Rand) string {
	for _, swap := range r.Perm(4) {
		var t string
		switch swap {
		case 0:
			t = strings.NewReplacer("v", "w", "ck", "k", "y", "i", "ts", "tz").Replace(s)
		case 1:
			t = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "é", "e").Replace(s)
		case 2:
			t = strings.ToUpper(s)
		case 3:
			if b := []rune(s); len(b) > 6 {
				i := 2 + r.IntN(len(b)-4)
				b[i], b[i+1] = b[i+1], b[i]
				t = string(b)
			}
		}
		if t != "" && t != s {
			return t
		}
	}
	return s
}

// Of games that were changed on their way, 99 in 100 are found.
func TestDuplicatesAreFound(t *testing.T) {
	for name, spoil := range spoilers {
		db := load(t, twic(t))
		if testing.Short() {
			db.List = db.List[:500]
		}
		n := len(db.List)
		random := rand.New(rand.NewPCG(1, 2))
		origin := map[model.RecordID]model.RecordID{}
		for i := range n {
			g := db.List[i].Game.Clone()
			if g.Moves.MainLen() < 8 {
				continue
			}
			spoil(g, &db.Tables, random)
			origin[db.AddGame(g)] = db.List[i].ID
		}
		list := must.Get(collect.Duplicates(ctx, db, collect.DuplicateOptions{}))(t)
		found, wrong := 0, 0
		for _, d := range list {
			if o, ok := origin[d.Drop]; ok && o == d.Keep {
				found++
			} else if o, ok := origin[d.Keep]; ok && o == d.Drop {
				found++ // the other of the two stays
			} else {
				wrong++
			}
		}
		t.Logf("%s: %d of %d, %d wrong", name, found, len(origin), wrong)
		if found*100 < len(origin)*99 || wrong > 0 {
			t.Errorf("%s: %d of %d, %d wrong", name, found, len(origin), wrong)
		}
	}
}

// An annotated game is never dropped for a bare one, but united with it.
func TestAnnotatedStays(t *testing.T) {
	db := games("A, B", "A, B")
	long, short := db.List[0].Game, db.List[1].Game
	short.Date = long.Date
	for _, m := range []model.Move{model.NewMove(model.E2, model.E4), model.NewMove(model.E7, model.E5), model.NewMove(model.G1, model.F3)} {
		for range 8 {
			long.Moves.Append(m)
		}
	}
	for i := range 16 {
		short.Moves.Append(long.Moves.Move(i))
	}
	short.Annotate(3, model.Text{Text: "good"})
	list, err := collect.Duplicates(ctx, db, collect.DuplicateOptions{})
	if err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
	list, err = collect.Duplicates(ctx, db, collect.DuplicateOptions{Unite: true})
	if err != nil || len(list) != 1 || list[0] != (collect.Duplicate{Keep: 1, Drop: 2, Reason: collect.Contained}) {
		t.Fatalf("%v, %v", list, err)
	}
	united := collect.Unite(long, short)
	if !united.Moves.Equal(&long.Moves) || len(united.Annotations) != 1 || united.Annotations[0].Node != 3 {
		t.Errorf("%d moves, %v", united.Moves.Len(), united.Annotations)
	}
}

// A united game has all lines and all annotations of both.
func TestUnite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		db := gen.Database(gen.Config{}).Draw(t, "db")
		for _, rec := range db.List {
			if rec.Game == nil || rec.Game.MovesErr != nil || hasTwins(&rec.Game.Moves) {
				continue
			}
			united := collect.Unite(rec.Game, rec.Game)
			if !united.Moves.Equal(&rec.Game.Moves) || len(united.Annotations) != len(rec.Game.Annotations) {
				t.Fatalf("record %d: a game united with itself is another one", rec.ID)
			}
			bare := rec.Game.Clone()
			collect.StripGame(bare, collect.Variations|collect.Annotations)
			if again := collect.Unite(bare, rec.Game); !again.Moves.Equal(&united.Moves) || len(again.Annotations) > len(united.Annotations) {
				t.Fatalf("record %d: %d moves, %d annotations; want %d, %d", rec.ID,
					again.Moves.Len(), len(again.Annotations), united.Moves.Len(), len(united.Annotations))
			}
		}
	})
}

// Main lines that differ are no hindrance: that of the second game becomes a variation.
func TestUniteMainLines(t *testing.T) {
	one, other := model.NewGame(), model.NewGame()
	e4, e5, c5 := model.NewMove(model.E2, model.E4), model.NewMove(model.E7, model.E5), model.NewMove(model.C7, model.C5)
	one.Moves.Append(e4)
	one.Moves.Append(e5)
	other.Moves.Append(e4)
	other.Annotate(other.Moves.Append(c5), model.Text{Text: "Sicilian"})
	united := collect.Unite(one, other)
	if m := &united.Moves; m.Len() != 3 || m.MainLen() != 2 || m.Move(1) != e5 || m.Move(2) != c5 || m.NextAlternative(1) != 2 {
		t.Errorf("%+v", united.Moves)
	}
	if len(united.Annotations) != 1 || united.Annotations[0].Node != 2 {
		t.Errorf("%+v", united.Annotations)
	}
}

// hasTwins reports whether a move is there twice after the same one.
func hasTwins(t *model.Tree) bool {
	seen := map[model.Node]bool{}
	for _, n := range t.Nodes() {
		n.Next = model.NoNode
		if seen[n] {
			return true
		}
		seen[n] = true
	}
	return false
}

func TestStrip(t *testing.T) {
	g := model.NewGame()
	b := new(model.TreeBuilder)
	e4 := b.Add(model.NoNode, model.NewMove(model.E2, model.E4))
	b.Add(e4, model.NewMove(model.E7, model.E5))
	b.Add(e4, model.NewMove(model.C7, model.C5))
	g.SetMoves(nil, b.Tree())
	g.Annotate(model.NoNode, model.Text{Text: "start"})
	g.Annotate(1, model.Symbols{Move: 1})
	g.Annotate(2, model.Text{Text: "Sicilian"})
	for parts, want := range map[collect.Parts]string{
		collect.Comments: "3 moves [symbols]", collect.Symbols: "3 moves [text text]", collect.Variations: "2 moves [text symbols]",
		collect.Annotations: "3 moves []", collect.Variations | collect.Comments: "2 moves [symbols]", collect.Clocks: "3 moves [text symbols text]",
	} {
		c := g.Clone()
		collect.StripGame(c, parts)
		var kinds []model.Kind
		for _, a := range c.Annotations {
			kinds = append(kinds, a.Value.Kind())
		}
		if got := fmt.Sprintf("%d moves %v", c.Moves.Len(), kinds); got != want {
			t.Errorf("%b: %s, want %s", parts, got, want)
		}
	}
}

// faulty is a source of which one record cannot be read with its moves.
type faulty struct {
	model.Numbered
	id model.RecordID
}

func (f faulty) fail(records iter.Seq2[model.Record, error], want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		for rec, err := range records {
			if rec.ID == f.id && !want.OnlyHeaders() {
				rec, err = model.Record{ID: f.id}, errors.New("cannot be read")
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

func (f faulty) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return f.fail(f.Numbered.Records(ctx, from, want), want)
}

func (f faulty) RecordsOf(ctx context.Context, ids iter.Seq[model.RecordID], want model.Want) iter.Seq2[model.Record, error] {
	return f.fail(f.Numbered.RecordsOf(ctx, ids, want), want)
}

// What is read by its number comes in the order, and in the groups, in which it comes
// through a temporary file; each record that cannot be read is told once.
func TestNumberedIsTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("sorts and splits a large database twice")
	}
	src := faulty{twic(t).(model.Numbered), 1000}
	var sorted, grouped [2]string
	for i, s := range []model.Source{src, struct{ model.Source }{src}} {
		var lost []model.RecordID
		seen := map[model.RecordID]int{}
		opt := collect.Options{
			OnError:  func(id model.RecordID, _ error) error { lost = append(lost, id); return nil },
			OnRecord: func(r *model.Record) { seen[r.ID]++ },
		}
		text := func(part model.Source) string {
			var b strings.Builder
			must.Do(t, model.Copy(ctx, jsonl.NewWriter(&b, jsonl.WriterOptions{AcceptLosses: true}), part, model.CopyOptions{}))
			return b.String()
		}
		in := must.Get(collect.Sort(ctx, s, []collect.Order{{Key: "black"}, {Key: "plies", Descending: true}}, opt))(t)
		sorted[i] = text(in)
		if in.Origin(1) == 0 || in.Origin(6116) == 0 || in.Origin(6117) != 0 {
			t.Error("records came from nowhere")
		}
		groups := must.Get(collect.Split(ctx, s, "eco", opt))(t)
		for group := range must.All(t, groups.All()) {
			grouped[i] += group.Name + "\n" + text(group)
		}
		if !slices.Equal(lost, []model.RecordID{1000, 1000}) || len(seen) != 6116 || seen[1] != 2 {
			t.Errorf("not read: %v; %d records seen, the first %d times", lost, len(seen), seen[1])
		}
		if err := errors.Join(in.Close(), groups.Close()); err != nil {
			t.Error(err)
		}
	}
	if sorted[0] != sorted[1] {
		t.Error("sorted by number they are others")
	}
	if grouped[0] != grouped[1] {
		t.Error("grouped by number they are others")
	}
}

func TestCompare(t *testing.T) {
	db := load(t, twic(t))
	changed := load(t, db)
	changed.List = slices.Delete(changed.List, 9, 10) // record 10
	changed.List[0].Game = changed.List[0].Game.Clone()
	changed.List[0].Game.WhiteElo = 1
	changed.List[4].Game = changed.List[4].Game.Clone()
	changed.List[4].Game.Annotate(3, model.Text{Text: "why?"})
	changed.AddGame(model.NewGame())
	checkChanges(t, db, changed, "1>1 whiteElo 5>5 annotations 10>0 0>6118")
	for _, same := range []model.Source{load(t, db), collect.NewUnion(db), twic(t)} {
		if changes, err := collect.Compare(ctx, db, same, collect.Options{}); err != nil || len(changes) > 0 {
			t.Errorf("no difference: %d changes, %v", len(changes), err)
		}
	}
}

// Names of odd bytes are told apart: each has one part, and stands together when sorted.
func TestOddNames(t *testing.T) {
	names := []string{"", "\x00", "\x00\x00", "\x01", "\x00\x01", "A", "A\x00", "A\x01", "AB", "12", "000000000012"}
	db := &model.Database{}
	for i := range 300 {
		g := model.NewGame()
		g.White = db.Tables.Players.Intern(model.Player{LastName: names[i%len(names)]})
		g.Date.Year = uint16(i % 7)
		db.AddGame(g)
	}
	groups := must.Get(collect.Split(ctx, db, "white", collect.Options{}))(t)
	defer groups.Close()
	var parts []string
	for group := range must.All(t, groups.All()) {
		parts = append(parts, group.Name)
		for rec := range group.Records(ctx, 1, model.WantHeaders) {
			if got := group.Entities().Players.Value(rec.Game.White).String(); got != group.Name {
				t.Fatalf("%q in part %q", got, group.Name)
			}
		}
	}
	if want := slices.Sorted(slices.Values(names)); !slices.Equal(parts, want) {
		t.Errorf("parts %q, want %q", parts, want)
	}
	for _, by := range []collect.Order{{Key: "white"}, {Key: "white", Descending: true}} {
		sorted := must.Get(collect.Sort(ctx, db, []collect.Order{by, {Key: "date"}}, collect.Options{}))(t)
		var met []string
		for rec := range sorted.Records(ctx, 1, model.WantHeaders) {
			met = append(met, sorted.Entities().Players.Value(rec.Game.White).String())
		}
		if met = slices.Compact(met); len(met) != len(names) {
			t.Errorf("%v: %q", by, met)
		}
		if err := sorted.Close(); err != nil {
			t.Error(err)
		}
	}
}

// The ratings of both sides are keys of their own; games without one come last.
func TestSortByElo(t *testing.T) {
	db := games("A", "B", "C")
	for i, elo := range [][2]uint16{{2500, 0}, {0, 2600}, {2400, 2700}} {
		h := &db.List[i].Game.Header
		h.WhiteElo, h.BlackElo = elo[0], elo[1]
	}
	for by, want := range map[string]string{"elo": "1 2 3", "white-elo": "3 1 2", "-white-elo": "1 3 2", "black-elo": "2 3 1", "-black-elo": "3 2 1"} {
		orders := must.Get(collect.ParseOrders(by))(t)
		sorted := must.Get(collect.Sort(ctx, db, orders, collect.Options{}))(t)
		var got []string
		for rec := range must.All(t, sorted.Records(ctx, 1, model.WantHeaders)) {
			got = append(got, map[uint16]string{2500: "1", 0: "2", 2400: "3"}[rec.Game.WhiteElo])
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("by %s: %s, want %s", by, text, want)
		}
		must.Do(t, sorted.Close())
	}
}

// Words that nothing knows are refused before anything is read.
func TestUnknownWords(t *testing.T) {
	_, sorting := collect.Sort(ctx, nil, []collect.Order{{Key: "colour"}}, collect.Options{})
	_, splitting := collect.Split(ctx, nil, "colour", collect.Options{})
	_, comparing := collect.Duplicates(ctx, nil, collect.DuplicateOptions{Prefer: "oldest"})
	for want, err := range map[string]error{"no key to sort by": sorting, "no way to split": splitting, "no rule": comparing} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
