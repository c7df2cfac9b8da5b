package pgn

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"cbkit/board"
	"cbkit/model"
)

// syntheticPGN returns n random games with a comment at each move and some
// variations, much like those of a chess server.
func syntheticPGN(n int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "[Event \"Rated game\"]\n[Site \"https://example.org/%08x\"]\n[Date \"2024.12.%02d\"]\n"+
			"[White \"Player %d\"]\n[Black \"Player %d\"]\n[Result \"1/2-1/2\"]\n[WhiteElo \"%d\"]\n[TimeControl \"180+0\"]\n\n",
			i*7919, i%31+1, i%97, i%89, 1500+i%1000)
		syntheticMoves(&b, rng)
		b.WriteString("1/2-1/2\n\n")
	}
	return []byte(b.String())
}

func syntheticMoves(b *strings.Builder, rng *rand.Rand) {
	pos := board.Start()
	var moves []model.Move
	for ply := range 80 {
		moves = pos.AppendLegal(moves[:0])
		if len(moves) == 0 {
			return
		}
		dots := "."
		if ply%2 == 1 {
			dots = "..."
		}
		m, other := moves[rng.IntN(len(moves))], moves[rng.IntN(len(moves))]
		fmt.Fprintf(b, "%d%s %s { [%%eval %d.%02d] [%%clk 0:%02d:%02d] } ", pos.FullMove(), dots, pos.SAN(m),
			rng.IntN(3), rng.IntN(100), 59-ply/2, rng.IntN(60))
		if rng.IntN(10) == 0 {
			fmt.Fprintf(b, "(%d%s %s { was better }) ", pos.FullMove(), dots, pos.SAN(other))
		}
		pos.Make(m)
	}
}

// splitAll cuts a text into batches and returns the chunks.
func splitAll(r io.Reader) (chunks []string) {
	splitInto(r, true, func(b *batch) {
		from := 0
		for _, to := range b.cuts {
			chunks = append(chunks, string(b.text[from:to]))
			from = to
		}
	})
	return chunks
}

// splitInto cuts a text into batches, at every game or only where it is quick.
func splitInto(r io.Reader, every bool, each func(*batch)) {
	s := splitter{r: r, every: every, take: newBatch, give: func(b *batch) bool {
		each(b)
		return true
	}}
	s.run()
}
