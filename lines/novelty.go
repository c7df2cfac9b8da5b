package lines

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"iter"
	"math"
	"slices"

	"cbkit/board"
	"cbkit/internal/polyglot"
	"cbkit/model"
)

// NoveltyOptions configures [Novelties].
type NoveltyOptions struct {
	// MaxPly is how many plies of each game are looked at, 0 is all.
	MaxPly int
	// Variations says that a move which the base has in a variation is not new. The base is
	// read whole then, without Reaching.
	Variations bool
	// Memory is how many bytes the positions of the new games may take, 0 is 256 MiB. For
	// more the base is read once more.
	Memory int
	// Reaching, if not nil, asks an index which games of the base have p on their main
	// line and, with others, also which it cannot rule out; search.Searcher.Reaching does
	// this. Then, if the base is [model.Numbered], only these games are read, and OnError
	// is called for them alone. All games are read if that is faster, as for more than
	// 2,000 new games at a time, or if Reaching returns an error that wraps
	// [fs.ErrNotExist].
	Reaching func(p board.Position, others bool) ([]model.RecordID, error)
	// OnError is called for records of either source that cannot be read, as in
	// [model.Readable].
	OnError func(model.RecordID, error) error
}

// Novelty is the first move of a game that leads to a position which no game of the base
// has.
type Novelty struct {
	ID   model.RecordID
	Node int // of the move
	// Before is how often games of the base reached the position before the move, 0 if
	// the game starts from a position that the base lacks.
	Before int
}

// Novelties yields the novelties of games, in their order. A game without a new position
// is skipped. Only main lines count (with Variations, all lines of the base), however a
// position is reached. Deleted games of both sources are ignored.
//
// Memory depends on the new games alone: 22 bytes for each of their positions, 24 with
// Reaching. With a base of a thousand million positions, the chance that a position is
// taken for another one is 1 in 10,000,000,000.
func Novelties(ctx context.Context, games, base model.Source, opt NoveltyOptions) iter.Seq2[Novelty, error] {
	return func(yield func(Novelty, error) bool) {
		const each = 8 + 8 + 4 + polyglot.FilterBytes + 2 // a key in order of the games, one in order, how often; a move
		memory := cmp.Or(max(opt.Memory, 0), 256<<20)
		b := newGames{opt: &opt, most: max(1, memory/each)}
		stopped := false
		// flush asks the base for the games so far.
		flush := func() error {
			found, err := b.ask(ctx, base)
			for _, n := range found {
				if stopped = !yield(n, nil); stopped {
					break
				}
			}
			return err
		}
		for rec, err := range playable(ctx, games, opt.OnError) {
			if err == nil {
				if b.add(rec.ID, rec.Game); len(b.keys) >= b.most {
					err = flush()
				}
			}
			if err != nil {
				yield(Novelty{}, err)
				return
			}
			if stopped {
				return
			}
		}
		if err := flush(); err != nil && !stopped {
			yield(Novelty{}, err)
		}
	}
}

// playable yields the games of a source that can be played through.
func playable(ctx context.Context, src model.Source, onError func(model.RecordID, error) error) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		for rec, err := range model.Readable(ctx, src, model.WantMoves, onError) {
			if err == nil && (rec.Game == nil || rec.Deleted) {
				continue
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// newGames are games whose positions are asked for.
type newGames struct {
	opt   *NoveltyOptions
	most  int
	keys  []uint64 // of all positions of all games, game by game
	games []newGame
}

// newGame is a game: its positions are keys[from:], up to those of the next one.
type newGame struct {
	id   model.RecordID
	from int

	start board.Position // with moves, to ask Reaching with
	moves []model.Move
}

// positions yields the keys of the positions of a main line, the start first.
func positions(g *model.Game, most int) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		p, err := board.New(g.Start)
		if err != nil || !yield(p.PolyglotKey()) {
			return
		}
		for n := range g.Moves.Line(model.NoNode) {
			if most > 0 && n == most {
				return
			}
			p.Make(g.Moves.Move(n))
			if !yield(p.PolyglotKey()) {
				return
			}
		}
	}
}

func (b *newGames) add(id model.RecordID, g *model.Game) {
	one := newGame{id: id, from: len(b.keys)}
	b.keys = slices.AppendSeq(b.keys, positions(g, b.opt.MaxPly))
	if n := len(b.keys) - one.from; n > 0 && b.opt.Reaching != nil && !b.opt.Variations {
		one.start, _ = board.New(g.Start) // which has positions
		for _, node := range g.Moves.Nodes()[:n-1] {
			one.moves = append(one.moves, node.Move)
		}
	}
	b.games = append(b.games, one)
}

// ask reads the base, or what counts of it, returns the novelties of the games and forgets
// them.
func (b *newGames) ask(ctx context.Context, base model.Source) (found []Novelty, err error) {
	if len(b.games) == 0 {
		return nil, nil
	}
	var set *keySet
	err = error(fs.ErrNotExist)
	if !b.opt.Variations {
		set, err = b.askReaching(ctx, base)
	}
	if errors.Is(err, errMany) || errors.Is(err, fs.ErrNotExist) {
		set = newKeySet(b.keys)
		err = set.countAll(ctx, base, b.opt)
	}
	if err != nil {
		return nil, err
	}
	for i, g := range b.games {
		keys := b.keysOf(i)
		for ply, key := range keys {
			if ply > 0 && set.times(key) == 0 {
				found = append(found, Novelty{g.id, ply - 1, set.times(keys[ply-1])})
				break
			}
		}
	}
	b.keys, b.games = b.keys[:0], b.games[:0]
	return found, nil
}

// keysOf returns the keys of a game.
func (b *newGames) keysOf(game int) []uint64 {
	if game+1 < len(b.games) {
		return b.keys[b.games[game].from:b.games[game+1].from]
	}
	return b.keys[b.games[game].from:]
}

// keySet counts keys. Most that are looked up are not there, which one bit tells.
type keySet struct {
	has   *polyglot.KeyFilter
	keys  []uint64 // in order
	found []uint32 // how often each was met
}

func newKeySet(keys []uint64) *keySet {
	s := &keySet{keys: slices.Clone(keys)}
	slices.Sort(s.keys)
	s.keys = slices.Compact(s.keys)
	s.found = make([]uint32, len(s.keys))
	s.has = polyglot.NewKeyFilter(int64(len(s.keys)))
	for _, key := range s.keys {
		s.has.Add(key)
	}
	return s
}

// place returns where a key stands.
func (s *keySet) place(key uint64) (at int, is bool) {
	if !s.has.MayHave(key) {
		return 0, false
	}
	return slices.BinarySearch(s.keys, key)
}

// countAll counts the positions of all games of a source.
func (s *keySet) countAll(ctx context.Context, src model.Source, opt *NoveltyOptions) error {
	for rec, err := range playable(ctx, src, opt.OnError) {
		if err != nil {
			return err
		}
		count := func(key uint64) {
			if at, is := s.place(key); is && s.found[at] < math.MaxUint32 {
				s.found[at]++
			}
		}
		for key := range positions(rec.Game, opt.MaxPly) {
			count(key)
		}
		if !opt.Variations || !rec.Game.Moves.HasVariations() {
			continue
		}
		main := rec.Game.Moves.MainLen()
		for n, p := range board.Walk(rec.Game.Start, &rec.Game.Moves) {
			if n >= main {
				after := *p
				after.Make(rec.Game.Moves.Move(n))
				count(after.PolyglotKey())
			}
		}
	}
	return nil
}

// times returns how often a key was met.
func (s *keySet) times(key uint64) int {
	if at, is := s.place(key); is {
		return int(s.found[at])
	}
	return 0
}
