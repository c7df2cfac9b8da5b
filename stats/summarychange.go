package stats

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"

	"cbkit/board"
	"cbkit/model"
)

// has reports whether a summary has as much as is asked for.
func (s *summary) has(opt ExploreOptions) bool {
	for c := range s.Best {
		if n := len(s.Best[c]); n < s.Players[c] && min(opt.Players, summaryMost+1) > min(n, summaryMost) {
			return false
		}
	}
	n := len(s.Recent)
	return n == s.Score.Games() || min(opt.Recent, summaryMost+1) <= min(n, summaryMost)
}

// IsSummary reports whether kept, a summary made before some records changed, says the
// same as now, a new one, or can no longer tell; see [Recall].
func IsSummary(kept []byte, was, is []model.Record, now []byte, position board.Position, e *model.Entities) bool {
	opt := ExploreOptions{Players: summaryMost, Recent: summaryMost}
	var s summary
	if json.Unmarshal(kept, &s) != nil || s.Position != diagram(position) || !s.isSound(position) {
		return false
	}
	got, ok := Recall(kept, was, is, position, e, opt)
	if !ok {
		return true
	}
	want, ok := Recall(now, nil, nil, position, e, opt)
	return ok && reflect.DeepEqual(got, want)
}

// isSound reports whether what was read can be a summary of a position.
func (s *summary) isSound(position board.Position) bool {
	if s.Years == nil {
		return false
	}
	ended := s.Ended
	for i := range s.Moves {
		m := &s.Moves[i]
		if m.Years == nil || m.Lines.move != m.Move || m.Lines.games != m.Score.Games() || !m.Lines.isLegal(position) || len(m.Best) > int(m.Score.own.n) {
			return false
		}
		ended += m.Lines.games
	}
	for c := range s.Best {
		if len(s.Best[c]) > s.Players[c] || !slices.IsSortedFunc(s.Best[c], summaryPlayer.compare) {
			return false
		}
	}
	return ended == s.Score.Games() && s.Ended >= 0 && len(s.Recent) <= ended && slices.IsSortedFunc(s.Recent, recentGame.compare)
}

// isLegal reports whether all lines can be played.
func (n *lineNode) isLegal(p board.Position) bool {
	if !p.LegalLoose(n.move) {
		return false
	}
	p.Make(n.move)
	return !slices.ContainsFunc(n.next, func(next lineNode) bool { return next.games > n.games || !next.isLegal(p) })
}

// counted is a record that counts for a summary.
type counted struct {
	id   model.RecordID
	h    *model.Header
	line []model.Move
}

// change takes records away as they were, and adds others as they are. It reports false
// if what is to be told may be something that the summary does not have:
//
//   - sums, years and moves change by what comes and goes;
//   - of the last games, and of those with the highest ratings, there are more than are
//     told, and none that is not there comes before them;
//   - of the best players too: one who is not among them, of whom not all is known, stays
//     behind unless he plays with a higher rating than the last of them;
//   - a beginning of lines that is not there has fewer games than one of sharedLines, and
//     those that came since, while a typical one has a tenth.
func (s *summary) change(position board.Position, was, is []model.Record) bool {
	if len(was)+len(is) == 0 {
		return true
	}
	at := newPosition(position, SummaryPlies)
	gone, come := at.counting(was), at.counting(is)
	var ok bool
	s.Recent, ok = changeTop(s.Recent, len(s.Recent) == s.Score.Games(), recentGames(gone), recentGames(come), recentGame.compare)
	if !ok || !s.changeMoves(position.Turn(), gone, come) {
		return false
	}
	for c := range s.Best {
		if !s.changePlayers(model.Color(c), gone, come) {
			return false
		}
	}
	for _, g := range gone {
		s.count(g.h, g.line, -1)
	}
	for _, g := range come {
		s.count(g.h, g.line, 1)
	}
	return s.Years.isSound() && s.Ended >= 0
}

// count counts a game with its line, or takes it away if by is -1, for what are sums.
func (s *summary) count(h *model.Header, line []model.Move, by int) {
	s.Score.countGame(h, model.White, by)
	s.Years.count(h.Date.Year, by)
	if len(line) == 0 {
		s.Ended += by
	}
}

// count is the same for a move of one side.
func (m *summaryMove) count(h *model.Header, side model.Color, by int) {
	m.Score.countGame(h, side, by)
	m.Years.count(h.Date.Year, by)
}

// count is the same for a player, who has colour c. It reports false if one is taken away with a
// higher rating than his highest.
func (p *summaryPlayer) count(h *model.Header, c model.Color, by int) bool {
	elo := playersOf(h)[c].elo
	if elo > p.Elo {
		if by < 0 {
			return false
		}
		p.Elo, p.Highest = elo, 0
	}
	if elo == p.Elo {
		p.Highest += by
	}
	p.Score.countGame(h, c, by)
	return true
}

// counting returns those of some records that count.
func (p *position) counting(records []model.Record) (list []counted) {
	for i := range records {
		rec := &records[i]
		if rec.Game == nil || rec.Deleted {
			continue
		}
		if line, ok := p.lineOf(rec.Game); ok {
			list = append(list, counted{rec.ID, &rec.Game.Header, slices.Clone(line)})
		}
	}
	return list
}

func recentGames(games []counted) (list []recentGame) {
	for _, g := range games {
		list = append(list, recentOf(g.id, g.h))
	}
	return list
}

// changeTop takes some out of the beginning of a sorted list, or all of it, and puts others
// in. It reports false if one is not there that should be.
func changeTop[T any](list []T, all bool, gone, come []T, compare func(a, b T) int) ([]T, bool) {
	if !all && len(list) == 0 {
		return nil, true
	}
	var last T
	if !all {
		last = list[len(list)-1]
	}
	for _, one := range gone {
		at, is := slices.BinarySearchFunc(list, one, compare)
		if is {
			list = slices.Delete(list, at, at+1)
		} else if all {
			return nil, false
		}
	}
	for _, one := range come {
		if all || compare(one, last) < 0 {
			at, _ := slices.BinarySearchFunc(list, one, compare)
			list = slices.Insert(list, at, one)
		}
	}
	return list, true
}

// grouped returns what is gone and what has come by a key, without those that have none.
func grouped[K comparable](gone, come []counted, key func(*counted) (K, bool)) map[K]*[2][]counted {
	groups := map[K]*[2][]counted{}
	for i, list := range [2][]counted{gone, come} {
		for _, g := range list {
			k, ok := key(&g)
			if !ok {
				continue
			}
			if groups[k] == nil {
				groups[k] = &[2][]counted{}
			}
			groups[k][i] = append(groups[k][i], g)
		}
	}
	return groups
}

// changeMoves is [summary.change] for the moves.
func (s *summary) changeMoves(side model.Color, gone, come []counted) bool {
	first := func(g *counted) (model.Move, bool) {
		if len(g.line) == 0 {
			return 0, false
		}
		return g.line[0], true
	}
	for move, games := range grouped(gone, come, first) {
		at := slices.IndexFunc(s.Moves, func(m summaryMove) bool { return m.Move == move })
		if at < 0 {
			at = len(s.Moves)
			s.Moves = append(s.Moves, summaryMove{Move: move, Years: yearCounts{}, Lines: lineNode{move: move}})
		}
		if !s.Moves[at].change(side, games[0], games[1]) {
			return false
		}
	}
	s.Moves = slices.DeleteFunc(s.Moves, func(m summaryMove) bool { return m.Lines.games == 0 })
	s.sortMoves()
	return true
}

// change is [summary.change] for a move of one side.
func (m *summaryMove) change(side model.Color, gone, come []counted) (ok bool) {
	rated := func(games []counted) (list []bestGame) {
		for _, g := range games {
			if player := playersOf(g.h)[side]; player.elo > 0 {
				list = append(list, bestGame{g.id, player.elo, player.id})
			}
		}
		return list
	}
	if m.Best, ok = changeTop(m.Best, len(m.Best) == int(m.Score.own.n), rated(gone), rated(come), bestGame.compare); !ok {
		return false
	}
	least := leastShared(m.Lines.games)
	for i, list := range [2][]counted{gone, come} {
		by := 2*i - 1
		for _, g := range list {
			m.count(g.h, side, by)
			if !m.Lines.count(g.line, by, least == 1) {
				return false
			}
		}
	}
	games := m.Lines.games
	switch {
	case games != m.Score.Games() || !m.Years.isSound() || m.Score.own.n > 0 && len(m.Best) == 0:
		return false
	case least > 1 && games > 0: // what is not there has fewer, and those that have come
		return 10*(least-1+len(come)) < games
	}
	return true
}

// count counts a line, or no longer, where all beginnings are there or some. It reports
// false if one is not there that should be.
func (n *lineNode) count(line []model.Move, by int, all bool) bool {
	if n.games += by; n.games < 0 {
		return false
	}
	if len(line) == 1 {
		return true
	}
	at, is := slices.BinarySearchFunc(n.next, line[1], func(n lineNode, m model.Move) int { return cmp.Compare(n.move, m) })
	switch {
	case !is && !all:
		return true
	case !is && by < 0:
		return false
	case !is:
		n.next = slices.Insert(n.next, at, lineNode{move: line[1]})
	}
	if !n.next[at].count(line[1:], by, all) {
		return false
	}
	if n.next[at].games == 0 {
		n.next = slices.Delete(n.next, at, at+1)
	}
	return true
}

// changePlayers is [summary.change] for the best players of a colour.
func (s *summary) changePlayers(c model.Color, gone, come []counted) bool {
	best, all := s.Best[c], len(s.Best[c]) == s.Players[c]
	var last summaryPlayer
	if !all {
		if len(best) == 0 {
			return true
		}
		last = best[len(best)-1]
	}
	player := func(g *counted) (model.EntityID, bool) {
		id := playersOf(g.h)[c].id
		return id, id >= 0
	}
	tied := false // one who is not among them may have as high a rating as the last
	for id, games := range grouped(gone, come, player) {
		at := slices.IndexFunc(best, func(p summaryPlayer) bool { return p.ID == id })
		switch {
		case at < 0 && !all:
			for _, g := range games[1] {
				if playersOf(g.h)[c].elo > last.Elo {
					return false
				}
				tied = true
			}
			continue
		case at < 0:
			at = len(best)
			best = append(best, summaryPlayer{ID: id})
		}
		if !best[at].change(c, games[0], games[1]) {
			return false
		}
	}
	best = slices.DeleteFunc(best, func(p summaryPlayer) bool {
		return p.Score.Games() == 0 || !all && (p.compare(last) > 0 || tied && p.Elo == last.Elo)
	})
	slices.SortFunc(best, summaryPlayer.compare)
	if s.Best[c] = best; all {
		s.Players[c] = len(best)
	}
	return true
}

// change counts games of a player, who has colour c, and those that are gone no longer. It
// reports false if his highest rating is not known then.
func (p *summaryPlayer) change(c model.Color, gone, come []counted) bool {
	for _, g := range gone {
		if !p.count(g.h, c, -1) {
			return false
		}
	}
	for _, g := range come {
		p.count(g.h, c, 1)
	}
	return p.Highest > 0 || p.Highest == 0 && p.Score.Games() == 0
}
