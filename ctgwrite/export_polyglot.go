package ctgwrite

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"math"
	"os"
	"slices"

	"cbkit/board"
	"cbkit/internal/bookdamage"
	"cbkit/internal/extsort"
	"cbkit/internal/fsys"
	"cbkit/internal/polyglot"
	"cbkit/model"
	"cbkit/read"
)

// PolyglotOptions configures [WritePolyglot].
type PolyglotOptions struct {
	// MinWeight leaves out moves with a smaller weight.
	MinWeight int
	// Memory is how many bytes are used for sorting, 0 for 32 MiB; beyond it
	// temporary files are used, in TempDir, or in the system's folder if
	// that is "".
	Memory  int
	TempDir string
	// Report is called for what cannot be stored: weights that are divided, moves that
	// are listed twice, and, from books of ChessBase, all figures except weights and the
	// marks of the user. Losses never fail the work.
	Report model.Report
	// OnError is called for damage in a book, each place once, and decides: nil
	// goes on without the entries that cannot be read; moves that lead to
	// them get the weight 0. If it is nil the first damage ends the work.
	OnError func(error) error
	// Progress, if not nil, is called with the number of entries written so far, from time to
	// time.
	Progress func(entries int)
}

// WritePolyglot writes books as one in the format of Polyglot and returns the number
// of its entries (docs/formats/polyglot.md):
//
//	for each position and move, in ascending order of the keys, heavier moves first:
//	u64 key | u16 move | u16 weight | u32 learn
//
// It takes the entries of a Polyglot book as they are stored, including those that no
// move of the book leads to, but without entries that hold no move. Weights that several
// books give a move are added up; its learn value is the first that is not 0.
//
// An entry of a .ctg book stands for a position with White to move, for the same with
// colours exchanged, and, where neither side can castle, for the mirror images of both;
// all of them are written, so that each can be looked up. The weight of a move is then
// the score of its player: two for a win, one for a draw or a game without a result. A
// move to avoid, or with the user's weight -125 (never), gets 0, which is never played.
// If a position has moves with the user's weight 125 (always), all others get 0.
//
// If a weight exceeds 65535, all weights of its position are divided by a power of two.
func WritePolyglot(ctx context.Context, w io.Writer, books []model.Book, opt PolyglotOptions) (entries int, err error) {
	x := polyglotExport{opt: opt, sorter: extsort.New(extsort.Options{
		Memory: cmp.Or(max(opt.Memory, 0), defaultMemory), FS: fsys.OS{}, Dir: cmp.Or(opt.TempDir, os.TempDir()),
	})}
	x.damage.Decide = opt.OnError
	defer func() { err = errors.Join(err, x.sorter.Close()) }()
	for i, b := range books {
		x.source = uint32(i)
		if stored, ok := b.(interface {
			Stored(context.Context) iter.Seq2[read.PolyglotEntry, error]
		}); ok {
			for e, err := range stored.Stored(ctx) {
				if err = x.damage.Report(err); err != nil {
					return 0, err
				}
				if move := polyglot.Move(e.Move); !move.IsNone() && move.IsPossible() {
					if err := x.put(e.Key, move, uint32(e.Weight), e.Learn); err != nil {
						return 0, err
					}
				}
			}
		} else {
			for e, err := range readable(ctx, b, opt.OnError) {
				if err == nil {
					err = x.add(e)
				}
				if err != nil {
					return 0, err
				}
			}
		}
		if err := ctx.Err(); err != nil {
			return 0, err
		}
	}
	return x.write(ctx, w)
}

// polyglotExport sorts the entries of a Polyglot book by key, move and the book that they
// come from, then by falling weight:
//
//	u64 key | u16 move | u32 book | u32 complement of the weight | u32 learn
type polyglotExport struct {
	opt    PolyglotOptions
	sorter *extsort.Sorter
	damage bookdamage.Reporter
	source uint32
	record []byte
}

func (x *polyglotExport) put(key uint64, move polyglot.Move, weight, learn uint32) error {
	x.record = binary.BigEndian.AppendUint64(x.record[:0], key)
	x.record = binary.BigEndian.AppendUint16(x.record, uint16(move))
	for _, n := range [...]uint32{x.source, ^weight, learn} {
		x.record = binary.BigEndian.AppendUint32(x.record, n)
	}
	return x.sorter.Add(x.record)
}

// add adds the moves of an entry for all the positions it stands for, and reports what a
// Polyglot book cannot say of it.
func (x *polyglotExport) add(e *model.BookEntry) error {
	weights := polyglotWeights(e)
	images := []image{0, flip}
	switch {
	case e.Weighed:
		images = images[:1]
	case !e.Position.Rights.Any():
		images = append(images, mirrored, flip|mirrored)
	}
	for _, image := range images {
		m := image.position(&e.Position)
		p, err := board.New(&m)
		if err != nil {
			continue // with two kings of a colour: none can be set up
		}
		key := p.PolyglotKey()
		for i, m := range e.Moves {
			if err := x.put(key, polyglot.EncodeMove(image.move(m.Move)), weights[i], m.Learn); err != nil {
				return err
			}
		}
	}
	if e.Weighed {
		return nil
	}
	fen := func() string { return board.FormatFEN(&e.Position) }
	if s := &e.Stats; s.Wins+s.Draws+s.Losses+s.Own.Games+s.Opponent.Games > 0 {
		x.opt.Report.Add(model.LostField, 0, "figures",
			"wins, losses and ratings of the games through %s; a Polyglot book has weights alone", fen())
	}
	if s := &e.Stats; s.Commentary != 0 || s.Recommendation == model.MainMove || s.Weight != 0 && s.Weight != 125 && s.Weight != -125 {
		x.opt.Report.Add(model.LostField, 0, "marks", "of the position %s", fen())
	}
	for _, m := range e.Moves {
		if m.Annotation != 0 {
			x.opt.Report.Add(model.LostField, 0, "marks", "$%d of %v in %s", m.Annotation, m.Move, fen())
		}
	}
	return nil
}

// weighedMove is a move of the position that is being written.
type weighedMove struct {
	move   polyglot.Move
	source uint32
	weight uint64
	learn  uint32
}

// write writes the moves of each key, which become one where several books have them.
func (x *polyglotExport) write(ctx context.Context, w io.Writer) (entries int, err error) {
	out := bufio.NewWriterSize(w, 1<<16)
	var moves []weighedMove // of one key
	var key uint64
	var buf []byte
	flush := func() error {
		slices.SortStableFunc(moves, func(a, b weighedMove) int { return cmp.Compare(b.weight, a.weight) })
		buf = buf[:0]
		shift := 0
		for len(moves) > 0 && moves[0].weight>>shift > math.MaxUint16 {
			shift++
		}
		if shift > 0 {
			x.opt.Report.Add(model.Changed, 0, "weight", "those of the position with the key %016x are divided by %d, to have room", key, 1<<shift)
		}
		for _, m := range moves {
			if weight := m.weight >> shift; weight >= uint64(max(x.opt.MinWeight, 0)) {
				e := polyglot.Entry{Key: key, Move: m.move, Weight: uint16(weight), Learn: m.learn}
				buf = e.Append(buf)
			}
		}
		for n := entries + len(buf)/polyglot.Size; entries < n; entries++ {
			if x.opt.Progress != nil && entries&0xffff == 0 {
				x.opt.Progress(entries)
			}
		}
		moves = moves[:0]
		_, err := out.Write(buf)
		return err
	}
	for r, err := range x.sorter.Sorted() {
		if err == nil && binary.BigEndian.Uint64(r) != key {
			if err = flush(); err == nil {
				err = ctx.Err()
			}
		}
		if err != nil {
			return entries, err
		}
		key = binary.BigEndian.Uint64(r)
		m := weighedMove{
			move: polyglot.Move(binary.BigEndian.Uint16(r[8:])), source: binary.BigEndian.Uint32(r[10:]),
			weight: uint64(^binary.BigEndian.Uint32(r[14:])), learn: binary.BigEndian.Uint32(r[18:]),
		}
		// Of one book the heavier entry comes first, and others of the same move are
		// images of it, or listed twice.
		last := len(moves) - 1
		if last < 0 || moves[last].move != m.move {
			moves = append(moves, m)
			continue
		}
		one := &moves[last]
		if one.source == m.source {
			if m.weight != one.weight || m.learn != one.learn {
				x.opt.Report.Add(model.LostMoves, 0, "move", "%v with the weight %d, listed twice", m.move, m.weight)
			}
			continue
		}
		one.source = m.source
		one.weight += m.weight
		if one.learn == 0 {
			one.learn = m.learn
		}
	}
	if err := flush(); err != nil {
		return entries, err
	}
	return entries, out.Flush()
}

// polyglotWeights returns the weights of an entry's moves.
func polyglotWeights(e *model.BookEntry) []uint32 {
	weights := make([]uint32, len(e.Moves))
	always := !e.Weighed && slices.ContainsFunc(e.Moves, func(m model.BookMove) bool {
		return m.Stats.Weight == 125 && m.Stats.Recommendation != model.AvoidMove
	})
	for i, m := range e.Moves {
		never := m.Stats.Recommendation == model.AvoidMove || m.Stats.Weight == -125
		switch {
		case e.Weighed:
			weights[i] = uint32(m.MoveWeight)
		case never || always && m.Stats.Weight != 125:
		case always:
			weights[i] = max(m.Stats.Score/5, 1) // or it would not be played either
		default:
			weights[i] = m.Stats.Score / 5
		}
	}
	return weights
}

// image is a way to look at a position that changes nothing for the players.
type image uint8

const (
	flip     image = 56 // colours and ranks exchanged
	mirrored image = 7  // files exchanged
)

func (v image) square(s model.Square) model.Square {
	if s == model.NoSquare {
		return s
	}
	return s ^ model.Square(v)
}

func (v image) move(m model.Move) model.Move {
	from, to := v.square(m.From()), v.square(m.To())
	if m.IsCastling() {
		return model.NewCastling(from, to)
	}
	return model.NewPromotion(from, to, m.Promotion())
}

// position returns the image of a position.
func (v image) position(p *model.Position) model.Position {
	out := *p
	for s, piece := range p.Board {
		if piece != model.NoPiece && v&flip != 0 {
			piece = model.NewPiece(piece.Color().Other(), piece.Type())
		}
		out.Board[v.square(model.Square(s))] = piece
	}
	for c := range p.Rights {
		to := c
		if v&flip != 0 {
			to = 1 - c
		}
		for side, rook := range p.Rights[c] {
			out.Rights[to][side] = v.square(rook)
		}
	}
	if v&flip != 0 {
		out.Turn = p.Turn.Other()
	}
	if p.EnPassant != model.NoFile {
		out.EnPassant = int8(v.square(model.Square(p.EnPassant)).File())
	}
	return out
}
