package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"cbkit/check"
	"cbkit/model"
	"cbkit/write"
)

// boosterSet names all search boosters where a message speaks of what was made.
const boosterSet = "the set of boosters"

// boostersCmd is "cbkit boosters".
type boostersCmd struct {
	DB         string   `arg:"" name:"db" help:"Database."`
	Check      bool     `help:"Compare the boosters with the database and write nothing."`
	Files      []string `help:"These boosters alone, by their endings: cit,cbb." placeholder:"ENDINGS"`
	Positions  plyCount `help:"Make the index of positions (.cbkit-positions), for find and report: those of the first 40 plies (=60: of 60) of each game, and all with 12 men at most. Without --files it is made alone." placeholder:"PLIES"`
	Structures bool     `help:"List pawn structures and material in the index of positions too, for find --pawns and --material: larger by three fifths. It is made, of 40 plies, without --positions too."`
	NoSeal     bool     `help:"Leave out the seal, which has the change times of files: the same database gets the same bytes."`
	Jobs       count    `help:"How many processors to use; 0 uses all." placeholder:"N"`
	JSON       bool     `name:"json" help:"Print JSON."`
	Quiet      bool     `short:"q" help:"No progress bar."`
	waitFlag
}

// printsOutcome implements [outcomePrinter].
func (c *boostersCmd) printsOutcome() bool { return c.JSON && !c.Check }

// Run implements the verb.
func (c *boostersCmd) Run(env *environment) error {
	if formatOf(c.DB) == formatArchive {
		return usageError{fmt.Errorf("%s: archives hold no search boosters; unpack it, and make them there", c.DB)}
	}
	if as := formatOf(c.DB); as.IsOnlyRead() && isThere(c.DB) && (as != formatChessBase2 || len(c.Files) > 0 || !c.Check && c.Positions == 0 && !c.Structures) {
		return onlyRead(c.DB, as, "boosters")
	}
	if c.Check {
		if c.Positions != 0 || c.Structures {
			return usageError{errors.New("--positions: --check compares the index of positions too where there is one")}
		}
		return c.compare(env)
	}
	env.making = boosterSet
	bar := newProgress(env.stderr, c.Quiet, -1, "boosters", "records")
	defer bar.done()
	result, err := write.Boosters(env.ctx, c.DB, write.BoosterOptions{
		Files: c.Files, Positions: int(c.Positions), Structures: c.Structures, Jobs: int(c.Jobs), Progress: bar.set, Wait: c.duration(), NoSeal: c.NoSeal,
		Undecoded: func(_ model.RecordID, err error) { env.unread(messageDamaged, err) },
	})
	if err = env.done(err); err != nil {
		return targetError(mainFile(c.DB), err)
	}
	env.making = ""
	for _, name := range result.Files {
		env.made(madeTarget{Path: filepath.Join(filepath.Dir(c.DB), name)})
	}
	if !env.setResult(result, false) {
		_, err = fmt.Fprintf(env.text, "%s: %s\n", strings.Join(result.Files, " "), plural(result.Records, "record"))
	}
	for _, s := range result.Skipped {
		fmt.Fprintf(env.stderr, "cbkit: left out %s: %s; --files chooses others\n", strings.Join(s.Files, " "), s.Reason)
	}
	return cmp.Or(err, reportedIf(len(result.Skipped) > 0))
}

// compare is the verb with --check.
func (c *boostersCmd) compare(env *environment) error {
	bar := newProgress(env.stderr, c.Quiet, -1, "boosters", "records")
	list, err := check.Boosters(env.ctx, c.DB, check.Options{
		Files: c.Files, Jobs: int(c.Jobs), Progress: bar.set,
		Undecoded: func(_ model.RecordID, err error) { env.unread(messageDamaged, err) },
	})
	bar.done()
	if err != nil {
		return err
	}
	wrong, wide := false, 16
	for _, b := range list {
		wrong, wide = wrong || b.State == check.BoosterWrong, max(wide, len(b.File))
	}
	if c.JSON {
		err, list = env.answer(list), nil
	}
	for _, b := range list {
		line := fmt.Sprintf("%-*s %s", wide, b.File, b.State)
		if b.State == check.BoosterStale {
			line += fmt.Sprintf(": it ends at record %d", b.Covers)
		}
		fmt.Fprintln(env.text, line)
		for _, f := range b.Findings {
			if err == nil {
				err = printWords(env.text, "  ", f.String())
			}
		}
	}
	return cmp.Or(err, reportedIf(wrong))
}
