package collect

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"cbkit/internal/derive"
	"cbkit/internal/headerfields"
	"cbkit/model"
)

// Base is a database to which records are added: a [model.Source] that can read single
// records, like those of cbkit.Open and read.Open.
type Base interface {
	model.Source
	Record(ctx context.Context, id model.RecordID, want model.Want) (model.Record, error)
}

// mainLine is what games are looked up by.
type mainLine struct {
	White, Black model.Player
	Start        *model.Position // nil for the usual one
	Moves        []model.Move
}

// candidates finds the games of a base that may be the same as some given games: at least
// those whose main line equals, begins or continues that of one of them and whose White
// or Black has a name that sounds alike. The ids come in any order; extra ones do no
// harm.
type candidates func(ctx context.Context, games []mainLine) ([]model.RecordID, error)

// AdditionOptions configures [FindAdditions].
type AdditionOptions struct {
	// Improve replaces games of the base by copies with more moves or annotations, as
	// [Duplicates] would keep them. A game that stays or is added gets header fields that
	// it lacks from the games dropped for it; a game that replaces another takes over its
	// header.
	Improve bool
	// Warn, if not nil, is called with why an index of positions that is there is not used.
	Warn func(error)
	// BaseProgress, if not nil, is called with the id of each record of the base that was
	// read to find what may be the same.
	BaseProgress func(model.RecordID)
	// OnError, OnRecord and Progress are those of [Options], for the source.
	OnError  func(model.RecordID, error) error
	OnRecord func(*model.Record)
	Progress func(model.RecordID)

	candidates candidates // in place of those of the base
}

// Additions are what a source has that a base does not.
type Additions struct {
	// Add are the records of the source to add, in their order.
	Add []model.RecordID `json:"-"`
	// Replace are the games of the base to replace, in the order of the source; Drop are
	// games of the base that a game of the source shows to be the same as another one
	// that is as good or better. Both are empty without Improve.
	Replace []Replacement    `json:"-"`
	Drop    []model.RecordID `json:"-"`

	New      int `json:"new"`      // the length of Add
	Known    int `json:"known"`    // how many the base has, as good or better
	Better   int `json:"better"`   // how many are better than those of the base
	Repeated int `json:"repeated"` // repetitions within the source, the best copy not counted
	// Uncompared counts records that are not games or whose moves cannot be read. They
	// are not added.
	Uncompared int `json:"uncompared"`

	// Filled are the fields that games lacked. Games of the source are numbered after
	// those of the base. Headers are the new headers of games of the base, with entities
	// in Names.
	Filled  []Filled                        `json:"-"`
	Headers map[model.RecordID]model.Header `json:"-"`
	Names   *model.Entities                 `json:"-"`

	filling filling // of games of the source
}

// Complete returns src with the games to add, and those that replace others, completed.
// Ids are the ids that src gives to the records that were compared.
func (a *Additions) Complete(src model.Source, ids []model.RecordID) model.Source {
	if len(a.filling.others) == 0 {
		return src
	}
	w := &without{Source: src, ids: model.NewEntityMap(src.Entities(), a.Names), filling: filling{a.Names, map[model.RecordID][]headerfields.Head{}, map[model.RecordID]model.Header{}}}
	for id, others := range a.filling.others {
		w.others[ids[id-1]] = others
	}
	for id, h := range a.filling.stated {
		w.stated[ids[id-1]] = h
	}
	return w
}

// Replacement is a game of the base that a game of the source takes the place of.
type Replacement struct{ Base, By model.RecordID }

// FindAdditions tells which records of a source a base lacks, by the rules of
// [Duplicates]: a game is not added if Duplicates would drop it from base and source
// together. Only games of the base that are the same as one of the source change; other
// duplicates in it stay.
//
// The source is read once, and some 500 bytes are kept for each of its games, with
// Improve 700; games of the base that may be the same are kept too. To find these the
// base is read, and again for games of the base that no game of the source is known to
// equal, since others may be the same as these. If the base is a [read.ChessBase], or a
// cbkit.Source of one, and has an index of positions that fits, the index is asked: that
// costs what the games cost, not what the base does. For games of a few moves, which may
// be the same as much of the base, the base is read all the same.
func FindAdditions(ctx context.Context, src model.Source, base Base, opt AdditionOptions) (*Additions, error) {
	if opt.candidates == nil {
		opt.candidates = indexed(base, opt.Warn, scan(base, opt.BaseProgress))
	}
	a := adder{finder: finder{improve: opt.Improve, unread: map[model.RecordID]bool{}}, base: base, filling: filling{names: new(model.Entities)}}
	a.opt = DuplicateOptions{OnError: opt.OnError, Progress: opt.Progress, OnRecord: func(rec *model.Record) {
		if rec.Game == nil || rec.Game.MovesErr != nil {
			a.uncompared++
		}
		if opt.OnRecord != nil {
			opt.OnRecord(rec)
		}
	}}
	fromBase, fromSource := model.NewEntityMap(base.Entities(), a.names), model.NewEntityMap(src.Entities(), a.names)
	const want = model.WantMoves | model.WantAnnotations
	var ask []mainLine
	for rec, err := range a.records(ctx, src, want, true) {
		if err != nil {
			return nil, err
		}
		game := a.compared(fromSource.Record(rec))
		a.source, ask = append(a.source, game), append(ask, game.line)
	}
	read := map[model.RecordID]bool{} // of the base
	for len(ask) > 0 {
		ids, err := opt.candidates(ctx, ask)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			if read[id] {
				continue
			}
			read[id] = true
			rec, err := base.Record(ctx, id, want)
			if errors.Is(err, model.ErrChanged) || ctx.Err() != nil {
				return nil, errors.Join(err, ctx.Err())
			}
			if err == nil && rec.Game != nil && rec.Game.MovesErr == nil { // what cannot be read is no other's copy
				a.there = append(a.there, a.compared(fromBase.Record(rec)))
			}
		}
		slices.SortFunc(a.there, func(x, y compared) int { return cmp.Compare(x.id, y.id) })
		ask = a.settle()
	}
	a.complete()
	return &a.result, errors.Join(src.Entities().Err(), base.Entities().Err(), ctx.Err())
}

// adder finds additions.
type adder struct {
	finder
	base          Base
	filling                         // the names are those of both
	takes         map[int32][]int32 // for a game those that go in its favour, by their places in games
	there, source []compared        // there are the candidates, by their ids
	uncompared    int
	result        Additions
}

// compared is a game that is compared with others.
type compared struct {
	entry
	line  mainLine
	head  *headerfields.Head // if they are improved
	asked bool               // what may be the same as a game of the base was asked for
}

// compared keeps what is compared of a game.
func (a *adder) compared(rec model.Record) compared {
	g, e := rec.Game, a.names
	c := compared{entry: a.entryOf(rec.ID, rec.Deleted, g, e), line: mainLine{White: e.Players.Value(g.White), Black: e.Players.Value(g.Black)}}
	if a.improve {
		c.head = new(headOf(rec))
	}
	if g.Start != nil {
		c.line.Start = new(*g.Start)
	}
	c.line.Moves = make([]model.Move, g.Moves.MainLen())
	for i := range c.line.Moves {
		c.line.Moves[i] = g.Moves.Move(i)
	}
	return c
}

// settle compares all games, lists what is to be added, and returns the games of the base
// about which is to be asked.
func (a *adder) settle() (ask []mainLine) {
	all := slices.Concat(a.there, a.source)
	a.games, a.same, a.takes = make([]entry, len(all)), nil, map[int32][]int32{}
	for i := range all {
		a.games[i] = all[i].entry
		if i >= len(a.there) { // as if the source stood behind the base
			a.games[i].id += model.RecordID(a.base.Count())
		}
	}
	a.index()
	for i := range all {
		line := &all[i].line
		a.compareWith(int32(i), derive.BeginningsOf(line.Start, len(line.Moves), func(k int) model.Move { return line.Moves[k] }))
	}
	verdicts := make([]verdict, len(all))
	a.result = Additions{Uncompared: a.uncompared}
	for stay, gone := range a.settled() {
		if a.judgeSet(stay, gone, verdicts) {
			for _, i := range slices.Concat(stay, dropped(gone)) {
				if int(i) < len(a.there) && !a.there[i].asked {
					a.there[i].asked = true
					ask = append(ask, a.there[i].line)
				}
			}
		}
	}
	r := &a.result
	for i := range a.source {
		switch verdicts[len(a.there)+i] {
		case isNew:
			r.Add = append(r.Add, a.source[i].id)
		case isKnown:
			r.Known++
		case isBetter:
			r.Better++
		case isRepeated:
			r.Repeated++
		}
	}
	r.New = len(r.Add)
	slices.Sort(r.Drop)
	slices.SortFunc(r.Replace, func(x, y Replacement) int { return cmp.Compare(x.By, y.By) })
	return ask
}

// complete fills what the headers of games lack that stay.
func (a *adder) complete() {
	r, size := &a.result, model.RecordID(a.base.Count())
	r.Names, r.Headers = a.names, map[model.RecordID]model.Header{}
	r.filling.others, r.filling.stated = map[model.RecordID][]headerfields.Head{}, map[model.RecordID]model.Header{}
	stated := map[model.RecordID]model.Header{} // by what takes the place
	for _, by := range r.Replace {
		at, _ := slices.BinarySearchFunc(a.there, by.Base, func(c compared, id model.RecordID) int { return cmp.Compare(c.id, id) })
		stated[by.By] = a.there[at].head.Header
	}
	head := func(i int32) headerfields.Head {
		if int(i) < len(a.there) {
			return *a.there[i].head
		}
		h := *a.source[int(i)-len(a.there)].head
		h.ID += size
		return h
	}
	for _, keep := range slices.Sorted(maps.Keys(a.takes)) {
		h := head(keep)
		a.others = map[model.RecordID][]headerfields.Head{}
		for _, drop := range a.takes[keep] {
			a.others[h.ID] = append(a.others[h.ID], head(drop))
		}
		isNew := h.ID > size // and takes its tournament with it
		was, replaces := stated[h.ID-size]
		if a.stated = nil; isNew && replaces {
			a.stated, r.filling.stated[h.ID-size] = map[model.RecordID]model.Header{h.ID: was}, was
		}
		list := a.fill(h.ID, &h.Header, isNew)
		if r.Filled = append(r.Filled, list...); isNew && (len(list) > 0 || replaces) {
			r.filling.others[h.ID-size] = a.others[h.ID]
		} else if len(list) > 0 {
			r.Headers[h.ID] = h.Header
		}
	}
}

// verdict is what becomes of a game of the source.
type verdict uint8

const (
	isNew verdict = iota
	isKnown
	isBetter
	isRepeated
)

// dropped returns the games that go.
func dropped(gone []goner) []int32 {
	list := make([]int32, len(gone))
	for i, g := range gone {
		list[i] = g.drop
	}
	return list
}

// judgeSet says what becomes of the games of a set, and reports whether it matters
// which other games of the base belong to it.
func (a *adder) judgeSet(stay []int32, gone []goner, verdicts []verdict) (matters bool) {
	border := int32(len(a.there))
	members := slices.Concat(stay, dropped(gone))
	slices.Sort(members)
	base, _ := slices.BinarySearch(members, border) // so many are of the base
	for _, g := range gone {
		if a.improve && base < len(members) {
			a.takes[g.keep] = append(a.takes[g.keep], g.drop)
		}
	}
	if base == 0 || base == len(members) {
		for _, g := range gone {
			verdicts[g.drop] = isRepeated // or of the base alone
		}
		return false
	}
	for _, g := range gone {
		switch {
		case g.drop >= border && g.keep < border:
			verdicts[g.drop] = isKnown
		case g.drop >= border:
			verdicts[g.drop] = isRepeated
		case !a.improve:
		case g.keep < border || verdicts[g.keep] == isBetter: // another one has its place
			a.result.Drop = append(a.result.Drop, a.there[g.drop].id)
		default:
			verdicts[g.keep] = isBetter
			a.result.Replace = append(a.result.Replace, Replacement{a.there[g.drop].id, a.source[g.keep-border].id})
		}
	}
	plain := map[uint64]bool{} // the main lines of the base, whether one of their games has no annotations
	for _, b := range members[:base] {
		g := &a.games[b]
		plain[g.moves] = plain[g.moves] || g.is&annotated == 0
	}
	for _, w := range stay {
		standsFor := func(line uint64) bool {
			without, is := plain[line]
			return is && (without || a.games[w].is&annotated != 0)
		}
		if w >= border && !a.improve && slices.ContainsFunc(a.begin.of(a.games[w].moves), standsFor) {
			verdicts[w] = isBetter
		}
		matters = matters || w >= border
	}
	return matters || a.improve && base > 1
}
