package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"cbkit/check"
)

// checkFlags are the flags of check and verify.
type checkFlags struct {
	Files    []string `help:"Look at these files alone, by their endings: cbp,cbh." placeholder:"ENDINGS"`
	Codepage codePage `help:"Code page of names and texts that are not UTF-8." default:"1252" placeholder:"PAGE"`
	Jobs     count    `help:"How many processors to use; 0 uses all." placeholder:"N"`
	JSON     bool     `name:"json" help:"Print JSON."`
	Quiet    bool     `short:"q" help:"No progress bar."`
	passwordFlag
	Max int `help:"How many of a kind to list for each file; 0 is the usual number, -1 all." default:"0" placeholder:"N"`
}

// options turns the flags into options with a progress bar.
func (f *checkFlags) options(env *environment, what string) (check.Options, func()) {
	bar := newProgress(env.stderr, f.Quiet, -1, what, "records")
	opt := check.Options{Files: f.Files, Jobs: int(f.Jobs), Progress: bar.set, Max: f.Max}
	if f.Codepage != "1252" {
		opt.CodePage = string(f.Codepage)
	}
	return opt, bar.done
}

// checkCmd is "cbkit check".
type checkCmd struct {
	Path string `arg:"" help:"Database."`
	checkFlags
	Verify bool `help:"Also encode every record again and compare, in the same pass."`
	repairFlags
}

// checks are the checks by kind of database.
var checks = map[format]func(context.Context, string, check.Options, func(check.Finding)) (check.Summary, error){
	formatChessBase: check.Database, formatSimple: check.Simple, formatBook: check.Book,
}

// Run implements the verb.
func (c *checkCmd) Run(env *environment) error {
	as := formatOf(c.Path)
	switch {
	case c.Repair || c.DryRun || c.Wait > 0:
		return c.repair(env, as)
	case as == formatArchive:
		return c.runArchive(env)
	}
	return c.run(env, as)
}

func (c *checkCmd) run(env *environment, as format) error {
	examine := checks[as]
	if examine == nil {
		return usageError{fmt.Errorf("%s: check looks at databases and books; cbkit info tells what can be read of a text", c.Path)}
	}
	if as == formatSimple && len(c.Files) > 0 {
		return usageError{fmt.Errorf("--files: the files of a Simple Chess Database are checked together")}
	}
	if c.Verify && as == formatBook {
		return usageError{fmt.Errorf("%s: --verify is for databases; books are checked", c.Path)}
	}
	return c.examine(env, mainFile(c.Path), "record", func(opt check.Options, print func(check.Finding)) (check.Summary, *check.Report, error) {
		switch {
		case c.Verify && as == formatChessBase:
			summary, report, err := check.Examine(env.ctx, c.Path, opt, print)
			return summary, &report, err
		case c.Verify:
			summary, report, err := check.ExamineSimple(env.ctx, c.Path, opt, print)
			return summary, &report, err
		}
		summary, err := examine(env.ctx, c.Path, opt, print)
		return summary, nil, err
	})
}

// examine does the work and prints what it finds about a database: findings and
// their summary with the unit of its records, and the report of a verification if
// there is one.
func (c *checkCmd) examine(env *environment, name, unit string,
	work func(check.Options, func(check.Finding)) (check.Summary, *check.Report, error),
) error {
	opt, done := c.options(env, "check")
	var failed error
	summary, report, err := work(opt, c.printFinding(env, &failed))
	done()
	if err == nil {
		err = failed
	}
	if err == nil {
		err = c.printSummary(env, name, unit, &summary)
	}
	if err != nil {
		return err
	}
	if report != nil {
		if err := c.printReport(env, report); err != nil {
			return err
		}
		err = verifyError(env.stderr, report)
	}
	if summary.Errors > 0 {
		err = errReported
	}
	return err
}

// printReport writes the report of a verification behind the summary.
func (c *checkCmd) printReport(env *environment, report *check.Report) error {
	if c.JSON {
		return json.NewEncoder(env.stdout).Encode(struct {
			Verify *check.Report `json:"verify"`
		}{report})
	}
	_, err := env.text.Write([]byte(verifyTable(report)))
	return err
}

// printFinding returns what prints findings, until that fails.
func (c *checkCmd) printFinding(env *environment, failed *error) func(check.Finding) {
	enc := json.NewEncoder(env.stdout)
	return func(f check.Finding) {
		switch {
		case *failed != nil:
		case c.JSON:
			*failed = enc.Encode(f)
		default:
			_, *failed = fmt.Fprintf(env.text, "%-5s %s [%s]\n", f.Severity, f, f.Code)
		}
	}
}

// printSummary writes the last line: what was looked at, and what there are so
// many of.
func (c *checkCmd) printSummary(env *environment, name, unit string, s *check.Summary) error {
	if c.JSON {
		return json.NewEncoder(env.stdout).Encode(struct {
			Summary *check.Summary `json:"summary"`
		}{s})
	}
	_, err := fmt.Fprintf(env.text, "%s: %s in %s: %s, %s\n", name, plural(s.Records, unit), plural(len(s.Files), "file"),
		plural(s.Errors, "error"), plural(s.Notes, "note"))
	return err
}

// verifyCmd is "cbkit verify".
type verifyCmd struct {
	DB string `arg:"" name:"db" help:"Database."`
	checkFlags
}

// Run implements the verb.
func (c *verifyCmd) Run(env *environment) error {
	verify := check.Verify
	if formatOf(c.DB) == formatSimple {
		verify = check.VerifySimple
	}
	if formatOf(c.DB) == formatArchive {
		verify = c.verifyArchive(env)
	}
	opt, done := c.options(env, "verify")
	report, err := verify(env.ctx, c.DB, opt)
	done()
	if err != nil {
		return err
	}
	if c.JSON {
		err = env.answer(report)
	} else {
		_, err = env.text.Write([]byte(verifyTable(&report)))
	}
	if err != nil {
		return err
	}
	return verifyError(env.stderr, &report)
}

// verifyError says which files were not looked at, and returns an error if that
// or a difference makes the verification fail.
func verifyError(w io.Writer, report *check.Report) error {
	for _, name := range report.Missing {
		fmt.Fprintf(w, "cbkit: %s: the file is missing; --files with the others leaves it out\n", name)
	}
	for _, f := range report.Unreadable {
		fmt.Fprintf(w, "cbkit: %s: cannot be read: %s; --files with the others leaves it out\n", f.File, f.Message)
	}
	for i := range report.Files {
		if f := &report.Files[i]; f.Undecoded > 0 {
			fmt.Fprintf(w, "cbkit: %s: %s\n", f.File, plural(f.Undecoded, "record| outside of the file, or not to be decoded"))
		}
	}
	if report.Failed() || report.Different()+report.Undecoded() > 0 {
		return errReported
	}
	return nil
}

// verifyTable formats a report for people.
func verifyTable(report *check.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-16s %10s %12s %10s %8s %8s %9s %11s\n",
		"file", "records", "bytes", "exact", "kept", "trash", "different", "unsupported")
	for i := range report.Files {
		f := &report.Files[i]
		verifyRow(&b, f.File, &f.Tally)
		for j := range f.Parts {
			if len(f.Parts) > 1 {
				verifyRow(&b, "  "+f.Parts[j].Name, &f.Parts[j].Tally)
			}
		}
		for _, l := range f.Listed {
			verifyCase(&b, &l)
		}
		if f.Unlisted > 0 {
			fmt.Fprintf(&b, "    and %d more (--max -1 lists all)\n", f.Unlisted)
		}
	}
	return b.String()
}

func verifyRow(b *strings.Builder, name string, t *check.Tally) {
	fmt.Fprintf(b, "%-16s %10d %12d %10d %8d %8d %9d %11d\n",
		name, t.Records, t.Bytes, t.Exact, t.Kept, t.Trash, t.Different, t.Unsupported)
}

// verifyCase writes one line, such as
// "kept: text 3 at 0x4b3 (text): stored as UTF-8 though the code page holds it".
func verifyCase(b *strings.Builder, c *check.Case) {
	fmt.Fprintf(b, "    %s: %s", c.Outcome, c.Part)
	if c.Record >= 0 {
		fmt.Fprintf(b, " %d", c.Record)
	}
	fmt.Fprintf(b, " at 0x%x", c.Offset)
	if c.Field != "" {
		fmt.Fprintf(b, " (%s)", c.Field)
	}
	if c.Message != "" {
		fmt.Fprintf(b, ": %s", c.Message)
	}
	b.WriteByte('\n')
}
