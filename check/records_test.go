package check

import (
	"testing"
	"time"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/internal/testkit/must"
)

// partReaderOver returns a partReader over a .cbg file of records of one size, and where
// the first of them begins.
func partReaderOver(t *testing.T, size, records int) (l *partReader, first int64) {
	t.Helper()
	head := cbh.NewBlockHeader(0, 0)
	b := head.Append(nil)
	first = int64(len(b))
	for range records {
		b = append(b, make([]byte, size)...)
		at := len(b) - size
		b[at+1], b[at+2], b[at+3] = byte(size>>16), byte(size>>8), byte(size)
	}
	blocks := must.Get(cbhdb.New(movesFile(b)).MoveFile())(t)
	l = &partReader{BlockReader: blocks.Reader(windowSize)}
	l.restart()
	return l, first
}

// movesFile is a database that has a .cbg file alone.
type movesFile []byte

func (movesFile) Has(ext string) bool    { return ext == ".cbg" }
func (movesFile) Name(ext string) string { return "db" + ext }

func (movesFile) Changed(string) (time.Time, error) { return time.Time{}, nil }

func (m movesFile) Open(ext string) (*dbfile.File, error) {
	return dbfile.New(fsys.NewMemory(m), m.Name(ext)), nil
}

// Any number of bytes is read of records that lie one behind the other, but not
// again and again of the same.
func TestPartReaderLimitsSharedBytes(t *testing.T) {
	const size, records = 1 << 20, 8
	l, first := partReaderOver(t, size, records)
	for i := range int64(records) {
		p, err := l.part(first+i*size, 1)
		if err != nil || p.fault != nil || len(p.bytes) != size {
			t.Fatalf("record %d: %+v, %v", i, p.fault, err)
		}
	}
	read := 0
	for range 2 * sharedBytes / size {
		p, err := l.part(first, 1)
		if err != nil || (p.bytes == nil) != (p.fault != nil) {
			t.Fatalf("%+v, %v", p.fault, err)
		}
		read += len(p.bytes)
		if p.fault != nil && p.fault.Code != notExamined {
			t.Fatalf("%+v", p.fault)
		}
	}
	if read != sharedBytes {
		t.Errorf("%d shared bytes were read", read)
	}
	if l.restart(); l.end != 0 || l.shareBudget != sharedBytes {
		t.Errorf("%+v", l)
	}
}
