package main

import (
	lib "cbkit"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"cbkit/internal/dbfile"
	"cbkit/internal/packed"
	"cbkit/model"
	"cbkit/parquet"
	"cbkit/pgn"
)

// tableFlags are the flags of tables for DuckDB, Spark and ClickHouse.
type tableFlags struct {
	Tables      string `help:"Tables in Parquet: games, positions, or both with a comma." placeholder:"TABLES"`
	Compression string `help:"How Parquet is compressed: zstd, snappy, gzip or none." enum:",zstd,snappy,gzip,none" default:"" placeholder:"WAY"`
	NoGame      bool   `help:"Leave out the column that has the whole game: smaller tables, from which only headers and main lines can be read back."`
	Variations  bool   `help:"The table of positions has those of variations too."`
	FEN         bool   `name:"fen" help:"The table of positions has each as a FEN, as tables for books need it."`
	Sort        string `help:"The order of positions: key, so that whoever looks for one reads little; else that of games." enum:",key" default:"" placeholder:"ORDER"`
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
	for _, flag := range []struct {
		name  string
		given bool
	}{
		{"--tables", f.Tables != ""}, {"--compression", f.Compression != ""}, {"--no-game", f.NoGame},
		{"--variations", f.Variations}, {"--fen", f.FEN}, {"--sort", f.Sort != ""}, {"--part", f.Part != part{}},
	} {
		if flag.given {
			return flag.name
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

// saveTables writes the tables of a source.
func (t *transfer) saveTables(sink *transferSink, src *input, to target, opt outputOptions) (err error) {
	if sink.output, err = t.createTables(to, *opt.tables); err != nil {
		return err
	}
	save, done, err := t.saveOptions(src, to, opt)
	if err != nil {
		return err
	}
	defer done()
	return model.Copy(t.env.ctx, sink, src.Source, model.CopyOptions{
		From: save.From, To: save.To, Keep: save.Keep, OnError: save.OnError, Progress: save.Progress, SkipPreflight: save.KeepGoing,
	})
}

// createTables starts the tables of a source: in a folder, or one in a file.
func (t *transfer) createTables(to target, opt parquet.Options) (output, error) {
	if named(to.path) != formatParquet && to.path != "-" {
		w, err := parquet.Create(t.env.ctx, to.path, opt)
		if err != nil {
			return nil, targetError(to.path, err)
		}
		return w, nil
	}
	if len(opt.Tables) > 1 {
		return nil, usageError{fmt.Errorf("%s: is one file; name a folder for several tables", to.path)}
	}
	if opt.Parts > 1 {
		return nil, usageError{fmt.Errorf("%s: is one file; name a folder for parts", to.path)}
	}
	file, err := t.env.createText(to.path, t.flags.writeFlags)
	if err != nil {
		return nil, err
	}
	w, err := parquet.NewWriter(io.Writer(file), opt)
	if err != nil {
		return nil, file.abort(err)
	}
	return &textSink{output: w, file: file}, nil
}

// openPart opens a part of a source, or the whole.
func (t *transfer) openPart(path string, p part) (*input, error) {
	if p == (part{}) {
		return t.openInput(path)
	}
	if path == "-" {
		return nil, usageError{errors.New("-: standard input has no parts; name a file")}
	}
	return t.open(lib.Options{Part: p.number, Parts: p.of}, path)
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

// rowsOf says how many rows were written.
func rowsOf(w *parquet.Writer) string {
	var list []string
	for _, table := range [...]parquet.Table{parquet.Games, parquet.Positions} {
		if rows, ok := w.Rows(table); ok {
			list = append(list, fmt.Sprintf("%d %s", rows, table))
		}
	}
	return strings.Join(list, ", ")
}
