package write

import (
	"bufio"
	"io"

	"cbkit/model"
)

// blockFile is a file that grows record by record behind a header that is
// written last.
type blockFile struct {
	file newFile
	name string
	buf  *bufio.Writer
	size int64
}

// newFile is a file in the making.
type newFile interface {
	io.Writer
	io.ReaderAt
	io.WriterAt
	io.Closer
}

// blockBuffer is how much is collected before it goes to the file.
const blockBuffer = 1 << 16

// newBlockFile leaves room for the header.
func newBlockFile(file newFile, name string, headSize int) (*blockFile, error) {
	b := &blockFile{file: file, name: name, buf: bufio.NewWriterSize(file, blockBuffer)}
	return b, b.append(make([]byte, headSize))
}

// append writes bytes at the end.
func (b *blockFile) append(p []byte) error {
	_, err := b.Write(p)
	return err
}

// Write implements io.Writer.
func (b *blockFile) Write(p []byte) (int, error) {
	n, err := b.buf.Write(p)
	b.size += int64(n)
	return n, b.wrong(err)
}

// flush brings to the file what was collected.
func (b *blockFile) flush() error { return b.wrong(b.buf.Flush()) }

// finish writes the header and completes the file.
func (b *blockFile) finish(head []byte) error {
	if err := b.flush(); err != nil {
		return err
	}
	if _, err := b.file.WriteAt(head, 0); err != nil {
		return b.wrong(err)
	}
	return b.wrong(b.file.Close())
}

// wrong adds the name of the file to an error.
func (b *blockFile) wrong(err error) error {
	if err == nil {
		return nil
	}
	return &model.FormatError{File: b.name, Offset: -1, Record: -1, Err: err}
}
