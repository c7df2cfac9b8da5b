package pgn

import (
	"bytes"

	"cbkit/model"
)

// Sizes of the stream.
const (
	// batchSize is how much text a parser takes at a time, in bytes.
	batchSize = 128 << 10
	// readSize is how much is read at a time at least. What was read beyond
	// the last game of a batch has to be moved.
	readSize = 32 << 10
	// batchGames bounds the games of a batch where they are very short.
	batchGames = 512
	// looseChunk is how long a chunk gets before a game without tags may begin
	// a new one, and chunkGames how many games a chunk may have.
	looseChunk = 256 << 10
	chunkGames = 50_000
	// maxGame is the largest game, in bytes; it bounds the memory that text
	// without any game in it can take.
	maxGame = 64 << 20
)

// batch is a piece of a file that holds whole games. The splitter makes it, a
// parser fills in the games, and the reader takes them out in file order.
type batch struct {
	file string
	// line is the number of the line text begins in, from 1.
	line int
	text []byte
	// cuts are the ends of the chunks of text. A chunk is one game as a rule,
	// and never a part of one.
	cuts []int
	// tooLarge is the line of a game behind text that was left out because of
	// its size, 0 if there is none.
	tooLarge int
	// last marks the end of a file; content says what there was in it, err
	// why it ended early.
	last    bool
	content content
	err     error

	games []parsed
	left  []remark      // on text that belongs to no game
	done  chan struct{} // receives one value when games is complete

	// Line breaks have been counted up to here.
	counted, countedLines int
}

// parsed is a game as read, before its names have become ids.
type parsed struct {
	game  model.Game
	names names
	err   *GameError // then the game could not be read
	cut   *GameError // then it was cut, see ReaderOptions.KeepGoing
	// sure says that it was a game: it has a tag, or a move that can be made;
	// headed, that it has a tag of the sort with which games begin.
	sure, headed bool
	remarks      []remark
}

func newBatch() *batch {
	return &batch{
		text: make([]byte, 0, batchSize+readSize),
		done: make(chan struct{}, 1),
	}
}

// reset makes a batch ready to be filled again. Memory that one huge game took
// is given back.
func (b *batch) reset() {
	text, games := b.text[:0], b.games
	if cap(text) > 8*batchSize {
		text, games = make([]byte, 0, batchSize+readSize), nil
	}
	*b = batch{text: text, cuts: b.cuts[:0], games: games[:0], left: b.left[:0], done: b.done}
}

// next returns a game to fill in, reusing the memory of an earlier one.
func (b *batch) next() *parsed {
	n := len(b.games)
	if n < cap(b.games) {
		b.games = b.games[:n+1]
	} else {
		b.games = append(b.games, parsed{})
	}
	g := &b.games[n]
	g.names, g.err, g.cut = names{}, nil, nil
	g.sure, g.headed, g.remarks = false, false, g.remarks[:0]
	return g
}

// lineAt returns the number of the line of the byte at offset. It is made for
// offsets that grow.
func (b *batch) lineAt(offset int) int {
	if offset < b.counted {
		b.counted, b.countedLines = 0, 0
	}
	b.countedLines += bytes.Count(b.text[b.counted:offset], []byte{'\n'})
	b.counted = offset
	return b.line + b.countedLines
}
