package collect

import (
	"context"
	"iter"
	"slices"

	"cbkit/internal/derive"
	"cbkit/internal/namepattern"
	"cbkit/model"
)

// scan returns candidates that read all games of a base, with their moves, each time
// they are asked. Progress, if not nil, is called with the ids that were read.
func scan(base model.Source, progress func(model.RecordID)) candidates {
	return func(ctx context.Context, games []mainLine) (ids []model.RecordID, err error) {
		w := newWanted(games)
		var sounds [][2]uint64 // by player; 0 is not yet known
		sound := func(id model.EntityID) [2]uint64 {
			if id < 0 {
				return soundOf(model.Player{})
			}
			for int(id) >= len(sounds) {
				sounds = append(sounds, [2]uint64{})
			}
			if sounds[id][0] == 0 {
				sounds[id] = soundOf(base.Entities().Players.Value(id))
			}
			return sounds[id]
		}
		for rec, err := range model.Readable(ctx, base, model.WantMoves, passOver) {
			if err != nil {
				return nil, err
			}
			if g := rec.Game; g != nil && g.MovesErr == nil && w.fits(g, sound(g.White), sound(g.Black)) {
				ids = append(ids, rec.ID)
			}
			if progress != nil {
				progress(rec.ID)
			}
		}
		return ids, nil
	}
}

// soundOf returns what spellings of a player's name have in common, plus one: both of
// its sounds.
func soundOf(p model.Player) [2]uint64 {
	spelt := namepattern.TakeApart(p)
	s := spelt.Sounds()
	return [2]uint64{uint64(s[0]) + 1, uint64(s[1]) + 1}
}

// wanted finds games that are the same as some games, or begin them, or begin with them.
type wanted struct {
	games []mainLine
	whole chains  // by whole main lines, once for each sound of each player
	parts chains  // by their beginnings of 8, 16, 32 … plies
	of    []int32 // the games of the numbers of parts
}

// shortest is the number of plies that a game must have to be found as the beginning of
// another one: shorter ones are no copies of longer ones.
const shortest = 8

func newWanted(games []mainLine) *wanted {
	w := &wanted{games: games}
	var whole, parts []uint64
	for i := range games {
		g := &games[i]
		players := [2][2]uint64{soundOf(g.White), soundOf(g.Black)}
		for ply, hash := range derive.BeginningsOf(g.Start, len(g.Moves), func(k int) model.Move { return g.Moves[k] }) {
			for key := range keysOf(hash, players) {
				if ply == len(g.Moves) {
					whole = append(whole, key)
				} else if isStep(ply) {
					parts, w.of = append(parts, key), append(w.of, int32(i))
				}
			}
		}
	}
	w.whole, w.parts = chainsOf(whole), chainsOf(parts)
	return w
}

// chainsOf returns chains of all numbers that have keys.
func chainsOf(keys []uint64) chains {
	c := newChains(len(keys), func(n int32) uint64 { return keys[n] })
	for n := range keys {
		c.add(int32(n))
	}
	return c
}

// isStep reports whether games are found by a beginning of so many plies.
func isStep(plies int) bool { return plies >= shortest && plies&(plies-1) == 0 }

// keysOf yields what a beginning of a game is found by.
func keysOf[T uint32 | uint64](hash uint64, players [2][2]T) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for side, sounds := range players {
			for i, sound := range sounds {
				if (i == 0 || sound != sounds[0]) && !yield(derive.Mix(derive.Mix(hash, uint64(side)), uint64(sound))) {
					return
				}
			}
		}
	}
}

// fits reports whether a game is wanted whose players' names sound so.
func (w *wanted) fits(g *model.Game, white, black [2]uint64) bool {
	players := [2][2]uint64{white, black}
	plies := g.Moves.MainLen()
	step, at := uint64(0), 0 // the longest beginning by which games are found
	for ply, hash := range derive.Beginnings(g) {
		if ply > 0 || plies == 0 {
			for key := range keysOf(hash, players) {
				for range w.whole.find(key) {
					return true
				}
			}
		}
		if isStep(ply) {
			step, at = hash, ply
		}
	}
	if at == 0 {
		return false
	}
	nodes := g.Moves.Nodes()[at:plies]
	for key := range keysOf(step, players) {
		for n := range w.parts.find(key) {
			moves := w.games[w.of[n]].Moves
			if len(moves) > plies && slices.EqualFunc(nodes, moves[at:plies], func(n model.Node, m model.Move) bool { return n.Move == m }) {
				return true
			}
		}
	}
	return false
}
