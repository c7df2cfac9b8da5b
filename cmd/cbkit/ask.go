package main

import (
	"fmt"
	"strconv"

	"cbkit/model"
	"cbkit/stats"
)

// askFlags are the flags of verbs that read a source and print what they learn.
type askFlags struct {
	JSON  bool `name:"json" xor:"form" help:"Print JSON."`
	Quiet bool `short:"q" help:"No progress bar."`
	whereFlag
	readFlags
}

// ask opens a source of any kind, and lets do read it. What is wrong with its
// records is reported, as in all verbs.
func (env *environment) ask(verb, path string, flags askFlags, do func(model.Source, stats.Options) error) (err error) {
	t := newTransfer(env, transferFlags{readFlags: flags.readFlags}, verb, target{})
	if t.where, err = flags.condition(false); err != nil {
		return err
	}
	src, err := t.openInput(path)
	if err != nil {
		return err
	}
	defer func() { _ = src.close() }() // it was only read
	bar := newSourceProgress(env.stderr, flags.Quiet, src, verb)
	defer bar.done()
	err = do(bar.judged(env, src), stats.Options{OnError: t.onError})
	if none := env.checkMatches(); none != nil {
		return none
	}
	for _, c := range env.matching {
		if err == nil {
			env.reportAlso(c.Also(), flags.Quiet)
		}
	}
	if err == nil {
		err = src.Entities().Err()
	}
	return err
}

// answer prints the JSON form of an answer.
func (env *environment) answer(v any) error { return jsonEncoder(env.stdout, env.unzipped).Encode(v) }

// orBlank returns a number, "" for 0.
func orBlank(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// fromTo returns a range of numbers, "" if they are not known.
func fromTo(from, to int) string {
	if from == 0 || from == to {
		return orBlank(to)
	}
	return fmt.Sprintf("%d-%d", from, to)
}

// performance returns the performance, "" if it is of one game alone, which says
// nothing about the play of any player.
func performance(t *stats.Tally) string {
	if t.Rated() < 2 {
		return ""
	}
	return orBlank(t.Performance())
}

// percent returns the points in percent, "" if no game has a result.
func percent(t *stats.Tally) string {
	if p, ok := t.Percent(); ok {
		return fmt.Sprintf("%.1f", p)
	}
	return ""
}
