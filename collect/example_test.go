package collect_test

import (
	"context"
	"fmt"
	"log"
	"slices"
	"strings"

	"cbkit"
	"cbkit/collect"
	"cbkit/compose"
	"cbkit/model"
	"cbkit/write"
)

// played makes a database of games: White, Black, date and moves.
func played(games ...[]string) *model.Database {
	db := &model.Database{}
	for _, g := range games {
		game := compose.New(compose.Header{White: g[0], Black: g[1], Date: g[2], Result: "1-0"})
		game.Play(g[3:]...)
		if _, err := game.AddTo(db); err != nil {
			log.Fatal(err)
		}
	}
	return db
}

// who prints the players of all games.
func who(src model.Source) {
	for rec, err := range src.Records(context.Background(), 1, model.WantAll) {
		if err != nil {
			log.Fatal(err)
		}
		players := &src.Entities().Players
		fmt.Println(rec.ID, players.Value(rec.Game.White), "-", players.Value(rec.Game.Black), rec.Game.Date)
	}
}

var (
	old    = []string{"Tal, Mikhail", "Botvinnik, Mikhail", "1960.03.15", "e4", "c6", "d4", "d5"}
	latest = []string{"Carlsen, Magnus", "Caruana, Fabiano", "2018.11.09", "c4", "e5"}
)

// Several sources are one; the games get new numbers.
func ExampleNewUnion() {
	who(collect.NewUnion(played(latest), played(old)))
	// Output:
	// 1 Carlsen, Magnus - Caruana, Fabiano 2018.11.09
	// 2 Tal, Mikhail - Botvinnik, Mikhail 1960.03.15
}

// Games are sorted in temporary files, so that there may be many.
func ExampleSort() {
	orders, err := collect.ParseOrders("date,-elo")
	if err != nil {
		log.Fatal(err)
	}
	sorted, err := collect.Sort(context.Background(), played(latest, old), orders, collect.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer sorted.Close()
	who(sorted)
	// Output:
	// 1 Tal, Mikhail - Botvinnik, Mikhail 1960.03.15
	// 2 Carlsen, Magnus - Caruana, Fabiano 2018.11.09
}

// Every game is in exactly one group.
func ExampleSplit() {
	by, err := collect.ParseGrouping("year")
	if err != nil {
		log.Fatal(err)
	}
	groups, err := collect.Split(context.Background(), played(latest, old), by, collect.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer groups.Close()
	for group, err := range groups.All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(group.Name)
		who(group)
	}
	// Output:
	// 1960
	// 1 Tal, Mikhail - Botvinnik, Mikhail 1960.03.15
	// 2018
	// 1 Carlsen, Magnus - Caruana, Fabiano 2018.11.09
}

// What is there twice is found, whatever the spelling, and left out.
func ExampleDuplicates() {
	more := []string{"Nc3", "dxe4", "Nxe4", "Bf5", "Ng3", "Bg6"}
	again := append([]string{"Tal, M", "Botvinnik", "1960.??.??", "e4", "c6", "d4", "d5"}, more...)
	db := played(append(old[:len(old):len(old)], more...), latest, again)
	list, err := collect.Duplicates(context.Background(), db, collect.DuplicateOptions{Prefer: "best"})
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range list {
		fmt.Println("keep", d.Keep, "drop", d.Drop, d.Reason)
	}
	rest, err := collect.Without(context.Background(), db, list, nil, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	who(rest)
	// Output:
	// keep 1 drop 3 spelling
	// 1 Tal, Mikhail - Botvinnik, Mikhail 1960.03.15
	// 2 Carlsen, Magnus - Caruana, Fabiano 2018.11.09
}

// Two sources are compared record by record.
func ExampleCompare() {
	changed := append([]string(nil), old...)
	changed[2] = "1960.03.16"
	changes, err := collect.Compare(context.Background(), played(old), played(changed, latest), collect.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range changes {
		fmt.Println(c.Old, c.New)
		for _, f := range c.Fields {
			fmt.Println(" ", f.Field, f.Old, f.New)
		}
	}
	// Output:
	// 1 1
	//   date 1960.03.15 1960.03.16
	// 0 2
}

// Parts of games are left out as they are read, or of a single game.
func ExampleStrip() {
	game := compose.New(compose.Header{White: "A", Black: "B"})
	game.Play("e4").Comment("best by test").Variation(func(v *compose.Line) { v.Play("d4") })
	db := &model.Database{}
	if _, err := game.AddTo(db); err != nil {
		log.Fatal(err)
	}
	stripped := collect.Strip(db, collect.Comments|collect.Variations, func(*model.Record) { fmt.Println("had some") })
	for rec, err := range stripped.Records(context.Background(), 1, model.WantAll) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(rec.Game.Moves.Len(), len(rec.Game.Annotations))
	}
	collect.StripGame(db.List[0].Game, collect.Comments)
	fmt.Println(db.List[0].Game.Moves.Len(), len(db.List[0].Game.Annotations))
	// Output:
	// had some
	// 1 0
	// 2 0
}

// One game takes over the lines of another one.
func ExampleUnite() {
	one, other := played(old).List[0].Game, played(append(old[:len(old):len(old)], "Nc3")).List[0].Game
	fmt.Println(one.Moves.Len(), collect.Unite(one, other).Moves.Len())
	// Output: 4 5
}

// Players who may be one, with what speaks for it.
func ExampleNearNames() {
	list, err := collect.NearNames(context.Background(), played(
		[]string{"Korchnoi, Viktor", "Karpov, Anatoly", "1978.07.18", "c4"}, []string{"Karpov, Anatoly", "Kortschnoj, V", "1978.07.20", "d4"},
		[]string{"Polgar, S", "Polgar, Judit", "1992.01.01", "e4"}, []string{"Polgar, Susan", "Polgar, Sofia", "1993.01.01", "d4"},
	), collect.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range list {
		fmt.Printf("%s (%d) is %s (%d): %s\n", n.Old, n.OldGames, n.New, n.NewGames, strings.Join(n.Why, "; "))
	}
	// Output:
	// Kortschnoj, V (1) is Korchnoi, Viktor (1): spellings of one surname, an initial of the first name; years 1978 and 1978
}

// Of the week's games only those go into a base that it does not have.
func ExampleFindAdditions() {
	ctx := context.Background()
	more := []string{"Nc3", "dxe4", "Nxe4", "Bf5", "Ng3", "Bg6"}
	again := append([]string{"Tal, M", "Botvinnik", "1960.??.??", "e4", "c6", "d4", "d5"}, more...)
	memory := write.NewMemory()
	err := cbkit.Save(ctx, "Base.cbh", played(append(old[:len(old):len(old)], more...)), cbkit.SaveOptions{In: memory})
	if err != nil {
		log.Fatal(err)
	}
	base, err := cbkit.Open("Base.cbh", cbkit.Options{FS: memory})
	if err != nil {
		log.Fatal(err)
	}
	defer base.Close()
	found, err := collect.FindAdditions(ctx, played(again, latest), base, collect.AdditionOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found.New, "new", found.Known, "known; to add:", found.Add)
	// Output:
	// 1 new 1 known; to add: [2]
}

// Two games that may be one, with a slip of the pen.
func ExampleFindNear() {
	moves := []string{"Lind, Sara", "Berg, Anna", "2021.06.08", "e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6"}
	db := played(append(slices.Clip(moves), "d3", "d6"), append(slices.Clip(moves), "c3", "d6"))
	list, err := collect.FindNear(context.Background(), db, collect.DuplicateOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range list {
		fmt.Println(n.First, n.Second, n.Plies)
	}
	// Output: 1 2 [{9 5.d3 5.c3}]
}
