package collect

import (
	"context"
	"errors"
	"iter"
	"sync/atomic"

	"cbkit/model"
)

// Union is several sources as one: the records of the first, then those of the
// second, and so on, numbered from 1. It is a [model.Source] and can be read as
// often as its parts can.
//
// What a format stored about a database as a whole has no place in a union; what
// it stored about records and entities stays with them. An entity that several
// sources have is one; the leftover of the first is kept.
//
// The tables grow while records are read: one goroutine may use a union at a time.
type Union struct {
	parts    []*part
	entities model.Entities
	reading  atomic.Int32 // the part that is read now
}

// part is one of the sources.
type part struct {
	model.Source
	ids entityMap
}

var (
	_ model.Source      = (*Union)(nil)
	_ model.Preflighter = (*Union)(nil)
	_ model.Referee     = (*Union)(nil)
	_ model.Measured    = (*Union)(nil)
)

// NewUnion returns the union of the sources, which must stay open while it is
// read.
func NewUnion(sources ...model.Source) *Union {
	u := &Union{}
	for _, src := range sources {
		p := &part{Source: src}
		p.ids.init(src.Entities(), &u.entities)
		u.parts = append(u.parts, p)
	}
	return u
}

// Entities implements [model.Source]. The tables have the entities of the
// records read so far.
func (u *Union) Entities() *model.Entities { return &u.entities }

// Leftover implements [model.Source]: there is none.
func (u *Union) Leftover() *model.Leftover { return nil }

// Count implements [model.Source].
func (u *Union) Count() int {
	all := 0
	for _, p := range u.parts {
		n := p.Count()
		if n < 0 {
			return -1
		}
		all += n
	}
	return all
}

// Progress implements [model.Measured], if all parts do.
func (u *Union) Progress() (done, total int64) {
	reading := int(u.reading.Load())
	for i, p := range u.parts {
		here, all := model.ProgressOf(p.Source)
		if all < 0 {
			return 0, -1
		}
		total += all
		switch {
		case i < reading:
			done += all
		case i == reading:
			done += here
		}
	}
	return done, total
}

// LegalMoves implements [model.Referee]: it is true if it is of all parts.
func (u *Union) LegalMoves() bool {
	for _, p := range u.parts {
		if r, ok := p.Source.(model.Referee); !ok || !r.LegalMoves() {
			return false
		}
	}
	return true
}

// Preflight implements [model.Preflighter].
func (u *Union) Preflight(ctx context.Context) error {
	var errs []error
	for _, p := range u.parts {
		if f, ok := p.Source.(model.Preflighter); ok {
			errs = append(errs, f.Preflight(ctx))
		}
	}
	return errors.Join(errs...)
}

// Records implements [model.Source]. An error that ends one of the sources ends
// the union.
func (u *Union) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		next := model.RecordID(1)
		for i, p := range u.parts {
			u.reading.Store(int32(i))
			for rec, err := range p.Records(ctx, 1, want) {
				if err != nil && rec.ID == 0 {
					yield(model.Record{}, err)
					return
				}
				id := next
				next++
				if id < from {
					continue
				}
				rec = p.ids.record(rec)
				rec.ID = id
				if !yield(rec, err) {
					return
				}
			}
		}
	}
}

// entityMap gives the entities of one source their ids in the tables of another.
type entityMap struct {
	players     tableMap[model.Player]
	tournaments tableMap[model.Tournament]
	annotators  tableMap[model.Annotator]
	sources     tableMap[model.Publication]
	teams       tableMap[model.Team]
	titles      tableMap[model.GameTitle]
}

func (m *entityMap) init(from, to *model.Entities) {
	m.players = tableMap[model.Player]{from: &from.Players, to: &to.Players}
	m.tournaments = tableMap[model.Tournament]{from: &from.Tournaments, to: &to.Tournaments}
	m.annotators = tableMap[model.Annotator]{from: &from.Annotators, to: &to.Annotators}
	m.sources = tableMap[model.Publication]{from: &from.Sources, to: &to.Sources}
	m.teams = tableMap[model.Team]{from: &from.Teams, to: &to.Teams}
	m.titles = tableMap[model.GameTitle]{from: &from.GameTitles, to: &to.GameTitles}
}

// record returns the record with the ids of the other tables. The game or text
// it holds is a copy; what hangs on it is shared.
func (m *entityMap) record(rec model.Record) model.Record {
	if rec.Game != nil {
		g := *rec.Game
		g.White, g.Black = m.players.id(g.White), m.players.id(g.Black)
		g.Tournament, g.Annotator = m.tournaments.id(g.Tournament), m.annotators.id(g.Annotator)
		g.Source, g.GameTitle = m.sources.id(g.Source), m.titles.id(g.GameTitle)
		g.WhiteTeam, g.BlackTeam = m.teams.id(g.WhiteTeam), m.teams.id(g.BlackTeam)
		rec.Game = &g
	}
	if rec.Text != nil {
		t := *rec.Text
		t.Tournament, t.Annotator = m.tournaments.id(t.Tournament), m.annotators.id(t.Annotator)
		t.Source, t.GameTitle = m.sources.id(t.Source), m.titles.id(t.GameTitle)
		rec.Text = &t
	}
	return rec
}

// tableMap is an entityMap for one kind.
type tableMap[T comparable] struct {
	from, to *model.Table[T]
	ids      []model.EntityID // plus one; 0 is not yet known
}

// id returns the id that an entity has in the other table, to which it is added
// if it is not there. Ids outside the first table lead nowhere in the other one.
func (m *tableMap[T]) id(id model.EntityID) model.EntityID {
	if id < 0 || int(id) >= m.from.Len() {
		return model.NoEntity
	}
	for int(id) >= len(m.ids) {
		m.ids = append(m.ids, 0)
	}
	if m.ids[id] == 0 {
		m.ids[id] = m.add(m.from.Slot(id)) + 1
	}
	return m.ids[id] - 1
}

func (m *tableMap[T]) add(s model.Slot[T]) model.EntityID {
	if id, ok := m.to.Find(s.Value); ok {
		return id
	}
	return m.to.Append(model.Slot[T]{Value: s.Value, Leftover: s.Leftover})
}
