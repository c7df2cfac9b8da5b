package posindex

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"iter"

	"cbkit/board"
	"cbkit/internal/dbfile"
	"cbkit/internal/extsort"
	"cbkit/internal/tempfile"
	"cbkit/model"
)

// Beginnings are the first moves of the games of a database, so that games need not be read
// and decoded again for each of many positions. What does not fit into memory is in a
// temporary file. They must be closed.
type Beginnings struct {
	where extsort.Options
	kept  []byte // while there is no file
	file  *tempfile.Scratch
	out   *bufio.Writer
	size  int64
}

// A slot has the first moves of a game, behind their number: moreMoves if there are others
// behind them, otherStart if the game is to be read.
const (
	slotPlies  = 32
	slotSize   = 2 + 2*slotPlies
	moreMoves  = 0x80
	otherStart = 0xFF
)

// NewBeginnings returns those of no game. Where says how much memory there is, and where a
// file goes.
func NewBeginnings(where extsort.Options) *Beginnings { return &Beginnings{where: where} }

// Add adds those of the next record, of which g is the game.
func (b *Beginnings) Add(g *model.Game) error {
	var slot [slotSize]byte
	if g == nil || g.MovesErr != nil || g.Start != nil {
		slot[0] = otherStart
	} else {
		main := g.Moves.Nodes()[:g.Moves.MainLen()]
		if slot[0] = byte(min(len(main), slotPlies)); len(main) > slotPlies {
			main, slot[0] = main[:slotPlies], slotPlies|moreMoves
		}
		for i, n := range main {
			binary.LittleEndian.PutUint16(slot[2+2*i:], uint16(n.Move))
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

var _ io.ReaderAt = (*Beginnings)(nil)

// Games are games of a database that are read by their numbers.
type Games interface {
	model.Numbered
	Record(ctx context.Context, id model.RecordID, want model.Want) (model.Record, error)
}

// Behind returns the games of a database with no more than what is needed of those that
// reach a position: their headers, and their moves until so many plies behind it. All
// records have been added.
func (b *Beginnings) Behind(games Games, position *board.Position, plies int) (model.Numbered, error) {
	if b.out != nil {
		if err := b.out.Flush(); err != nil {
			return nil, err
		}
	}
	return &shortGames{games, b, position, plies}, nil
}

// shortGames is what [Beginnings.Behind] returns.
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
		var moves model.Tree
		for rec, err := range s.Games.RecordsOf(ctx, ids, model.WantHeaders) {
			if err == nil {
				var whole bool
				if whole, err = s.begin(slots, &rec, &moves); err == nil && !whole {
					rec, err = s.Games.Record(ctx, rec.ID, want)
				}
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// begin gives a game the moves that are needed of it, and reports whether it could.
func (s *shortGames) begin(slots *dbfile.Window, rec *model.Record, moves *model.Tree) (bool, error) {
	slot, err := slots.At(int64(rec.ID-1)*slotSize, slotSize)
	if err != nil || rec.Game == nil || slot[0] == otherStart {
		return false, err
	}
	moves.Reset()
	at, reached := board.Start(), -1
	n := int(slot[0] &^ moreMoves)
	for i := 0; i <= n; i++ {
		if reached < 0 && at.SameDiagram(s.position) {
			reached = i
		}
		if i == n || reached >= 0 && i == reached+s.plies {
			break
		}
		m := model.Move(binary.LittleEndian.Uint16(slot[2+2*i:]))
		if moves.Append(m); reached < 0 {
			at.Make(m)
		}
	}
	rec.Game.Moves = *moves
	return slot[0]&moreMoves == 0 || reached >= 0 && n >= reached+s.plies, nil
}
