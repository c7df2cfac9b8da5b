package search

import (
	"cbkit/internal/cbhdb"
	"cbkit/internal/wire"
	"cbkit/model"
	"cbkit/moveenc"
)

// gameReader reads single games from the .cbg file. Doing so, without all the
// other files, is what a search with boosters mostly does. It is for one
// goroutine.
type gameReader struct {
	blocks *cbhdb.BlockReader
	moves  moveenc.Game
	game   model.Game
}

// usualGame is more than most games have bytes.
const usualGame = 512

// read returns the moves of the game with the given header, valid until the
// next call. The error says why they cannot be read.
func (r *gameReader) read(h *cbhdb.Header) (*model.Game, error) {
	x, err := r.blocks.Next(h.MovesAt(), h.ID)
	if err != nil {
		return nil, err
	}
	rec, err := r.blocks.Bytes(x)
	if err == nil {
		err = moveenc.DecodeLegal(rec, &r.moves)
	}
	if err != nil {
		return nil, wire.Locate(err, r.blocks.Name(), x.At, int64(h.ID))
	}
	r.game.Start, r.game.Moves = r.moves.SetUp(), r.moves.Moves
	return &r.game, nil
}
