package main

import (
	"errors"

	"cbkit/collect"
	"cbkit/model"
)

// sortCmd is "cbkit sort".
type sortCmd struct {
	Source string `arg:"" help:"Database, PGN or JSON Lines file; - is standard input."`
	Target string `arg:"" help:"What to make."`
	By     string `required:"" help:"Keys with commas between them: date, event, place, round, white, black, elo, eco, result, plies; a minus before a key turns its order." placeholder:"KEYS"`
	pgnFlags
	targetFlags
	transferFlags
}

// Run implements the verb.
func (c *sortCmd) Run(env *environment) error {
	orders, err := collect.ParseOrders(sameKeys(c.By))
	if err != nil {
		return usageError{bare(err)}
	}
	t, to, err := env.collecting("sort", c.transferFlags, c.Target, c.Source)
	if err != nil {
		return err
	}
	src, err := t.openInput(c.Source)
	if err != nil {
		return err
	}
	bar := newSourceProgress(env.stderr, c.Quiet, src, "reading")
	sorted, err := collect.Sort(env.ctx, src.Source, orders, t.collectOptions(src.name, bar))
	bar.done()
	if err = errors.Join(err, src.close()); err != nil {
		return t.unreadable(err)
	}
	t.judged = true
	return t.run(&input{Source: sorted, name: src.name, as: src.as, close: sorted.Close, page: src.page}, to, outputOptions{plain: c.Plain, pgn: c.pgnFlags, target: c.targetFlags, deleted: true})
}

// collectOptions are the options of what reads a source into temporary files. Its
// records are judged as they are read.
func (t *transfer) collectOptions(name string, bar *progress) collect.Options {
	return collect.Options{
		OnError:  t.onError,
		OnRecord: func(r *model.Record) { t.judge(name, r) },
		Progress: func(model.RecordID) { bar.step() },
	}
}
