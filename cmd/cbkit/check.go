package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	lib "cbkit"
	"cbkit/check"
	"cbkit/internal/dbfile"
)

// checkFlags are the flags of check and verify.
type checkFlags struct {
	Files    []string `help:"Look at these files alone, by their endings: cbp,cbh." placeholder:"ENDINGS"`
	Codepage codePage `help:"Code page of names and texts that are not UTF-8." default:"1252" placeholder:"PAGE"`
	Jobs     count    `help:"How many processors to use; 0 uses all." placeholder:"N"`
	JSON     bool     `name:"json" help:"Print JSON."`
	Quiet    bool     `short:"q" help:"No progress bar."`
	passwordFlag
	Max int `help:"How many of a kind to list for each file; 0 is the usual number (of check as text: one), -1 all." default:"0" placeholder:"N"`
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
	Path string   `arg:"" zip:"reads" help:"Database, book or archive; a folder is all that are in it."`
	More []string `arg:"" zip:"reads" optional:"" help:"More of them: each gets one line."`
	checkFlags
	Verify bool `help:"Also encode every record again and compare, in the same pass."`
	repairFlags

	brief bool // one line for each database
}

// checks are the checks by kind of database.
var checks = map[format]func(context.Context, string, check.Options) *check.Check{
	formatChessBase: check.Database, formatSimple: check.Simple, formatBook: check.Book, formatPolyglot: check.Book, formatChessBase2: check.ChessBase2,
	formatScid: check.Scid, lib.Scid3: check.Scid, lib.Scid5: check.Scid,
}

// Run implements the verb.
func (c *checkCmd) Run(env *environment) error {
	named := append([]string{c.Path}, c.More...)
	wanted := func(as format) bool { return checks[as] != nil || as == formatArchive }
	paths, several, err := env.inFolders(named, wanted)
	switch {
	case err != nil:
		return err
	case !several:
		return c.one(env)
	case c.Repair || c.DryRun || c.Wait > 0:
		return usageError{errors.New("--repair: one database is mended at a time")}
	case c.Verify:
		return usageError{errors.New("--verify: one database is verified at a time")}
	}
	defer env.reportFolders(named, wanted)
	return eachOf(env, paths, func(path string) error {
		one := *c
		one.Path, one.brief = path, !c.JSON
		return one.one(env)
	})
}

// one checks one database.
func (c *checkCmd) one(env *environment) error {
	as := formatOf(c.Path)
	switch {
	case c.Repair || c.DryRun || c.Wait > 0:
		return c.repair(env, as)
	case as == formatArchive:
		return c.archive(env)
	}
	return c.run(env, as)
}

func (c *checkCmd) run(env *environment, as format) error {
	begin, unit := checks[as], "record"
	switch {
	case begin == nil:
		return usageError{fmt.Errorf("%s: check looks at databases and books; cbkit info tells what can be read of a text", c.Path)}
	case as == formatSimple && len(c.Files) > 0:
		return usageError{fmt.Errorf("--files: the files of a Simple Chess Database are checked together")}
	case c.Verify && as.IsBook():
		return usageError{fmt.Errorf("%s: --verify is for databases; books are checked", c.Path)}
	case as == formatBook:
		unit = "position"
	case as == formatPolyglot:
		unit = "entry"
	}
	return c.examine(env, mainFile(c.Path), unit, func(opt check.Options) *check.Check { return begin(env.ctx, c.Path, opt) }, nil)
}

// archive checks an archive and, where it is sound, the databases in it, or the
// one that is named.
func (c *checkCmd) archive(env *environment) error {
	file, inside, _ := lib.SplitArchive(c.Path)
	a, err := env.openArchive(file, c.passwordFlag, c.Codepage, c.Jobs, true)
	if err != nil {
		return err
	}
	defer a.Close()
	names, damaged := a.Databases(), false
	if inside != "" {
		names = []string{inside}
	}
	err = c.examine(env, file, "block", func(opt check.Options) *check.Check {
		opt.Files = nil // those are of databases
		opt.Verify = opt.Verify && inside == ""
		return check.Archive(env.ctx, a, opt)
	}, &damaged)
	wrong := errors.Is(err, errReported)
	if wrong && damaged && len(names) > 0 {
		fmt.Fprintf(env.stderr, "cbkit: %s: is damaged, so %s was not checked\n", file, strings.Join(names, ", "))
	}
	if damaged || err != nil && !wrong {
		return err
	}
	for _, name := range names {
		err := c.examine(env, file+":"+name, "record", func(opt check.Options) *check.Check {
			opt.FS = a.FS()
			return check.Database(env.ctx, name, opt)
		}, nil)
		if errors.Is(err, errReported) {
			wrong = true
		} else if err != nil {
			return err
		}
	}
	return reportedIf(wrong)
}

// examine makes a check and prints what it finds about a database: findings and
// their summary with the unit of its records, and the report of a verification if
// there is one. An archive that is damaged has none, and sets *damaged.
func (c *checkCmd) examine(env *environment, name, unit string, begin func(check.Options) *check.Check, damaged *bool) error {
	opt, done := c.options(env, "check")
	found := findings{check: c, env: env, unit: unit, of: map[string]*alike{}, bad: map[int64]bool{}}
	if opt.Verify = c.Verify; !c.JSON && !c.Verify { // whose report has the same limit
		opt.Max = -1 // all are counted
	}
	made, failed := begin(opt), error(nil)
	for one, err := range made.Findings() {
		if err == nil {
			err = found.add(one)
		}
		if failed = err; err != nil {
			break
		}
	}
	done()
	if failed != nil {
		return failed
	}
	summary, _ := made.Summary()
	err := found.print(name, &summary)
	if err != nil {
		return err
	}
	report, _ := made.Report()
	if damaged != nil && summary.Errors > 0 {
		*damaged, report = true, check.Report{}
	}
	if len(report.Files) > 0 {
		err = c.answer(env, &report, struct {
			Verify *check.Report `json:"verify"`
		}{&report})
	}
	return cmp.Or(reportedIf(summary.Errors > 0), err)
}

// findings are those of one database, grouped by what is alike.
type findings struct {
	check  *checkCmd
	env    *environment
	unit   string // what records are called
	groups []*alike
	of     map[string]*alike
	bad    map[int64]bool // the records that have errors
}

// alike are the findings of one code in one file.
type alike struct {
	severity check.Severity
	code     string
	examples []check.Finding // with all listed as they come, the first
	count    int
}

// hidesGames are the codes of damage to a whole file past which no game can be read.
var hidesGames = map[string]bool{"missing-file": true, "unreadable-file": true, "bad-header": true, "cut-file": true,
	"2cbh-missing-file": true, "2cbh-unreadable-file": true, "2cbh-header": true, "scid-header": true}

// mostBad is how many records with errors are counted.
const mostBad = 1 << 20

// recordFiles are the files in which a record is a game or text.
var recordFiles = map[string]bool{".cbh": true, ".cbj": true, ".cbg": true, ".cba": true, ".dci": true, ".dcg": true, ".2cbh": true, ".2cbg": true, ".2cba": true,
	".si4": true, ".sg4": true, ".si3": true, ".sg3": true, ".si5": true, ".sg5": true}

// add takes a finding. As JSON, and if all are to be listed, it is printed at once.
func (f *findings) add(one check.Finding) error {
	if f.check.JSON {
		return f.env.answer(one)
	}
	if one.Severity == check.Error && one.Record > 0 && recordFiles[dbfile.EndingOf(one.File)] && len(f.bad) < mostBad {
		f.bad[one.Record] = true
	}
	key := one.Code + " " + one.File + " " + one.Severity.String()
	group := f.of[key]
	if group == nil {
		group = &alike{severity: one.Severity, code: one.Code}
		f.of[key] = group
		f.groups = append(f.groups, group)
	}
	group.count += max(1, one.More)
	if len(group.examples) < max(f.check.Max, 1) {
		group.examples = append(group.examples, one)
	}
	if f.listsAll() {
		return printFinding(f.env.text, &one)
	}
	return nil
}

// listsAll reports whether findings are printed as they come: there is no memory for
// all of them.
func (f *findings) listsAll() bool { return f.check.Max < 0 && !f.check.brief }

func printFinding(w io.Writer, f *check.Finding) error {
	return printWords(w, fmt.Sprintf("%-5s ", f.Severity), fmt.Sprintf("%s [%s]", f, f.Code))
}

// print writes what was found: first a line for people, then what there is of each
// kind, errors before notes, and last what was looked at.
func (f *findings) print(name string, s *check.Summary) error {
	if f.check.JSON {
		return f.env.answer(struct {
			Summary *check.Summary `json:"summary"`
		}{s})
	}
	slices.SortStableFunc(f.groups, func(a, b *alike) int { return cmp.Compare(b.severity, a.severity) })
	w := f.env.text
	if err := printWords(w, "", name+": "+f.inWords(name, s)); err != nil || f.check.brief {
		return err
	}
	for _, group := range f.groups {
		if f.listsAll() {
			break
		}
		for i := range group.examples {
			if err := printFinding(w, &group.examples[i]); err != nil {
				return err
			}
		}
		if more := group.count - len(group.examples); more > 0 {
			fmt.Fprintf(w, "      and %s like it; --max -1 lists all\n", thousands(more)+" more")
		}
	}
	return printWords(w, "", fmt.Sprintf("%s: %s in %s: %s, %s", name, plural(s.Records, f.unit), plural(len(s.Files), "file"),
		plural(s.Errors, "error"), plural(s.Notes, "note")))
}

// inWords says how a database is.
func (f *findings) inWords(name string, s *check.Summary) string {
	what := f.unit
	if what == "record" {
		what = "game"
	}
	games := s.Records - s.Texts
	of := thousands(games) + " " + inNumber(games, what)
	if s.Texts > 0 {
		of += " and " + plural(s.Texts, "text")
	}
	all := "all " + of + " can be read"
	switch {
	case s.Records == 0:
		all = "there are no " + inNumber(0, what)
	case games == 1 && s.Texts == 0:
		all = "its one " + what + " can be read"
	}
	var worst, missing *check.Finding
	for _, group := range f.groups {
		if group.severity != check.Error || len(group.examples) == 0 {
			continue
		}
		first := &group.examples[0]
		worst = cmp.Or(worst, first)
		if strings.HasSuffix(group.code, "missing-file") || first.Record < 0 && hidesGames[group.code] && recordFiles[dbfile.EndingOf(first.File)] {
			missing = cmp.Or(missing, first)
		}
	}
	way := salvaging(name)
	as := formatOf(name)
	isSalvaged := as == formatChessBase || as == formatChessBase2
	if !isSalvaged {
		way = "cbkit convert --keep-going saves the others"
	}
	switch {
	case missing != nil && !isSalvaged:
		return fmt.Sprintf("damaged: %s: %s", missing.File, oneLine(missing.Message))
	case missing != nil:
		return fmt.Sprintf("damaged: %s: %s: %s", missing.File, oneLine(missing.Message), way)
	case len(f.bad) > 0:
		return fmt.Sprintf("%s of %s are damaged: %s", thousands(len(f.bad)), of, way)
	case s.Errors > 0 && formatOf(name) == formatChessBase:
		word := all + ", but " + plural(s.Errors, "error") + " elsewhere"
		if worst != nil {
			word += " (" + worst.File + ": " + oneLine(worst.Message) + ")"
		}
		return word + ": cbkit check --repair " + name + " mends what can be derived"
	case s.Errors > 0:
		return plural(s.Errors, "error") + " in " + plural(s.Records, f.unit)
	case s.Notes > 0:
		return all + "; " + plural(s.Notes, "note") + " on what is unusual and does no harm"
	}
	return all + ", and nothing is wrong"
}

// verifyCmd is "cbkit verify".
type verifyCmd struct {
	DB string `arg:"" zip:"reads" name:"db" help:"Database."`
	checkFlags
}

// Run implements the verb.
func (c *verifyCmd) Run(env *environment) error {
	verify := check.Verify
	switch formatOf(c.DB) {
	case formatSimple:
		verify = check.VerifySimple
	case formatChessBase2, formatScid, lib.Scid3, lib.Scid5:
		begin := checks[formatOf(c.DB)]
		verify = func(ctx context.Context, name string, opt check.Options) (check.Report, error) {
			opt.Verify = true
			return begin(ctx, name, opt).Report()
		}
	case formatArchive: // the whole of it, or a database that is named in it
		verify = func(ctx context.Context, name string, opt check.Options) (check.Report, error) {
			file, inside, _ := lib.SplitArchive(name)
			a, err := env.openArchive(file, c.passwordFlag, c.Codepage, c.Jobs, true)
			if err != nil {
				return check.Report{}, err
			}
			defer a.Close()
			if inside != "" {
				opt.FS = a.FS()
				return check.Verify(ctx, inside, opt)
			}
			if len(opt.Files) > 0 {
				return check.Report{}, usageError{fmt.Errorf("--files: an archive is verified as a whole; %s:NAME.cbh is a database in it", file)}
			}
			opt.Verify = true
			return check.Archive(ctx, a, opt).Report()
		}
	}
	opt, done := c.options(env, "verify")
	report, err := verify(env.ctx, c.DB, opt)
	done()
	if err != nil {
		return err
	}
	return c.answer(env, &report, report)
}

// answer prints a report, or its form as JSON, says which files were not looked at, and returns
// an error if that or a difference makes the verification fail.
func (f *checkFlags) answer(env *environment, report *check.Report, asJSON any) (err error) {
	if f.JSON {
		err = env.answer(asJSON)
	} else {
		err = printVerified(env.text, report)
	}
	if err != nil {
		return err
	}
	w := env.stderr
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
	return reportedIf(report.Failed() || report.Different()+report.Undecoded() > 0)
}

// verifyColumns are the columns of a report.
var verifyColumns = []column{
	text("file", 40), number("records"), number("bytes"), number("exact"), number("kept"), number("trash"), number("different"), number("unsupported").left(1),
}

// printVerified prints a report for people: a row for each file and each part of it, and
// below them what is not as it would be written.
func printVerified(w io.Writer, report *check.Report) error {
	var rows [][]string
	below := map[int]string{} // by the number of the row before it
	for i := range report.Files {
		f := &report.Files[i]
		rows = append(rows, verifyRow(f.File, &f.Tally))
		for j := range f.Parts {
			if len(f.Parts) > 1 {
				rows = append(rows, verifyRow("  "+f.Parts[j].Name, &f.Parts[j].Tally))
			}
		}
		var b strings.Builder
		for _, l := range f.Listed { // "kept: text 3 at 0x4b3 (text): stored as UTF-8 though the code page holds it"
			fmt.Fprintf(&b, "    %s: %s", l.Outcome, l.Part)
			if l.Record >= 0 {
				fmt.Fprintf(&b, " %d", l.Record)
			}
			fmt.Fprintf(&b, " at 0x%x", l.Offset)
			if l.Field != "" {
				fmt.Fprintf(&b, " (%s)", l.Field)
			}
			if l.Message != "" {
				fmt.Fprintf(&b, ": %s", l.Message)
			}
			b.WriteByte('\n')
		}
		if f.Unlisted > 0 {
			fmt.Fprintf(&b, "    and %d more (--max -1 lists all)\n", f.Unlisted)
		}
		below[len(rows)] = b.String()
	}
	l := layOut(verifyColumns, needed(verifyColumns, rows), widthOf(w))
	out := l.appendRow(nil, titlesOf(verifyColumns))
	for i, row := range rows {
		out = append(l.appendRow(out, row), below[i+1]...)
	}
	_, err := w.Write(out)
	return err
}

func verifyRow(name string, t *check.Tally) []string {
	return []string{
		name, fmt.Sprint(t.Records), fmt.Sprint(t.Bytes), fmt.Sprint(t.Exact), fmt.Sprint(t.Kept), fmt.Sprint(t.Trash),
		fmt.Sprint(t.Different), fmt.Sprint(t.Unsupported),
	}
}
