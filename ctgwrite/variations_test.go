package ctgwrite_test

import (
	"path/filepath"
	"testing"
	"time"

	"cbkit/board"
	"cbkit/ctgwrite"
	"cbkit/internal/testkit/gen"
	"cbkit/model"
)

// nestedGame returns a game of knight moves in which every variation has
// another one inside.
func nestedGame(depth int) *model.Game {
	b := new(model.TreeBuilder)
	p := board.Start()
	last := model.NoNode
	for range depth {
		moves := p.AppendLegal(nil)
		b.Add(last, moves[0])
		last = b.Add(last, moves[1])
		p.Make(moves[1])
	}
	g := &model.Game{Header: model.NewHeader()}
	g.Moves = b.Tree()
	return g
}

// The work for variations grows with their moves, not with moves and depth: a
// game with as many levels of variations as this one took minutes.
func TestNestedVariationsTakeNoTime(t *testing.T) {
	db := new(model.Database)
	db.AddGame(nestedGame(30_000))
	path := bookPath(t)
	begin := time.Now()
	build(t, db, path, ctgwrite.BuilderOptions{Variations: true})
	if spent := time.Since(begin); spent > 30*time.Second {
		t.Errorf("a nested game took %v", spent)
	}
}

// A book with variations does not depend on the memory either, which runs out
// in the middle of them.
func TestVariationsDoNotDependOnMemory(t *testing.T) {
	db := randomDatabase(1, 200, 60)
	db.AddGame(nestedGame(2000))
	dir := gen.Folder(t)
	want, got := filepath.Join(dir, "want.ctg"), filepath.Join(dir, "got.ctg")
	opt := ctgwrite.BuilderOptions{Variations: true}
	build(t, db, want, opt)
	opt.Memory, opt.TempDir = 1, dir
	build(t, db, got, opt)
	sameFiles(t, "with little memory", want, got)
}
