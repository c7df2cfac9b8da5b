package ctgwrite

import (
	"context"
	"encoding/binary"
	"errors"
	"iter"
	"slices"

	"cbkit/board"
	"cbkit/internal/bookdamage"
	"cbkit/internal/ctg"
	"cbkit/internal/extsort"
	"cbkit/model"
)

// Write writes a book to the files path names: any of the three, or the name without an
// ending. The leftover of an entry is written too; see [model.BookEntry].
//
// With [Options].Exact a .ctg book that is rewritten unchanged has the same bytes, except
// for garbage after the used part of its pages. The default form drops what its rules
// forbid and reports it to Report.
//
// In a book that weighs its moves, such as a Polyglot book, a weight becomes that many
// games without a result, of half a point each, through the position after the move; so a
// win counts two, as in such books. If several moves lead to one position, the largest
// weight stays; this, and the loss of learn values, go to Report.
func Write(ctx context.Context, path string, book model.Book, opt Options) (Result, error) {
	return writeFiltered(ctx, path, book, nil, opt)
}

// Prune writes the positions of a book through which at least minGames games
// went, and drops the moves that lead to others.
func Prune(ctx context.Context, path string, book model.Book, minGames int, opt Options) (Result, error) {
	keep := func(s *model.BookStats) bool { return int64(s.Games) >= int64(minGames) }
	return writeFiltered(ctx, path, book, keep, opt)
}

// writeFiltered writes the entries whose figures keep accepts; nil keeps all.
func writeFiltered(
	ctx context.Context, path string, book model.Book, keep func(*model.BookStats) bool, opt Options,
) (r Result, err error) {
	w := newCollector(&opt)
	defer func() { err = errors.Join(err, w.sorter.Close()) }()
	w.keep, w.enc.Legal = keep, keep != nil
	if err := w.collect(ctx, book); err != nil {
		return Result{}, err
	}
	if err := w.readAny(); err != nil {
		return Result{}, err
	}
	s := bookStream{entries: withoutTwice(sortedEntries(w.sorter), w.opt), header: ctg.NewHeader()}
	if w.weighs {
		s.entries = mergedEntries(sortedEntries(w.sorter), w)
	}
	s.header.SetCounts(0, 0, uint32(book.Games()))
	w.takeOver(&s)
	return writeStream(ctx, path, &s, w.opt)
}

// collector sorts the entries of books by where they will go.
type collector struct {
	opt  *Options
	keep func(*model.BookStats) bool
	// book is the one that is being read.
	book    model.Book
	damaged bool
	read    int // entries of all books
	damage  bookdamage.Reporter
	sorter  *extsort.Sorter
	enc     ctg.Encoder
	seq     uint64
	record  []byte
	known   model.BookEntry
	twin    model.BookEntry
	// source is the number of the book that is being read; weighs says that one weighs
	// its moves.
	source uint64
	weighs bool
}

func newCollector(opt *Options) *collector {
	opt.setDefaults()
	return &collector{
		opt: opt, sorter: opt.sorter(opt.Memory), enc: opt.encoder(), damage: bookdamage.Reporter{Decide: opt.OnError},
	}
}

// encoder returns an encoder of entries that reports what it drops.
func (o *Options) encoder() ctg.Encoder {
	return ctg.Encoder{
		Codes: o.codes(), Limit: o.moveLimit(), Strict: !o.Exact,
		Dropped: func(p *board.Position, m model.Move) {
			if m.IsNull() {
				o.Report.Add(model.LostMoves, 0, "move", "bytes in %s that mean no legal move, or the same one again", p.FEN())
				return
			}
			o.Report.Add(model.LostMoves, 0, "move", "%v in %s: "+o.noWord(), m, p.FEN())
		},
		Changed: func(p *board.Position, was, is uint8) {
			o.Report.Add(model.Changed, 0, "recommendation", "%02x in %s is %02x now; programs know 80 and 40 alone", was, p.FEN(), is)
		},
	}
}

// collect sorts the entries of a book in.
func (w *collector) collect(ctx context.Context, book model.Book) error {
	w.book = book
	w.source++
	for e, err := range book.Entries(ctx) {
		switch {
		case err != nil:
			err = w.reportDamage(err)
		case e.Weighed:
			w.read++
			err = w.addWeighed(e)
		default:
			w.read++
			err = w.add(e)
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// ErrNothingRead: nothing of the sources could be read, although OnError
// continued after every error. Nothing was written.
var ErrNothingRead = errors.New("nothing of the source could be read")

// readAny returns ErrNothingRead if damage has left no entry.
func (w *collector) readAny() error {
	if w.damaged && w.read == 0 {
		return ErrNothingRead
	}
	return nil
}

// reportDamage reports damage of the book that is being read; it returns nil to go on.
func (w *collector) reportDamage(err error) error {
	if err != nil {
		w.damaged = true
	}
	return w.damage.Report(err)
}

// takeOver uses what the book stored about itself.
func (w *collector) takeOver(s *bookStream) {
	left := ctg.UnpackLeftover(w.book.Leftover())
	if left == nil {
		return
	}
	s.ini = left.Ini
	if !w.opt.Exact || w.keep != nil || w.damaged {
		return
	}
	h, err := ctg.DecodeHeader(left.Header)
	if err != nil {
		return
	}
	s.header, s.keepCounts = h, true
	if dir, err := ctg.DecodeDirectory(left.CTB, left.CTO, int(h.Pages())); err == nil {
		s.numbers = dir
	}
}

// add sorts an entry in, unless it is filtered out.
func (w *collector) add(e *model.BookEntry) error {
	if w.keep != nil && !w.keep(&e.Stats) {
		return nil
	}
	if w.enc.Legal || !w.opt.Exact {
		// The moves that lead out of the book go.
		known := &w.known
		moves := append(known.Moves[:0], e.Moves...)
		*known = *e
		known.Moves = moves
		if err := w.reportDamage(w.book.Figures(known)); err != nil {
			return err
		}
		known.Moves = moves[:0]
		for _, m := range moves {
			switch {
			case !m.Known:
				w.opt.Report.Add(model.LostMoves, 0, "move", "%v in %s leads out of the book", m.Move, board.FormatFEN(&e.Position))
			case w.keep == nil || w.keep(&m.Stats):
				known.Moves = append(known.Moves, m)
			}
		}
		e = known
	}
	if err := w.put(e); err != nil || w.opt.Exact {
		return err
	}
	// A position whose en passant capture is illegal has a second entry, also if the book has none.
	p, err := board.New(&e.Position)
	if err != nil {
		return err
	}
	if _, ok := ctg.EncodeTwin(&p); !ok {
		return nil
	}
	plain := e.Position
	plain.EnPassant = model.NoFile
	// Where its place in the book is damaged, it is made anew.
	found, err := w.book.Find(plain, &w.twin)
	if err := w.reportDamage(err); found || err != nil {
		return err
	}
	w.twin = model.BookEntry{Position: plain, Stats: e.Stats, Moves: e.Moves}
	return w.put(&w.twin)
}

func (w *collector) put(e *model.BookEntry) error {
	key, entry, err := w.enc.Encode(e)
	if err != nil {
		return err
	}
	return w.putAs(&key, entry, 0)
}

// putAs sorts an entry in; of one of a book that weighs its moves, kind says what it is.
func (w *collector) putAs(key *ctg.Key, entry ctg.Entry, kind uint64) error {
	w.record = binary.BigEndian.AppendUint32(w.record[:0], ctg.TrieOrder(key.Hash()))
	w.record = append(binary.BigEndian.AppendUint64(w.record, w.source<<sourceShift|kind|w.seq), entry...)
	w.seq++
	return w.sorter.Add(w.record)
}

// withoutTwice leaves out entries with the key of an earlier one. In the exact
// form they stay: nothing is lost there.
func withoutTwice(entries iter.Seq2[placed, error], opt *Options) iter.Seq2[placed, error] {
	if opt.Exact {
		return entries
	}
	return func(yield func(placed, error) bool) {
		var keys []ctg.Key // of the entries with the current hash
		var hash uint32
		for e, err := range entries {
			if err == nil {
				if e.hash != hash {
					hash, keys = e.hash, keys[:0]
				}
				key := e.Key()
				if slices.Contains(keys, key) {
					opt.Report.Add(model.LostRecord, 0, "position", "the key %s is in the book twice", &key)
					continue
				}
				keys = append(keys, key)
			}
			if !yield(e, err) {
				return
			}
		}
	}
}
