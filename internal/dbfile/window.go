package dbfile

// Window reads ahead in a file whose records lie one after the other. It serves
// any order of access but is fast for the ascending one.
type Window struct {
	file  *File
	start int64
	buf   []byte
	ahead int64
	reach int64 // what is read at once, as long as records lie near those before them
}

// How far windows read ahead, in bytes: far enough for a disk when all records
// are read, a page when one is.
const (
	FarAhead  = 1 << 18
	NearAhead = 1 << 12
)

// kept is the size in bytes up to which the memory for a large record is used
// again.
const kept = 1 << 22

// NewWindow returns a window that reads at least so many bytes at once, where
// the file has them, and more where most of what it reads is asked for in order.
func NewWindow(f *File, ahead int) *Window { return &Window{file: f, ahead: int64(ahead)} }

// At returns n bytes at an offset; they are valid until the next call.
func (w *Window) At(offset, n int64) ([]byte, error) {
	if i := offset - w.start; i >= 0 && n >= 0 && n <= int64(len(w.buf))-i {
		return w.buf[i : i+n], nil
	}
	if had, gap := int64(len(w.buf)), offset-w.start-int64(len(w.buf)); had > 0 && gap >= 0 && gap < had/2 {
		w.reach = min(2*w.reach, FarAhead)
	} else {
		w.reach = 0
	}
	w.reach = max(w.reach, w.ahead)
	if cap(w.buf) > kept {
		w.buf = nil
	}
	more := n
	if n >= 0 {
		more = max(n, min(w.reach, w.file.Size()-offset))
	}
	buf, err := w.file.Bytes(w.buf[:0], offset, more)
	if err != nil {
		w.buf = w.buf[:0]
		return nil, err
	}
	w.start, w.buf = offset, buf
	return buf[:n], nil
}
