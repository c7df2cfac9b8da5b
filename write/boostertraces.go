package write

import (
	"fmt"

	"cbkit/internal/cbh"
	"cbkit/internal/derive"
	"cbkit/model"
)

// traceBuilder makes a .cbb file: for every game, where its pieces stood.
type traceBuilder struct {
	out *blockFile
	buf []byte
	// undecoded is told of games that stay without a trace.
	undecoded func(model.RecordID, error)
}

func newTraceBuilder(out *boosterFiles, records model.RecordID) (*traceBuilder, error) {
	file, err := out.create(".cbb", 0)
	if err != nil {
		return nil, err
	}
	head := cbh.NewTraceHeader(int(records))
	return &traceBuilder{out: file}, file.append(head.Append(nil))
}

// addText takes a guiding text, whose record is all zeros.
func (b *traceBuilder) addText() error { return b.addTrace(&cbh.GameTrace{}) }

// addGame takes a game, or the error in its place. The record of a game that
// cannot be played through is all zeros too.
func (b *traceBuilder) addGame(rec model.Record, err error) error {
	var trace cbh.GameTrace
	if g := rec.Game; err == nil && g != nil {
		if err = g.MovesErr; err == nil {
			trace, err = derive.Trace(g.Start, &g.Moves)
		}
	}
	if err != nil && b.undecoded != nil {
		b.undecoded(rec.ID, err)
	}
	return b.addTrace(&trace)
}

func (b *traceBuilder) addTrace(t *cbh.GameTrace) error {
	b.buf = t.Append(b.buf[:0])
	return b.out.append(b.buf)
}

// finish completes the file.
func (b *traceBuilder) finish() error { return b.out.finish(nil) }

// offsetBuilder makes a .cbgi file: where the moves of every game are in the
// .cbg file.
type offsetBuilder struct {
	out *blockFile
	buf []byte
}

func newOffsetBuilder(out *blockFile, records model.RecordID) (*offsetBuilder, error) {
	return &offsetBuilder{out: out}, out.append(cbh.AppendOffset(nil, uint32(records)))
}

// add takes the stored header of the next record.
func (b *offsetBuilder) add(id model.RecordID, head []byte) error {
	offset, err := gameOffset(head)
	if err != nil {
		return fmt.Errorf("record %d: %w", id, err)
	}
	b.buf = cbh.AppendOffset(b.buf[:0], offset)
	return b.out.append(b.buf)
}

// gameOffset is the entry of a record; that of a text is 0.
func gameOffset(head []byte) (uint32, error) {
	r, err := cbh.DecodeGameRecord(head)
	if err != nil || r.Type.IsText() {
		return 0, err
	}
	return r.MovesOffset, nil
}

// finish fills the file up to its full size.
func (b *offsetBuilder) finish(records model.RecordID) error {
	zeros := make([]byte, blockBuffer)
	for left := cbh.OffsetsSize(int(records)) - b.out.size; left > 0; {
		n := min(left, int64(len(zeros)))
		if err := b.out.append(zeros[:n]); err != nil {
			return err
		}
		left -= n
	}
	return b.out.finish(nil)
}
