package cbkit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"cbkit/internal/atomicset"
	"cbkit/internal/dbfile"
	"cbkit/internal/epd"
	"cbkit/internal/lifecycle"
	"cbkit/internal/packed"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/write"
)

// SaveOptions configures [Save] and [Create]. The zero value writes everything in the
// usual form and replaces nothing. A field that concerns one format says so; other
// formats ignore it.
type SaveOptions struct {
	// Format is what to make, whatever the name says; empty is what its ending says.
	Format Format
	// In, if not nil, is where it is made, in place of the disk.
	In *write.Memory
	// Folder, if not nil, is shared by databases that are made in one folder.
	Folder *write.Folder
	// Output, if not nil, takes text as it is made, and nothing is made on the disk:
	// the name says format and compression alone.
	Output io.Writer
	// Force replaces what is there, when the new one is complete; OnReplace, if not
	// nil, is called with what became of the files of an old database.
	Force     bool
	OnReplace func(model.Replacement)
	// Wait is how long to wait for another writer of the target; 0 is not at all.
	Wait time.Duration
	// Report, if not nil, is called for what the target cannot hold. Without one, that is
	// a *[model.LossError], unless AcceptLosses is set.
	Report       model.Report
	AcceptLosses bool

	// Now is the clock of the stamps in a ChessBase database; nil is time.Now. With a
	// fixed one the same input gives the same bytes. A copy of a ChessBase database
	// has the stamps of the original. No clock sets the change times of files.
	Now func() time.Time
	// CodePage is the page of names and texts in a ChessBase database; what it cannot
	// hold is written as UTF-8. Empty is the page of the source, or else 1252.
	CodePage string
	// Plain writes PGN for people and other programs; without it cbkit reads back every
	// annotation as it was. Deleted writes deleted games to PGN too, with the letter D in
	// the tag ScidFlags: other formats have them always. Both are of PGN alone.
	Plain, Deleted bool
	// Roster writes the seven tags of PGN's roster, and no other. It is of PGN alone.
	Roster bool
	// Fresh computes trees, counts and sizes of a ChessBase database or a Simple Chess
	// Database anew, where a source of the same format would be copied.
	Fresh bool
	// Layout is that of a Simple Chess Database, 0 that of the source or the usual one.
	// Chess960 writes games of Chess960 there, which the format excludes. Both are of it
	// alone.
	Layout   write.SimpleLayout
	Chess960 bool

	// Boosters, if not nil, makes the search boosters of a ChessBase database with it:
	// they are in place with the database, or nothing is. Those that cannot be made are
	// left out, and [Save] returns a [*BoosterError].
	Boosters *write.BoosterOptions

	// NewSink, if not nil, returns what writes a file of one format to w, in place of the usual
	// sink of that format; package parquet has one with many options. Losses are told as it
	// does.
	NewSink func(w io.Writer) (model.Sink, error)

	// The rest is for [Save]; with [Create] it is given to [model.Copy].

	// From and To limit the records to those from one id to another; 0 stands for the
	// first and the last. Keep, if not nil, selects among them.
	From, To model.RecordID
	Keep     func(model.Record) bool
	// OnError is called for records that cannot be read or written, and decides: nil
	// goes on without them. If it is nil the first error ends the work. KeepGoing takes
	// what can be read of a database whose files are cut; else it is refused before
	// anything is written.
	OnError   func(model.RecordID, error) error
	KeepGoing bool
	// Progress is called with the id of each record that was written.
	Progress func(model.RecordID)
	// Through, if not nil, wraps the sink of the target: records go to the sink it
	// returns, which must pass them on.
	Through func(model.Sink) model.Sink
}

// BoosterError says that a database was saved, but lacks its search boosters. It wraps
// [model.ErrCommitted] too, unless Err is [model.ErrUncertain].
type BoosterError struct{ Err error }

// Error says why.
func (e *BoosterError) Error() string {
	return fmt.Sprintf("%v: the database is complete, but lacks search boosters: %v", model.ErrCommitted, e.Err)
}

// Unwrap returns what it wraps.
func (e *BoosterError) Unwrap() []error {
	if errors.Is(e.Err, model.ErrUncertain) {
		return []error{e.Err}
	}
	return []error{model.ErrCommitted, e.Err}
}

// Save writes a source to a new database or file: .cbh, .dci, .si4, .pgn, .jsonl, .epd
// or, where its package is imported, .parquet. Text may be compressed (.gz, .zst). The
// target appears when it is complete. If it exists already, and Force is not set, the
// error wraps [fs.ErrExist]. From one ChessBase database to another, or one Simple Chess
// Database, stored records are copied as they are, unless Fresh is set.
func Save(ctx context.Context, path string, src model.Source, opt SaveOptions) error {
	if src == nil {
		return fmt.Errorf("%s: %w: the source is nil: there is nothing to save", path, model.ErrOption)
	}
	if opened, ok := src.(*Source); ok {
		if opened.closed.Load() {
			return fmt.Errorf("%s: the source was closed before it was saved: %w", path, fs.ErrClosed)
		}
		opt.CodePage = cmp.Or(opt.CodePage, opened.page)
		src = opened.Source // sinks know the sources of their own format
	}
	sink, err := create(ctx, path, src, opt)
	if err != nil {
		return err
	}
	made, _ := sink.(interface{ Boosters() write.BoosterResult })
	if opt.Through != nil {
		sink = opt.Through(sink)
	}
	err = model.Copy(ctx, sink, src, model.CopyOptions{
		From: opt.From, To: opt.To, Keep: opt.Keep, OnError: opt.OnError, Progress: opt.Progress, SkipPreflight: opt.KeepGoing,
	})
	if err == nil && made != nil && len(made.Boosters().Skipped) > 0 {
		err = &BoosterError{errors.New(made.Boosters().Skipped[0].Reason)}
	}
	return err
}

// Create begins a new database or file, as [Save] does, for records that come one by one
// or by [model.Copy]. Nothing is visible before its Commit; Abort, which may always be
// called, leaves nothing. When ctx is done, waiting and Commit end. Everything is written
// afresh, even from a source of the same format.
func Create(ctx context.Context, path string, opt SaveOptions) (model.Sink, error) {
	opt.Fresh = true
	return create(ctx, path, nil, opt)
}

// create begins what is written.
func create(ctx context.Context, path string, src model.Source, opt SaveOptions) (model.Sink, error) {
	if packed.Ending(path) == packed.Bzip2 {
		return nil, fmt.Errorf("%s: %w: .bz2 is read and not written; .gz and .zst are", path, model.ErrOption)
	}
	as := cmp.Or(opt.Format, FormatNamed(path))
	if path == "" && opt.Output == nil {
		return nil, fmt.Errorf("%w: nothing is named to save to: the name is empty", model.ErrOption)
	}
	if opt.Output != nil && !as.IsFile() {
		return nil, fmt.Errorf("%s: %w: a database has many files and goes to no writer", path, model.ErrOption)
	}
	with := write.Options{
		Force: opt.Force, Wait: opt.Wait, Report: opt.Report, AcceptLosses: opt.AcceptLosses, CodePage: opt.CodePage, Now: opt.Now,
		OnReplace: opt.OnReplace, In: opt.In, Folder: opt.Folder, Boosters: opt.Boosters, Layout: opt.Layout, Chess960: opt.Chess960,
		Fresh: opt.Fresh || opt.Keep != nil || opt.From > 1 || opt.To != 0 || opt.KeepGoing,
	}
	switch as {
	case ChessBase:
		if db, ok := src.(*read.ChessBase); ok && !opt.Fresh {
			return write.CreateCopy(ctx, path, db, with)
		}
		return write.Create(ctx, path, with)
	case Simple:
		return write.CreateSimple(ctx, path, with)
	case Scid:
		return write.CreateScid(ctx, path, with)
	case PGN, JSONLines, EPD, Parquet:
		return createFile(ctx, path, as, opt)
	case Book, Polyglot:
		return nil, fmt.Errorf("%s: %w: it is an opening book; ctgwrite.NewBuilder makes one of games, ctgwrite.WritePolyglot a .bin of that", path, model.ErrOption)
	case Archive:
		return nil, fmt.Errorf("%s: %w: save a .cbh, and pack it with archive.Create", path, model.ErrOption)
	default:
		return nil, fmt.Errorf("%s: %w: nothing is saved with the ending %q; there are .cbh .dci .si4 .pgn .jsonl .epd .parquet", path, model.ErrOption, dbfile.EndingOf(path))
	}
}

// textSink is a sink into one file that appears when it is complete.
type textSink struct {
	model.Sink
	pack io.Closer
	file *atomicset.File // nil for what goes elsewhere
	end  func() error    // makes it visible; nil for a writer of the caller
}

func createFile(ctx context.Context, path string, as Format, opt SaveOptions) (model.Sink, error) {
	newSink := opt.NewSink
	if as == Parquet && newSink == nil {
		format, err := imported(path, as)
		if err != nil {
			return nil, err
		}
		newSink = func(w io.Writer) (model.Sink, error) { return format.NewWriter(w, opt.Report, opt.AcceptLosses) }
	}
	s, to := &textSink{}, opt.Output
	switch {
	case to != nil:
	case opt.In != nil:
		if _, err := opt.In.Stat(path); err == nil && !opt.Force {
			return nil, &model.ExistsError{Path: path, Main: path}
		}
		memory := new(bytes.Buffer)
		to, s.end = memory, func() error { return opt.In.WriteFile(path, memory.Bytes()) }
	default:
		var err error
		if s.file, err = atomicset.NewFile(path, atomicset.Options{Force: opt.Force, Wait: opt.Wait, Context: ctx}); err != nil {
			return nil, err
		}
		to, s.end = s.file, s.file.Commit
	}
	pack, err := packed.NewWriter(to, packed.Ending(path))
	if err != nil {
		return nil, errors.Join(err, s.remove())
	}
	s.pack = pack
	switch {
	case newSink != nil:
		if s.Sink, err = newSink(pack); err != nil {
			return nil, errors.Join(err, s.remove())
		}
	case as == PGN:
		s.Sink = pgn.NewWriter(pack, pgn.WriterOptions{Report: opt.Report, AcceptLosses: opt.AcceptLosses, Plain: opt.Plain, Deleted: opt.Deleted, Roster: opt.Roster})
	case as == JSONLines:
		s.Sink = jsonl.NewWriter(pack, jsonl.WriterOptions{Report: opt.Report, AcceptLosses: opt.AcceptLosses, CodePage: opt.CodePage})
	default:
		s.Sink = epd.NewWriter(pack, opt.Report, opt.AcceptLosses)
	}
	return s, nil
}

// Written implements [model.Counter] as the sink inside does.
func (s *textSink) Written() int { return s.Sink.(model.Counter).Written() }

// Wants implements [model.Wanter] as the sink inside does.
func (s *textSink) Wants() model.Want { return lifecycle.Wants(s.Sink) }

// Commit implements [model.Sink].
func (s *textSink) Commit() error {
	err := s.Sink.Commit()
	if err == nil {
		err = s.pack.Close()
	}
	if err != nil {
		return errors.Join(err, s.remove())
	}
	if s.end == nil {
		return nil
	}
	return s.end()
}

// Abort implements [model.Sink].
func (s *textSink) Abort() error { return errors.Join(s.Sink.Abort(), s.remove()) }

// remove takes away what was written.
func (s *textSink) remove() error {
	if s.file == nil {
		return nil
	}
	return s.file.Abort()
}
