package collect_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"cbkit/board"
	"cbkit/collect"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/write"

	"pgregory.net/rapid"
)

// inMemory is a base in memory.
type inMemory struct{ *model.Database }

// Record implements [collect.Base].
func (b inMemory) Record(ctx context.Context, id model.RecordID, want model.Want) (model.Record, error) {
	for rec, err := range b.Records(ctx, id, want) {
		return rec, err
	}
	return model.Record{}, model.ErrNoRecord
}

// sheet is a game as it is written down: PGN.
type sheet struct {
	white, black, event, date, round, result string
	moves                                    []string
	note                                     bool
}

func (s *sheet) String() string {
	var b strings.Builder
	for _, tag := range [][2]string{{"Event", s.event}, {"Date", s.date}, {"Round", s.round}, {"White", s.white}, {"Black", s.black}, {"Result", s.result}} {
		if tag[1] != "" {
			fmt.Fprintf(&b, "[%s %q]\n", tag[0], tag[1])
		}
	}
	b.WriteByte('\n')
	for i, m := range s.moves {
		if i%2 == 0 {
			fmt.Fprintf(&b, "%d. ", i/2+1)
		}
		b.WriteString(m + " ")
		if i == 0 && s.note {
			b.WriteString("{noted} ")
		}
	}
	return b.String() + s.result + "\n\n"
}

// play returns random moves, so many unless the game ends before.
func play(r *rand.Rand, plies int) (moves []string) {
	start := model.StartPosition()
	pos, err := board.New(&start)
	if err != nil {
		panic(err)
	}
	for range plies {
		legal := pos.AppendLegal(nil)
		if len(legal) == 0 {
			break
		}
		m := legal[r.IntN(len(legal))]
		moves = append(moves, pos.SAN(m))
		pos.Make(m)
	}
	return moves
}

// copyOf returns a game as somebody else has it: with other spellings, shorter, without
// what is not known, or with what is wrong.
func copyOf(r *rand.Rand, s sheet, wrong bool) sheet {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	s.white = pick(s.white, s.white, strings.ReplaceAll(s.white, "w", "v"), strings.Split(s.white, ",")[0])
	if r.IntN(3) == 0 {
		s.moves = s.moves[:max(1, len(s.moves)-r.IntN(5))]
	}
	s.note = r.IntN(3) == 0
	s.round = pick(s.round, s.round, "")
	if s.date = pick(s.date, s.date, s.date, s.date[:4]+".??.??", ""); wrong && r.IntN(3) == 0 {
		s.date, s.event = pick("1999.01.01", "2024.02.20", "2024.03.01"), pick(s.event, "Other")
	}
	if wrong && r.IntN(6) == 0 {
		s.result = pick("1-0", "0-1", "*")
	}
	return s
}

// databaseOf reads games.
func databaseOf(t must.TB, sheets []sheet) *model.Database {
	var text strings.Builder
	for i := range sheets {
		text.WriteString(sheets[i].String())
	}
	return pgnOf(t, text.String())
}

// pgnOf reads games of PGN.
func pgnOf(t must.TB, text string) *model.Database {
	db, err := model.Load(ctx, pgn.NewReader(strings.NewReader(text), pgn.ReaderOptions{}))
	if err != nil && text != "" {
		t.Fatal(err)
	}
	return db
}

// draw returns games of which many are copies of few.
func draw(r *rand.Rand, n int, wrong bool, originals []sheet) (list []sheet) {
	for range n {
		list = append(list, copyOf(r, originals[r.IntN(len(originals))], wrong))
	}
	return list
}

// drawOriginals returns games of some players.
func drawOriginals(r *rand.Rand, n int, shortest int) (list []sheet) {
	players := []string{"Wagner, Willi", "Petrow, Anna", "Kowalski, Jan", "Smith, J"}
	for i := range n {
		list = append(list, sheet{
			white: players[r.IntN(len(players))], black: players[r.IntN(len(players))], event: "Open", date: fmt.Sprintf("2024.02.%02d", r.IntN(28)+1),
			round: fmt.Sprint(i%9 + 1), result: []string{"1-0", "0-1", "1/2-1/2"}[r.IntN(3)], moves: play(r, shortest+r.IntN(60)),
		})
		for len(list[i].moves) < shortest { // mated at once
			list[i].moves = play(r, shortest)
		}
	}
	return list
}

// textsOf returns the games of a source as PGN, in order.
func textsOf(t must.TB, src model.Source, list []collect.Duplicate) []string {
	rest := must.Get(collect.Without(ctx, src, list, nil, nil, nil))(t)
	var texts []string
	for rec := range must.All(t, rest.Records(ctx, 1, model.WantAll)) {
		if rec.Game != nil && !rec.Deleted {
			texts = append(texts, textOf(&rec, rest.Entities()))
		}
	}
	slices.Sort(texts)
	return texts
}

// moveMark stands in a text before the moves.
const moveMark = "\x00"

// movesIn are the moves of texts, without the results.
func movesIn(texts []string) (list []string) {
	for _, text := range texts {
		_, moves, _ := strings.Cut(text, moveMark)
		words := strings.Fields(moves)
		list = append(list, strings.Join(words[:len(words)-1], " "))
	}
	slices.Sort(list)
	return list
}

func textOf(rec *model.Record, e *model.Entities) string {
	return fmt.Sprint(rec.Header(e)) + moveMark + pgn.MoveText(rec.Game)
}

// added returns a base with what is added and replaced.
func added(t must.TB, base, week *model.Database, a *collect.Additions) *model.Database {
	by := map[model.RecordID]model.RecordID{}
	for _, r := range a.Replace {
		by[r.Base] = r.By
	}
	both := must.Get(model.Load(ctx, collect.NewUnion(base, week)))(t)
	size := model.RecordID(base.Count())
	result := &model.Database{Tables: both.Tables}
	take := func(id model.RecordID) { result.AddGame(both.List[id-1].Game) }
	for id := range size {
		switch id++; {
		case by[id] != 0:
			take(size + by[id])
		case !slices.Contains(a.Drop, id):
			take(id)
		}
	}
	for _, id := range a.Add {
		take(size + id)
	}
	return result
}

func duplicatesIn(t must.TB, src model.Source) []collect.Duplicate {
	list := must.Get(collect.Duplicates(ctx, src, collect.DuplicateOptions{}))(t)
	return list
}

// Games of many weeks that are added to a base leave none twice; with Improve the base
// has after each week what is left of both without duplicates.
func TestAdditions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		wrong, improve := rapid.Bool().Draw(t, "wrong"), rapid.Bool().Draw(t, "improve")
		shortest := rapid.SampledFrom([]int{2, 30}).Draw(t, "plies")
		originals := drawOriginals(r, rapid.IntRange(1, 12).Draw(t, "originals"), shortest)
		base := databaseOf(t, draw(r, 20, wrong, originals))
		base = added(t, &model.Database{}, base, &collect.Additions{Add: kept(base, duplicatesIn(t, base))})
		for range 4 {
			week := databaseOf(t, draw(r, rapid.IntRange(1, 12).Draw(t, "games"), wrong, originals))
			a := must.Get(collect.FindAdditions(ctx, week, inMemory{base}, collect.AdditionOptions{Improve: improve}))(t)
			if n := a.New + a.Known + a.Better + a.Repeated + a.Uncompared; n != week.Count() || improve != (a.Better == len(a.Replace)) && a.Better > 0 {
				t.Fatalf("%+v of %d games", a, week.Count())
			}
			result := added(t, base, week, a)
			if improve && len(duplicatesIn(t, base)) == 0 { // what it has twice itself stays
				union := collect.NewUnion(base, week)
				want := textsOf(t, union, duplicatesIn(t, union))
				// What takes a place has the header that was there.
				if got := textsOf(t, result, nil); !slices.Equal(movesIn(got), movesIn(want)) {
					t.Fatalf("%+v: have\n%s\nwant\n%s", a, strings.Join(got, "\n\n"), strings.Join(want, "\n\n"))
				}
			}
			if list := duplicatesIn(t, result); !wrong && len(list) > 0 {
				t.Fatalf("%+v: twice: %v", a, list)
			}
			again := must.Get(collect.FindAdditions(ctx, week, inMemory{result}, collect.AdditionOptions{Improve: improve}))(t)
			// Of shorter ones without a date nobody knows, and what is wrong makes games the same
			// only by way of others, which may go.
			if shortest > 8 && (!wrong || !improve) && again.New+len(again.Replace)+len(again.Drop) > 0 {
				t.Fatalf("%+v, and again %+v", a, again)
			}
			base = result
		}
	})
}

// A game of which little is known is the same as two that contradict each other: all three
// are one set, in whatever order they stand.
func TestSetsDoNotDependOnOrder(t *testing.T) {
	moves := play(rand.New(rand.NewPCG(1, 1)), 40)
	of := func(result, date string) sheet {
		return sheet{white: "Smith, J", black: "Wagner, Willi", event: "Open", date: date, round: "8", result: result, moves: moves}
	}
	won, lost, unknown := of("1-0", ""), of("0-1", "2024.02.19"), of("*", "2024.??.??")
	for _, order := range [][]sheet{
		{won, unknown, lost}, {won, lost, unknown}, {unknown, won, lost}, {unknown, lost, won}, {lost, won, unknown}, {lost, unknown, won},
		{lost, won, unknown, lost}, {lost, unknown, lost, won},
	} {
		if list := duplicatesIn(t, databaseOf(t, order)); len(list) != len(order)-1 {
			t.Errorf("%v: %v", order, list)
		}
	}
}

// A line of an opening, of which no names are known, is no part of another one that goes on.
func TestLinesWithoutNames(t *testing.T) {
	moves := play(rand.New(rand.NewPCG(2, 1)), 40)
	line := func(white string, plies int) sheet {
		return sheet{white: white, black: "?", event: "?", date: "????.??.??", round: "?", result: "*", moves: moves[:plies]}
	}
	if list := duplicatesIn(t, databaseOf(t, []sheet{line("?", 14), line("?", 30), line("?", 40), line("?", 30)})); len(list) != 1 {
		t.Errorf("%v", list)
	}
	if list := duplicatesIn(t, databaseOf(t, []sheet{line("Smith, J", 14), line("Smith, J", 30)})); len(list) != 1 {
		t.Errorf("%v", list)
	}
}

// What begins two games with different moves is a part of one of them, and does not make
// one of them go, in whatever order they stand.
func TestGamesWithOneBeginning(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	begins := play(r, 16)
	of := func(date, result string, more ...string) sheet {
		return sheet{white: "Smith, J", black: "Wagner, Willi", event: "Open", date: date, round: "?", result: result, moves: slices.Concat(begins, more)}
	}
	pos := board.Start()
	for _, san := range begins {
		m := must.Get(pos.ParseSAN(san))(t)
		pos.Make(m)
	}
	legal := pos.AppendLegal(nil)
	part := of("????.??.??", "*")
	one, other := of("2020.01.01", "1-0", pos.SAN(legal[0])), of("2021.01.01", "1-0", pos.SAN(legal[1]))
	for _, order := range [][]sheet{{part, one, other}, {one, part, other}, {other, one, part}, {one, other, part, part}} {
		for _, d := range duplicatesIn(t, databaseOf(t, order)) {
			if got := order[d.Drop-1]; got.result != "*" {
				t.Errorf("%v: %v goes", order, got)
			}
		}
		week := databaseOf(t, order[1:])
		a := must.Get(collect.FindAdditions(ctx, week, inMemory{databaseOf(t, order[:1])}, collect.AdditionOptions{}))(t)
		result := added(t, databaseOf(t, order[:1]), week, a)
		whole := 0
		for _, rec := range result.List {
			if rec.Game.Moves.MainLen() == len(begins)+1 {
				whole++
			}
		}
		if whole+a.Better != 2 {
			t.Errorf("%v: %d of two games are there; %+v", order, whole, a)
		}
	}
}

// Games that nobody dated, of the same two players and with one beginning, of which others
// are no more: what is kept of them grows with their number alone.
func TestCostOfOneBeginning(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	begins := play(r, 12)
	pos := board.Start()
	for _, san := range begins {
		m := must.Get(pos.ParseSAN(san))(t)
		pos.Make(m)
	}
	allocated := func(n int) float64 {
		var sheets []sheet
		for i := range n {
			s := sheet{white: "Engine, A", black: "Engine, B", event: "Match", date: "????.??.??", round: "?", result: "*", moves: begins}
			if p := pos; i%10 > 0 {
				for range 4 {
					legal := p.AppendLegal(nil)
					if len(legal) == 0 {
						break
					}
					m := legal[r.IntN(len(legal))]
					s.moves = append(slices.Clip(s.moves), p.SAN(m))
					p.Make(m)
				}
			}
			sheets = append(sheets, s)
		}
		db := databaseOf(t, sheets)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		list := duplicatesIn(t, db)
		runtime.ReadMemStats(&after)
		if len(list) < n/10 {
			t.Fatalf("%d duplicates of %d games", len(list), n)
		}
		return float64(after.TotalAlloc-before.TotalAlloc) / float64(n)
	}
	if few, many := allocated(500), allocated(4000); many > 2*few {
		t.Errorf("%.0f bytes a game of 500, %.0f of 4,000", few, many)
	}
}

// kept are the ids of a database but for those that are dropped.
func kept(db *model.Database, list []collect.Duplicate) (ids []model.RecordID) {
	for id := range model.RecordID(db.Count()) {
		if !slices.ContainsFunc(list, func(d collect.Duplicate) bool { return d.Drop == id+1 }) {
			ids = append(ids, id+1)
		}
	}
	return ids
}

// said is what additions say.
func said(a *collect.Additions) string {
	return fmt.Sprint(a.Add, a.Replace, a.Drop, a.New, a.Known, a.Better, a.Repeated, a.Uncompared, a.Filled, a.Headers)
}

// An index in the place of the scan is asked for the same games, and may give more.
func TestCandidates(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	originals := drawOriginals(r, 10, 30)
	base, week := databaseOf(t, draw(r, 40, false, originals)), databaseOf(t, draw(r, 20, false, originals))
	all := func(context.Context, []collect.MainLine) (ids []model.RecordID, err error) {
		for id := range model.RecordID(base.Count()) {
			ids = append(ids, model.RecordID(base.Count())-id)
		}
		return ids, nil
	}
	want := must.Get(collect.FindAdditions(ctx, week, inMemory{base}, collect.AdditionOptions{Improve: true}))(t)
	opt := collect.AdditionOptions{Improve: true}
	opt.Ask(all)
	got, err := collect.FindAdditions(ctx, week, inMemory{base}, opt)
	if err != nil || said(got) != said(want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}

// The index of positions has all games that reading the base finds, and where there is
// none, or it does not fit, the base is read.
func TestCandidatesOfAnIndex(t *testing.T) {
	for seed := range uint64(20) {
		if testing.Short() && seed%3 > 0 {
			continue
		}
		r := rand.New(rand.NewPCG(seed, 7))
		originals := drawOriginals(r, 10, 2+28*int(seed%2))
		base, week := databaseOf(t, draw(r, 60, seed%3 == 0, originals)), databaseOf(t, draw(r, 30, seed%3 == 0, originals))
		path := filepath.Join(gen.Folder(t), "Base.cbh")
		w := must.Get(write.Create(ctx, path, write.Options{AcceptLosses: true}))(t)
		must.Do(t, model.Copy(ctx, w, base, model.CopyOptions{}))
		asked := func(wantScans, wantWarnings int) string {
			t.Helper()
			db := must.Get(read.Open(path, read.Options{}))(t)
			defer db.Close()
			scans, warnings := 0, 0
			got, err := collect.FindAdditions(ctx, week, db, collect.AdditionOptions{
				Improve: seed%5 > 0, Warn: func(error) { warnings++ }, BaseProgress: func(model.RecordID) { scans++ },
			})
			if err != nil || min(scans, 1) != wantScans || min(warnings, 1) != wantWarnings {
				t.Fatalf("seed %d: %d scans, %d warnings, %v", seed, scans, warnings, err)
			}
			return said(got)
		}
		want := asked(1, 0)
		must.Get(write.Boosters(ctx, path, write.BoosterOptions{Positions: 40}))(t)
		if got := asked(0, 0); got != want {
			t.Errorf("seed %d: %s, want %s", seed, got, want)
		}
		later := time.Now().Add(time.Hour)
		must.Do(t, os.Chtimes(path, later, later))
		if got := asked(1, 1); got != want {
			t.Errorf("seed %d: %s, want %s", seed, got, want)
		}
	}
}
