package cbkit_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"cbkit"
	"cbkit/compose"
	"cbkit/eco"
	"cbkit/model"
	"cbkit/search"
	"cbkit/stats"
)

// library makes a database of three games in code, with comments, variations and
// symbols.
func library() *model.Database {
	db := &model.Database{}
	reti := compose.New(compose.Header{White: "Réti, Richard", Black: "Tartakower, Savielly", Event: "Vienna", Date: "1910.??.??", Result: "1-0"})
	reti.Play("e4", "c6", "d4", "d5", "Nc3", "dxe4", "Nxe4", "Nf6", "Qd3").Comment("Invites Black to play")
	reti.Play("e5").Symbol(model.NAGMistake).Variation(func(v *compose.Line) { v.Play("Nxe4", "Qxe4").Symbol(model.NAGWhiteSlightlyBetter) })
	reti.Play("dxe5", "Qa5+", "Bd2", "Qxe5", "O-O-O", "Nxe4", "Qd8+").Symbol(model.NAGBrilliant).Play("Kxd8", "Bg5+", "Kc7", "Bd8#")
	opera := compose.New(compose.Header{White: "Morphy, Paul", Black: "Duke Karl", Event: "Paris", Date: "1858.11.02", Result: "1-0"})
	opera.Play("e4", "e5", "Nf3", "d6", "d4", "Bg4").Symbol(model.NAGDubious).Comment("Better is to take on d4.")
	legal := compose.New(compose.Header{White: "Légal", Black: "Saint Brie", Date: "1750.??.??", Result: "1-0"})
	legal.Play("e4", "e5", "Bc4", "d6", "Nf3", "Bg4", "Nc3", "g6", "Nxe5", "Bxd1").Symbol(model.NAGBlunder)
	legal.Variation(func(v *compose.Line) { v.Play("dxe5", "Qxg4") }).Play("Bxf7+", "Ke7", "Nd5#")
	for _, g := range []*compose.Game{reti, opera, legal} {
		if _, err := g.AddTo(db); err != nil {
			log.Fatal(err)
		}
	}
	return db
}

// inFolder returns a name in a new folder, and what removes it.
func inFolder(name string) (path string, remove func()) {
	dir, err := os.MkdirTemp("", "cbkit")
	if err != nil {
		log.Fatal(err)
	}
	return filepath.Join(dir, name), func() { _ = os.RemoveAll(dir) }
}

// Three games from code become a ChessBase database.
func Example_threeGames() {
	path, remove := inFolder("Classics.cbh")
	defer remove()
	if err := cbkit.Save(context.Background(), path, library(), cbkit.SaveOptions{}); err != nil {
		log.Fatal(err)
	}
	src, err := cbkit.Open(path, cbkit.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer src.Close()
	for rec, err := range src.Records(context.Background(), 1, model.WantMoves) {
		if err != nil {
			log.Fatal(err)
		}
		white := src.Entities().Players.Value(rec.Game.White)
		fmt.Println(rec.ID, white, rec.Game.Date, rec.Game.Moves.Len(), rec.Game.Moves.HasVariations())
	}
	// Output:
	// 1 Réti, Richard 1910.??.?? 23 true
	// 2 Morphy, Paul 1858.11.02 6 false
	// 3 Légal 1750.??.?? 15 true
}

// Any kind of source is opened in one way, and saved as any other kind.
func ExampleOpen() {
	first, remove := inFolder("games.pgn.gz")
	defer remove()
	ctx := context.Background()
	if err := cbkit.Save(ctx, first, library(), cbkit.SaveOptions{}); err != nil {
		log.Fatal(err)
	}
	for from, to := range map[string]string{first: filepath.Dir(first) + "/Games.cbh"} {
		src, err := cbkit.Open(from, cbkit.Options{})
		if err != nil {
			log.Fatal(err)
		}
		defer src.Close()
		if err := cbkit.Save(ctx, to, src, cbkit.SaveOptions{}); err != nil {
			log.Fatal(err)
		}
		again, err := cbkit.Open(to, cbkit.Options{})
		if err != nil {
			log.Fatal(err)
		}
		defer again.Close()
		fmt.Println(again.Count(), "games")
	}
	// Output: 3 games
}

// What a search finds is a source: here it is saved as PGN.
func Example_search() {
	path, remove := inFolder("Classics.cbh")
	defer remove()
	ctx := context.Background()
	if err := cbkit.Save(ctx, path, library(), cbkit.SaveOptions{}); err != nil {
		log.Fatal(err)
	}
	s, err := search.Open(path, search.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	wanted, err := search.Parse("year:1800.. and result:1-0")
	if err != nil {
		log.Fatal(err)
	}
	found, err := s.Find(ctx, wanted)
	if err != nil {
		log.Fatal(err)
	}
	games, err := s.Source(found)
	if err != nil {
		log.Fatal(err)
	}
	if err := cbkit.Save(ctx, filepath.Dir(path)+"/found.pgn", games, cbkit.SaveOptions{}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(found.IDs)
	// Output: [1 2]
}

// Who has played how, and which openings, is counted in one pass.
func Example_counting() {
	ctx, db := context.Background(), library()
	players, err := stats.List(ctx, db, stats.Players, stats.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(players.Len(), "players")
	for _, rec := range db.List {
		if o, _, ok := eco.Classify(rec.Game); ok {
			fmt.Println(rec.ID, o.Code, o.Name)
		}
	}
	// Output:
	// 6 players
	// 1 B15 Caro-Kann Defense: Main Line
	// 2 C41 Philidor Defense
	// 3 C41 Philidor Defense
}
