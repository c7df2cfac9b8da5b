package check

import (
	"context"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/jobs"
	"cbkit/model"
	"cbkit/moveenc"
)

// pass is one way through a database, which reads and decodes each record once. Check and
// verify are what is done on it; one of them may be nil.
type pass struct {
	d      *database
	opt    *Options
	check  *checker
	verify *verifier
}

// run does all that is to be done. Where another program has changed the database
// meanwhile, that is the error.
func (p *pass) run(ctx context.Context) (err error) {
	defer func() { err = oneState(p.d.watch, err) }()
	c, v := p.check, p.verify
	if c != nil && c.mend != nil {
		m := c.mend
		steps := []func(context.Context) error{m.mendHeaders, m.judgeRows, m.mendCounts, m.mendPlaces, m.judgeEntities}
		for _, step := range steps {
			if err := step(ctx); err != nil || m.fixed > 0 { // all else depends on that
				return err
			}
		}
	}
	if c != nil {
		for _, ext := range c.d.missing() {
			c.add(codeMissingFile, inFile(ext), "the file is missing; a database is not complete without it")
		}
		for _, ext := range examinedExts {
			if err := c.d.unreadable[ext]; err != nil {
				c.add(codeUnreadableFile, inFile(ext), "cannot be opened: %v", withoutName(err, c.d.set.Name(ext)))
			}
		}
		c.checkHeaders()
		for _, step := range []func() error{
			c.checkEntities, c.ofSmallFile(".cbtt", c.checkTournamentExtras),
			c.ofSmallFile(".cbm", c.checkMedia, ".cbj"), c.ofSmallFile(".flags", c.checkExamined),
		} {
			if err := step(); err != nil {
				return err
			}
			c.flush()
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	if v != nil {
		if err := jobs.InTurn(v.verifyHeaders, v.verifyEntities, v.verifySmallFiles); err != nil {
			return err
		}
	}
	if err := p.records(ctx); err != nil || c == nil {
		return err
	}
	// What only all records together say.
	c.checkUses()
	for _, ext := range examinedExts {
		// Such a file is optional: without it, the records have no team, title or media list.
		if n := c.absent[ext]; n > 0 {
			c.add(codeMissingOptional, inFile(ext),
				"the file is missing; %s has %s to it", c.d.set.Name(".cbj"), quantity(n, "reference"))
		}
	}
	for _, ext := range examinedExts {
		if n := c.foreign[ext]; n > 0 && c.opt.CodePage == "" {
			c.add(codeCodePage, inFile(ext), "%s in a code page that the database does not name; --codepage 1251 would be right for Russian", quantity(n, "text"))
		}
	}
	c.addSome(codeTextUTF8, inFile(".cba"), c.utf8, "text", "%s "+reasonUTF8) // newer programs write some of their texts so
	c.flush()
	err = c.checkBoosters(ctx)
	c.flush()
	c.out.finish()
	return err
}

// records looks at all games and guiding texts, batch by batch in several goroutines.
func (p *pass) records(ctx context.Context) error {
	d := p.d
	checks := p.check != nil && d.selected.any(slices.Concat(recordExts, entityExts)...)
	verifies := p.verify != nil && d.selected.any(recordExts...)
	if d.headers == nil || !checks && !verifies {
		return nil
	}
	if checks {
		p.check.moves, p.check.annotations = p.check.newExtents(".cbg", d.moves), p.check.newExtents(".cba", d.annotations)
	}
	if verifies {
		p.verify.moves, p.verify.annotations = p.verify.newHoles(".cbg", d.moves), p.verify.newHoles(".cba", d.annotations)
	}
	// Each goroutine has a worker of its own.
	type worker struct {
		*reader
		check  *recordChecker  // nil if there is nothing to check
		verify *recordVerifier // nil if there is nothing to verify
	}
	type batch struct {
		checked  checkedBatch
		verified verifiedBatch
	}
	newWorker := func() worker {
		w := worker{reader: d.newReader()}
		if checks {
			w.check = p.check.newRecordChecker()
		}
		if verifies {
			w.verify = &recordVerifier{d: d, max: p.opt.listed()}
		}
		return w
	}
	look := func(w worker, number int) (out batch, err error) {
		if checks {
			w.check.begin()
		}
		if verifies {
			w.verify.begin()
		}
		first := model.RecordID(number*batchSize) + 1
		err = w.read(first, min(first+batchSize-1, d.count), func(rec *record) {
			if checks {
				w.check.record(rec)
			}
			if verifies {
				w.verify.record(rec)
			}
		})
		if checks {
			out.checked = w.check.out
		}
		if verifies {
			out.verified = w.verify.out
		}
		return out, err
	}
	take := func(number int, b batch) error {
		err := d.watch.Check()
		if err == nil && verifies {
			p.verify.take(&b.verified)
		}
		if err == nil && checks {
			err = p.check.take(&b.checked)
		}
		if p.opt.Progress != nil {
			p.opt.Progress(min((number+1)*batchSize, int(d.count)), int(d.count))
		}
		return err
	}
	batches := (int(d.count) + batchSize - 1) / batchSize
	if err := inOrder(ctx, batches, jobs.Count(p.opt.Jobs), newWorker, look, take); err != nil {
		return err
	}
	if checks {
		p.check.moves.finish()
		p.check.annotations.finish()
	}
	if verifies {
		p.verify.moves.until(p.verify.moves.size)
		p.verify.annotations.until(p.verify.annotations.size)
	}
	return nil
}

// content is the decoded content of a record: each part is decoded when it is
// asked for first, and for all who ask.
type content struct {
	page cbh.CodePage

	hasGame bool
	game    moveenc.Game
	gameErr error

	hasGuide bool
	guide    cbh.Guide
	guideErr error

	hasAnnotations bool
	annotations    decodedAnnotations
}

// decodeMoves returns the moves of a game that has some, valid until the next
// record.
func (rec *record) decodeMoves() (*moveenc.Game, error) {
	c := rec.content
	if !c.hasGame {
		c.hasGame, c.gameErr = true, moveenc.DecodeLegal(rec.moves.bytes, &c.game)
	}
	return &c.game, c.gameErr
}

// decodeGuide returns the content of a guiding text that has one.
func (rec *record) decodeGuide() (*cbh.Guide, error) {
	c := rec.content
	if !c.hasGuide {
		c.hasGuide = true
		c.guide, c.guideErr = cbh.DecodeGuide(rec.moves.bytes, c.page)
	}
	return &c.guide, c.guideErr
}

// decodedAnnotations are the annotations of a game as values, and as they are stored.
type decodedAnnotations struct {
	cbh.AnnotationRecord
	err error
	// items are the stored ones as far as their sizes lead; itemsErr says why
	// these do not lead to the end.
	items    []cbh.AnnotationItem
	itemsErr error
	// inOrder says that the values are those of the items, one by one.
	inOrder bool
}

// decodeAnnotations returns the annotations of a game that has some.
func (rec *record) decodeAnnotations() *decodedAnnotations {
	c := rec.content
	if c.hasAnnotations {
		return &c.annotations
	}
	c.hasAnnotations = true
	n := &c.annotations
	n.AnnotationRecord, n.err = cbh.DecodeAnnotations(rec.annotations.bytes, rec.annotationContext(), true)
	n.items, n.itemsErr = n.items[:0], nil
	for item, err := range cbh.AnnotationItems(rec.annotations.bytes) {
		if err != nil {
			n.itemsErr = err
			break
		}
		n.items = append(n.items, item)
	}
	n.inOrder = len(n.items) == len(n.List)
	for i := range n.items {
		n.inOrder = n.inOrder && n.items[i].Position == n.List[i].Node
	}
	return n
}

// annotationContext is what the annotations of a game belong to, of which the moves are
// nil if they are not known.
func (rec *record) annotationContext() cbh.AnnotationContext {
	ctx := cbh.AnnotationContext{Game: rec.id, Page: rec.content.page}
	if rec.moves.bytes != nil {
		if g, err := rec.decodeMoves(); err == nil {
			ctx.Moves = &g.Moves
		}
	}
	return ctx
}

// value returns the value of a stored annotation.
func (n *decodedAnnotations) value(i int, page cbh.CodePage) model.Value {
	if n.inOrder {
		return n.List[i].Value
	}
	return cbh.DecodePayload(n.items[i].Type, n.items[i].Payload, page)
}
