package check

import (
	"os"
	"path/filepath"
	"testing"

	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
)

// laneOver returns a lane over a file of records of one size, each of which
// begins with its size in three bytes.
func laneOver(t *testing.T, size, records int) *lane {
	t.Helper()
	path := filepath.Join(t.TempDir(), "records")
	b := make([]byte, size*records)
	for at := 0; at < len(b); at += size {
		b[at], b[at+1], b[at+2] = byte(size>>16), byte(size>>8), byte(size)
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := dbfile.Open(fsys.OS{}, path, "records")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	l := &lane{window: dbfile.NewWindow(f, windowSize), least: 3, sizeOf: func(b []byte) int64 {
		return int64(b[0])<<16 | int64(b[1])<<8 | int64(b[2])
	}}
	l.restart()
	return l
}

// Any number of bytes is read of records that lie one behind the other, but not
// again and again of the same.
func TestLaneLimitsSharedBytes(t *testing.T) {
	const size, records = 1 << 20, 8
	l := laneOver(t, size, records)
	for i := range int64(records) {
		p, err := l.part(i * size)
		if err != nil || p.fault != nil || len(p.bytes) != size {
			t.Fatalf("record %d: %+v, %v", i, p.fault, err)
		}
	}
	read := 0
	for range 2 * sharedBytes / size {
		p, err := l.part(0)
		if err != nil || (p.bytes == nil) != (p.fault != nil) {
			t.Fatalf("%+v, %v", p.fault, err)
		}
		read += len(p.bytes)
		if p.fault != nil && p.fault.code != codeNotExamined {
			t.Fatalf("%+v", p.fault)
		}
	}
	if read != sharedBytes {
		t.Errorf("%d shared bytes were read", read)
	}
	if l.restart(); l.end != 0 || l.spare != sharedBytes {
		t.Errorf("%+v", l)
	}
}
