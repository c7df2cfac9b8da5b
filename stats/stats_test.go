package stats_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/stats"
)

// games reads games of PGN.
func games(text string) *model.Database {
	db, err := model.Load(context.Background(), pgn.NewReader(strings.NewReader(text), pgn.ReaderOptions{}))
	if err != nil {
		panic(err)
	}
	return db
}

// twic opens the database of 6,117 games.
func twic(t testing.TB) read.Database {
	t.Helper()
	db := must.Get(read.Open(corpus.Path(t, "cbh/twic1134/twic1134.cbh"), read.Options{}))(t)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// FIDE's own examples and both ends of its table.
func TestRatingDifference(t *testing.T) {
	for percent, want := range map[int]int{-1: -800, 0: -800, 1: -677, 33: -125, 49: -7, 50: 0, 51: 7, 65: 110, 67: 125, 99: 677, 100: 800, 101: 800} {
		if got := stats.RatingDifference(percent); got != want {
			t.Errorf("%d%%: %d, want %d", percent, got, want)
		}
	}
	for average, want := range map[int]int{0: 0, 2250: 0, 2251: 1, 2275: 1, 2276: 2, 2726: 20, 2750: 20, 2751: 21} {
		if got := stats.Category(average); got != want {
			t.Errorf("average %d: category %d, want %d", average, got, want)
		}
	}
}

// A tally worked out by hand: 2½ of 4 rated and played games against 2600, 2500,
// 2400 and 2501 is 62.5 percent, which is 63 and so 95 above 2500.
func TestTally(t *testing.T) {
	var tally stats.Tally
	for _, g := range []struct {
		result   model.Result
		as       model.Color
		opponent uint16
	}{
		{model.WhiteWins, model.White, 2600},
		{model.WhiteWins, model.Black, 2500},
		{model.Draw, model.Black, 2400},
		{model.BlackWins, model.Black, 2501},
		{model.NoResult, model.White, 2800},         // says nothing yet
		{model.BlackWins, model.White, 0},           // no rating
		{model.WhiteWinsByForfeit, model.White, 10}, // not played
		{model.BothLose, model.White, 10},
	} {
		tally.Add(g.result, g.as, 2700, g.opponent)
	}
	got := must.Get(json.Marshal(tally))(t)
	want := `{"games":8,"wins":3,"draws":1,"losses":3,"unfinished":1,"points":3.5,"percent":50,` +
		`"averageElo":2700,"averageOpponent":1832,"performance":2595}`
	if string(got) != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if _, known := new(stats.Tally).Percent(); known || new(stats.Tally).Performance() != 0 {
		t.Error("no games have a score")
	}
}

// naive is what a list should say of a player, counted game by game by name.
type naive struct {
	games, white int
	first, last  int
	low, high    int
}

func (n *naive) add(year, elo uint16) {
	n.games++
	if y := int(year); y != 0 {
		n.last = max(n.last, y)
		if n.first == 0 || y < n.first {
			n.first = y
		}
	}
	if e := int(elo); e != 0 {
		n.high = max(n.high, e)
		if n.low == 0 || e < n.low {
			n.low = e
		}
	}
}

// The list of players of a real database is that of naive counts.
func TestPlayersOfRealDatabase(t *testing.T) {
	db, ctx := twic(t), context.Background()
	want := map[model.Player]*naive{}
	at := func(id model.EntityID) *naive {
		p := db.Entities().Players.Value(id)
		if want[p] == nil {
			want[p] = &naive{}
		}
		return want[p]
	}
	for rec := range must.All(t, db.Records(ctx, 1, model.WantHeaders)) {
		if g := rec.Game; g != nil && !rec.Deleted {
			at(g.White).add(g.Date.Year, g.WhiteElo)
			at(g.White).white++
			at(g.Black).add(g.Date.Year, g.BlackElo)
		}
	}
	list := must.Get(stats.List(ctx, db, stats.Players, stats.Options{}))(t)
	if list.Len() != len(want) || list.Len() < 2700 {
		t.Errorf("%d players, want %d", list.Len(), len(want))
	}
	for e := range list.All() {
		w := want[db.Entities().Players.Value(e.ID)]
		if got := (naive{e.Games, e.White, e.FirstYear, e.LastYear, e.MinElo, e.MaxElo}); got != *w || e.Black != e.Games-e.White {
			t.Errorf("%s: %+v, want %+v", e.Name, got, *w)
		}
	}
}

const four = `[Event "Spring"]
[Site "Oslo NOR"]
[Date "1999.03.01"]
[White "Hand, Fred"]
[Black "Foot, Jan"]
[WhiteElo "2500"]
[Result "1-0"]
[Annotator "Eye"]
[ECO "C50"]

1. e4 e5 1-0

[Event "Spring"]
[Site "Oslo NOR"]
[Date "2001.03.01"]
[White "Foot, Jan"]
[Black "Hand, Fred"]
[BlackElo "2550"]
[WhiteElo "2400"]
[Result "1/2-1/2"]
[ECO "B20"]

1. e4 c5 1/2-1/2

[Event "Autumn"]
[White "Hand, Fred"]
[Black "Nose, Ole"]
[Result "*"]

1. d4 *
`

// Deleted games and entities without a name do not count.
func TestList(t *testing.T) {
	db := games(four)
	gone := db.List[1].Clone()
	gone.ID, gone.Deleted = 4, true
	db.List = append(db.List, gone)
	for _, c := range []struct {
		kind  stats.Kind
		order string
		want  string
	}{
		{stats.Players, "games", "Hand, Fred 3 1999-2001 2500-2550; Foot, Jan 2 1999-2001 2400-2400; Nose, Ole 1 0-0 0-0"},
		{stats.Players, "name", "Foot, Jan 2 1999-2001 2400-2400; Hand, Fred 3 1999-2001 2500-2550; Nose, Ole 1 0-0 0-0"},
		{stats.Tournaments, "year", "Spring 1 2001-2001 2400-2550; Spring 1 1999-1999 2500-2500; Autumn 1 0-0 0-0"},
		{stats.Tournaments, "name", "Autumn 1 0-0 0-0; Spring 1 1999-1999 2500-2500; Spring 1 2001-2001 2400-2550"},
		{stats.Annotators, "games", "Eye 1 1999-1999 0-0"},
		{stats.Sources, "games", ""},
	} {
		list := must.Get(stats.List(context.Background(), db, c.kind, stats.Options{}))(t)
		must.Do(t, list.Sort(c.order))
		if got := listed(list); got != c.want {
			t.Errorf("%v: %s\nwant %s", c.kind, got, c.want)
		}
		if err := list.Sort("age"); err == nil {
			t.Errorf("%v: sorted by age", c.kind)
		}
	}
}

// The scores of a player are added up by hand.
func TestScores(t *testing.T) {
	db := games(four)
	hand := func(_ model.EntityID, p model.Player) bool { return p.LastName == "Hand" }
	foot := func(_ model.EntityID, p model.Player) bool { return p.LastName == "Foot" }
	score := func(opt stats.ScoreOptions) *stats.ScoreBoard {
		return must.Get(stats.Scores(context.Background(), db, opt))(t)
	}
	all := score(stats.ScoreOptions{})
	if all.All.Games() != 3 || all.All.Wins != 1 || all.White != nil || all.Black != nil || all.FirstYear != 1999 {
		t.Errorf("all games: %+v", all)
	}
	one := score(stats.ScoreOptions{Player: hand})
	if one.All.Games() != 3 || one.White.Games() != 2 || one.Black.Draws != 1 || len(one.Players) != 1 || len(one.Openings) != 3 {
		t.Errorf("one player: %+v", one)
	}
	if last := one.Years[len(one.Years)-1]; len(one.Years) != 3 || one.Years[0].Year != 0 || last.Year != 2001 || last.All.Performance() != 2400 {
		t.Errorf("years: %+v", one.Years)
	}
	two := score(stats.ScoreOptions{Player: hand, Versus: foot})
	if two.All.Games() != 2 || two.All.Points() != 1.5 || len(two.Opponents) != 1 {
		t.Errorf("two players: %+v", two)
	}
	both := score(stats.ScoreOptions{Player: func(model.EntityID, model.Player) bool { return true }})
	if both.All.Games() != 6 || len(both.Players) != 3 {
		t.Errorf("a game between two who were chosen counts for both: %+v", both)
	}
}

// Games without a code count for the opening of their position; where moves are read a
// second time for that, the answer is the same.
func TestScoresFindOpenings(t *testing.T) {
	db := games(`[White "A"]
[Black "B"]

1. e4 c6 2. d4 d5 1-0

[White "A"]
[Black "C"]
[ECO "E99"]

1. e4 c6 2. d4 d5 1-0

[White "D"]
[Black "A"]

1. d4 d5 2. e4 c6 3. exd5 cxd5 1/2-1/2

[White "D"]
[Black "C"]
[FEN "8/8/8/8/8/4k3/8/4K3 w - - 0 1"]

1. Kd1 *
`)
	for name, want := range map[string]string{"": "B12 1, no code 1, B13 1, E99 1", "A": "B12 1, B13 1, E99 1"} {
		for _, twice := range []bool{false, true} {
			opt := stats.ScoreOptions{}
			if twice {
				opt.Again = db
			}
			if name != "" {
				opt.Player = func(_ model.EntityID, p model.Player) bool { return p.LastName == name }
			}
			board := must.Get(stats.Scores(t.Context(), db, opt))(t)
			var got []string
			for _, o := range board.Openings {
				got = append(got, fmt.Sprintf("%s %d", cmp.Or(o.ECO, "no code"), o.All.Games()))
			}
			slices.Sort(got)
			if list := strings.Split(want, ", "); !slices.Equal(got, slices.Sorted(slices.Values(list))) {
				t.Errorf("%q, twice %v: %q", name, twice, got)
			}
		}
	}
}

// The score of a real database is that of its results.
func TestScoresOfRealDatabase(t *testing.T) {
	db, ctx := twic(t), context.Background()
	results := map[model.Result]int{}
	for rec := range must.All(t, db.Records(ctx, 1, model.WantHeaders)) {
		if rec.Game != nil && !rec.Deleted {
			results[rec.Game.Result]++
		}
	}
	board := must.Get(stats.Scores(ctx, db, stats.ScoreOptions{}))(t)
	all := &board.All
	if all.Wins != results[model.WhiteWins]+results[model.WhiteWinsByForfeit] || all.Draws != results[model.Draw] ||
		all.Unfinished != results[model.NoResult] || all.Games() < 6000 {
		t.Errorf("%+v, counted %v", all, results)
	}
	sum := 0
	for i := range board.Openings {
		sum += board.Openings[i].All.Games()
	}
	if sum != all.Games() {
		t.Errorf("openings have %d games of %d", sum, all.Games())
	}
}

// A record that cannot be read ends the work, unless somebody decides otherwise.
func TestUnreadable(t *testing.T) {
	text := "[White \"A\"]\n\n1. e4 e9 *\n\n[White \"B\"]\n\n1. e4 *\n"
	open := func() model.Source { return pgn.NewReader(strings.NewReader(text), pgn.ReaderOptions{}) }
	if _, err := stats.List(context.Background(), open(), stats.Players, stats.Options{}); err == nil {
		t.Error("no error")
	}
	told := 0
	opt := stats.Options{OnError: func(model.RecordID, error) error { told++; return nil }}
	if list, err := stats.List(context.Background(), open(), stats.Players, opt); err != nil || listed(list) != "B 1 0-0 0-0" || told != 1 {
		t.Errorf("%v, %d told", err, told)
	}
	stop := errors.New("stop")
	opt.OnError = func(model.RecordID, error) error { return stop }
	if _, err := stats.Scores(context.Background(), open(), stats.ScoreOptions{Options: opt}); !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := stats.List(ctx, open(), stats.Players, stats.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// An id that refers to nothing costs nothing: a single damaged header would else
// take memory for all ids up to it.
func TestReferencesToNothing(t *testing.T) {
	db := games("[Event \"E\"]\n[White \"A\"]\n[Black \"B\"]\n\n1. e4 1-0\n")
	const nowhere = 1<<24 - 1
	g := db.List[0].Game
	g.White, g.Tournament, g.Source = nowhere, nowhere, nowhere
	ctx := context.Background()
	for name, run := range map[string]func() error{
		"players":     func() error { _, err := stats.List(ctx, db, stats.Players, stats.Options{}); return err },
		"tournaments": func() error { _, err := stats.List(ctx, db, stats.Tournaments, stats.Options{}); return err },
		"sources":     func() error { _, err := stats.List(ctx, db, stats.Sources, stats.Options{}); return err },
		"scores": func() error {
			_, err := stats.Scores(ctx, db, stats.ScoreOptions{Player: func(model.EntityID, model.Player) bool { return true }})
			return err
		},
		"editions": func() error { _, err := stats.Editions(ctx, db, "E", stats.Options{}); return err },
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := run()
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; err != nil || used > 8<<20 {
			t.Errorf("%s: %v, %d bytes", name, err, used)
		}
	}
}
