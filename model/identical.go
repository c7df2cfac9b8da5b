package model

import "slices"

// Identical reports whether two databases are the same down to ids, deleted
// entities and leftovers.
func Identical(a, b *Database) bool {
	return a.Extra.identical(b.Extra) &&
		identicalTables(&a.Tables.Players, &b.Tables.Players) &&
		identicalTables(&a.Tables.Tournaments, &b.Tables.Tournaments) &&
		identicalTables(&a.Tables.Annotators, &b.Tables.Annotators) &&
		identicalTables(&a.Tables.Sources, &b.Tables.Sources) &&
		identicalTables(&a.Tables.Teams, &b.Tables.Teams) &&
		identicalTables(&a.Tables.GameTitles, &b.Tables.GameTitles) &&
		slices.EqualFunc(a.List, b.List, func(x, y Record) bool {
			return x.ID == y.ID && EqualRecords(x, &a.Tables, y, &b.Tables) && identicalRecords(x, y)
		})
}

func identicalTables[T comparable](a, b *Table[T]) bool {
	return slices.EqualFunc(a.slots, b.slots, func(x, y Slot[T]) bool {
		return x.Value == y.Value && x.Deleted == y.Deleted && x.Leftover.identical(y.Leftover)
	})
}

// identicalRecords compares what [EqualRecords] leaves out.
func identicalRecords(a, b Record) bool {
	if a.Text != nil {
		s, t := a.Text, b.Text
		return s.Tournament == t.Tournament && s.Annotator == t.Annotator &&
			s.Source == t.Source && s.GameTitle == t.GameTitle &&
			s.Leftovers.Header.identical(t.Leftovers.Header) &&
			s.Leftovers.Content.identical(t.Leftovers.Content) &&
			slices.EqualFunc(s.Titles, t.Titles, identicalTexts) &&
			slices.EqualFunc(s.Contents, t.Contents, identicalTexts)
	}
	if a.Game == nil {
		return true
	}
	return identicalGames(a.Game, b.Game)
}

func identicalTexts(a, b LocalText) bool { return a.Leftover.identical(b.Leftover) }

func identicalGames(g, h *Game) bool {
	k, l := &g.Leftovers, &h.Leftovers
	return g.White == h.White && g.Black == h.Black && g.Tournament == h.Tournament &&
		g.Annotator == h.Annotator && g.Source == h.Source && g.GameTitle == h.GameTitle &&
		g.WhiteTeam == h.WhiteTeam && g.BlackTeam == h.BlackTeam &&
		k.Header.identical(l.Header) && k.Derived.identical(l.Derived) &&
		k.Moves.identical(l.Moves) && k.Annotations.identical(l.Annotations) &&
		slices.EqualFunc(g.Annotations, h.Annotations, func(a, b Annotation) bool {
			return a.Leftover.identical(b.Leftover)
		})
}
