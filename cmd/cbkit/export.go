package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	lib "cbkit"
	"cbkit/internal/dbfile"
	"cbkit/internal/packed"
	"cbkit/model"
	"cbkit/parquet"
	"cbkit/pgn"
)

// exportCmd is "cbkit export".
type exportCmd struct {
	DB       string `arg:"" zip:"reads" name:"db" help:"Database to read."`
	Out      string `arg:"" name:"out" help:"File ending in .pgn, .jsonl or .epd, also with .gz or .zst; or in .parquet or .html; or - for standard output. With --format parquet, and --diagrams, a folder."`
	Format   string `help:"pgn, jsonl, epd or parquet, where OUT does not say it." enum:",pgn,jsonl,epd,parquet" default:"" placeholder:"FORMAT"`
	Games    string `help:"Which records: ids and ranges such as 1-50,77." placeholder:"IDS"`
	Deleted  bool   `help:"Write deleted games to PGN, pages and diagrams too. JSON Lines always has them."`
	Diagrams bool   `help:"Draw each place of a game that asks for a diagram, as an SVG file in the folder OUT."`
	pgnFlags
	tableFlags
	whereFlag
	transferFlags
}

// Run implements the verb.
func (c *exportCmd) Run(env *environment) error {
	if c.Diagrams || dbfile.Is(c.Out, ".html", ".htm") && c.Format == "" {
		return c.draw(env)
	}
	var to target
	var err error
	if as := named(c.Out); c.Format != "" && c.Out != "" {
		to = target{c.Out, format(c.Format)} // whatever it is called
	} else if as != "" && !as.IsFile() {
		return usageError{fmt.Errorf("%s: export writes .pgn, .jsonl, .epd or .parquet; give --format, or use convert", c.Out)}
	} else if to, err = parseTarget(c.Out, formatPGN, formatJSONL, formatEPD, formatParquet); err != nil {
		return err
	}
	if err := env.refuseSources(to, c.DB); err != nil {
		return err
	}
	if err := c.pgnFlags.check(to.as); err != nil {
		return err
	}
	if flag := c.tableFlags.given(); flag != "" && to.as != formatParquet {
		return usageError{fmt.Errorf("%s: is for tables; give --format parquet, or a name that ends in .parquet", flag)}
	}
	t, err := c.begin(env, to)
	if err != nil {
		return err
	}
	if c.Part != (part{}) && c.DB == "-" {
		return usageError{errors.New("-: standard input has no parts; name a file")}
	}
	src, err := t.open(lib.Options{Part: c.Part.number, Parts: c.Part.of}, c.DB)
	if err != nil {
		return err
	}
	tables, err := c.tableFlags.options(t, src, c.DB)
	if err != nil {
		return errors.Join(err, src.close())
	}
	return t.run(src, to, outputOptions{deleted: c.Deleted, plain: !c.Lossless, pgnFlags: c.pgnFlags, tables: &tables})
}

// begin begins a run that takes what is asked for.
func (c *exportCmd) begin(env *environment, to target) (t *transfer, err error) {
	t = newTransfer(env, c.transferFlags, "export", to)
	if t.where, err = c.condition(c.Deleted); err == nil && c.Games != "" {
		t.games, err = parseIDs(c.Games)
	}
	return t, err
}

// tableFlags are the flags of tables for DuckDB, Spark and ClickHouse.
type tableFlags struct {
	Tables      string `help:"Tables in Parquet: games, positions, or both with a comma." placeholder:"TABLES"`
	Compression string `help:"How Parquet is compressed: zstd, snappy, gzip or none." enum:",zstd,snappy,gzip,none" default:"" placeholder:"WAY"`
	NoGame      bool   `name:"no-game" help:"Leave out the column that has the whole game: smaller tables, from which only headers and main lines can be read back."`
	Variations  bool   `help:"The table of positions has those of variations too."`
	FEN         bool   `name:"fen" help:"The table of positions has each as a FEN, as tables for books need it."`
	Sort        string `help:"The order of positions: key, so that a query for one reads little; else that of games." enum:",key" default:"" placeholder:"ORDER"`
	Part        part   `help:"Only the i-th of n parts of the source, written i/n, so that n machines share the work; in Parquet." placeholder:"I/N"`
}

// part is the value of --part: the first of the numbers is counted from 1. The
// zero value is the whole.
type part struct{ number, of int }

// UnmarshalText reads "2/4".
func (p *part) UnmarshalText(text []byte) error {
	number, of, ok := strings.Cut(string(text), "/")
	var err error
	if p.number, err = strconv.Atoi(number); err == nil && ok {
		p.of, err = strconv.Atoi(of)
	}
	if !ok || err != nil || p.number < 1 || p.number > p.of {
		return fmt.Errorf("%q is no part; the second of four is 2/4", text)
	}
	return nil
}

// given names the first flag that was given, "" if none was.
func (f *tableFlags) given() string {
	for flag, value := range reflect.ValueOf(f).Elem().Fields() {
		if !value.IsZero() {
			return "--" + cmp.Or(flag.Tag.Get("name"), strings.ToLower(flag.Name))
		}
	}
	return ""
}

// options returns those of writing the tables of a source.
func (f *tableFlags) options(t *transfer, src *input, source string) (parquet.Options, error) {
	opt := parquet.Options{
		Compression: parquet.Compression(f.Compression), NoGame: f.NoGame, Variations: f.Variations, FEN: f.FEN,
		Database: databaseName(source), Program: "cbkit " + build().Version, Part: f.Part.number, Parts: f.Part.of,
		ByKey: f.Sort != "", TempDir: t.temp,
		Force: t.flags.Force, Jobs: int(t.flags.Jobs), Report: t.env.messages.lost,
	}
	if f.Tables != "" {
		var err error
		if opt.Tables, err = parquet.ParseTables(f.Tables); err != nil {
			return opt, usageError{fmt.Errorf("--tables: %w", err)}
		}
	}
	if opt.ByKey && !slices.Contains(opt.Tables, parquet.Positions) {
		return opt, usageError{errors.New("--sort: is for positions; give --tables positions")}
	}
	if games, ok := src.Source.(*pgn.Reader); ok {
		// The place in the file is the same in every run, also in one of a part.
		opt.RowID = func(model.Record) int64 { return games.Offset() }
	}
	return opt, nil
}

// databaseName is what the tables call a source: the name of its file.
func databaseName(path string) string {
	if path == "-" {
		return ""
	}
	name := filepath.Base(path)
	name = name[:len(name)-len(packed.Ending(name))]
	if named(name) != "" {
		name = dbfile.StemOf(name)
	}
	return name
}

// expand replaces patterns such as games/*.parquet by the files they match, for
// shells that do not, and where the user has kept one from it.
func expand(paths []string) ([]string, error) {
	var all []string
	for _, path := range paths {
		if named(path) != formatParquet || !strings.ContainsAny(path, "*?[") || len(statAll([]string{path})) > 0 {
			all = append(all, path)
			continue
		}
		list, err := filepath.Glob(path)
		if err != nil {
			return nil, usageError{fmt.Errorf("%s: %w", path, err)}
		}
		if len(list) == 0 {
			return nil, fmt.Errorf("%s: no file has such a name", path)
		}
		all = append(all, list...)
	}
	return all, nil
}
