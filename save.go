package cbkit

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"cbkit/internal/atomicset"
	"cbkit/internal/dbfile"
	"cbkit/internal/formats"
	"cbkit/internal/packed"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/write"
)

// SaveOptions configures [Save] and [Create]. The zero value writes everything in the
// usual form and replaces nothing. What a format has no use for is not looked at.
type SaveOptions struct {
	// Force replaces what is there, when the new one is complete.
	Force bool
	// Wait is how long to wait for another writer of the target; 0 is not at all.
	Wait time.Duration
	// Report, if not nil, is told of what the target cannot hold. Without one, that is
	// a *[model.LossError], unless AcceptLosses is set.
	Report       model.Report
	AcceptLosses bool

	// Now is the clock of the stamps in a ChessBase database; nil is time.Now. With a
	// fixed one the same input gives the same bytes. A copy of a ChessBase database
	// has the stamps of the original.
	Now func() time.Time
	// CodePage is the page of names and texts in a ChessBase database; what it cannot
	// hold is written as UTF-8. Empty is the page of the source, or else 1252.
	CodePage string
	// Plain writes PGN for people and other programs; without it cbkit reads back every
	// annotation as it was. Deleted writes deleted games to PGN too.
	Plain, Deleted bool
	// Fresh computes trees, counts and sizes of a database anew, where a source of the
	// same format would be copied.
	Fresh bool
	// Layout is that of a Simple Chess Database, 0 that of the source or the usual one.
	// Chess960 writes games of Chess960 there, which the format excludes.
	Layout   write.SimpleLayout
	Chess960 bool

	// OnError is told of records that cannot be read or written, and decides: nil
	// goes on without them. If it is nil the first error ends the work. Keep, if not
	// nil, selects the records, and Progress is told the id of each that was written.
	// They are for [Save]; whoever uses [Create] gives them to [model.Copy].
	OnError  func(model.RecordID, error) error
	Keep     func(model.Record) bool
	Progress func(model.RecordID)
}

// Save writes a source to a new database or file: .cbh, .dci, .pgn, .jsonl or, where
// its package is imported, .parquet. Text may be compressed (.gz, .zst). It appears
// when it is complete. Whatever is there already is an error that wraps fs.ErrExist.
// From one ChessBase database to another, or one Simple Chess Database, stored records
// are copied as they are, unless Fresh is set.
func Save(ctx context.Context, path string, src model.Source, opt SaveOptions) error {
	if opened, ok := src.(*Source); ok {
		opt.CodePage = cmp.Or(opt.CodePage, opened.page)
		src = opened.Source // sinks know the sources of their own format
	}
	sink, err := create(ctx, path, src, opt)
	if err != nil {
		return err
	}
	return model.Copy(ctx, sink, src, model.CopyOptions{OnError: opt.OnError, Keep: opt.Keep, Progress: opt.Progress})
}

// Create begins a new database or file, as [Save] does, for records that come one by
// one or by [model.Copy]. Nothing is visible before its Commit; Abort, which may always
// be called, leaves nothing. ctx ends waiting and Commit. All is written afresh, also
// from a source of the same format.
func Create(ctx context.Context, path string, opt SaveOptions) (model.Sink, error) {
	opt.Fresh = true
	return create(ctx, path, nil, opt)
}

// create begins what is written.
func create(ctx context.Context, path string, src model.Source, opt SaveOptions) (model.Sink, error) {
	if packed.Ending(path) == packed.Bzip2 {
		return nil, fmt.Errorf("%s: %w: .bz2 is read and not written; .gz and .zst are", path, model.ErrOption)
	}
	switch as := FormatNamed(path); as {
	case ChessBase:
		if db, ok := src.(*read.ChessBase); ok && !opt.Fresh {
			return write.CreateCopy(path, db, write.CopyOptions{
				Force: opt.Force, Wait: opt.Wait, Report: opt.Report, AcceptLosses: opt.AcceptLosses, Context: ctx,
			})
		}
		return write.Create(path, write.Options{
			Force: opt.Force, Wait: opt.Wait, Report: opt.Report, AcceptLosses: opt.AcceptLosses, Context: ctx,
			CodePage: opt.CodePage, Now: opt.Now,
		})
	case Simple:
		return write.CreateSimple(path, write.SimpleOptions{
			Force: opt.Force, Wait: opt.Wait, Report: opt.Report, AcceptLosses: opt.AcceptLosses, Context: ctx,
			Layout: opt.Layout, Chess960: opt.Chess960, Fresh: opt.Fresh || opt.Keep != nil,
		})
	case PGN, JSONLines, Parquet:
		return createFile(ctx, path, as, opt)
	default:
		return nil, fmt.Errorf("%s: %w: nothing is saved with the ending %q; there are .cbh .dci .pgn .jsonl .parquet", path, model.ErrOption, dbfile.EndingOf(path))
	}
}

// textSink is a sink into one file that appears when it is complete.
type textSink struct {
	model.Sink
	pack io.Closer
	buf  *bufio.Writer
	file *atomicset.File
}

func createFile(ctx context.Context, path string, as Format, opt SaveOptions) (model.Sink, error) {
	var format formats.Format
	if as == Parquet {
		var err error
		if format, err = imported(path, as); err != nil {
			return nil, err
		}
	}
	file, err := atomicset.NewFile(path, atomicset.Options{Force: opt.Force, Wait: opt.Wait, Context: ctx})
	if err != nil {
		return nil, err
	}
	buf := bufio.NewWriterSize(file, 1<<16)
	pack, err := packed.NewWriter(buf, packed.Ending(path))
	if err != nil {
		return nil, errors.Join(err, file.Abort())
	}
	s := &textSink{pack: pack, buf: buf, file: file}
	switch as {
	case PGN:
		s.Sink = pgn.NewWriter(pack, pgn.WriterOptions{Report: opt.Report, AcceptLosses: opt.AcceptLosses, Plain: opt.Plain, Deleted: opt.Deleted})
	case JSONLines:
		s.Sink = jsonl.NewWriter(pack, jsonl.WriterOptions{Report: opt.Report, AcceptLosses: opt.AcceptLosses, CodePage: opt.CodePage})
	default:
		if s.Sink, err = format.NewWriter(ctx, pack, opt.Report, opt.AcceptLosses); err != nil {
			return nil, errors.Join(err, file.Abort())
		}
	}
	return s, nil
}

// Wants implements [model.Wanter] as the sink inside does.
func (s *textSink) Wants() model.Want {
	if w, ok := s.Sink.(model.Wanter); ok {
		return w.Wants()
	}
	return model.WantAll
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
