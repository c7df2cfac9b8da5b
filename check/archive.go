package check

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"cbkit/archive"
	"cbkit/model"
)

// Archive checks the table and every block of every file of an archive, which must have
// been opened with archive.Options.KeepGoing. [Database] with [Options].FS checks the
// databases in it. Records of the summary are blocks. Damage is a finding; an error means
// that the archive could not be read.
//
// With [Options].Verify it packs every block again as ChessBase does, and rewrites header
// and table, and compares the bytes. The archive itself is the first file of the report,
// with the records of its table; each member follows, with its blocks. Members that
// cannot be read are in Unreadable. A stored block counts as exact even if ChessBase
// would have packed it; the name of the part says so. Bytes after names count as trash.
func Archive(ctx context.Context, a *archive.Archive, opt Options) *Check {
	return newCheck(ctx, &opt, func(ctx context.Context, i *inspection) (Report, error) {
		i.begin(Summary{Database: a.Name()})
		p := &archivePass{
			inspection: i, a: a,
			verified: Report{Database: a.Name(), Files: []FileReport{newFileReport(a.Name(), &opt)}},
			at:       make([]int, len(a.Members())),
		}
		blocks := a.Blocks(ctx)
		if opt.Verify {
			blocks = a.Verify(ctx)
		}
		err := p.table()
		if err == nil {
			err = p.blocks(blocks)
		}
		if err == nil {
			p.out.finish()
		}
		if !opt.Verify {
			p.verified = Report{}
		}
		return p.verified, err
	})
}

// archivePass is one way through an archive. What is verified means nothing if the
// blocks were not packed again.
type archivePass struct {
	*inspection
	a        *archive.Archive
	verified Report
	at       []int // the reports on the members in it
}

// addFault reports an error as a finding. A block, and the header, are no records
// and have no fields.
func (p *archivePass) addFault(code *Code, err error) {
	if e, ok := errors.AsType[*model.FormatError](err); ok && e.Record < 0 && e.Field != "" {
		p.add(code, place{File: e.File, Record: e.Record, Offset: e.Offset}, "%s at 0x%x: %v", e.Field, e.Offset, e.Err)
		return
	}
	p.addStated(code, inFile(p.a.Name()), err)
}

// table judges header and table.
func (p *archivePass) table() error {
	verdicts, err := p.a.VerifyTable()
	if err != nil {
		return err
	}
	members := p.a.Members()
	for _, v := range verdicts {
		c := Case{Outcome: outcomeExact, Part: "record", Record: int64(v.Record), Offset: v.Offset}
		switch v.Record {
		case 0:
			c.Part, c.Record = "header", -1
		case -1:
			c.Part = "end"
		}
		switch v.Outcome {
		case archive.Slack:
			c.Outcome, c.Field, c.Message = outcomeTrash, "name", "memory of the program that wrote it behind the name"
		case archive.Different:
			c.Outcome, c.Message = outcomeDifferent, v.Err.Error()
			if e, ok := errors.AsType[*model.FormatError](v.Err); ok {
				c.Field, c.Message = e.Field, e.Err.Error()
			}
		}
		p.verified.Files[0].add(c, v.Size, 0)
		damaged := v.Record > 0 && members[v.Record-1].Err != nil
		if v.Err != nil && !damaged {
			p.addFault(archiveTable, v.Err)
		}
	}
	for i := range members {
		m := &members[i]
		p.out.summary.Files = append(p.out.summary.Files, m.Name)
		if m.Err != nil {
			p.addFault(archiveMember, m.Err)
			p.verified.Unreadable = append(p.verified.Unreadable, newUnreadable(p.a.Name(), m.Err))
			continue
		}
		p.at[i] = len(p.verified.Files)
		p.verified.Files = append(p.verified.Files, newFileReport(m.Name, p.opt))
		if !m.Stamp.Valid() {
			p.addFault(archiveStamp, &model.FormatError{
				File: p.a.Name(), Offset: -1, Record: int64(i) + 1, Field: "date",
				Err: fmt.Errorf("%08d %08d is no date and time", m.Stamp.Date, m.Stamp.Time),
			})
		}
	}
	return nil
}

// blocks takes all blocks.
func (p *archivePass) blocks(blocks iter.Seq2[archive.Block, error]) error {
	members, total := p.a.Members(), 0
	for _, m := range members {
		total += int((m.Size + archive.BlockSize - 1) / archive.BlockSize) // if all are full
	}
	for b, err := range blocks {
		if b.Member < 0 {
			return err
		}
		m := &members[b.Member]
		name := p.a.Name() + ":" + m.Name
		if err != nil {
			p.addFault(archiveBlock, err)
			p.verified.Unreadable = append(p.verified.Unreadable, newUnreadable(name, err))
			continue
		}
		isShort := !b.Last && len(b.Data) < archive.BlockSize
		if isShort {
			p.addFault(archiveShortBlock, &model.FormatError{
				File: name, Offset: b.Offset, Record: -1,
				Field: fmt.Sprintf("block %d", b.Number), Err: fmt.Errorf("it holds %s", quantity(len(b.Data), "byte")),
			})
		}
		if b.Number > 0 {
			c := Case{Outcome: outcomeExact, Part: "block, " + b.Mode.String(), Record: int64(b.Number), Offset: b.Offset}
			switch b.Outcome {
			case archive.LeftStored:
				c.Part = "block, stored though packing makes it smaller"
			case archive.Different:
				c.Outcome = outcomeDifferent
				if c.Message = "packed otherwise than ChessBase packs it"; isShort {
					c.Message = fmt.Sprintf("holds %s, and is not the last", quantity(len(b.Data), "byte"))
				}
			}
			p.verified.Files[p.at[b.Member]].add(c, int64(b.Packed), 0)
			p.out.summary.Records++
		}
		if p.opt.Progress != nil {
			p.opt.Progress(p.out.summary.Records, total)
		}
	}
	return nil
}
