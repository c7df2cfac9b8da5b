package write

import (
	"fmt"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/model"
)

// putText adds a guiding text.
func (ed *Editor) putText(rec model.Record) error {
	t, id := rec.Text, ed.db.Count()+1
	r, ext, stored := textHeadersOf(t.Leftovers.Header)
	setDeleted(&r.Type, rec.Deleted)
	s := &storedRecord{text: &r, ext: ext}
	s.ID, s.ext.Media = id, cbh.NoMedia
	if err := ed.putTextHeader(s, t, cbh.NoEntities, mapping{from: ed.origin}); err != nil {
		return err
	}
	record, err := ed.encoder.text(t, id)
	if err != nil {
		return err
	}
	if !stored || s.ext.Created == 0 {
		s.ext.Created = ed.stamp.take()
	}
	ed.stamp.seen(s.ext.Created)
	s.ext.SetAnnotationsOffset(0)
	s.ext.Checksum = s.ext.Sum()
	_, err = ed.db.Append(ed.headerOf(0, r.Append(nil), &s.ext), record, nil)
	return err
}

// putTextHeader stores the header fields and the list of media of a text that
// has had other entities before.
func (ed *Editor) putTextHeader(s *storedRecord, t *model.GuidingText, old cbh.EntityIDs, m mapping) error {
	m.by = s.ID
	entities, err := ed.tables.mapTextHeader(t, old, m)
	if err != nil {
		return err
	}
	s.text.SetEntities(&s.ext, entities)
	for _, l := range s.text.SetHeader(t) {
		ed.report(l, s.ID)
	}
	return ed.putMedia(s, t.Media)
}

// putMedia stores where the list of a text's media files is, adding it if it has
// become another one.
func (ed *Editor) putMedia(s *storedRecord, media []string) error {
	old, err := ed.db.Media(s.ext.Media, ed.page)
	if err != nil || slices.Equal(old, media) {
		return err
	}
	place := cbh.NoMedia
	s.text.Flags &^= flagPicture
	if len(media) > 0 {
		if place, err = ed.db.AddMedia(media, ed.page); err != nil {
			ed.encoder.lost(s.ID, "media", "%v", err)
			place = cbh.NoMedia
		} else {
			s.text.Flags |= flagPicture
		}
	}
	s.ext.SetMedia(place)
	return nil
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
	if t.Media, err = ed.db.Media(s.ext.Media, ed.page); err != nil {
		return nil, err
	}
	record, err := ed.db.Moves(id)
	if err != nil {
		return nil, err
	}
	guide, err := cbh.DecodeGuide(record, ed.page)
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
