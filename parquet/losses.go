package parquet

import "cbkit/model"

// reportLosses tells what a row does not hold without the column game.
func (w *Writer) reportLosses(rec model.Record) {
	g, report, id := rec.Game, w.opt.Report, rec.ID
	if report == nil {
		return
	}
	if n := g.Moves.Len() - g.Moves.MainLen(); n > 0 {
		report.Add(model.LostMoves, id, "variations", "%d moves", n)
	}
	if g.MovesErr != nil {
		report.Add(model.LostMoves, id, "moves", "they could not be read: %v", g.MovesErr)
	}
	if n := len(g.Annotations); n > 0 {
		report.Add(model.LostAnnotation, id, "annotations", "%d", n)
	}
	if t := w.entities.Tournaments.Value(g.Tournament); t != (model.Tournament{Title: t.Title, Place: t.Place}) {
		report.Add(model.LostField, id, "tournament", "its dates, type and other details")
	}
	if p := w.entities.Sources.Value(g.Source); p != (model.Publication{Title: p.Title}) {
		report.Add(model.LostField, id, "source", "its publisher, dates and quality")
	}
	for _, team := range [...]model.EntityID{g.WhiteTeam, g.BlackTeam} {
		if t := w.entities.Teams.Value(team); t != (model.Team{Title: t.Title}) {
			report.Add(model.LostField, id, "team", "its number, year and nation")
		}
	}
	for i := range g.Tags {
		for _, t := range g.Tags[:i] {
			if t.Name == g.Tags[i].Name {
				report.Add(model.LostTag, id, t.Name, "it is there twice: %q", g.Tags[i].Value)
			}
		}
	}
}
