package write_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// A database built by a program: one game with a comment.
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	db := &model.Database{}
	g := &model.Game{Header: model.NewHeader()}
	g.White = db.Tables.Players.Intern(model.Player{LastName: "Spassky", FirstName: "Boris"})
	g.Black = db.Tables.Players.Intern(model.Player{LastName: "Fischer", FirstName: "Robert"})
	g.Date, g.Result = model.Date{Year: 1972, Month: 7, Day: 11}, model.WhiteWins
	d4 := g.Moves.Append(model.NewMove(model.D2, model.D4))
	g.Annotate(d4, model.Text{Text: "The first move of the match."})
	db.AddGame(g)

	path := filepath.Join(dir, "Match.cbh")
	sink, err := write.Create(context.Background(), path, write.Options{})
	if err != nil {
		log.Fatal(err)
	}
	if err := model.Copy(context.Background(), sink, db, model.CopyOptions{}); err != nil {
		log.Fatal(err)
	}

	again, err := read.Open(path, read.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer again.Close()
	rec, err := again.Record(context.Background(), 1, model.WantAll)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(again.Entities().Players.Value(rec.Game.White).LastName, rec.Game.Result)
	fmt.Println(rec.Game.Annotations[0].Value.(model.Text).Text)
	// Output:
	// Spassky 1-0
	// The first move of the match.
}

// A database for each game: their folder is listed once, however many they become.
func ExampleFolder() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	var parts write.Folder
	for n := range 3 {
		db := &model.Database{}
		db.AddGame(&model.Game{Header: model.NewHeader()})
		sink, err := write.Create(context.Background(), filepath.Join(dir, fmt.Sprintf("Game %d.cbh", n+1)), write.Options{Folder: &parts})
		if err != nil {
			log.Fatal(err)
		}
		if err := model.Copy(context.Background(), sink, db, model.CopyOptions{}); err != nil {
			log.Fatal(err)
		}
	}
	made, err := filepath.Glob(filepath.Join(dir, "*.cbh"))
	fmt.Println(len(made), err)
	// Output: 3 <nil>
}

// What the format cannot hold is reported, and nothing else is missing.
func ExampleCreate() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	db := &model.Database{}
	g := &model.Game{Header: model.NewHeader()}
	g.Round = 300
	g.Tags = []model.Tag{{Name: "Opening", Value: "Sokolsky Opening"}}
	db.AddGame(g)

	sink, err := write.Create(context.Background(), filepath.Join(dir, "Games"), write.Options{
		Report: func(l model.Loss) { fmt.Println(l) },
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := model.Copy(context.Background(), sink, db, model.CopyOptions{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// record 1: round: 300: the largest number is 255
	// record 1: Opening: "Sokolsky Opening"
}

// A copy of a database without its deleted games: their numbers go, everything
// else that is stored stays as it is.
func ExampleCreateCopy() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	db := &model.Database{}
	for i := range 3 {
		db.AddGame(model.NewGame())
		db.List[i].Deleted = i == 1
	}
	path := filepath.Join(dir, "Games.cbh")
	sink, err := write.Create(context.Background(), path, write.Options{})
	if err != nil {
		log.Fatal(err)
	}
	if err := model.Copy(context.Background(), sink, db, model.CopyOptions{}); err != nil {
		log.Fatal(err)
	}

	src, err := read.Open(path, read.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer src.Close()
	copier, err := write.CreateCopy(context.Background(), filepath.Join(dir, "Purged.cbh"), src.(*read.ChessBase), write.Options{})
	if err != nil {
		log.Fatal(err)
	}
	keep := func(r model.Record) bool { return !r.Deleted }
	if err := model.Copy(context.Background(), copier, src, model.CopyOptions{Keep: keep}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(copier.Written(), "games")
	// Output: 2 games
}

func ExampleRecover() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	// Nothing was interrupted here, so there is nothing to do.
	fmt.Println(write.Recover(filepath.Join(dir, "Games.cbh"), model.RecoverOptions{}))
	// Output: nothing to recover <nil>
}

func ExampleBoosterExts() {
	fmt.Println(write.BoosterExts())
	// Output: [.cit .cib .cit2 .cib2 .cbb .cbgi]
}
