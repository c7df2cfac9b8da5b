package collect

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"cbkit/internal/extsort"
	"cbkit/internal/fsys"
	"cbkit/internal/tempfile"
	"cbkit/jsonl"
	"cbkit/model"
)

// Options configures the functions of this package that read whole sources.
type Options struct {
	// TempDir is the folder of the temporary files. "" is the system's. They hold the
	// keys of the records and, unless the source is [model.Numbered], the records
	// themselves as JSON Lines: about twice as much as they take as PGN.
	TempDir string
	// Memory is how many bytes may be used for sorting; 0 is 16 MiB.
	Memory int
	// OnError is called for records that cannot be read, as in [model.CopyOptions].
	// Like OnRecord it is called once for each record, when it is read for the last time.
	OnError func(model.RecordID, error) error
	// OnRecord is called for each record that was read, which may have faults. The
	// record is valid until OnRecord returns.
	OnRecord func(*model.Record)
	// Progress is called with the id of each record that was read.
	Progress func(model.RecordID)
}

// passOver goes on behind a record that cannot be read, which is reported elsewhere.
func passOver(model.RecordID, error) error { return nil }

const defaultMemory = 16 << 20

// records yields all records of a source that can be read, and reports them.
func (o *Options) records(ctx context.Context, src model.Source, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		for rec, err := range model.Readable(ctx, src, want, o.OnError) {
			if err == nil && o.OnRecord != nil {
				o.OnRecord(&rec)
			}
			if !yield(rec, err) {
				return
			}
			if err == nil && o.Progress != nil {
				o.Progress(rec.ID)
			}
		}
	}
}

// idPrefix is what the line of every spooled record begins with. It is left out
// when the line is read back, where records are numbered anew.
const idPrefix = `{"id":1,`

// spool gives the records of a source back in the order of their keys: by their ids, or
// from a file.
type spool struct {
	src    model.Numbered // nil if there is a file
	opt    Options
	file   *tempfile.Scratch
	out    *bufio.Writer
	size   int64
	sorter *extsort.Sorter
	closed bool
}

// sorter returns a sorter of what these options say.
func (o *Options) sorter() *extsort.Sorter {
	return extsort.New(extsort.Options{Memory: cmp.Or(max(o.Memory, 0), defaultMemory), FS: fsys.OS{}, Dir: o.tempDir()})
}

func (o *Options) tempDir() string { return cmp.Or(o.TempDir, os.TempDir()) }

// newSpool reads a source into a spool: see fill.
func newSpool(ctx context.Context, src model.Source, opt Options, keyWant model.Want, key func([]byte, *model.Record) []byte) (*spool, error) {
	s := &spool{opt: opt, sorter: opt.sorter()}
	if s.src, _ = src.(model.Numbered); s.src == nil {
		var err error
		if s.file, err = tempfile.NewScratch(fsys.OS{}, opt.tempDir(), "records"); err != nil {
			return nil, fmt.Errorf("sorting: %w", err)
		}
		s.out = bufio.NewWriterSize(s.file, 1<<20)
	}
	if err := s.fill(ctx, src, keyWant, key); err != nil {
		_ = s.close() // the first error is the one to return
		return nil, err
	}
	return s, nil
}

// placeSize is the size of the place that stands behind the key of an entry:
// where the line begins, how long it is, and which id the record had.
const placeSize = 8 + 4 + 4

// fill notes all records of a source with the keys that key appends, which looks at
// no more than keyWant, and writes them if they must be. Records with equal keys keep their
// order.
func (s *spool) fill(ctx context.Context, src model.Source, keyWant model.Want, key func([]byte, *model.Record) []byte) error {
	want := model.WantAll
	if s.src != nil {
		want = keyWant
	}
	var line, entry []byte
	for rec, err := range model.Readable(ctx, src, want, s.opt.OnError) {
		if err != nil {
			return err
		}
		if s.opt.OnRecord != nil && s.src == nil {
			s.opt.OnRecord(&rec)
		}
		entry, line = key(entry[:0], &rec), line[:0]
		id := rec.ID
		if s.src == nil {
			rec.ID = 1
			line = append(jsonl.AppendRecord(line, rec, src.Entities()), '\n')
		}
		entry = binary.BigEndian.AppendUint64(entry, uint64(s.size))
		entry = binary.BigEndian.AppendUint32(entry, uint32(len(line)))
		entry = binary.BigEndian.AppendUint32(entry, uint32(id))
		if err := s.sorter.Add(entry); err != nil {
			return fmt.Errorf("sorting: %w", err)
		}
		if s.src != nil {
			s.size++ // keeps the order
		} else {
			n, err := s.out.Write(line)
			if s.size += int64(n); err != nil {
				return err
			}
		}
		if s.opt.Progress != nil {
			s.opt.Progress(id)
		}
	}
	if s.out == nil {
		return nil
	}
	return s.out.Flush()
}

// records returns a source of the records of the entries that next gives. Read is
// called with the id that each record had; it may be nil.
func (s *spool) records(next func() (entryLine, error, bool), read func(model.RecordID)) model.Source {
	noted := func() (entryLine, error, bool) {
		entry, err, ok := next()
		if ok && err == nil && read != nil {
			read(entry.id)
		}
		return entry, err, ok
	}
	return jsonl.NewReader(&lines{next: noted}, jsonl.ReaderOptions{File: "records"})
}

// entries yields all records in the order of their keys. A key is valid until
// the next step.
func (s *spool) entries() iter.Seq2[entryLine, error] {
	return func(yield func(entryLine, error) bool) {
		for entry, err := range s.sorter.Sorted() {
			if err != nil {
				yield(entryLine{}, fmt.Errorf("sorting: %w", err))
				return
			}
			key, place := entry[:len(entry)-placeSize], entry[len(entry)-placeSize:]
			at, n := int64(binary.BigEndian.Uint64(place)), int(binary.BigEndian.Uint32(place[8:]))
			id := model.RecordID(binary.BigEndian.Uint32(place[12:]))
			readLine := func(dst []byte) ([]byte, error) { // without its id
				from := len(dst) + 1
				dst = append(append(dst, '{'), make([]byte, n-len(idPrefix))...)
				_, err := s.file.ReadAt(dst[from:], at+int64(len(idPrefix)))
				if err == io.EOF {
					err = io.ErrUnexpectedEOF
				}
				return dst, err
			}
			if !yield(entryLine{key, id, readLine}, nil) {
				return
			}
		}
	}
}

// close removes the files; once more it does nothing.
func (s *spool) close() error {
	if s.closed {
		return nil
	}
	s.closed = true
	err := s.sorter.Close()
	if s.file != nil {
		err = errors.Join(err, s.file.Close())
	}
	return err
}

// lines reads the lines of consecutive entries as one text.
type lines struct {
	next func() (entryLine, error, bool)
	rest []byte
	buf  []byte
}

// entryLine is one entry of a spool.
type entryLine struct {
	key  []byte
	id   model.RecordID // that it had
	read func([]byte) ([]byte, error)
}

// Read implements io.Reader.
func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		entry, err, ok := l.next()
		switch {
		case err != nil:
			return 0, err
		case !ok:
			return 0, io.EOF
		}
		if l.buf, err = entry.read(l.buf[:0]); err != nil {
			return 0, err
		}
		l.rest = l.buf
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}
