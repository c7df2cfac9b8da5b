package moveenc_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/moveenc"

	"pgregory.net/rapid"
)

// usableModes are the modes that are read and written, by game.
var (
	regularModes  = []moveenc.Mode{0, 1, 2, 3, 4, 5, 6, 7}
	chess960Modes = []moveenc.Mode{10, 11}
)

// Random games survive every mode, and their bytes survive decoding.
func TestRandomGamesRoundTrip(t *testing.T) {
	for _, mode := range slices.Concat(regularModes, chess960Modes) {
		t.Run(fmt.Sprintf("mode %d", mode), func(t *testing.T) {
			var decoded moveenc.Game
			rapid.Check(t, func(t *rapid.T) {
				g := drawGame(t, mode >= 10)
				form := moveenc.Form{Mode: mode, Bit7: rapid.Bool().Draw(t, "bit 7")}
				checkRoundTrip(t, &decoded, g, form)
			})
		})
	}
}

// checkRoundTrip encodes a game, decodes it, compares, and encodes it again.
func checkRoundTrip(t rapid.TB, decoded *moveenc.Game, g game, form moveenc.Form) []byte {
	t.Helper()
	rec, err := moveenc.Append([]byte("before"), g.start, &g.moves, &form)
	if err != nil {
		t.Fatalf("encode: %v", err)
	}
	if !bytes.HasPrefix(rec, []byte("before")) {
		t.Fatalf("overwritten: %x", rec)
	}
	rec = rec[len("before"):]
	if err := moveenc.Decode(rec, decoded); err != nil {
		t.Fatalf("decode %x: %v", rec, err)
	}
	if !decoded.Moves.Equal(&g.moves) {
		t.Fatalf("%x\n got %v\nwant %v", rec, decoded.Moves.Nodes(), g.moves.Nodes())
	}
	if start := decoded.SetUp(); (start == nil) != (g.start == nil) || start != nil && *start != *g.start {
		t.Fatalf("start %+v, want %+v", start, g.start)
	}
	if form.Mode == moveenc.ModeChess960 {
		form.Mode = 0
	}
	if got, want := moveenc.AppendForm(nil, &decoded.Form), moveenc.AppendForm(nil, &form); !bytes.Equal(got, want) {
		t.Fatalf("form %+v, want %+v", decoded.Form, form)
	}
	again, err := moveenc.Append(nil, decoded.SetUp(), &decoded.Moves, &decoded.Form)
	if err != nil || !bytes.Equal(again, rec) {
		t.Fatalf("encoded again: %v\n got %x\nwant %x", err, again, rec)
	}
	return rec
}

// All that a form can say survives too.
func TestRandomFormsRoundTrip(t *testing.T) {
	var decoded moveenc.Game
	rapid.Check(t, func(t *rapid.T) {
		mode := rapid.SampledFrom([]moveenc.Mode{0, 2, 4, 6, 10, 11}).Draw(t, "mode")
		g := drawGame(t, mode >= 10)
		form := moveenc.Form{Mode: mode}
		tokens := g.moves.Len()
		for _, n := range g.moves.Nodes() {
			if n.Next != model.NoNode {
				tokens += 2 // a PUSH and a POP
			}
		}
		form.Dummies = rapid.SliceOfN(rapid.Uint32Range(0, uint32(tokens)), 0, 5).Draw(t, "dummies")
		slices.Sort(form.Dummies)
		if form.NoEnd = rapid.Bool().Draw(t, "no end"); !form.NoEnd {
			form.Trailer = rapid.SliceOfN(rapid.Byte(), 0, 9).Draw(t, "trailer")
		}
		for node := range g.moves.Len() {
			if rapid.IntRange(0, 3).Draw(t, "odd") > 0 {
				continue
			}
			switch n := []uint32{uint32(node)}; {
			case accepts(g, moveenc.Form{Mode: mode, Twins: n}):
				form.Twins = append(form.Twins, n...)
			case accepts(g, moveenc.Form{Mode: mode, Words: n}):
				form.Words = append(form.Words, n...)
				if bits := rapid.Uint32Range(0, 3).Draw(t, "bits"); bits > 0 && g.moves.Move(node).IsNull() {
					form.Bits = append(form.Bits, n[0]<<2|bits)
				}
			}
		}
		checkRoundTrip(t, &decoded, g, form)
	})
}

// accepts reports whether a form fits a game.
func accepts(g game, form moveenc.Form) bool {
	_, err := moveenc.Append(nil, g.start, &g.moves, &form)
	return err == nil
}

// Every real game survives every other mode.
func TestCorpusInEveryMode(t *testing.T) {
	eachDatabase(t, func(t *testing.T, games []stored) {
		var g, decoded moveenc.Game
		for _, s := range games {
			must.Do(t, moveenc.Decode(s.rec, &g))
			for _, mode := range regularModes {
				checkRoundTrip(t, &decoded, game{g.SetUp(), g.Moves.Clone()}, moveenc.Form{Mode: mode, Start: g.Form.Start})
			}
		}
	})
}

// Variations a hundred thousand deep, and as many at one place, need neither
// stack nor time without bound.
func TestManyVariations(t *testing.T) {
	const depth = 100_000
	deep, wide := new(model.TreeBuilder), new(model.TreeBuilder)
	for i := range depth {
		deep.Add(i-1, model.NullMove)
		wide.Add(model.NoNode, model.NullMove)
	}
	for i := range depth {
		deep.Add(i-1, model.NullMove) // an alternative to each
	}
	for _, b := range []*model.TreeBuilder{deep, wide} {
		for _, mode := range []moveenc.Mode{0, 5} {
			var g moveenc.Game
			checkRoundTrip(t, &g, game{moves: b.Tree()}, moveenc.Form{Mode: mode})
		}
	}
}
