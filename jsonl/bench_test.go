package jsonl

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"cbkit/board"
	"cbkit/model"
)

// benchDatabase returns games of random moves; annotated ones have a comment
// or a symbol at every third move, and a variation at every tenth.
func benchDatabase(games int, annotated bool) *model.Database {
	random := rand.New(rand.NewPCG(1, 2))
	db := &model.Database{}
	for i := range games {
		g := &model.Game{Header: model.NewHeader()}
		g.White = db.Tables.Players.Intern(model.Player{LastName: fmt.Sprint("Player ", random.IntN(500)), FirstName: "First"})
		g.Black = db.Tables.Players.Intern(model.Player{LastName: fmt.Sprint("Player ", random.IntN(500)), FirstName: "First"})
		g.Tournament = db.Tables.Tournaments.Intern(model.Tournament{Title: fmt.Sprint("Open ", i/100), Place: "Town", Rounds: 9})
		g.Date, g.Result, g.ECO = model.Date{Year: 2000, Month: 3, Day: 4}, model.Draw, model.NewECO(i%500, 0)
		g.WhiteElo, g.BlackElo, g.Round = 2500, 2400, uint16(i%9)
		playRandomly(random, g, 80, annotated)
		db.AddGame(g)
	}
	return db
}

func playRandomly(random *rand.Rand, g *model.Game, plies int, annotated bool) {
	b := new(model.TreeBuilder)
	pos := board.Start()
	last := model.NoNode
	for ply := range plies {
		legal := pos.AppendLegal(nil)
		if len(legal) == 0 {
			break
		}
		m := legal[random.IntN(len(legal))]
		before := last
		last = b.Add(before, m)
		if annotated && ply%10 == 5 {
			b.Add(before, legal[0])
		}
		pos.Make(m)
	}
	b.Build(&g.Moves)
	if !annotated {
		return
	}
	for n := 0; n < g.Moves.Len(); n += 3 {
		if n%2 == 0 {
			g.Annotate(n, model.Text{Language: model.English, Text: "A comment of about forty characters here."})
		} else {
			g.Annotate(n, model.Symbols{Move: 1, Position: 16})
		}
	}
}

func reportGames(b *testing.B, games, bytes int) {
	b.SetBytes(int64(bytes))
	b.ReportMetric(float64(games)*float64(b.N)/b.Elapsed().Seconds(), "games/s")
}

func benchmarkBoth(b *testing.B, run func(*testing.B, *model.Database, []byte)) {
	for _, c := range []struct {
		name      string
		annotated bool
	}{{"plain", false}, {"annotated", true}} {
		db := benchDatabase(1000, c.annotated)
		text := write(b, db)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			run(b, db, text)
			reportGames(b, len(db.List), len(text))
		})
	}
}

func BenchmarkWriter(b *testing.B) {
	benchmarkBoth(b, func(b *testing.B, db *model.Database, _ []byte) {
		for b.Loop() {
			if err := model.Copy(context.Background(), NewWriter(io.Discard, WriterOptions{AcceptLosses: true}), db, model.CopyOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func benchmarkReader(b *testing.B, want model.Want) {
	benchmarkBoth(b, func(b *testing.B, _ *model.Database, text []byte) {
		for b.Loop() {
			r := NewReader(bytes.NewReader(text), ReaderOptions{})
			for _, err := range r.Records(context.Background(), 1, want) {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}

func BenchmarkReader(b *testing.B) { benchmarkReader(b, model.WantAll) }

func BenchmarkReaderHeaders(b *testing.B) { benchmarkReader(b, model.WantHeaders) }
