package model

import (
	"fmt"
	"slices"
)

// Reference is a field of a record that refers to an entity.
type Reference struct {
	// Field names the field, Kind the table: "white" and "player".
	Field, Kind string
	ID          EntityID
	// Len is the number of slots of the table.
	Len int
}

// Valid reports whether the table has the entity, or the reference is [NoEntity].
func (r Reference) Valid() bool { return r.ID == NoEntity || r.ID >= 0 && int(r.ID) < r.Len }

// String says what is referred to, such as "there is no player 17".
func (r Reference) String() string { return fmt.Sprintf("there is no %s %d", r.Kind, r.ID) }

// AppendReferences appends all references of a record, with the sizes of the
// tables in e.
func (r *Record) AppendReferences(dst []Reference, e *Entities) []Reference {
	if g := r.Game; g != nil {
		return append(dst,
			Reference{"white", "player", g.White, e.Players.Len()},
			Reference{"black", "player", g.Black, e.Players.Len()},
			Reference{"tournament", "tournament", g.Tournament, e.Tournaments.Len()},
			Reference{"annotator", "annotator", g.Annotator, e.Annotators.Len()},
			Reference{"source", "source", g.Source, e.Sources.Len()},
			Reference{"white team", "team", g.WhiteTeam, e.Teams.Len()},
			Reference{"black team", "team", g.BlackTeam, e.Teams.Len()},
			Reference{"game title", "game title", g.GameTitle, e.GameTitles.Len()})
	}
	if t := r.Text; t != nil {
		return append(dst,
			Reference{"tournament", "tournament", t.Tournament, e.Tournaments.Len()},
			Reference{"annotator", "annotator", t.Annotator, e.Annotators.Len()},
			Reference{"source", "source", t.Source, e.Sources.Len()},
			Reference{"game title", "game title", t.GameTitle, e.GameTitles.Len()})
	}
	return dst
}

// CheckMade returns an error that wraps [ErrNotMade] if the game or text of a record
// was not made by [NewGame], [NewGuidingText], a reader or the like.
func (r *Record) CheckMade() error {
	if g, t := r.Game, r.Text; g != nil && !g.made || t != nil && !t.made {
		return fmt.Errorf("%w: its players and other names would be those with the number 0", ErrNotMade)
	}
	return nil
}

// CheckReferences returns an error for the first entity of a record that its
// table does not have.
func CheckReferences(rec *Record, e *Entities) error {
	missing := rec.missing(e)
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("%s: %v: %w", missing[0].Field, missing[0], ErrCorrupt)
}

// missing returns the references of a record whose tables do not have the entity.
func (r *Record) missing(e *Entities) []Reference {
	if r.HasValidReferences(e) {
		return nil
	}
	return slices.DeleteFunc(r.AppendReferences(nil, e), Reference.Valid)
}

// HasValidReferences reports whether CheckReferences finds nothing, as in most records.
func (r *Record) HasValidReferences(e *Entities) bool {
	if t := r.Text; t != nil {
		return e.Tournaments.leads(t.Tournament) && e.Annotators.leads(t.Annotator) &&
			e.Sources.leads(t.Source) && e.GameTitles.leads(t.GameTitle)
	}
	g := r.Game
	return g == nil || e.Players.leads(g.White) && e.Players.leads(g.Black) &&
		e.Tournaments.leads(g.Tournament) && e.Annotators.leads(g.Annotator) && e.Sources.leads(g.Source) &&
		e.Teams.leads(g.WhiteTeam) && e.Teams.leads(g.BlackTeam) && e.GameTitles.leads(g.GameTitle)
}

// leads reports whether an id names a slot, or no entity.
func (t *Table[T]) leads(id EntityID) bool { return id >= NoEntity && int(id) < t.Len() }

// ReportUnread reports the entities of a record that their tables do not have, and the
// fields whose stored values mean nothing. Sinks write no entity and no value for them.
// Format is that of a sink that keeps the stored header of a record; other sinks pass "".
func ReportUnread(rec Record, e *Entities, format string, report Report) {
	if report == nil {
		return
	}
	if g := rec.Game; len(rec.Unread) > 0 && g != nil && (format == "" || g.Leftovers.Header.From(format) == nil) {
		for _, u := range rec.Unread {
			report.Add(LostField, rec.ID, u.Field, "%s", u.What)
		}
	}
	for _, r := range rec.missing(e) {
		report.Add(LostField, rec.ID, r.Field, "%v", r)
	}
}
