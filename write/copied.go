package write

import (
	"slices"

	"cbkit/internal/cbh"
	"cbkit/model"
)

// copied is what a ChessBase source has stored besides its records.
type copied struct {
	*cbh.DatabaseLeftover
	// pure says that nothing has been changed, added or left out so far.
	pure bool
}

// changed notes that the copy is no longer a pure one. It may be called on
// nil.
func (c *copied) changed() {
	if c != nil {
		c.pure = false
	}
}

// isPure reports whether everything stored can be kept.
func (c *copied) isPure() bool { return c != nil && c.pure }

// storedBy returns what a source has stored besides its records: nil if it is
// not from a ChessBase database.
func storedBy(src model.Source) *cbh.DatabaseLeftover {
	data := src.Leftover().From(cbh.Format)
	if data == nil {
		return nil
	}
	l, err := cbh.ParseDatabaseLeftover(data)
	if err != nil {
		return nil
	}
	return l
}

// copyOf returns what can be copied of what a source has stored: nil if that
// is nothing, or not all of its entity tables are at hand.
func copyOf(l *cbh.DatabaseLeftover, e *model.Entities) *copied {
	if l.Games == nil || l.Moves == nil || l.Annotations == nil {
		return nil
	}
	slots := [...]int{e.Players.Len(), e.Tournaments.Len(), e.Annotators.Len(), e.Sources.Len(), e.Teams.Len(), e.GameTitles.Len()}
	for i, n := range slots {
		if int(l.Slots[i]) > n {
			return nil
		}
	}
	return &copied{DatabaseLeftover: l, pure: true}
}

// unread returns the endings of the files that are lost unless they are copied:
// damaged ones, and if the database is written afresh a .cbtt file of a version
// that is not known.
func unread(l *cbh.DatabaseLeftover, fresh bool) (exts []string) {
	for _, ext := range l.Others {
		if slices.Contains(cbh.NewFileExts, ext) {
			exts = append(exts, ext)
		}
	}
	if !fresh || l.TournamentExtras == nil {
		return exts
	}
	if h, err := cbh.DecodeTournamentExtraHeader(l.TournamentExtras); err == nil && !h.IsKnown() {
		exts = append(exts, ".cbtt")
	}
	return exts
}
