package main

import (
	"errors"
	"fmt"
	"strings"

	"cbkit/model"
	"cbkit/write"
)

// salvageCmd is "cbkit salvage".
type salvageCmd struct {
	DB       string   `arg:"" name:"db" help:"Damaged ChessBase database, by any of its files that is left."`
	Target   string   `arg:"" help:"New database (.cbh)."`
	Codepage codePage `help:"Code page of names and texts that are not UTF-8." default:"1252" placeholder:"PAGE"`
	writeFlags
}

// Run implements the verb.
func (c *salvageCmd) Run(env *environment) error {
	to, err := parseTarget(c.Target, formatChessBase)
	if err == nil {
		err = env.refuseSources(to, c.DB)
	}
	if err != nil {
		return err
	}
	if as := formatOf(c.DB); as != formatChessBase {
		return usageError{fmt.Errorf("%s: salvage is for ChessBase databases (.cbh and its companions)", c.DB)}
	}
	t := newTransfer(env, transferFlags{writeFlags: c.writeFlags}, "salvage", to)
	bar := newProgress(env.stderr, c.Quiet, -1, "salvage", "records")
	account := accountPrinter{env: env, json: c.JSON}
	result, err := write.Salvage(env.ctx, c.DB, to.path, write.SalvageOptions{
		Force: c.Force, CodePage: string(c.Codepage), Report: t.losses.add, Wait: c.duration(),
		OnReplace: env.tellReplaced(to.path), Account: account.add, Progress: bar.set,
	})
	bar.done()
	if err = env.done(err); err != nil {
		if errors.Is(err, model.ErrNeedsRecovery) && !errors.Is(err, write.ErrInterrupted) {
			return err // of the source, which says what to do
		}
		return targetError(to.path, err)
	}
	env.making = ""
	env.made(madeTarget{Path: to.path, Format: to.as, Records: new(result.Written)})
	if err := account.finish(to.path, &result); err != nil {
		return err
	}
	if !c.Quiet {
		t.losses.print(env.stderr)
	}
	if !result.IsWhole() {
		return errReported
	}
	return nil
}

// accountPrinter prints the fates of all ids. In text, ids that were kept one
// after the other are one line.
type accountPrinter struct {
	env    *environment
	json   bool
	failed error
	// from and to are the ids that were kept and not printed yet; 0: none.
	from, to, new model.RecordID
}

// add takes the fate of an id.
func (a *accountPrinter) add(f write.Salvaged) {
	switch {
	case a.failed != nil:
		return
	case a.json:
		a.failed = jsonEncoder(a.env.stdout).Encode(f)
		return
	case f.State == write.SalvageKept && len(f.Why) == 0:
		if a.from != 0 && f.ID == a.to+1 && f.New == a.new+a.to+1-a.from {
			a.to = f.ID
			return
		}
		a.flush()
		a.from, a.to, a.new = f.ID, f.ID, f.New
		return
	}
	a.flush()
	ids := fmt.Sprint(f.ID)
	if f.State == write.SalvageFound {
		ids = "-"
	}
	if f.New != 0 {
		ids += fmt.Sprint(" → ", f.New)
	}
	a.line(f.State, ids, strings.Join(f.Why, "; "))
}

// flush prints the ids that were kept.
func (a *accountPrinter) flush() {
	if a.from == 0 {
		return
	}
	old, fresh := idRange{from: a.from, to: a.to}, idRange{from: a.new, to: a.new + a.to - a.from}
	a.from = 0
	a.line(write.SalvageKept, fmt.Sprintf("%v → %v", old, fresh), "")
}

// line prints a line.
func (a *accountPrinter) line(state fmt.Stringer, ids, why string) {
	if a.failed == nil {
		if why != "" {
			why = ": " + oneLine(why)
		}
		_, a.failed = fmt.Fprintf(a.env.text, "%-5v %s%s\n", state, ids, why)
	}
}

// outOfStep stands in the place of a state before what puts records out of step.
const outOfStep = write.SalvageState("note")

// finish prints what is left, and the summary.
func (a *accountPrinter) finish(target string, r *write.SalvageResult) error {
	if a.env.account(r, false) {
		return a.failed
	}
	a.flush()
	for _, what := range r.OutOfStep {
		a.line(outOfStep, what, "")
	}
	for _, name := range r.Unread {
		a.line(write.SalvageLost, name, "nothing of it can be read")
	}
	if r.Unsearched > 0 {
		a.line(write.SalvageLost, plural(int(r.Unsearched), "byte"), "not searched for moves: it would take out of proportion long")
	}
	if a.failed == nil {
		_, a.failed = fmt.Fprintf(a.env.text, "%s: %s of %s: %d kept, %d cut, %d lost, %d found\n",
			target, plural(r.Written, "record"), plural(r.IDs, "id"), r.Kept, r.Cut, r.Lost, r.Found)
	}
	return a.failed
}
