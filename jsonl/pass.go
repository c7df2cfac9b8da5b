package jsonl

import (
	"errors"
	"fmt"
	"io"
	"math"

	"cbkit/model"
)

// pass is one reading of a text from beginning to end.
type pass struct {
	reader *Reader
	text   *lines
	from   model.RecordID
	want   model.Want
	last   int64 // the highest id of a good record
	next   int64 // the id of a line that has none
	yield  func(model.Record, error) bool
}

// step reads a line and hands its record on. It returns false at the end.
func (p *pass) step() bool {
	line, err := p.text.next()
	switch {
	case err == io.EOF:
		return false
	case errors.Is(err, errLongLine):
		return p.fail(0, err)
	case err != nil:
		return p.breakOff(err)
	}
	if p.next == 1 {
		if err := checkFirst(line); err != nil {
			return p.first(line, err)
		}
	}
	rec, err := p.reader.decode(line, p.want)
	if err == nil && rec.ID != 0 && int64(rec.ID) <= p.last {
		err = fmt.Errorf("id %d after %d; ids must ascend", rec.ID, p.last)
	}
	if err != nil {
		return p.fail(rec.ID, err)
	}
	if rec.ID == 0 {
		rec.ID = model.RecordID(min(p.next, math.MaxInt32))
	}
	p.last = int64(rec.ID)
	p.next = p.last + 1
	return rec.ID < p.from || p.yield(rec, nil)
}

// first hands on that the first line is no object: the text is not JSON Lines,
// or, where an object follows on the next line, this line alone is damaged.
func (p *pass) first(line []byte, foreign error) bool {
	notLines, damaged := p.lineError(foreign), p.lineError(errors.New("the line does not begin with {"))
	isArray := line[0] == '[' && (len(line) == 1 || line[1] == '{')
	if next, err := p.text.peek(); isArray || err != nil || next[0] != '{' {
		p.yield(model.Record{}, notLines)
		return false
	}
	p.next = 2
	return p.from > 1 || p.yield(model.Record{ID: 1}, damaged)
}

// fail hands on an error that concerns one record.
func (p *pass) fail(id model.RecordID, err error) bool {
	if int64(id) < p.next {
		id = model.RecordID(min(p.next, math.MaxInt32))
	}
	p.next = int64(id) + 1
	return id < p.from || p.yield(model.Record{ID: id}, p.lineError(err))
}

// breakOff hands on that the text cannot be read to its end.
func (p *pass) breakOff(err error) bool {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("%w: the compressed data ends too early", model.ErrTruncated)
	}
	if p.reader.keepGoing {
		p.fail(0, err)
		return false
	}
	return p.end(err)
}

// end hands on an error after which there is nothing to read.
func (p *pass) end(err error) bool {
	p.yield(model.Record{}, p.lineError(err))
	return false
}

func (p *pass) lineError(err error) error {
	return &LineError{File: p.reader.file, Line: p.text.number, Err: err}
}

// checkFirst asks whether a text that begins with this line is JSON Lines.
func checkFirst(line []byte) error {
	switch {
	case line[0] == '{':
		return nil
	case line[0] == '[':
		return fmt.Errorf("a JSON array; JSON Lines have one object on each line (jq -c '.[]' makes them): %w", model.ErrNotDatabase)
	}
	return fmt.Errorf("the text does not begin with {, so it is not JSON Lines: %w", model.ErrNotDatabase)
}
