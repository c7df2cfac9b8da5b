package write

import (
	"fmt"
	"slices"

	"cbkit/board"
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/model"
	"cbkit/moveenc"
)

// Put implements [model.Sink]: the record is added at the end, under the next
// number.
func (ed *Editor) Put(rec model.Record) error {
	if err := ed.take(&rec); err != nil {
		return err
	}
	model.ReportUnread(rec, ed.src.Entities(), cbh.Format, ed.opt.Report)
	err := ed.add(rec, &ed.tables)
	if err == nil {
		ed.result.Appended++
	}
	return err
}

// storedRecord is a record as it is stored now, decoded.
type storedRecord struct {
	cbhdb.Header
	game *cbh.GameRecord // nil of a text
	text *cbh.TextRecord // nil of a game
	ext  cbh.ExtRecord
}

// stored reads the headers of a record.
func (ed *Editor) stored(id model.RecordID) (*storedRecord, error) {
	h, err := ed.db.Header(id)
	if err != nil {
		return nil, err
	}
	s := &storedRecord{Header: h, ext: cbh.DecodeExtRecord(slices.Clone(h.Ext))}
	if h.Type().IsText() {
		t, err := cbh.DecodeTextRecord(h.Head)
		s.text = &t
		return s, err
	}
	g, err := cbh.DecodeGameRecord(h.Head)
	s.game = &g
	return s, err
}

// storedGameOf is stored for a game; a text is an error.
func (ed *Editor) storedGameOf(id model.RecordID) (*storedRecord, error) {
	s, err := ed.stored(id)
	if err == nil && s.game == nil {
		err = fmt.Errorf("record %d: is a guiding text, not a game", id)
	}
	return s, err
}

// putBack stores what was changed of a record. The record of the .cbj file is
// written where there is one, and made where it has something to say.
func (ed *Editor) putBack(s *storedRecord, saved bool) error {
	h := cbhdb.Header{ID: s.ID}
	if s.game != nil {
		h.Head = s.game.Append(nil)
	} else {
		h.Head = s.text.Append(nil)
	}
	if s.Ext != nil || s.ext.WhiteTeam >= 0 || s.ext.BlackTeam >= 0 || s.ext.GameTitle >= 0 || s.ext.Media >= 0 {
		h.Ext = s.ext.Append(nil, ed.db.ExtSize())
	}
	if !saved && slices.Equal(h.Head, s.Head) && slices.Equal(h.Ext, s.Ext) {
		return nil
	}
	if h.Ext != nil {
		s.ext.Saves++
		s.ext.Changed = cbh.ChangeStamp(ed.opt.Now())
		h.Ext = s.ext.Append(nil, ed.db.ExtSize())
	}
	return ed.db.PutHeader(h)
}

// Replace replaces a game or text by another record of the same kind. The id,
// the deletion mark, the creation stamp and whatever else the model has no word
// for are kept. The entities of rec are ids in from, or in this database if
// from is nil.
func (ed *Editor) Replace(id model.RecordID, rec model.Record, from *model.Entities) error {
	s, err := ed.stored(id)
	if err != nil {
		return err
	}
	switch {
	case (rec.Game == nil) == (rec.Text == nil):
		return fmt.Errorf("record %d: must be a game or a text", id)
	case rec.Game != nil && rec.Game.MovesErr == nil && board.Validate(rec.Game.Start, &rec.Game.Moves) != nil:
		return fmt.Errorf("record %d: %w: %w", id, board.Validate(rec.Game.Start, &rec.Game.Moves), model.ErrCorrupt)
	case rec.CheckMade() != nil:
		return fmt.Errorf("record %d: %w", id, rec.CheckMade())
	case (rec.Text != nil) != (s.text != nil):
		return fmt.Errorf("record %d: a game cannot take the place of a guiding text, nor a text that of a game", id)
	case rec.Text != nil:
		if err = ed.replaceText(s, rec.Text, from); err == nil {
			ed.result.Replaced++
		}
		return err
	}
	g := ed.encoder.withoutDerived(rec.Game.WithKnownValues(id, ed.opt.Report).LinksAsNotes(&ed.encoder.scratch.links))
	g = marksAsMedals(g)
	chess960 := chess960Number(g.Start)
	entities, err := ed.tables.mapHeader(&g.Header, false, s.game.Entities(&s.ext), mapping{from: newOrigin(from), by: id})
	if err != nil {
		return err
	}
	s.game.SetEntities(&s.ext, entities)
	if g.MovesErr == nil {
		s.game.SetChess960(chess960)
	}
	ed.encoder.header(&g.Header, s.game, id, chess960)
	if g.Leftovers.Moves == nil && g.MovesErr == nil {
		if g, err = ed.inOldForm(g, id); err != nil {
			return err
		}
	}
	parts, err := ed.encoder.game(g, id)
	if err == nil {
		err = ed.putParts(s, &parts)
	}
	if err == nil {
		ed.result.Replaced++
	}
	return err
}

// putParts stores the parts of a game and what follows from them.
func (ed *Editor) putParts(s *storedRecord, parts *storedGame) error {
	parts.derived.Put(s.game, &s.ext)
	s.ext.Checksum = s.ext.Sum()
	if parts.moves != nil {
		if err := ed.db.PutMoves(s.ID, parts.moves); err != nil {
			return err
		}
	}
	if err := ed.db.PutAnnotations(s.ID, parts.annotations); err != nil {
		return err
	}
	return ed.putBack(s, true)
}

// inOldForm returns a game whose moves are to be stored as those of the game in
// its place are: in the same encoding, with the same mark.
func (ed *Editor) inOldForm(g *model.Game, id model.RecordID) (*model.Game, error) {
	old, err := ed.db.Moves(id)
	if err != nil {
		if dbfile.IsDamage(err) {
			err = nil
		}
		return g, err
	}
	head, err := moveenc.DecodeHead(old)
	if err != nil || head.Mode == moveenc.ModeRegular && !head.Bit7 {
		return g, nil
	}
	c := *g
	form := moveenc.Form{Mode: head.Mode, Bit7: head.Bit7}
	c.Leftovers.Moves = &model.Leftover{Format: cbh.Format, Data: moveenc.AppendForm(nil, &form)}
	return &c, nil
}

// Delete marks records as deleted; [Editor.Undelete] removes the marks. Deleted
// records keep their content and count as references.
func (ed *Editor) Delete(ids ...model.RecordID) error {
	return marked(ids, true, &ed.result.Deleted, ed.mark)
}

// Undelete removes the marks that [Editor.Delete] set.
func (ed *Editor) Undelete(ids ...model.RecordID) error {
	return marked(ids, false, &ed.result.Undeleted, ed.mark)
}

// mark sets or clears the mark of a deleted record, and reports whether it has changed.
func (ed *Editor) mark(id model.RecordID, deleted bool) (changed bool, err error) {
	h, err := ed.db.Header(id)
	if err != nil || h.Type().IsDeleted() == deleted {
		return false, err
	}
	t := h.Type()
	setDeleted(&t, deleted)
	h.Head[0] = byte(t)
	return true, ed.db.PutHeader(h)
}

// Header returns the header of a game. Its ids are those of this database.
func (ed *Editor) Header(id model.RecordID) (model.Header, error) {
	s, err := ed.storedGameOf(id)
	if err != nil {
		return model.Header{}, err
	}
	return s.game.Header(&s.ext), nil
}

// SetHeader replaces the header of a game. The moves and annotations are
// unchanged. The entities of h are ids in from, or in this database if from is
// nil. A game title for which the .cbj file is too old is an error that wraps
// [model.ErrUnsupported].
func (ed *Editor) SetHeader(id model.RecordID, h model.Header, from *model.Entities) error {
	if err := (&model.Record{Game: &model.Game{Header: h}}).CheckMade(); err != nil {
		return fmt.Errorf("record %d: %w", id, err)
	}
	s, err := ed.storedGameOf(id)
	if err != nil {
		return err
	}
	entities, err := ed.tables.mapHeader(&h, false, s.game.Entities(&s.ext), mapping{from: newOrigin(from), by: id, asked: true})
	if err != nil {
		return err
	}
	s.game.SetEntities(&s.ext, entities)
	_, chess960 := cbh.UnpackOpening(s.game.Opening)
	ed.encoder.header(&h, s.game, id, chess960)
	ed.result.Set++
	return ed.putBack(s, false)
}

// Game returns a game as it is now, with the entities of this database.
func (ed *Editor) Game(id model.RecordID) (*model.Game, error) {
	_, g, err := ed.load(id)
	return g, err
}

// load reads a game and decodes it.
func (ed *Editor) load(id model.RecordID) (*storedRecord, *model.Game, error) {
	s, err := ed.storedGameOf(id)
	if err != nil {
		return nil, nil, err
	}
	g := &model.Game{Header: s.game.Header(&s.ext)}
	record, err := ed.db.Moves(s.ID)
	if err != nil {
		return nil, nil, err
	}
	var moves moveenc.Game
	if g.MovesErr = moveenc.Decode(record, &moves); g.MovesErr == nil {
		g.Start, g.Moves = moves.SetUp(), moves.Moves
	}
	annotations, err := ed.db.Annotations(s.ID)
	if err != nil || len(annotations) == 0 {
		return s, g, err
	}
	ctx := cbh.AnnotationContext{Game: s.ID, Page: ed.encoder.page}
	if g.MovesErr == nil {
		ctx.Moves = &g.Moves
	}
	decoded, err := cbh.DecodeAnnotations(annotations, ctx, true)
	g.Annotations, g.Leftovers.Annotations, g.AnnotationsErr = decoded.List, decoded.Leftover, err
	return s, g, nil
}

// SetAnnotations replaces the annotations of a game; an empty list removes
// them. The moves are unchanged.
func (ed *Editor) SetAnnotations(id model.RecordID, list []model.Annotation) error {
	s, g, err := ed.load(id)
	if err != nil {
		return err
	}
	for _, a := range list {
		if a.Node < model.NoNode || g.MovesErr == nil && int(a.Node) >= g.Moves.Len() {
			return fmt.Errorf("record %d: an annotation at move %d of %d: %w", id, a.Node, g.Moves.Len(), model.ErrCorrupt)
		}
	}
	if g.MovesErr != nil && len(list) > 0 {
		return fmt.Errorf("record %d: its moves cannot be decoded, so that nothing can be said about them: %w", id, g.MovesErr)
	}
	g.Annotations, g.Leftovers.Annotations, g.AnnotationsErr = slices.Clone(list), nil, nil
	g = g.WithKnownValues(id, ed.opt.Report)
	annotations := ed.encoder.annotations(g, id)
	var derived cbh.Derived
	if g.MovesErr == nil {
		if derived, _, err = ed.encoder.derived(ed.encoder.withoutDerived(g), annotations); err != nil {
			return err
		}
	} else { // what follows from the moves stays as it is stored
		const ofMoves, magnitudeOfMoves = 1<<0 | 1<<1 | 1<<27, 3
		facts := cbh.FactsOf(annotations)
		derived = cbh.DerivedOf(s.game, &s.ext)
		derived.Flags = derived.Flags&ofMoves | facts.Flags()
		derived.Magnitude = derived.Magnitude&magnitudeOfMoves | facts.Magnitude()
		derived.Medals = facts.Medals()
	}
	ed.result.Annotated++
	return ed.putParts(s, &storedGame{annotations: annotations, derived: derived})
}

// Annotate replaces the annotations, symbols and variations of a game by those
// of another game with the same main line. The header is unchanged.
func (ed *Editor) Annotate(id model.RecordID, by *model.Game) error {
	s, g, err := ed.load(id)
	if err != nil {
		return err
	}
	if g.MovesErr != nil {
		return fmt.Errorf("record %d: %w", id, g.MovesErr)
	}
	if err := model.SameMainLine(g, by); err != nil {
		return fmt.Errorf("record %d: %w", id, err)
	}
	other := by.WithKnownValues(id, ed.opt.Report).LinksAsNotes(nil)
	annotated := &model.Game{Start: g.Start, Moves: other.Moves, Annotations: other.Annotations}
	if annotated, err = ed.inOldForm(annotated, id); err != nil {
		return err
	}
	parts, err := ed.encoder.game(annotated, id)
	if err != nil {
		return err
	}
	ed.result.Annotated++
	return ed.putParts(s, &parts)
}
