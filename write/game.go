package write

import (
	"cbkit/board"
	"cbkit/internal/cbh"
	"cbkit/internal/derive"
	"cbkit/model"
	"cbkit/moveenc"
)

// scratch is memory for one record at a time.
type scratch struct {
	head, ext, moves, annotations []byte
}

// putGame writes a game.
func (c *Creator) putGame(rec model.Record) error {
	id := model.RecordID(c.number() + 1)
	g := rec.Game.WithKnownValues(id, c.opt.Report)
	chess960 := chess960Number(g.Start)
	r, ext, stored := storedGame(g, chess960)
	setDeleted(&r.Type, rec.Deleted)
	was := references(&r, &ext)
	before := &was
	if !stored {
		before = nil
	}
	h, err := c.mapEntities(g.Header, id, before)
	if err != nil {
		return err
	}
	c.putHeader(&h, &r, &ext, id, chess960)
	if references(&r, &ext) != was || !stored {
		c.copy.changed()
	}
	g, err = c.putMoves(g, &r, &ext, id, stored)
	if err != nil {
		return err
	}
	if err := c.putAnnotations(g, &r, &ext, id); err != nil {
		return err
	}
	if err := c.putDerived(g, &r, &ext); err != nil {
		return err
	}
	return c.putRecords(r.Append(c.scratch.head[:0]), &ext, stored)
}

// storedGame returns the records that a game brings along; stored is false if
// it does not, and the records are those of a new game.
func storedGame(g *model.Game, chess960 int) (r cbh.GameRecord, ext cbh.ExtRecord, stored bool) {
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

// references collects the entity ids of a game.
func references(r *cbh.GameRecord, ext *cbh.ExtRecord) [8]int64 {
	return [8]int64{
		int64(r.White), int64(r.Black), int64(r.Tournament), int64(r.Annotator), int64(r.Source),
		int64(ext.WhiteTeam), int64(ext.BlackTeam), int64(ext.GameTitle),
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

// putMoves writes the moves of a game. It returns the game as it can be
// written: without the moves that the format cannot hold, which are reported.
func (c *Creator) putMoves(g *model.Game, r *cbh.GameRecord, ext *cbh.ExtRecord, id model.RecordID, stored bool) (*model.Game, error) {
	record, err := c.encodeMoves(g, id)
	if err != nil {
		if g, record, err = c.encodeRest(g, id, err); err != nil {
			return nil, err
		}
	}
	r.MovesOffset = uint32(c.moves.size)
	return g, c.appendMoves(record, ext, stored)
}

// appendMoves writes a record of the .cbg file. Its 64-bit place stays 0 where
// a stored record has it so.
func (c *Creator) appendMoves(record []byte, ext *cbh.ExtRecord, stored bool) error {
	if ext.MovesOffset != 0 || !stored {
		ext.MovesOffset = uint64(c.moves.size)
	}
	return c.moves.append(record)
}

// encodeMoves returns the .cbg record of a game.
func (c *Creator) encodeMoves(g *model.Game, id model.RecordID) ([]byte, error) {
	leftover := g.Leftovers.Moves.From(cbh.Format)
	if g.MovesErr != nil {
		if head, err := moveenc.ParseHead(leftover); err == nil && head.Size == len(leftover) {
			return leftover, nil
		}
		return nil, g.MovesErr
	}
	for _, l := range moveenc.Losses(g.Start) {
		l.Record = id
		c.report(l)
	}
	record, err := c.encodeWithForm(g, leftover)
	if err == nil {
		c.scratch.moves = record
	}
	return record, err
}

// encodeWithForm encodes moves in their stored form, or in the usual one if
// the form is not theirs any more.
func (c *Creator) encodeWithForm(g *model.Game, leftover []byte) ([]byte, error) {
	form, err := moveenc.ParseForm(leftover)
	if err == nil && !form.IsZero() {
		record, err := moveenc.Encode(c.scratch.moves[:0], g.Start, &g.Moves, &form)
		if err == nil {
			return record, nil
		}
	}
	return moveenc.Encode(c.scratch.moves[:0], g.Start, &g.Moves, nil)
}

// putAnnotations writes the annotations of a game.
func (c *Creator) putAnnotations(g *model.Game, r *cbh.GameRecord, ext *cbh.ExtRecord, id model.RecordID) error {
	ctx := cbh.AnnotationContext{Game: id, Page: c.page, Damage: g.AnnotationsErr}
	if g.MovesErr == nil {
		ctx.Moves = &g.Moves
	}
	leftover := g.Leftovers.Annotations
	if g.AnnotationsErr != nil && !cbh.HasWholeAnnotations(leftover) {
		leftover = nil
	}
	record := cbh.AppendAnnotations(c.scratch.annotations[:0], g.Annotations, leftover, ctx, c.opt.Report)
	c.scratch.annotations = record
	place := int64(0)
	if len(record) > 0 {
		place = c.annotations.size
	}
	r.AnnotationsOffset = uint32(place)
	ext.SetAnnotationsOffset(uint64(place))
	return c.annotations.append(record)
}

// putDerived stores what follows from moves and annotations: the stored
// values if they came along, else computed ones.
func (c *Creator) putDerived(g *model.Game, r *cbh.GameRecord, ext *cbh.ExtRecord) error {
	d, stored := cbh.ParseDerived(g.Leftovers.Derived.From(cbh.Format))
	if !stored {
		facts, err := derive.Game(g.Start, &g.Moves, cbh.FactsOf(c.scratch.annotations))
		if err != nil {
			return err
		}
		d = cbh.Derived{
			Flags: facts.Flags, Magnitude: facts.Magnitude, Medals: facts.Medals, MoveCount: facts.FullMoves,
			Material: [2]uint32{uint32(facts.Material[0]), uint32(facts.Material[1])},
		}
	}
	d.Put(r, ext)
	if !stored {
		ext.Checksum = ext.Sum() // a wrong one is kept by a copy only
	}
	return nil
}

// putRecords writes the records of the .cbh and .cbj files.
func (c *Creator) putRecords(head []byte, ext *cbh.ExtRecord, stored bool) error {
	if !stored || ext.Created == 0 && c.copy == nil {
		ext.Created = c.stamp.take()
	}
	c.stamp.seen(ext.Created)
	c.scratch.head = head
	if err := c.heads.append(head); err != nil {
		return err
	}
	// An original with fewer .cbj records than games keeps it so, until a new
	// game comes.
	if c.exts == nil || c.copy != nil && stored && c.number() > int(c.copy.ExtRecords) {
		return nil
	}
	for missing := cbh.DefaultExtRecord(); c.extras < c.number()-1; c.extras++ {
		if err := c.putExt(&missing); err != nil {
			return err
		}
	}
	c.extras++
	return c.putExt(ext)
}

// putExt writes one record of the .cbj file.
func (c *Creator) putExt(ext *cbh.ExtRecord) error {
	c.scratch.ext = ext.Append(c.scratch.ext[:0], c.extSize)
	return c.exts.append(c.scratch.ext)
}
