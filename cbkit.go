// Package cbkit opens every kind of database that cbkit reads, and saves to every
// kind that it writes, by the endings of names:
//
//	src, err := cbkit.Open("Games.cbh", cbkit.Options{}) // or .dci .pgn .pgn.zst .jsonl .parquet .cbv
//	…
//	defer src.Close()
//	err = cbkit.Save(ctx, "games.pgn.gz", src, cbkit.SaveOptions{})
//
// It stands at the root because it needs all the packages of formats, and none of
// them needs it. Whoever wants one format alone, its options, or parts of it,
// uses the package of that format: read and write, pgn, jsonl, parquet, archive.
package cbkit

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"cbkit/archive"
	"cbkit/internal/atomicset"
	"cbkit/internal/packed"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/parquet"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/write"
)

// Options configures how a source is read. The zero value is good for most
// sources.
type Options struct {
	// CodePage is the page of names and texts that are not UTF-8, "" is 1252;
	// see [read.Options].
	CodePage string
	// Jobs is how many processors decode; 0 uses all.
	Jobs int
	// KeepGoing gives what stands before damage of games and files.
	KeepGoing bool
	// Password opens an enciphered archive (.cbz).
	Password []byte
	// Warn, if not nil, is told of what is odd or damaged about files as a whole.
	Warn func(error)
	// Report, if not nil, is told of what is read otherwise than it stands there.
	Report model.Report
}

// Source is an open source. It must be closed.
type Source struct {
	model.Source
	close func() error
}

// Close closes the files. A second call does nothing.
func (s *Source) Close() error {
	done := s.close
	if s.close = nil; done == nil {
		return nil
	}
	return done()
}

// Unwrap returns the source that the package of the format opened: a
// [read.Database], which also finds single records, or a reader of pgn, jsonl
// or parquet.
func (s *Source) Unwrap() model.Source { return s.Source }

// ending returns the ending of a name, before that of compressed text, in small
// letters.
func ending(path string) string {
	return strings.ToLower(filepath.Ext(strings.TrimSuffix(path, packed.Ending(path))))
}

// Open opens a database, a file of games, or the only database of an archive. A
// name without an ending, or with any other, is that of a database. Errors are
// those of the format's package.
func Open(path string, opt Options) (*Source, error) {
	switch ending(path) {
	case ".pgn":
		decode, err := read.TextDecoder(opt.CodePage)
		if err != nil {
			return nil, err
		}
		games, err := pgn.Open(pgn.ReaderOptions{DecodeText: decode, KeepGoing: opt.KeepGoing, Jobs: opt.Jobs, Report: opt.Report}, path)
		if err != nil {
			return nil, err
		}
		return &Source{Source: games}, nil
	case ".jsonl", ".ndjson":
		lines, err := jsonl.Open(path, jsonl.ReaderOptions{KeepGoing: opt.KeepGoing})
		if err != nil {
			return nil, err
		}
		return &Source{Source: lines}, nil
	case ".parquet":
		rows, err := parquet.Open(path)
		if err != nil {
			return nil, err
		}
		return &Source{Source: rows}, nil
	case ".cbv", ".cbz":
		return openArchive(path, opt)
	}
	db, err := read.Open(path, opt.read())
	if err != nil {
		return nil, err
	}
	return &Source{db, db.Close}, nil
}

func (opt Options) read() read.Options {
	return read.Options{CodePage: opt.CodePage, Jobs: opt.Jobs, KeepGoing: opt.KeepGoing, Warn: opt.Warn}
}

// openArchive opens the database in an archive, where it is.
func openArchive(path string, opt Options) (*Source, error) {
	a, err := archive.Open(path, archive.Options{Password: opt.Password, CodePage: opt.CodePage, Jobs: opt.Jobs, KeepGoing: opt.KeepGoing})
	if err != nil {
		return nil, err
	}
	names := a.Databases()
	if len(names) != 1 {
		return nil, errors.Join(fmt.Errorf("%s: holds %d databases; open one of them with package archive", path, len(names)), a.Close())
	}
	db, err := read.OpenFS(a.FS(), names[0], opt.read())
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return &Source{db, func() error { return errors.Join(db.Close(), a.Close()) }}, nil
}

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
	switch ext := ending(path); ext {
	case ".cbh":
		if db, ok := src.(*read.ChessBase); ok {
			return write.CreateCopy(path, db, write.CopyOptions{Force: opt.Force, Report: opt.Report, Context: ctx})
		}
		return write.Create(path, write.Options{Force: opt.Force, Report: opt.Report, Context: ctx})
	case ".dci":
		return write.CreateSimple(path, write.SimpleOptions{Force: opt.Force, Report: opt.Report, Context: ctx})
	case ".pgn", ".jsonl", ".ndjson":
		return createText(ctx, path, ext, opt)
	default:
		return nil, fmt.Errorf("%s: %w: nothing is saved with the ending %q; there are .cbh .dci .pgn .jsonl", path, model.ErrOption, ext)
	}
}

// textSink is a sink into a file of text that appears when it is complete.
type textSink struct {
	model.Sink
	pack io.Closer
	buf  *bufio.Writer
	file *atomicset.File
}

func createText(ctx context.Context, path, ext string, opt SaveOptions) (model.Sink, error) {
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
	if ext == ".pgn" {
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
