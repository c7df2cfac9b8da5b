package model

// ReportMissing reports the entities that a record refers to and that are not
// in the tables: what is written instead is none. It is for sinks that do not
// keep ids.
func ReportMissing(rec Record, e *Entities, report Report) {
	if report == nil {
		return
	}
	m := missing{rec.ID, report}
	if g := rec.Game; g != nil {
		m.look("white", "player", g.White, e.Players.Len())
		m.look("black", "player", g.Black, e.Players.Len())
		m.look("tournament", "tournament", g.Tournament, e.Tournaments.Len())
		m.look("annotator", "annotator", g.Annotator, e.Annotators.Len())
		m.look("source", "source", g.Source, e.Sources.Len())
		m.look("white team", "team", g.WhiteTeam, e.Teams.Len())
		m.look("black team", "team", g.BlackTeam, e.Teams.Len())
		m.look("game title", "game title", g.GameTitle, e.GameTitles.Len())
	}
	if t := rec.Text; t != nil {
		m.look("tournament", "tournament", t.Tournament, e.Tournaments.Len())
		m.look("annotator", "annotator", t.Annotator, e.Annotators.Len())
		m.look("source", "source", t.Source, e.Sources.Len())
		m.look("game title", "game title", t.GameTitle, e.GameTitles.Len())
	}
}

// missing looks for references of one record that lead nowhere.
type missing struct {
	record RecordID
	report Report
}

// look looks at the reference in one field to one of n entities of a kind.
func (m *missing) look(field, kind string, id EntityID, n int) {
	if id != NoEntity && (id < 0 || int(id) >= n) {
		m.report.Add(LostField, m.record, field, "there is no %s %d", kind, id)
	}
}
