package write

import (
	"fmt"

	"cbkit/internal/cbh"
	"cbkit/model"
)

// flagPicture is set in texts that use media. (docs/formats/cbh-entities.md 4)
const flagPicture = 1 << 17

// putText writes a guiding text.
func (c *Creator) putText(rec model.Record) error {
	t, id := rec.Text, model.RecordID(c.number()+1)
	r, ext, stored := textHeadersOf(t.Leftovers.Header)
	freshText(&r, &ext)
	setDeleted(&r.Type, rec.Deleted)
	here, err := c.mapTextEntities(t, id)
	if err != nil {
		return err
	}
	for _, l := range r.SetHeader(&ext, &here) {
		l.Record = id
		c.lose(l)
	}
	c.putMedia(t, &r, &ext, id)

	record, err := c.encoder.text(t, id)
	if err != nil {
		return fmt.Errorf("%s: %w", c.moves.name, err)
	}
	r.Offset = uint32(c.moves.size)
	if err := c.appendMoves(record, &ext); err != nil {
		return err
	}
	return c.putRecords(r.Append(c.scratch.head[:0]), &ext, stored)
}

// textHeadersOf is headersOf for guiding texts.
func textHeadersOf(l *model.Leftover) (r cbh.TextRecord, ext cbh.ExtRecord, stored bool) {
	data := l.From(cbh.Format)
	if len(data) >= cbh.RecordSize {
		if r, err := cbh.DecodeTextRecord(data); err == nil && r.Type.IsText() {
			return r, storedExt(data), true
		}
	}
	return cbh.TextRecord{Type: cbh.TypeInUse | cbh.TypeText}, cbh.DefaultExtRecord(), false
}

// mapTextEntities returns a text's header fields with the ids of this database.
func (c *Creator) mapTextEntities(t *model.GuidingText, by model.RecordID) (model.GuidingText, error) {
	here := model.GuidingText{Round: t.Round, Subround: t.Subround}
	e := &c.entities
	for _, f := range []struct {
		from model.EntityID
		to   *model.EntityID
		use  func(model.EntityID, model.RecordID) (int32, error)
	}{
		{t.Tournament, &here.Tournament, e.tournaments.use}, {t.Annotator, &here.Annotator, e.annotators.use},
		{t.Source, &here.Source, e.sources.use}, {t.GameTitle, &here.GameTitle, e.gameTitles.use},
	} {
		id, err := f.use(f.from, by)
		if err != nil {
			return here, err
		}
		*f.to = model.EntityID(id)
	}
	return here, nil
}

// putMedia adds the list of the text's media files and stores where it is.
func (c *Creator) putMedia(t *model.GuidingText, r *cbh.TextRecord, ext *cbh.ExtRecord, id model.RecordID) {
	place := cbh.NoMedia
	if len(t.Media) > 0 {
		var err error
		if place, err = c.media.Add(t.Media, c.page); err != nil {
			c.encoder.lost(id, "media", "%v", err)
		} else {
			r.Flags |= flagPicture
		}
	}
	ext.SetMedia(place)
}
