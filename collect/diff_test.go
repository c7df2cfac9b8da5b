package collect_test

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"
	"testing"

	"cbkit/collect"
	"cbkit/internal/testkit/bulk"
	"cbkit/internal/testkit/must"
	"cbkit/model"

	"pgregory.net/rapid"
)

// wordsOf is a database of games of which each is one of few, so that many are equal.
func wordsOf(games []int) *model.Database {
	db := &model.Database{}
	for _, n := range games {
		g := model.NewGame()
		g.White = db.Tables.Players.Intern(model.Player{LastName: string(rune('A' + n%3))})
		g.Black = db.Tables.Players.Intern(model.Player{LastName: "Black"})
		g.WhiteElo = uint16(2000 + n/3%2)
		g.Moves.Append(model.NewMove(model.E2, model.Square(int(model.E3)+n/6%2)))
		db.AddGame(g)
	}
	return db
}

// Whatever the order and however many are equal: each record is in one change at most, as
// many as possible are in none, and what is in none is there as often on both sides.
func TestCompareOfEqualGames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.IntRange(0, 11), 0, 12)
		was, is := list.Draw(t, "old"), list.Draw(t, "new")
		if rapid.Bool().Draw(t, "shuffled") {
			is = rapid.Permutation(was).Draw(t, "order")
		}
		changes := must.Get(collect.Compare(ctx, wordsOf(was), wordsOf(is), collect.Options{}))(t)
		var gone, come, both [12]int
		seen := map[string]bool{}
		once := func(side string, id model.RecordID, list []int, counts *[12]int) {
			if key := fmt.Sprint(side, id); id != 0 && seen[key] {
				t.Fatalf("record %d of the %s one is in two changes", id, side)
			} else if id != 0 {
				seen[key] = true
				counts[list[id-1]]++
			}
		}
		for _, c := range changes {
			once("old", c.Old, was, &gone)
			once("new", c.New, is, &come)
			if c.Old != 0 && c.New != 0 && len(c.Fields) == 0 {
				t.Fatalf("%d is %d, and no field has changed", c.Old, c.New)
			}
		}
		for n := range both {
			isN := func(k int) bool { return k == n }
			olds, news := len(filter(was, isN)), len(filter(is, isN))
			if gone[n] != max(olds-news, 0) || come[n] != max(news-olds, 0) {
				t.Fatalf("game %d is there %d times, then %d; gone %d, come %d", n, olds, news, gone[n], come[n])
			}
		}
		if !slices.IsSortedFunc(changes, func(x, y collect.Change) int { return int(max(x.Old, x.New)) - int(max(y.Old, y.New)) }) {
			t.Fatal("not in the order of ids")
		}
	})
}

func filter(list []int, is func(int) bool) (some []int) {
	for _, n := range list {
		if is(n) {
			some = append(some, n)
		}
	}
	return some
}

// A game that was put in front moves all others by one, and nothing else is new. What has
// another place and has changed is found, too.
func TestCompareOfMovedGames(t *testing.T) {
	old := load(t, bulk.New(bulk.Options{Games: 300}))
	latest := &model.Database{Tables: old.Tables}
	latest.AddGame(model.NewGame())
	for i, rec := range old.List {
		g := rec.Game.Clone()
		if i == 200 {
			g.WhiteElo++
		}
		latest.AddGame(g)
	}
	checkChanges(t, old, latest, "0>1 201>202 whiteElo")
}

// checkChanges fails the test unless two databases differ as is said: for each game the
// numbers that it had and has, and the fields that are others.
func checkChanges(t *testing.T, old, latest model.Source, want string) {
	t.Helper()
	var got []string
	for _, c := range must.Get(collect.Compare(ctx, old, latest, collect.Options{}))(t) {
		got = append(got, fmt.Sprintf("%d>%d", c.Old, c.New))
		for _, f := range c.Fields {
			got = append(got, f.Field)
		}
	}
	if strings.Join(got, " ") != want {
		t.Errorf("%s, want %s", strings.Join(got, " "), want)
	}
}

// again yields the records of a database many times, under growing ids.
type again struct {
	*model.Database
	times int
}

func (a again) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		for n := range a.times {
			for rec, err := range a.Database.Records(ctx, from, want) {
				if rec.ID += model.RecordID(n * len(a.List)); !yield(rec, err) {
					return
				}
			}
		}
	}
}

// Equal databases are compared without keeping anything of their games.
func TestCompareIsFlat(t *testing.T) {
	src := again{load(t, bulk.New(bulk.Options{Games: 100})), 300}
	const readings = 2 * 100 * 300
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var early, late uint64
	calls := 0
	opt := collect.Options{Progress: func(model.RecordID) {
		switch calls++; calls {
		case readings / 4:
			early = heap()
		case readings - 10:
			late = heap()
		}
	}}
	if changes, err := collect.Compare(ctx, src, src, opt); err != nil || len(changes) > 0 {
		t.Fatalf("%d changes, %v", len(changes), err)
	}
	if t.Logf("%d KB, then %d KB", early>>10, late>>10); early == 0 || late > early+readings*3/4*4 {
		t.Errorf("the heap has grown from %d to %d bytes", early, late)
	}
}
