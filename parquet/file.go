package parquet

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	pq "github.com/parquet-go/parquet-go"

	"cbkit/internal/fsys"
	"cbkit/model"
)

// file is an open Parquet file.
type file struct {
	name string
	size int64
	in   fsys.ReadFile
	pq   *pq.File
}

// openFile opens a file and reads what it says about itself.
func openFile(files fsys.ReadFS, path string) (f *file, err error) {
	info, err := files.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("is a folder; name the files in it, such as *.parquet")}
	}
	f = &file{name: filepath.Base(path), size: info.Size()}
	if f.in, err = files.Open(path); err != nil {
		return nil, err
	}
	if f.pq, err = readFooter(f.in, f.size); err != nil {
		_ = f.in.Close() // it was only read
		return nil, f.wrong(-1, "", err)
	}
	return f, nil
}

// readFooter reads the footer of a file, after a look at it.
func readFooter(r io.ReaderAt, size int64) (p *pq.File, err error) {
	defer recovered(&err)
	if err := guardFooter(r, size); err != nil {
		return nil, err
	}
	p, err = pq.OpenFile(r, size, pq.SkipPageIndex(true), pq.SkipBloomFilters(true))
	return p, corrupt(err)
}

// recovered makes an error of a panic. The library that decodes pages meets
// damage with one here and there.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%w: %v", model.ErrCorrupt, r)
	}
}

// corrupt marks an error of the library as one of our kinds.
func corrupt(err error) error {
	switch {
	case err == nil, errors.Is(err, model.ErrCorrupt), errors.Is(err, model.ErrTruncated):
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: %w", model.ErrTruncated, err)
	}
	return fmt.Errorf("%w: %w", model.ErrCorrupt, err)
}

// close closes the file, which was only read.
func (f *file) close() { _ = f.in.Close() }

// wrong returns an error about a row, from 1, or the file as a whole, and a
// column, or none.
func (f *file) wrong(row int64, column string, err error) error {
	return &model.FormatError{File: f.name, Offset: -1, Record: row, Field: column, Err: oneLine(err)}
}

// RowError reports a row that cannot be read. Other rows may be fine.
type RowError struct {
	// File is the name of the file.
	File string
	// Row is the number of the row, from 1.
	Row int64
	// Err says what is wrong; it is a kind of [model.ErrCorrupt].
	Err error
}

// Error returns one line, such as
// "rows.parquet: row 17: column fen: corrupt: it is NULL".
func (e *RowError) Error() string {
	return fmt.Sprintf("%s: row %d: %v", e.File, e.Row, oneLine(e.Err))
}

// Unwrap returns Err.
func (e *RowError) Unwrap() error { return e.Err }

// rowFault is what is wrong with the present row, before it is known which that
// is.
type rowFault struct{ error }

// oneLine takes line breaks out of an error.
func oneLine(err error) error {
	if strings.Contains(err.Error(), "\n") {
		return &joined{err}
	}
	return err
}

type joined struct{ error }

// Error returns one line.
func (j *joined) Error() string { return strings.ReplaceAll(j.error.Error(), "\n", "; ") }

// Unwrap returns the error itself.
func (j *joined) Unwrap() error { return j.error }
