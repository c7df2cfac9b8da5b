package read_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"cbkit/board"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// exampleDatabase writes a database with three games into a new folder.
func exampleDatabase() (path string, remove func()) {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	db := &model.Database{}
	for i, name := range []string{"Anderssen", "Morphy", "Steinitz"} {
		g := &model.Game{Header: model.NewHeader()}
		g.White = db.Tables.Players.Intern(model.Player{LastName: name})
		g.Date = model.Date{Year: uint16(1851 + 10*i)}
		g.Moves.Append(model.NewMove(model.E2, model.E4))
		db.AddGame(g)
	}
	path = filepath.Join(dir, "Games.cbh")
	sink, err := write.Create(context.Background(), path, write.Options{})
	if err != nil {
		log.Fatal(err)
	}
	if err := model.Copy(context.Background(), sink, db, model.CopyOptions{}); err != nil {
		log.Fatal(err)
	}
	return path, func() { os.RemoveAll(dir) }
}

// Looking at a few fields of all games, which decodes nothing else.
func ExampleChessBase_Headers() {
	path, remove := exampleDatabase()
	defer remove()

	db, err := read.Open(path, read.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	players := &db.Entities().Players
	for h, err := range db.(*read.ChessBase).Headers(context.Background(), 1) {
		if err != nil {
			log.Fatal(err)
		}
		if h.Date().Year < 1870 {
			fmt.Println(h.ID, players.Value(h.White()))
		}
	}
	if err := players.Err(); err != nil { // a name could not be read
		log.Fatal(err)
	}
	// Output:
	// 1 Anderssen
	// 2 Morphy
}

// Going through all games of a database.
func ExampleOpen() {
	path, remove := exampleDatabase()
	defer remove()

	db, err := read.Open(path, read.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	players := &db.Entities().Players
	for rec, err := range db.Records(context.Background(), 1, model.WantMoves) {
		if err != nil {
			log.Print(err) // concerns this record; the others go on
			continue
		}
		if g := rec.Game; g != nil {
			fmt.Println(rec.ID, players.Value(g.White).LastName, g.Date.Year, g.Moves.Move(0))
		}
	}
	// Output:
	// 1 Anderssen 1851 e2e4
	// 2 Morphy 1861 e2e4
	// 3 Steinitz 1871 e2e4
}

// A database is read where it is: in a folder, embedded in a program, in a zip
// archive.
func ExampleOpenFS() {
	path, remove := exampleDatabase()
	defer remove()

	db, err := read.OpenFS(os.DirFS(filepath.Dir(path)), "Games.cbh", read.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	fmt.Println(db.Count(), "games")
	// Output: 3 games
}

// Single games are found by their number.
func ExampleDatabase() {
	path, remove := exampleDatabase()
	defer remove()

	db, err := read.Open(path, read.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	rec, err := db.Record(context.Background(), 2, model.WantHeaders)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(db.Entities().Players.Value(rec.Game.White).LastName)
	_, err = db.Record(context.Background(), 4, model.WantHeaders)
	fmt.Println(errors.Is(err, model.ErrNoRecord))
	// Output:
	// Morphy
	// true
}

func ExampleChessBase_Info() {
	path, remove := exampleDatabase()
	defer remove()

	db, err := read.Open(path, read.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	info, err := db.Info(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(info.Games, info.FirstDate, info.LastDate)
	fmt.Println(info.Entities[0].Name, info.Entities[0].Count)
	// Output:
	// 3 1851.??.?? 1871.??.??
	// players 4
}

func ExampleFindFiles() {
	path, remove := exampleDatabase()
	defer remove()

	files, err := read.FindFiles(path)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(files.Base, len(files.Endings()), files.Has(".cbg"), files.Has(".cit"))
	// Output: Games 12 true false
}

func ExampleTextDecoder() {
	decode, err := read.TextDecoder("1251")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(decode([]byte("\xcc\xe0\xf2")))
	// Output: Мат
}

// Any source can be summed up, here a database.
func ExampleSummarize() {
	path, remove := exampleDatabase()
	defer remove()

	db, err := read.Open(path, read.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	info, err := read.Summarize(context.Background(), db, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(info.Games, "games,", info.FirstDate, "to", info.LastDate)
	// Output: 3 games, 1851.??.?? to 1871.??.??
}

// A database is found first, and opened when it has told the code page of its
// names: here they are ASCII, which any page has.
func ExampleOpenFiles() {
	path, remove := exampleDatabase()
	defer remove()

	set, err := read.FindFilesFS(os.DirFS(filepath.Dir(path)), "Games.cbh")
	if err != nil {
		log.Fatal(err)
	}
	guess, err := read.GuessCodePage(context.Background(), set)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(set.Base, guess.Page, guess.Clear)
	db, err := read.OpenFiles(set, read.Options{CodePage: guess.Page})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	fmt.Println(db.Count(), "games")
	// Output:
	// Games 1252 false
	// 3 games
}

// A program that reads the files by itself notices a change by another one.
func ExampleWatch() {
	path, remove := exampleDatabase()
	defer remove()

	set, err := read.FindFiles(path)
	if err != nil {
		log.Fatal(err)
	}
	set, watch, err := set.Watch(".cbh")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(set.Has(".cbg"), watch.Check())

	ed, err := write.Edit(context.Background(), path, write.EditOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer ed.Close()
	if err := errors.Join(ed.Delete(1), ed.Commit()); err != nil {
		log.Fatal(err)
	}
	fmt.Println(errors.Is(watch.Check(), model.ErrChanged))
	// Output:
	// true <nil>
	// true
}

// A Simple Chess Database has a layout, and what other databases have.
func ExampleSimpleDB() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "Games.dci")
	games := &model.Database{}
	g := model.NewGame()
	g.White = games.Tables.Players.Intern(model.ParsePlayer("Tal, Mikhail"))
	games.AddGame(g)
	sink, err := write.CreateSimple(context.Background(), path, write.Options{Layout: write.SimpleV1})
	if err != nil {
		log.Fatal(err)
	}
	if err := model.Copy(context.Background(), sink, games, model.CopyOptions{}); err != nil {
		log.Fatal(err)
	}

	db, err := read.Open(path, read.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	if simple, is := db.(*read.SimpleDB); is {
		fmt.Println(simple.Layout(), simple.Count())
	}
	// Output: v1 1
}

// All positions of a book that the start position leads to.
func ExampleBook_Walk() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "book.ctg")
	if err := writeExampleBook(path); err != nil {
		log.Fatal(err)
	}
	b, err := read.OpenBook(context.Background(), path)
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close()
	for step, err := range b.Walk(context.Background(), board.Start()) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(step.Line, step.Entry.Stats.Games)
	}
	// Output:
	// [] 1
	// [e2e4] 1
}

// A name without an ending means the book of that name.
func ExampleFindBook() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := writeExampleBook(filepath.Join(dir, "book.ctg")); err != nil {
		log.Fatal(err)
	}
	set, err := read.FindBook(os.DirFS(dir), "book")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(set.Endings())
	// Output: [.ctb .ctg .cto]
}
