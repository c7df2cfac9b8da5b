package stats

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"cbkit/model"
)

// Kind is what a list is of.
type Kind uint8

// The kinds of entities.
const (
	Players Kind = iota
	Tournaments
	Annotators
	Sources
	Teams
	Titles
	numKinds
)

var kindNames = [numKinds]string{"players", "tournaments", "annotators", "sources", "teams", "titles"}

// String returns the word for the kind, such as "players".
func (k Kind) String() string { return kindNames[k%numKinds] }

// ParseKind reads what [Kind.String] returns.
func ParseKind(s string) (Kind, error) {
	if i := slices.Index(kindNames[:], s); i >= 0 {
		return Kind(i), nil
	}
	return 0, fmt.Errorf("%q cannot be listed; there are %s", s, strings.Join(kindNames[:], ", "))
}

// sides reports whether the two sides of a game have each their own.
func (k Kind) sides() bool { return k == Players || k == Teams }

// Entry is one entity with the statistics of its games.
type Entry struct {
	ID   model.EntityID `json:"id"`
	Name string         `json:"name"`
	// Games are all its games; White and Black those with each colour, of players
	// and teams.
	Games int `json:"games"`
	White int `json:"white,omitempty"`
	Black int `json:"black,omitempty"`
	// Texts are guiding texts.
	Texts int `json:"texts,omitempty"`
	// FirstYear and LastYear are those of its games, 0 if none has a date.
	FirstYear int `json:"firstYear,omitempty"`
	LastYear  int `json:"lastYear,omitempty"`
	// The ratings are those of the player, or of all who played in the tournament
	// or for the team; 0 if not known, and for other kinds.
	MinElo     int `json:"minElo,omitempty"`
	MaxElo     int `json:"maxElo,omitempty"`
	AverageElo int `json:"averageElo,omitempty"`
	// Place, Nation (a code of three letters), Category and Type are those of a
	// tournament. A round robin without a stored category has that of its ratings
	// if all are known.
	Place    string `json:"place,omitempty"`
	Nation   string `json:"nation,omitempty"`
	Category int    `json:"category,omitempty"`
	Type     string `json:"type,omitempty"`
}

// counter is what is counted of an entity.
type counter struct {
	white, black, texts uint32 // White's games are all, where sides have no own
	years, elo          bounds
	elos                ratings
}

// bounds are the least and the greatest of some numbers, without those that are 0.
type bounds struct{ least, most uint16 }

func (b *bounds) add(n uint16) {
	if n != 0 {
		b.most = max(b.most, n)
		if b.least == 0 || n < b.least {
			b.least = n
		}
	}
}

// Listing is a list of the entities of a source that its records refer to.
type Listing struct {
	kind     Kind
	entities *model.Entities
	stored   func() int // how many entities the source has by now, deleted ones included
	name     func(model.EntityID) string
	counters []counter // by id
	names    []string  // by id
	ids      []model.EntityID
	firsts   []model.EntityID                    // by the id of a tournament, the first one that is the same
	keys     map[model.Tournament]model.EntityID // nil if each is listed
}

// List counts the games of all entities of a kind. Entities without a name, and those
// that no game and no text refers to, are left out. The list is in the order of games,
// most first. List reads headers only.
func List(ctx context.Context, src model.Source, kind Kind, opt Options) (*Listing, error) {
	l := newListing(kind, src.Entities())
	if kind == Tournaments && opt.MergeTournaments {
		l.keys = map[model.Tournament]model.EntityID{}
	}
	for rec, err := range opt.records(ctx, src, 0) {
		if err != nil {
			return nil, err
		}
		if rec.Text != nil {
			l.addText(rec.Text)
		} else {
			l.addGame(&rec.Game.Header)
		}
	}
	l.names = make([]string, len(l.counters))
	for id := range l.counters {
		if c := &l.counters[id]; c.white+c.black+c.texts > 0 {
			if l.names[id] = l.name(model.EntityID(id)); l.names[id] != "" {
				l.ids = append(l.ids, model.EntityID(id))
			}
		}
	}
	return l, l.Sort("games")
}

// newListing returns a list without entries.
func newListing(kind Kind, e *model.Entities) *Listing {
	l := &Listing{kind: kind, entities: e}
	switch kind {
	case Players:
		l.stored, l.name = e.Players.Len, func(id model.EntityID) string { return e.Players.Value(id).String() }
	case Tournaments:
		l.stored, l.name = e.Tournaments.Len, func(id model.EntityID) string { return e.Tournaments.Value(id).Title }
	case Annotators:
		l.stored, l.name = e.Annotators.Len, func(id model.EntityID) string { return e.Annotators.Value(id).Name }
	case Sources:
		l.stored, l.name = e.Sources.Len, func(id model.EntityID) string { return e.Sources.Value(id).Title }
	case Teams:
		l.stored, l.name = e.Teams.Len, func(id model.EntityID) string { return e.Teams.Value(id).Title }
	default:
		l.stored, l.name = e.GameTitles.Len, func(id model.EntityID) string { return e.GameTitles.Value(id).String() }
	}
	return l
}

// at returns the counter of an entity, nil if there is none: a reference to nothing
// must not cost memory for all ids up to it.
func (l *Listing) at(id model.EntityID) *counter {
	if id < 0 || int(id) >= l.stored() {
		return nil
	}
	if l.keys != nil {
		for n := len(l.firsts); n <= int(id); n++ {
			t := l.entities.Tournaments.Value(model.EntityID(n))
			key := model.Tournament{Title: t.Title, Place: t.Place, Start: t.Start}
			if _, is := l.keys[key]; !is {
				l.keys[key] = model.EntityID(n)
			}
			l.firsts = append(l.firsts, l.keys[key])
		}
		id = l.firsts[id]
	}
	if n := int(id) + 1 - len(l.counters); n > 0 {
		l.counters = append(l.counters, make([]counter, n)...)
	}
	return &l.counters[id]
}

func (l *Listing) addText(t *model.GuidingText) {
	id := [numKinds]model.EntityID{model.NoEntity, t.Tournament, t.Annotator, t.Source, model.NoEntity, t.GameTitle}[l.kind]
	if c := l.at(id); c != nil {
		c.texts++
	}
}

func (l *Listing) addGame(h *model.Header) {
	white := [numKinds]model.EntityID{h.White, h.Tournament, h.Annotator, h.Source, h.WhiteTeam, h.GameTitle}[l.kind]
	if c := l.at(white); c != nil {
		c.white++
		c.years.add(h.Date.Year)
		if l.kind.sides() || l.kind == Tournaments {
			c.rate(h.WhiteElo)
		}
		if l.kind == Tournaments {
			c.rate(h.BlackElo)
		}
	}
	if !l.kind.sides() {
		return
	}
	if c := l.at([...]model.EntityID{Players: h.Black, Teams: h.BlackTeam}[l.kind]); c != nil {
		c.black++
		c.years.add(h.Date.Year)
		c.rate(h.BlackElo)
	}
}

// rate counts a rating; 0 is none.
func (c *counter) rate(elo uint16) {
	c.elos.add(elo, 1)
	c.elo.add(elo)
}

// Sort puts the list in another order: by "games", most first, "name", "year", the last
// one first, or "elo", the highest first. Equal entries are in the order of their names.
func (l *Listing) Sort(by string) error {
	var key func(*counter) uint32
	switch by {
	case "games":
		key = func(c *counter) uint32 { return c.white + c.black }
	case "name":
		key = func(*counter) uint32 { return 0 }
	case "year":
		key = func(c *counter) uint32 { return uint32(c.years.most) }
	case "elo":
		key = func(c *counter) uint32 { return uint32(c.elo.most) }
	default:
		return fmt.Errorf("%q is no order of a list; there are games, name, year, elo", by)
	}
	slices.SortFunc(l.ids, func(x, y model.EntityID) int {
		order := cmp.Compare(key(&l.counters[y]), key(&l.counters[x]))
		if order == 0 {
			order = strings.Compare(l.names[x], l.names[y])
		}
		return cmp.Or(order, cmp.Compare(x, y))
	})
	return nil
}

// Len returns how many entities the list has.
func (l *Listing) Len() int { return len(l.ids) }

// All yields the list in its order.
func (l *Listing) All() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for _, id := range l.ids {
			if !yield(l.entry(id)) {
				return
			}
		}
	}
}

func (l *Listing) entry(id model.EntityID) Entry {
	c := &l.counters[id]
	e := Entry{
		ID: id, Name: l.names[id], Games: int(c.white + c.black), Texts: int(c.texts),
		FirstYear: int(c.years.least), LastYear: int(c.years.most),
		MinElo: int(c.elo.least), MaxElo: int(c.elo.most), AverageElo: c.elos.average(),
	}
	if l.kind.sides() {
		e.White, e.Black = int(c.white), int(c.black)
	}
	if l.kind == Tournaments {
		t := l.entities.Tournaments.Value(id)
		e.Place, e.Nation, e.Type, e.Category = t.Place, t.Country().Code(), t.Type.System.String(), int(t.Category)
		if e.Category == 0 && t.Type.System == model.RoundRobin && c.elos.n == 2*int64(c.white) {
			e.Category = Category(e.AverageElo)
		}
	}
	return e
}
