package extsort

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"iter"

	"cbkit/internal/tempfile"
)

// bufferSize is that of the buffers for writing a run and reading one.
const bufferSize = 1 << 16

// run is a sorted temporary file.
type run struct {
	file *tempfile.Scratch
	size int64
}

// write makes a run of sorted records, which are given as they are stored.
func (s *Sorter) write(records iter.Seq2[[]byte, error]) error {
	file, err := tempfile.NewScratch(s.opt.FS, s.opt.Dir, "sort")
	if err != nil {
		return err
	}
	s.runs = append(s.runs, run{file: file})
	w := bufio.NewWriterSize(file, bufferSize)
	for record, err := range records {
		if err != nil {
			return err
		}
		_, _ = w.Write(record) // an error comes back from Flush
		s.runs[len(s.runs)-1].size += int64(len(record))
	}
	return w.Flush()
}

// content returns the record that is stored at the beginning of some bytes, and the bytes
// it has there with its size in front, nil if it is not all there.
func content(b []byte) (record, stored []byte) {
	size, n := binary.Uvarint(b)
	if n <= 0 || size > uint64(len(b)-n) {
		return nil, nil
	}
	return b[n : n+int(size)], b[:n+int(size)]
}

// runReader is a place in a run.
type runReader struct {
	file           io.Reader
	memory, rest   []byte // and what of it is not read yet
	record, stored []byte
	head           uint64
}

// advance reads the next record; at the end it returns io.EOF.
func (r *runReader) advance() error {
	for {
		if r.record, r.stored = content(r.rest); r.stored != nil {
			r.rest, r.head = r.rest[len(r.stored):], head(r.record)
			return nil
		}
		if err := r.more(); err != nil {
			return err
		}
	}
}

// more reads on, behind what is not a whole record.
func (r *runReader) more() error {
	if len(r.rest) > chunkSize {
		return errors.New("extsort: a temporary file was changed")
	}
	if len(r.rest) == len(r.memory) {
		r.memory = make([]byte, max(bufferSize, 2*len(r.memory)))
	}
	had := copy(r.memory, r.rest)
	n, err := io.ReadAtLeast(r.file, r.memory[had:], 1)
	if r.rest = r.memory[:had+n]; err == io.EOF && had > 0 {
		err = io.ErrUnexpectedEOF
	}
	return err
}

func (r *runReader) less(o *runReader) bool {
	if r.head != o.head {
		return r.head < o.head
	}
	return bytes.Compare(r.record, o.record) < 0
}

// merge yields the records of several runs in order, as they are stored.
func (s *Sorter) merge(runs []run) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		heap, err := openRuns(runs)
		for err == nil && len(heap) > 0 {
			if !yield(heap[0].stored, nil) {
				return
			}
			if err = heap[0].advance(); err == io.EOF {
				last := len(heap) - 1
				heap[0] = heap[last]
				heap, err = heap[:last], nil
			}
			sift(heap, 0)
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// openRuns returns the runs that have records, as a heap with the smallest
// record at the top.
func openRuns(runs []run) ([]*runReader, error) {
	var heap []*runReader
	for _, r := range runs {
		reader := &runReader{file: io.NewSectionReader(r.file, 0, r.size)}
		switch err := reader.advance(); err {
		case nil:
			heap = append(heap, reader)
		case io.EOF:
		default:
			return nil, err
		}
	}
	for i := len(heap)/2 - 1; i >= 0; i-- {
		sift(heap, i)
	}
	return heap, nil
}

// sift moves the reader at i down to where it belongs.
func sift(heap []*runReader, i int) {
	for {
		child := 2*i + 1
		if child >= len(heap) {
			return
		}
		if child+1 < len(heap) && heap[child+1].less(heap[child]) {
			child++
		}
		if !heap[child].less(heap[i]) {
			return
		}
		heap[i], heap[child] = heap[child], heap[i]
		i = child
	}
}
