package parquet

import (
	"fmt"
	"slices"
	"strings"
	"time"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"cbkit/model"
)

// Table is the name of a table, and of the folder its files are in.
type Table string

// The tables.
const (
	// Games has a row for each game.
	Games Table = "games"
	// Positions has a row for each position.
	Positions Table = "positions"
)

// ParseTables reads names of tables with commas between them.
func ParseTables(s string) ([]Table, error) {
	var list []Table
	for name := range strings.SplitSeq(s, ",") {
		t := Table(strings.TrimSpace(name))
		if t != Games && t != Positions {
			return nil, fmt.Errorf("there is no table %q; there are %s and %s: %w", name, Games, Positions, model.ErrOption)
		}
		if !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	return list, nil
}

// Compression is how the pages of a file are compressed: "zstd", "snappy", "gzip" or
// "none". All engines read the first two; "" is zstd.
type Compression string

// codec returns what compresses.
func (c Compression) codec() (compress.Codec, error) {
	switch c {
	case "zstd", "":
		return &zstd.Codec{Level: zstd.SpeedFastest}, nil
	case "snappy":
		return &pq.Snappy, nil
	case "gzip":
		return &pq.Gzip, nil
	case "none":
		return &pq.Uncompressed, nil
	}
	return nil, fmt.Errorf("there is no compression %q; there are zstd, snappy, gzip and none: %w", string(c), model.ErrOption)
}

// Options configures a [Writer]. The zero value writes the table of games with
// all its columns.
type Options struct {
	// Tables are the tables to write; nil is Games.
	Tables []Table
	// Compression is zstd if it is "".
	Compression Compression
	// NoGame leaves out the column game, without which a table cannot become the same
	// database again. What has no other column is reported as lost.
	NoGame bool
	// Variations writes the positions of all lines, not of the main line alone.
	Variations bool
	// FEN writes the column fen of positions.
	FEN bool
	// ByKey sorts positions by key, so that an engine that looks for one can skip most
	// row groups; positions with the same key are in the order of games. All are sorted
	// before the first is written.
	ByKey bool
	// Memory is how many bytes sorting may take before it uses temporary files, 64 MiB if it
	// is 0; TempDir is their folder, the system's if it is "".
	Memory  int
	TempDir string

	// Database is the name of the source in the column database, which is NULL
	// if it is "".
	Database string
	// Program is the name of the writing program for the metadata of files, such as
	// "cbkit 1.2.0".
	Program string
	// RowID returns the value of the column id for a game, which must grow from game to
	// game. If it is nil, that is the id of the record, and the column game has it too.
	RowID func(model.Record) int64

	// Part says which of Parts runs this is, from 1, for the names of files; 0
	// is the only one.
	Part, Parts int
	// Force replaces the files of an earlier run that was the only one. The
	// files of an earlier run of the same part are always replaced.
	Force bool
	// Wait is how long to wait for another writer of the same part to end.
	Wait time.Duration

	// Jobs is how many processors are used, as in [cbkit/read.Options].
	Jobs int
	// Report is called for what no row holds: guiding texts; games that are too
	// large for a line of JSON Lines; with NoGame much else. Without one, Commit
	// fails with a *model.LossError if there is such a thing, unless AcceptLosses
	// is set.
	Report       model.Report
	AcceptLosses bool
}

// check fills in what is missing and refuses what contradicts itself.
func (o *Options) check() error {
	if len(o.Tables) == 0 {
		o.Tables = []Table{Games}
	}
	if o.ByKey && !o.has(Positions) {
		return fmt.Errorf("positions have keys, and that table is not written: %w", model.ErrOption)
	}
	if o.Part == 0 && o.Parts == 0 {
		o.Part, o.Parts = 1, 1
	}
	if o.Part < 1 || o.Part > o.Parts {
		return fmt.Errorf("part %d of %d: parts are counted from 1: %w", o.Part, o.Parts, model.ErrOption)
	}
	return nil
}

// text says what the rows depend on besides the games, for the metadata of files.
func (o *Options) text() string {
	var words []string
	for _, f := range []struct {
		word string
		set  bool
	}{{"no-game", o.NoGame}, {"variations", o.Variations}, {"fen", o.FEN}, {"by-key", o.ByKey}} {
		if f.set {
			words = append(words, f.word)
		}
	}
	return strings.Join(words, ",")
}

// has reports whether a table is wanted.
func (o *Options) has(t Table) bool { return slices.Contains(o.Tables, t) }
