package pgn

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"cbkit/internal/packed"
	"cbkit/model"
)

// A part of a file has the games that begin in a share of its bytes. Where games
// begin only the splitter knows, who has read what stands before. So it starts
// somewhat earlier, where it is as a rule in the middle of a game; it finds its
// way at the next tags, because from there on it goes by nothing that was
// before. Both parts at a border ask for the same place, and get the same
// answer.

// lookBehind is how much earlier, in bytes: room for hundreds of games.
const lookBehind = 1 << 20

var errPackedParts = fmt.Errorf("a compressed file, or one in UTF-16, cannot be read in parts, unpack it first: %w", model.ErrUnsupported)

var errNoSeek = fmt.Errorf("what is no regular file cannot be read in parts: %w", model.ErrUnsupported)

// partInput reads the games of a part of a file.
func partInput(file *packed.Again, part, parts int) input {
	return input{file.Name, func() (opened, error) {
		again, err := file.Open()
		if err != nil {
			return opened{}, err
		}
		f, is := again.(seekable)
		if !is {
			return opened{}, errors.Join(errPackedParts, again.Close())
		}
		from, to, size, err := partOf(f, int64(part), int64(parts))
		if err != nil {
			return opened{}, errors.Join(err, f.Close())
		}
		return opened{section{io.NewSectionReader(f, from, to-from), f}, from, to < size}, nil
	}}
}

// seekable is a file that is not in a zip.
type seekable interface {
	fs.File
	io.ReaderAt
}

// section is a part of an open file.
type section struct {
	io.Reader
	io.Closer
}

// partOf returns where the games of a part begin and end, and the size of the
// file.
func partOf(f seekable, part, parts int64) (from, to, size int64, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, 0, 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, 0, 0, errNoSeek
	}
	head := make([]byte, packed.HeadSize)
	n, err := f.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return 0, 0, 0, err
	}
	if packed.IsPacked(head[:n]) {
		return 0, 0, 0, errPackedParts
	}
	size = info.Size()
	share := func(i int64) int64 { // without overflow
		return size/parts*i + size%parts*i/parts
	}
	if from, err = gameFrom(f, size, share(part-1), lookBehind); err != nil {
		return 0, 0, 0, err
	}
	to, err = gameFrom(f, size, share(part), lookBehind)
	return from, to, size, err
}

// gameFrom returns where the first game begins that begins at the offset or
// behind it, the size of the file if there is none; reading starts so much
// earlier.
func gameFrom(f io.ReaderAt, size, offset, earlier int64) (int64, error) {
	if offset == 0 || offset >= size {
		return offset, nil
	}
	from := max(0, offset-earlier)
	in := bufio.NewReaderSize(io.NewSectionReader(f, from, size-from), readSize)
	if from == 0 {
		mark, err := skipMark(in)
		if err != nil {
			return 0, err
		}
		from += int64(mark)
	}
	found := size
	s := splitter{r: &lineBreaks{r: in}, at: from, take: newBatch, every: true}
	s.give = func(b *batch) bool {
		for _, cut := range b.cuts {
			if at := b.at + int64(cut); at >= offset {
				found = at
				return false
			}
		}
		return true
	}
	s.run()
	return found, s.err
}
