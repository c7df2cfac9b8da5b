package parquet

import (
	"errors"
	"fmt"
	"io"

	pq "github.com/parquet-go/parquet-go"

	"cbkit/model"
)

// rows goes over the rows of a file, of which it takes the fields that are
// there.
type rows struct {
	*file
	fields  []field
	row     int64 // number of the present one, from 1
	group   int   // the next row group
	left    int64 // rows of the present one
	cursors [][]*cursor
	buffers [][][]pq.Value
}

func newRows(f *file, fields []field) *rows {
	r := &rows{file: f, fields: fields, cursors: make([][]*cursor, len(fields)), buffers: make([][][]pq.Value, len(fields))}
	for i := range fields {
		r.buffers[i] = make([][]pq.Value, len(fields[i].leaves))
	}
	return r
}

// next goes to the next row. It returns io.EOF behind the last one.
func (r *rows) next() error {
	err := r.advance()
	var known *model.FormatError
	if err == nil || err == io.EOF || errors.As(err, &known) {
		return err
	}
	return r.wrong(-1, "", corrupt(err))
}

func (r *rows) advance() (err error) {
	defer recovered(&err)
	for r.left == 0 {
		groups := r.pq.RowGroups()
		if r.group == len(groups) {
			return io.EOF
		}
		if err := r.begin(groups[r.group]); err != nil {
			return err
		}
		r.group++
	}
	r.row++
	r.left--
	return nil
}

// begin begins a row group.
func (r *rows) begin(g pq.RowGroup) error {
	r.end()
	chunks := g.ColumnChunks()
	meta := r.pq.Metadata().RowGroups[r.group].Columns
	for i := range r.fields {
		f := &r.fields[i]
		for k, leaf := range f.leaves {
			if err := guardChunk(r.in, r.size, &meta[leaf.ColumnIndex].MetaData); err != nil {
				return r.wrong(-1, "column "+f.name, err)
			}
			if r.buffers[i][k] == nil {
				r.buffers[i][k] = make([]pq.Value, cursorValues)
			}
			r.cursors[i] = append(r.cursors[i], &cursor{pages: chunks[leaf.ColumnIndex].Pages(), buf: r.buffers[i][k]})
		}
	}
	if r.left = g.NumRows(); r.left < 0 {
		return r.wrong(-1, "", fmt.Errorf("%w: a row group of %d rows", model.ErrCorrupt, r.left))
	}
	return nil
}

// end ends a row group.
func (r *rows) end() {
	for i := range r.cursors {
		for _, c := range r.cursors[i] {
			pq.Release(c.page)
			_ = c.pages.Close() // it was only read
		}
		r.cursors[i] = r.cursors[i][:0]
	}
}

// values returns the values of leaf k of field i in the present row. Each leaf
// must be asked once for each row.
func (r *rows) values(i, k int) (values []pq.Value, err error) {
	defer recovered(&err)
	values, err = r.cursors[i][k].next()
	if err != nil {
		if !errors.Is(err, errFewRows) {
			err = corrupt(err)
		}
		return nil, r.wrong(r.row, "column "+r.fields[i].name, err)
	}
	return values, nil
}

// cursor goes over the rows of a column chunk.
type cursor struct {
	pages  pq.Pages
	page   pq.Page
	values pq.ValueReader
	buf    []pq.Value
	at, n  int
	row    []pq.Value
}

// cursorValues is how many values are read at once.
const cursorValues = 512

var errFewRows = fmt.Errorf("%w: it has fewer rows than the file announces", model.ErrTruncated)

// next returns the values of the next row, valid until the next call. A row of
// a list has one value for each element, or one that is NULL.
func (c *cursor) next() ([]pq.Value, error) {
	c.row = c.row[:0]
	for {
		if c.at == c.n {
			if err := c.fill(); err == io.EOF {
				break
			} else if err != nil {
				return nil, err
			}
		}
		v := c.buf[c.at]
		if len(c.row) > 0 && v.RepetitionLevel() == 0 {
			break
		}
		c.row = append(c.row, v)
		c.at++
	}
	if len(c.row) == 0 {
		return nil, errFewRows
	}
	return c.row, nil
}

// fill reads more values.
func (c *cursor) fill() error {
	for {
		if c.values == nil { // the next page; what the row has of the last one is kept
			for i := range c.row {
				c.row[i] = c.row[i].Clone()
			}
			pq.Release(c.page)
			c.page = nil
			page, err := c.pages.ReadPage()
			if err != nil {
				return err
			}
			c.page, c.values = page, page.Values()
		}
		n, err := c.values.ReadValues(c.buf)
		c.at, c.n = 0, n
		switch {
		case err == io.EOF:
			c.values = nil
		case err != nil:
			return err
		case n == 0:
			return io.ErrNoProgress
		}
		if n > 0 {
			return nil
		}
	}
}
