package main

import (
	"fmt"
	"slices"
	"strings"

	"cbkit/check"
	"cbkit/internal/dbfile"
	"cbkit/write"
)

// repairFlags are the flags of "cbkit check --repair".
type repairFlags struct {
	Repair bool `help:"Mend in place what can be derived; list the rest with the reason."`
	DryRun bool `help:"With --repair: say what would be changed, and change nothing."`
	waitFlag
}

// accounts reports whether the account of what was mended is asked for.
func (c *checkCmd) accounts() bool { return c.JSON && c.Repair }

// repair is "cbkit check --repair".
func (c *checkCmd) repair(env *environment, as format) error {
	switch {
	case !c.Repair:
		return usageError{fmt.Errorf("--dry-run and --wait belong to --repair")}
	case c.Verify:
		return usageError{fmt.Errorf("--verify: it belongs to a check without --repair; run cbkit check --verify afterwards")}
	case len(c.Files) > 0:
		return usageError{fmt.Errorf("--files: a repair looks at all files, since they follow from each other")}
	case as == formatArchive:
		return usageError{fmt.Errorf("%s: archives are not changed; unpack it, and repair the database there", c.Path)}
	case as != formatChessBase:
		return usageError{fmt.Errorf("%s: --repair is for ChessBase databases (.cbh)", c.Path)}
	}
	if err := env.unzipped.refuseChange(); err != nil {
		return err
	}
	bar := newProgress(env.stderr, c.Quiet, -1, "repair", "records")
	out := repairPrinter{check: c, env: env, limit: printLimit{max: c.Max}}
	result, err := write.Repair(env.ctx, c.Path, write.RepairOptions{
		DryRun: c.DryRun, CodePage: string(c.Codepage), Jobs: int(c.Jobs), Max: c.Max, Wait: c.duration(), Progress: bar.set,
		Repaired: out.repaired, Left: out.left,
	})
	bar.done()
	if err = env.done(err); err == nil && !c.DryRun {
		out.remake(result.DroppedBoosters)
	}
	if err == nil {
		err = out.finish(&result)
	}
	if err != nil {
		return err
	}
	if result.Left.Errors > 0 {
		return errReported
	}
	return nil
}

// repairPrinter prints what a repair did.
type repairPrinter struct {
	check  *checkCmd
	env    *environment
	limit  printLimit
	failed error
}

// severities are the usual ones of all codes.
var severities = func() map[string]check.Severity {
	m := map[string]check.Severity{}
	for _, c := range check.Codes(check.AboutDatabases, check.AboutBoosters) {
		m[c.Code] = c.Severity
	}
	return m
}()

// repaired prints a change.
func (p *repairPrinter) repaired(r write.Repaired) {
	if !p.limit.take(r.File + r.Code) {
		return
	}
	p.print("mended", check.Finding{
		Code: r.Code, Severity: severities[r.Code], File: r.File, Record: r.Record, Offset: r.Offset, Field: r.Field, Message: r.Message,
	}, "")
}

// left prints a finding that is left.
func (p *repairPrinter) left(f check.Finding, why string) { p.print("left", f, why) }

// print prints one line.
func (p *repairPrinter) print(what string, f check.Finding, why string) {
	switch {
	case p.failed != nil:
	case p.check.JSON:
		line := map[string]any{what: f}
		if why != "" {
			line["why"] = why
		}
		p.failed = jsonEncoder(p.env.stdout).Encode(line)
	default:
		words := fmt.Sprintf("%s [%s]", f, f.Code)
		if why != "" {
			words += ": " + why
		}
		p.failed = printWords(p.env.text, fmt.Sprintf("%-6s ", what), words)
	}
}

// remake makes the search boosters anew that did not fit. A database does without
// those that cannot be made.
func (p *repairPrinter) remake(names []string) {
	var exts []string
	for _, name := range names {
		if ext := dbfile.EndingOf(name); dbfile.Is(name, write.BoosterExts()...) && !slices.Contains(exts, ext) {
			exts = append(exts, ext)
		}
	}
	if len(exts) == 0 {
		return
	}
	r, err := write.Boosters(p.env.ctx, p.check.Path, write.BoosterOptions{Files: exts, Jobs: int(p.check.Jobs), Wait: p.check.duration()})
	if err = p.env.done(err); err != nil {
		p.env.warn(fmt.Errorf("search boosters were dropped and not rebuilt: %w; searches do without", err))
		return
	}
	if len(r.Files) > 0 && !p.check.Quiet {
		fmt.Fprintf(p.env.stderr, "cbkit: rebuilt: %s\n", strings.Join(r.Files, " "))
	}
}

// finish prints what was not listed, and the summary.
func (p *repairPrinter) finish(r *write.RepairResult) error {
	changes := 0
	for _, n := range r.Repaired {
		changes += n
	}
	name := mainFile(p.check.Path)
	if changes > 0 && !p.check.DryRun {
		p.env.made(madeTarget{Path: name, Format: formatChessBase, Records: new(r.Left.Records)})
	}
	switch more := p.limit.more; {
	case p.failed != nil:
		return p.failed
	case p.env.account(r, p.check.DryRun):
		return nil
	case more > 0:
		fmt.Fprintf(p.env.text, "mended %d more like these; --max -1 lists all\n", more)
	}
	verb := "mended"
	if p.check.DryRun {
		verb = "would be mended"
	}
	return printWords(p.env.text, "", fmt.Sprintf("%s: %s: %d %s, %s and %s left",
		name, plural(r.Left.Records, "record"), changes, verb, plural(r.Left.Errors, "error"), plural(r.Left.Notes, "note")))
}

// printLimit counts lines of a kind, and lets the first ones through.
type printLimit struct {
	max    int // 0: the usual number; < 0: all
	counts map[string]int
	more   int // those that were not let through
}

// take reports whether a line is to be printed.
func (l *printLimit) take(kind string) bool {
	if l.counts == nil {
		l.counts = map[string]int{}
	}
	limit := l.max
	if limit == 0 {
		limit = check.DefaultMax
	}
	if l.counts[kind]++; limit >= 0 && l.counts[kind] > limit {
		l.more++
		return false
	}
	return true
}
