package ctgwrite_test

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/ctgwrite"
	"cbkit/internal/ctg"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// damagedBook writes a book with a page that cannot be read, and returns how
// many positions were there and how many are left.
func damagedBook(t *testing.T, path string) (positions, left int) {
	t.Helper()
	positions = build(t, wideDatabase(40), path, ctgwrite.BuilderOptions{}).Positions
	data := must.Get(os.ReadFile(path))(t)
	const page = 7
	at := ctg.PageSize * (page + 1)
	left = positions - int(binary.BigEndian.Uint16(data[at:]))
	data[at+ctg.PageHeaderSize] = 0 // a key of no length
	must.Do(t, os.WriteFile(path, data, 0o666))
	return positions, left
}

// A damaged book is rescued by pruning or merging it: what is not on the
// damaged page goes into the new book, and the page is told once.
func TestDamagedBookIsRescued(t *testing.T) {
	damaged := bookPath(t)
	_, left := damagedBook(t, damaged)
	book := openBook(t, damaged)
	for name, rescue := range map[string]func(path string, opt ctgwrite.Options) (ctgwrite.Result, error){
		"prune": func(path string, opt ctgwrite.Options) (ctgwrite.Result, error) {
			return ctgwrite.Prune(context.Background(), path, book, 1, opt)
		},
		"write": func(path string, opt ctgwrite.Options) (ctgwrite.Result, error) {
			return ctgwrite.Write(context.Background(), path, book, opt)
		},
		"merge": func(path string, opt ctgwrite.Options) (ctgwrite.Result, error) {
			return ctgwrite.Merge(context.Background(), path, []model.Book{book, book}, opt)
		},
	} {
		for _, exact := range []bool{false, true} {
			path := bookPath(t)
			opt := ctgwrite.Options{Exact: exact, AcceptLosses: true}
			if _, err := rescue(path, opt); !errors.Is(err, model.ErrCorrupt) {
				t.Errorf("%s: without a decision: %v", name, err)
			}
			var told []string
			opt.OnError = func(err error) error {
				told = append(told, err.Error())
				return nil
			}
			r, err := rescue(path, opt)
			if err != nil || r.Positions != left || len(told) != 1 || !strings.Contains(told[0], "page 7") {
				t.Errorf("%s, exact %v: %d positions, want %d; %v, told %q", name, exact, r.Positions, left, err, told)
				continue
			}
			for e, err := range openBook(t, path).Entries(context.Background()) {
				if err != nil || len(e.Moves) > 50 {
					t.Fatalf("%s: %v", name, err)
				}
			}
		}
	}
}

// Moves that a book cannot hold are told, each once.
func TestMovesWithoutAWord(t *testing.T) {
	db := new(model.Database)
	start := must.Get(board.ParseModel("k7/7P/8/8/8/8/8/K3QQ2 w - - 0 1"))(t)
	g := &model.Game{Header: model.NewHeader(), Start: &start}
	b := new(model.TreeBuilder)
	promoted := b.Add(model.NoNode, model.NewPromotion(model.H7, model.H8, model.Knight))
	king := b.Add(promoted, model.NewMove(model.A8, model.A7))
	b.Add(king, model.NewMove(model.F1, model.G1))
	b.Add(king, model.NewMove(model.F1, model.H1)) // a second line with the same promotion
	b.Build(&g.Moves)
	db.AddGame(g)
	var losses []string
	opt := ctgwrite.BuilderOptions{Variations: true}
	opt.Report = func(l model.Loss) { losses = append(losses, string(l.Kind)+" "+l.Field+" "+l.What) }
	build(t, db, bookPath(t), opt)
	if len(losses) != 1 || !strings.Contains(losses[0], "underpromotion") {
		t.Errorf("%q", losses)
	}
}

// A variation from behind the last ply that counts is no line: what is left of
// it was counted already.
func TestVariationsBehindTheLastPly(t *testing.T) {
	db := new(model.Database)
	g := &model.Game{Header: model.NewHeader()}
	b := new(model.TreeBuilder)
	add := func(parent int, from, to model.Square) int { return b.Add(parent, model.NewMove(from, to)) }
	e4 := add(model.NoNode, model.E2, model.E4)
	e5 := add(e4, model.E7, model.E5)
	add(e5, model.G1, model.F3)
	add(e5, model.B1, model.C3) // branches at ply 2
	c5 := add(e4, model.C7, model.C5)
	add(c5, model.G1, model.F3)
	add(c5, model.B1, model.C3) // within a variation
	add(model.NoNode, model.D2, model.D4)
	b.Build(&g.Moves)
	db.AddGame(g)
	for ply, want := range map[int]uint32{0: 5, 1: 2, 2: 3, 3: 5} {
		path := bookPath(t)
		build(t, db, path, ctgwrite.BuilderOptions{Variations: true, MaxPly: ply})
		if e := probe(t, openBook(t, path), startFEN); e.Stats.Games != want {
			t.Errorf("%d plies: %d lines, want %d", ply, e.Stats.Games, want)
		}
	}
}

// The portable form has the recommendations that all programs understand.
func TestPortableRecommendations(t *testing.T) {
	path := bookPath(t)
	build(t, wideDatabase(1), path, ctgwrite.BuilderOptions{})
	data := must.Get(os.ReadFile(path))(t)
	stored := []byte{0x14, 0x84, 0xC0, 0x24, 0x44, 0x00, 0x40, 0x80, 0x04}
	weights := []byte{5, 0, 0, 0, 3, 0, 0, 7, 9}
	want := []byte{0x04, 0x80, 0x40, 0x00, 0x40, 0x00, 0x40, 0x80, 0x04}
	n := 0
	for at := ctg.PageSize; at < len(data); at += ctg.PageSize {
		for e := range must.All(t, ctg.Page(data[at:at+ctg.PageSize]).Entries()) {
			s := e.StatsBytes()
			s[30], s[31] = stored[n%len(stored)], weights[n%len(stored)]
			n++
		}
	}
	must.Do(t, os.WriteFile(path, data, 0o666))
	for _, exact := range []bool{false, true} {
		target := bookPath(t)
		changed := 0
		opt := ctgwrite.Options{Exact: exact, Report: func(l model.Loss) {
			if l.Kind != model.Changed || l.Field != "recommendation" {
				t.Errorf("%+v", l)
			}
			changed++
		}}
		must.Get(ctgwrite.Write(context.Background(), target, openBook(t, path), opt))(t)
		got := must.Get(os.ReadFile(target))(t)
		seen := 0
		for at := ctg.PageSize; at < len(got); at += ctg.PageSize {
			for e := range must.All(t, ctg.Page(got[at:at+ctg.PageSize]).Entries()) {
				s := e.Stats()
				i := slices.IndexFunc(weights, func(w byte) bool { return w != 0 && int8(w) == s.Weight })
				if !exact && s.Weight != 0 && s.Recommendation != want[i] || !exact && !slices.Contains(want, s.Recommendation) ||
					exact && s.Weight != 0 && s.Recommendation != stored[i] {
					t.Errorf("exact %v: weight %d, recommendation %02x", exact, s.Weight, s.Recommendation)
				}
				seen++
			}
		}
		if seen != n || (changed > 0) == exact {
			t.Errorf("exact %v: %d of %d entries, %d changes", exact, seen, n, changed)
		}
	}
}

// Without anybody to tell, a book that would lose something is not written.
func TestBooksLoseNothingInSilence(t *testing.T) {
	db := new(model.Database)
	g := gameOf(t, model.Draw, "e2e4")
	start := must.Get(board.ParseModel("k7/7P/8/8/8/8/8/K7 w - - 0 1"))(t)
	promotion := &model.Game{Header: model.NewHeader(), Start: &start}
	promotion.Moves.Append(model.NewPromotion(model.H7, model.H8, model.Knight))
	db.AddGame(g)
	db.AddGame(promotion)
	for _, accept := range []bool{false, true} {
		path := bookPath(t)
		b := ctgwrite.NewBuilder(ctgwrite.BuilderOptions{Options: ctgwrite.Options{AcceptLosses: accept}})
		must.Do(t, b.Add(t.Context(), db))
		_, err := b.Write(t.Context(), path)
		_, stat := os.Stat(path)
		if _, lost := errors.AsType[*model.LossError](err); lost == accept || (stat == nil) != accept {
			t.Errorf("accept %v: %v, %v", accept, err, stat)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A byte that means no legal move is damage: a book is made without it only where
// that is asked for, in the exact form too, and the byte is told once.
func TestIllegalMoveIsTold(t *testing.T) {
	spoiled := bookPath(t)
	build(t, wideDatabase(40), spoiled, ctgwrite.BuilderOptions{})
	spoilStart(t, spoiled)
	book := openBook(t, spoiled)
	for name, write := range map[string]func(path string, opt ctgwrite.Options) (ctgwrite.Result, error){
		"prune": func(path string, opt ctgwrite.Options) (ctgwrite.Result, error) {
			return ctgwrite.Prune(context.Background(), path, book, 1, opt)
		},
		"merge": func(path string, opt ctgwrite.Options) (ctgwrite.Result, error) {
			return ctgwrite.Merge(context.Background(), path, []model.Book{book}, opt)
		},
	} {
		for _, exact := range []bool{false, true} {
			opt := ctgwrite.Options{Exact: exact, AcceptLosses: true}
			if _, err := write(bookPath(t), opt); !errors.Is(err, model.ErrCorrupt) {
				t.Errorf("%s, exact %v: without a decision: %v", name, exact, err)
			}
			var told []string
			opt.OnError = func(err error) error {
				told = append(told, err.Error())
				return nil
			}
			path := bookPath(t)
			if _, err := write(path, opt); err != nil || len(told) != 1 || !strings.Contains(told[0], "6b means no legal move") {
				t.Errorf("%s, exact %v: %v, told %q", name, exact, err, told)
				continue
			}
			for e, err := range openBook(t, path).Entries(context.Background()) {
				if err != nil || e.MovesErr != nil {
					t.Errorf("%s, exact %v: %v %v", name, exact, err, e.MovesErr)
				}
			}
		}
	}
}

// spoilStart makes the first move of the start of the game one that is illegal.
func spoilStart(t *testing.T, path string) {
	t.Helper()
	data := must.Get(os.ReadFile(path))(t)
	start := board.Start()
	key, _ := ctg.Encode(&start)
	for at := ctg.PageSize; at < len(data); at += ctg.PageSize {
		for e := range ctg.Page(data[at:][:ctg.PageSize]).Entries() {
			if e != nil && e.Key() == key {
				e.Moves()[0] = 0x6b
			}
		}
	}
	must.Do(t, os.WriteFile(path, data, 0o666))
}
