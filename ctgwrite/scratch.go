package ctgwrite

import (
	"bufio"
	"context"
	"errors"
	"iter"

	"cbkit/board"
	"cbkit/internal/ctg"
	"cbkit/internal/tempfile"
)

// scratch is a book in a temporary file. Which moves lead out of a book can
// be said only when all of its positions are known, and asked only where they
// can be found.
type scratch struct {
	opt  *Options
	file *tempfile.Scratch
	book *ctg.Book
}

// newScratch writes a book to a temporary file.
func newScratch(ctx context.Context, s *bookStream, opt *Options) (*scratch, error) {
	file, err := tempfile.NewScratch(opt.files, opt.TempDir, "book")
	if err != nil {
		return nil, err
	}
	t := &scratch{opt: opt, file: file}
	if err := t.write(ctx, s); err != nil {
		return nil, errors.Join(err, t.close())
	}
	return t, nil
}

func (t *scratch) write(ctx context.Context, s *bookStream) error {
	f := &bookFile{main: t.file, out: bufio.NewWriterSize(t.file, 1<<20)}
	if _, err := f.out.Write(s.header.Bytes()); err != nil {
		return err
	}
	_, dir, err := writePages(f, s, &Options{Exact: t.opt.Exact})
	if err != nil {
		return err
	}
	if err := f.out.Flush(); err != nil {
		return err
	}
	t.book, err = ctg.OpenBook(ctx, ctg.Files{
		Name: "the unpruned book", CTG: t.file, Size: f.size(),
		CTB: dir.AppendBitmap(nil), CTO: dir.AppendPages(nil, false),
	})
	return err
}

func (t *scratch) close() error { return t.file.Close() }

// pruned yields the entries without the moves that lead out of the book. The
// pages were written in trie order and are read so.
func (t *scratch) pruned(ctx context.Context) iter.Seq2[placed, error] {
	return func(yield func(placed, error) bool) {
		var out []byte
		var buf [ctg.PageSize]byte
		seq := uint64(0)
		for e, err := range t.book.Entries(ctx) {
			if err == nil {
				out, err = appendKeeping(out[:0], e.Entry, func(child *board.Position) (bool, error) {
					key, _ := ctg.Encode(child)
					_, found, err := t.book.Find(&key, &buf)
					return found, err
				})
			}
			if err != nil {
				yield(placed{}, err)
				return
			}
			if !yield(placed{ctg.Hash(e.KeyBytes()), seq, out}, nil) {
				return
			}
			seq++
		}
	}
}

// appendKeeping appends an entry with those of its moves alone whose positions
// keep takes. Bytes that mean no move stay.
func appendKeeping(dst []byte, e ctg.Entry, keep func(child *board.Position) (bool, error)) ([]byte, error) {
	key := e.Key()
	dst = append(dst, key.Bytes()...)
	size := len(dst)
	dst = append(dst, 1)
	kept := 0 // of the moves
	moves := e.Moves()
	take := func(end int) {
		dst = append(dst, moves[kept:end]...)
		kept = end
	}
	err := eachChild(e, func(i int, child *board.Position) error {
		keeps, err := keep(child)
		if !keeps {
			take(i)
			kept = i + 2
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	take(len(moves))
	dst[size] = byte(len(dst) - size)
	return append(dst, e.StatsBytes()...), nil
}

// eachChild calls do with the positions that the moves of an entry lead to, and
// where the moves are in its list. Bytes that mean no move have none; nor has an
// entry whose key is no position.
func eachChild(e ctg.Entry, do func(i int, child *board.Position) error) error {
	key := e.Key()
	m, err := key.Position()
	if err != nil {
		return nil
	}
	p, err := board.New(&m)
	if err != nil {
		return nil
	}
	moves := e.Moves()
	for i := 0; i < len(moves); i += 2 {
		move, ok := ctg.DecodeMove(&p, 0, moves[i])
		if !ok || !p.Legal(move) {
			continue
		}
		undo := p.Make(move)
		err := do(i, &p)
		p.Unmake(move, undo)
		if err != nil {
			return err
		}
	}
	return nil
}
