package parquet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync/atomic"

	"cbkit/internal/fsys"
	"cbkit/internal/stale"
	"cbkit/jsonl"
	"cbkit/model"
)

// Reader reads games from the table of games, or from the result of a query
// with its columns. It is a [model.Source].
//
// In a file with the column game the other columns are ignored. Without it games are made
// of their headers and main lines, from the first of the columns moves, uci and movetext
// that exists; clocks and evaluations in movetext are ignored. Fields of missing columns
// are unknown; additional columns are ignored.
//
// Games have the ids 1, 2, 3 and so on, in the order of files and rows. A game
// that cannot be read takes no id: its error, a *[RowError], comes with
// the id that the next good game gets. Errors with id 0 concern a whole file
// and end the reading.
//
// The tables grow while games are read: one goroutine may use a reader at a time.
type Reader struct {
	files    fsys.ReadFS
	paths    []string
	entities model.Entities
	rows     int64
	size     int64 // of the files, in bytes
	done     atomic.Int64
}

var (
	_ model.Source   = (*Reader)(nil)
	_ model.Referee  = (*Reader)(nil)
	_ model.Measured = (*Reader)(nil)
)

// Open returns a reader of the games of several files, one after the other. It looks at
// all of them: it fails if one is not there, is no Parquet file or is cut short, if it
// has none of the columns game, moves, uci and movetext, or a column with another type
// than that of the table of games. The error is [model.ErrNeedsRecovery] if the run of
// [Create] that wrote a file did not complete its part.
//
// cbkit.Open reads from a file system (Options.FS), such as one of package embed: files
// without ReadAt are read into memory, and refused above 256 MiB.
func Open(paths ...string) (*Reader, error) { return open(fsys.OS{}, paths) }

func open(files fsys.ReadFS, paths []string) (*Reader, error) {
	r := &Reader{files: files, paths: paths}
	for _, path := range paths {
		if err := checkPlaced(files, path); err != nil {
			return nil, err
		}
		f, err := openFile(files, path)
		if err != nil {
			return nil, err
		}
		_, err = gamesOf(f)
		r.rows += f.pq.NumRows()
		r.size += f.pq.Size()
		f.close()
		if err != nil {
			return nil, err
		}
	}
	return r, nil
}

// gamesOf finds the fields of games in a file.
func gamesOf(f *file) ([]field, error) {
	fields, err := f.find(gamesColumns[fieldGame:])
	if err != nil || len(fields[0].leaves) > 0 {
		return fields, err
	}
	if f.has(keyColumn) && f.has("ply") && f.has("pawns") {
		return nil, f.wrong(-1, "", fmt.Errorf("%w: it is a table of positions; games are in the table of games", model.ErrUnsupported))
	}
	fields, err = f.find(gamesColumns[:])
	if err != nil {
		return nil, err
	}
	for _, i := range [...]int{fieldMoves, fieldUCI, fieldMovetext} {
		if len(fields[i].leaves) > 0 {
			return fields, nil
		}
	}
	return nil, f.wrong(-1, "", fmt.Errorf("%w: it has no column game, moves, uci or movetext, so there are no games in it", model.ErrUnsupported))
}

// Rows returns how many rows the files have.
func (r *Reader) Rows() int64 { return r.rows }

// Entities returns the tables that the games refer to. They grow while games
// are read.
func (r *Reader) Entities() *model.Entities { return &r.entities }

// Count returns -1: which rows can be read is not known before.
func (r *Reader) Count() int { return -1 }

// Progress implements [model.Measured]. It takes the same share of bytes as read as of
// rows.
func (r *Reader) Progress() (done, total int64) {
	if r.rows == 0 {
		return 0, r.size
	}
	return int64(float64(r.size) * min(float64(r.done.Load())/float64(r.rows), 1)), r.size
}

// LegalMoves implements [model.Referee]: reading plays all moves.
func (r *Reader) LegalMoves() bool { return true }

// Leftover returns nil.
func (r *Reader) Leftover() *model.Leftover { return nil }

// Records yields the games, each valid until the next step alone; [model.Kept]
// yields copies. See [model.Source] and [Reader].
func (r *Reader) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		yield = stale.After(yield)
		r.done.Store(0)
		p := pass{reader: r, from: from, want: want, yield: yield}
		for _, path := range r.paths {
			if !p.file(ctx, path) {
				return
			}
		}
	}
}

// pass is one reading of all files.
type pass struct {
	reader *Reader
	from   model.RecordID
	want   model.Want
	last   model.RecordID
	yield  func(model.Record, error) bool
}

// rowDecoder makes games of rows.
type rowDecoder interface {
	// decode returns the game of the present row.
	decode(r *rows) (model.Record, error)
}

// file reads a file. It returns false when the loop is to end.
func (p *pass) file(ctx context.Context, path string) bool {
	f, err := openFile(p.reader.files, path)
	if err != nil {
		return p.end(err)
	}
	defer f.close()
	fields, err := gamesOf(f)
	if err != nil {
		return p.end(err)
	}
	rows := newRows(f, fields)
	defer rows.end()
	var dec rowDecoder
	if len(fields) == 1 {
		dec = &lineDecoder{lines: jsonl.NewDecoder(&p.reader.entities), want: p.want}
	} else {
		dec = newColumnDecoder(&p.reader.entities, fields, p.want)
	}
	for {
		err := ctx.Err()
		if err == nil {
			err = rows.next()
		}
		switch {
		case err == io.EOF:
			return true
		case err != nil:
			return p.end(err)
		}
		p.reader.done.Add(1)
		rec, err := dec.decode(rows)
		goesOn := true
		var fault rowFault
		switch {
		case errors.As(err, &fault):
			if p.last+1 >= p.from {
				goesOn = p.yield(model.Record{ID: p.last + 1}, &RowError{rows.name, rows.row, fault.error})
			}
		case err != nil:
			return p.end(err)
		case p.last == maxRecords:
			return p.end(fmt.Errorf("more than %d games: %w", maxRecords, model.ErrTooLarge))
		default:
			if p.last++; p.last >= p.from {
				rec.ID = p.last
				goesOn = p.yield(rec, nil)
			}
		}
		if !goesOn {
			return false
		}
	}
}

// maxRecords is how many ids there are.
const maxRecords = 1<<31 - 1

// end yields an error after which there is nothing.
func (p *pass) end(err error) bool {
	p.yield(model.Record{}, err)
	return false
}

// lineDecoder makes games of the column game.
type lineDecoder struct {
	lines *jsonl.Decoder
	want  model.Want
}

func (d *lineDecoder) decode(r *rows) (model.Record, error) {
	values, err := r.values(0, 0) // there is no other column
	if err != nil {
		return model.Record{}, err
	}
	if values[0].IsNull() {
		return model.Record{}, rowFault{fmt.Errorf("%w: column game is NULL; without this column games are made of the others", model.ErrCorrupt)}
	}
	rec, err := d.lines.Decode(values[0].ByteArray(), d.want)
	switch {
	case err != nil:
		return rec, rowFault{fmt.Errorf("column game: %w: %w", model.ErrCorrupt, err)}
	case rec.Game == nil:
		return rec, rowFault{fmt.Errorf("column game: %w: it has no game", model.ErrCorrupt)}
	}
	return rec, nil
}
