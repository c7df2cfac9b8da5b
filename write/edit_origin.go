package write

import (
	"fmt"

	"cbkit/internal/cbh"
	"cbkit/model"
)

// origin is where records that an editor is given come from: the tables that their
// numbers of entities are of, and which ones of the database those have turned out
// to be. What was found for one origin is never asked for another.
type origin struct {
	entities    *model.Entities
	players     numbers[model.Player]
	tournaments numbers[model.Tournament]
	annotators  numbers[model.Annotator]
	sources     numbers[model.Publication]
	teams       numbers[model.Team]
	gameTitles  numbers[model.GameTitle]
}

// newOrigin returns the origin of records with the tables e; of those whose
// entities are the database's own, for which e is nil, it is nil.
func newOrigin(e *model.Entities) *origin {
	if e == nil {
		return nil
	}
	o := &origin{entities: e}
	o.players.table, o.tournaments.table, o.annotators.table = &e.Players, &e.Tournaments, &e.Annotators
	o.sources.table, o.teams.table, o.gameTitles.table = &e.Sources, &e.Teams, &e.GameTitles
	return o
}

// numbers are the entities of one kind in an origin.
type numbers[T comparable] struct {
	table *model.Table[T]
	here  map[model.EntityID]cbh.EntityID // those that a new record has referred to
}

// idsOf implements entityMap.
func (t *entityEditors) idsOf(h *model.Header, isText bool, by model.RecordID) (cbh.EntityIDs, error) {
	return t.mapHeader(h, isText, cbh.NoEntities, mapping{from: t.ed.origin, by: by})
}

// mapHeader returns the entities of this database that a game or text refers to. What it
// has referred to so far stays where it has the value.
func (t *entityEditors) mapHeader(h *model.Header, isText bool, old cbh.EntityIDs, m mapping) (cbh.EntityIDs, error) {
	here, from := cbh.NoEntities, m.tables()
	// First what can be refused, so that nothing has come for it.
	here.GameTitle = t.mapTitle(&m, &from.gameTitles, h.GameTitle, old.GameTitle)
	here.Tournament = mapID(&m, &t.tournaments, &from.tournaments, h.Tournament, old.Tournament)
	here.Annotator = mapID(&m, &t.annotators, &from.annotators, h.Annotator, old.Annotator)
	here.Source = mapID(&m, &t.sources, &from.sources, h.Source, old.Source)
	if isText || m.err != nil {
		return here, m.err
	}
	here.White = mapID(&m, &t.players, &from.players, h.White, old.White)
	here.Black = mapID(&m, &t.players, &from.players, h.Black, old.Black)
	here.WhiteTeam = mapTeam(&m, &t.teams, &from.teams, h.WhiteTeam, old.WhiteTeam)
	here.BlackTeam = mapTeam(&m, &t.teams, &from.teams, h.BlackTeam, old.BlackTeam)
	return here, m.err
}

// mapping is how numbers of entities become those of this database. After an
// error nothing more is done.
type mapping struct {
	from  *origin // nil: they are already
	by    model.RecordID
	asked bool // the header alone is changed: a title that it cannot hold is refused
	err   error
}

// tables returns the tables that the numbers are of, none if they are this
// database's.
func (m *mapping) tables() *origin {
	if m.from == nil {
		return new(origin)
	}
	return m.from
}

// mapID maps the number of an entity; none is the one with empty fields.
func mapID[T comparable](m *mapping, x *EntityEditor[T], n *numbers[T], id model.EntityID, old cbh.EntityID) (here cbh.EntityID) {
	switch {
	case m.err != nil:
		return old
	case m.from != nil:
		known := false
		if here, known = n.here[id]; known && old == cbh.NoEntity {
			return here
		}
		v := n.table.Value(id)
		here, m.err = x.use(v, old, m.by)
		if m.err == nil && old == cbh.NoEntity && x.united[v] == nil {
			if n.here == nil {
				n.here = map[model.EntityID]cbh.EntityID{}
			}
			if len(n.here) >= keptEntities {
				clear(n.here)
			}
			n.here[id] = here
		}
	case cbh.EntityID(id) == old:
		return old
	case id == model.NoEntity:
		var none T
		here, m.err = x.use(none, old, m.by)
	default:
		here, m.err = x.exists(id)
	}
	return here
}

// mapTeam maps the number of a team, of which none is none.
func mapTeam(m *mapping, x *EntityEditor[model.Team], n *numbers[model.Team], id model.EntityID, old cbh.EntityID) cbh.EntityID {
	isNone := id == model.NoEntity
	if m.from != nil {
		_, is := n.table.Get(id)
		isNone = isNone || !is
	}
	if isNone {
		return cbh.NoEntity
	}
	return mapID(m, x, n, id, old)
}

// mapTitle maps the number of a game title. No title is the empty one where the
// database has such a thing, or is new; else none. A .cbj file that is missing is
// not made for it.
func (t *entityEditors) mapTitle(m *mapping, n *numbers[model.GameTitle], id model.EntityID, old cbh.EntityID) cbh.EntityID {
	if m.err != nil {
		return old
	}
	isNone := id == model.NoEntity || m.from != nil && n.table.Value(id) == model.GameTitle{}
	if !t.ed.db.HasTitles() {
		switch {
		case !isNone && m.asked:
			m.err = fmt.Errorf("%s: record %d: %w: this version of the file has no room for game titles; converted to .jsonl and back the database has",
				t.ed.db.Name(".cbj"), m.by, model.ErrUnsupported)
		case !isNone:
			t.ed.opt.Report.Add(model.LostField, m.by, "game title", "the records of this database have no room for one")
		}
		return cbh.NoEntity
	}
	if isNone && t.ed.db.Count() > 0 {
		if !t.ed.db.HasExtensions() {
			return cbh.NoEntity
		}
		var empty model.EntityID
		empty, m.err = t.gameTitles.Find(model.GameTitle{})
		if m.err != nil || empty == model.NoEntity {
			return cbh.NoEntity
		}
	}
	return mapID(m, &t.gameTitles, n, id, old)
}
