package eco

import (
	"bytes"
	"compress/gzip"
	"context"
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

// names has what people call each of the 500 codes, chosen among the names of the table.
//
//go:embed names.tsv
var names string

// book is the table in memory.
type book struct {
	openings []Opening
	keys     map[uint64]int32      // by Polyglot key: the place in openings
	codes    map[model.ECO]Opening // what each code is called
	fewest   int                   // pieces of an opening's position
	longest  int                   // plies of an opening
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
	b := &book{keys: map[uint64]int32{}, codes: map[model.ECO]Opening{}, fewest: 32}
	for line := range strings.Lines(string(text)) {
		if err := b.add(strings.TrimSuffix(line, "\n")); err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
	}
	shortest := map[string]int32{} // by name
	for at, o := range b.openings {
		if known, is := shortest[o.Name]; !is || len(o.Moves) < len(b.openings[known].Moves) {
			shortest[o.Name] = int32(at)
		}
	}
	for line := range strings.Lines(names) {
		code, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		eco, ok := model.ParseECO(code)
		at, is := shortest[name]
		if !ok || !is {
			return nil, fmt.Errorf("%q: no such code or name", line)
		}
		b.codes[eco] = Opening{eco, name, b.openings[at].Moves}
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

// Named returns the opening that a code is for, whatever its sub-code, under the name
// that most people know: B33 is the Sveshnikov, C67 the Berlin. The moves are the shortest
// line of that name, which may have another code.
func Named(code model.ECO) (Opening, bool) {
	if !code.Valid() {
		return Opening{}, false
	}
	o, ok := table().codes[model.NewECO(code.Index(), 0)]
	return o, ok
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
	for n, at := g.Moves.Main(model.NoNode), 1; n != model.NoNode; n, at = g.Moves.Main(n), at+1 {
		p.Make(g.Moves.Move(n))
		if bits.OnesCount64(p.Occupied()) < b.fewest {
			break // it cannot come back
		}
		see(at)
	}
	if last < 0 {
		return Opening{}, 0, false
	}
	return b.openings[last], ply, true
}

// Options configures [Source].
type Options struct {
	// Keep leaves existing codes unchanged and fills in missing ones.
	Keep bool
	// Names gives each classified game the PGN tag Opening.
	Names bool
	// Found, if not nil, is called for each game that was classified.
	Found func(*model.Record, Opening)
}

// Source returns a source whose games are classified by their positions. A code with a
// sub-code stays if the code itself is right. Games that cannot be classified, and texts,
// stay as they are.
func Source(src model.Source, opt Options) model.Source { return &classified{src, opt} }

type classified struct {
	model.Source
	opt Options
}

var (
	_ model.Preflighter = (*classified)(nil)
	_ model.Referee     = (*classified)(nil)
)

// Records implements [model.Source].
func (s *classified) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		for rec, err := range s.Source.Records(ctx, from, want|model.WantMoves) {
			if rec.Game != nil && rec.Game.IsPlayable() {
				s.classify(&rec)
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// classify changes the record's game, which is the source's, in a copy.
func (s *classified) classify(rec *model.Record) {
	o, _, ok := Classify(rec.Game)
	if !ok {
		return
	}
	g := *rec.Game
	if g.ECO.Index() != o.Code.Index() && !(s.opt.Keep && g.ECO.Valid()) {
		g.ECO = o.Code
		g.Forget(0)
		rec.Unread = slices.DeleteFunc(slices.Clone(rec.Unread), func(u model.Unread) bool { return u.Field == "ECO" })
	}
	if s.opt.Names {
		others := slices.DeleteFunc(slices.Clone(g.Tags), func(t model.Tag) bool { return t.Name == openingTag })
		g.Tags = append(others, model.Tag{Name: openingTag, Value: o.Name})
	}
	rec.Game = &g
	if s.opt.Found != nil {
		s.opt.Found(rec, o)
	}
}

// openingTag is the tag of an opening's name. (PGN standard 9.3.1)
const openingTag = "Opening"

// Preflight implements [model.Preflighter].
func (s *classified) Preflight(ctx context.Context) error {
	if f, ok := s.Source.(model.Preflighter); ok {
		return f.Preflight(ctx)
	}
	return nil
}

// Progress implements [model.Measured] as the source does.
func (s *classified) Progress() (done, total int64) { return model.ProgressOf(s.Source) }

// LegalMoves implements [model.Referee].
func (s *classified) LegalMoves() bool {
	r, ok := s.Source.(model.Referee)
	return ok && r.LegalMoves()
}
