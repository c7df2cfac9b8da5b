package eco

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"iter"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"cbkit/board"
	"cbkit/model"
)

// Opening is an opening, or one of its variations.
type Opening struct {
	Code model.ECO // without a sub-code
	Name string    // "Sicilian Defense: Najdorf Variation"
	// Moves lead to its position from the start of a game.
	Moves []model.Move
}

//go:embed openings.tsv.gz
var packed []byte

// book is the table in memory.
type book struct {
	openings []Opening
	keys     map[uint64]int32 // by Polyglot key: the place in openings
	codes    map[model.ECO]int32
	fewest   int // pieces of an opening's position
	longest  int // plies of an opening
}

// table reads the table when it is first asked for.
var table = sync.OnceValue(func() *book {
	b, err := readTable()
	if err != nil {
		panic("eco: the embedded table: " + err.Error()) // tests read it
	}
	return b
})

func readTable() (*book, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	b := &book{keys: map[uint64]int32{}, codes: map[model.ECO]int32{}, fewest: 32}
	for line := range strings.Lines(string(text)) {
		if err := b.add(strings.TrimSuffix(line, "\n")); err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
	}
	return b, nil
}

// add adds a line of the table.
func (b *book) add(line string) error {
	code, rest, _ := strings.Cut(line, "\t")
	name, moves, _ := strings.Cut(rest, "\t")
	o := Opening{Name: name}
	var ok bool
	if o.Code, ok = model.ParseECO(code); !ok {
		return fmt.Errorf("no code %q", code)
	}
	p := board.Start()
	for word := range strings.FieldsSeq(moves) {
		m, err := p.ParseUCI(word)
		if err != nil {
			return err
		}
		p.Make(m)
		o.Moves = append(o.Moves, m)
	}
	at := int32(len(b.openings))
	b.openings = append(b.openings, o)
	b.keys[p.PolyglotKey()] = at
	b.fewest = min(b.fewest, bits.OnesCount64(p.Occupied()))
	b.longest = max(b.longest, len(o.Moves))
	if known, is := b.codes[o.Code]; !is || len(o.Moves) < len(b.openings[known].Moves) {
		b.codes[o.Code] = at
	}
	return nil
}

// At returns the opening of a position, if the position is in the table.
func At(p *board.Position) (Opening, bool) {
	b := table()
	i, ok := b.keys[p.PolyglotKey()]
	if !ok {
		return Opening{}, false
	}
	return b.openings[i], true
}

// Named returns the opening that a code names, whatever its sub-code: the one
// with the shortest line.
func Named(code model.ECO) (Opening, bool) {
	b := table()
	if !code.Valid() {
		return Opening{}, false
	}
	i, ok := b.codes[model.NewECO(code.Index(), 0)]
	if !ok {
		return Opening{}, false
	}
	return b.openings[i], true
}

// All yields the openings of the table in the order of their codes and names.
func All() iter.Seq[Opening] {
	return slices.Values(table().openings)
}

// Classify returns the opening of a game, and after how many plies of the main
// line it is reached for the last time. It is false for games without such a
// position: without moves, of Chess960, or from a set-up position that leads to
// none.
func Classify(g *model.Game) (o Opening, ply int, ok bool) {
	p, err := board.New(g.Start)
	if err != nil || p.Chess960() {
		return Opening{}, 0, false
	}
	b := table()
	last := int32(-1)
	see := func(n int) {
		if i, is := b.keys[p.PolyglotKey()]; is {
			last, ply = i, n
		}
	}
	see(0)
	for n := g.Moves.Main(model.NoNode); n != model.NoNode; n = g.Moves.Main(n) {
		p.Make(g.Moves.Move(n))
		if bits.OnesCount64(p.Occupied()) < b.fewest {
			break // it cannot come back
		}
		see(g.Moves.Ply(n) + 1)
	}
	if last < 0 {
		return Opening{}, 0, false
	}
	return b.openings[last], ply, true
}
