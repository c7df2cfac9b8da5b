package main

import (
	"cmp"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"cbkit/ctgwrite"
	"cbkit/model"
)

// defaultBookMemory is the usual number of megabytes for sorting.
const defaultBookMemory = 32

// bookWriteFlags are the flags of every verb that makes a book.
type bookWriteFlags struct {
	Exact  bool  `help:"Of a .ctg: write ChessBase's own form, not the one that all programs read."`
	Memory count `help:"Megabytes of memory to use; beyond it temporary files are used; 0 is 32." default:"32" placeholder:"MB"`
}

// bookFlags are the flags of verbs that read books and write.
type bookFlags struct {
	KeepGoing bool `help:"Go on where a book is damaged."`
	writeFlags
}

// transfer returns what the verbs that move games have too.
func (f bookFlags) transfer() transferFlags {
	return transferFlags{readFlags: readFlags{KeepGoing: f.KeepGoing}, writeFlags: f.writeFlags}
}

// onDamage returns what reports damage in a book and goes on; nil ends the work.
func (t *transfer) onDamage() func(error) error {
	if !t.flags.KeepGoing {
		return nil
	}
	return func(err error) error {
		if ctxErr := t.env.ctx.Err(); ctxErr != nil {
			return ctxErr
		}
		if !slices.Contains(t.reportedDamage, err.Error()) {
			t.env.damaged(err)
		}
		return nil
	}
}

// bookWriter is a verb that makes a book.
type bookWriter struct {
	transfer
	to       target
	book     bookWriteFlags
	claim    *ctgwrite.Claim // of a .ctg
	out      *outputFile     // of a .bin, nil when it is complete
	progress *progress
	unfit    int   // entries whose figures contradict each other
	whole    error // a source that cannot be read as a whole
	picked   *pickedPlayers
}

// newBookWriter begins a verb that makes a book of the sources. That the book
// can be written is made sure of before the sources are read.
func (env *environment) newBookWriter(verb, name string, sources []string, book bookWriteFlags, flags transferFlags) (*bookWriter, error) {
	w := &bookWriter{transfer: transfer{env: env, flags: flags, verb: verb}, book: book}
	var err error
	if w.to, err = parseTarget(name, formatBook, formatPolyglot); err != nil {
		return nil, err
	}
	w.transfer.to, w.temp = w.to.as, tempFolder(w.to.path)
	if err := env.refuseSources(w.to, sources...); err != nil {
		return nil, err
	}
	if w.to.as == formatPolyglot {
		w.out, err = env.createOutput(w.to.path, flags.writeFlags)
		env.making = w.to.path
		return w, err
	}
	if w.claim, err = ctgwrite.NewClaim(env.ctx, w.to.path, w.options()); err != nil {
		return nil, targetError(w.to.path, err)
	}
	env.making = w.to.path
	return w, nil
}

// close ends the claim on the book, and removes what is not complete.
func (w *bookWriter) close() {
	if w.claim != nil {
		_ = w.env.done(w.claim.Release()) // the lock ends with the program too
	}
	if w.out != nil {
		_ = w.out.abort(nil)
	}
}

// sparing collects garbage often, until done is called: verbs of books use the memory that
// --memory gives, and garbage comes on top of it.
func sparing() (done func()) {
	before := debug.SetGCPercent(25)
	room = nil
	return func() { debug.SetGCPercent(before) }
}

// memory returns how many bytes of what --memory gives are for counting and sorting: the
// rest is for garbage and for the program.
func (w *bookWriter) memory() int {
	return cmp.Or(int(w.book.Memory), defaultBookMemory) << 20 * 2 / 3
}

// options returns those of writing.
func (w *bookWriter) options() ctgwrite.Options {
	return ctgwrite.Options{
		Exact: w.book.Exact, Memory: w.memory(), TempDir: w.temp, Force: w.flags.Force,
		Report: w.env.messages.lost, OnError: w.onDamage(),
		Claim: w.claim, Wait: w.flags.duration(), OnReplace: w.env.reportReplaced(w.to.path),
		Progress: func(positions int) {
			if w.progress != nil {
				w.progress.at(int64(positions))
			}
		},
	}
}

// writeBin writes a Polyglot book and says what was written.
func (w *bookWriter) writeBin(books []model.Book, minWeight int, report model.Report) error {
	bar := newProgress(w.env.stderr, w.flags.Quiet, -1, w.verb, "moves")
	n, err := ctgwrite.WritePolyglot(w.env.ctx, w.out, books, ctgwrite.PolyglotOptions{
		MinWeight: minWeight, Memory: w.memory(), TempDir: w.temp, Report: report, OnError: w.onDamage(),
		Progress: func(entries int) { bar.at(int64(entries)) },
	})
	bar.done()
	if err == nil {
		err = w.out.commit()
	}
	if err != nil {
		return targetError(w.to.path, err)
	}
	w.out = nil
	w.env.finish(madeTarget{Path: w.to.path, Format: formatPolyglot}, struct {
		Moves int `json:"moves"`
	}{n}, w.flags.Quiet, plural(n, "move"))
	return nil
}

// largeBookGames is how many games make a book of which most positions are of one game.
const largeBookGames = 100_000

// reportOnce says how many positions of a book of many games have one game.
func (w *bookWriter) reportOnce(r ctgwrite.Result) {
	if r.Games > largeBookGames && r.Once > 0 {
		fmt.Fprintf(w.env.stderr, "%d %% of the positions occur in one game; --min-games 2 leaves them out\n", r.Once*100/r.Positions)
	}
}

// write writes the book with a progress bar and says what was written.
func (w *bookWriter) write(total int, do func(*progress) (ctgwrite.Result, error)) error {
	bar := newProgress(w.env.stderr, w.flags.Quiet, total, w.verb, "positions")
	result, err := do(bar)
	bar.done()
	if errors.Is(err, ctgwrite.ErrNothingRead) {
		return nothingRead(w.to.path)
	}
	if err = w.env.done(err); err != nil {
		return targetError(w.to.path, err)
	}
	if w.unfit > 0 {
		fmt.Fprintf(w.env.stderr, "cbkit: copied though wrong in the original: figures of positions (%d), "+
			"such as more wins than games\n", w.unfit)
	}
	w.env.made(madeTarget{Path: w.to.path, Format: formatBook, Games: new(result.Games)})
	made := struct {
		Positions int `json:"positions"`
		Once      int `json:"once,omitempty"` // of games
		Pages     int `json:"pages"`
	}{result.Positions, result.Once, result.Pages}
	if !w.env.setResult(made, false) && !w.flags.Quiet {
		fmt.Fprintf(w.env.stderr, "%s: %s of %s in %s\n",
			w.to.path, plural(result.Positions, "position"), plural(result.Games, "game"), plural(result.Pages, "page"))
		w.reportOnce(result)
		w.env.messages.printLosses()
	}
	return nil
}
