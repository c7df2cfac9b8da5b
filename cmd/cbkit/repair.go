package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cbkit/check"
	"cbkit/internal/dbfile"
	"cbkit/read"
	"cbkit/write"
)

// repairFlags are the flags of "cbkit check --repair".
type repairFlags struct {
	Repair bool `help:"Mend in place what can be derived; list the rest with the reason."`
	DryRun bool `help:"With --repair: say what would be changed, and change nothing."`
	waitFlag
}

// printsOutcome implements [outcomePrinter].
func (c *checkCmd) printsOutcome() bool { return c.JSON && c.Repair }

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
	case as.IsOnlyRead():
		return onlyRead(c.Path, as, "check --repair")
	case as != formatChessBase && as != formatScid:
		return usageError{fmt.Errorf("%s: --repair is for ChessBase databases (.cbh) and those of Scid (.si4)", c.Path)}
	}
	if err := env.unzipped.refuseChange(); err != nil {
		return err
	}
	bar := newProgress(env.stderr, c.Quiet, -1, "repair", "records")
	var failed error
	printLine := func(what string, f check.Finding, why string) {
		switch {
		case failed != nil:
		case c.JSON:
			line := map[string]any{what: f}
			if why != "" {
				line["why"] = why
			}
			failed = env.answer(line)
		default:
			failed = printWords(env.text, fmt.Sprintf("%-6s ", what), fmt.Sprintf("%s [%s]%s", f, f.Code, optional(": ", why)))
		}
	}
	counts, more := map[string]int{}, 0 // changes of a kind; those that were not printed
	limit := cmp.Or(c.Max, check.DefaultMax)
	var unsealed check.Finding // a .cbb file that is right, with the seal of another state
	result, err := write.Repair(env.ctx, c.Path, write.RepairOptions{
		DryRun: c.DryRun, CodePage: string(c.Codepage), Jobs: int(c.Jobs), Max: c.Max, Wait: c.duration(), Progress: bar.set,
		Repaired: func(r write.Repaired) {
			kind := r.File + r.Code
			if counts[kind]++; limit >= 0 && counts[kind] > limit {
				more++
				return
			}
			printLine("mended", check.Finding{
				Code: r.Code, Severity: severities[r.Code], File: r.File, Record: r.Record, Offset: r.Offset, Field: r.Field, Message: r.Message,
			}, "")
		},
		Left: func(f check.Finding, why string) {
			if f.Code == "booster-unsealed" && dbfile.Is(f.File, ".cbb") && !c.DryRun {
				if set, err := read.FindFiles(c.Path); err == nil && set.Has(".cbkit") {
					unsealed = f
					return
				}
			}
			printLine("left", f, why)
		},
	})
	bar.done()
	if err = env.done(err); err != nil {
		return err
	}
	changes, name, verb := 0, mainFile(c.Path), "mended"
	for _, n := range result.Repaired {
		changes += n
	}
	if c.DryRun {
		verb = "would be mended"
	} else {
		if made := c.remake(env, append(result.DroppedBoosters, unsealed.File)); unsealed.File != "" && made {
			printLine("mended", unsealed, "")
			changes, result.Left.Notes, result.Repaired[unsealed.Code] = changes+1, result.Left.Notes-1, 1
			result.Left.Codes[unsealed.Code]--
		} else if unsealed.File != "" {
			printLine("left", unsealed, "the boosters could not be rebuilt")
		}
		if changes > 0 {
			env.made(madeTarget{Path: name, Format: as, Records: new(result.Left.Records)})
		}
	}
	if failed == nil && !env.setResult(&result, c.DryRun) {
		if more > 0 {
			fmt.Fprintf(env.text, "mended %d more like these; --max -1 lists all\n", more)
		}
		failed = printWords(env.text, "", fmt.Sprintf("%s: %s: %d %s, %s and %s left",
			name, plural(result.Left.Records, "record"), changes, verb, plural(result.Left.Errors, "error"), plural(result.Left.Notes, "note")))
	}
	return cmp.Or(failed, reportedIf(result.Left.Errors > 0))
}

// severities are the usual ones of all codes.
var severities = func() map[string]check.Severity {
	m := map[string]check.Severity{}
	for _, c := range check.Codes() {
		m[c.Code] = c.Severity
	}
	return m
}()

// remake makes the search boosters anew that did not fit, and reports whether it did. A
// database does without those that cannot be made.
func (c *checkCmd) remake(env *environment, names []string) bool {
	var exts []string
	for _, name := range names {
		if ext := dbfile.EndingOf(name); dbfile.Is(name, write.BoosterExts()...) && !slices.Contains(exts, ext) {
			exts = append(exts, ext)
		}
	}
	if len(exts) == 0 {
		return false
	}
	r, err := write.Boosters(env.ctx, c.Path, write.BoosterOptions{Files: exts, Jobs: int(c.Jobs), Wait: c.duration()})
	if err = env.done(err); err != nil {
		env.warn(fmt.Errorf("search boosters were not rebuilt: %w; searches do without", err))
		return false
	}
	if len(r.Files) > 0 && !c.Quiet {
		fmt.Fprintf(env.stderr, "cbkit: rebuilt: %s\n", strings.Join(r.Files, " "))
	}
	return true
}
