package write

import (
	"cbkit/internal/cbh"
	"cbkit/model"
)

// report passes a loss on.
func (c *Creator) report(l model.Loss) {
	if c.opt.Report != nil {
		c.opt.Report(l)
	}
}

// mapEntities returns the header with the ids of this database, which numbers
// entities in the order below. (spec/cbh-entities.md 14) Was are the ids of the
// stored record, in the order of references, nil if there is none.
func (c *Creator) mapEntities(h model.Header, by model.RecordID, was *[8]int64) (model.Header, error) {
	e := &c.entities
	for i, f := range [...]struct {
		id *model.EntityID
		in entityUser
	}{
		{&h.White, &e.players}, {&h.Black, &e.players}, {&h.Tournament, &e.tournaments},
		{&h.Annotator, &e.annotators}, {&h.Source, &e.sources},
		{&h.WhiteTeam, nil}, {&h.BlackTeam, nil}, {&h.GameTitle, &e.gameTitles},
	} {
		var id int32
		var err error
		switch {
		case f.in == nil:
			id, err = c.useTeam(*f.id, by)
		case c.copy != nil && *f.id == model.NoEntity && (was == nil || was[i] >= 0):
			id, err = f.in.useEmpty(by)
		default:
			id, err = f.in.use(*f.id, by)
		}
		if err != nil {
			return h, err
		}
		*f.id = model.EntityID(id)
	}
	return h, nil
}

// entityUser is an entity table whatever its entities are.
type entityUser interface {
	use(id model.EntityID, by model.RecordID) (int32, error)
	useEmpty(by model.RecordID) (int32, error)
}

// useTeam is use for teams, where "none" is no entity.
func (c *Creator) useTeam(id model.EntityID, by model.RecordID) (int32, error) {
	if _, ok := c.src.Entities().Teams.Get(id); !ok && c.copy == nil {
		return -1, nil
	}
	return c.entities.teams.use(id, by)
}

// putHeader stores the fields of a game's header, whose ids are those of this
// database, and reports what they cannot hold.
func (c *Creator) putHeader(h *model.Header, r *cbh.GameRecord, ext *cbh.ExtRecord, id model.RecordID, chess960 int) {
	for _, l := range r.SetHeader(ext, h, chess960) {
		l.Record = id
		c.report(l)
	}
	for _, tag := range h.Tags {
		model.Report(c.opt.Report).Add(model.LostTag, id, tag.Name, "%q", tag.Value)
	}
}
