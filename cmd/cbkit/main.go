// Command cbkit reads and writes chess databases: ChessBase (.cbh), Simple
// Chess Database (.dci), PGN and JSON Lines, and ChessBase opening books (.ctg).
// Run "cbkit --help" for its verbs.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"

	"github.com/alecthomas/kong"
)

// Exit statuses.
const (
	exitDone   = 0 // done, also with losses or notes
	exitFailed = 1 // an input failed, a game was skipped, a difference was found
	exitUsage  = 2 // bad use
)

// cli is the command line: one field for each verb.
type cli struct {
	Info     infoCmd     `cmd:"" help:"Say what a database is: format, version, counts, dates, files."`
	Show     showCmd     `cmd:"" help:"Show one game or text, with a board diagram on request."`
	Export   exportCmd   `cmd:"" help:"Write games as PGN, or whole records as JSON Lines."`
	Import   importCmd   `cmd:"" help:"Make a database of PGN files."`
	Convert  convertCmd  `cmd:"" help:"Turn one kind of database into another."`
	Check    checkCmd    `cmd:"" help:"Look for everything that is not as the format wants it."`
	Verify   verifyCmd   `cmd:"" help:"Encode every record again and compare with the stored bytes."`
	Boosters boostersCmd `cmd:"" help:"Make the search boosters of a database anew, or check them."`
	Find     findCmd     `cmd:"" help:"Find games by players, dates, openings, material, positions …"`
	Book     bookCmd     `cmd:"" help:"Work with opening books (.ctg)."`
	Recover  recoverCmd  `cmd:"" help:"Complete or take back an interrupted replacement of a database."`
	Demo     demoCmd     `cmd:"" help:"Build a small database, read it back and show what was done."`
}

const description = `Reads and writes chess databases: ChessBase (.cbh and its companions), Simple Chess Database (.dci), PGN and
JSON Lines; and ChessBase opening books (.ctg).

A database is named by any of its files, or by its name without an ending; "-" is standard input or output.
Exit status: 0 done, 1 an input failed or a game was skipped, 2 bad use.`

func main() {
	if os.Getenv("GOGC") == "" {
		// Records live shortly and tables stay small: half as many
		// collections make imports some 6 percent faster.
		debug.SetGCPercent(200)
	}
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the program with its arguments and streams as parameters, for tests.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	var c cli
	exited, status := false, exitDone
	parser, err := kong.New(&c, kong.Name("cbkit"), kong.Description(description),
		kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { exited, status = true, code }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}))
	if err != nil {
		fmt.Fprintln(stderr, "cbkit:", err)
		return exitUsage
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsed, err := parser.Parse(args)
	if exited {
		return status // help was printed
	}
	if err != nil {
		fmt.Fprintf(stderr, "cbkit: %v; see cbkit --help\n", err)
		return exitUsage
	}
	env := &environment{ctx: ctx, stdin: stdin, stdout: stdout, stderr: stderr}
	if err := parsed.Run(env); err != nil {
		return env.fail(err)
	}
	return exitDone
}

// environment is what a verb works with.
type environment struct {
	ctx            context.Context
	stdin          io.Reader
	stdout, stderr io.Writer
}

// warn tells of damage that a reader passed over.
func (env *environment) warn(err error) { fmt.Fprintln(env.stderr, "cbkit: warning:", err) }

// usageError is an error in how the program was called.
type usageError struct{ error }

// errReported is an error that has been told already.
var errReported = errors.New("reported")

// fail prints an error as one line and returns the exit status.
func (env *environment) fail(err error) int {
	if !errors.Is(err, errReported) {
		fmt.Fprintln(env.stderr, "cbkit:", err)
	}
	var usage usageError
	if errors.As(err, &usage) {
		return exitUsage
	}
	return exitFailed
}
