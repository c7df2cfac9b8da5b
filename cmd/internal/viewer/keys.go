package viewer

import (
	"cmp"
	"context"
	"slices"

	"cbkit/internal/namepattern"
	"cbkit/model"
	"cbkit/read"
)

// isName reports whether a key is a name.
func isName(by string) bool {
	switch by {
	case "event", "place", "white", "black":
		return true
	}
	return false
}

// numberKey returns what tells the key of a game that is no name, and whether it has one.
func numberKey(by string) func(*model.Header) (uint32, bool) {
	switch by {
	case "date":
		return func(h *model.Header) (uint32, bool) { return dateKey(h.Date) }
	case "round":
		return func(h *model.Header) (uint32, bool) {
			return uint32(h.Round)<<16 | uint32(h.Subround), h.Round != 0 || h.Subround != 0
		}
	case "elo":
		return func(h *model.Header) (uint32, bool) { return eloKey(h.WhiteElo, h.BlackElo) }
	case "white-elo":
		return func(h *model.Header) (uint32, bool) { return eloKey(h.WhiteElo, 0) }
	case "black-elo":
		return func(h *model.Header) (uint32, bool) { return eloKey(0, h.BlackElo) }
	case "eco":
		return func(h *model.Header) (uint32, bool) { return uint32(h.ECO), h.ECO != 0 }
	}
	return func(h *model.Header) (uint32, bool) { return uint32(h.Result), h.Result != model.NoResult }
}

func dateKey(d model.Date) (uint32, bool) {
	return uint32(d.Year)<<16 | uint32(d.Month)<<8 | uint32(d.Day), !d.IsZero()
}

func eloKey(white, black uint16) (uint32, bool) {
	return uint32(max(white, black)), white != 0 || black != 0
}

// nameOf returns the entity whose name a key is.
func nameOf(by string, white, black, tournament model.EntityID) model.EntityID {
	switch by {
	case "white":
		return white
	case "black":
		return black
	}
	return tournament
}

// textKey returns what names are sorted by: without case and accents first.
func textKey(s string) string { return namepattern.Fold(s) + "\x00" + s + "\x00" }

// nameKey returns the same for an entity, "" if it has no name.
func nameKey(e *model.Entities, id model.EntityID, by string) string {
	switch by {
	case "event":
		return textIf(e.Tournaments.Value(id).Title)
	case "place":
		return textIf(e.Tournaments.Value(id).Place)
	}
	if p := e.Players.Value(id); p != (model.Player{}) {
		return textKey(p.LastName) + textKey(p.FirstName)
	}
	return ""
}

func textIf(s string) string {
	if s == "" {
		return ""
	}
	return textKey(s)
}

// ranks returns the places of names in their order, 0 for those that are empty.
func ranks(names []string) []uint32 {
	by := make([]int32, len(names))
	for i := range by {
		by[i] = int32(i)
	}
	slices.SortFunc(by, func(a, b int32) int { return cmp.Compare(names[a], names[b]) })
	list := make([]uint32, len(names))
	rank := uint32(0)
	for i, n := range by {
		if names[n] == "" {
			continue
		}
		if i == 0 || names[n] != names[by[i-1]] {
			rank++
		}
		list[n] = rank
	}
	return list
}

// chessKeys are the keys of a ChessBase database, whose headers are read alone.
func chessKeys(ctx context.Context, db *read.ChessBase, by string, progress func(done, total int), each func(model.RecordID, uint32, bool)) error {
	var rank []uint32
	if isName(by) {
		e := db.Entities()
		n := e.Players.Len()
		if by == "event" || by == "place" {
			n = e.Tournaments.Len()
		}
		names := make([]string, n)
		for i := range names {
			if i%progressStep == 0 {
				if progress(0, db.Count()); ctx.Err() != nil {
					return ctx.Err()
				}
			}
			names[i] = nameKey(e, model.EntityID(i), by)
		}
		rank = ranks(names)
	}
	keyOf := numberKey(by)
	var head model.Header
	for h, err := range db.Headers(ctx, 1) {
		if err != nil {
			return err
		}
		if h.ID%progressStep == 0 {
			progress(int(h.ID), db.Count())
		}
		if h.IsText() {
			continue
		}
		var key uint32
		var has bool
		switch {
		case rank != nil:
			if id := nameOf(by, h.White(), h.Black(), h.Tournament()); id >= 0 && int(id) < len(rank) {
				key = rank[id]
			}
			has = key != 0
		case by == "date":
			key, has = dateKey(h.Date())
		default:
			head.Round, head.Subround = h.Round()
			head.WhiteElo, head.BlackElo = h.Elo()
			head.ECO, head.Result = h.ECO(), h.Result()
			key, has = keyOf(&head)
		}
		each(h.ID, key, has)
	}
	return ctx.Err()
}

// nameKeys are the keys of names of other sources, whose entities are known when
// all records are read.
func (s *source) nameKeys(ctx context.Context, src model.Source, by string, each func(model.RecordID, uint32, bool)) error {
	type named struct {
		id   model.RecordID
		name model.EntityID
	}
	var games []named
	for rec, err := range src.Records(ctx, 1, model.WantHeaders) {
		switch {
		case err != nil && rec.ID == 0:
			return err
		case err == nil && rec.Game != nil:
			h := &rec.Game.Header
			games = append(games, named{rec.ID, nameOf(by, h.White, h.Black, h.Tournament)})
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	e := src.Entities()
	names := make([]string, max(e.Players.Len(), e.Tournaments.Len()))
	for i := range names {
		names[i] = nameKey(e, model.EntityID(i), by)
	}
	rank := ranks(names)
	for _, g := range games {
		key := uint32(0)
		if g.name >= 0 {
			key = rank[g.name]
		}
		each(g.id, key, key != 0)
	}
	return nil
}
