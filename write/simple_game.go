package write

import (
	"slices"

	"cbkit/internal/dcdb"
	"cbkit/internal/derive"
	"cbkit/internal/headerfields"
	"cbkit/model"
)

// body returns a game's record and the number of plies of the main line in it.
// A stored record that still says the same stays as it is.
func (c *simpleEncoder) body(g *model.Game) (body []byte, plies int, err error) {
	if raw := g.Leftovers.Moves.From(dcdb.Format); len(raw) > 0 && dcdb.Promotions(raw[0]) == c.encoder.Promotions {
		if g.MovesErr != nil || !c.opt.Fresh && c.saysTheSame(raw[1:], g) {
			return raw[1:], g.Moves.MainLen(), nil
		}
	}
	if g.MovesErr != nil {
		c.lost(model.LostMoves, "moves", "%v", g.MovesErr)
	}
	if g.AnnotationsErr != nil {
		c.lost(model.LostAnnotation, "annotations", "%v", g.AnnotationsErr)
	}
	return c.encoder.Encode(g)
}

// saysTheSame reports whether a record holds what a game has.
func (c *simpleEncoder) saysTheSame(body []byte, g *model.Game) bool {
	c.decoder.Promotions = c.encoder.Promotions
	c.decoder.Foreign = foreign.Decode
	if c.decoder.Decode(body, &c.decoded) != nil {
		return false
	}
	stored := model.Game{Start: c.decoded.Start}
	return stored.StartPosition() == g.StartPosition() && c.decoded.Moves.Equal(&g.Moves) &&
		slices.EqualFunc(c.decoded.Annotations, g.Annotations, func(a, b model.Annotation) bool {
			return a.Node == b.Node && a.Value.Equal(b.Value)
		})
}

// search returns the fields for searches: in a copy those a game brings along,
// else computed ones.
func (c *simpleEncoder) search(g *model.Game, plies int) (dcdb.SearchFields, error) {
	if raw := g.Leftovers.Derived.From(dcdb.Format); len(raw) == dcdb.SearchFieldsSize && c.copying {
		return dcdb.DecodeSearchFields(raw), nil
	}
	if plies == 0 && g.Moves.Len() > 0 { // moves from an impossible position
		return derive.Search(nil, nil)
	}
	return derive.Search(g.Start, g.Moves.Nodes()[:plies])
}

// putHeader fills the index entry.
func (c *simpleEncoder) putHeader(g *model.Game, deleted bool) error {
	e, h := &c.entry, dated(&g.Header)
	var was *dcdb.Entry // that the game brings along
	if raw := g.Leftovers.Header.From(dcdb.Format); !c.opt.Fresh && len(raw) == dcdb.V0.EntrySize() {
		stored := dcdb.V0.DecodeEntry(raw)
		was = &stored
	}
	names := was
	if !c.copying {
		names = nil
	}
	if err := c.putNames(h, names); err != nil {
		return err
	}
	if deleted {
		e.Status = dcdb.StatusDeleted
	}
	e.Round, e.WhiteElo, e.BlackElo = h.Round, h.WhiteElo, h.BlackElo
	if !e.SetResult(h.Result) {
		c.lost(model.LostField, "result", "%v by forfeit or for both: the format has only played games", h.Result)
	}
	if !e.SetDate(h.Date) {
		c.lost(model.LostField, "date", "%d.%d.%d is no date", h.Date.Year, h.Date.Month, h.Date.Day)
	}
	if !e.SetOpening(h.ECO) {
		if h.ECO.Valid() {
			c.lost(model.LostField, "ECO", "%v: the format has no sub-codes", h.ECO)
		} else {
			c.lost(model.LostField, "ECO", "%d is no code", h.ECO)
		}
	}
	for l := range headerfields.LostIn(headerfields.Simple, h, c.tables) {
		c.lost(model.LostField, l.Field, l.Format, l.Value)
	}
	for _, t := range h.Tags {
		c.lost(model.LostTag, t.Name, "%q", t.Value)
	}
	if was == nil {
		return nil
	}
	// Stored bytes stay that mean what the entry says.
	if (was.Status == dcdb.StatusDeleted) == (e.Status == dcdb.StatusDeleted) {
		e.Status = was.Status
	}
	if was.GameResult() == e.GameResult() {
		e.Result = was.Result
	}
	if was.Date() == e.Date() {
		e.Month, e.Day = was.Month, was.Day
	}
	if was.Opening() == e.Opening() {
		e.ECO = was.ECO
	}
	return nil
}
