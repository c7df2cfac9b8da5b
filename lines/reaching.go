package lines

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"slices"
	"sort"

	"cbkit/board"
	"cbkit/model"
)

// errMany says that reading the whole base is no slower than asking for its games.
var errMany = errors.New("too many games of the base are asked for")

const (
	// manyNew is for how many new games at a time an index is asked at most: one takes
	// about 1/2,500 of the time in which the base is read, however large it is.
	manyNew = 2000
	// manyOf is the part of a base that is read game by game at the most, and fewest how
	// many games are in any case.
	manyOf, fewest = 4, 1000
	// witnesses are the games that are read at a time to see a position in one of them.
	witnesses = 16
)

// reachingGames are games of a base, read as they are needed to judge new ones.
type reachingGames struct {
	ctx   context.Context
	base  model.Numbered
	opt   *NoveltyOptions
	set   *keySet // of the new games, counted in the games read
	read  map[model.RecordID]bool
	whole map[uint64]bool // keys of which all games are read
	most  int             // how many games are read
}

// askReaching counts the positions of the games in those games of the base that may have
// them, as far as novelties depend on it. The error is errMany if these are too many, and
// wraps fs.ErrNotExist if it is not known which.
func (b *newGames) askReaching(ctx context.Context, base model.Source) (*keySet, error) {
	numbered, ok := base.(model.Numbered)
	if b.opt.Reaching == nil || !ok {
		return nil, fs.ErrNotExist
	}
	if len(b.games) > manyNew {
		return nil, errMany
	}
	r := &reachingGames{
		ctx: ctx, base: numbered, opt: b.opt, set: newKeySet(b.keys),
		read: map[model.RecordID]bool{}, whole: map[uint64]bool{}, most: max(base.Count()/manyOf, fewest),
	}
	for i := range b.games {
		if err := r.judge(&b.games[i], b.keysOf(i)); err != nil {
			return nil, err
		}
	}
	return r.set, nil
}

// judge reads games of the base up to the first position of a game that none has, and all
// that have the one before.
func (r *reachingGames) judge(g *newGame, keys []uint64) error {
	p := g.start
	all := []board.Position{p}
	for _, m := range g.moves {
		p.Make(m)
		all = append(all, p)
	}
	looked := false
	for ply := 1; ply < len(keys); ply++ {
		if r.set.times(keys[ply]) > 0 {
			continue
		}
		if !looked { // a game that stays with this one for long has most of its positions
			looked = true
			if err := r.readLongest(all[ply:]); err != nil {
				return err
			}
		}
		if err := r.readOf(&all[ply], keys[ply], false); err != nil {
			return err
		}
		if r.set.times(keys[ply]) == 0 {
			return r.readOf(&all[ply-1], keys[ply-1], true)
		}
	}
	return nil
}

// readLongest reads games of the last of some positions that have any, more or less.
func (r *reachingGames) readLongest(all []board.Position) (err error) {
	var last []model.RecordID
	sort.Search(len(all), func(i int) bool {
		listed, failed := r.opt.Reaching(all[i], false)
		if err = errors.Join(err, failed); len(listed) > 0 {
			last = listed
		}
		return len(listed) == 0
	})
	if err != nil {
		return err
	}
	return r.count(last[:min(len(last), witnesses)])
}

// readOf reads games that may have a position: until one has it, or all of them.
func (r *reachingGames) readOf(p *board.Position, key uint64, all bool) error {
	if r.whole[key] || !all && r.set.times(key) > 0 {
		return nil
	}
	if !all { // what the index lists costs less to find
		listed, err := r.opt.Reaching(*p, false)
		if err != nil {
			return err
		}
		for some := range slices.Chunk(listed, witnesses) {
			if err := r.count(some); err != nil || r.set.times(key) > 0 {
				return err
			}
		}
	}
	every, err := r.opt.Reaching(*p, true)
	if err != nil {
		return err
	}
	r.whole[key] = true
	return r.count(every)
}

// count counts the positions of those games that were not read before.
func (r *reachingGames) count(ids []model.RecordID) error {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id model.RecordID) bool { return r.read[id] })
	if len(r.read)+len(ids) > r.most {
		return errMany
	}
	slices.Sort(ids)
	for _, id := range ids {
		r.read[id] = true
	}
	if len(ids) == 0 {
		return nil
	}
	return r.set.countAll(r.ctx, someOf{r.base, ids}, r.opt)
}

// someOf are some records of a source.
type someOf struct {
	model.Numbered
	ids []model.RecordID
}

// Records implements [model.Source]; it begins with the first of them.
func (s someOf) Records(ctx context.Context, _ model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return s.RecordsOf(ctx, slices.Values(s.ids), want)
}
