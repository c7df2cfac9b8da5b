package ctgwrite_test

import (
	"testing"

	"cbkit/ctgwrite"
	"cbkit/internal/ctg"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// TestMergeTakesTheFirstCommentary: the first book that judges a position is
// heard, and no later one.
func TestMergeTakesTheFirstCommentary(t *testing.T) {
	start := model.StartPosition()
	book := func(commentary model.NAG) model.Book {
		return listBook{[]*model.BookEntry{entryAt(start, model.BookStats{Games: 1, Draws: 1, Score: 5, Commentary: commentary})}}
	}
	path := bookPath(t)
	must.Get(ctgwrite.Merge(t.Context(), path, []model.Book{book(0), book(14), book(11)}, ctgwrite.Options{}))(t)
	var got model.BookEntry
	if found, err := openBook(t, path).Find(start, &got); !found || err != nil {
		t.Fatalf("%v, %v", found, err)
	}
	if got.Stats.Commentary != 14 {
		t.Errorf("commentary $%d, want $14", got.Stats.Commentary)
	}
}

// TestMergeFillsAnEntry: of the moves of all books as many stay as an entry may
// have, in the order of the books, and not fewer.
func TestMergeFillsAnEntry(t *testing.T) {
	p := fenPosition(t, "k7/8/8/8/3Q4/8/2Q5/K7 w - - 0 1")
	legal := legalMoves(t, &p)
	if len(legal) <= ctg.MaxPortableMoves || len(legal) > 2*ctg.MaxPortableMoves {
		t.Fatalf("%d moves make no case", len(legal))
	}
	book := func(moves []model.Move) model.Book {
		e := entryAt(p, model.BookStats{Games: 1, Draws: 1, Score: 5})
		for _, m := range moves {
			e.Moves = append(e.Moves, model.BookMove{Move: m})
		}
		return listBook{[]*model.BookEntry{e}}
	}
	half := len(legal) / 2
	for _, exact := range []bool{false, true} {
		var losses []model.Loss
		path := bookPath(t)
		_, err := ctgwrite.Merge(t.Context(), path, []model.Book{book(legal[:half]), book(legal[half:])}, ctgwrite.Options{
			Exact: exact, Extended: true, Report: func(l model.Loss) { losses = append(losses, l) },
		})
		if err != nil {
			t.Fatal(err)
		}
		var got model.BookEntry
		if found, err := openBook(t, path).Find(p, &got); !found || err != nil {
			t.Fatalf("%v, %v", found, err)
		}
		want, reports := legal, 0
		if !exact {
			want, reports = legal[:ctg.MaxPortableMoves], 1
		}
		if len(got.Moves) != len(want) || len(losses) != reports {
			t.Fatalf("exact %v: %d moves of %d, %v", exact, len(got.Moves), len(legal), losses)
		}
		for i, m := range want {
			if got.Moves[i].Move != m {
				t.Errorf("exact %v: move %d is %v, want %v", exact, i, got.Moves[i].Move, m)
			}
		}
	}
}
