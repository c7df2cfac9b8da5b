package extsort

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"slices"

	"cbkit/internal/tempfile"
)

// bufferSize is that of the buffers for writing a run and reading one.
const bufferSize = 1 << 16

// run is a sorted temporary file.
type run struct {
	file *tempfile.Scratch
	size int64
}

// write makes a run of sorted records.
func (s *Sorter) write(records iter.Seq2[[]byte, error]) error {
	file, err := tempfile.NewScratch(s.opt.FS, s.opt.Dir, "sort")
	if err != nil {
		return err
	}
	s.runs = append(s.runs, run{file: file})
	w := bufio.NewWriterSize(file, bufferSize)
	var size [binary.MaxVarintLen32]byte
	for record, err := range records {
		if err != nil {
			return err
		}
		n := binary.PutUvarint(size[:], uint64(len(record)))
		// An error of w comes back from Flush.
		_, _ = w.Write(size[:n])
		_, _ = w.Write(record)
		s.runs[len(s.runs)-1].size += int64(n + len(record))
	}
	return w.Flush()
}

// runReader is a place in a run.
type runReader struct {
	r      *bufio.Reader
	record []byte
	head   uint64
}

// advance reads the next record; at the end it returns io.EOF.
func (r *runReader) advance() error {
	size, err := binary.ReadUvarint(r.r)
	if err != nil {
		return err
	}
	if size > MaxRecord {
		return errors.New("extsort: a temporary file was changed")
	}
	r.record = slices.Grow(r.record[:0], int(size))[:size]
	if _, err := io.ReadFull(r.r, r.record); err == io.EOF {
		return io.ErrUnexpectedEOF
	} else if err != nil {
		return err
	}
	r.head = head(r.record)
	return nil
}

func (r *runReader) less(o *runReader) bool {
	if r.head != o.head {
		return r.head < o.head
	}
	return bytes.Compare(r.record, o.record) < 0
}

// merge yields the records of several runs in order.
func (s *Sorter) merge(runs []run) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		heap, err := openRuns(runs)
		for err == nil && len(heap) > 0 {
			if !yield(heap[0].record, nil) {
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
		reader := &runReader{r: bufio.NewReaderSize(io.NewSectionReader(r.file, 0, r.size), bufferSize)}
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
