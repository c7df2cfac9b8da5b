package write

import (
	"cbkit/internal/cbh"
	"cbkit/internal/dcdb"
	"cbkit/model"
	"cbkit/moveenc"
)

// What a record brings along of its stored form may come from a file of JSON
// Lines that anybody has written. Only a copy of a database that is there takes
// from it where bytes are, how many, or whether a record is in use; and what
// is said not to decode is looked at.

// trusted returns a game without what it says about its own moves and
// annotations, unless they cannot be read.
func (c *Creator) trusted(g *model.Game) *model.Game {
	if g.MovesErr != nil || g.Leftovers.Derived == nil {
		return g
	}
	c.scratch.game = *g
	c.scratch.game.Leftovers.Derived = nil
	return &c.scratch.game
}

// freshGame makes the stored headers of a game those of a database that is
// written afresh.
func freshGame(r *cbh.GameRecord, ext *cbh.ExtRecord) {
	r.Type = cbh.TypeInUse
	ext.Media = cbh.NoMedia // games have none
	freshExt(ext)
}

// freshText is the same for guiding texts.
func freshText(r *cbh.TextRecord, ext *cbh.ExtRecord) {
	r.Type = cbh.TypeInUse | cbh.TypeText
	ext.WhiteTeam, ext.BlackTeam = cbh.NoLink, cbh.NoLink // texts have none
	freshExt(ext)
}

// freshExt forgets all places and makes the checksum right: a checksum that is
// right stays so.
func freshExt(ext *cbh.ExtRecord) {
	ext.MovesOffset, ext.AnnotationsOffset = 1, 0
	ext.Checksum = ext.Sum()
}

// readable returns a game whose moves are said not to decode, with its moves if
// they do.
func readable(g *model.Game) *model.Game {
	if g.MovesErr == nil {
		return g
	}
	var stored moveenc.Game
	if err := moveenc.Decode(g.Leftovers.Moves.From(cbh.Format), &stored); err != nil {
		return g
	}
	return withMoves(g, stored.SetUp(), stored.Moves)
}

// readableSimple is readable for a record of a Simple Chess Database. Where all
// of it cannot be read it stays as it is.
func readableSimple(g *model.Game, d *dcdb.Decoder) *model.Game {
	raw := g.Leftovers.Moves.From(dcdb.Format)
	if g.MovesErr == nil || len(raw) == 0 {
		return g
	}
	var stored dcdb.Decoded
	d.Promotions, d.Foreign = dcdb.Promotions(raw[0]), foreign.Decode
	if err := d.Decode(raw[1:], &stored); err != nil {
		return g
	}
	return withMoves(g, stored.Start, stored.Moves)
}

// withMoves returns a copy of a game with other moves.
func withMoves(g *model.Game, start *model.Position, moves model.Tree) *model.Game {
	with := *g
	with.SetMoves(start, moves)
	return &with
}
