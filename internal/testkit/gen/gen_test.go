package gen

import (
	"slices"
	"testing"
	"unicode/utf8"

	"cbkit/board"
	"cbkit/model"

	"pgregory.net/rapid"
)

// TestCorners draws many databases and asks whether the corners came up.
func TestCorners(t *testing.T) {
	seen := map[string]int{}
	see := func(what string, is bool) {
		if is {
			seen[what]++
		} else {
			seen[what] += 0
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		// Rapid runs this a hundred times, or twenty in a short run.
		for range 150 {
			db := Database(Config{Leftovers: true, Undecodable: true}).Draw(t, "db")
			see("an empty database", len(db.List) == 0)
			see("a deleted slot", slices.ContainsFunc(slots(&db.Tables.Players), func(s model.Slot[model.Player]) bool { return s.Deleted }))
			see("an entity's leftover", slices.ContainsFunc(slots(&db.Tables.Players), func(s model.Slot[model.Player]) bool { return s.Leftover != nil }))
			for _, r := range db.List {
				see("a deleted record", r.Deleted)
				see("a text", r.Text != nil)
				if r.Game != nil {
					seeGame(t, see, r.Game)
				}
			}
		}
	})
	for what, n := range seen {
		if n == 0 {
			t.Errorf("never drawn: %s", what)
		}
	}
}

func slots[T comparable](table *model.Table[T]) []model.Slot[T] {
	var list []model.Slot[T]
	for _, s := range table.All() {
		list = append(list, s)
	}
	return list
}

func seeGame(t *rapid.T, see func(string, bool), g *model.Game) {
	if err := board.Validate(g.Start, &g.Moves); err != nil {
		t.Fatalf("an illegal game: %v", err)
	}
	see("an undecodable game", g.MovesErr != nil)
	see("a game without moves", g.Moves.Len() == 0)
	see("variations", g.Moves.HasVariations())
	see("a long game", g.Moves.MainLen() > 30)
	see("a set-up", g.Start != nil && !g.Start.Chess960)
	see("a set-up with Black to move", g.Start != nil && g.Start.Turn == model.Black)
	see("Chess960", g.Start != nil && g.Start.Chess960)
	see("tags", len(g.Tags) > 0)
	for n, pos := range board.Walk(g.Start, &g.Moves) {
		m := g.Moves.Move(n)
		see("a null move", m.IsNull())
		see("castling", m.IsCastling())
		see("castling in Chess960", m.IsCastling() && pos.Chess960())
		see("a queen", m.Promotion() == model.Queen)
		see("a knight", m.Promotion() == model.Knight)
		see("en passant", !m.IsNull() && m.Promotion() == 0 && isRare(pos, m) && !m.IsCastling())
		see("a variation at the first move", g.Moves.Parent(n) == model.NoNode && n > 0)
		see("a nested variation", !g.Moves.IsMain(n) && n > g.Moves.MainLen() && nested(&g.Moves, n))
		see("three alternatives", slices.Collect(g.Moves.Alternatives(n)) != nil && len(slices.Collect(g.Moves.Alternatives(n))) > 2)
	}
	for _, k := range model.Kinds() {
		see(string(k), slices.ContainsFunc(g.Annotations, func(a model.Annotation) bool { return a.Value.Kind() == k }))
	}
	for i := 1; i < len(g.Annotations); i++ {
		see("two annotations at one place", g.Annotations[i].Node == g.Annotations[i-1].Node)
	}
}

// nested reports whether a node is in a variation of a variation.
func nested(t *model.Tree, node int) bool {
	turns := 0
	for n := node; n != model.NoNode; n = t.Parent(n) {
		if !t.IsMain(n) {
			turns++
		}
	}
	return turns > 1
}

func TestStrings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		max := rapid.IntRange(0, 300).Draw(t, "max")
		s := Config{}.String(t, max, "s")
		if len(s) > max || !utf8.ValidString(s) {
			t.Fatalf("%q: %d bytes, at most %d", s, len(s), max)
		}
		s = Config{Runes: []rune("abя")}.String(t, max, "s")
		if len(s) > max {
			t.Fatalf("%d bytes, at most %d", len(s), max)
		}
	})
}
