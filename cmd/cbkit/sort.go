package main

import (
	"cbkit/collect"
	"cbkit/model"
)

// sortCmd is "cbkit sort".
type sortCmd struct {
	Source string `arg:"" zip:"reads" help:"Database, PGN or JSON Lines file; - is standard input."`
	Target string `arg:"" help:"What to make."`
	By     string `required:"" help:"Keys with commas between them: date, event, place, round, white, black, elo, white-elo, black-elo, eco, result, plies; a minus before a key turns its order." placeholder:"KEYS" values:"date,event,place,round,white,black,elo,white-elo,black-elo,eco,result,plies"`
	makeFlags
}

// Run implements the verb.
func (c *sortCmd) Run(env *environment) error {
	orders, err := collect.ParseOrders(sameKeys(c.By))
	if err != nil {
		return usageError{err}
	}
	return c.make(env, "sort", c.Target, []string{c.Source}, func(t *transfer, src *input) error {
		bar := newSourceProgress(env.stderr, c.Quiet, src, "reading")
		sorted, err := collect.Sort(env.ctx, src.Source, orders, t.collectOptions(src.name, bar))
		bar.done()
		if err == nil {
			t.mute = muteContent
			src.Source, src.opened, src.closers = sorted, nil, append(src.closers, sorted.Close)
		}
		return err
	})
}

// collectOptions are the options of what reads the records of a source in another order.
// They are judged as they are read.
func (t *transfer) collectOptions(name string, bar *progress) collect.Options {
	return collect.Options{
		TempDir: t.temp,
		OnError: t.onError,
		OnRecord: func(r *model.Record) {
			if t.mute != muteAll {
				t.env.judge(name, r)
			}
			t.faulty = t.faulty || len(r.Faults()) > 0
		},
		Progress: func(model.RecordID) { bar.step() },
	}
}
