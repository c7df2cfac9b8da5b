// Command cbkit reads and writes chess databases: ChessBase (.cbh, .cbv), Scid (.si4),
// Simple Chess Database (.dci), PGN, JSON Lines and more, and opening books of ChessBase
// (.ctg) and Polyglot (.bin). Run "cbkit --help" for its verbs.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"cbkit/internal/dbfile"
	"cbkit/internal/journal"
	"cbkit/model"

	"github.com/alecthomas/kong"
	"golang.org/x/term"
)

// Exit statuses.
const (
	exitDone   = 0 // done, also with losses or notes
	exitFailed = 1 // an input failed, a game was skipped, a difference was found
	exitUsage  = 2 // bad use
)

// oneSignal is how long signals count as the first one.
const oneSignal = time.Second

// cli is the command line: one field for each verb.
type cli struct {
	Info     infoCmd     `cmd:"" help:"Say what a database is: format, version, counts, dates, files."`
	Show     showCmd     `cmd:"" help:"Show one game or text, with a board diagram on request."`
	Export   exportCmd   `cmd:"" help:"Write games as PGN, or whole records as JSON Lines."`
	Import   importCmd   `cmd:"" help:"Make a database of PGN files, or of JSON Lines."`
	Convert  convertCmd  `cmd:"" help:"Turn one kind of database into another."`
	Merge    mergeCmd    `cmd:"" help:"Bring databases of any formats together, also without duplicates."`
	Dedup    dedupCmd    `cmd:"" help:"Leave out games that are there more than once, or list them."`
	Split    splitCmd    `cmd:"" help:"Take a database apart by player, event, opening, year or number."`
	Sort     sortCmd     `cmd:"" help:"Put the games in another order."`
	Strip    stripCmd    `cmd:"" help:"Leave out comments, variations and the like."`
	Tree     treeCmd     `cmd:"" help:"Bring games together in one tree of lines; list its forks, and novelties."`
	Untangle untangleCmd `cmd:"" help:"Make a game of each line of a tree."`
	Diff     diffCmd     `cmd:"" help:"Tell how two databases differ."`
	Edit     editCmd     `cmd:"" help:"Change a database in place: append, replace, delete, annotate games; headers, names."`
	Names    namesCmd    `cmd:"" help:"List names that may be spellings of one, and correct names by a list."`
	Compact  compactCmd  `cmd:"" help:"Remove holes from a ChessBase database, and deleted records on request."`
	Check    checkCmd    `cmd:"" help:"Look for everything that is not as the format wants it."`
	Salvage  salvageCmd  `cmd:"" help:"Make a new database of everything that can still be read of a damaged one."`
	Verify   verifyCmd   `cmd:"" help:"Encode every record again and compare with the stored bytes."`
	Pack     packCmd     `cmd:"" help:"Make a ChessBase archive (.cbv, .cbz) of a database."`
	Unpack   unpackCmd   `cmd:"" help:"Unpack a ChessBase archive."`
	Boosters boostersCmd `cmd:"" help:"Rebuild the search boosters of a database, or check them."`
	Find     findCmd     `cmd:"" help:"Find games by players, dates, openings, material, positions …"`
	List     listCmd     `cmd:"" help:"List the players, tournaments, teams … of a database with their games."`
	Stats    statsCmd    `cmd:"" help:"Score of a database or a player: colours, openings, years, performance."`
	Table    tableCmd    `cmd:"" help:"Cross table of a tournament, with tie-breaks."`
	Report   reportCmd   `cmd:"" help:"What was played in a position: moves, scores, players, games, lines."`
	Prepare  prepareCmd  `cmd:"" help:"Prepare for an opponent: what is played, with which score, and where it is weak."`
	Eco      ecoCmd      `cmd:"" help:"Classify games by their positions, and list the openings."`
	Book     bookCmd     `cmd:"" help:"Work with opening books (.ctg, .bin)."`
	Serve    serveCmd    `cmd:"" help:"Look at databases in a browser on this machine: games, board, reports, books."`
	Recover  recoverCmd  `cmd:"" help:"Complete or take back an interrupted replacement of a database."`
	Version  versionCmd  `cmd:"" help:"Print version, commit, date, Go and the formats."`
	Help     helpCmd     `cmd:"" help:"Show the help of a verb, also as a page of the manual."`

	Completion completionCmd `cmd:"" help:"Print a script that lets a shell complete verbs and flags."`

	Demo demoCmd `cmd:"" help:"Build a small database, read it back and show what was done."`

	programFlags
}

// programFlags are the flags of the program itself, which every verb takes.
type programFlags struct {
	PrintVersion versionFlag `name:"version" help:"Print the version and stop."`
	messageFlags
}

// grammar returns what of the command line the arguments need: its description costs
// milliseconds, so that of one verb is made where the first word is its name.
func (c *cli) grammar(args []string) (root any, verb kong.Option) {
	for field, value := range reflect.ValueOf(c).Elem().Fields() {
		if _, is := field.Tag.Lookup("cmd"); is && len(args) > 0 && args[0] == strings.ToLower(field.Name) {
			return &c.programFlags, kong.DynamicCommand(args[0], field.Tag.Get("help"), "", value.Addr().Interface())
		}
	}
	return c, kong.OptionFunc(func(*kong.Kong) error { return nil })
}

// room is never touched, and so takes no memory. What is live begins with it for the garbage
// collector, which would otherwise run every few MB where little is kept, and let garbage
// double what is kept where that is much.
var room []byte

func main() {
	room = make([]byte, 32<<20)
	debug.SetGCPercent(40)
	keepPrivate(os.Args[1:])
	defer func() { runtime.KeepAlive(room) }()
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the program with its arguments and streams as parameters, for tests.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), append(hangUp, os.Interrupt, syscall.SIGTERM)...)
	defer stop()
	// A second signal ends the program at once, but not the same one that comes twice,
	// as "timeout" sends it to the program and to its group.
	context.AfterFunc(ctx, func() { time.AfterFunc(oneSignal, stop) })

	bars := &screen{}
	if file, is := stdout.(*os.File); is && !term.IsTerminal(int(file.Fd())) { // a terminal is asked how wide it is
		stdout = &interruptibleWriter{ctx: ctx, to: stdout}
	}
	zips := &unzipped{}
	out := &checkedWriter{to: stdout, screen: bars}
	env := &environment{
		ctx: ctx, stdin: stdin, stdout: out, text: plainWriter{to: out, screen: bars, zips: zips}, stderr: plainWriter{to: stderr, screen: bars, zips: zips, messages: true}, unzipped: zips, pages: map[string]bool{},
	}
	env.messages.to, env.messages.zips = env.stderr, zips
	env.ctx = journal.WithRecovered(ctx, func(main string, did model.Recovery) { env.warn(fmt.Errorf("%s: %v", main, did)) })
	err := env.run(args)
	if errors.Is(out.err, syscall.EPIPE) { // nothing reads any more what is printed
		_ = zips.close()
		return exitFailed
	}
	if out.err != nil && ctx.Err() == nil {
		err = fmt.Errorf("standard output: %w", out.err)
	}
	if failure := errors.Join(env.messages.finish(), zips.close()); err == nil {
		err = failure
	}
	status := exitDone
	switch {
	case err != nil:
		status = env.fail(err)
	case env.messages.failed():
		status = exitFailed
	}
	if failure := env.printOutcome(status, err); failure != nil && err == nil {
		return env.fail(fmt.Errorf("standard output: %w", failure))
	}
	return status
}

// run parses the arguments and runs the verb.
func (env *environment) run(args []string) error {
	var c cli
	exited := false
	root, verb := c.grammar(args)
	parser, err := kong.New(root, verb, kong.Name("cbkit"),
		kong.Writers(env.stdout, env.stderr),
		kong.Exit(func(int) { exited = true }),
		kong.KindMapper(reflect.String, choices),
		kong.Help(printHelp), kong.ConfigureHelp(kong.HelpOptions{Compact: true}))
	if err != nil {
		return err
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	isThis := func(n *kong.Node) bool { return n.Name == args[0] && n.Leaf() }
	if !slices.ContainsFunc(parser.Model.Children, isThis) { // else there is no need to know all verbs
		if err := noVerb(args); err != nil {
			return err
		}
	}
	parsed, err := parser.Parse(flagsFirst(parser.Model.Node, bareEdits(args)))
	if exited {
		return nil // help or the version was printed
	}
	if err != nil {
		return misuse(args, err)
	}
	selected := parsed.Selected()
	if v, ok := selected.Target.Addr().Interface().(outcomePrinter); ok && v.printsOutcome() {
		env.messages.outcome = &outcome{Verb: selected.Path(), Written: []madeTarget{}, Losses: []lossJSON{}, Findings: []reported{}}
	}
	if err := env.messages.begin(c.messageFlags); err != nil {
		return err
	}
	if epoch := os.Getenv(epochVariable); epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil || seconds < 0 || seconds > 1<<33 {
			return usageError{fmt.Errorf("%s: %q is no number of seconds since 1970; unset it, or correct it", epochVariable, epoch)}
		}
		env.now = func() time.Time { return time.Unix(seconds, 0) }
	}
	for _, arg := range args {
		if is := foreign[dbfile.EndingOf(arg)]; is != "" && !strings.HasPrefix(arg, "-") && isThere(arg) {
			return usageError{fmt.Errorf("%s: is %s", arg, is)}
		}
		if as := named(arg); as.IsOnlyRead() && slices.Contains(onlyChanging, selected.Name) && isThere(arg) {
			return onlyRead(arg, as, selected.Name)
		}
	}
	if err := env.unzip(selected); err != nil {
		return inOrder(args, err)
	}
	err = parsed.Run(env)
	if !env.readsText {
		err = ofText(args, err)
	}
	if err == nil {
		env.reportUnread(selected, args)
		return nil
	}
	return inOrder(args, env.withWayOut(selected, args, err))
}

// epochVariable is the variable by which builds that can be repeated give a clock: the
// seconds since 1970 (reproducible-builds.org).
const epochVariable = "SOURCE_DATE_EPOCH"

// environment is what a verb works with.
type environment struct {
	ctx    context.Context
	stdin  io.Reader
	stdout io.Writer        // data: games, records, JSON
	text   io.Writer        // text for people, to standard output too
	stderr io.Writer        // text for people
	making string           // the target that is being written, for messages
	now    func() time.Time // the clock of stamps, nil for that of the machine

	readsText bool // the verb reads texts, and has begun to

	messages messages
	// pages has the databases of which it was reported in which code page they are
	// read; pagesShown says that the verb itself shows it.
	pages      map[string]bool
	pagesShown bool
	matching   []matching // the sources of which some games are taken
	unzipped   *unzipped
	origin     func(model.RecordID) (name string, in model.RecordID) // of a folder that is read, else nil
}

// checkedWriter remembers the first error of what it writes to.
type checkedWriter struct {
	to     io.Writer
	screen *screen // has a bar that goes before anything is written
	err    error
}

// Write implements io.Writer.
func (w *checkedWriter) Write(p []byte) (int, error) {
	w.screen.clear()
	_, err := w.to.Write(p)
	if w.err == nil && err != nil {
		_, _, cause := systemError(err)
		w.err = cmp.Or(cause, err)
	}
	if err != nil {
		return 0, err
	}
	return len(p), nil
}
