package write

import (
	"cbkit/internal/cbh"
	"cbkit/model"
)

// lose passes a loss on.
func (c *Creator) lose(l model.Loss) {
	if c.report != nil {
		c.report(l)
	}
}

// mapEntities returns the header with the ids of this database, which numbers
// entities in the order below. (docs/formats/cbh-entities.md 14)
func (c *Creator) mapEntities(h model.Header, by model.RecordID) (model.Header, error) {
	e := &c.entities
	for _, f := range [...]struct {
		id  *model.EntityID
		use func(model.EntityID, model.RecordID) (int32, error)
	}{
		{&h.White, e.players.use}, {&h.Black, e.players.use}, {&h.Tournament, e.tournaments.use},
		{&h.Annotator, e.annotators.use}, {&h.Source, e.sources.use},
		{&h.WhiteTeam, c.useTeam}, {&h.BlackTeam, c.useTeam}, {&h.GameTitle, e.gameTitles.use},
	} {
		id, err := f.use(*f.id, by)
		if err != nil {
			return h, err
		}
		*f.id = model.EntityID(id)
	}
	return h, nil
}

// useTeam is use for teams, where "none" is no entity.
func (c *Creator) useTeam(id model.EntityID, by model.RecordID) (int32, error) {
	if _, ok := c.src.Entities().Teams.Get(id); !ok {
		return -1, nil
	}
	return c.entities.teams.use(id, by)
}

// putHeader stores the fields of a game's header, whose ids are those of this
// database, and reports what they cannot hold.
func (c *Creator) putHeader(h *model.Header, r *cbh.GameRecord, ext *cbh.ExtRecord, id model.RecordID, chess960 int) {
	for _, l := range r.SetHeader(ext, h, chess960) {
		l.Record = id
		c.lose(l)
	}
	for _, tag := range h.Tags {
		c.report.Add(model.LostTag, id, tag.Name, "%q", tag.Value)
	}
}
