package pgn

import (
	"bytes"
	"context"
	"fmt"
	"sync/atomic"

	"cbkit/internal/jobs"
	"cbkit/internal/packed"
	"cbkit/model"
)

// pipeline reads texts with several goroutines:
//
//	splitter ──► work ──► parsers
//	    └──────► order ─────────► reader of the games
//
// The splitter sends each batch both ways; the reader waits for the parser
// that works on the batch whose turn it is. The channels bound how many
// batches there are.
type pipeline struct {
	ctx   context.Context
	work  chan *batch
	order chan *batch
	free  chan *batch
	meter *packed.Meter

	panicked atomic.Pointer[jobs.Panicked] // what a callback or a reader of the caller did
}

// startPipeline starts reading the inputs. When ctx is done all goroutines
// end, the splitter when the Read that it may be in returns.
func startPipeline(ctx context.Context, inputs []input, opt *ReaderOptions, want model.Want, meter *packed.Meter) *pipeline {
	parsers := jobs.Count(opt.Jobs)
	p := &pipeline{
		ctx:   ctx,
		work:  make(chan *batch, parsers),
		order: make(chan *batch, parsers),
		free:  make(chan *batch, parsers+2),
		meter: meter,
	}
	go p.split(inputs, opt.KeepGoing)
	for range parsers {
		go p.parse(newParser(opt, want))
	}
	return p
}

// split cuts all inputs into batches. A file that cannot be read to its end
// ends the work unless it is to go on.
func (p *pipeline) split(inputs []input, keepGoing bool) {
	defer close(p.order)
	defer close(p.work)
	jobs.Catch(func() {
		for _, in := range inputs {
			if sound := p.splitFile(in); p.ctx.Err() != nil || !sound && !keepGoing {
				return
			}
		}
	}, p.panics)
}

// panics notes what a goroutine panics with, which next passes on to the reader.
func (p *pipeline) panics(v *jobs.Panicked) { p.panicked.CompareAndSwap(nil, v) }

// splitFile reports whether a file could be read to its end.
func (p *pipeline) splitFile(in input) bool {
	file, err := in.open()
	if err != nil {
		p.fail(in, err)
		return false
	}
	defer file.Close()
	r, done, err := packed.NewReader(p.meter.Reader(file), in.name)
	if err != nil {
		p.fail(in, err)
		return false
	}
	defer done()
	mark, err := skipMark(r)
	if err != nil {
		p.fail(in, err)
		return false
	}
	name := in.name
	if file.from > 0 {
		name = fmt.Sprintf("%s from byte %d", name, file.from)
	}
	s := splitter{
		r: &lineBreaks{r: r}, file: name, take: p.take, give: p.give,
		at: file.from + int64(mark), within: file.from > 0, goesOn: file.goesOn,
	}
	s.run()
	return s.err == nil
}

// fail passes on that an input cannot be read at all.
func (p *pipeline) fail(in input, err error) {
	if b := p.take(); b != nil {
		b.file, b.last, b.err = in.name, true, err
		p.give(b)
	}
}

func (p *pipeline) take() *batch {
	if p.ctx.Err() != nil {
		return nil
	}
	select {
	case b := <-p.free:
		return b
	default:
		return newBatch()
	}
}

func (p *pipeline) give(b *batch) bool {
	for _, to := range [...]chan *batch{p.order, p.work} {
		select {
		case to <- b:
		case <-p.ctx.Done():
			return false
		}
	}
	return true
}

// parse works on batches until there are no more.
func (p *pipeline) parse(parser *parser) {
	for {
		select {
		case b, ok := <-p.work:
			if !ok {
				return
			}
			jobs.Catch(func() { parser.batch(b) }, p.panics)
			b.done <- struct{}{}
		case <-p.ctx.Done():
			return
		}
	}
}

// next returns the next batch in file order with its games, nil at the end or
// when the context is done.
func (p *pipeline) next() *batch {
	defer func() {
		if v := p.panicked.Load(); v != nil {
			panic(v)
		}
	}()
	select {
	case b, ok := <-p.order:
		if !ok {
			return nil
		}
		select {
		case <-b.done:
			return b
		case <-p.ctx.Done():
		}
	case <-p.ctx.Done():
	}
	return nil
}

// recycle gives back a batch whose games are no longer needed, ready to be filled
// again. Memory that one huge game took is given up.
func (p *pipeline) recycle(b *batch) {
	text := b.text[:0]
	if b.games.reset(); cap(text) > 8*batchSize {
		text, b.games = make([]byte, 0, batchSize+readSize), gameList{}
	}
	*b = batch{text: text, cuts: b.cuts[:0], games: b.games, left: b.left[:0], done: b.done}
	select {
	case p.free <- b:
	default:
	}
}

// Sizes of the stream.
const (
	// batchSize is how much text a parser takes at a time, in bytes.
	batchSize = 64 << 10
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
	// at is where text begins in the file, in bytes; within says that it comes
	// from within the file, so that there are games.
	at     int64
	within bool
	text   []byte
	// cuts are the ends of the chunks of text. A chunk is one game as a rule,
	// and never a part of one.
	cuts []int
	// tooLarge is the line of a game behind text that was left out because of
	// its size, 0 if there is none.
	tooLarge int
	// last marks the end of a file or its part, and ends that of a file, which
	// was read to its end; content says what there was in it, err why it ended
	// early.
	last    bool
	ends    bool
	content content
	err     error

	games gameList
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
	cuts  []cut      // what of it could not be read
	// isGame says that it was a game: it has a tag, or a move that can be made;
	// headed, that it has a tag of the sort with which games begin; openTag,
	// that the file ends inside its tags.
	isGame, headed, openTag bool
	remarks                 []remark
	at                      int64    // where it begins in the file, in bytes
	outline                 *outline // nil unless they are wanted
}

func newBatch() *batch {
	return &batch{
		text: make([]byte, 0, batchSize+readSize),
		done: make(chan struct{}, 1),
	}
}

// gameList is a list of games that grows without being copied, and whose memory is used
// again. One chunk of games without tags can have 50,000.
type gameList struct {
	pages []*[pageGames]parsed
	n     int
}

const (
	// pageGames is how many games have memory together.
	pageGames = 64
	// keptPages are those whose memory is used again: what a batch needs as a rule.
	keptPages = batchGames / pageGames
)

func (l *gameList) len() int         { return l.n }
func (l *gameList) at(i int) *parsed { return &l.pages[i/pageGames][i%pageGames] }

// next returns a game to fill in, reusing the memory of an earlier one.
func (l *gameList) next() *parsed {
	if l.n == len(l.pages)*pageGames {
		l.pages = append(l.pages, new([pageGames]parsed))
	}
	g := l.at(l.n)
	l.n++
	g.names, g.err, g.cuts = names{}, nil, g.cuts[:0]
	g.isGame, g.headed, g.openTag, g.remarks = false, false, false, g.remarks[:0]
	return g
}

// done says that the games up to i are not asked for again: pages that are not kept
// give back their memory.
func (l *gameList) done(i int) {
	if page := i / pageGames; page >= keptPages && i%pageGames == pageGames-1 {
		l.pages[page] = nil
	}
}

// reset empties the list. The texts of the games would otherwise stay until their
// places are used again.
func (l *gameList) reset() {
	for i := range min(l.n, keptPages*pageGames) {
		g := l.at(i)
		clear(g.game.Annotations)
		clear(g.game.Tags)
		g.names = names{}
	}
	if len(l.pages) > keptPages {
		clear(l.pages[keptPages:])
		l.pages = l.pages[:keptPages]
	}
	l.n = 0
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
