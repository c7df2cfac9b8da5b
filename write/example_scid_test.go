package write_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"cbkit/check"
	"cbkit/compose"
	"cbkit/model"
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
