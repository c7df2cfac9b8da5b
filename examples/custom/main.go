// Command custom has a source and a sink of its own: games that are made as they are
// asked for, and a count of first moves. Every source goes into every sink.
package main

import (
	"context"
	"fmt"
	"iter"
	"log"
	"os"

	"cbkit"
	"cbkit/model"
)

// openings is a source: one game for each first move of a pawn.
type openings struct{ entities model.Entities }

func (o *openings) Entities() *model.Entities { return &o.entities }
func (*openings) Count() int                  { return 16 }
func (*openings) Leftover() *model.Leftover   { return nil }

func (o *openings) Records(ctx context.Context, from model.RecordID, _ model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		for id := max(from, 1); id <= 16 && ctx.Err() == nil; id++ {
			g := model.NewGame()
			pawn := model.A2 + model.Square(id-1)%8
			g.Moves.Append(model.NewMove(pawn, pawn+8*(1+model.Square(id-1)/8)))
			if !yield(model.Record{ID: id, Game: g}, nil) {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(model.Record{}, err)
		}
	}
}

// counter is a sink: it counts first moves. Nothing is visible before Commit.
type counter struct{ moves map[model.Move]int }

func (c *counter) Begin(model.Source) error { c.moves = map[model.Move]int{}; return nil }
func (c *counter) Abort() error             { return nil }
func (c *counter) Put(rec model.Record) error {
	if rec.Game != nil && rec.Game.Moves.Len() > 0 {
		c.moves[rec.Game.Moves.Move(0)]++
	}
	return nil
}
func (c *counter) Commit() error { fmt.Println(len(c.moves), "first moves"); return nil }

func main() {
	ctx := context.Background()
	if err := model.Copy(ctx, new(counter), new(openings), model.CopyOptions{}); err != nil {
		log.Fatal(err)
	}
	if err := cbkit.Save(ctx, os.Args[1], new(openings), cbkit.SaveOptions{}); err != nil {
		log.Fatal(err)
	}
}
