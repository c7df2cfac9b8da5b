package parquet

import (
	"fmt"
	"io"

	pq "github.com/parquet-go/parquet-go"

	"cbkit/model"
)

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

// newCursor begins a chunk, whose pages were looked at.
func newCursor(chunk pq.ColumnChunk, buf []pq.Value) *cursor {
	if buf == nil {
		buf = make([]pq.Value, cursorValues)
	}
	return &cursor{pages: chunk.Pages(), buf: buf}
}

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
		if c.values == nil {
			if err := c.turnPage(); err != nil {
				return err
			}
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

// turnPage goes to the next page. What a row has of the last one is kept.
func (c *cursor) turnPage() error {
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
	return nil
}

// close gives everything back.
func (c *cursor) close() {
	pq.Release(c.page)
	_ = c.pages.Close() // it was only read
}
