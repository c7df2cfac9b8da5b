package archive

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"runtime"
	"testing"

	"cbkit/internal/testkit/must"
)

// repeating is an archive of one member whose blocks are all the same, as large
// as is wanted.
type repeating struct {
	head  []byte
	block []byte
	count int64
}

func newRepeating(t *testing.T, count int64) *repeating {
	t.Helper()
	var w blockWriter
	r := &repeating{block: bytes.Clone(w.pack(zeros(BlockSize), false)), count: count}
	e := entry{name: "a.cbg", offset: headerSize + recordSize, packed: count * int64(len(r.block)), size: count * BlockSize, mark: recordMark}
	var a Archive
	record := must.Get(e.append(header{1, recordSize, version}.append(nil), a.page))(t)
	r.head = record
	return r
}

func (r *repeating) size() int64 { return int64(len(r.head)) + r.count*int64(len(r.block)) }

// ReadAt implements io.ReaderAt.
func (r *repeating) ReadAt(b []byte, at int64) (n int, err error) {
	for n < len(b) && at < r.size() {
		var k int
		if at < int64(len(r.head)) {
			k = copy(b[n:], r.head[at:])
		} else {
			k = copy(b[n:], r.block[(at-int64(len(r.head)))%int64(len(r.block)):])
		}
		n += k
		at += int64(k)
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// Files beyond 4 GiB, of which the 32-bit fields know the low bits at most, are
// read anywhere with little memory: 120 GB here, whose index outgrows its bound.
func TestHugeMember(t *testing.T) {
	const blocks = 2_000_000
	r := newRepeating(t, blocks)
	var before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for _, short := range []uint32{0, 0xFFFF_FFFF, binary.LittleEndian.Uint32(r.head[headerSize+atSize:])} {
		binary.LittleEndian.PutUint32(r.head[headerSize+atSize:], short)
		a := must.Get(NewReader(r, r.size(), "x", Options{}))(t)
		f := must.Get(a.Open(0))(t)
		file := f.(io.ReaderAt)
		b := make([]byte, 100_000)
		if n, err := file.ReadAt(b, blocks*BlockSize-50_000); n != 50_000 || err != io.EOF {
			t.Fatalf("%d bytes, error %v", n, err)
		}
		for range 100 {
			must.Get(file.ReadAt(b, rand.Int64N(blocks*BlockSize-int64(len(b)))))(t)
		}
		x := &a.indexes[0]
		for i, m := range x.marks {
			if m.number != i*x.every || m.content != int64(m.number)*BlockSize || m.packed != int64(m.number)*int64(len(r.block)) {
				t.Fatalf("mark %d: %+v, one for %d blocks", i, m, x.every)
			}
		}
		var after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&after)
		if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); len(x.marks) > maxMarks || x.every == 1 || grown > 16<<20 {
			t.Errorf("%d marks, one for %d blocks, %d bytes of memory", len(x.marks), x.every, grown)
		}
		runtime.KeepAlive(a)
		if testing.Short() {
			break
		}
	}
}
