package archive

import (
	"bytes"
	"context"
	"fmt"
	"iter"

	"cbkit/model"
)

// Outcome is what packing a block again came to.
type Outcome uint8

// The outcomes.
const (
	// Exact: the same bytes came out.
	Exact Outcome = iota
	// LeftStored: the block is stored, which is legal, and ChessBase would have
	// packed it.
	LeftStored
	// Different: other bytes came out.
	Different
)

// String returns a word.
func (o Outcome) String() string {
	return [...]string{Exact: "exact", LeftStored: "left stored", Different: "different"}[o]
}

// Verify unpacks all blocks as [Archive.Blocks] does, packs them again as
// ChessBase does, and yields them with what came of it; see [Block.Outcome].
func (a *Archive) Verify(ctx context.Context) iter.Seq2[Block, error] {
	return func(yield func(Block, error) bool) {
		work := func(b *blockWork) {
			if b.unpack(); b.err == nil && b.Number > 0 {
				b.verify()
			}
		}
		a.pass(ctx, work, func(b *blockWork, err error) bool {
			if b == nil {
				return yield(Block{Member: -1}, err)
			}
			return yield(b.Block, err)
		})
	}
}

// verify packs the content again and compares.
func (b *blockWork) verify() {
	if b.writer == nil {
		b.writer = new(blockWriter)
	}
	again := b.writer.pack(b.Data, false)[frameSize:]
	switch {
	case !b.Last && len(b.Data) != blockSize:
		b.Outcome = Different
	case bytes.Equal(again, b.payload):
		b.Outcome = Exact
	case b.Mode == Stored:
		b.Outcome = LeftStored
	default:
		b.Outcome = Different
	}
}

// VerifyTable makes header and table anew from what was read of them and returns
// what is different, besides the memory behind names, which no writer controls:
// one error for each place.
func (a *Archive) VerifyTable() ([]error, error) {
	stored := make([]byte, a.head.tableEnd())
	if err := a.read(stored, 0); err != nil {
		return nil, a.wrong(0, "", err)
	}
	var different []error
	head := header{len(a.members), recordSize, version}.append(nil)
	if !bytes.Equal(head, stored[:headerSize]) {
		different = append(different, a.wrong(0, "header", fmt.Errorf("stored % x, written % x", stored[:headerSize], head)))
	}
	if a.head.recordSize != recordSize {
		return different, nil // an old archive, whose records are not written any more
	}
	end := a.head.tableEnd()
	for i := range a.members {
		m := &a.members[i]
		e := entry{m.Name, end, m.Packed, m.Size, recordMark, m.Stamp}
		end += m.Packed
		at := headerSize + int64(i)*recordSize
		again, err := e.append(nil, a.page)
		if err == nil && sameRecord(again, stored[at:at+recordSize]) {
			continue
		}
		if err == nil {
			err = fmt.Errorf("the record is not what is written for %q at %d", m.Name, e.offset)
		}
		different = append(different, &model.FormatError{File: a.name, Offset: at, Record: int64(i) + 1, Err: err})
	}
	err := a.verifyEnd(end)
	if err != nil {
		different = append(different, err)
	}
	return different, nil
}

// verifyEnd compares the end of the last stream with that of the file. A plain
// archive may have the padding of the enciphered one that it was made of.
func (a *Archive) verifyEnd(end int64) error {
	rest := a.size - end
	if rest < 0 || rest >= cipherSize || a.Enciphered() && (end+rest)%cipherSize != 0 {
		return a.wrong(end, "", fmt.Errorf("%d bytes follow the last stream", rest))
	}
	padding := make([]byte, rest)
	if err := a.read(padding, end); err != nil {
		return a.wrong(end, "", err)
	}
	if !bytes.Equal(padding, make([]byte, rest)) {
		return a.wrong(end, "", fmt.Errorf("the padding is not zero"))
	}
	return nil
}
