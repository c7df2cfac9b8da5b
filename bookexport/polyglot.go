package bookexport

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"

	"cbkit/board"
	"cbkit/internal/extsort"
	"cbkit/internal/fsys"
	"cbkit/model"
)

// PolyglotOptions configures [WritePolyglot].
type PolyglotOptions struct {
	// Memory is how many bytes are used for sorting, 0 for 256 MiB; beyond it
	// temporary files are used, in TempDir, or in the system's folder if
	// that is "".
	Memory  int
	TempDir string
	// OnError is told of damage in the book, each place once, and decides: nil
	// goes on without the entries that cannot be read; moves that lead to
	// them get the weight 0. If it is nil the first damage ends the work.
	OnError func(error) error
}

// WritePolyglot writes a book in the format of Polyglot and returns the number
// of its entries:
//
//	for each position and move, in ascending order of the keys:
//	u64 key | u16 move | u16 weight | u32 0
//
// An entry of our books stands for a position with White to move, for the same
// with colours exchanged, and, where nobody can castle, for the mirror images of
// both; all of them are written, for who asks for one of them.
//
// The weight of a move is what its player scored, two for a win and one for a
// draw or a game without a result, divided by a power of two where that
// exceeds 65535. A move to avoid, or one of weight -125, gets 0, which is never
// played; where moves of weight 125 are, which are always played, all others
// get 0.
func WritePolyglot(ctx context.Context, w io.Writer, b model.Book, opt PolyglotOptions) (entries int, err error) {
	if opt.Memory <= 0 {
		opt.Memory = 256 << 20
	}
	if opt.TempDir == "" {
		opt.TempDir = os.TempDir()
	}
	x := polyglotExport{sorter: extsort.New(extsort.Options{Memory: opt.Memory, FS: fsys.OS{}, Dir: opt.TempDir})}
	defer func() { err = errors.Join(err, x.sorter.Close()) }()
	for e, err := range readable(ctx, b, opt.OnError) {
		if err == nil {
			err = x.add(e)
		}
		if err != nil {
			return 0, err
		}
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	return x.write(w)
}

// polyglotExport sorts the entries of a Polyglot book.
type polyglotExport struct {
	sorter *extsort.Sorter
	record [polyglotSize]byte
}

const polyglotSize = 16

// add adds the moves of an entry for all the positions it stands for.
func (x *polyglotExport) add(e *model.BookEntry) error {
	weights := polyglotWeights(e.Moves)
	images := []image{0, flip}
	if !e.Position.Rights.Any() {
		images = append(images, mirrored, flip|mirrored)
	}
	for _, image := range images {
		m := image.position(&e.Position)
		p, err := board.New(&m)
		if err != nil {
			continue // with two kings of a colour: nobody asks for it
		}
		key := p.PolyglotKey()
		for i, m := range e.Moves {
			binary.BigEndian.PutUint64(x.record[:], key)
			// Heavier moves come first.
			binary.BigEndian.PutUint16(x.record[8:], ^weights[i])
			binary.BigEndian.PutUint16(x.record[10:], polyglotMove(image.move(m.Move)))
			if err := x.sorter.Add(x.record[:]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (x *polyglotExport) write(w io.Writer) (entries int, err error) {
	out := bufio.NewWriterSize(w, 1<<16)
	var last [polyglotSize]byte
	for r, err := range x.sorter.Sorted() {
		if err != nil {
			return entries, err
		}
		if entries > 0 && bytes.Equal(r, last[:]) {
			continue
		}
		copy(last[:], r)
		binary.BigEndian.PutUint16(x.record[:], binary.BigEndian.Uint16(r[10:]))
		binary.BigEndian.PutUint16(x.record[2:], ^binary.BigEndian.Uint16(r[8:]))
		if _, err := out.Write(append(append(r[:8:8], x.record[:4]...), 0, 0, 0, 0)); err != nil {
			return entries, err
		}
		entries++
	}
	return entries, out.Flush()
}

// polyglotWeights returns the weights of an entry's moves.
func polyglotWeights(moves []model.BookMove) []uint16 {
	always := false
	most := uint32(0)
	for _, m := range moves {
		always = always || m.Stats.Weight == 125 && m.Stats.Recommendation != model.AvoidMove
		most = max(most, m.Stats.Score/5)
	}
	weights := make([]uint16, len(moves))
	for i, m := range moves {
		never := m.Stats.Recommendation == model.AvoidMove || m.Stats.Weight == -125
		if never || always && m.Stats.Weight != 125 {
			continue
		}
		n := m.Stats.Score / 5
		if always {
			n = max(n, 1) // or it would not be played either
		}
		for scale := most; scale > 65535; scale /= 2 {
			n /= 2
		}
		weights[i] = uint16(n)
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

// polyglotMove returns a move in Polyglot's bits: to file, to rank, from file,
// from rank, three each from the lowest on, then the piece a pawn becomes.
// Castling is the king taking its rook, as in the model.
func polyglotMove(m model.Move) uint16 {
	out := uint16(m.To()) | uint16(m.From())<<6
	if become := m.Promotion(); become != model.NoPieceType {
		out |= uint16(become-model.Knight+1) << 12
	}
	return out
}
