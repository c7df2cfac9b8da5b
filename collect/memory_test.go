package collect_test

import (
	"context"
	"iter"
	"math"
	"runtime"
	"testing"

	"cbkit/collect"
	"cbkit/internal/testkit/bulk"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// heap returns how many bytes are in use.
func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// growth counts how many bytes a function keeps of each record between two calls of step,
// the first of which can be the beginning.
type growth struct {
	n, from, to, records int
	early, late          float64
}

func (g *growth) step() {
	switch g.n++; g.n {
	case g.from:
		g.early = heap()
	case g.to:
		g.late = heap()
	}
}

func (g *growth) perRecord() float64 { return (g.late - g.early) / float64(g.records) }

// onePair are so many games, as if of the same two players in one tournament.
type onePair struct {
	model.Source
	n int
}

func (o onePair) Count() int { return o.n }

func (o onePair) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		for rec, err := range o.Source.Records(ctx, from, want) {
			if int(rec.ID) > o.n {
				return
			}
			if err == nil && rec.Game != nil {
				g := *rec.Game
				g.White, g.Black, g.Tournament = 0, 1, 0
				rec.Game = &g
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// What the comments say of memory.
func TestMemoryOfEachGame(t *testing.T) {
	if testing.Short() {
		t.Skip("reads and writes 40,000 games")
	}
	const few, many = 10_000, 40_000
	path := gen.Folder(t) + "/Games.cbh"
	sink := must.Get(write.Create(ctx, path, write.Options{AcceptLosses: true}))(t)
	must.Do(t, model.Copy(ctx, sink, bulk.New(bulk.Options{Games: many}), model.CopyOptions{}))
	open := func() *read.ChessBase {
		db := must.Get(read.Open(path, read.Options{}))(t)
		t.Cleanup(func() { _ = db.Close() })
		return db.(*read.ChessBase)
	}
	empty := func(g *growth, src model.Source) error {
		base := gen.Folder(t) + "/Empty.cbh"
		sink, err := write.Create(ctx, base, write.Options{})
		if err == nil {
			err = model.Copy(ctx, sink, &model.Database{}, model.CopyOptions{})
		}
		if err != nil {
			return err
		}
		db, err := read.Open(base, read.Options{})
		if err != nil {
			return err
		}
		defer db.Close()
		_, err = collect.FindAdditions(ctx, src, db.(collect.Base), collect.AdditionOptions{OnRecord: func(*model.Record) { g.step() }})
		return err
	}
	for name, c := range map[string]struct {
		growth
		most float64 // bytes a game
		do   func(*growth, model.Source) error
	}{
		// At the end of the second reading of a quarter of the games, and of three.
		"Duplicates": {growth{records: many / 2}, 70 + 4, func(g *growth, src model.Source) error {
			for _, n := range []int{many / 4, many / 4, many * 3 / 4} { // the first time the database fills its own memory
				read, before := 0, heap()
				g.early = g.late
				if _, err := collect.Duplicates(ctx, onePair{src, n}, collect.DuplicateOptions{Progress: func(model.RecordID) {
					if read++; read == 2*n-1 {
						g.late = heap() - before
					}
				}}); err != nil {
					return err
				}
			}
			return nil
		}},
		"FindAdditions": {growth{from: few, to: many, records: many - few}, 500, empty},
		"Sort": {growth{from: few, to: many, records: many - few}, 4 + 4, func(g *growth, src model.Source) error {
			sorted, err := collect.Sort(ctx, src, []collect.Order{{Key: "date"}}, collect.Options{Memory: 1})
			if err != nil {
				return err
			}
			defer sorted.Close()
			for _, err := range sorted.Records(ctx, 1, model.WantHeaders) {
				if err != nil {
					return err
				}
				g.step()
			}
			return nil
		}},
	} {
		g := c.growth
		if err := c.do(&g, open()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := g.perRecord()
		if t.Logf("%s: %.1f bytes a game", name, got); g.late == 0 || math.IsNaN(got) || got > c.most {
			t.Errorf("%s keeps %.1f bytes a game, more than %.1f", name, got, c.most)
		}
	}
}

// What is kept to find names that may be one.
func TestMemoryOfEachName(t *testing.T) {
	if testing.Short() {
		t.Skip("compares 8,000 names with each other")
	}
	const few, many = 1000, 8000
	db := &model.Database{}
	for i := range many {
		g := model.NewGame()
		name := string([]rune{'A' + rune(i%26), 'a' + rune(i/26%26), 'a' + rune(i/26/26%26), 'a' + rune(i/26/26/26)})
		g.White = db.Tables.Players.Intern(model.Player{LastName: name, FirstName: "Xaver"})
		db.AddGame(g)
	}
	g := growth{from: few, to: many, records: many - few}
	must.Get(collect.NearNames(ctx, db, collect.Options{OnRecord: func(*model.Record) { g.step() }}))(t)
	if got := g.perRecord(); g.late == 0 || got > 300 {
		t.Errorf("%.0f bytes a player", got)
	} else {
		t.Logf("%.0f bytes a player", got)
	}
}
