package main

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	lib "cbkit"
	"cbkit/model"
	"cbkit/write"
)

// salvageCmd is "cbkit salvage".
type salvageCmd struct {
	DB       string   `arg:"" zip:"reads" name:"db" help:"Damaged database of ChessBase or Scid, by any of its files that is left."`
	Target   string   `arg:"" optional:"" help:"New database (.cbh); not with --dry-run."`
	DryRun   bool     `help:"Say what would come out, and make nothing."`
	Codepage codePage `help:"Code page of names and texts that are not UTF-8." default:"1252" placeholder:"PAGE"`
	writeFlags
}

// Run implements the verb.
func (c *salvageCmd) Run(env *environment) error {
	var to target
	var err error
	switch {
	case c.DryRun && c.Target != "":
		return usageError{errors.New("--dry-run makes nothing; leave the new database out")}
	case c.DryRun:
		to.as = formatChessBase
	case c.Target == "":
		return usageError{errors.New("salvage needs the new database to make, or --dry-run")}
	default:
		if to, err = parseTarget(c.Target, formatChessBase); err == nil {
			err = env.refuseSources(to, c.DB)
		}
	}
	if err != nil {
		return err
	}
	if as := formatOf(c.DB); !slices.Contains([]format{formatChessBase, formatChessBase2, formatScid, lib.Scid3, lib.Scid5}, as) {
		return usageError{fmt.Errorf("%s: salvage is for databases of ChessBase (.cbh or .2cbh) and Scid (.si4), and companions", c.DB)}
	}
	t := newTransfer(env, transferFlags{writeFlags: c.writeFlags}, "salvage", to)
	bar := newProgress(env.stderr, c.Quiet, -1, "salvage", "records")
	fates := fatePrinter{env: env, json: c.JSON, dryRun: c.DryRun}
	result, err := write.Salvage(env.ctx, c.DB, to.path, write.SalvageOptions{
		Force: c.Force, CodePage: string(c.Codepage), Report: t.env.messages.lost, Wait: c.duration(),
		OnReplace: env.reportReplaced(to.path), Account: fates.add, Progress: bar.set, DryRun: c.DryRun,
	})
	bar.done()
	if err = env.done(err); err != nil {
		if errors.Is(err, model.ErrNeedsRecovery) && !errors.Is(err, model.ErrInterrupted) {
			return err // of the source, which says what to do
		}
		return targetError(to.path, err)
	}
	env.making = ""
	name := to.path
	if c.DryRun {
		name = mainFile(c.DB)
	} else {
		env.made(madeTarget{Path: to.path, Format: to.as, Records: new(result.Written)})
	}
	if err := fates.finish(name, &result); err != nil {
		return err
	}
	if !c.Quiet {
		env.messages.printLosses()
	}
	return reportedIf(!result.IsWhole())
}

// fatePrinter prints the fates of all ids: as JSON each as it comes; as text
// those of one state and reason in one line, in the order of their first ids.
type fatePrinter struct {
	env    *environment
	json   bool
	dryRun bool
	failed error
	groups []*fateGroup
	byKind map[string]*fateGroup
	// reasons counts the groups of a state, of which last is the last.
	reasons map[write.SalvageState]int
	last    map[write.SalvageState]*fateGroup
}

// fateGroup is all records that ended alike.
type fateGroup struct {
	state   write.SalvageState
	why     string // of the first
	same    bool   // the others have it word for word
	records int
	ranges  []fateRange // the first of them
	more    bool        // there are others
}

// fateRange is ids one after the other, and the first of their new ones.
type fateRange struct {
	idRange
	new model.RecordID
}

// mostRanges is how many ranges of ids are printed of one group.
const mostRanges = 8

// mostReasons is how many reasons of a state have a line of their own; the last of them
// stands for all others.
const mostReasons = 20

// details are what differs between reasons of one kind: positions, moves, numbers, names.
var details = regexp.MustCompile(`([a-zA-Z0-9]+/){7}[a-zA-Z0-9]+ [wb] \S+ \S+|\b[a-h][1-8][a-h][1-8][qrbn]?\b|\b(0x[0-9a-f]+|[0-9]+)\b|"[^"]*"`)

// add takes the fate of an id.
func (p *fatePrinter) add(f write.Salvaged) {
	if p.failed != nil {
		return
	}
	if p.json {
		p.failed = p.env.answer(f)
		return
	}
	why := strings.Join(f.Why, "; ")
	kind := string(f.State) + details.ReplaceAllString(why, "0")
	g := p.byKind[kind]
	if g == nil && p.reasons[f.State] == mostReasons {
		g = p.last[f.State]
	}
	if g == nil {
		g = &fateGroup{state: f.State, why: why, same: true}
		if p.byKind == nil {
			p.byKind, p.reasons, p.last = map[string]*fateGroup{}, map[write.SalvageState]int{}, map[write.SalvageState]*fateGroup{}
		}
		p.byKind[kind], p.last[f.State] = g, g
		p.reasons[f.State]++
		p.groups = append(p.groups, g)
	}
	g.records++
	g.same = g.same && why == g.why
	if n := len(g.ranges) - 1; n >= 0 && !g.more {
		last := &g.ranges[n]
		if f.ID == last.to+1 && (f.New == 0 && last.new == 0 || f.New != 0 && f.New == last.new+f.ID-last.from) {
			last.to = f.ID
			return
		}
	}
	if g.more = len(g.ranges) == mostRanges; !g.more {
		g.ranges = append(g.ranges, fateRange{idRange{from: f.ID, to: f.ID}, f.New})
	}
}

// finish prints what became of all ids, and the summary.
func (p *fatePrinter) finish(target string, r *write.SalvageResult) error {
	if p.env.setResult(r, p.dryRun) {
		return p.failed
	}
	would := ""
	if p.dryRun {
		would = " would come out"
	}
	for _, g := range p.groups {
		var list []string
		for _, r := range g.ranges {
			ids := r.String()
			if g.state == write.SalvageFound {
				ids = "-"
			}
			if r.new != 0 {
				ids += fmt.Sprint(" → ", idRange{from: r.new, to: r.new + r.to - r.from})
			}
			list = append(list, ids)
		}
		if g.more {
			list = append(list, "…")
		}
		why := g.why
		switch {
		case why == "" || g.records == 1:
		case g.same:
			why = fmt.Sprintf("%s: %s", plural(g.records, "record"), why)
		default:
			why = fmt.Sprintf("%s, the first: %s", plural(g.records, "record"), why)
		}
		p.line(g.state, strings.Join(list, ", "), why)
	}
	for _, what := range r.OutOfStep {
		p.line(outOfStep, what, "")
	}
	for _, name := range r.Unread {
		p.line(write.SalvageLost, name, "nothing of it can be read")
	}
	if r.Unsearched > 0 {
		p.line(write.SalvageLost, plural(int(r.Unsearched), "byte"), "not searched for moves: it would take out of proportion long")
	}
	if p.failed == nil {
		sum := fmt.Sprintf("%s: %s%s: %s\n", target, plural(r.Written, "record"), would, inSum(r))
		_, p.failed = io.WriteString(p.env.text, wrappedLines(p.env.text, sum))
	}
	return p.failed
}

// inSum says of how many records how much has come out.
func inSum(r *write.SalvageResult) string {
	parts := counted([]countedWord{
		{r.SomeMoves, "with a part of the moves"}, {r.HeaderOnly, "with the header only"},
		{r.Cut - r.SomeMoves - r.HeaderOnly, "without some names or annotations"}, {r.Found, "found that no header has"},
	})
	return strings.Join(slices.Concat([]string{fmt.Sprintf("%d whole", r.Kept)}, parts, []string{fmt.Sprintf("%d lost", r.Lost)}), ", ")
}

// line prints a line.
func (p *fatePrinter) line(state fmt.Stringer, ids, why string) {
	if p.failed == nil {
		_, p.failed = fmt.Fprintf(p.env.text, "%-5v %s\n", state, wrappedAt(p.env.text, 6, ids+optional(": ", why)))
	}
}

// outOfStep stands in the place of a state before what puts records out of step.
const outOfStep = write.SalvageState("note")
