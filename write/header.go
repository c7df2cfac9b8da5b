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

// lost reports a header field that cannot be held.
func (c *Creator) lost(id model.RecordID, field, format string, args ...any) {
	model.Report(c.opt.Report).Add(model.LostField, id, field, format, args...)
}

// put24 stores an entity id in a 24-bit field; none stays what it is.
func put24(field *uint32, id int32) {
	if id < 0 {
		*field = 1<<24 - 1
		return
	}
	*field = uint32(id)
}

// putEntities stores the ids of a game's entities, in the order in which a
// new database numbers them. (spec/cbh-entities.md 14)
func (c *Creator) putEntities(h *model.Header, r *cbh.GameRecord, ext *cbh.ExtRecord, by model.RecordID) error {
	e := &c.entities
	white, err := e.players.use(h.White, by)
	if err != nil {
		return err
	}
	black, err := e.players.use(h.Black, by)
	if err != nil {
		return err
	}
	tournament, err := e.tournaments.use(h.Tournament, by)
	if err != nil {
		return err
	}
	annotator, err := e.annotators.use(h.Annotator, by)
	if err != nil {
		return err
	}
	source, err := e.sources.use(h.Source, by)
	if err != nil {
		return err
	}
	put24(&r.White, white)
	put24(&r.Black, black)
	put24(&r.Tournament, tournament)
	put24(&r.Annotator, annotator)
	put24(&r.Source, source)
	whiteTeam, err := c.useTeam(h.WhiteTeam, by)
	if err != nil {
		return err
	}
	blackTeam, err := c.useTeam(h.BlackTeam, by)
	if err != nil {
		return err
	}
	title, err := e.gameTitles.use(h.GameTitle, by)
	if err != nil {
		return err
	}
	put32(&ext.WhiteTeam, whiteTeam)
	put32(&ext.BlackTeam, blackTeam)
	put32(&ext.GameTitle, title)
	return nil
}

// put32 stores an entity id in a 32-bit field, where every negative number is
// none.
func put32(field *int32, id int32) {
	if max(*field, -1) != id {
		*field = id
	}
}

// useTeam is use for teams, where "none" is no entity.
func (c *Creator) useTeam(id model.EntityID, by model.RecordID) (int32, error) {
	if _, ok := c.src.Entities().Teams.Get(id); !ok && c.copy == nil {
		return -1, nil
	}
	return c.entities.teams.use(id, by)
}

// putHeader stores the fields of a game's header. Stored values that still
// mean the same stay as they are, bit for bit. Chess960 is the number of the
// starting position, -1 if it has none.
func (c *Creator) putHeader(h *model.Header, r *cbh.GameRecord, id model.RecordID, chess960 int, stored bool) {
	c.putDate(h.Date, &r.Date, id)
	if result, ok := cbh.UnpackResult(r.Result); result != h.Result || !ok && !stored {
		r.Result = cbh.PackResult(h.Result)
	}
	switch {
	case h.Result == model.NoResult:
		r.LineEvaluation = uint8(h.LineEvaluation)
	case h.LineEvaluation != 0:
		c.lost(id, "line evaluation", "$%d: only games without a result have one", h.LineEvaluation)
	}
	r.Round = c.fitByte(id, "round", h.Round)
	r.Subround = c.fitByte(id, "subround", h.Subround)
	r.WhiteRating, r.BlackRating = h.WhiteElo, h.BlackElo
	if eco, _ := cbh.UnpackOpening(r.Opening); eco != h.ECO || !stored {
		r.Opening = cbh.PackOpening(h.ECO, chess960)
		if chess960 >= 0 && h.ECO != 0 {
			c.lost(id, "ECO", "%s: a Chess960 game has its starting position there", h.ECO)
		}
	}
	for _, tag := range h.Tags {
		model.Report(c.opt.Report).Add(model.LostTag, id, tag.Name, "%q", tag.Value)
	}
}

// putDate stores a date.
func (c *Creator) putDate(d model.Date, field *uint32, id model.RecordID) {
	if cbh.UnpackDate(*field) == d {
		return
	}
	packed, ok := cbh.PackDate(d)
	if !ok {
		c.lost(id, "date", "%s: a part is out of range", d)
	}
	*field = packed
}

// fitByte returns a number that has one byte, 0 if it does not fit.
func (c *Creator) fitByte(id model.RecordID, field string, n uint16) uint8 {
	if n > 255 {
		c.lost(id, field, "%d: the largest number is 255", n)
		return 0
	}
	return uint8(n)
}
