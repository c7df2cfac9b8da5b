package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cbkit/collect"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/write"
)

// splitCmd is "cbkit split".
type splitCmd struct {
	Source string `arg:"" zip:"reads" help:"Database, PGN or JSON Lines file."`
	Dir    string `arg:"" help:"Folder of the parts; it is made if it is not there."`
	By     string `required:"" help:"white, player (the one of both who has more games), event, eco, year, or a number of games." placeholder:"WHAT" values:"white,player,event,eco,year"`
	Format string `help:"Format of the parts: cbh, dci, pgn or jsonl; the source's unless given." enum:",cbh,dci,pgn,jsonl" default:"" placeholder:"FORMAT"`
	whereFlag
	makeFlags
}

// Run implements the verb.
func (c *splitCmd) Run(env *environment) error {
	by, err := collect.ParseGrouping(cmp.Or(groupingWords[strings.ToLower(c.By)], c.By))
	if err != nil {
		return usageError{fmt.Errorf("--by: %w", err)}
	}
	if c.Source == "-" && by == "player" {
		return usageError{errors.New("split: standard input cannot be read twice; name a file")}
	}
	if c.Format == "" && formatOf(c.Source) == formatParquet {
		return usageError{fmt.Errorf("%s: parts are no tables; give --format cbh, dci, pgn or jsonl", c.Source)}
	}
	t := &transfer{env: env, flags: c.transferFlags, verb: "split", temp: tempFolder(filepath.Join(c.Dir, "part"))}
	if t.where, err = c.condition(c.Deleted); err != nil {
		return err
	}
	src, err := t.openInput(c.Source)
	if err != nil {
		return err
	}
	bar := newSourceProgress(env.stderr, c.Quiet, src, "reading")
	groups, err := collect.Split(env.ctx, src.Source, by, t.collectOptions(src.name, bar))
	bar.done()
	defer func() { _ = src.close() }() // it was only read
	if err == nil {
		err = env.checkMatches()
	}
	if err != nil {
		return err
	}
	defer func() { _ = groups.Close() }() // temporary files: if their folder stays, that is reported
	as := src.as
	switch {
	case c.Format != "":
		as = format(c.Format)
	case as.IsOnlyRead():
		as = formatChessBase
	}
	return c.writeParts(t, groups, as, src.page)
}

// writeParts makes a target of every group. Targets that are there already are
// refused before the first is made.
func (c *splitCmd) writeParts(t *transfer, groups *collect.Groups, as format, page string) error {
	names := partNames{}
	targets := map[string]target{}
	var list []string
	for group, err := range groups.All() {
		if err != nil {
			return err
		}
		list = append(list, group.Name)
	}
	for _, group := range list {
		name, number := group, ""
		if _, err := strconv.Atoi(c.By); err == nil { // in the order of the numbers, and with the name of the whole
			zeros := strings.Repeat("0", len(strconv.Itoa(len(list)))-len(group))
			name, number = databaseName(c.Source), zeros+group
		}
		to := target{filepath.Join(c.Dir, names.name(name, number)+as.Endings()[0]), as}
		if _, err := os.Lstat(to.path); err == nil && !c.Force {
			return fmt.Errorf("%s: exists already; --force replaces it, another folder keeps it", to.path)
		}
		targets[group] = to
	}
	if _, err := fsys.MkdirAll(fsys.OS{}, c.Dir); err != nil {
		return plainError(err)
	}
	bar := newProgress(t.env.stderr, c.Quiet, groups.Count(), "split", "games")
	defer bar.done()
	parts, games := 0, 0
	options := c.outputs(c.Source)
	options.folder = new(write.Folder)
	for group, err := range groups.All() {
		if err != nil {
			return err
		}
		part := newTransfer(t.env, c.transferFlags, "split", targets[group.Name])
		part.flags.Quiet, part.mute, part.bar = true, muteContent, bar
		if err := part.run(&input{Source: group, name: c.Source, as: as, page: page}, targets[group.Name], options); err != nil {
			return err
		}
		parts, games, t.deleted = parts+1, games+part.written, t.deleted+part.deleted
	}
	if !t.env.setResult(struct {
		Records int `json:"records"`
		Parts   int `json:"parts"`
	}{games, parts}, false) && !c.Quiet {
		fmt.Fprintf(t.env.stderr, "%s: %s in %s\n", c.Dir, plural(games, "record"), plural(parts, "part"))
		t.reportDeleted(c.Dir)
		t.env.messages.printLosses()
	}
	return nil
}

// partNames are the names of files that were made of what groups have in common.
type partNames map[string]bool

// maxPartName is how long the name of a part may be, in bytes, without what tells it
// from others: file systems take 255 or less, and endings come behind it, those of
// working files too.
const maxPartName = 120

// name returns a name that no file system refuses and no other part has, not
// even in other letters: of a group, or of the whole with the number of a part.
func (p partNames) name(group, number string) string {
	clean := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || isControl(r) || strings.ContainsRune(`/\:*?"<>|.`, r) {
			return '_'
		}
		return r
	}, strings.TrimSpace(group))
	for len(clean) > maxPartName {
		_, size := utf8.DecodeLastRuneInString(clean)
		clean = clean[:len(clean)-size]
	}
	clean = strings.TrimSpace(clean + " " + number)
	switch {
	case clean == "":
		clean = "(none)"
	case dbfile.IsDevice(clean):
		clean += "_"
	}
	name := clean
	for n := 2; p[dbfile.FoldName(name)]; n++ {
		name = fmt.Sprintf("%s (%d)", clean, n)
	}
	p[dbfile.FoldName(name)] = true
	return name
}
