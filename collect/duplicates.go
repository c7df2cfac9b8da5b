package collect

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"math/bits"
	"runtime"
	"slices"

	"cbkit/internal/derive"
	"cbkit/internal/namepattern"
	"cbkit/jsonl"
	"cbkit/model"
)

// Reason says why two games are considered the same.
type Reason uint8

// The reasons.
const (
	SameGame     Reason = iota // equal in all that counts
	SameSpelling               // equal but for the spelling of names
	SameDetails                // equal but for the date, the round or the event
	Contained                  // the main line of one begins that of the other
)

var reasonNames = [...]string{"equal", "spelling", "details", "contained"}

// String returns "equal", "spelling", "details" or "contained".
func (r Reason) String() string { return reasonNames[r] }

// Duplicate is a game, Drop, that is the same as another one, Keep.
type Duplicate struct {
	Keep, Drop model.RecordID
	Reason     Reason
}

// DuplicateOptions configures [Duplicates].
type DuplicateOptions struct {
	// Prefer says which of several equal games is kept, "best", "first" or "last"; "" is
	// "best": the annotated game, then the longer, then the one of which more is known,
	// then the first. Whatever it says, an annotated game is never dropped for one without
	// annotations and variations.
	Prefer string
	// Unite says that the annotations of a dropped game go to the one that
	// stays. Then an annotated game may be dropped for a longer bare one.
	Unite bool
	// Memory is how many bytes may be used for what is kept of games; 0 is 256 MiB. If
	// all games need more, they are taken in parts, and the source is read once for each
	// part.
	Memory int
	// OnError, OnRecord and Progress are those of [Options]. They are called during
	// the first of the two passes only.
	OnError  func(model.RecordID, error) error
	OnRecord func(*model.Record)
	Progress func(model.RecordID)
}

// Duplicates finds the games that a source has more than once, in the order of the
// dropped ones. It reads the source once, or more often if Memory is short, and then
// again the games that may contain others, or all games if the source is not
// [model.Numbered]. It keeps some 70 bytes for each game, and all names.
//
// Two games are the same if the main line of one is that of the other or begins
// it, if the names of both players can be spellings of the same names, and if
// the rest agrees the more, the shorter the games are:
//
//   - results agree, or one is not known;
//   - equal games of 20 moves or more may differ in all else, of 10 moves in
//     round and event, and in the day by a month;
//   - shorter games, and games that are contained in others, agree in date and
//     round as far as they are known; contained ones of fewer than 12 plies have
//     the same date, known or not, and one of their players has a name;
//   - games of fewer than 8 plies agree in all of this and in the event, and their
//     names are equal letter by letter. If the day is not known, and they have no
//     moves or begin from the usual position, tournament, date, round, result and
//     ratings must be equal, known or not; of games without moves annotations too.
//
// Dates are counted in months of 31 and years of 372 days. Deleted games, and games from
// set-up positions, are compared like all others, each with its like.
func Duplicates(ctx context.Context, src model.Source, opt DuplicateOptions) ([]Duplicate, error) {
	if !slices.Contains([]string{"", "best", "first", "last"}, opt.Prefer) {
		return nil, fmt.Errorf("%q is no rule; there are best, first, last: %w", opt.Prefer, model.ErrOption)
	}
	f := finder{opt: opt, parts: 1, unread: map[model.RecordID]bool{}}
	found := finder{places: map[model.RecordID]int32{}} // games of which others are there
	for ; f.part < f.parts; f.part++ {
		if err := f.readPart(ctx, src); err != nil {
			return nil, err
		}
		f.leave(&found)
	}
	f.games, f.same = found.games, found.same
	var list []Duplicate
	for _, gone := range f.settled() {
		for _, g := range gone {
			reason, same := f.reason(&f.games[g.keep], &f.games[g.drop])
			if !same {
				reason = SameDetails // by way of a third game
			}
			list = append(list, Duplicate{f.games[g.keep].id, f.games[g.drop].id, reason})
		}
	}
	slices.SortFunc(list, func(a, b Duplicate) int { return cmp.Compare(a.Drop, b.Drop) })
	return list, nil
}

// Games are compared with those that have the same first moves, and with shorter ones,
// which are in all parts.
const (
	partPlies = 4
	maxParts  = 256
)

// bytesOfGame is what is kept of a game: an entry, its places in two chains, and its set.
const bytesOfGame = 40 + 2*13 + 4

// readPart finds the pairs among the games of a part. While the first one is read there
// become as many as memory asks for.
func (f *finder) readPart(ctx context.Context, src model.Source) error {
	limit := cmp.Or(max(f.opt.Memory, 0), 256<<20) / bytesOfGame
	most := min(limit, max(src.Count(), 0))
	f.games, f.same, f.steps = slices.Grow(f.games[:0], most), nil, make([]steps, 0, most)
	want := model.WantMoves | model.WantAnnotations
	for rec, err := range f.records(ctx, src, want, f.part == 0) {
		if err != nil {
			return err
		}
		if g := f.entryOf(rec.ID, rec.Deleted, rec.Game, src.Entities()); f.isIn(g.part, g.plies < partPlies) {
			f.games, f.steps = append(f.games, g), append(f.steps, f.step)
		}
		for f.part == 0 && len(f.games) > limit && f.parts < maxParts {
			f.parts *= 2
			before, n := len(f.games), 0
			for i, g := range f.games {
				if f.isIn(g.part, g.plies < partPlies) {
					f.games[n], f.steps[n] = g, f.steps[i]
					n++
				}
			}
			f.games, f.steps = f.games[:n], f.steps[:n]
			if n > before*3/4 { // games of no moves, or all of the same
				limit *= 2
			}
		}
	}
	ids := f.containers()
	runtime.GC() // what was kept for that is memory for the chains
	f.index()
	next := int32(0)
	compareTo := func(id model.RecordID) {
		for ; int(next) < len(f.games) && f.games[next].id < id; next++ {
			f.compareWith(next, func(yield func(int, uint64) bool) { yield(int(f.games[next].plies), f.games[next].moves) })
		}
	}
	if len(ids) > 0 {
		for rec, err := range f.records(ctx, chosen{src, ids}, model.WantMoves, false) {
			if err != nil {
				return err
			}
			// Where more can be read than the first time, because less of it is wanted, it is
			// passed over.
			if compareTo(rec.ID); int(next) < len(f.games) && f.games[next].id == rec.ID {
				f.compareWith(next, derive.Beginnings(rec.Game))
				next++
			}
		}
	}
	compareTo(math.MaxInt32)
	return nil
}

// chosen are some records of a source, in their order, or all of them, if it cannot read any
// of them alone.
type chosen struct {
	model.Source
	ids []model.RecordID
}

// Records implements [model.Source].
func (c chosen) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	if n, ok := c.Source.(model.Numbered); ok {
		return n.RecordsOf(ctx, slices.Values(c.ids), want)
	}
	return c.Source.Records(ctx, from, want)
}

// steps are parts of the hashes of a game's beginnings of 8, 16, 32 and 64 plies, as far as it has
// so many: what one game contains begins as it does up to the last step that it has.
type steps [4]uint16

// lastStep returns the last one of a game with so many plies, -1 if there is none.
func lastStep(plies uint32) int { return min(bits.Len32(plies/shortest), len(steps{})) - 1 }

// containers returns the games that may contain shorter ones: those that begin like others of
// which a player's name sounds like theirs. What is kept to find them is dropped.
func (f *finder) containers() (ids []model.RecordID) {
	once, again := newSieve(6*len(f.games)), newSieve(2*len(f.games))
	keys := func(i, step int) iter.Seq[uint64] {
		g, hash := &f.games[i], derive.Mix(uint64(step), uint64(f.steps[i][step])<<8)
		return keysOf(hash, [2][2]uint32{f.soundsOf(g.white), f.soundsOf(g.black)})
	}
	for i := range f.games {
		if last := lastStep(f.games[i].plies); last >= 0 {
			for key := range keys(i, last) {
				if once.mayHaveTwice(key) {
					again.addTwice(key)
				}
				once.addTwice(key)
			}
		}
	}
	for i := range f.games {
		last, may := lastStep(f.games[i].plies), false
		for step := 0; step <= last && !may; step++ {
			for key := range keys(i, step) {
				may = may || step < last && once.mayHaveTwice(key) || again.mayHaveTwice(key)
			}
		}
		if may {
			ids = append(ids, f.games[i].id)
		}
	}
	f.steps = nil
	return ids
}

// isIn reports whether a game is in the part that is being read: a short one is in all.
func (f *finder) isIn(part uint8, short bool) bool { return short || int(part)%f.parts == f.part }

// leave gives the games that are the same as others, and their pairs, to another finder.
// Short games are compared with each other in the first part.
func (f *finder) leave(to *finder) {
	place := func(i int32) int32 {
		g := &f.games[i]
		if _, there := to.places[g.id]; !there {
			to.places[g.id] = int32(len(to.games))
			to.games = append(to.games, *g)
		}
		return to.places[g.id]
	}
	for _, p := range f.same {
		if a, b := &f.games[p.a], &f.games[p.b]; f.part == 0 || a.plies >= partPlies || b.plies >= partPlies {
			to.same = append(to.same, pair{place(p.a), place(p.b)})
		}
	}
}

// finder looks for duplicates.
type finder struct {
	improve bool                    // what stays gets what its header lacks: it need not have the best one
	unread  map[model.RecordID]bool // was reported
	opt     DuplicateOptions
	games   []entry
	events  model.Table[model.Tournament] // with their countries
	persons []namepattern.Spelt           // by player
	sounds  [][2]uint32                   // of these
	known   []bool
	steps   []steps // by game, while a part is read
	step    steps   // of the game that was read last
	starts  sieve   // the moves of all games, so that most beginnings are looked up once
	byWhite chains
	byBlack chains
	same    []pair // as many as join each set, and one for each line that begins another
	united  forest // of the sets
	begin   beginnings
	links   model.Game // scratch, with links as tags

	part, parts int                      // see DuplicateOptions.Memory
	places      map[model.RecordID]int32 // of games, in a finder of what others leave
}

// entry is what is kept of a game.
type entry struct {
	id           model.RecordID
	white, black model.EntityID
	event        model.EntityID
	moves        uint64 // hash of the start position and the main line, and of all else that must agree
	plies        uint32
	date         model.Date
	round, sub   uint16
	known        uint8 // how much of the header is known
	part         uint8
	result       model.Result
	is           entryBits
}

// entryBits say yes or no of a game.
type entryBits uint8

const (
	annotated entryBits = 1 << iota
	deleted
)

// bitIf returns a bit if something is so.
func bitIf(is bool, b entryBits) entryBits {
	if is {
		return b
	}
	return 0
}

// pair are two games that are the same, by their places in games: the moves of a begin
// those of b.
type pair struct{ a, b int32 }

// records yields the games of the source that can be read. It reports what cannot, once in
// all passes over the source, and what is read for the first time, if that is asked for.
func (f *finder) records(ctx context.Context, src model.Source, want model.Want, report bool) iter.Seq2[model.Record, error] {
	onError, onRecord := f.opt.OnError, f.opt.OnRecord
	if !report {
		onRecord = nil
	}
	if onError != nil {
		onError = func(id model.RecordID, err error) error {
			if f.unread[id] {
				return nil
			}
			f.unread[id] = true
			return f.opt.OnError(id, err)
		}
	}
	return func(yield func(model.Record, error) bool) {
		for rec, err := range model.Readable(ctx, src, want, onError) {
			if err == nil && onRecord != nil {
				onRecord(&rec)
			}
			if err == nil && (rec.Game == nil || rec.Game.MovesErr != nil) {
				continue
			}
			if !yield(rec, err) {
				return
			}
			if f.opt.Progress != nil {
				f.opt.Progress(rec.ID)
			}
		}
	}
}

// entryOf returns what is kept of a game.
func (f *finder) entryOf(id model.RecordID, isDeleted bool, g *model.Game, e *model.Entities) entry {
	g = g.LinksAsTags(&f.links)
	t := e.Tournaments.Value(g.Tournament)
	t = model.Tournament{Title: t.Title, Place: t.Place}
	n := entry{
		id: id, white: g.White, black: g.Black, event: f.events.Intern(t), date: g.Date, round: g.Round, sub: g.Subround,
		result: g.Result, is: bitIf(isDeleted, deleted) | bitIf(len(g.Annotations) > 0 || g.Moves.HasVariations(), annotated),
	}
	for ply, hash := range derive.Beginnings(g) {
		n.plies, n.moves = uint32(ply), hash
		if ply == partPlies {
			n.part = uint8(hash % maxParts)
		} else if isStep(ply) {
			if last := lastStep(n.plies); ply == shortest<<last {
				f.step[last] = uint16(hash >> 40)
			}
		}
	}
	for _, is := range []bool{
		g.Date.Year != 0, g.Date.Month != 0, g.Date.Day != 0, g.Round != 0, g.Result != model.NoResult, g.WhiteElo != 0,
		g.BlackElo != 0, g.ECO != 0, t.Title != "", t.Place != "", e.Players.Value(g.White).FirstName != "",
		e.Players.Value(g.Black).FirstName != "", len(g.Tags) > 0, g.WhiteTeam >= 0,
	} {
		if is {
			n.known++
		}
	}
	f.meet(g.White, e)
	f.meet(g.Black, e)
	ownStart := n.plies > 0 && g.Start != nil && *g.Start != model.StartPosition()
	if n.plies < shortest && g.Date.Day == 0 && !ownStart {
		said := fmt.Sprint(t, e.Players.Value(g.White), e.Players.Value(g.Black), g.Date, g.Round, g.Subround, g.Result, g.WhiteElo, g.BlackElo)
		if n.plies == 0 {
			bare := *bare(model.Record{Game: g}).Game
			bare.Header = model.NewHeader()
			said += string(jsonl.AppendRecord(nil, model.Record{ID: 1, Game: &bare}, e))
		}
		for i := range len(said) {
			n.moves = derive.Mix(n.moves, uint64(said[i]))
		}
	}
	return n
}

// meet takes the name of a player apart, once.
func (f *finder) meet(id model.EntityID, e *model.Entities) {
	if id < 0 {
		return
	}
	for int(id) >= len(f.persons) {
		f.persons, f.sounds, f.known = append(f.persons, namepattern.Spelt{}), append(f.sounds, [2]uint32{}), append(f.known, false)
	}
	if !f.known[id] {
		f.persons[id], f.known[id] = namepattern.TakeApart(e.Players.Value(id)), true
		f.sounds[id] = f.persons[id].Sounds()
	}
}

// nameless is the person of a game without a name.
var nameless namepattern.Spelt

func (f *finder) person(id model.EntityID) *namepattern.Spelt {
	if id < 0 {
		return &nameless
	}
	return &f.persons[id]
}

// soundsOf are those of a player.
func (f *finder) soundsOf(id model.EntityID) [2]uint32 {
	if id < 0 {
		return nameless.Sounds()
	}
	return f.sounds[id]
}

// index enters the games under their moves and the sounds of each name.
func (f *finder) index() {
	games := f.games
	f.united, f.starts = newForest(len(games)), newSieve(len(games))
	for i := range games {
		f.starts.add(games[i].moves)
	}
	enter := func(player func(*entry) model.EntityID) (c chains) {
		var again []int32
		for i := range games {
			if s := f.soundsOf(player(&games[i])); s[0] != s[1] {
				again = append(again, int32(i))
			}
		}
		c = newChains(len(games)+len(again), func(n int32) uint64 {
			g, reading := &games[c.standsFor(n)], 0
			if int(n) >= len(games) {
				reading = 1
			}
			return derive.Mix(g.moves, uint64(f.soundsOf(player(g))[reading]))
		})
		c.again = again
		for i, last := int32(len(games)-1), len(again)-1; i >= 0; i-- { // so that the first are found first
			if last >= 0 && again[last] == i {
				c.add(int32(len(games) + last))
				last--
			}
			c.add(i)
		}
		return c
	}
	f.byWhite = enter(func(g *entry) model.EntityID { return g.white })
	f.byBlack = enter(func(g *entry) model.EntityID { return g.black })
}

// compareWith looks for games that a game with these beginnings contains.
func (f *finder) compareWith(long int32, beginnings iter.Seq2[int, uint64]) {
	this := &f.games[long]
	white, black := f.soundsOf(this.white), f.soundsOf(this.black)
	for ply, hash := range beginnings {
		if ply == 0 && this.plies > 0 {
			continue
		}
		if ply == int(this.plies) {
			hash = this.moves
		}
		if !f.starts.mayHave(hash) {
			continue
		}
		for i := range white {
			if i == 0 || white[1] != white[0] {
				f.judge(&f.byWhite, derive.Mix(hash, uint64(white[i])), long, ply)
			}
			if i == 0 || black[1] != black[0] {
				f.judge(&f.byBlack, derive.Mix(hash, uint64(black[i])), long, ply)
			}
		}
	}
}

// maxCandidates is how many games with the same moves and names that sound alike
// are compared with one: so many that are not the same happen only to games of a
// few moves between people without names.
const maxCandidates = 256

// judge looks for games that have the first plies of the long one and are the same.
// It notes one, for the moves, and all that are not known to be in one set: a game of which
// little is known may be the same as two that contradict each other.
func (f *finder) judge(c *chains, hash uint64, long int32, plies int) {
	tried, noted := 0, false
	for short := range c.find(hash) {
		short = c.standsFor(short)
		a, b := &f.games[short], &f.games[long]
		if tried++; tried > maxCandidates || a.plies == b.plies && short >= long {
			return
		}
		if int(a.plies) != plies || (a.is^b.is)&deleted != 0 || (noted || a.plies == b.plies) && f.united.root(short) == f.united.root(long) {
			continue
		}
		if _, same := f.reason(a, b); same {
			f.same = append(f.same, pair{short, long})
			f.united.unite(short, long)
			noted = true
		}
	}
}

// How many plies make the rest of two headers matter less.
const (
	datedPlies  = 12 // a game that begins another one need not have its date
	monthPlies  = 20 // equal games may differ in round, and in the day by a month
	unlikeDates = 40 // equal games may differ in the date
)

// reason compares what is known of two games of which one contains the other, and says why
// they are the same.
func (f *finder) reason(a, b *entry) (Reason, bool) {
	if a.plies > b.plies {
		a, b = b, a
	}
	white, exactWhite := f.person(a.white).Same(f.person(b.white))
	black, exactBlack := f.person(a.black).Same(f.person(b.black))
	exact := exactWhite && exactBlack
	if !white || !black || a.result != b.result && a.result != model.NoResult && b.result != model.NoResult {
		return 0, false
	}
	d := differ(a, b)
	switch {
	case a.plies != b.plies:
		return Contained, a.plies >= shortest && f.contains(a, b, d)
	case a.plies < shortest && (d != nothing || !exact), a.plies < monthPlies && d&^inEvent != nothing, a.plies < unlikeDates && d&inDate != 0:
		return 0, false
	case d != nothing:
		return SameDetails, true
	case !exact:
		return SameSpelling, true
	}
	return SameGame, true
}

// contains reports whether a game, whose moves begin those of another one, is the same and not
// an opening that many games begin with.
func (f *finder) contains(a, b *entry, d difference) bool {
	return d&^inEvent == nothing && (a.plies >= datedPlies || a.date == b.date) &&
		(f.person(a.white).IsKnown() || f.person(a.black).IsKnown())
}

// difference is what of two headers contradicts.
type difference uint8

const (
	inDate difference = 1 << iota // by more than a month
	inDay                         // by up to a month
	inRound
	inEvent
	nothing difference = 0
)

// differ says in what two headers contradict each other.
func differ(a, b *entry) (d difference) {
	if days, known := daysApart(a.date, b.date); days > 31 {
		d |= inDate
	} else if days > 0 && known {
		d |= inDay
	}
	if a.round != 0 && b.round != 0 && (a.round != b.round || a.sub != 0 && b.sub != 0 && a.sub != b.sub) {
		d |= inRound
	}
	if a.event != b.event {
		d |= inEvent
	}
	return d
}

// daysApart returns how many days of a year of 372 (12 months of 31) two dates are
// apart, 0 as far as months or days are not known, and whether both have a year.
func daysApart(a, b model.Date) (days int, known bool) {
	if a.Year == 0 || b.Year == 0 {
		return 0, false
	}
	x, y := int(a.Year)*372, int(b.Year)*372
	if a.Month != 0 && b.Month != 0 {
		x, y = x+int(a.Month)*31, y+int(b.Month)*31
		if a.Day != 0 && b.Day != 0 {
			x, y = x+int(a.Day), y+int(b.Day)
		}
	}
	return max(x-y, y-x), true
}
