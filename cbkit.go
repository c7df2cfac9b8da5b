// Package cbkit opens every kind of database that cbkit reads and saves to every kind
// that it writes. The ending of a name tells the kind:
//
//	src, err := cbkit.Open("Games.cbh", cbkit.Options{}) // or .dci .pgn .pgn.zst .jsonl .parquet .cbv .zip
//	…
//	defer src.Close()
//	for rec, err := range model.Games(ctx, src, model.WantMoves|model.WantAnnotations) {
//		…
//		fmt.Println(rec.ID, rec.Header(src.Entities()), pgn.MoveText(rec.Game))
//	}
//	err = cbkit.Save(ctx, "games.pgn.gz", src, cbkit.SaveOptions{})
//
// [Open] takes a name, [OpenAll] several as one source, [NewReader] text from anywhere.
// [Save] writes a source, [Create] makes a sink for records that come one by one;
// [SaveOptions].Progress is called as the work goes on, and the context can end it. Games
// in code are made by package compose, put into a [model.Database], and saved:
//
//	g := compose.New(compose.Header{White: "Carlsen, Magnus", Event: "Wijk", Date: "2013.01.12", Result: "1-0"})
//	g.Play("e4", "e5", "Nf3").Comment("as always")
//	db := new(model.Database)
//	_, err = g.AddTo(db) // returns the first mistake, with its move
//	err = cbkit.Save(ctx, "New.cbh", db, cbkit.SaveOptions{})
//
// [Edit] changes a database, a PGN file or a JSON Lines file. The program cbkit opens,
// saves and edits in this way. For Parquet files a program must import _ "cbkit/parquet";
// that package is apart because it brings many dependencies.
//
// The package is at the root because it imports the packages of all formats but Parquet,
// and none of them imports it. For one format alone, with all its options, use its
// package: read and write, pgn, jsonl, parquet, archive.
//
// The packages, from bottom to top:
//
//	internal/fsys, brief, jobs, avl    files, values in messages, batches in order, trees of names
//	model                              games, texts, entities; sources and sinks of records
//	board, internal/dbfile, wire       the rules of chess; names of files; bytes
//	moveenc, internal/cbh, dcdb, ctg   how one thing is stored; eco, compose: openings, games from code
//	internal/derive, extsort, jsonl    what follows from a game; sorting; JSON Lines
//	internal/cbhdb, journal, pgn       stored records; transactions; parquet: columns
//	internal/atomicset, booster        files all or none; lists that answer questions
//	read, archive                      databases and archives opened
//	check, search, collect, ctgwrite   findings, questions, sources united and compared, books
//	write, stats                       databases made and changed; reports
//	cbkit, lines                       any kind of source in one way; trees of lines
//	cmd                                the program, and its viewer below cmd/internal
package cbkit

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"sync/atomic"

	"cbkit/collect"
	"cbkit/internal/codepage"
	"cbkit/internal/epd"
	"cbkit/internal/formats"
	"cbkit/internal/lifecycle"
	"cbkit/internal/packed"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
)

// Options configures [Open]. The zero value is good for most sources.
type Options struct {
	// Format is the format of what is opened, whatever its name; empty is what [FormatOf]
	// returns.
	Format Format
	// FS, if not nil, is where there is something to open, in place of the disk: package
	// embed, an archive, a [write.Memory]. Text can be read once then.
	FS fs.FS
	// CodePage is the page of names and texts that are not UTF-8; see [read.Options].
	// Empty is 1252 or, with GuessCodePage, the one that the texts suggest;
	// [Source.Guess] returns it.
	CodePage      string
	GuessCodePage bool
	// Jobs is how many processors decode; 0 or less uses all.
	Jobs int
	// KeepGoing keeps what precedes the damage in games and files.
	KeepGoing bool
	// Incomplete opens archives with files that cannot be read, and without these
	// files; Damage is called for each.
	Incomplete bool
	// KeepSite makes web addresses in PGN's tag Site places of tournaments; without
	// it they stay tags.
	KeepSite bool
	// Part and Parts, if not 0, select one of Parts parts of about equal size, counted
	// from 1. Only databases and uncompressed PGN files have parts.
	Part, Parts int
	// File is the name that errors give the text of [NewReader].
	File string

	// Password opens an enciphered archive (.cbz); if it is nil, AskPassword, if not nil,
	// is called for an archive that needs one.
	Password    []byte
	AskPassword func(archive string) ([]byte, error)

	// Warn and Damage are called for faults of whole files: Warn if nothing is lost by
	// them, Damage if something is.
	Warn, Damage func(error)
	// Report is called for what is read differently from how it is stored.
	Report model.Report

	place *Place // what is opened, if it is known
}

// Source is an open source. It must be closed. After Close, methods that can return an
// error return one that wraps [fs.ErrClosed]; the others return zero values, except for
// its format and code page.
//
// Several goroutines may use one ChessBase database at once; Close must come last. Any
// other source may be read by one goroutine at a time.
type Source struct {
	model.Source
	closed atomic.Bool
	close  func() error
	as     Format
	page   string
	guess  model.PageGuess
	meter  *packed.Meter // of what came uncompressed, nil if the source knows itself
	each   *each         // the sources that are opened one after the other, else nil
}

// Close closes the files. A second call does nothing.
func (s *Source) Close() error {
	s.closed.Store(true)
	done := s.close
	if s.close = nil; done == nil {
		return nil
	}
	return done()
}

// Unwrap returns what the package of the format opened: a [read.Database] for
// databases, which finds single records too, else a reader of pgn, jsonl or
// parquet; of several sources of different formats a [collect.Union].
func (s *Source) Unwrap() model.Source { return s.Source }

// Format returns the format of what was opened: of an archive that of the database
// in it, of several sources that of the first.
func (s *Source) Format() Format { return s.as }

// CodePage implements [model.Paged]. It returns the page that a database made of
// this source is to have, "" for the usual one.
func (s *Source) CodePage() string { return s.page }

// Guess returns what was recognised as the code page, with the evidence; it has no
// page if that was not asked for.
func (s *Source) Guess() model.PageGuess { return s.guess }

// Count implements [model.Source]; after Close it is 0.
func (s *Source) Count() int {
	if s.closed.Load() {
		return 0
	}
	return s.Source.Count()
}

// Leftover implements [model.Source]; after Close it is nil.
func (s *Source) Leftover() *model.Leftover {
	if s.closed.Load() {
		return nil
	}
	return s.Source.Leftover()
}

// Records implements [model.Source]; a record is valid until the next step alone, and
// [model.Kept] yields copies.
func (s *Source) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		if s.closed.Load() {
			yield(model.Record{}, fs.ErrClosed)
			return
		}
		s.Source.Records(ctx, from, want)(yield)
	}
}

// Preflight implements [model.Preflighter] as the source inside does.
func (s *Source) Preflight(ctx context.Context) error {
	if s.closed.Load() {
		return fs.ErrClosed
	}
	return lifecycle.Preflight(ctx, s.Source)
}

// LegalMoves implements [model.Referee] as the source inside does.
func (s *Source) LegalMoves() bool { return lifecycle.LegalMoves(s.Source) }

// Record returns one record, which is the caller's to keep. An id outside the source
// is model.ErrNoRecord. A database finds it where it is; other sources are read up
// to it.
func (s *Source) Record(ctx context.Context, id model.RecordID, want model.Want) (model.Record, error) {
	if s.closed.Load() {
		return model.Record{}, fs.ErrClosed
	}
	if db, ok := s.Source.(read.Database); ok {
		return db.Record(ctx, id, want)
	}
	for rec, err := range s.Records(ctx, id, want) {
		if rec.ID == id || err != nil && rec.ID == 0 {
			return rec.Clone(), err
		}
		if rec.ID > id {
			break
		}
	}
	return model.Record{}, cmp.Or(ctx.Err(), fmt.Errorf("record %d: %w", id, model.ErrNoRecord))
}

// Progress implements [model.Measured].
func (s *Source) Progress() (done, total int64) {
	if s.closed.Load() {
		return 0, 0
	}
	if s.meter != nil {
		return s.meter.Progress()
	}
	return model.ProgressOf(s.Source)
}

// Open opens a database, a file of games, a database in an archive ("Mega.cbv",
// "Mega.cbv:Mega.cbh"), or what is in a zip ("TWIC.zip", "TWIC.zip:twic1500.pgn"; see
// [Unzip]). A folder is all databases in it, as [OpenEach] reads them. [FormatOf] tells
// the format; "-" is standard input, read as by [NewReader]. Errors are those of the
// format's package.
func Open(path string, opt Options) (*Source, error) { return OpenAll([]string{path}, opt) }

// OpenAll opens several sources as one: their games come one after the other,
// numbered from 1, and equal entities are one.
func OpenAll(paths []string, opt Options) (*Source, error) {
	if len(paths) == 0 || slices.Contains(paths, "") {
		return nil, fmt.Errorf("%w: nothing is named to open: the name is empty", model.ErrOption)
	}
	single := len(paths) == 1
	if slices.ContainsFunc(paths, func(path string) bool { return needsUnzip(opt.FS, path) }) && (opt.FS == nil || single) {
		return openUnzipped(paths, opt)
	}
	as := opt.formatOfAll(paths)
	switch {
	case single && paths[0] == "-":
		return NewReader(os.Stdin, opt)
	case single && opt.FS == nil && opt.Format == noFormat && IsFolder(paths[0]):
		return openFolder(paths[0], opt)
	case !single && as == noFormat:
		return openEach(paths, opt)
	case opt.Parts > 0 && (as == JSONLines || as == EPD || as == Parquet):
		return nil, noParts(paths[0])
	case opt.FS != nil && as.IsText():
		return openIn(paths[0], as, opt)
	}
	return openAs(as, paths, opt)
}

// formatOfAll returns the format of what can be opened as one, none if that cannot be.
func (opt *Options) formatOfAll(paths []string) Format {
	as := opt.format(paths[0])
	for _, path := range paths {
		if path == "-" || opt.format(path) != as || len(paths) > 1 && (opt.FS != nil || as != PGN && as != Parquet) {
			return noFormat
		}
	}
	return as
}

// openFolder opens all databases in a folder.
func openFolder(folder string, opt Options) (*Source, error) {
	names, err := InFolder(folder, func(as Format) bool { return !as.IsBook() && as != Parquet })
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("%s: %w: there is nothing in this folder to open", folder, model.ErrNotDatabase)
	}
	if err != nil {
		return nil, err
	}
	open := func(name string) (*Source, error) { return Open(name, opt) }
	return OpenEach(names, open, opt.Damage), nil
}

// openAs opens what has a format: several files only of those that can be read as one.
func openAs(as Format, paths []string, opt Options) (*Source, error) {
	switch as {
	case PGN:
		return openPGN(paths, opt)
	case JSONLines:
		lines, err := jsonl.Open(paths[0], jsonl.ReaderOptions{File: paths[0], KeepGoing: opt.KeepGoing})
		if err != nil {
			return nil, err
		}
		return &Source{Source: lines, as: as, page: lines.CodePage()}, nil
	case EPD:
		return openEPD(nil, paths[0], opt)
	case Parquet:
		format, err := imported(paths[0], as)
		if err != nil {
			return nil, err
		}
		rows, err := format.Open(opt.FS, paths)
		if err != nil {
			return nil, err
		}
		return &Source{Source: rows, as: as}, nil
	case Book, Polyglot:
		return nil, fmt.Errorf("%s: %w: it is an opening book; read.OpenBook opens it", paths[0], model.ErrNotDatabase)
	}
	return openDatabase(paths[0], opt)
}

// format returns the format of what is to be opened.
func (opt *Options) format(path string) Format {
	if opt.Format != noFormat {
		return opt.Format
	}
	return formatIn(opt.FS, path)
}

// openEPD opens a text of positions: a file, or what r has if that is not nil.
func openEPD(r io.Reader, name string, opt Options) (*Source, error) {
	decode, err := read.TextDecoder(opt.CodePage)
	if err != nil {
		return nil, err
	}
	lines, err := epd.NewReader(r, name, decode)
	if err != nil {
		return nil, err
	}
	return &Source{Source: lines, as: EPD, page: opt.CodePage}, nil
}

// openIn opens text in a file system.
func openIn(path string, as Format, opt Options) (*Source, error) {
	file, err := opt.FS.Open(path)
	if err != nil {
		return nil, err
	}
	opt.Format, opt.File = as, cmp.Or(opt.File, path)
	src, err := NewReader(file, opt)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	done := src.close
	src.close = func() error { return errors.Join(done(), file.Close()) }
	return src, nil
}

// noParts is the error of asking for a part of what has none.
func noParts(path string) error {
	return fmt.Errorf("%s: %w: only databases and PGN files have parts; convert it first", path, model.ErrOption)
}

// imported returns a format that programs have only if they import its package.
func imported(path string, as Format) (formats.Format, error) {
	f, ok := formats.Find(string(as))
	if !ok {
		return f, fmt.Errorf("%s: %w: this program has no Parquet; it does with the line import _ \"cbkit/parquet\"", path, model.ErrUnsupported)
	}
	return f, nil
}

// openEach opens sources of several formats as one.
func openEach(paths []string, opt Options) (*Source, error) {
	all := &Source{}
	var parts []model.Source
	all.close = func() error {
		var errs []error
		for _, p := range parts {
			errs = append(errs, p.(*Source).Close())
		}
		return errors.Join(errs...)
	}
	for i, path := range paths {
		src, err := Open(path, opt)
		if err != nil {
			return nil, errors.Join(err, all.Close())
		}
		parts = append(parts, src)
		switch {
		case i == 0:
			all.as, all.page = src.as, src.page
		case src.page != all.page:
			all.page = "" // several
		}
	}
	all.Source = collect.NewUnion(parts...)
	return all, nil
}

// openPGN opens PGN files.
func openPGN(paths []string, opt Options) (*Source, error) {
	guess := model.PageGuess{Page: opt.CodePage}
	var one fs.File // is opened once
	if len(paths) == 1 && opt.Parts == 0 {
		place := opt.place
		if place == nil || place.Name != paths[0] { // but what was in a zip
			place = &Place{Name: paths[0]}
		}
		one = place.text()
	}
	src := &Source{as: PGN, page: opt.CodePage, close: func() error {
		if one != nil {
			_ = one.Close() // it was only read, and may have been closed
		}
		return nil
	}}
	if opt.GuessCodePage && opt.CodePage == "" {
		if again, is := one.(io.Seeker); is {
			var d codepage.Detector
			sampleText(&d, one, paths[0], guessBeginning)
			_, err := again.Seek(0, io.SeekStart)
			if guess = d.Guess(); err != nil {
				return nil, errors.Join(err, src.Close())
			}
		} else {
			guess = GuessTextPage(paths...)
		}
	}
	with, err := opt.pgn(guess.Page)
	if err == nil {
		src.guess, with.Part, with.Parts, with.Opened = guess, opt.Part, opt.Parts, one
		src.Source, err = pgn.Open(with, paths...)
	}
	if err != nil {
		return nil, errors.Join(err, src.Close())
	}
	return src, nil
}

// pgn returns the options for reading PGN in a code page.
func (opt *Options) pgn(page string) (pgn.ReaderOptions, error) {
	decode, err := read.TextDecoder(page)
	return pgn.ReaderOptions{
		File: opt.File, DecodeText: decode, KeepGoing: opt.KeepGoing, KeepSite: opt.KeepSite, Jobs: opt.Jobs, Report: opt.Report,
	}, err
}

// openDatabase opens a database on the disk or in an archive.
func openDatabase(path string, opt Options) (*Source, error) {
	p, err := Locate(path, opt)
	if err != nil {
		return nil, err
	}
	guess := model.PageGuess{Page: opt.CodePage}
	if opt.GuessCodePage && opt.CodePage == "" {
		guess, _ = p.GuessCodePage() // what is wrong shows again
	}
	db, err := read.OpenFS(p.Files, p.Name, read.Options{
		CodePage: guess.Page, Jobs: opt.Jobs, KeepGoing: opt.KeepGoing, Warn: opt.Warn, Damage: opt.Damage,
	})
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	src := &Source{Source: db, as: ChessBase, page: guess.Page, guess: guess, close: func() error { return errors.Join(db.Close(), p.Close()) }}
	switch db := db.(type) {
	case *read.SimpleDB:
		src.as = Simple
	case *read.ChessBase2:
		src.as = ChessBase2
	case *read.Scid:
		src.as = Format("si" + db.Version())
	}
	if opt.Parts > 0 {
		if opt.Part < 1 || opt.Part > opt.Parts {
			return nil, errors.Join(fmt.Errorf("%s: %w: part %d of %d: parts are counted from 1", path, model.ErrOption, opt.Part, opt.Parts), src.Close())
		}
		border := func(part int) model.RecordID {
			return model.RecordID(int64(db.Count()) * int64(part) / int64(opt.Parts))
		}
		src.Source = &share{db, border(opt.Part-1) + 1, border(opt.Part)}
	}
	return src, nil
}

// NewReader returns a source of the text in r, which can be read once: JSON Lines
// if it begins with a brace, EPD if it begins with a position, else PGN. It may be
// compressed (gzip, bzip2, zstd). Its beginning is read at once.
func NewReader(r io.Reader, opt Options) (*Source, error) {
	if opt.Parts > 0 {
		return nil, noParts(opt.File)
	}
	meter := new(packed.Meter)
	meter.Begin(packed.SizeOf(r))
	text, done, err := packed.NewReader(meter.Reader(r), "")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cmp.Or(opt.File, "input"), err)
	}
	src := &Source{as: PGN, page: opt.CodePage, meter: meter, close: func() error { done(); return nil }}
	if opt.Format == JSONLines || opt.Format == noFormat && beginsWithBrace(text) {
		lines := jsonl.NewReader(text, jsonl.ReaderOptions{File: opt.File, KeepGoing: opt.KeepGoing})
		src.Source, src.as, src.page = lines, JSONLines, lines.CodePage()
		return src, nil
	}
	if opt.Format == EPD || opt.Format == noFormat && beginsWithPosition(text) {
		positions, err := openEPD(text, opt.File, opt)
		if err != nil {
			return nil, errors.Join(err, src.Close())
		}
		positions.close, positions.meter = src.close, meter
		return positions, nil
	}
	if src.guess.Page = opt.CodePage; opt.GuessCodePage && opt.CodePage == "" {
		text = bufio.NewReaderSize(text, guessBeginning)
		head, _ := text.Peek(guessBeginning) // what is wrong shows again when it is read
		var d codepage.Detector
		addLines(&d, head, true, len(head) < guessBeginning)
		src.guess = d.Guess()
	}
	with, err := opt.pgn(src.guess.Page)
	if err != nil {
		return nil, errors.Join(err, src.Close())
	}
	src.Source = pgn.NewReader(text, with)
	return src, nil
}

// blank is what may stand before text: white space and a byte order mark.
var blank = []byte(" \t\r\n\ufeff")

// beginsWithBrace looks at the first character that is not blank.
func beginsWithBrace(text *bufio.Reader) bool {
	for n := 1; ; n++ {
		head, err := text.Peek(n)
		if err != nil {
			return false // what is wrong shows again when it is read
		}
		if c := head[n-1]; bytes.IndexByte(blank, c) < 0 {
			return c == '{'
		}
	}
}

// beginsWithPosition looks at the first word, which is that of FEN in EPD.
func beginsWithPosition(text *bufio.Reader) bool {
	head, _ := text.Peek(128) // what is wrong shows again when it is read
	words := bytes.Fields(bytes.TrimPrefix(head, []byte("\ufeff")))
	return len(words) > 1 && bytes.Count(words[0], []byte("/")) == 7
}

// share is a part of the records of a database: those from one id to another.
type share struct {
	model.Source
	first, last model.RecordID
}

// Count implements [model.Source].
func (s *share) Count() int { return int(s.last-s.first) + 1 }

// Preflight implements [model.Preflighter] as the whole does.
func (s *share) Preflight(ctx context.Context) error { return lifecycle.Preflight(ctx, s.Source) }

// LegalMoves implements [model.Referee] as the whole does.
func (s *share) LegalMoves() bool { return lifecycle.LegalMoves(s.Source) }

// Records implements [model.Source].
func (s *share) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		if s.first > s.last {
			return
		}
		for rec, err := range s.Source.Records(ctx, max(from, s.first), want) {
			if rec.ID > s.last || !yield(rec, err) || rec.ID == s.last {
				return
			}
		}
	}
}
