package main

import (
	lib "cbkit"
	"fmt"
	"io"

	"cbkit/check"
	"cbkit/codepage"
	"cbkit/read"
)

// infoCmd is "cbkit info".
type infoCmd struct {
	Path string `arg:"" help:"Database, PGN or JSON Lines file; - is PGN or JSON Lines from standard input."`
	JSON bool   `name:"json" help:"Print JSON."`
	readFlags
}

// Run implements the verb.
func (c *infoCmd) Run(env *environment) error {
	if file, inside, is := lib.SplitArchive(c.Path); is && inside == "" {
		return c.runArchive(env, file)
	}
	t := newTransfer(env, transferFlags{readFlags: c.readFlags}, "info", target{})
	info, err := c.read(t)
	if err != nil {
		return t.unreadable(err)
	}
	if !c.JSON {
		printInfo(env.text, info)
		return nil
	}
	return env.answer(info)
}

// information is what there is to say.
type information struct {
	read.Info
	// Boosters are the search boosters of a ChessBase database, missing ones
	// included.
	Boosters []check.Booster `json:"boosters,omitempty"`
	// CodePage is the page of names and texts, and what speaks for it.
	CodePage codepage.Guess `json:"codePage,omitzero"`
}

// read collects it.
func (c *infoCmd) read(t *transfer) (info information, err error) {
	t.env.pagesShown = true
	src, err := t.openInput(c.Path)
	if err != nil {
		return info, err
	}
	info.CodePage = src.guess
	defer func() { _ = src.close() }() // it was only read
	if db, ok := src.Source.(read.Database); ok {
		info.Info, err = db.Info(t.env.ctx)
		if _, ok := db.(*read.ChessBase); ok && err == nil && formatOf(c.Path) != formatArchive {
			info.Boosters, err = check.BoosterStates(t.env.ctx, c.Path, check.Options{Jobs: int(c.Jobs)})
		}
		return info, err
	}
	info.Info, err = read.Summarize(t.env.ctx, src, t.onError)
	info.Path, info.Format = c.Path, textFormats[src.as]
	return info, err
}

// textFormats names the formats that are single files.
var textFormats = map[format]string{formatPGN: "PGN", formatJSONL: "JSON Lines"}

// printInfo writes the readable form.
func printInfo(w io.Writer, info information) {
	row := func(name string, value any) { fmt.Fprintf(w, "%-14s %v\n", name, value) }
	row("format", info.Format)
	if info.Version != "" {
		row("version", info.Version)
	}
	row("records", info.Records)
	row("games", info.Games)
	row("texts", info.Texts)
	row("deleted", info.Deleted)
	if info.FirstDate != "" {
		row("dates", info.FirstDate+" to "+info.LastDate)
	}
	for _, e := range info.Entities {
		row(e.Name, e.Count)
	}
	if g := info.CodePage; g.Texts > 0 {
		row("code page", g)
	} else if g.Page != "" && g.Page != codepage.Default {
		row("code page", g.Page)
	}
	if info.MoveHoles+info.AnnotationHoles > 0 {
		row("holes", fmt.Sprintf("%s in moves, %d in annotations (as stored)", plural(info.MoveHoles, "byte"), info.AnnotationHoles))
	}
	for _, f := range info.Files {
		row("file", fmt.Sprintf("%-24s %12d bytes  %s", f.Name, f.Size, f.What))
	}
	for _, name := range info.Missing {
		row("missing", name)
	}
	for i := range info.Boosters {
		if b := &info.Boosters[i]; b.State != check.BoosterMissing {
			row("booster", fmt.Sprintf("%-24s %s", b.File, boosterState(b)))
		}
	}
}

// boosterState says what a booster is worth.
func boosterState(b *check.Booster) string {
	switch b.State {
	case check.BoosterStale:
		return fmt.Sprintf("%s: it ends at record %d", b.State, b.Covers)
	case check.BoosterUnsealed:
		return fmt.Sprintf("%s: not used by searches until cbkit boosters rebuilds it", b.State)
	case check.BoosterWrong:
		return fmt.Sprintf("%s: not used by searches; cbkit boosters --check says where", b.State)
	}
	return string(b.State)
}
