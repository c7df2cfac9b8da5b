package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"cbkit/internal/atomicset"
	"cbkit/model"
)

// CreateOptions configures [Create].
type CreateOptions struct {
	WriterOptions
	// Force allows a file that is there to be replaced.
	Force bool
	// Wait is how long to wait for another process that writes the archive; 0
	// is not at all.
	Wait time.Duration
}

// Create writes an archive of the files, in their order, to a file that appears
// when it is complete. [Files] gives the files of a database in ChessBase's
// order.
//
// Errors wrap fs.ErrExist if there is a file of that name, model.ErrChanged if a file
// changed meanwhile, and those of [Write].
func Create(ctx context.Context, path string, files []File, opt CreateOptions) (err error) {
	f, err := atomicset.NewFile(path, atomicset.Options{Force: opt.Force, Wait: opt.Wait, Context: ctx})
	if err != nil {
		return err
	}
	written := false
	defer func() { // also where a file of the caller panics
		if !written {
			err = errors.Join(err, f.Abort())
		}
	}()
	if _, err := Write(ctx, f, files, opt.WriterOptions); err != nil {
		return err
	}
	written = true
	return f.Commit()
}

// steady is a file that must not change while it is read.
type steady struct {
	fs.File
	name   string
	before fs.FileInfo
	read   int64
}

// Read implements io.Reader.
func (s *steady) Read(b []byte) (int, error) {
	n, err := s.File.Read(b)
	s.read += int64(n)
	if s.read > s.before.Size() {
		return n, changedError(s.name)
	}
	return n, err
}

// Close implements io.Closer.
func (s *steady) Close() error {
	var err error
	if s.read != s.before.Size() {
		err = changedError(s.name)
	}
	return errors.Join(err, s.File.Close())
}

func changedError(name string) error {
	return fmt.Errorf("%s: %w while it was being packed", name, model.ErrChanged)
}

// outFile is the file of an archive that is being written: streams one after
// the other, then, at the beginning, header and table. It holds back so much
// that cipher blocks are whole.
type outFile struct {
	to    io.WriterAt
	crypt func(dst, src []byte) // nil for a plain archive
	head  []byte                // room for header and table, and the rest of their last cipher block
	used  int                   // of head
	buf   []byte                // what follows what was written
	begin int64                 // where buf begins
	at    int64                 // where the next byte goes
}

// writeAhead is how much is written at once, in bytes: whole cipher blocks.
const writeAhead = 256 << 10

// write appends to the streams.
func (o *outFile) write(b []byte) error {
	o.at += int64(len(b))
	n := copy(o.head[o.used:], b)
	o.used += n
	for b = b[n:]; len(b) > 0; b = b[n:] {
		n = min(len(b), writeAhead-len(o.buf))
		o.buf = append(o.buf, b[:n]...)
		if len(o.buf) == writeAhead {
			if err := o.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush writes the buffer.
func (o *outFile) flush() error {
	if len(o.buf) == 0 {
		return nil
	}
	err := o.put(o.buf, o.begin)
	o.begin += int64(len(o.buf))
	o.buf = o.buf[:0]
	return err
}

// put writes bytes to their place, enciphered in an enciphered archive.
func (o *outFile) put(b []byte, at int64) error {
	if o.crypt != nil {
		eachBlock(o.crypt, b)
	}
	_, err := o.to.WriteAt(b, at)
	return err
}
