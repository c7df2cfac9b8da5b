package check

import (
	"context"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/model"
	"cbkit/moveenc"
)

// examine does what [Database] and, with Options.Verify, [Verify] do, in one pass that
// reads and decodes each record once. Of the options, Files may name search boosters,
// which are checked only. Errors are those of both.
func examine(ctx context.Context, path string, opt Options, report func(Finding)) (Summary, Report, error) {
	p, err := openPass(path, &opt, slices.Concat(examinedExts, boosterExts))
	if err != nil {
		return Summary{}, Report{}, err
	}
	defer p.d.close()
	p.check = newChecker(p.d, &opt, report)
	if opt.Verify {
		p.verify = newVerifier(p.d, &opt)
	}
	err = p.run(ctx)
	if p.verify == nil {
		return p.check.out.summary, Report{}, err
	}
	return p.check.out.summary, p.verify.report(), err
}

// pass is one way through a database. Check and verify are what is done on it;
// one of them may be nil.
type pass struct {
	d      *database
	opt    *Options
	check  *checker
	verify *verifier
}

// openPass opens a database. The options may choose among the known endings.
func openPass(path string, opt *Options, known []string) (*pass, error) {
	d, err := openDatabase(path, opt, known)
	return &pass{d: d, opt: opt}, err
}

// run does all that is to be done, and tells whether another program has changed
// the database meanwhile.
func (p *pass) run(ctx context.Context) error { return oneState(p.d.watch, p.do(ctx)) }

func (p *pass) do(ctx context.Context) error {
	if p.check != nil && p.check.mend != nil {
		if fixes, err := p.check.mend.structure(ctx); fixes || err != nil {
			return err
		}
	}
	if p.check != nil {
		if err := p.check.files(ctx); err != nil {
			return err
		}
	}
	if p.verify != nil {
		if err := p.verify.run(); err != nil {
			return err
		}
	}
	if err := p.records(ctx); err != nil {
		return err
	}
	if p.check != nil {
		return p.check.uses(ctx)
	}
	return nil
}

// records looks at all games and guiding texts.
func (p *pass) records(ctx context.Context) error {
	checks := p.check != nil && p.d.selected.any(slices.Concat(recordExts, entityExts)...)
	verifies := p.verify != nil && p.d.selected.any(recordExts...)
	if p.d.headers == nil || !checks && !verifies {
		return nil
	}
	if checks {
		p.check.beginRecords()
	}
	if verifies {
		p.verify.beginRecords()
	}
	worker := func() (w batchWorker) {
		if checks {
			w.check = p.check.newRecordChecker()
		}
		if verifies {
			w.verify = p.verify.newRecordVerifier()
		}
		return w
	}
	err := eachBatch(ctx, p.d, p.opt, worker, batchWorker.batch, func(r batchResult) error {
		if verifies {
			p.verify.take(&r.verified)
		}
		if checks {
			return p.check.take(&r.checked)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if checks {
		p.check.finishRecords()
	}
	if verifies {
		p.verify.finishRecords()
	}
	return nil
}

// batchWorker does both to a batch of records; each goroutine has one.
type batchWorker struct {
	check  *recordChecker  // nil if there is nothing to check
	verify *recordVerifier // nil if there is nothing to verify
}

// batchResult is what a batch leaves behind.
type batchResult struct {
	checked  checkedBatch
	verified verifiedBatch
}

func (w batchWorker) batch(r *reader, number int) (out batchResult, err error) {
	if w.check != nil {
		w.check.begin()
	}
	if w.verify != nil {
		w.verify.begin()
	}
	err = r.batch(number, func(rec *record) {
		if w.check != nil {
			w.check.record(rec)
		}
		if w.verify != nil {
			w.verify.record(rec)
		}
	})
	if w.check != nil {
		out.checked = w.check.out
	}
	if w.verify != nil {
		out.verified = w.verify.out
	}
	return out, err
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

// restart prepares for the next record.
func (c *content) restart() { c.hasGame, c.hasGuide, c.hasAnnotations = false, false, false }

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
	n.AnnotationRecord, n.err = cbh.DecodeAnnotations(rec.annotations.bytes, rec.notesContext(), true)
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

// notesContext is what the annotations of a game belong to.
func (rec *record) notesContext() cbh.AnnotationContext {
	return cbh.AnnotationContext{Game: rec.id, Moves: rec.tree(), Page: rec.content.page}
}

// tree returns the moves of a game, nil if they are not known.
func (rec *record) tree() *model.Tree {
	if rec.moves.bytes == nil {
		return nil
	}
	g, err := rec.decodeMoves()
	if err != nil {
		return nil
	}
	return &g.Moves
}

// value returns the value of a stored annotation.
func (n *decodedAnnotations) value(i int, page cbh.CodePage) model.Value {
	if n.inOrder {
		return n.List[i].Value
	}
	return cbh.DecodePayload(n.items[i].Type, n.items[i].Payload, page)
}
