package write

import (
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

// copyOf returns what can be copied from a source: nil if it is not a
// ChessBase database, or not all of its entity tables are at hand.
func copyOf(src model.Source) *copied {
	data := src.Leftover().From(cbh.Format)
	if data == nil {
		return nil
	}
	l, err := cbh.ParseDatabaseLeftover(data)
	if err != nil || l.Games == nil || l.Moves == nil || l.Annotations == nil {
		return nil
	}
	e := src.Entities()
	slots := [...]int{e.Players.Len(), e.Tournaments.Len(), e.Annotators.Len(), e.Sources.Len(), e.Teams.Len(), e.GameTitles.Len()}
	for i, n := range slots {
		if h := l.Entities[i]; h != nil && int(h.Capacity) > n {
			return nil
		}
	}
	return &copied{DatabaseLeftover: l, pure: true}
}
