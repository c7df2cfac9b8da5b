package polyglot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"

	"cbkit/model"
)

// Block is how many bytes are read at once where single entries are looked for.
const Block = 4096

// perBlock is how many entries a block has.
const perBlock = Block / Size

// File is a book as it is read from.
type File struct {
	// Name is the file's for errors, Data its content and Length its size in bytes.
	Name   string
	Data   io.ReaderAt
	Length int64
}

// Len returns the number of entries; bytes behind the last whole one are none.
func (f *File) Len() int64 { return f.Length / Size }

// Wrong returns an error about the entry of a number, from 0.
func (f *File) Wrong(entry int64, field string, kind error, format string, args ...any) error {
	return &model.FormatError{File: f.Name, Offset: entry * Size, Record: -1, Field: field,
		Err: fmt.Errorf("%w: %s", kind, fmt.Sprintf(format, args...))}
}

// Cut returns an error if the file ends inside an entry.
func (f *File) Cut() error {
	if rest := f.Length % Size; rest != 0 {
		return f.Wrong(f.Len(), "", model.ErrTruncated, "the file ends after %d of the %d bytes of an entry", rest, Size)
	}
	return nil
}

// headBlocks is how many blocks are looked at to tell a book from another file.
const headBlocks = 16

// Recognise returns an error if the file is no book: its beginning has no order, or no
// moves. One that is only damaged has both for the most part; the second error says
// where it is damaged. The one entry of an empty book as engines ship it, which only
// says that there is none, is taken away.
func (f *File) Recognise() (no, damage error) {
	if damage = f.Cut(); damage != nil && f.Len() == 0 {
		return f.Wrong(0, "", model.ErrNotDatabase, "no Polyglot book: it has %d bytes, and an entry has %d", f.Length, Size), nil
	}
	wrong, seen, moves, first := 0, 0, 0, Numbered{}
	var before Entry
	for at, err := range f.All(context.Background(), 0) {
		if err != nil {
			return err, nil
		}
		if seen == headBlocks*perBlock {
			break
		}
		seen++
		if field, _ := fault(at.Number, &before, &at.Entry); field != "" {
			if wrong++; wrong == 1 {
				first, damage = at, f.Fault(at.Number, &before, &at.Entry)
			}
		} else if !at.Move.IsNone() {
			moves++
		}
		before = at.Entry
	}
	if seen == 1 && before == (Entry{Key: math.MaxUint64}) {
		f.Length = 0
		return nil, nil
	}
	if seen == 0 || moves > 0 && 8*wrong <= seen {
		return nil, damage
	}
	if wrong == 0 {
		return f.Wrong(0, "move", model.ErrNotDatabase, "no Polyglot book: %d entries without a move", seen), nil
	}
	return f.Wrong(first.Number, "", model.ErrNotDatabase, "no Polyglot book: %d of its first %d entries are out of order, or no move", wrong, seen), nil
}

// Fault returns what is wrong with an entry by itself, or behind the one before, which
// counts if the entry is not the first.
func (f *File) Fault(number int64, before, e *Entry) error {
	field, what := fault(number, before, e)
	if field == "" {
		return nil
	}
	return f.Wrong(number, field, model.ErrCorrupt, "%s", what)
}

func fault(number int64, before, e *Entry) (field, what string) {
	switch {
	case number > 0 && e.Key < before.Key:
		return "key", fmt.Sprintf("%016x stands behind %016x; the keys of a book ascend", e.Key, before.Key)
	case !e.Move.IsPossible():
		return "move", fmt.Sprintf("%v is no move", e.Move)
	}
	return "", ""
}

// Numbered is an entry with its number, from 0.
type Numbered struct {
	Entry
	Number int64
}

// All yields the entries from a number on, in the order of the file. An error of reading
// ends the sequence; faults of entries are not looked for.
func (f *File) All(ctx context.Context, from int64) iter.Seq2[Numbered, error] {
	return func(yield func(Numbered, error) bool) {
		buf := make([]byte, min(16*Block, max(f.Len()-from, 0)*Size))
		for at := from; at < f.Len(); {
			part := buf[:min(int64(len(buf)), (f.Len()-at)*Size)]
			err := ctx.Err()
			if err == nil {
				err = f.read(part, at*Size)
			}
			if err != nil {
				yield(Numbered{}, err)
				return
			}
			for ; len(part) > 0; part = part[Size:] {
				if !yield(Numbered{Decode(part), at}, nil) {
					return
				}
				at++
			}
		}
	}
}

func (f *File) read(buf []byte, offset int64) error {
	n, err := f.Data.ReadAt(buf, offset)
	if n == len(buf) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = model.ErrTruncated // it has become shorter
	}
	return &model.FormatError{File: f.Name, Offset: offset, Record: -1, Err: err}
}

// Find returns the number of the first entry with a key, or where it would stand, and
// whether it is there. In a file without order it may miss it.
func (f *File) Find(key uint64, buf *[Block]byte) (first int64, found bool, err error) {
	// The block is the last one that begins below the key, or the first.
	low, high := int64(0), (f.Len()+perBlock-1)/perBlock
	for low+1 < high {
		mid := int64(uint64(low+high) / 2)
		e, err := f.block(mid, buf)
		if err != nil {
			return 0, false, err
		}
		if first := Decode(e); first.Key < key {
			low = mid
		} else {
			high = mid
		}
	}
	for ; ; low++ { // what begins behind the block ends the search at its first entry
		block, err := f.block(low, buf)
		if err != nil {
			return 0, false, err
		}
		for i := 0; i < len(block); i += Size {
			if e := Decode(block[i:]); e.Key >= key {
				return low*perBlock + int64(i/Size), e.Key == key, nil
			}
		}
		if len(block) < Block {
			return f.Len(), false, nil
		}
	}
}

// block reads a block of entries, which is shorter at the end of the file and empty
// behind it.
func (f *File) block(n int64, buf *[Block]byte) ([]byte, error) {
	part := buf[:max(0, min(Block, f.Len()*Size-n*Block))]
	if len(part) == 0 {
		return nil, nil
	}
	return part, f.read(part, n*Block)
}

// Of yields the entries with a key, of which the first has the number given, as long as
// they stand together.
func (f *File) Of(key uint64, first int64, buf *[Block]byte) iter.Seq2[Numbered, error] {
	return func(yield func(Numbered, error) bool) {
		for at := first; at < f.Len(); {
			block, err := f.block(at/perBlock, buf)
			if err != nil {
				yield(Numbered{}, err)
				return
			}
			for i := int(at % perBlock * Size); i < len(block); i += Size {
				e := Decode(block[i:])
				if e.Key != key || !yield(Numbered{e, at}, nil) {
					return
				}
				at++
			}
		}
	}
}
