package cbkit

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"cbkit/internal/atomicset"
	"cbkit/internal/cbh"
	"cbkit/internal/fsys"
	"cbkit/internal/tempfile"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/pgn"
)

// EditOptions configures [EditText].
type EditOptions struct {
	// Options say how the text is read. Format, CodePage, GuessCodePage, Jobs, KeepGoing,
	// KeepSite and Report count.
	Options
	// Wait is how long to wait for another writer of the file; 0 is not at all.
	Wait time.Duration
	// DryRun does everything but change the file.
	DryRun bool
	// Plain writes moves of PGN for people and other programs, where they are written
	// anew; without it cbkit reads back every annotation as it was.
	Plain bool
	// OnError is called for games that cannot be read, or changed. They keep their bytes, if
	// it returns nil; if it is nil the first error ends the work.
	OnError func(model.RecordID, error) error
	// Lost is called for what the text has no words for, of what is new.
	Lost model.Report
	// Append, if not nil, puts games behind the others, which the function that changes games
	// is given like these: then there is a pass for each. OnlyAppend says that it changes
	// none of them, and one pass does both.
	Append     func(put func(model.Record, *model.Entities) error) error
	OnlyAppend bool
	// Begin, if not nil, is given the text with the games of Append, unless that comes in
	// the same pass, before the first game changes. No other process can change it then.
	Begin func(text io.ReaderAt) error
	// End, if not nil, is called when all games are written, before the file changes.
	End func() error
}

// EditText changes a PGN or JSON Lines file, which may be compressed: the function is given
// every game that can be read, may change it, and says what it has changed, as with
// [pgn.Edit] and [jsonl.Edit]. Everything else keeps its bytes. The new file takes the
// place of the old one when it is complete, and only if something has changed. EditText
// returns how many games are written anew, or gone.
//
// Errors wrap [model.ErrLocked] if another process is writing the file,
// [model.ErrChanged] if one has written it meanwhile, and [model.ErrUnsupported] if it is
// compressed by bzip2. A file with another name, a hard link, is
// refused, and so is what is no file, such as a pipe.
func EditText(ctx context.Context, path string, opt EditOptions, change func(*model.Record, *model.Entities) (model.Change, error)) (games int, err error) {
	as := opt.format(path)
	if !as.IsText() {
		return 0, fmt.Errorf("%s: %w: it is no text; package write edits databases", path, model.ErrOption)
	}
	if err := fsys.RefuseSpecial(fsys.OS{}, path); err != nil {
		return 0, err
	}
	out, err := atomicset.NewFile(path, atomicset.Options{Force: true, Wait: opt.Wait, Context: ctx})
	if err != nil {
		return 0, err
	}
	added := 0
	if err = fsys.RefuseLinked(fsys.OS{}, path); err == nil {
		games, added, err = editInto(ctx, out, path, as, opt, change)
	}
	if err != nil || opt.DryRun || games+added == 0 {
		return games, cmp.Or(err, out.Abort())
	}
	return games, out.Commit()
}

// editInto writes the new file.
func editInto(ctx context.Context, out io.Writer, path string, as Format, opt EditOptions, change func(*model.Record, *model.Entities) (model.Change, error)) (games, added int, err error) {
	opened, err := fsys.OS{}.Plain(path)
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = opened.Close() }() // it was only read
	before, err := opened.Stat()
	if err != nil {
		return 0, 0, err
	}
	if opt.DryRun {
		out = io.Discard
	}
	pass := func(out io.Writer, in io.ReaderAt, opt EditOptions, change func(*model.Record, *model.Entities) (model.Change, error)) (int, error) {
		var puts func(func(model.Record, *model.Entities) error) error
		if opt.Append != nil {
			puts = func(put func(model.Record, *model.Entities) error) error {
				return opt.Append(func(rec model.Record, e *model.Entities) error {
					added++
					return put(rec, e)
				})
			}
		}
		if as == JSONLines {
			return jsonl.Edit(ctx, out, in, jsonl.EditOptions{
				Reader: jsonl.ReaderOptions{File: path, KeepGoing: opt.KeepGoing}, OnError: opt.OnError, Append: puts,
			}, change)
		}
		return editPGN(ctx, out, in, path, opt, puts, change)
	}
	text := opened.(io.ReaderAt)
	if opt.Append != nil && !opt.OnlyAppend {
		grown, err := tempfile.NewScratch(fsys.OS{}, filepath.Dir(path), "edit")
		if err != nil {
			return 0, 0, err
		}
		defer func() { _ = grown.Close() }() // it has no name any more
		first := opt
		first.Report, first.OnError = nil, func(model.RecordID, error) error { return nil } // of games that come again
		if _, err = pass(grown, text, first, func(*model.Record, *model.Entities) (model.Change, error) { return model.Unchanged, nil }); err != nil {
			return 0, 0, err
		}
		text, opt.Append = grown, nil
	}
	if opt.Begin != nil {
		err = opt.Begin(text)
	}
	if err == nil {
		games, err = pass(out, text, opt, change)
	}
	if err == nil && opt.End != nil {
		err = opt.End()
	}
	if err != nil {
		return games, added, err
	}
	after, err := fsys.OS{}.Stat(path)
	if err == nil && (!fsys.Same(before, after) || before.Size() != after.Size() || !before.ModTime().Equal(after.ModTime())) {
		err = fmt.Errorf("%s: %w while it was read: do it again", path, model.ErrChanged)
	}
	return games, added, err
}

// editPGN writes PGN, in the code page of the file where it is not UTF-8.
func editPGN(ctx context.Context, out io.Writer, in io.ReaderAt, path string, opt EditOptions, puts func(func(model.Record, *model.Entities) error) error,
	change func(*model.Record, *model.Entities) (model.Change, error)) (int, error) {
	guess := GuessTextPage(path)
	page := cmp.Or(opt.CodePage, guess.Page)
	if opt.CodePage == "" && !opt.GuessCodePage {
		page = ""
	}
	opt.File = path
	reader, err := opt.pgn(page)
	if err != nil {
		return 0, err
	}
	coded := cbh.CodePage{}
	if page != "" {
		if coded, err = cbh.ParseCodePage(page); err != nil {
			return 0, err
		}
	}
	return pgn.Edit(ctx, out, in, pgn.EditOptions{
		Reader: reader, EncodeText: coded.Encode, Encode: guess.Texts > 0, Plain: opt.Plain, OnError: opt.OnError, Report: opt.Lost, Append: puts,
	}, change)
}
