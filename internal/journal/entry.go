package journal

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"cbkit/model"
)

// kind is the kind of an entry.
type kind byte

// The kinds of entries; see the package comment.
const (
	kindSet     kind = 'S'
	kindFile    kind = 'F'
	kindBytes   kind = 'B'
	kindWitness kind = 'W'
	kindReplace kind = 'R'
	kindCreate  kind = 'C'
	kindDrop    kind = 'D'
	kindEnd     kind = 'E'
)

// entry is an entry of a journal. Which fields count depends on its kind.
type entry struct {
	kind kind
	// name is the file's; other and old are its working name and the name of the
	// old file.
	name, other, old string
	oldSize, newSize int64
	at               int64
	change
	stays           content // what a witness saw
	wasFile, isFile content // of a whole file
	changed         int64   // when the main file was changed before, in nanoseconds since 1970, or 0
	count           uint64
}

// change is bytes of a file before and after the commit.
type change struct{ was, is []byte }

// content is what a file has, or a part of it: its size and its CRC-32C.
type content struct {
	size int64
	sum  uint32
}

const (
	magic   = "cbkitjnl"
	version = 2
	// headSize is the size of the header, entryHead of what precedes a body.
	headSize  = len(magic) + 4
	entryHead = 5
	sumSize   = 4
	// maxBytes is the most that one B entry holds of what was, and of what is.
	maxBytes = 1 << 16
	// maxBody is more than any entry has.
	maxBody = 2*maxBytes + 1<<12
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// fields are those that the body of an entry consists of, in their order.
func (e *entry) fields() []any {
	switch e.kind {
	case kindSet:
		return []any{&e.name, &e.changed}
	case kindFile:
		return []any{&e.name, &e.oldSize, &e.newSize}
	case kindBytes:
		return []any{&e.at, &e.change}
	case kindWitness:
		return []any{&e.at, &e.stays}
	case kindReplace:
		return []any{&e.name, &e.other, &e.old, &e.wasFile, &e.isFile}
	case kindCreate:
		return []any{&e.name, &e.other, &e.isFile}
	case kindDrop:
		return []any{&e.name, &e.old, &e.wasFile}
	case kindEnd:
		return []any{&e.count}
	}
	return nil
}

// appendBody appends the body of an entry.
func (e *entry) appendBody(dst []byte) []byte {
	le := binary.LittleEndian
	for _, field := range e.fields() {
		switch f := field.(type) {
		case *string:
			dst = append(le.AppendUint16(dst, uint16(len(*f))), *f...)
		case *int64:
			dst = le.AppendUint64(dst, uint64(*f))
		case *uint64:
			dst = le.AppendUint64(dst, *f)
		case *content:
			dst = le.AppendUint32(le.AppendUint64(dst, uint64(f.size)), f.sum)
		case *change:
			dst = append(append(le.AppendUint32(dst, uint32(len(f.was))), f.was...), f.is...)
		}
	}
	return dst
}

// parseEntry is the inverse of appendBody; bytes are part of the body.
func parseEntry(k kind, body []byte) (entry, error) {
	le := binary.LittleEndian
	e := entry{kind: k}
	short := false
	take := func(n int) []byte {
		if n > len(body) {
			short, body = true, nil
			return make([]byte, 8)
		}
		part := body[:n]
		body = body[n:]
		return part
	}
	fields := e.fields()
	if fields == nil {
		return e, fmt.Errorf("unknown kind of entry %d", k)
	}
	for _, field := range fields {
		switch f := field.(type) {
		case *string:
			if n := int(le.Uint16(take(2))); n <= len(body) {
				*f = string(take(n))
			} else {
				short = true
			}
		case *int64:
			*f = int64(le.Uint64(take(8)))
		case *uint64:
			*f = le.Uint64(take(8))
		case *content:
			*f = content{int64(le.Uint64(take(8))), le.Uint32(take(4))}
		case *change:
			if n := le.Uint32(take(4)); int64(n) <= int64(len(body)) {
				f.was, f.is, body = body[:n], body[n:], nil
			} else {
				short = true
			}
		}
	}
	if short || len(body) > 0 {
		return e, errors.New("an entry of impossible size")
	}
	return e, nil
}

// entryWriter writes a journal.
type entryWriter struct {
	out   *bufio.Writer
	sum   uint32
	count uint64
	buf   []byte
	bytes []byte // for what was and what is, of the writer of an entry
}

// newEntryWriter writes the header.
func newEntryWriter(w io.Writer) *entryWriter {
	out := &entryWriter{out: bufio.NewWriterSize(w, maxBody), bytes: make([]byte, 2*maxBytes)}
	head := binary.LittleEndian.AppendUint32([]byte(magic), version)
	out.sum = crc32.Checksum(head, castagnoli)
	_, _ = out.out.Write(head) // into the buffer
	return out
}

// put writes an entry.
func (w *entryWriter) put(e entry) error {
	w.buf = append(w.buf[:0], byte(e.kind), 0, 0, 0, 0)
	w.buf = e.appendBody(w.buf)
	binary.LittleEndian.PutUint32(w.buf[1:], uint32(len(w.buf)-entryHead))
	w.sum = crc32.Update(w.sum, castagnoli, w.buf)
	w.buf = binary.LittleEndian.AppendUint32(w.buf, w.sum)
	w.count++
	_, err := w.out.Write(w.buf)
	return err
}

// end writes the last entry.
func (w *entryWriter) end() error {
	if err := w.put(entry{kind: kindEnd, count: w.count}); err != nil {
		return err
	}
	return w.out.Flush()
}

// entryReader reads a journal.
type entryReader struct {
	name  string
	in    *bufio.Reader
	at    int64
	sum   uint32
	count uint64
	buf   []byte
}

// newEntryReader reads the header of the journal with a name.
func newEntryReader(name string, in io.Reader) (*entryReader, error) {
	r := &entryReader{name: name, in: bufio.NewReaderSize(in, maxBody)}
	head := make([]byte, headSize)
	if err := r.read(head); err != nil {
		return nil, err
	}
	switch v := binary.LittleEndian.Uint32(head[len(magic):]); {
	case string(head[:len(magic)]) != magic:
		return nil, r.wrong(0, errors.New("not a journal"))
	case v != version:
		return nil, r.wrong(0, fmt.Errorf("a journal of version %d; only version %d is known here: recover with the cbkit that wrote it", v, version))
	}
	r.sum = crc32.Checksum(head, castagnoli)
	return r, nil
}

// wrong returns an error about a place of the journal.
func (r *entryReader) wrong(at int64, why error) error {
	return &model.FormatError{File: r.name, Offset: at, Record: -1, Err: fmt.Errorf(
		"%w journal: %w; nothing was changed. Restore the files from a backup, or remove the journal to keep them as they are",
		model.ErrCorrupt, why)}
}

// read fills b.
func (r *entryReader) read(b []byte) error {
	n, err := io.ReadFull(r.in, b)
	r.at += int64(n)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return r.wrong(r.at, errors.New("it ends too early"))
	}
	return err
}

// next returns the next entry, whose data is valid until the one after it. The
// last one is the end, behind which there is nothing.
func (r *entryReader) next() (entry, error) {
	start := r.at
	r.buf = append(r.buf[:0], make([]byte, entryHead)...)
	if err := r.read(r.buf); err != nil {
		return entry{}, err
	}
	size := binary.LittleEndian.Uint32(r.buf[1:])
	if size > maxBody {
		return entry{}, r.wrong(start, fmt.Errorf("an entry of %d bytes", size))
	}
	r.buf = append(r.buf, make([]byte, size+sumSize)...)
	if err := r.read(r.buf[entryHead:]); err != nil {
		return entry{}, err
	}
	content := r.buf[:entryHead+size]
	r.sum = crc32.Update(r.sum, castagnoli, content)
	if r.sum != binary.LittleEndian.Uint32(r.buf[len(content):]) {
		return entry{}, r.wrong(start, errors.New("wrong checksum"))
	}
	e, err := parseEntry(kind(content[0]), content[entryHead:])
	if err == nil && e.kind == kindEnd && e.count != r.count {
		err = fmt.Errorf("it counts %d entries, there are %d", e.count, r.count)
	}
	if err != nil {
		return entry{}, r.wrong(start, err)
	}
	r.count++
	if e.kind != kindEnd {
		return e, nil
	}
	if _, err = r.in.ReadByte(); err == nil {
		err = r.wrong(r.at, errors.New("something follows its end"))
	} else if errors.Is(err, io.EOF) {
		err = nil
	}
	return e, err
}
