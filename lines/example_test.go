package lines_test

import (
	"context"
	"fmt"
	"strings"

	"cbkit/board"
	"cbkit/lines"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/stats"
)

const week = `[White "Tal"]
[Black "Smyslov"]
[Result "1-0"]

1. e4 c6 2. d3 d5 1-0

[White "Fischer"]
[Black "Spassky"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 1-0

[White "Tal"]
[Black "Benko"]
[Result "1/2-1/2"]

1. e4 e5 2. Nf3 1/2-1/2
`

// Games become one tree, and come back out of it.
func Example() {
	ctx := context.Background()
	src := pgn.NewReader(strings.NewReader(week), pgn.ReaderOptions{})
	forest := lines.NewForest(lines.Options{Ends: lines.AtEndGames, LegalMoves: src.LegalMoves()})
	for rec, err := range src.Records(ctx, 1, model.WantAll) {
		if err == nil {
			err = forest.Add(&rec, src.Entities())
		}
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	for rec, err := range forest.Records(ctx, 1, model.WantAll) {
		if err == nil {
			fmt.Println(pgn.MoveText(rec.Game))
		}
	}
	back := lines.Untangle(forest)
	for rec, err := range back.Records(ctx, 1, model.WantAll) {
		if err == nil {
			fmt.Println(rec.Header(back.Entities()))
		}
	}
	// Output:
	// 1. e4 e5 (1... c6 2. d3 d5 {[%cbgame White=Tal;Black=Smyslov;Result=1-0] Tal -
	// Smyslov 1-0}) 2. Nf3 {[%cbgame White=Tal;Black=Benko;Result=1/2-1/2] Tal -
	// Benko 1/2-1/2} 2... Nc6 {[%cbgame White=Fischer;Black=Spassky;Result=1-0]
	// Fischer - Spassky 1-0} *
	// Tal - Benko 1/2-1/2
	// Fischer - Spassky 1-0
	// Tal - Smyslov 1-0
}

func ExampleForest_Trees() {
	ends, _ := lines.ParseEnds("figures")
	by, _ := lines.ParseGrouping("first-move")
	forest := lines.NewForest(lines.Options{Ends: ends, By: by})
	src := pgn.NewReader(strings.NewReader(week), pgn.ReaderOptions{})
	for rec, err := range model.Games(context.Background(), src, model.WantMoves) {
		if err != nil || forest.Add(&rec, src.Entities()) != nil {
			return
		}
	}
	for _, tree := range forest.Trees() {
		game := tree.Game()
		fmt.Println(tree.Group(), tree.Figures(model.NoNode).Games)
		for node := range game.Moves.Children(0) {
			f := tree.Figures(node)
			fmt.Println(game.Moves.Move(node), f.Games, f.Wins, f.Draws, f.Losses, f.Elo())
		}
		fmt.Println(pgn.MoveText(game))
	}
	// Output:
	// 1.e4 3
	// e7e5 2 1 1 0 0
	// c7c6 1 1 0 0 0
	// 1. e4 e5 {2 games +1 =1 -0} (1... c6 {1 game +1 =0 -0} 2. d3 d5 {1 game +1 =0
	// -0}) 2. Nf3 Nc6 {1 game +1 =0 -0} *
}

func ExampleRepertoire() {
	rep := lines.NewRepertoire()
	book := pgn.NewReader(strings.NewReader("1. e4 e5 2. Nf3 (2. Bc4) 2... Nc6 3. Bb5 *"), pgn.ReaderOptions{})
	for rec, err := range model.Games(context.Background(), book, model.WantMoves) {
		if err == nil {
			rep.Add(rec.Game)
		}
	}
	src := pgn.NewReader(strings.NewReader(week), pgn.ReaderOptions{})
	for rec, err := range model.Games(context.Background(), src, model.WantMoves) {
		if err != nil {
			return
		}
		node, leaves := rep.Leaves(rec.Game)
		fmt.Println(rec.ID, leaves, node)
	}
	for fork := range rep.Forks(model.White) {
		fmt.Println(stats.FormatLine(board.Start(), fork.Line), fork.Moves)
	}
	// Output:
	// 1 true 1
	// 2 false 0
	// 3 false 0
	// 1.e4 e5 [g1f3 f1c4]
}

func ExampleNovelties() {
	ctx := context.Background()
	base, err := model.Load(ctx, pgn.NewReader(strings.NewReader("1. e4 e5 2. Nf3 d6 *"), pgn.ReaderOptions{}))
	if err != nil {
		return
	}
	src := pgn.NewReader(strings.NewReader(week), pgn.ReaderOptions{})
	for n, err := range lines.Novelties(ctx, src, base, lines.NoveltyOptions{MaxPly: 60}) {
		if err == nil {
			fmt.Printf("game %d: ply %d, %d game had the position\n", n.ID, n.Node+1, n.Before)
		}
	}
	// Output:
	// game 1: ply 2, 1 game had the position
	// game 2: ply 4, 1 game had the position
}
