package roundtrip

import (
	"slices"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/model"

	"pgregory.net/rapid"
)

// Through every format, what is not reported as lost comes back; and what has
// been through a format once goes through it again without a loss or a change.
func TestThereAndBack(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			dir, lossless := gen.Folder(t), 0
			rapid.Check(t, func(t *rapid.T) {
				// Every second database is one that any format can hold, more
				// or less: else the narrow formats would lose something of all.
				c := gen.Config{NoHalfMoves: true}
				if rapid.Bool().Draw(t, "narrow") {
					c = gen.Config{NoHalfMoves: true, NoTags: true, NoTexts: true, NoDeleted: true,
						NameBytes: 10, Records: 1, Plies: 10, Kinds: []model.Kind{}}
				}
				db := gen.Database(c).Draw(t, "database")
				once, losses := f.trip(t, dir, db)
				if !concernRecords(losses) {
					lossless++
					if d := difference(db, once); d != "" {
						t.Fatalf("nothing was reported, but:\n%s", d)
					}
				}
				twice, losses := f.trip(t, dir, once)
				if len(losses) > 0 {
					t.Fatalf("second trip: %v", losses)
				}
				if d := difference(once, twice); d != "" {
					t.Fatalf("second trip:\n%s", d)
				}
			})
			if lossless == 0 {
				t.Error("no database went through without a loss")
			}
		})
	}
}

// concernRecords reports whether anything was lost that a record says.
// Entities that no record refers to do not count: [model.Equal] ignores them.
func concernRecords(losses []model.Loss) bool {
	return slices.ContainsFunc(losses, func(l model.Loss) bool { return l.Kind != model.LostEntity })
}

// From one format into another and back nothing changes that the other does
// not report.
func TestThroughTwoFormats(t *testing.T) {
	for _, first := range formats {
		if first.name != "jsonl" && first.name != "pgn" {
			continue // the other order of the same pairs
		}
		for _, second := range formats {
			if first.name == second.name {
				continue
			}
			t.Run(first.name+" "+second.name, func(t *testing.T) {
				dir, lossless := gen.Folder(t), 0
				rapid.Check(t, func(t *rapid.T) {
					c := gen.Config{NoHalfMoves: true, NoTags: true, NoTexts: true, NoDeleted: true, NameBytes: 10, Records: 2}
					db, _ := first.trip(t, dir, gen.Database(c).Draw(t, "database"))
					there, lost := second.trip(t, dir, db)
					back, lostAgain := first.trip(t, dir, there)
					if len(lost)+len(lostAgain) > 0 {
						return
					}
					lossless++
					if d := difference(db, back); d != "" {
						t.Fatalf("nothing was reported, but:\n%s", d)
					}
				})
				if lossless == 0 {
					t.Error("no database went through without a loss")
				}
			})
		}
	}
}

// JSON Lines keep leftovers: a ChessBase database that went through them has
// the bytes it had, and the ids of its entities.
func TestJSONLinesKeepLeftovers(t *testing.T) {
	dir := gen.Folder(t)
	rapid.Check(t, func(t *rapid.T) {
		db, cut := throughChessBase(t, dir, gen.Database(gen.Config{NoHalfMoves: true}).Draw(t, "database"))
		there, losses := throughJSONL(t, dir, db)
		if len(cut)+len(losses) > 0 {
			return // entities that no record refers to, or that became equal by a cut
		}
		back, _ := throughChessBase(t, dir, there)
		for i, r := range db.List {
			was, is := r, back.List[i]
			if was.Game == nil {
				continue
			}
			w, b := was.Game.Leftovers, is.Game.Leftovers
			for _, part := range [][2]*model.Leftover{{w.Header, b.Header}, {w.Derived, b.Derived}, {w.Moves, b.Moves}, {w.Annotations, b.Annotations}} {
				if string(part[0].From("cbh")) != string(part[1].From("cbh")) {
					t.Fatalf("record %d: a leftover changed:\n%x\n%x", r.ID, part[0].From("cbh"), part[1].From("cbh"))
				}
			}
		}
	})
}
