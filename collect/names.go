package collect

import (
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"unicode/utf8"

	"cbkit/internal/namepattern"
	"cbkit/model"
)

// NearName is a player's name that may be another spelling of one in the same source.
type NearName struct {
	// Old is the name, New the one that may stand for it; ID and Into are their numbers.
	Old, New string
	ID, Into model.EntityID
	// OldGames and NewGames are how many games there are under each.
	OldGames, NewGames int
	// Why says in a few words what speaks for it, the names first.
	Why []string
}

// NearNames finds players whose names may be spellings of one name: they differ only in
// accents, hyphens or script, in the spelling of another language, or in a letter or two,
// one has the initial of the only first name that fits, or games give both the same FIDE
// id. Two players are different people if they played each other or in the same round of
// a tournament, or if they have different FIDE ids or quite different ratings at the
// time. A name that may belong to either of two people is left out. Of two names New is
// the one with a first name or else the one with more games.
//
// It reads headers only, once; memory is some 300 bytes a player. Whether two names
// are one, a person must decide.
func NearNames(ctx context.Context, src model.Source, opt Options) ([]NearName, error) {
	f := nameFinder{played: map[[2]model.EntityID]bool{}}
	for rec, err := range opt.records(ctx, src, model.WantHeaders) {
		if err != nil {
			return nil, err
		}
		if rec.Game == nil || rec.Deleted {
			continue
		}
		h := &rec.Game.Header
		white, black := f.meet(h.White, src.Entities()), f.meet(h.Black, src.Entities())
		if white {
			f.players[h.White].playedIn(h.Tournament, h.Round)
			f.players[h.White].add(h.Date.Year, h.WhiteElo, h.Tag("WhiteFideId"))
		}
		if black {
			f.players[h.Black].playedIn(h.Tournament, h.Round)
			f.players[h.Black].add(h.Date.Year, h.BlackElo, h.Tag("BlackFideId"))
		}
		if !white || !black || h.White == h.Black {
			continue
		}
		a, b := &f.players[h.White].spelt, &f.players[h.Black].spelt
		if _, near := a.Near(b); near || a.SoundsLike(b) {
			f.played[pairOf(h.White, h.Black)] = true
		}
	}
	return f.find(ctx)
}

// nameFinder looks for players who may be one.
type nameFinder struct {
	players []namedPlayer // by id
	played  map[[2]model.EntityID]bool
	latin   int // how many players have Latin names rather than others
	near    map[model.EntityID][]nearPlayer
}

// namedPlayer is what is known of a player.
type namedPlayer struct {
	name           string // "" until it is met
	spelt          namepattern.Spelt
	games          int
	years, ratings span
	fide           string // "" if not known
	manyFIDE       bool   // games have several
	rounds         []uint32
}

// mostRounds is how many rounds are remembered of a player.
const mostRounds = 16

// playedIn notes a round of a tournament.
func (p *namedPlayer) playedIn(tournament model.EntityID, round uint16) {
	key := uint32(tournament)*2654435761 ^ uint32(round)
	if tournament >= 0 && round != 0 && len(p.rounds) < mostRounds && !slices.Contains(p.rounds, key) {
		p.rounds = append(p.rounds, key)
	}
}

// span is a range of numbers that are known.
type span struct{ from, to uint16 }

func (s *span) add(n uint16) {
	if n != 0 {
		s.to = max(s.to, n)
		if s.from == 0 || n < s.from {
			s.from = n
		}
	}
}

// gap is how far two ranges are apart; -1 if one is not known.
func (s span) gap(o span) int {
	if s.to == 0 || o.to == 0 {
		return -1
	}
	return max(0, int(s.from)-int(o.to), int(o.from)-int(s.to))
}

func (s span) String() string {
	if s.from == s.to {
		return fmt.Sprint(s.to)
	}
	return fmt.Sprintf("%d-%d", s.from, s.to)
}

// nearPlayer is a player who may be the same, and why.
type nearPlayer struct {
	id  model.EntityID
	why string
}

// meet takes the name of a player apart, once, and reports whether there is one.
func (f *nameFinder) meet(id model.EntityID, e *model.Entities) bool {
	v, ok := e.Players.Get(id)
	if !ok {
		return false
	}
	if n := int(id) + 1 - len(f.players); n > 0 {
		f.players = append(f.players, make([]namedPlayer, n)...)
	}
	if p := &f.players[id]; p.games == 0 {
		p.name, p.spelt = v.String(), namepattern.TakeApart(v)
	}
	return true
}

// add notes a game.
func (p *namedPlayer) add(year, elo uint16, fide string) {
	p.games++
	p.years.add(year)
	p.ratings.add(elo)
	if fide = strings.TrimLeft(fide, "0"); fide != "" && !p.manyFIDE {
		p.manyFIDE = p.fide != "" && p.fide != fide
		p.fide = fide
	}
}

// id is the player's FIDE id, "" where games have none, or several.
func (p *namedPlayer) id() string {
	if p.manyFIDE {
		return ""
	}
	return p.fide
}

func pairOf(a, b model.EntityID) [2]model.EntityID { return [2]model.EntityID{min(a, b), max(a, b)} }

// find finds the pairs, and what to make of them.
func (f *nameFinder) find(ctx context.Context) ([]NearName, error) {
	f.near = map[model.EntityID][]nearPlayer{}
	groups, seed := map[uint64][]model.EntityID{}, maphash.MakeSeed()
	for id := range f.players {
		p := &f.players[id]
		if p.games == 0 {
			continue
		}
		if f.latin--; isLatin(p.name) {
			f.latin += 2
		}
		enter := func(key string) {
			h := maphash.String(seed, key)
			if list := groups[h]; len(list) == 0 || list[len(list)-1] != model.EntityID(id) {
				groups[h] = append(list, model.EntityID(id))
			}
		}
		p.spelt.Keys(enter)
		if fide := p.id(); fide != "" {
			enter("#" + fide)
		}
	}
	seen := map[[2]model.EntityID]bool{}
	for _, list := range groups {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i, a := range list {
			for _, b := range list[i+1:] {
				f.compare(a, b, seen)
			}
		}
	}
	var found []NearName
	for id := range f.players {
		if n, ok := f.suggestion(model.EntityID(id)); ok {
			found = append(found, n)
		}
	}
	slices.SortStableFunc(found, func(a, b NearName) int { return cmp.Or(strings.Compare(a.New, b.New), strings.Compare(a.Old, b.Old)) })
	return found, nil
}

// farRatings is how far the ratings of one player in the same years are never apart.
const farRatings = 250

// compare notes two players who may be one.
func (f *nameFinder) compare(a, b model.EntityID, seen map[[2]model.EntityID]bool) {
	p, q := &f.players[a], &f.players[b]
	why, near := p.spelt.Near(&q.spelt)
	sameID := p.id() != "" && p.id() == q.id()
	switch {
	case p.name == q.name || !near && !sameID || seen[pairOf(a, b)]:
		return
	case f.played[pairOf(a, b)], p.id() != "" && q.id() != "" && !sameID, p.years.gap(q.years) > 70:
		return
	case slices.ContainsFunc(p.rounds, func(r uint32) bool { return slices.Contains(q.rounds, r) }):
		return
	case !sameID && p.ratings.gap(q.ratings) > farRatings && p.years.gap(q.years) <= 5:
		return
	}
	seen[pairOf(a, b)] = true
	f.near[a] = append(f.near[a], nearPlayer{b, why})
	f.near[b] = append(f.near[b], nearPlayer{a, why})
}

// suggestion returns what a player may be called instead.
func (f *nameFinder) suggestion(id model.EntityID) (NearName, bool) {
	p := &f.players[id]
	better := slices.DeleteFunc(slices.Clone(f.near[id]), func(n nearPlayer) bool { return !f.isBetter(n.id, id) })
	if len(better) == 0 {
		return NearName{}, false
	}
	slices.SortFunc(better, func(a, b nearPlayer) int {
		if f.isBetter(a.id, b.id) {
			return -1
		}
		return 1
	})
	for i, a := range better { // who may be either of two is neither
		for _, b := range better[:i] {
			if !slices.ContainsFunc(f.near[a.id], func(n nearPlayer) bool { return n.id == b.id }) {
				return NearName{}, false
			}
		}
	}
	n := better[0]
	q := &f.players[n.id]
	found := NearName{Old: p.name, New: q.name, ID: id, Into: n.id, OldGames: p.games, NewGames: q.games}
	if n.why != "" {
		found.Why = append(found.Why, n.why)
	}
	if p.id() != "" && p.id() == q.id() {
		found.Why = append(found.Why, "the same FIDE id "+p.id())
	}
	if p.ratings.gap(q.ratings) >= 0 {
		found.Why = append(found.Why, fmt.Sprintf("ratings %v and %v", p.ratings, q.ratings))
	}
	if p.years.gap(q.years) >= 0 {
		found.Why = append(found.Why, fmt.Sprintf("years %v and %v", p.years, q.years))
	}
	return found, true
}

// isBetter reports whether a name is the one to keep of two: the one in full, if it is in
// the script of most, then the one with more games, with more accents, the longer one. No
// two names are as good as each other.
func (f *nameFinder) isBetter(a, b model.EntityID) bool {
	p, q := &f.players[a], &f.players[b]
	isWhole := func(p *namedPlayer) bool { return p.spelt.IsFull() && isLatin(p.name) == (f.latin >= 0) }
	if whole := isWhole(p); whole != isWhole(q) {
		return whole
	}
	accents := func(p *namedPlayer) int { return len(p.name) - utf8.RuneCountInString(p.name) }
	return cmp.Or(cmp.Compare(p.games, q.games), cmp.Compare(accents(p), accents(q)), cmp.Compare(utf8.RuneCountInString(p.name), utf8.RuneCountInString(q.name)), cmp.Compare(b, a)) > 0
}

// isLatin reports whether a name has no letters behind the Latin ones.
func isLatin(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return r >= 0x370 && (r < 0x1e00 || r > 0x1eff) })
}
