package stats_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/bulk"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/stats"

	"pgregory.net/rapid"
)

// numbered is a database whose records are read by their numbers.
type numbered struct{ *model.Database }

func (n numbered) RecordsOf(_ context.Context, ids iter.Seq[model.RecordID], _ model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		for id := range ids {
			if !yield(n.List[id-1], nil) {
				return
			}
		}
	}
}

// all returns the ids of all records.
func (n numbered) all() (ids []model.RecordID) {
	for i := range n.List {
		ids = append(ids, n.List[i].ID)
	}
	return ids
}

// summarized returns a database and the summary of a position.
func summarized(t testing.TB, src model.Source, p board.Position) (numbered, []byte) {
	t.Helper()
	db := must.Get(model.Load(context.Background(), src))(t)
	kept := must.Get(stats.Summarize(context.Background(), numbered{db}, numbered{db}.all(), p, stats.Options{}))(t)
	return numbered{db}, kept
}

// What is recalled is what Explore says, or nothing.
func TestRecallIsExplore(t *testing.T) {
	ctx := context.Background()
	recalled := 0
	for _, moves := range []string{"", "e4", "e4 c5", "e4 c5 Nf3 d6", "Nf3 d5", "h4 a5"} {
		p := position(t, moves)
		db, kept := summarized(t, bulk.New(bulk.Options{Games: 400, Seed: 3}), p)
		for _, opt := range []stats.ExploreOptions{{}, {Players: 20, Recent: 20}, {Players: 21}, {Recent: 400}, {Plies: 5}, {Players: 1, Recent: 2}} {
			want := must.Get(stats.Explore(ctx, db.Database, p, opt))(t)
			got, ok := stats.Recall(kept, nil, nil, p, db.Entities(), opt)
			if !ok {
				continue
			}
			recalled++
			a, errA := json.Marshal(got)
			b, errB := json.Marshal(want)
			if errA != nil || errB != nil || !bytes.Equal(a, b) {
				t.Errorf("%q, %+v: %s, want %s", moves, opt, a, b)
			}
			for i := range want.Moves {
				if got.Moves[i].Score != want.Moves[i].Score {
					t.Errorf("%+v, want %+v", got.Moves[i].Score, want.Moves[i].Score)
				}
			}
		}
		for what, ask := range map[string]stats.ExploreOptions{"other lines": {Plies: 5}, "all games": {Recent: 400}} {
			if r, ok := stats.Recall(kept, nil, nil, p, db.Entities(), ask); ok && (ask.Plies != 0 || r.Score.Games() > 2*20) {
				t.Errorf("%q has %s", moves, what)
			}
		}
		if _, ok := stats.Recall(kept, nil, nil, position(t, "e4 e6"), db.Entities(), stats.ExploreOptions{}); ok {
			t.Errorf("%q is another position", moves)
		}
	}
	if recalled < 15 {
		t.Errorf("%d reports were recalled", recalled)
	}
}

// A summary of games that have changed since is what Explore says of them now, or nothing.
func TestRecallOfWhatHasChanged(t *testing.T) {
	ctx := context.Background()
	told, asked := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		moves := rapid.SampledFrom([]string{"", "e4", "e4 c5", "e4 c5 Nf3 d6", "Nf3 d5", "d4 Nf6 c4"}).Draw(t, "position")
		games := rapid.SampledFrom([]int{30, 300, 900}).Draw(t, "games")
		src := must.Get(model.Load(ctx, bulk.New(bulk.Options{Games: games + 20, Seed: rapid.Uint64Range(1, 9).Draw(t, "seed")})))(t)
		p := position(t, moves)
		fewNames := rapid.Bool().Draw(t, "few names")
		for i := range src.List {
			rec := &src.List[i]
			rec.Deleted = i%13 == 5
			if fewNames {
				rec.Game.White, rec.Game.Black = rec.Game.White%11, rec.Game.Black%90
				rec.Game.WhiteElo = 2000 + rec.Game.WhiteElo%3
			}
			if i%31 == 0 {
				rec.Game.MovesErr = model.ErrCorrupt
			}
		}
		db := &model.Database{Tables: src.Tables, List: slices.Clone(src.List[:games])}
		kept := must.Get(stats.Summarize(ctx, numbered{db}, numbered{db}.all(), p, stats.Options{}))(t)
		var was, is []model.Record
		for _, at := range rapid.SliceOfNDistinct(rapid.IntRange(0, games-1), 0, rapid.SampledFrom([]int{1, 5, 20}).Draw(t, "most"), func(i int) int { return i }).Draw(t, "changed") {
			was = append(was, db.List[at])
			g := *db.List[at].Game
			other := src.List[rapid.IntRange(0, games-1).Draw(t, "other")].Game
			switch rapid.IntRange(0, 6).Draw(t, "edit") {
			case 0:
				db.List[at].Deleted = !db.List[at].Deleted
			case 1:
				g.WhiteElo, g.BlackElo = rapid.Uint16Range(0, 2900).Draw(t, "white"), other.BlackElo
			case 2:
				g.White, g.Black = other.White, other.White
			case 3:
				g.Date, g.Result = other.Date, other.Result
			case 4:
				g.Moves, g.MovesErr = other.Moves, other.MovesErr
			case 5:
				db.List[at] = model.Record{ID: db.List[at].ID, Text: &model.GuidingText{}}
			}
			if db.List[at].Game != nil {
				db.List[at].Game = &g
			}
			is = append(is, db.List[at])
		}
		for _, rec := range src.List[games : games+rapid.IntRange(0, 20).Draw(t, "new")] {
			db.List, is = append(db.List, rec), append(is, rec)
		}
		opt := stats.ExploreOptions{Players: rapid.IntRange(1, 22).Draw(t, "players"), Recent: rapid.IntRange(1, 22).Draw(t, "recent")}
		want := must.Get(stats.Explore(ctx, db, p, opt))(t)
		asked++
		got, ok := stats.Recall(kept, was, is, p, db.Entities(), opt)
		if !ok {
			return
		}
		if told++; !reflect.DeepEqual(got, want) {
			a, _ := json.Marshal(got)
			b, _ := json.Marshal(want)
			t.Fatalf("%s, want %s", a, b)
		}
		if len(is) > 0 {
			if r, ok := stats.Recall(kept, append(was, is[len(is)-1]), is, p, db.Entities(), opt); ok && r == nil {
				t.Fatal("no report")
			}
		}
	})
	if t.Logf("%d of %d reports were told", told, asked); told < asked/3 {
		t.Error("too few were told")
	}
}

// The same games give the same bytes, and what cannot be a summary is none.
func FuzzRecall(f *testing.F) {
	p := board.Start()
	db, kept := summarized(f, pgn.NewReader(strings.NewReader(sicilians), pgn.ReaderOptions{}), p)
	if _, again := summarized(f, db, p); !bytes.Equal(kept, again) {
		f.Fatalf("%s, then %s", kept, again)
	}
	f.Add(kept)
	f.Add(bytes.Replace(kept, []byte(`"Lines":"`), []byte(`"Lines":"A`), 1))
	f.Add(bytes.Replace(kept, []byte(`"Years":[`), []byte(`"Years":null,"Was":[`), 1))
	f.Add(bytes.ReplaceAll(kept, []byte(`"ID":1`), []byte(`"ID":99`)))
	f.Fuzz(func(t *testing.T, b []byte) {
		if r, ok := stats.Recall(b, db.List[:2], db.List[1:], p, db.Entities(), stats.ExploreOptions{}); ok && r == nil {
			t.Error("no report")
		}
	})
	want, err := stats.Explore(context.Background(), db, p, stats.ExploreOptions{})
	if got, ok := stats.Recall(kept, nil, nil, p, db.Entities(), stats.ExploreOptions{}); err != nil || !ok || reflect.DeepEqual(got, want) != true {
		f.Errorf("%+v, want %+v, %v", got, want, err)
	}
}

func ExampleSummarize() {
	db, err := model.Load(context.Background(), pgn.NewReader(strings.NewReader(sicilians), pgn.ReaderOptions{}))
	if err != nil {
		fmt.Println(err)
		return
	}
	p := board.Start()
	kept, err := stats.Summarize(context.Background(), numbered{db}, numbered{db}.all(), p, stats.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if report, ok := stats.Recall(kept, nil, nil, p, db.Entities(), stats.ExploreOptions{}); ok {
		for _, m := range report.Moves {
			fmt.Println(m.SAN, m.Score.Games(), m.Line)
		}
	}
	// Output:
	// e4 4 1.e4 c5 2.Nf3 d6 3.d4
	// Nf3 1 1.Nf3 c5 2.e4 Nc6 3.Bb5
}

func ExampleRecall() {
	db, err := model.Load(context.Background(), pgn.NewReader(strings.NewReader(sicilians), pgn.ReaderOptions{}))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, ok := stats.Recall([]byte("something else"), nil, nil, board.Start(), db.Entities(), stats.ExploreOptions{})
	fmt.Println(ok)
	// Output: false
}

func ExampleIsSummary() {
	ctx, p := context.Background(), board.Start()
	db, err := model.Load(ctx, pgn.NewReader(strings.NewReader(sicilians), pgn.ReaderOptions{}))
	if err != nil {
		fmt.Println(err)
		return
	}
	kept, err := stats.Summarize(ctx, numbered{db}, numbered{db}.all(), p, stats.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	was := []model.Record{db.List[0]}
	db.List[0].Deleted = true
	now, err := stats.Summarize(ctx, numbered{db}, numbered{db}.all(), p, stats.Options{})
	fmt.Println(stats.IsSummary(kept, nil, nil, now, p, db.Entities()), err)
	fmt.Println(stats.IsSummary(kept, was, db.List[:1], now, p, db.Entities()))
	// Output:
	// false <nil>
	// true
}
