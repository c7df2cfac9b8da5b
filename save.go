package cbkit

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"cbkit/internal/atomicset"
	"cbkit/internal/packed"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/write"
)

// SaveOptions configures [Save].
type SaveOptions struct {
	// Force replaces what is there, when the new one is complete.
	Force bool
	// OnError is told of records that cannot be read or written, and decides: nil
	// goes on without them. If it is nil the first error ends the work.
	OnError func(model.RecordID, error) error
	// Report, if not nil, is told of what the target cannot hold.
	Report model.Report
}

// Save writes a source to a new database or file: .cbh, .dci, .pgn or .jsonl, of
// which the last two may be compressed (.gz, .zst). It appears when it is
// complete. Whatever is there already is an error that wraps fs.ErrExist.
func Save(ctx context.Context, path string, src model.Source, opt SaveOptions) error {
	if opened, ok := src.(*Source); ok {
		src = opened.Source // sinks know the sources of their own format
	}
	sink, err := create(ctx, path, src, opt)
	if err != nil {
		return err
	}
	return model.Copy(ctx, sink, src, model.CopyOptions{OnError: opt.OnError})
}

// create begins what Save writes.
func create(ctx context.Context, path string, src model.Source, opt SaveOptions) (model.Sink, error) {
	if packed.Ending(path) == packed.Bzip2 {
		return nil, fmt.Errorf("%s: %w: .bz2 is read and not written; .gz and .zst are", path, model.ErrOption)
	}
	switch as := FormatNamed(path); as {
	case ChessBase:
		if db, ok := src.(*read.ChessBase); ok {
			return write.CreateCopy(path, db, write.CopyOptions{Force: opt.Force, Report: opt.Report, Context: ctx})
		}
		return write.Create(path, write.Options{Force: opt.Force, Report: opt.Report, Context: ctx})
	case Simple:
		return write.CreateSimple(path, write.SimpleOptions{Force: opt.Force, Report: opt.Report, Context: ctx})
	case PGN, JSONLines:
		return createText(ctx, path, as, opt)
	default:
		return nil, fmt.Errorf("%s: %w: nothing is saved with the ending %q; there are .cbh .dci .pgn .jsonl", path, model.ErrOption, strings.ToLower(filepath.Ext(path)))
	}
}

// textSink is a sink into a file of text that appears when it is complete.
type textSink struct {
	model.Sink
	pack io.Closer
	buf  *bufio.Writer
	file *atomicset.File
}

func createText(ctx context.Context, path string, as Format, opt SaveOptions) (model.Sink, error) {
	file, err := atomicset.NewFile(path, atomicset.Options{Force: opt.Force, Context: ctx})
	if err != nil {
		return nil, err
	}
	buf := bufio.NewWriterSize(file, 1<<16)
	pack, err := packed.NewWriter(buf, packed.Ending(path))
	if err != nil {
		return nil, errors.Join(err, file.Abort())
	}
	s := &textSink{pack: pack, buf: buf, file: file}
	if as == PGN {
		s.Sink = pgn.NewWriter(pack, pgn.WriterOptions{Report: opt.Report})
	} else {
		s.Sink = jsonl.NewWriter(pack, jsonl.WriterOptions{Report: opt.Report})
	}
	return s, nil
}

// Commit implements [model.Sink].
func (s *textSink) Commit() error {
	err := s.Sink.Commit()
	if err == nil {
		err = s.pack.Close()
	}
	if err == nil {
		err = s.buf.Flush()
	}
	if err != nil {
		return errors.Join(err, s.file.Abort())
	}
	return s.file.Commit()
}

// Abort implements [model.Sink].
func (s *textSink) Abort() error { return errors.Join(s.Sink.Abort(), s.file.Abort()) }
