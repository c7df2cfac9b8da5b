package model

// EntityMap gives records of one source the ids that their entities have in the tables of
// another. It is for one goroutine.
type EntityMap struct {
	players     tableMap[Player]
	tournaments tableMap[Tournament]
	annotators  tableMap[Annotator]
	sources     tableMap[Publication]
	teams       tableMap[Team]
	titles      tableMap[GameTitle]

	game Game
	text GuidingText
}

// NewEntityMap returns a map to tables, which get the entities that they do not have when
// a record refers to them. Both sets of tables may grow.
func NewEntityMap(from, to *Entities) *EntityMap {
	return &EntityMap{
		players:     tableMap[Player]{from: &from.Players, to: &to.Players},
		tournaments: tableMap[Tournament]{from: &from.Tournaments, to: &to.Tournaments},
		annotators:  tableMap[Annotator]{from: &from.Annotators, to: &to.Annotators},
		sources:     tableMap[Publication]{from: &from.Sources, to: &to.Sources},
		teams:       tableMap[Team]{from: &from.Teams, to: &to.Teams},
		titles:      tableMap[GameTitle]{from: &from.GameTitles, to: &to.GameTitles},
	}
}

// Record returns the record with the ids of the other tables; ids that lead nowhere become
// NoEntity. The game or text it holds is a copy that is valid until the next call; what
// hangs on it is shared.
func (m *EntityMap) Record(rec Record) Record {
	if rec.Game != nil {
		m.game = *rec.Game
		g := &m.game
		g.White, g.Black = m.players.id(g.White), m.players.id(g.Black)
		g.Tournament, g.Annotator = m.tournaments.id(g.Tournament), m.annotators.id(g.Annotator)
		g.Source, g.GameTitle = m.sources.id(g.Source), m.titles.id(g.GameTitle)
		g.WhiteTeam, g.BlackTeam = m.teams.id(g.WhiteTeam), m.teams.id(g.BlackTeam)
		rec.Game = g
	}
	if rec.Text != nil {
		m.text = *rec.Text
		t := &m.text
		t.Tournament, t.Annotator = m.tournaments.id(t.Tournament), m.annotators.id(t.Annotator)
		t.Source, t.GameTitle = m.sources.id(t.Source), m.titles.id(t.GameTitle)
		rec.Text = t
	}
	return rec
}

// tableMap is an EntityMap for one kind.
type tableMap[T comparable] struct {
	from, to *Table[T]
	ids      []EntityID // plus one; 0 is not yet known
}

// id returns the id that an entity has in the other table, to which it is added
// if it is not there. Ids outside the first table lead nowhere in the other one.
func (m *tableMap[T]) id(id EntityID) EntityID {
	if id < 0 || int(id) >= m.from.Len() {
		return NoEntity
	}
	for int(id) >= len(m.ids) {
		m.ids = append(m.ids, 0)
	}
	if m.ids[id] == 0 {
		there, is := m.to.Find(m.from.Value(id)) // of many sources most are there
		if !is {
			s := m.from.Slot(id)
			there = m.to.Append(Slot[T]{Value: s.Value, Leftover: s.Leftover})
		}
		m.ids[id] = there + 1
	}
	return m.ids[id] - 1
}
