// Command build makes a database of games that are written in code.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"cbkit"
	"cbkit/compose"
	"cbkit/model"
)

func main() {
	if err := run(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, path string) error {
	g := compose.New(compose.Header{White: "Légal", Black: "Saint Brie", Event: "Paris", Date: "1750.??.??", Result: "1-0"})
	g.Play("e4", "e5", "Bc4", "d6", "Nf3", "Bg4", "Nc3", "g6", "Nxe5", "Bxd1").Symbol(model.NAGBlunder)
	g.Variation(func(v *compose.Line) { v.Play("dxe5", "Qxg4").Comment("and White is a pawn up") })
	g.Play("Bxf7+", "Ke7", "Nd5#").Comment("The first of many.")
	db := &model.Database{}
	if _, err := g.AddTo(db); err != nil {
		return err // the first mistake, with its move
	}
	// What the format cannot hold is told; without Report it would be an error.
	opt := cbkit.SaveOptions{Report: func(l model.Loss) { fmt.Println("lost:", l) }}
	if err := cbkit.Save(ctx, path, db, opt); err != nil {
		return err
	}
	src, err := cbkit.Open(path, cbkit.Options{})
	if err != nil {
		return err
	}
	defer src.Close()
	fmt.Println(src.Format(), src.Count())
	return nil
}
