package moveenc_test

import (
	"math/rand/v2"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/moveenc"
)

func report(b *testing.B, games, plies int) {
	seconds := b.Elapsed().Seconds()
	b.ReportMetric(seconds*1e9/float64(b.N)/float64(plies), "ns/ply")
	b.ReportMetric(float64(games)*float64(b.N)/seconds, "games/s")
	b.ReportMetric(0, "ns/op")
}

// benchDecode decodes all records in each iteration.
func benchDecode(b *testing.B, records [][]byte) {
	var g moveenc.Game
	plies := 0
	for _, rec := range records {
		must.Do(b, moveenc.Decode(rec, &g))
		plies += g.Moves.Len()
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, rec := range records {
			if err := moveenc.Decode(rec, &g); err != nil {
				b.Fatal(err)
			}
		}
	}
	report(b, len(records), plies)
}

// benchEncode encodes all records in each iteration.
func benchEncode(b *testing.B, records [][]byte) {
	type decoded struct {
		start *model.Position
		moves model.Tree
	}
	games := make([]decoded, len(records))
	plies := 0
	for i, rec := range records {
		var g moveenc.Game
		must.Do(b, moveenc.Decode(rec, &g))
		games[i] = decoded{g.SetUp(), g.Moves}
		plies += g.Moves.Len()
	}
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		for i := range games {
			var err error
			if buf, err = moveenc.Append(buf[:0], games[i].start, &games[i].moves, nil); err != nil {
				b.Fatal(err)
			}
		}
	}
	report(b, len(games), plies)
}

func twic(b *testing.B) (records [][]byte) {
	for _, s := range corpusGames(b, "twic1134") {
		records = append(records, s.rec)
	}
	return records
}

// synthetic returns records of random games, always the same. Of 1000 moves,
// branches begin a variation.
func synthetic(b *testing.B, mode moveenc.Mode, branches int) (records [][]byte) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var start *model.Position
		if mode >= moveenc.ModeChess960 {
			p := board.Chess960Start(random.IntN(960))
			start = &p
		}
		moves := randomTree(start, random, branches)
		rec := must.Get(moveenc.Append(nil, start, &moves, &moveenc.Form{Mode: mode}))(b)
		records = append(records, rec)
	}
	return records
}

func randomTree(start *model.Position, random *rand.Rand, branches int) model.Tree {
	p, err := board.New(start)
	if err != nil {
		panic(err)
	}
	after := []board.Position{p}
	builder := new(model.TreeBuilder)
	for n := range 80 {
		parent := n - 1
		if random.IntN(1000) < branches {
			parent = random.IntN(n+1) - 1
		}
		p := after[parent+1]
		m := model.NullMove
		if legal := p.AppendLegal(nil); len(legal) > 0 {
			m = legal[random.IntN(len(legal))]
		}
		builder.Add(parent, m)
		p.Make(m)
		after = append(after, p)
	}
	return builder.Tree()
}

// sets are what the benchmarks run over.
var sets = []struct {
	name    string
	records func(b *testing.B) [][]byte
}{
	{"twic1134", twic},
	{"lines", func(b *testing.B) [][]byte { return synthetic(b, 0, 0) }},
	{"variations", func(b *testing.B) [][]byte { return synthetic(b, 0, 100) }},
	{"simple", func(b *testing.B) [][]byte { return synthetic(b, 5, 100) }},
	{"chess960", func(b *testing.B) [][]byte { return synthetic(b, moveenc.ModeChess960, 0) }},
}

func BenchmarkDecode(b *testing.B) {
	for _, s := range sets {
		b.Run(s.name, func(b *testing.B) { benchDecode(b, s.records(b)) })
	}
}

// Decoding and looking after the kings, in one pass and in two.
func BenchmarkDecodeLegal(b *testing.B) {
	records := twic(b)
	decode := func(g *moveenc.Game, validate bool) (plies int) {
		for _, rec := range records {
			if err := moveenc.Decode(rec, g); err != nil {
				b.Fatal(err)
			}
			if validate {
				if err := board.Validate(g.SetUp(), &g.Moves); err != nil {
					b.Fatal(err)
				}
			}
			plies += g.Moves.Len()
		}
		return plies
	}
	for _, c := range []struct {
		name   string
		inPass bool
	}{{"one pass", true}, {"two passes", false}} {
		b.Run(c.name, func(b *testing.B) {
			g := moveenc.Game{CheckKings: c.inPass}
			plies := 0
			b.ReportAllocs()
			for b.Loop() {
				plies = decode(&g, !c.inPass)
			}
			report(b, len(records), plies)
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, s := range sets {
		b.Run(s.name, func(b *testing.B) { benchEncode(b, s.records(b)) })
	}
}

// Decoding into a Game that is warm allocates nothing, whatever the record.
func TestDecodeDoesNotAllocate(t *testing.T) {
	records := [][]byte{unhex(vector7)}
	for _, v := range vectors {
		records = append(records, unhex(v.hex))
	}
	var g moveenc.Game
	decodeAll := func() {
		for _, rec := range records {
			must.Do(t, moveenc.Decode(rec, &g))
		}
	}
	if allocs := testing.AllocsPerRun(100, decodeAll); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}
