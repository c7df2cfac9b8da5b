package jsonl

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"cbkit/internal/jsontext"
	"cbkit/internal/packed"
	"cbkit/model"
)

// EditOptions configures [Edit].
type EditOptions struct {
	// Reader says how the text is read.
	Reader ReaderOptions
	// OnError is called for lines that cannot be read, or changed. They keep their bytes, if
	// it returns nil; if it is nil the first error ends the work.
	OnError func(model.RecordID, error) error
	// Append, if not nil, is called at the end, and puts records behind the others. They
	// get the next ids.
	Append func(put func(model.Record, *model.Entities) error) error
}

// Edit copies the lines in src to dst, and gives every record that can be read to a
// function, which may change it and says what it has changed. Its names are ids in the
// tables, to which it may add others.
//
// Lines that are not changed keep their bytes. Of a changed one the members are written
// anew that say something else; the others, their order and the blanks between them stay,
// and so do line ends and compression. A removed record goes with its line, with which
// others that have no ids get other ones; what is marked as deleted stays.
//
// The text is read twice at the same time, and memory does not depend on its size. Edit
// returns how many lines have other bytes than before, or are gone.
func Edit(ctx context.Context, dst io.Writer, src io.ReaderAt, opt EditOptions, change func(*model.Record, *model.Entities) (model.Change, error)) (records int, err error) {
	if opt.OnError == nil {
		opt.OnError = func(_ model.RecordID, err error) error { return err }
	}
	raw, form, done, err := packed.NewFormReader(io.NewSectionReader(src, 0, math.MaxInt64), opt.Reader.File)
	if err != nil {
		return 0, &LineError{File: opt.Reader.File, Line: 1, Err: err}
	}
	defer done()
	out, err := form.NewWriter(dst)
	if err != nil {
		return 0, &LineError{File: opt.Reader.File, Line: 1, Err: err}
	}
	e := editing{opt: &opt, change: change, raw: raw, to: out, reader: NewReader(io.NewSectionReader(src, 0, math.MaxInt64), opt.Reader)}
	e.before = newDecoder(e.reader.Entities())
	for rec, err := range e.reader.Records(ctx, 1, model.WantAll) {
		e.last = max(e.last, rec.ID)
		switch {
		case err == nil:
			err = e.record(rec)
		case rec.ID != 0:
			err = e.opt.OnError(rec.ID, err)
		}
		if err != nil {
			return e.records, err
		}
	}
	return e.records, errors.Join(e.finish(), out.Close())
}

// editing is one run of [Edit].
type editing struct {
	opt     *EditOptions
	change  func(*model.Record, *model.Entities) (model.Change, error)
	reader  *Reader
	raw     *bufio.Reader // the text as it stands there
	at      int64         // the place of raw in the text
	to      io.Writer
	before  *decoder
	last    model.RecordID
	records int
	line    []byte // the last that was changed
}

// lineError says what is wrong with the line just read.
func (e *editing) lineError(err error) error {
	return &LineError{File: e.opt.Reader.File, Line: e.reader.text.number, Err: err}
}

// record gives a record to the function and writes what its line became.
func (e *editing) record(rec model.Record) error {
	was := rec.ID
	what, err := e.change(&rec, e.reader.Entities())
	if err != nil || what == model.Unchanged {
		return err
	}
	if _, err := io.CopyN(e.to, e.raw, e.reader.text.from-e.at); err != nil {
		return e.readError(err)
	}
	size := int(e.reader.text.at - e.reader.text.from)
	e.line = slices.Grow(e.line[:0], size)[:size]
	if _, err := io.ReadFull(e.raw, e.line); err != nil {
		return e.readError(err)
	}
	e.at = e.reader.text.at
	if what == model.Removed {
		e.records++
		e.line = e.line[:0]
		return nil
	}
	line, err := e.changed(rec, was)
	if err != nil {
		if err = e.opt.OnError(was, e.lineError(err)); err != nil {
			return err
		}
		line = e.line
	}
	if !bytes.Equal(line, e.line) {
		e.records++
	}
	_, err = e.to.Write(line)
	return err
}

// readError says that what could be read before cannot be read now.
func (e *editing) readError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("%w while it was read", model.ErrChanged)
	}
	return e.lineError(err)
}

// changed returns the line of a record that has changed.
func (e *editing) changed(rec model.Record, id model.RecordID) ([]byte, error) {
	rec.ID = id
	if rec.Game == nil && rec.Text == nil {
		return nil, fmt.Errorf("%w: there is no record any more", model.ErrOption)
	}
	if err := errors.Join(rec.CheckMade(), model.CheckReferences(&rec, e.reader.Entities())); err != nil {
		return nil, err
	}
	after := AppendRecord(nil, rec, e.reader.Entities())
	object := bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(e.line), byteOrderMark))
	from := bytes.Index(e.line, object)
	was, err := e.before.decode(object, model.WantAll)
	if err != nil {
		return nil, err
	}
	was.ID = id
	changed, err := patch(object, AppendRecord(nil, was, e.reader.Entities()), after)
	if err != nil {
		return nil, err
	}
	if _, err := NewDecoder(&model.Entities{}).Decode(changed, model.WantAll); err != nil {
		return nil, err
	}
	return slices.Concat(e.line[:from], changed, e.line[from+len(object):]), nil
}

// finish writes the rest of the text, and what is put behind it.
func (e *editing) finish() error {
	tail := tail{to: e.to}
	if _, err := io.Copy(&tail, e.raw); err != nil {
		return e.readError(err)
	}
	if e.opt.Append == nil {
		return nil
	}
	isOpen := len(e.line) > 0 && e.line[len(e.line)-1] != '\n' // the last line, which was changed
	ends := tail.last == 0 && !isOpen || tail.last == '\n'
	return e.opt.Append(func(rec model.Record, entities *model.Entities) error {
		e.last++
		rec.ID = e.last
		line, err := NewEncoder(entities).Append(nil, rec)
		if err != nil {
			return err
		}
		if !ends {
			line = append([]byte{'\n'}, line...)
		}
		ends = true
		_, err = e.to.Write(append(line, '\n'))
		return err
	})
}

// tail remembers the last byte that was written.
type tail struct {
	to   io.Writer
	last byte
}

// Write implements [io.Writer].
func (t *tail) Write(p []byte) (int, error) {
	if len(p) > 0 {
		t.last = p[len(p)-1]
	}
	return t.to.Write(p)
}

// member is a member of an object as it stands in a text.
type member struct {
	lead  []byte // what stands in front of it: a comma, but for the first one, and blanks
	key   string
	name  []byte // the key as it stands there, with the colon and blanks
	value []byte
}

// membersOf takes an object apart. The rest is what stands behind its last member.
func membersOf(object []byte) (list []member, rest []byte, err error) {
	s := jsontext.NewScanner(object)
	s.BeginObject()
	at := s.Offset()
	for s.NextKey() {
		key, name := string(s.Key()), s.Offset()
		s.Peek()
		value := s.Offset()
		s.Skip()
		lead := at + bytes.IndexByte(object[at:name], '"')
		list = append(list, member{object[at:lead], key, object[lead:value], object[value:s.Offset()]})
		at = s.Offset()
	}
	return list, object[at:], s.End()
}

// patch returns an object in which members are changed as they differ in two others, of
// which the first says what it says now.
func patch(object, before, after []byte) ([]byte, error) {
	now, rest, err := membersOf(object)
	old, _, errOld := membersOf(before)
	to, _, errTo := membersOf(after)
	if err := cmp.Or(err, errOld, errTo); err != nil {
		return nil, err
	}
	if len(now) == 0 {
		return after, nil
	}
	comma, colon := []byte{','}, now[0].name[bytes.LastIndexByte(now[0].name, ':'):]
	if len(now) > 1 {
		comma = now[1].lead
	}
	named := func(key string) func(member) bool { return func(m member) bool { return m.key == key } }
	behind := -1 // where the last member stands that both have
	for _, m := range to {
		was, is := slices.IndexFunc(old, named(m.key)), len(now)-1
		for is >= 0 && now[is].key != m.key { // the last one of a key counts
			is--
		}
		switch same := was >= 0 && bytes.Equal(old[was].value, m.value); {
		case is < 0 && same: // it goes without saying
		case is < 0:
			behind++
			name := slices.Concat(m.name[:bytes.LastIndexByte(m.name, ':')], colon)
			now = slices.Insert(now, behind, member{comma, m.key, name, m.value})
		case !same && was >= 0 && m.value[0] == '{' && old[was].value[0] == '{' && now[is].value[0] == '{':
			if now[is].value, err = patch(now[is].value, old[was].value, m.value); err != nil {
				return nil, err
			}
			behind = is
		default:
			if behind = is; !same {
				now[is].value = m.value
			}
		}
	}
	for _, m := range old {
		if !slices.ContainsFunc(to, named(m.key)) {
			now = slices.DeleteFunc(now, named(m.key))
		}
	}
	result := []byte{'{'}
	for i, m := range now {
		lead := bytes.TrimLeft(m.lead, " \t")
		switch isComma := len(lead) > 0 && lead[0] == ','; {
		case i == 0 && isComma:
			m.lead = nil
		case i > 0 && !isComma:
			m.lead = comma
		}
		result = slices.Concat(result, m.lead, m.name, m.value)
	}
	return append(result, rest...), nil
}
