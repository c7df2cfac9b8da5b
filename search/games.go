package search

import (
	"fmt"
	"io"
	"os"

	"cbkit/internal/booster"
	"cbkit/internal/cbh"
	"cbkit/internal/wire"
	"cbkit/model"
	"cbkit/moveenc"
)

// gameFile is the .cbg file of a ChessBase database. Reading single games from
// it, without all the other files, is what a search with boosters mostly does.
type gameFile struct {
	*os.File
	size int64
	head int64 // of the file's header; no game begins in it
}

// openGames opens the .cbg file when it is needed first.
func (b *chessBase) openGames() (*gameFile, error) {
	b.open.Lock()
	defer b.open.Unlock()
	if b.games != nil {
		return b.games, nil
	}
	if !b.files.Has(".cbg") {
		return nil, fmt.Errorf("%s is missing; without it no game can be played through", b.files.Name(".cbg"))
	}
	f, err := os.Open(b.files.Path(".cbg"))
	if err != nil {
		return nil, err
	}
	g := &gameFile{File: f}
	if err := g.readHead(b.files.Name(".cbg")); err != nil {
		f.Close()
		return nil, err
	}
	b.games = g
	return g, nil
}

// readHead reads the header of the file.
func (g *gameFile) readHead(name string) error {
	info, err := g.Stat()
	if err != nil {
		return err
	}
	g.size = info.Size()
	b := make([]byte, min(g.size, cbh.BlockHeaderSize))
	if _, err := g.ReadAt(b, 0); err != nil {
		return err
	}
	head, err := cbh.DecodeBlockHeader(b)
	g.head = int64(head.Size)
	return wire.Locate(err, name, 0, -1)
}

// gameReader reads single games. It is for one goroutine.
type gameReader struct {
	file  *gameFile
	buf   []byte
	moves moveenc.Game
	game  model.Game
}

// usualGame is more than most games have bytes.
const usualGame = 512

// read returns the moves of the game with the given header, valid until the
// next call; nil if they cannot be read.
func (r *gameReader) read(h booster.Header) *model.Game {
	offset := h.MovesOffset()
	rec := r.at(offset, usualGame)
	if offset < r.file.head || len(rec) < moveenc.HeadSize {
		return nil
	}
	head, err := moveenc.ParseHead(rec)
	if err != nil || int64(head.Size) > r.file.size-offset {
		return nil
	}
	if head.Size > len(rec) {
		rec = r.at(offset, head.Size)
	}
	if head.Size > len(rec) || moveenc.Decode(rec[:head.Size], &r.moves) != nil {
		return nil
	}
	r.game.Start, r.game.Moves = r.moves.SetUp(), r.moves.Moves
	return &r.game
}

// at reads so many bytes, or fewer at the end of the file.
func (r *gameReader) at(offset int64, n int) []byte {
	n = int(min(int64(n), r.file.size-offset))
	if offset < 0 || n <= 0 {
		return nil
	}
	if cap(r.buf) < n {
		r.buf = make([]byte, n)
	}
	read, err := r.file.ReadAt(r.buf[:n], offset)
	if err != nil && err != io.EOF {
		return nil
	}
	return r.buf[:read]
}
