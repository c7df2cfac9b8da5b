package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"

	"cbkit/model"
)

// Outcome is the result of packing a block, or writing a record, again.
type Outcome uint8

// The outcomes.
const (
	// Exact: the same bytes came out.
	Exact Outcome = iota
	// LeftStored: the block is stored, which is legal, and ChessBase would have
	// packed it.
	LeftStored
	// Slack: the same bytes came out, except for garbage after a name.
	Slack
	// Different: other bytes came out.
	Different
)

// String returns a word.
func (o Outcome) String() string {
	return [...]string{Exact: "exact", LeftStored: "left stored", Slack: "slack", Different: "different"}[o]
}

// Verify unpacks all blocks as [Archive.Blocks] does, packs them again as ChessBase does,
// and yields them with the result in [Block].Outcome.
func (a *Archive) Verify(ctx context.Context) iter.Seq2[Block, error] {
	return func(yield func(Block, error) bool) {
		work := func(b *blockWork) {
			if b.unpack(); b.err != nil || b.Number == 0 {
				return
			}
			if b.writer == nil {
				b.writer = new(blockWriter)
			}
			again := b.writer.pack(b.Data, false)[frameSize:]
			switch {
			case !b.Last && len(b.Data) != BlockSize:
				b.Outcome = Different
			case bytes.Equal(again, b.payload):
				b.Outcome = Exact
			case b.Mode == Stored:
				b.Outcome = LeftStored
			default:
				b.Outcome = Different
			}
		}
		a.pass(ctx, work, yield)
	}
}

// Verdict is the result of writing the header, or a record of the table, again.
type Verdict struct {
	// Record is the number of the file, from 1; 0 is the header, and -1 what
	// follows the last stream.
	Record int
	// Offset is where it begins in the archive, Size how large it is, in bytes.
	Offset, Size int64
	Outcome      Outcome
	// Err says what is Different, nil otherwise.
	Err error
}

// VerifyTable makes header and table again from what was read of them, and
// compares: the header, each record, and that nothing follows the last stream.
func (a *Archive) VerifyTable() ([]Verdict, error) {
	stored := make([]byte, a.head.tableEnd())
	if err := a.read(stored, 0); err != nil {
		return nil, a.wrong(0, "", err)
	}
	v := Verdict{Size: headerSize}
	again := header{len(a.members), recordSize, version}.append(nil)
	if !bytes.Equal(again, stored[:headerSize]) {
		v.Outcome = Different
		v.Err = a.wrong(0, "header", fmt.Errorf("stored % x, written % x", stored[:headerSize], again))
	}
	verdicts := []Verdict{v}
	end := a.head.tableEnd()
	for i := range a.members {
		m := &a.members[i]
		at := headerSize + int64(i)*int64(a.head.recordSize)
		again := entry{m.Name, end, m.Packed, m.Size, recordMark, m.Stamp}
		verdicts = append(verdicts, a.verifyRecord(i, at, stored[at:][:a.head.recordSize], &again))
		end += m.Packed
	}
	v = Verdict{Record: -1, Offset: end, Size: a.size - end}
	if v.Err = a.verifyEnd(end); v.Err != nil {
		v.Outcome = Different
	}
	return append(verdicts, v), nil
}

// nameOf returns the name in a record of the table.
func nameOf(record []byte) []byte {
	name, _, _ := bytes.Cut(record[:nameSize], []byte{0})
	return name
}

// verifyRecord compares a record of the table.
func (a *Archive) verifyRecord(i int, at int64, stored []byte, e *entry) Verdict {
	v := Verdict{Record: i + 1, Offset: at, Size: int64(len(stored))}
	again, err := e.append(nil, a.page)
	switch {
	case err == nil && bytes.Equal(again, stored):
		return v
	case err == nil && len(stored) == len(again) && bytes.Equal(again[nameSize:], stored[nameSize:]) &&
		bytes.Equal(nameOf(again), nameOf(stored)): // but for the memory behind the name
		v.Outcome = Slack
		return v
	case err == nil:
		err = fmt.Errorf("the record is not what is written for %q at %d", e.name, e.offset)
	}
	v.Outcome = Different
	v.Err = &model.FormatError{File: a.name, Offset: at, Record: int64(i) + 1, Err: err}
	return v
}

// verifyEnd compares the end of the last stream with that of the file. A plain
// archive may have the padding of the enciphered one that it was made of.
func (a *Archive) verifyEnd(end int64) error {
	rest := a.size - end
	if rest < 0 || rest >= cipherSize {
		return a.wrong(end, "", fmt.Errorf("%d bytes follow the last stream", rest))
	}
	padding := make([]byte, rest)
	if err := a.read(padding, end); err != nil {
		return a.wrong(end, "", err)
	}
	if !bytes.Equal(padding, make([]byte, rest)) {
		return a.wrong(end, "", errors.New("the padding is not zero"))
	}
	return nil
}
