package pgn

import (
	"context"

	"cbkit/internal/jobs"
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
}

// startPipeline starts reading the inputs. When ctx is done all goroutines
// end, the splitter when the Read that it may be in returns.
func startPipeline(ctx context.Context, inputs []input, opt *ReaderOptions, want model.Want) *pipeline {
	jobs := jobs.Count(opt.Jobs)
	p := &pipeline{
		ctx:   ctx,
		work:  make(chan *batch, jobs+1),
		order: make(chan *batch, jobs+1),
		free:  make(chan *batch, jobs+3),
	}
	go p.split(inputs, opt.KeepGoing)
	for range jobs {
		go p.parse(newParser(opt, want))
	}
	return p
}

// split cuts all inputs into batches. A file that cannot be read to its end
// ends the work unless it is to go on.
func (p *pipeline) split(inputs []input, keepGoing bool) {
	defer close(p.order)
	defer close(p.work)
	for _, in := range inputs {
		if sound := p.splitFile(in); p.ctx.Err() != nil || !sound && !keepGoing {
			return
		}
	}
}

// splitFile reports whether a file could be read to its end.
func (p *pipeline) splitFile(in input) bool {
	file, err := in.open()
	if err != nil {
		p.fail(in, err)
		return false
	}
	defer file.Close()
	r, done, err := uncompressed(file)
	if err != nil {
		p.fail(in, err)
		return false
	}
	defer done()
	s := splitter{r: &lineBreaks{r: r}, file: in.name, take: p.take, give: p.give}
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
			parser.batch(b)
			b.done <- struct{}{}
		case <-p.ctx.Done():
			return
		}
	}
}

// next returns the next batch in file order with its games, nil at the end or
// when the context is done.
func (p *pipeline) next() *batch {
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

// recycle gives back a batch whose games are no longer needed.
func (p *pipeline) recycle(b *batch) {
	b.reset()
	select {
	case p.free <- b:
	default:
	}
}
