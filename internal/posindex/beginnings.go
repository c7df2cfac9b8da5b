package posindex

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"iter"

	"cbkit/board"
	"cbkit/internal/dbfile"
	"cbkit/internal/extsort"
	"cbkit/internal/tempfile"
	"cbkit/model"
)

// Beginnings are the first moves of the games of a database, with what summaries have of
// their headers, so that games need not be read and decoded again for each of many
// positions. What does not fit into memory is in a temporary file. They must be closed.
type Beginnings struct {
	where extsort.Options
	kept  []byte // while there is no file
	file  *tempfile.Scratch
	out   *bufio.Writer
	size  int64
}

// A slot is, little-endian,
//
//	number of the first moves, 1 byte: and moreMoves if there are others behind them, otherStart
//	    if the game is to be read | result, 1 byte
//	White, Black, tournament, 4 bytes each | ratings, 2 bytes each | year, 2 bytes, month, day
//	slotPlies moves, 2 bytes each
const (
	slotPlies  = 32
	slotHead   = 2 + 3*4 + 2*2 + 4
	slotSize   = slotHead + 2*slotPlies
	moreMoves  = 0x80
	otherStart = 0xFF
)

// NewBeginnings returns those of no game. Where says how much memory there is, and where a
// file goes.
func NewBeginnings(where extsort.Options) *Beginnings { return &Beginnings{where: where} }

// Add adds that of the next record.
func (b *Beginnings) Add(rec Record) error {
	var slot [slotSize]byte
	if g := rec.Game; g == nil || g.MovesErr != nil || g.Start != nil || rec.Deleted {
		slot[0] = otherStart
	} else {
		main := g.Moves.Nodes()[:g.Moves.MainLen()]
		if slot[0] = byte(min(len(main), slotPlies)); len(main) > slotPlies {
			main, slot[0] = main[:slotPlies], slotPlies|moreMoves
		}
		h := append(slot[:1], byte(g.Result))
		for _, id := range [3]model.EntityID{g.White, g.Black, g.Tournament} {
			h = binary.LittleEndian.AppendUint32(h, uint32(id))
		}
		for _, n := range [3]uint16{g.WhiteElo, g.BlackElo, g.Date.Year} {
			h = binary.LittleEndian.AppendUint16(h, n)
		}
		h = append(h, g.Date.Month, g.Date.Day)
		for _, n := range main {
			h = binary.LittleEndian.AppendUint16(h, uint16(n.Move))
		}
	}
	b.size += slotSize
	if b.file == nil && len(b.kept)+slotSize > b.where.Memory {
		file, err := tempfile.NewScratch(b.where.FS, b.where.Dir, "positions")
		if err != nil {
			return err
		}
		b.file, b.out = file, bufio.NewWriterSize(file, 1<<16)
		if _, err := b.out.Write(b.kept); err != nil {
			return err
		}
		b.kept = nil
	}
	if b.file == nil {
		b.kept = append(b.kept, slot[:]...)
		return nil
	}
	_, err := b.out.Write(slot[:])
	return err
}

// Close removes the file.
func (b *Beginnings) Close() error {
	b.kept = nil
	if b.file == nil {
		return nil
	}
	return b.file.Close()
}

// Size implements [fsys.ReadFile].
func (b *Beginnings) Size() int64 { return b.size }

// ReadAt implements [io.ReaderAt].
func (b *Beginnings) ReadAt(p []byte, at int64) (int, error) {
	if b.file == nil {
		return bytes.NewReader(b.kept).ReadAt(p, at)
	}
	return b.file.ReadAt(p, at)
}

// Games are games of a database that are read by their numbers.
type Games interface {
	model.Numbered
	Record(ctx context.Context, id model.RecordID, want model.Want) (model.Record, error)
}

// ErrNoPosition says that a game does not have the position that it is listed under: it has
// changed, or the index is wrong.
var ErrNoPosition = fmt.Errorf("%w: a game lacks the position that it is listed under", model.ErrChanged)

// Under returns the games that an index lists under the key of a position and that are not
// marked as deleted, and the position, for a summary: of the games no more than what it needs
// of them, a part of their headers, and their moves until so many plies behind the position.
// All records have been added. It returns nil if no game is listed, or the first one cannot
// be read. The error is [ErrNoPosition] if that has no such position.
func (b *Beginnings) Under(ctx context.Context, x *Index, games Games, key uint64, plies int) (_ model.Numbered, ids []model.RecordID, p board.Position, err error) {
	if b.out != nil {
		if err := b.out.Flush(); err != nil {
			return nil, nil, p, err
		}
	}
	if ids, err = x.ListedUnder(key); err != nil || len(ids) == 0 {
		return nil, nil, p, err
	}
	first, err := games.Record(ctx, ids[0], model.WantMoves)
	if err != nil || first.Game == nil || first.Game.MovesErr != nil {
		return nil, nil, p, err
	}
	if p, err = board.New(first.Game.Start); err != nil {
		return nil, nil, p, ErrNoPosition
	}
	main := first.Game.Moves.Nodes()[:first.Game.Moves.MainLen()]
	for positionKey(&p) != key {
		if len(main) == 0 {
			return nil, nil, p, ErrNoPosition
		}
		p.Make(main[0].Move)
		main = main[1:]
	}
	return &shortGames{games, b, &p, plies}, ids, p, nil
}

// shortGames is what [Beginnings.Under] returns.
type shortGames struct {
	Games
	beginnings *Beginnings
	position   *board.Position
	plies      int
}

// RecordsOf implements [model.Numbered].
func (s *shortGames) RecordsOf(ctx context.Context, ids iter.Seq[model.RecordID], want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		slots := dbfile.NewWindow(dbfile.New(s.beginnings, "beginnings"), dbfile.NearAhead)
		var g model.Game
		for id := range ids {
			rec := model.Record{ID: id, Game: &g}
			whole, err := s.begin(slots, id, &g)
			err = cmp.Or(err, ctx.Err())
			if err == nil && !whole {
				rec, err = s.Games.Record(ctx, id, want)
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// begin makes of a game what is needed of it, and reports whether it could.
func (s *shortGames) begin(slots *dbfile.Window, id model.RecordID, g *model.Game) (bool, error) {
	slot, err := slots.At(int64(id-1)*slotSize, slotSize)
	if err != nil || slot[0] == otherStart {
		return false, err
	}
	word := func(at int) uint16 { return binary.LittleEndian.Uint16(slot[at:]) }
	entity := func(at int) model.EntityID { return model.EntityID(binary.LittleEndian.Uint32(slot[at:])) }
	g.Header = model.NewHeader()
	g.Result, g.White, g.Black, g.Tournament = model.Result(slot[1]), entity(2), entity(6), entity(10)
	g.WhiteElo, g.BlackElo, g.Date = word(14), word(16), model.Date{Year: word(18), Month: slot[20], Day: slot[21]}
	g.Moves.Reset()
	at, reached := board.Start(), -1
	n := int(slot[0] &^ moreMoves)
	for i := 0; i <= n; i++ {
		if reached < 0 && at.SameDiagram(s.position) {
			reached = i
		}
		if i == n || reached >= 0 && i == reached+s.plies {
			break
		}
		m := model.Move(word(slotHead + 2*i))
		if g.Moves.Append(m); reached < 0 {
			at.Make(m)
		}
	}
	return slot[0]&moreMoves == 0 || reached >= 0 && n >= reached+s.plies, nil
}
