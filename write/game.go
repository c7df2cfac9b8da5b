package write

import (
	"cbkit/board"
	"cbkit/internal/cbh"
	"cbkit/model"
)

// scratch is memory for one record at a time.
type scratch struct {
	head, ext []byte
	game      model.Game
}

// putGame writes a game.
func (c *Creator) putGame(rec model.Record) error {
	id := model.RecordID(c.number() + 1)
	g := c.trusted(readable(rec.Game.WithKnownValues(id, c.report)))
	chess960 := chess960Number(g.Start)
	r, ext, stored := headersOf(g, chess960)
	freshGame(&r, &ext)
	setDeleted(&r.Type, rec.Deleted)
	h, err := c.mapEntities(g.Header, id)
	if err != nil {
		return err
	}
	c.putHeader(&h, &r, &ext, id, chess960)
	parts, err := c.encoder.game(g, id)
	if err != nil {
		return err
	}
	r.MovesOffset = uint32(c.moves.size)
	if err := c.appendMoves(parts.moves, &ext); err != nil {
		return err
	}
	if err := c.appendNotes(parts.notes, &r, &ext); err != nil {
		return err
	}
	parts.derived.Put(&r, &ext)
	ext.Checksum = ext.Sum()
	return c.putRecords(r.Append(c.scratch.head[:0]), &ext, stored)
}

// headersOf returns the header records that a game brings along; stored is false if
// it does not, and the records are those of a new game.
func headersOf(g *model.Game, chess960 int) (r cbh.GameRecord, ext cbh.ExtRecord, stored bool) {
	data := g.Leftovers.Header.From(cbh.Format)
	if len(data) >= cbh.RecordSize {
		if r, err := cbh.DecodeGameRecord(data); err == nil && !r.Type.IsText() {
			if g.MovesErr == nil && g.Leftovers.Derived.From(cbh.Format) == nil { // of another start, perhaps
				r.SetChess960(chess960)
			}
			return r, storedExt(data), true
		}
	}
	return cbh.NewGameRecord(chess960), cbh.NewExtRecord(), false
}

// storedExt returns the .cbj record in a header's leftover. Where the original
// has none, it has nothing to keep either.
func storedExt(data []byte) cbh.ExtRecord {
	ext := cbh.DecodeExtRecord(data[cbh.RecordSize:])
	if len(data) == cbh.RecordSize {
		ext.MovesOffset = 1 // like that of a new record
	}
	return ext
}

// setDeleted sets or clears the mark of deleted records.
func setDeleted(t *cbh.RecordType, deleted bool) {
	*t &^= cbh.TypeDeleted
	if deleted {
		*t |= cbh.TypeDeleted
	}
}

// chess960Number returns the number of a Chess960 starting position, -1 for
// everything else.
func chess960Number(start *model.Position) int {
	if start != nil && start.Chess960 {
		if n, ok := board.Chess960Number(start); ok {
			return n
		}
	}
	return -1
}

// appendMoves writes a record of the .cbg file.
func (c *Creator) appendMoves(record []byte, ext *cbh.ExtRecord) error {
	ext.MovesOffset = uint64(c.moves.size)
	return c.moves.append(record)
}

// appendNotes writes a record of the .cba file, if there is one.
func (c *Creator) appendNotes(record []byte, r *cbh.GameRecord, ext *cbh.ExtRecord) error {
	place := int64(0)
	if len(record) > 0 {
		place = c.annotations.size
	}
	r.AnnotationsOffset = uint32(place)
	ext.SetAnnotationsOffset(uint64(place))
	return c.annotations.append(record)
}

// putRecords writes the records of the .cbh and .cbj files.
func (c *Creator) putRecords(head []byte, ext *cbh.ExtRecord, stored bool) error {
	if !stored || ext.Created == 0 {
		ext.Created = c.stamp.take()
	}
	c.stamp.seen(ext.Created)
	c.scratch.head = head
	if err := c.heads.append(head); err != nil {
		return err
	}
	c.scratch.ext = ext.Append(c.scratch.ext[:0], cbh.ExtRecordSize)
	return c.exts.append(c.scratch.ext)
}
