package main

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cbkit/read"

	"github.com/alecthomas/kong"
)

// codePage is the value of --codepage.
type codePage string

// Validate refuses a page that is not known.
func (c codePage) Validate() error {
	_, err := read.TextDecoder(string(c))
	return err
}

// count is a number that cannot be negative.
type count int

// Validate refuses negative numbers.
func (c count) Validate() error {
	if c < 0 {
		return errors.New("the number must not be negative")
	}
	return nil
}

// plyCount is a flag that may have a number behind =, and has a usual one without.
type plyCount int

// usualPlies is what --positions means.
const usualPlies = 40

// IsBool says to kong that the flag needs no value.
func (p *plyCount) IsBool() bool { return true }

// Decode reads the value, if there is one.
func (p *plyCount) Decode(ctx *kong.DecodeContext) error {
	*p = usualPlies
	if ctx.Scan.Peek().Type != kong.FlagValueToken {
		return nil
	}
	n, err := strconv.Atoi(ctx.Scan.Pop().String())
	if err != nil || n < 1 || n > 10000 {
		return errors.New("write how many plies of each game count: 1 to 10000")
	}
	*p = plyCount(n)
	return nil
}

// outName is the value of a flag that names what to make.
type outName string

// UnmarshalText refuses an empty name, which says as little as no flag.
func (o *outName) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		return errors.New("the name of what to make is empty")
	}
	*o = outName(text)
	return nil
}

// negative is a number with a sign, or the open range "-50".
var negative = regexp.MustCompile(`^-[0-9]`)

// descending are keys to sort by, of which the first turns the order.
var descending = regexp.MustCompile(`^-[a-zA-Z]{3}`)

// flagsFirst puts the flags of a verb, with their values, in front of its other arguments:
// a list of files ends at the first flag behind it, so that "merge a.pgn --quiet b.pgn
// OUT.pgn" would be refused. A value that would be taken for a flag is joined to its own:
// "--ply -1" is "--ply=-1", "--by -date" is "--by=-date". Behind "--" there are no flags. All
// stays as it is if there is a flag that the verb does not have.
func flagsFirst(app *kong.Node, args []string) []string {
	verb, at := app, 0
	for ; at < len(args); at++ {
		i := slices.IndexFunc(verb.Children, func(n *kong.Node) bool { return n.Name == args[at] })
		if i < 0 {
			break
		}
		verb = verb.Children[i]
	}
	takesValue := map[string]bool{}
	for _, f := range slices.Concat(verb.AllFlags(false)...) {
		takes := !f.IsBool() && !f.IsCounter()
		takesValue["--"+f.Name] = takes
		takesValue["-"+string(f.Short)] = takes
	}
	flags, others := slices.Clone(args[:at]), []string(nil)
	for ; at < len(args) && args[at] != "--"; at++ {
		name, _, joined := strings.Cut(args[at], "=")
		takes, known := takesValue[name]
		switch {
		case len(name) < 2 || name[0] != '-':
			others = append(others, args[at])
			continue
		case !known:
			return args
		}
		flags = append(flags, args[at])
		if !takes || joined || at+1 == len(args) {
			continue
		}
		at++
		if isKeys := (name == "--by" || name == "--sort") && descending.MatchString(args[at]); isKeys || strings.HasPrefix(name, "--") && negative.MatchString(args[at]) {
			flags[len(flags)-1] += "=" + args[at]
		} else {
			flags = append(flags, args[at])
		}
	}
	if at < len(args) {
		flags, at = append(flags, "--"), at+1
	}
	return slices.Concat(flags, others, args[at:])
}
