package collect

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"

	"cbkit/internal/extsort"
	"cbkit/internal/fsys"
	"cbkit/jsonl"
	"cbkit/model"
)

// Options configures the functions of this package that read whole sources.
type Options struct {
	// TempDir is the folder of the temporary files, which hold the records as
	// JSON Lines: some 500 bytes a game without comments. "" is the system's.
	TempDir string
	// Memory is how many bytes may be used for sorting; 0 is 64 MiB.
	Memory int
	// OnError is called for records that cannot be read, as in [model.CopyOptions].
	OnError func(model.RecordID, error) error
	// OnRecord is called for each record that was read, which may have faults. The
	// record is valid until OnRecord returns.
	OnRecord func(*model.Record)
	// Progress is called with the id of each record that was read.
	Progress func(model.RecordID)
}

// passOver goes on behind a record that cannot be read, of which somebody else tells.
func passOver(model.RecordID, error) error { return nil }

const defaultMemory = 64 << 20

// idPrefix is what the line of every spooled record begins with. It is left out
// when the line is read back, where records are numbered anew.
const idPrefix = `{"id":1,`

// spool is a file of records that are read back in the order of their keys.
type spool struct {
	file   *os.File
	out    *bufio.Writer
	size   int64
	sorter *extsort.Sorter
	line   []byte
	entry  []byte
	closed bool
}

func newSpool(opt Options) (*spool, error) {
	dir := opt.TempDir
	if dir == "" {
		dir = os.TempDir()
	}
	folder, err := os.MkdirTemp(dir, "cbkit-collect-")
	if err != nil {
		return nil, fmt.Errorf("sorting: %w", err)
	}
	file, err := os.CreateTemp(folder, "records-")
	if err != nil {
		_ = os.Remove(folder) // it is empty
		return nil, fmt.Errorf("sorting: %w", err)
	}
	memory := opt.Memory
	if memory <= 0 {
		memory = defaultMemory
	}
	return &spool{
		file: file, out: bufio.NewWriterSize(file, 1<<20),
		sorter: extsort.New(extsort.Options{Memory: memory, FS: fsys.OS{}, Dir: folder}),
	}, nil
}

// placeSize is the size of the place that stands behind the key of an entry:
// where the line begins, how long it is, and which id the record had.
const placeSize = 8 + 4 + 4

// add writes a record. Records with equal keys keep their order.
func (s *spool) add(key []byte, rec model.Record, e *model.Entities) error {
	id := rec.ID
	rec.ID = 1
	s.line = append(jsonl.AppendRecord(s.line[:0], rec, e), '\n')
	s.entry = append(s.entry[:0], key...)
	s.entry = binary.BigEndian.AppendUint64(s.entry, uint64(s.size))
	s.entry = binary.BigEndian.AppendUint32(s.entry, uint32(len(s.line)))
	s.entry = binary.BigEndian.AppendUint32(s.entry, uint32(id))
	if err := s.sorter.Add(s.entry); err != nil {
		return fmt.Errorf("sorting: %w", err)
	}
	n, err := s.out.Write(s.line)
	s.size += int64(n)
	return err
}

// fill writes all records of a source with the keys that key appends.
func (s *spool) fill(ctx context.Context, src model.Source, key func([]byte, *model.Record) []byte, opt Options) error {
	var buf []byte
	for rec, err := range model.Readable(ctx, src, model.WantAll, opt.OnError) {
		if err != nil {
			return err
		}
		if opt.OnRecord != nil {
			opt.OnRecord(&rec)
		}
		buf = key(buf[:0], &rec)
		if err := s.add(buf, rec, src.Entities()); err != nil {
			return err
		}
		if opt.Progress != nil {
			opt.Progress(rec.ID)
		}
	}
	return s.out.Flush()
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
			if !yield(entryLine{key, id, func(dst []byte) ([]byte, error) { return s.readLine(dst, at, n) }}, nil) {
				return
			}
		}
	}
}

// readLine appends the line of a record without its id.
func (s *spool) readLine(dst []byte, at int64, n int) ([]byte, error) {
	from := len(dst) + 1
	dst = append(append(dst, '{'), make([]byte, n-len(idPrefix))...)
	_, err := s.file.ReadAt(dst[from:], at+int64(len(idPrefix)))
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return dst, err
}

// close removes the files; once more it does nothing.
func (s *spool) close() error {
	if s.closed {
		return nil
	}
	s.closed = true
	name := s.file.Name()
	err := s.sorter.Close()
	return errors.Join(err, s.file.Close(), os.Remove(name), os.Remove(filepath.Dir(name)))
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
