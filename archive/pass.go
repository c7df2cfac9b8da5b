package archive

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"sync/atomic"

	"cbkit/internal/jobs"
	"cbkit/model"
)

// Block is a block of a member, unpacked.
type Block struct {
	// Member is the number of the member in [Archive.Members].
	Member int
	// Number is that of the block in its member, from 1 on. A member without blocks, an
	// empty file, is yielded as one block with the number 0.
	Number int
	// Offset is where the block begins in the archive, Packed its size there.
	Offset int64
	Packed int
	Mode   Mode
	// Data is the content, valid until the next step.
	Data []byte
	// Last is true for the last block of its member.
	Last bool
	// Outcome is the result of packing the content again, set by [Archive.Verify].
	Outcome Outcome
}

// maxWorkers bounds the memory of a pass: each takes about half a megabyte.
const maxWorkers = 16

// readAhead is how much of a stream is read at once, in bytes.
const readAhead = 256 << 10

// workers returns how many goroutines pack or unpack when n are asked for.
func workers(n int) int { return min(jobs.Count(n), maxWorkers) }

// Blocks unpacks all blocks of all members that can be read, on several
// processors, and yields them in the order of the table. After an error that
// names a member the rest of that member is left out and the next one follows;
// Block.Member is set then. After the error of ctx nothing follows.
func (a *Archive) Blocks(ctx context.Context) iter.Seq2[Block, error] {
	return func(yield func(Block, error) bool) {
		a.pass(ctx, (*blockWork).unpack, yield)
	}
}

// blockWork is a block on its way through a pass. Its memory is used again.
type blockWork struct {
	Block
	sum     uint16
	payload []byte
	err     error // what is wrong with the block
	reader  blockReader
	writer  *blockWriter // for those who pack it again
}

// unpack fills in the content.
func (b *blockWork) unpack() {
	b.Data = nil
	if b.err != nil || b.Number == 0 {
		return
	}
	b.Data, b.err = b.reader.unpack(b.sum, b.payload)
}

// pass takes all blocks through work, in parallel, and yields them in order, and last an
// error that concerns none of them.
func (a *Archive) pass(ctx context.Context, work func(*blockWork), yield func(Block, error) bool) {
	if a.closed.Load() {
		yield(Block{Member: -1}, fmt.Errorf("%s: %w", a.name, fs.ErrClosed))
		return
	}
	s := &streams{a: a, in: bufio.NewReaderSize(nil, readAhead)}
	s.failed.Store(-1)
	t := tally{a: a, member: -1, failed: &s.failed}
	p := jobs.Pipeline[*blockWork]{
		Jobs:   workers(a.opt.Jobs),
		Create: func() *blockWork { return &blockWork{payload: make([]byte, 0, maxPayload)} },
		Fill:   s.fill,
		Work:   work,
		Take: func(b *blockWork) bool {
			if int64(b.Member) == s.failed.Load() {
				return true
			}
			err := t.judge(b) // may give the data up
			return yield(b.Block, err)
		},
	}
	if err := p.Run(ctx); err != nil {
		yield(Block{Member: -1}, err)
	}
}

// streams reads the frames and payloads of all members, one after the other.
type streams struct {
	a      *Archive
	member int // the one after that which is being read
	number int // of its block that was read last
	at     int64
	rest   int64 // bytes of its stream that are left
	in     *bufio.Reader
	failed atomic.Int64 // the member that is given up
}

// fill reads the next block; false if there is none.
func (s *streams) fill(b *blockWork) bool {
	if s.rest == 0 || s.failed.Load() == int64(s.member-1) {
		for s.member < len(s.a.members) && s.a.members[s.member].Err != nil {
			s.member++
		}
		if s.member == len(s.a.members) {
			return false
		}
		m := &s.a.members[s.member]
		s.number, s.at, s.rest = 0, m.Offset, m.Packed
		s.in.Reset(io.NewSectionReader(s.a.src, m.Offset, m.Packed))
		s.member++
	}
	b.Block = Block{Member: s.member - 1, Offset: s.at, Last: s.rest == 0}
	b.err = nil
	if s.rest > 0 {
		s.number++
		b.Number = s.number
		b.err = s.readBlock(b)
		if b.err != nil {
			s.rest = 0
		}
		b.Last = s.rest == 0
	}
	return true
}

// readBlock reads frame and payload.
func (s *streams) readBlock(b *blockWork) error {
	head := make([]byte, min(frameSize, s.rest))
	if err := s.readFull(head); err != nil {
		return err
	}
	f, err := parseFrame(head, s.rest)
	if err != nil {
		return err
	}
	b.Packed = frameSize + f.length
	b.sum, b.payload = f.checksum, b.payload[:f.length]
	if err := s.readFull(b.payload); err != nil {
		return err
	}
	b.Mode = Mode(b.payload[0])
	s.at += int64(b.Packed)
	s.rest -= int64(b.Packed)
	return nil
}

// readFull fills b from the stream.
func (s *streams) readFull(b []byte) error {
	_, err := io.ReadFull(s.in, b)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return model.ErrTruncated
	}
	return err
}

// tally compares what comes out with the sizes of the table.
type tally struct {
	a      *Archive
	member int
	size   int64
	failed *atomic.Int64
}

// judge returns what is wrong with a block, or with its member so far, which is
// given up then.
func (t *tally) judge(b *blockWork) error {
	if t.member != b.Member {
		t.member, t.size = b.Member, 0
	}
	err := b.err
	t.size += int64(len(b.Data))
	if want := t.a.members[b.Member].Size; err == nil {
		switch {
		case len(b.Data) == 0 && want > 0:
			err = errNoContent
		case t.size > want:
			err = corrupt("the blocks hold more than the %d bytes of the file", want)
		case b.Last && t.size < want:
			err = corrupt("the blocks hold %d bytes, the file has %d", t.size, want)
		}
	}
	if err == nil {
		return nil
	}
	t.failed.Store(int64(b.Member))
	b.Data = nil
	return t.a.wrongBlock(b.Member, b.Number, b.Offset, err)
}

// Modes counts the blocks of a member by [Mode].
type Modes [len(modeNames)]int

// Modes counts the blocks of a member by mode. It reads the heads of the blocks
// only.
func (a *Archive) Modes(member int) (Modes, error) {
	var modes Modes
	m := &a.members[member]
	if m.Err != nil {
		return modes, m.Err
	}
	for at, number := int64(0), 1; at < m.Packed; number++ {
		f, mode, err := a.frameAt(m, at)
		if err == nil && int(mode) >= len(modes) {
			err = corrupt("%v is not known", mode)
		}
		if err != nil {
			return modes, a.wrongBlock(member, number, m.Offset+at, err)
		}
		modes[mode]++
		at += frameSize + int64(f.length)
	}
	return modes, nil
}

// frameAt reads the frame of the block at a place in a member's stream and its
// mode.
func (a *Archive) frameAt(m *Member, at int64) (frame, Mode, error) {
	var room [smallestAny]byte
	b := room[:min(smallestAny, m.Packed-at)]
	if err := a.read(b, m.Offset+at); err != nil {
		return frame{}, 0, err
	}
	f, err := parseFrame(b, m.Packed-at)
	return f, Mode(room[frameSize]), err
}

// huffmanSizeAt returns how many bytes come out of the Huffman data of a block.
func (a *Archive) huffmanSizeAt(m *Member, at int64, f frame) (int, error) {
	if f.length < 3 {
		return 0, errHuffmanCut
	}
	var b [2]byte
	if err := a.read(b[:], m.Offset+at+smallestAny); err != nil {
		return 0, err
	}
	return int(binary.BigEndian.Uint16(b[:])), nil
}
