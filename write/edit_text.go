package write

import (
	"fmt"

	"cbkit/internal/cbh"
	"cbkit/model"
)

// putTextHeader stores the header fields and the list of media of a text that
// has had other entities before.
func (ed *Editor) putTextHeader(s *storedRecord, t *model.GuidingText, old cbh.EntityIDs, m mapping) error {
	m.by = s.ID
	entities, err := ed.tables.mapHeader(textNames(t), true, old, m)
	if err != nil {
		return err
	}
	return ed.textHeader(t, s.text, &s.ext, s.ID, entities)
}

// replaceText puts a text in the place of another one.
func (ed *Editor) replaceText(s *storedRecord, t *model.GuidingText, from *model.Entities) error {
	if err := ed.putTextHeader(s, t, s.text.Entities(&s.ext), mapping{from: newOrigin(from)}); err != nil {
		return err
	}
	record, err := ed.encoder.text(t, s.ID)
	if err != nil {
		return err
	}
	s.ext.Checksum = s.ext.Sum()
	if err := ed.db.PutMoves(s.ID, record); err != nil {
		return err
	}
	return ed.putBack(s, true)
}

// Text returns a guiding text as it is now, with the entities of this database.
func (ed *Editor) Text(id model.RecordID) (*model.GuidingText, error) {
	s, err := ed.storedTextOf(id)
	if err != nil {
		return nil, err
	}
	t := s.text.Header(&s.ext)
	if t.Media, err = ed.db.Media(s.ext.Media, ed.encoder.page); err != nil {
		return nil, err
	}
	record, err := ed.db.Moves(id)
	if err != nil {
		return nil, err
	}
	guide, err := cbh.DecodeGuide(record, ed.encoder.page)
	t.Titles, t.Contents, t.HTML, t.Leftovers.Content, t.ContentErr = guide.Titles, guide.Contents, guide.HTML, guide.Leftover, err
	return &t, nil
}

// storedTextOf is stored for a guiding text; a game is an error.
func (ed *Editor) storedTextOf(id model.RecordID) (*storedRecord, error) {
	s, err := ed.stored(id)
	if err == nil && s.text == nil {
		err = fmt.Errorf("record %d: is a game, not a guiding text", id)
	}
	return s, err
}

// SetTextHeader replaces the header fields of a guiding text. Its content is
// unchanged. The entities of t are ids in from, or in this database if from is
// nil.
func (ed *Editor) SetTextHeader(id model.RecordID, t *model.GuidingText, from *model.Entities) error {
	if err := (&model.Record{Text: t}).CheckMade(); err != nil {
		return fmt.Errorf("record %d: %w", id, err)
	}
	s, err := ed.storedTextOf(id)
	if err != nil {
		return err
	}
	if err := ed.putTextHeader(s, t, s.text.Entities(&s.ext), mapping{from: newOrigin(from), asked: true}); err != nil {
		return err
	}
	ed.result.Set++
	return ed.putBack(s, false)
}
