package main

import (
	"encoding/json"
	"fmt"
	"io"

	"cbkit/read"
)

// infoCmd is "cbkit info".
type infoCmd struct {
	Path string `arg:"" help:"Database, PGN or JSON Lines file; - is PGN from standard input."`
	JSON bool   `name:"json" help:"Print JSON."`
	readFlags
}

// Run implements the verb.
func (c *infoCmd) Run(env *environment) error {
	info, err := c.read(env)
	if err != nil {
		return err
	}
	if c.JSON {
		enc := json.NewEncoder(env.stdout)
		enc.SetIndent("", "  ")
		return enc.Encode(info)
	}
	printInfo(env.stdout, info)
	return nil
}

// read collects what there is to say.
func (c *infoCmd) read(env *environment) (read.Info, error) {
	t := &transfer{env: env, flags: transferFlags{readFlags: c.readFlags}}
	as := formatOf(c.Path)
	if c.Path == "-" {
		as = formatPGN
	}
	src, err := t.openInput(c.Path, as)
	if err != nil {
		return read.Info{}, err
	}
	defer func() { _ = src.close() }() // it was only read
	if db, ok := src.Source.(read.Database); ok {
		return db.Info(env.ctx)
	}
	info, err := read.Summarize(env.ctx, src, t.onError)
	info.Path, info.Format = c.Path, textFormats[as]
	return info, err
}

// textFormats names the formats that are single files.
var textFormats = map[format]string{formatPGN: "PGN", formatJSONL: "JSON Lines"}

// printInfo writes the readable form.
func printInfo(w io.Writer, info read.Info) {
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
	if info.MoveHoles+info.AnnotationHoles > 0 {
		row("holes", fmt.Sprintf("%d bytes in moves, %d in annotations (as stored)", info.MoveHoles, info.AnnotationHoles))
	}
	for _, f := range info.Files {
		row("file", fmt.Sprintf("%-24s %12d bytes  %s", f.Name, f.Size, f.What))
	}
	for _, name := range info.Missing {
		row("missing", name)
	}
}
