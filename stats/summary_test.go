package stats_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"reflect"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/bulk"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/stats"
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
	db, err := model.Load(context.Background(), src)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := stats.Summarize(context.Background(), numbered{db}, numbered{db}.all(), p, stats.Options{})
	if err != nil {
		t.Fatal(err)
	}
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
			want, err := stats.Explore(ctx, db.Database, p, opt)
			if err != nil {
				t.Fatal(err)
			}
			got, ok := stats.Recall(kept, p, db.Entities(), opt)
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
			if r, ok := stats.Recall(kept, p, db.Entities(), ask); ok && (ask.Plies != 0 || r.Score.Games() > stats.SummaryMost) {
				t.Errorf("%q has %s", moves, what)
			}
		}
		if _, ok := stats.Recall(kept, position(t, "e4 e6"), db.Entities(), stats.ExploreOptions{}); ok {
			t.Errorf("%q is another position", moves)
		}
	}
	if recalled < 15 {
		t.Errorf("%d reports were recalled", recalled)
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
	f.Add(bytes.Replace(kept, []byte(`"Line":[`), []byte(`"Line":[7,`), 1))
	f.Add(bytes.ReplaceAll(kept, []byte(`"ID":1`), []byte(`"ID":99`)))
	f.Fuzz(func(t *testing.T, b []byte) {
		if r, ok := stats.Recall(b, p, db.Entities(), stats.ExploreOptions{}); ok && r == nil {
			t.Error("no report")
		}
	})
	want, err := stats.Explore(context.Background(), db, p, stats.ExploreOptions{})
	if got, ok := stats.Recall(kept, p, db.Entities(), stats.ExploreOptions{}); err != nil || !ok || reflect.DeepEqual(got, want) != true {
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
	if report, ok := stats.Recall(kept, p, db.Entities(), stats.ExploreOptions{}); ok {
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
	_, ok := stats.Recall([]byte("something else"), board.Start(), db.Entities(), stats.ExploreOptions{})
	fmt.Println(ok)
	// Output: false
}
