package ctgwrite

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cbkit/board"
	"cbkit/internal/polyglot"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
)

// binOf writes entries as a Polyglot book and opens it.
func binOf(t *testing.T, entries []polyglot.Entry) *read.Polyglot {
	t.Helper()
	slices.SortStableFunc(entries, func(a, b polyglot.Entry) int {
		switch {
		case a.Key < b.Key:
			return -1
		case a.Key > b.Key:
			return 1
		}
		return int(b.Weight) - int(a.Weight)
	})
	var data []byte
	for i := range entries {
		data = entries[i].Append(data)
	}
	return openBin(t, data)
}

func openBin(t *testing.T, data []byte) *read.Polyglot {
	t.Helper()
	path := filepath.Join(gen.Folder(t), "b.bin")
	must.Do(t, os.WriteFile(path, data, 0o666))
	book := must.Get(read.OpenBook(t.Context(), path))(t)
	t.Cleanup(func() { book.Close() })
	return book.(*read.Polyglot)
}

// randomBin makes a book of random moves with random weights; some of them are 0, some have
// a learn value.
func randomBin(t *testing.T, seed uint64) *read.Polyglot {
	rng := rand.New(rand.NewPCG(seed, 9))
	seen := map[uint64]bool{}
	var entries []polyglot.Entry
	for range 60 {
		p := board.Start()
		for ply := range 70 {
			legal := p.AppendLegal(nil)
			if len(legal) == 0 {
				break
			}
			rng.Shuffle(len(legal), func(i, j int) { legal[i], legal[j] = legal[j], legal[i] })
			if !seen[p.PolyglotKey()] {
				seen[p.PolyglotKey()] = true
				for _, m := range legal[:min(len(legal), 1+rng.IntN(3))] {
					e := polyglot.Entry{Key: p.PolyglotKey(), Move: polyglot.EncodeMove(m), Weight: uint16(rng.Uint32() >> (16 + rng.IntN(14)))}
					if rng.IntN(20) == 0 {
						e.Learn = rng.Uint32()
					}
					entries = append(entries, e)
				}
			}
			p.Make(legal[rng.IntN(min(len(legal), 1+ply/8))])
		}
	}
	return binOf(t, entries)
}

// What a .ctg and a Polyglot book can both say goes there and back: every move that is no
// underpromotion and for whose piece a .ctg has a word, and its weight but where moves
// with several weights lead to one position. The rest is told, to the number.
func TestPolyglotThereAndBack(t *testing.T) {
	for seed := range uint64(3) {
		if testing.Short() && seed > 0 {
			break
		}
		book := randomBin(t, seed)
		if s, err := book.Scan(t.Context()); err != nil || s.Unplayed == 0 || s.Learned == 0 {
			t.Fatalf("%+v, %v: makes no case", s, err)
		}
		told := map[string]int{}
		report := func(l model.Loss) { told[string(l.Kind)+" "+l.Field]++ }
		path := filepath.Join(gen.Folder(t), "b.ctg")
		must.Get(Write(t.Context(), path, book, Options{Report: report, Extended: true}))(t)
		between := must.Get(read.OpenBook(t.Context(), path))(t)
		defer between.Close()
		var out bytes.Buffer
		must.Get(WritePolyglot(t.Context(), &out, []model.Book{between}, PolyglotOptions{}))(t)
		back := openBin(t, out.Bytes())
		moves, changed, lost, learned := 0, 0, 0, 0
		for e := range must.All(t, book.Entries(t.Context())) {
			p := must.Get(board.New(&e.Position))(t)
			again, err := back.Lookup(p)
			if err != nil && len(e.Moves) > 1 {
				t.Fatalf("%s: %v", p.FEN(), err)
			}
			for _, m := range e.Moves {
				moves++
				if m.Learn != 0 {
					learned++
				}
				i := -1
				if again != nil {
					i = slices.IndexFunc(again.Moves, func(b model.BookMove) bool { return b.Move == m.Move })
				}
				switch {
				case i < 0:
					lost++
				case again.Moves[i].MoveWeight != m.MoveWeight:
					changed++
				}
			}
		}
		if lost != told["moves move"] || learned != told["field learn"] {
			t.Errorf("%d moves are lost and %d learn values, told %v", lost, learned, told)
		}
		// A change that is told is one of a figure, which a move that is lost can have had too.
		if changed > told["changed weight"] || told["changed weight"] > changed+lost {
			t.Errorf("%d weights are others, told %v", changed, told)
		}
		if 20*lost > moves || 4*changed > moves || moves < 1000 {
			t.Errorf("%d moves, of which %d are lost and %d have another weight: what is kept means little", moves, lost, changed)
		}
		t.Logf("%d moves, %d lost, %d changed, told %v", moves, lost, changed, told)
	}
}
