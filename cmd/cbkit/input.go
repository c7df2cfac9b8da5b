package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	lib "cbkit"
	"cbkit/internal/codepage"
	"cbkit/model"
	"cbkit/search"
)

// readFlags are the flags of every verb that reads.
type readFlags struct {
	Codepage  codePage `help:"Code page of names and texts that are not UTF-8; recognised where none is given." default:"" placeholder:"PAGE"`
	Jobs      count    `help:"How many processors to use; 0 uses all." placeholder:"N"`
	KeepGoing bool     `help:"Go on where a record or the rest of a file cannot be read; PGN games are cut at the bad move."`
	passwordFlag
}

// input is a source with what must be closed after reading it.
type input struct {
	model.Source
	name string // for messages
	as   format
	// page is the code page that a database made of it is to have, "" for the usual one.
	page string
	// opened is what was opened, nil for what is in memory or temporary files.
	opened  *lib.Source
	closers []func() error
}

// close closes all that was opened for it, the last first.
func (in *input) close() error {
	var errs []error
	for _, done := range slices.Backward(in.closers) {
		errs = append(errs, done())
	}
	return errors.Join(errs...)
}

// progress returns how much of a source was read, of how much; of -1 if unknown.
func (in *input) progress() (done, total int64) {
	done, total = model.ProgressOf(in.Source)
	if total < 0 && in.opened != nil {
		return in.opened.Progress()
	}
	return done, total
}

// standardInput is the name of standard input in messages.
const standardInput = "standard input"

// isReadOnce reports whether a name is standard input or a pipe.
func isReadOnce(name string) bool { return name == "-" || (&lib.Place{Name: name}).IsPipe() }

// openInput opens any kind of source; "-" is text from standard input.
func (t *transfer) openInput(path string) (*input, error) { return t.open(lib.Options{}, path) }

// open opens a source of one format, which several files may be. The flags add to
// the options.
func (t *transfer) open(opt lib.Options, paths ...string) (*input, error) {
	if len(paths) == 1 && lib.IsFolder(paths[0]) {
		in, err := t.openFolder(paths[0])
		if err != nil {
			return nil, err
		}
		return in, t.onlyMatching(in)
	}
	as := opt.Format
	switch {
	case paths[0] == "-":
		as = formatPGN
	case as == "":
		as = formatOf(paths[0])
	}
	if as.IsBook() {
		return nil, usageError{fmt.Errorf("%s: is an opening book; see cbkit book --help", paths[0])}
	}
	if is := exportedBook(paths[0]); is != nil {
		return nil, is
	}
	if err := t.fill(&opt, as); err != nil {
		return nil, err
	}
	var src *lib.Source
	var err error
	name, isText, place := strings.Join(paths, " "), as.IsText(), lib.Place{Name: paths[0]}
	switch {
	case paths[0] == "-":
		opt.File, opt.Format = standardInput, "" // whichever it turns out to be
		src, err = lib.NewReader(t.env.interruptible(""), opt)
	case len(paths) == 1 && isText && place.IsPipe():
		opt.File, opt.Format = paths[0], as
		src, err = lib.NewReader(t.env.interruptible(paths[0]), opt)
	default:
		if slices.ContainsFunc(paths, func(path string) bool { return named(path) == formatParquet }) {
			if paths, err = expand(paths); err != nil {
				return nil, err
			}
		}
		t.env.readsText = true
		if len(paths) == 1 && isText {
			src, err = place.Open(opt)
		} else {
			src, err = lib.OpenAll(paths, opt)
		}
	}
	switch {
	case err != nil && as.IsFile() && as != formatArchive:
		return nil, plainError(err)
	case err != nil:
		return nil, err
	case paths[0] == "-":
		name = standardInput
	case !as.IsFile() || as == formatArchive:
		name = mainFile(name)
	}
	t.env.reportPage(name, src.Guess())
	in := &input{
		Source: src.Unwrap(), name: name, as: src.Format(), page: src.CodePage(),
		opened: src, closers: []func() error{src.Close},
	}
	return in, t.onlyMatching(in)
}

// onlyMatching leaves of a source what meets the conditions.
func (t *transfer) onlyMatching(in *input) error {
	if t.where == nil {
		return nil
	}
	selection, err := search.Select(in.Source, t.where)
	if err != nil {
		return err
	}
	in.Source = selection
	t.env.matching = append(t.env.matching, matching{selection, in.name})
	return nil
}

// fill adds to the options what the flags say.
func (t *transfer) fill(opt *lib.Options, as format) (err error) {
	opt.AskPassword = t.env.askPassword
	if opt.Password, err = t.flags.passwordIf(as == formatArchive); err != nil {
		return err
	}
	isDatabase := !as.IsFile() || as == formatArchive
	opt.CodePage, opt.GuessCodePage = string(t.flags.Codepage), true
	opt.Jobs, opt.KeepGoing, opt.Incomplete = int(t.flags.Jobs), t.flags.KeepGoing, t.flags.KeepGoing
	opt.Warn, opt.Damage, opt.Report = t.unlessSilent(t.env.warn), t.unlessSilent(t.env.damaged), t.onReading
	if as == formatArchive {
		as = formatChessBase // of the database in it
	}
	if isDatabase {
		// Some targets can take stored records as they are, also those that do not decode.
		opt.KeepGoing = t.to != as && t.to != formatJSONL
		if t.flags.Codepage == "" && t.to == as && (t.verb == "convert" || t.verb == "pack") {
			opt.CodePage = codepage.Default // a copy takes the bytes over, and needs no page
		}
	}
	return nil
}

// unlessSilent returns a function that reports what is wrong with a source.
func (t *transfer) unlessSilent(report func(error)) func(error) {
	if t.mute == muteAll {
		return func(error) {}
	}
	return report
}

// interruptible returns what is read from standard input or, if there is a name, from a pipe,
// which ends with ctx also where it waits for input.
func (env *environment) interruptible(pipe string) io.Reader {
	r, w := io.Pipe()
	from := env.stdin
	go func() {
		if pipe != "" { // opening it waits too
			file, err := os.Open(pipe)
			if err != nil {
				w.CloseWithError(err)
				return
			}
			defer file.Close() // it was only read
			from = file
		}
		_, err := io.Copy(w, from)
		w.CloseWithError(err)
	}()
	context.AfterFunc(env.ctx, func() { w.CloseWithError(env.ctx.Err()) })
	if stat, ok := env.stdin.(fs.File); ok && pipe == "" {
		return &stdinStream{r, stat}
	}
	return r
}

// stdinStream is what is read from standard input that is a file, which has a size.
type stdinStream struct {
	io.Reader
	file fs.File
}

// Stat describes the file.
func (s *stdinStream) Stat() (fs.FileInfo, error) { return s.file.Stat() }

// reportPage says once for each database in which page it is read.
func (env *environment) reportPage(name string, guess model.PageGuess) {
	if !guess.Clear || env.pages[name] || env.pagesShown {
		return
	}
	env.pages[name] = true
	fmt.Fprintf(env.stderr, "cbkit: %s: read in code page %v; --codepage 1252 reads it otherwise\n", name, guess)
}
