package collect

import "cbkit/model"

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
