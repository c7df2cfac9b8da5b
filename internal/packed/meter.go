package packed

import (
	"io"
	"io/fs"
	"sync/atomic"
)

// Meter knows how much of some files was read, in bytes as they lie on the disk:
// of compressed ones before they are uncompressed. It may be asked while they are
// read.
type Meter struct {
	done, total atomic.Int64
}

// Begin begins a reading of so many bytes; total is -1 if unknown.
func (m *Meter) Begin(total int64) {
	m.done.Store(0)
	m.total.Store(total)
}

// Progress returns how many bytes were read of how many; total is -1 if that is
// not known.
func (m *Meter) Progress() (done, total int64) {
	done, total = m.done.Load(), m.total.Load()
	if total >= 0 {
		done = min(done, total) // the file has grown
	}
	return done, total
}

// Reader returns r, of which every byte is counted.
func (m *Meter) Reader(r io.Reader) io.Reader { return &metered{r, m} }

// metered counts what is read.
type metered struct {
	io.Reader
	meter *Meter
}

// Read implements [io.Reader].
func (r *metered) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.meter.done.Add(int64(n))
	return n, err
}

// SizeOf returns the size of what r reads if that is a regular file, else -1.
func SizeOf(r io.Reader) int64 {
	f, is := r.(interface{ Stat() (fs.FileInfo, error) })
	if !is {
		return -1
	}
	info, err := f.Stat()
	if err != nil {
		return -1
	}
	return SizeIn(info)
}

// SizeIn returns the size of a regular file, else -1.
func SizeIn(info fs.FileInfo) int64 {
	if !info.Mode().IsRegular() {
		return -1
	}
	return info.Size()
}
