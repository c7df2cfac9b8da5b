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
	defer func() { err = errors.Join(err, f.Abort()) }()
	if _, err := Write(ctx, f, files, opt.WriterOptions); err != nil {
		return err
	}
	return f.Commit()
}

// openSteady opens a file that must be what it was when it was listed.
func openSteady(from fs.FS, name string, before fs.FileInfo) (io.ReadCloser, error) {
	f, err := from.Open(name)
	if err != nil {
		return nil, err
	}
	return &steady{File: f, name: name, before: before}, nil
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

// checkSteady returns an error if a file is not what it was when it was listed.
func checkSteady(from fs.FS, name string, before fs.FileInfo) error {
	now, err := fs.Stat(from, name)
	if err == nil && (now.Size() != before.Size() || !now.ModTime().Equal(before.ModTime())) {
		err = changedError(name)
	}
	return err
}

func changedError(name string) error {
	return fmt.Errorf("%s: %w while it was being packed", name, model.ErrChanged)
}
