package parquet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"

	pq "github.com/parquet-go/parquet-go"

	"cbkit/board"
	"cbkit/internal/fsys"
	"cbkit/model"
)

// Counts are positions that an engine has counted for an opening book, a row
// for each position and move:
//
//	fen       position; its counters do not matter and may be missing
//	move      as UCI has it; NULL or "" in the row of games that ended there
//	games     games that were in the position and count in this row; each game
//	          counts in one row of a position
//	wins, draws, losses            of those, seen by the side to move
//	ownRated, ownRatingSum         how many of its players had a rating, and
//	opponentRated, opponentRatingSum   the sum; the same of the other side
//	played    how often the move was played, if not in as many as games
//	score     points of the side to move in tenths, if not 10 for each win and
//	          5 for each game that was not lost
//
// Numbers may be of any type of whole numbers, or floating ones that are whole,
// as engines make of sums. All but fen, move and games may be missing: NULL is
// 0, or what is said above.
type Counts struct {
	paths []string
	rows  int64
}

// countFields are the columns of a count, numbers from games on, in the order of
// [model.BookCount].
var countFields = []column{
	{name: "fen", shape: shapeText}, {name: "move", shape: shapeText}, {name: "games", shape: shapeNumber},
	{name: "wins", shape: shapeNumber}, {name: "draws", shape: shapeNumber}, {name: "losses", shape: shapeNumber},
	{name: "ownRated", shape: shapeNumber}, {name: "ownRatingSum", shape: shapeNumber},
	{name: "opponentRated", shape: shapeNumber}, {name: "opponentRatingSum", shape: shapeNumber},
	{name: "played", shape: shapeNumber}, {name: "score", shape: shapeNumber},
}

// The places of some of them.
const (
	countFEN = iota
	countMove
	countGames
	countPlayed = 10
	countScore  = 11
)

// IsCounts reports whether a file has the columns fen, move and games of
// [Counts], and so no games.
func IsCounts(path string) (bool, error) {
	f, err := openFile(fsys.OS{}, path)
	if err != nil {
		return false, err
	}
	defer f.close()
	for _, c := range countFields[:countGames+1] {
		if !f.has(c.name) {
			return false, nil
		}
	}
	return true, nil
}

// OpenCounts looks at files with counted positions. It fails if one is not
// there, is no Parquet file or is cut short, if it lacks one of the columns fen,
// move and games, or has one with another type.
func OpenCounts(paths ...string) (*Counts, error) {
	c := &Counts{paths: paths}
	for _, path := range paths {
		f, err := openFile(fsys.OS{}, path)
		if err != nil {
			return nil, err
		}
		_, err = countsOf(f)
		c.rows += f.pq.NumRows()
		f.close()
		if err != nil {
			return nil, err
		}
	}
	return c, nil
}

// countsOf finds the fields of counts in a file.
func countsOf(f *file) ([]field, error) {
	fields, err := f.find(countFields)
	if err != nil {
		return nil, err
	}
	for i := range fields[:countGames+1] {
		if len(fields[i].leaves) == 0 {
			return nil, f.wrong(-1, "", fmt.Errorf("%w: it has no column %s; a table for a book has fen, move and games, and more", model.ErrUnsupported, fields[i].name))
		}
	}
	return fields, nil
}

// Rows returns how many rows the files have.
func (c *Counts) Rows() int64 { return c.rows }

// All yields all rows, of one file after the other; a row is valid until the
// next step. After an error about one row, a *[RowError], there may be others;
// any other error ends the sequence.
func (c *Counts) All(ctx context.Context) iter.Seq2[*model.BookCount, error] {
	return func(yield func(*model.BookCount, error) bool) {
		for _, path := range c.paths {
			if !countFile(ctx, path, yield) {
				return
			}
		}
	}
}

// countFile yields the rows of a file. It returns false when the loop is to end.
func countFile(ctx context.Context, path string, yield func(*model.BookCount, error) bool) bool {
	f, err := openFile(fsys.OS{}, path)
	if err != nil {
		yield(nil, err)
		return false
	}
	defer f.close()
	fields, err := countsOf(f)
	if err != nil {
		yield(nil, err)
		return false
	}
	d := countDecoder{rows: newRows(f, fields), values: make([]pq.Value, len(fields))}
	defer d.rows.end()
	for {
		err := ctx.Err()
		if err == nil {
			err = d.rows.next()
		}
		if err == nil {
			err = d.decode()
		}
		var fault rowFault
		switch {
		case err == io.EOF:
			return true
		case errors.As(err, &fault):
			if !yield(nil, &RowError{f.name, d.rows.row, fault.error}) {
				return false
			}
		case err != nil:
			yield(nil, err)
			return false
		default:
			if !yield(&d.count, nil) {
				return false
			}
		}
	}
}

// countDecoder makes counts of rows.
type countDecoder struct {
	rows   *rows
	values []pq.Value // of the present row, NULL where there is no column
	count  model.BookCount
}

func (d *countDecoder) decode() error {
	for i := range d.rows.fields {
		if len(d.rows.fields[i].leaves) == 0 {
			continue
		}
		list, err := d.rows.values(i, 0)
		if err != nil {
			return err
		}
		d.values[i] = list[0]
	}
	c := &d.count
	*c = model.BookCount{}
	for i, to := range []*uint64{&c.Games, &c.Wins, &c.Draws, &c.Losses, &c.OwnGames, &c.OwnSum, &c.OpponentGames, &c.OpponentSum} {
		if err := d.number(countGames+i, 0, to); err != nil {
			return err
		}
	}
	if err := d.number(countPlayed, c.Games, &c.Played); err != nil {
		return err
	}
	usual := 10*c.Wins + 5*(c.Games-min(c.Games, c.Wins+c.Losses))
	if err := d.number(countScore, usual, &c.Score); err != nil {
		return err
	}
	if d.values[countFEN].IsNull() {
		return d.wrong(countFEN, "it is NULL")
	}
	var err error
	if c.Position, err = board.ParseModel(string(d.values[countFEN].ByteArray())); err != nil {
		return d.wrong(countFEN, "%v", err)
	}
	if d.values[countMove].IsNull() || len(d.values[countMove].ByteArray()) == 0 {
		return nil
	}
	p, err := board.New(&c.Position)
	if err != nil {
		return d.wrong(countFEN, "%v", err)
	}
	text := string(d.values[countMove].ByteArray())
	c.HasMove = true
	c.Move, err = p.ParseUCI(text)
	if errors.Is(err, board.ErrNotation) {
		return d.wrong(countMove, "%.20q is no move; write it as e2e4", text)
	}
	if err != nil {
		c.Move = model.NullMove // whoever reads on sees that it cannot be played
	}
	return nil
}

// number reads a number.
func (d *countDecoder) number(i int, otherwise uint64, to *uint64) error {
	*to = otherwise
	if d.values[i].IsNull() {
		return nil
	}
	n, ok := wholeNumber(d.values[i])
	if !ok || n < 0 || n > math.MaxInt64/16 {
		return d.wrong(i, "%v is no number of that kind", d.values[i])
	}
	*to = uint64(n)
	return nil
}

func (d *countDecoder) wrong(i int, format string, args ...any) error {
	return rowFault{fmt.Errorf("column %s: %w: %s", countFields[i].name, model.ErrCorrupt, fmt.Sprintf(format, args...))}
}
