package write_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"cbkit/check"
	"cbkit/compose"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/write"
)

// A database of Scid is made as any other; Recover would clear what a crash left of that.
func ExampleCreateScid() {
	dir, err := os.MkdirTemp("", "cbkit")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	db := new(model.Database)
	g := compose.New(compose.Header{White: "Carlsen, Magnus", Black: "Anand, Viswanathan", Date: "2013.11.22", Result: "1/2-1/2"})
	g.Play("c4", "e6")
	if _, err := g.AddTo(db); err != nil {
		panic(err)
	}
	ctx, path := context.Background(), filepath.Join(dir, "Games.si4")
	var sink *write.ScidCreator
	if sink, err = write.CreateScid(ctx, path, write.Options{}); err != nil {
		panic(err)
	}
	if err := model.Copy(ctx, sink, db, model.CopyOptions{}); err != nil {
		panic(err)
	}
	did, err := write.RecoverScid(path, model.RecoverOptions{})
	fmt.Println(did, err)
	opened, err := read.Open(path, read.Options{})
	if err != nil {
		panic(err)
	}
	defer opened.Close()
	fmt.Println("layout", opened.(*read.Scid).Version())
	found := 0
	for range check.Scid(ctx, path, check.Options{}).Findings() {
		found++
	}
	fmt.Println(opened.Count(), "game,", found, "findings")
	// Output:
	// nothing to recover <nil>
	// layout 4
	// 1 game, 0 findings
}

func ExampleEditScid() {
	dir, err := os.MkdirTemp("", "cbkit")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "Games.si4")
	games := pgn.NewReader(strings.NewReader("[Event \"Riga\"]\n[White \"Tal\"]\n\n1. e4 e5 *\n\n[White \"Fischer\"]\n\n1. d4 *\n"), pgn.ReaderOptions{})
	sink, err := write.CreateScid(context.Background(), path, write.Options{})
	if err == nil {
		err = model.Copy(context.Background(), sink, games, model.CopyOptions{})
	}
	if err != nil {
		panic(err)
	}

	var ed *write.ScidEditor
	if ed, err = write.EditScid(context.Background(), path, write.EditOptions{}); err != nil {
		panic(err)
	}
	defer ed.Close()
	var players *write.ScidPlayers = ed.Players()
	ids, err := players.FindAll(model.ParsePlayer("Tal"))
	if err == nil {
		err = players.Change(ids[0], model.ParsePlayer("Tal, Mikhail"))
	}
	if err != nil {
		panic(err)
	}
	if err := ed.Commit(); err != nil {
		panic(err)
	}
	h, err := ed.Header(1)
	if err != nil {
		panic(err)
	}
	fmt.Println(ed.Entities().Players.Value(h.White), "at", ed.Entities().Tournaments.Value(h.Tournament).Title)
	// Output: Tal, Mikhail at Riga
}
