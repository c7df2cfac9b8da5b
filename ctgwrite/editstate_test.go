package ctgwrite_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"cbkit/board"
	"cbkit/ctgwrite"
	"cbkit/internal/ctg"
	"cbkit/internal/testkit/must"
	"cbkit/model"

	"pgregory.net/rapid"
)

// bookModel is a book in memory, and what an editor must make of it.
type bookModel struct {
	entries map[ctg.Key]modelEntry
}

type modelEntry struct {
	moves map[byte]byte // and their annotations
	stats ctg.Stats
}

func (m bookModel) clone() bookModel {
	c := bookModel{map[ctg.Key]modelEntry{}}
	for key, e := range m.entries {
		c.entries[key] = modelEntry{maps.Clone(e.moves), e.stats}
	}
	return c
}

// bytes returns the entries as entriesOf does.
func (m bookModel) bytes() map[string]string {
	out := map[string]string{}
	for key, e := range m.entries {
		var moves []byte
		for _, code := range slices.Sorted(maps.Keys(e.moves)) {
			moves = append(moves, code, e.moves[code])
		}
		out[string(key.Bytes())] = string(moves) + string(e.stats.Append(nil))
	}
	return out
}

// add adds games, as a recount has counted them.
func (m bookModel) add(db *model.Database) {
	r := newRecount(0, false)
	for i := range db.List {
		r.add(db.List[i].Game)
	}
	for key, n := range r.positions {
		e, ok := m.entries[key]
		if !ok {
			e.moves = map[byte]byte{}
		}
		t := ctg.Totals{
			Games: uint64(n.games), Wins: uint64(n.wins), Losses: uint64(n.losses), Draws: uint64(n.draws), Score: uint64(n.score),
			OwnGames: uint64(n.ownGames), OwnSum: uint64(n.ownSum), OpponentGames: uint64(n.theirGames), OpponentSum: uint64(n.theirSum),
		}
		t.Add(&e.stats)
		s := t.Stats()
		s.Recommendation, s.Weight, s.Commentary = e.stats.Recommendation, e.stats.Weight, e.stats.Commentary
		for code := range n.moves {
			if _, listed := e.moves[code]; !listed {
				e.moves[code] = 0
			}
		}
		m.entries[key] = modelEntry{e.moves, s}
	}
}

// children are the keys of the positions that a move leads to.
func children(key ctg.Key, code byte) []ctg.Key {
	pos, err := key.Position()
	if err != nil {
		panic(err)
	}
	p, err := board.New(&pos)
	if err != nil {
		panic(err)
	}
	move, _ := ctg.DecodeMove(&p, 0, code)
	p.Make(move)
	child, _ := ctg.Encode(&p)
	keys := []ctg.Key{child}
	if twin, ok := ctg.EncodeTwin(&p); ok {
		keys = append(keys, twin)
	}
	return keys
}

// drop takes a move away, or with all of them the position itself and the moves
// that lead there.
func (m bookModel) drop(keys []ctg.Key, only map[byte]bool) {
	for _, key := range keys {
		e, there := m.entries[key]
		for code := range e.moves {
			if only == nil || only[code] {
				delete(e.moves, code)
			}
		}
		if only == nil && there {
			delete(m.entries, key)
		}
	}
	if only != nil {
		return
	}
	for key, e := range m.entries {
		for code := range e.moves {
			if slices.Contains(keys, children(key, code)[0]) {
				delete(e.moves, code)
			}
		}
	}
}

// any returns a position of the book, and its keys.
func (m bookModel) any(rng *rand.Rand) (*model.Position, []ctg.Key) {
	list := slices.SortedFunc(maps.Keys(m.entries), func(a, b ctg.Key) int { return slices.Compare(a[:], b[:]) })
	if len(list) == 0 {
		return nil, nil
	}
	key := list[rng.IntN(min(len(list), 1+rng.IntN(len(list))))]
	pos, err := key.Position()
	if err != nil {
		panic(err)
	}
	p, err := board.New(&pos)
	if err != nil {
		panic(err)
	}
	keys := []ctg.Key{key}
	if twin, ok := ctg.EncodeTwin(&p); ok {
		keys = append(keys, twin)
	}
	return &pos, keys
}

// Whatever is done to a book, in any order and in any number of transactions: it
// has the entries that it should have, where they belong, and a check finds nothing.
func TestEditAnyScript(t *testing.T) {
	path := bookPath(t)
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		opt := ctgwrite.BuilderOptions{Jobs: 1}
		opt.Force = true
		db := randomDatabase(rng.Uint64(), 1+rng.IntN(30), 40)
		build(t, db, path, opt)
		m := bookModel{map[ctg.Key]modelEntry{}}
		m.add(db)
		ed := must.Get(ctgwrite.Edit(context.Background(), path, ctgwrite.EditOptions{AcceptLosses: true, Memory: rng.IntN(2)}))(rt)
		defer func() { _ = ed.Close() }()
		committed := m.clone()
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			switch step := rng.IntN(8); step {
			case 0, 1:
				more := randomDatabase(rng.Uint64(), rng.IntN(20), 40)
				b := ed.NewBuilder(ctgwrite.BuilderOptions{Jobs: 1})
				must.Do(rt, b.Add(context.Background(), more))
				must.Do(rt, ed.Add(context.Background(), b))
				m.add(more)
			case 2, 3, 4:
				must.Do(rt, editOne(ed, m, rng, step))
			case 6:
				must.Do(rt, ed.Rollback())
				m = committed.clone()
			case 7:
				must.Do(rt, ed.Commit())
				committed = m.clone()
				checkEdited(t, rt, path, m)
			}
		}
		must.Do(rt, ed.Commit())
		checkEdited(t, rt, path, m)
	})
}

// editOne changes one entry of a book and of its model.
func editOne(ed *ctgwrite.Editor, m bookModel, rng *rand.Rand, step int) error {
	p, keys := m.any(rng)
	if p == nil {
		return nil
	}
	b, err := board.New(p)
	if err != nil {
		return err
	}
	if step == 2 {
		m.drop(keys, nil)
		return ed.Remove(context.Background(), b)
	}
	e, err := ed.Lookup(b)
	if err != nil {
		return err
	}
	if step == 3 && len(e.Moves) > 0 {
		i := rng.IntN(len(e.Moves))
		_, view := ctg.Encode(&b)
		code, _ := ctg.EncodeMove(&b, view, e.Moves[i].Move, ctg.PortableCodes)
		m.drop(keys, map[byte]bool{code: true})
		return ed.DropMove(b, e.Moves[i].Move)
	}
	e.Stats.Weight, e.Stats.Commentary = int8(rng.IntN(251)-125), model.NAG(rng.IntN(3)*11)
	e.Stats.Recommendation = model.Recommendation(rng.IntN(3))
	if step == 4 && len(e.Moves) > 0 {
		e.Moves[0].Annotation = model.NAG(rng.IntN(7))
	}
	for _, key := range keys {
		it, there := m.entries[key]
		if !there {
			continue
		}
		it.stats.Weight, it.stats.Commentary = e.Stats.Weight, uint8(e.Stats.Commentary)
		it.stats.Recommendation = ctg.RecommendationBits(e.Stats.Recommendation, e.Stats.Weight)
		if step == 4 && len(e.Moves) > 0 {
			_, view := ctg.Encode(&b)
			code, _ := ctg.EncodeMove(&b, view, e.Moves[0].Move, ctg.PortableCodes)
			it.moves[code] = byte(e.Moves[0].Annotation)
		}
		m.entries[key] = it
	}
	return ed.Put(e)
}

// checkEdited compares a book with the model.
func checkEdited(t *testing.T, rt *rapid.T, path string, m bookModel) {
	t.Helper()
	if got, want := entriesOf(t, path), m.bytes(); !maps.Equal(got, want) {
		rt.Fatalf("%d entries, want %d; %v", len(got), len(want), firstDifference(got, want))
	}
	checkClean(t, path)
	if b := openBook(t, path); b.Positions() != len(m.entries) {
		rt.Fatalf("the header counts %d positions, want %d", b.Positions(), len(m.entries))
	}
}

// firstDifference returns an entry that two books do not have in common.
func firstDifference(got, want map[string]string) string {
	for key := range want {
		if got[key] != want[key] {
			return fmt.Sprintf("%x: %x, want %x", key, got[key], want[key])
		}
	}
	for key := range got {
		if want[key] == "" {
			return fmt.Sprintf("%x: %x, want none", key, got[key])
		}
	}
	return ""
}
