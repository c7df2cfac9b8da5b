package check

import (
	"context"
	"errors"
	"fmt"

	"cbkit/archive"
	"cbkit/model"
)

// Archive checks an archive, which is to be opened with archive.Options.KeepGoing:
// its table, and every block of every file. The databases in it are the business
// of [Database] with [Options.FS]. Records of the summary are blocks. Damage is a
// finding; an error means that the archive could not be read.
func Archive(ctx context.Context, a *archive.Archive, opt Options, report func(Finding)) (Summary, error) {
	c := &archiveChecker{a: a, opt: &opt, out: newReporter(Summary{Database: a.Name()}, &opt, report)}
	c.see = c.out.see
	if err := c.table(); err != nil {
		return c.out.summary, err
	}
	err := c.blocks(ctx)
	if err == nil {
		c.out.finish()
	}
	return c.out.summary, err
}

// archiveChecker is one run of [Archive].
type archiveChecker struct {
	findings
	a   *archive.Archive
	opt *Options
	out reporter
}

// addError reports an error as a finding. A block, and the header, are no records
// and have no fields.
func (c *archiveChecker) addError(code string, err error) {
	var e *model.FormatError
	if errors.As(err, &e) && e.Record < 0 && e.Field != "" {
		c.add(code, place{File: e.File, Record: e.Record, Offset: e.Offset}, "%s at 0x%x: %v", e.Field, e.Offset, e.Err)
		return
	}
	c.addStated(code, inFile(c.a.Name()), err)
}

// table judges header and table.
func (c *archiveChecker) table() error {
	verdicts, err := c.a.VerifyTable()
	if err != nil {
		return err
	}
	members := c.a.Members()
	for _, v := range verdicts {
		damaged := v.Record > 0 && members[v.Record-1].Err != nil
		if v.Err != nil && !damaged {
			c.addError(archiveTable, v.Err)
		}
	}
	for i := range members {
		m := &members[i]
		c.out.summary.Files = append(c.out.summary.Files, m.Name)
		if m.Err != nil {
			c.addError(archiveMember, m.Err)
		} else if !m.Stamp.Valid() {
			c.addError(archiveStamp, &model.FormatError{
				File: c.a.Name(), Offset: -1, Record: int64(i) + 1, Field: "date",
				Err: fmt.Errorf("%08d %08d is no date and time", m.Stamp.Date, m.Stamp.Time),
			})
		}
	}
	return nil
}

// blocks unpacks everything.
func (c *archiveChecker) blocks(ctx context.Context) error {
	total := blockCount(c.a)
	for b, err := range c.a.Blocks(ctx) {
		switch {
		case b.Member < 0:
			return err
		case err != nil:
			c.addError(archiveBlock, err)
			continue
		case !b.Last && len(b.Data) < archive.BlockSize:
			c.addError(archiveShortBlock, &model.FormatError{
				File: c.a.Name() + ":" + c.a.Members()[b.Member].Name, Offset: b.Offset, Record: -1,
				Field: fmt.Sprintf("block %d", b.Number), Err: fmt.Errorf("it holds %s", quantity(len(b.Data), "byte")),
			})
		}
		if b.Number > 0 {
			c.out.summary.Records++
		}
		if c.opt.Progress != nil {
			c.opt.Progress(c.out.summary.Records, total)
		}
	}
	return nil
}

// blockCount returns how many blocks an archive has if all are full.
func blockCount(a *archive.Archive) int {
	n := 0
	for _, m := range a.Members() {
		n += int((m.Size + archive.BlockSize - 1) / archive.BlockSize)
	}
	return n
}

// VerifyArchive unpacks every block of an archive, packs it again as ChessBase
// does and compares the bytes; likewise header and table. The archive itself is
// the first file of the report, with the records of its table; each member is
// another, with its blocks. What cannot be read is in Unreadable, as far as
// archive.Options.KeepGoing opens it.
//
// A stored block is exact though ChessBase would have packed it: the note of the
// part says so. Memory behind names is trash.
func VerifyArchive(ctx context.Context, a *archive.Archive, opt Options) (Report, error) {
	r := Report{Database: a.Name(), Files: []FileReport{newFileReport(a.Name(), &opt)}}
	verdicts, err := a.VerifyTable()
	if err != nil {
		return r, err
	}
	for _, v := range verdicts {
		verifyVerdict(&r.Files[0], v)
	}
	members := a.Members()
	at := make([]int, len(members)) // in r.Files
	for i := range members {
		if err := members[i].Err; err != nil {
			r.Unreadable = append(r.Unreadable, newUnreadable(a.Name(), err))
			continue
		}
		at[i] = len(r.Files)
		r.Files = append(r.Files, newFileReport(members[i].Name, &opt))
	}
	done, total := 0, blockCount(a)
	for b, err := range a.Verify(ctx) {
		switch {
		case b.Member < 0:
			return r, err
		case err != nil:
			name := a.Name() + ":" + members[b.Member].Name
			r.Unreadable = append(r.Unreadable, newUnreadable(name, err))
		case b.Number > 0:
			verifyBlock(&r.Files[at[b.Member]], &b)
		}
		if done++; opt.Progress != nil {
			opt.Progress(done, total)
		}
	}
	return r, nil
}

// verdictParts name the parts of header and table by their record: the header, the
// end; all others are records.
var verdictParts = map[int]string{0: "header", -1: "end"}

// verifyVerdict counts a part of header and table.
func verifyVerdict(f *FileReport, v archive.Verdict) {
	c := Case{Outcome: Exact, Part: "record", Record: int64(v.Record), Offset: v.Offset}
	if part, ok := verdictParts[v.Record]; ok {
		c.Part, c.Record = part, -1
	}
	switch v.Outcome {
	case archive.Slack:
		c.Outcome, c.Field, c.Message = Trash, "name", "memory of the program that wrote it behind the name"
	case archive.Different:
		c.Outcome, c.Message = Different, v.Err.Error()
		var e *model.FormatError
		if errors.As(v.Err, &e) {
			c.Field, c.Message = e.Field, e.Err.Error()
		}
	}
	f.add(c, v.Size, 0)
}

// verifyBlock counts a block.
func verifyBlock(f *FileReport, b *archive.Block) {
	c := Case{Outcome: Exact, Part: "block, " + b.Mode.String(), Record: int64(b.Number), Offset: b.Offset}
	switch b.Outcome {
	case archive.LeftStored:
		c.Part = "block, stored though packing makes it smaller"
	case archive.Different:
		c.Outcome = Different
		if c.Message = "packed otherwise than ChessBase packs it"; !b.Last && len(b.Data) < archive.BlockSize {
			c.Message = fmt.Sprintf("holds %s, and is not the last", quantity(len(b.Data), "byte"))
		}
	}
	f.add(c, int64(b.Packed), 0)
}
