package booster

import (
	"encoding/binary"
	"hash/crc32"
	"io"

	"cbkit/internal/wire"
)

// Changed is a file that a transaction changes, of package journal.
type Changed interface {
	io.ReaderAt
	Size() int64
	// IsNew reports whether all of the content is new.
	IsNew() bool
	// Differences calls do with the parts that differ, in order, as far as there
	// were bytes before and are now.
	Differences(do func(at int64, was, is []byte) error) error
}

// Follow makes the sums of a file those of what it has become, in a seal that fits
// what it was, and was of the given size, NoState if it was not there. It reads
// what has changed and what has come, and not what has stayed: a sum follows from
// the old sum and the difference, since CRCs are linear. So a part that did not fit
// its sum before does not fit it after.
func Follow(seal readWriterAt, ext string, was State, f Changed) error {
	c := follower{seal: seal, file: column(ext), was: max(was.Size, 0), f: f}
	size := f.Size()
	if f.IsNew() {
		return c.extend(0, size)
	}
	if err := f.Differences(c.differ); err != nil {
		return err
	}
	if err := c.flush(); err != nil {
		return err
	}
	if size < c.was {
		return c.extend(size-size%SealChunk, size)
	}
	return c.extend(c.was, size)
}

// readWriterAt is the file of a seal.
type readWriterAt interface {
	io.ReaderAt
	io.WriterAt
}

// follower changes the sums of one file.
type follower struct {
	seal readWriterAt
	file int
	was  int64
	f    Changed

	chunk int64  // the part whose differences are collected
	delta []byte // what was there and what is there, added without carry; nil if there is none
}

// sum reads the sum of a part.
func (c *follower) sum(n int64) (uint32, error) {
	b := make([]byte, sumSize)
	if got, err := c.seal.ReadAt(b, sumAt(c.file, n)); got < len(b) {
		if err == io.EOF {
			err = ErrNoSeal // it is cut
		}
		return 0, err
	}
	return binary.LittleEndian.Uint32(b), nil
}

func (c *follower) setSum(n int64, sum uint32) error {
	_, err := c.seal.WriteAt(wire.AppendU32LE(nil, sum), sumAt(c.file, n))
	return err
}

// differ takes a difference.
func (c *follower) differ(at int64, was, is []byte) error {
	if n := at / SealChunk; c.delta == nil || n != c.chunk {
		if err := c.flush(); err != nil {
			return err
		}
		c.chunk, c.delta = n, make([]byte, min(SealChunk, c.was-n*SealChunk))
	}
	part := c.delta[at%SealChunk:]
	for i := range was {
		part[i] = was[i] ^ is[i]
	}
	return nil
}

// flush puts the differences of a part into its sum.
func (c *follower) flush() error {
	if c.delta == nil {
		return nil
	}
	sum, err := c.sum(c.chunk)
	if err != nil {
		return err
	}
	sum ^= crc32.Checksum(c.delta, castagnoli)
	clear(c.delta)
	sum ^= crc32.Checksum(c.delta, castagnoli)
	c.delta = nil
	return c.setSum(c.chunk, sum)
}

// extend sums what lies between two places, of which the first is the end of what
// is summed already.
func (c *follower) extend(from, to int64) error {
	buf := make([]byte, min(SealChunk, max(to-from, 0)))
	for from < to {
		n := from / SealChunk
		part := buf[:min(to, (n+1)*SealChunk)-from]
		if got, err := c.f.ReadAt(part, from); got < len(part) {
			return err
		}
		sum := uint32(0)
		if from%SealChunk != 0 {
			var err error
			if sum, err = c.sum(n); err != nil {
				return err
			}
		}
		if err := c.setSum(n, crc32.Update(sum, castagnoli, part)); err != nil {
			return err
		}
		from += int64(len(part))
	}
	return nil
}
