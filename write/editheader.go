package write

import (
	"cbkit/model"
)

// mapHeader returns a header with the ids of this database. Its own are those of
// the tables from, or, if that is nil, of this database already. What the record
// has referred to so far, by its old header, stays where it has the value.
func (t *entityEditors) mapHeader(h, old model.Header, from *model.Entities, by model.RecordID) (model.Header, error) {
	h, err := t.mapTextHeader(h, old, from, by)
	if err != nil {
		return h, err
	}
	m := mapping{from: from, by: by}
	if from == nil {
		from = new(model.Entities)
	}
	mapID(&m, &t.players, &h.White, old.White, &from.Players)
	mapID(&m, &t.players, &h.Black, old.Black, &from.Players)
	mapTeam(&m, &t.teams, &h.WhiteTeam, old.WhiteTeam, &from.Teams)
	mapTeam(&m, &t.teams, &h.BlackTeam, old.BlackTeam, &from.Teams)
	return h, m.err
}

// mapTextHeader is mapHeader for what games and guiding texts have.
func (t *entityEditors) mapTextHeader(h, old model.Header, from *model.Entities, by model.RecordID) (model.Header, error) {
	m := mapping{from: from, by: by}
	if from == nil {
		from = new(model.Entities)
	}
	mapID(&m, &t.tournaments, &h.Tournament, old.Tournament, &from.Tournaments)
	mapID(&m, &t.annotators, &h.Annotator, old.Annotator, &from.Annotators)
	mapID(&m, &t.sources, &h.Source, old.Source, &from.Sources)
	if m.err != nil {
		return h, m.err
	}
	return h, t.mapTitle(&m, &h.GameTitle, old.GameTitle, &from.GameTitles)
}

// mapping is how numbers of entities become those of this database. After an
// error nothing more is done.
type mapping struct {
	from *model.Entities // nil: they are already
	by   model.RecordID
	err  error
}

// mapID maps the number of an entity; none is the one with empty fields.
func mapID[T comparable](m *mapping, x *EntityEditor[T], id *model.EntityID, old model.EntityID, table *model.Table[T]) {
	switch {
	case m.err != nil || m.from == nil && *id == old:
	case m.from == nil && *id != model.NoEntity:
		*id, m.err = x.exists(*id)
	default:
		*id, m.err = x.mapped(*id, table, old, m.by)
	}
}

// mapTeam maps the number of a team, of which none is none.
func mapTeam(m *mapping, x *EntityEditor[model.Team], id *model.EntityID, old model.EntityID, table *model.Table[model.Team]) {
	if m.from != nil && table.Value(*id) == (model.Team{}) {
		if _, isTeam := table.Get(*id); !isTeam {
			*id = model.NoEntity
		}
	}
	if *id != model.NoEntity {
		mapID(m, x, id, old, table)
	}
}

// mapTitle maps the number of a game title. No title is the empty one where the
// database has such a thing, or is new; else none.
func (t *entityEditors) mapTitle(m *mapping, id *model.EntityID, old model.EntityID, table *model.Table[model.GameTitle]) error {
	isNone := *id == model.NoEntity || m.from != nil && table.Value(*id) == (model.GameTitle{})
	if !t.ed.db.HasTitles() {
		if !isNone {
			t.ed.opt.Report.Add(model.LostField, m.by, "game title", "the records of this database have no room for one")
		}
		*id = model.NoEntity
		return nil
	}
	if isNone && t.ed.db.Count() > 0 {
		empty, err := t.gameTitles.Find(model.GameTitle{})
		if err == nil && empty == model.NoEntity {
			*id = model.NoEntity
			return nil
		}
		if err != nil {
			return err
		}
	}
	mapID(m, &t.gameTitles, id, old, table)
	return m.err
}
