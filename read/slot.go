package read

import (
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/wire"
	"cbkit/model"
	"cbkit/moveenc"
)

// slot is the memory of one record in a batch, used again for the record at
// the same place of later batches.
type slot struct {
	record model.Record
	err    error
	damage []error

	game        model.Game
	text        model.GuidingText
	moves       moveenc.Game
	annotations []model.Annotation
	form        []byte
	header      []byte
	derived     [cbh.DerivedSize]byte
	kept        // header, derived, moves
}

// decode makes a record of its stored form.
func (s *slot) decode(db *ChessBase, b *batch, raw *rawRecord) {
	id := raw.id
	s.record, s.err = model.Record{ID: id}, raw.err
	if s.err != nil {
		return
	}
	head, ext := raw.head.of(b.arena), cbh.DecodeExtRecord(raw.ext.of(b.arena))
	typ := cbh.RecordType(head[0])
	var err error
	if typ.IsText() {
		err = s.decodeText(db, b, raw, head, &ext)
	} else {
		err = s.decodeGame(db, b, raw, head, &ext)
	}
	if err != nil {
		s.record = model.Record{ID: id}
		s.err = wire.Locate(err, db.headers.Name(), int64(id)*cbh.RecordSize, int64(id))
		return
	}
	s.record.Deleted = typ.IsDeleted()
	s.judge(db, typ, &ext, raw.mediaErr)
}

// judge notes what is wrong with a record that was decoded.
func (s *slot) judge(db *ChessBase, typ cbh.RecordType, ext *cbh.ExtRecord, mediaErr error) {
	s.damage = s.damage[:0]
	if db.opt.asBytes { // for a guess, which has few of the names
		return
	}
	if err := cbhdb.NotInUse(db.headers.Name(), s.record.ID, typ); err != nil {
		s.damage = append(s.damage, err)
	}
	// Ids of the .cbj record mean nothing below the number for none. Texts have no teams.
	game := s.record.Game != nil
	for _, f := range []struct {
		field string
		id    int32
		has   bool
	}{{"white team", ext.WhiteTeam, game}, {"black team", ext.BlackTeam, game}, {"game title", ext.GameTitle, game || s.record.Text != nil}} {
		if f.has && f.id < cbh.NoLink {
			s.damage = append(s.damage, db.extensions.Wrong(db.extensions.Offset(s.record.ID), int64(s.record.ID), f.field, model.ErrCorrupt, "%d is no number", f.id))
		}
	}
	if mediaErr != nil {
		s.damage = append(s.damage, mediaErr)
	}
	s.damage = db.danglingReferences(s.damage, &s.record)
	s.record.Damage = s.damage
}

// decodeGame fills the slot's game.
func (s *slot) decodeGame(db *ChessBase, b *batch, raw *rawRecord, head []byte, ext *cbh.ExtRecord) error {
	r, err := cbh.DecodeGameRecord(head)
	if err != nil {
		return err
	}
	g := &s.game
	*g = model.Game{Header: r.Header(ext)}
	s.record.Game, s.record.Unread = g, cbh.AppendUnread(nil, r.Result, r.Opening)
	if b.want&model.WantRaw != 0 {
		s.header = cbh.AppendGameLeftover(s.header[:0], r, *ext, raw.ext.size())
		g.Leftovers.Header = s.keep(0, cbh.Format, s.header)
		derived := cbh.DerivedOf(&r, ext)
		g.Leftovers.Derived = s.keep(1, cbh.Format, derived.Append(s.derived[:0]))
	}
	if b.want&(model.WantMoves|model.WantRaw) != 0 {
		s.decodeMoves(db, b, raw)
	}
	if b.want&(model.WantAnnotations|model.WantRaw) != 0 {
		s.decodeAnnotations(db, b, raw)
	}
	return nil
}

// decodeMoves fills the starting position and the moves. A record that cannot
// be decoded travels whole.
func (s *slot) decodeMoves(db *ChessBase, b *batch, raw *rawRecord) {
	g, rec := &s.game, raw.moves.of(b.arena)
	s.moves.KeepGoing, s.moves.WantSigns = db.opt.KeepGoing, b.want&model.WantSigns != 0
	if err := moveenc.DecodeLegal(rec, &s.moves); err != nil {
		g.MovesErr = wire.Locate(err, db.moves.Name(), raw.movesAt, int64(s.record.ID))
		g.Leftovers.Moves = s.keep(2, cbh.Format, rec)
		if db.opt.KeepGoing {
			g.Start, g.Moves = s.moves.SetUp(), s.moves.Moves
		}
		return
	}
	g.Start, g.Moves = s.moves.SetUp(), s.moves.Moves
	if s.moves.WantSigns {
		g.Signs = s.moves.Signs
	}
	if b.want&model.WantRaw != 0 && !s.moves.Form.IsZero() {
		s.form = moveenc.AppendForm(s.form[:0], &s.moves.Form)
		g.Leftovers.Moves = s.keep(2, cbh.Format, s.form)
	}
}

// mostAnnotations is how many annotations a slot keeps memory for at most.
const mostAnnotations = 1 << 10

// decodeAnnotations fills the annotations. A record that cannot be decoded
// travels whole.
func (s *slot) decodeAnnotations(db *ChessBase, b *batch, raw *rawRecord) {
	rec := raw.annotations.of(b.arena)
	if len(rec) == 0 {
		return
	}
	g := &s.game
	ctx := cbh.AnnotationContext{Game: s.record.ID, Page: db.page, List: s.annotations}
	if b.want&(model.WantMoves|model.WantRaw) != 0 && g.MovesErr == nil {
		ctx.Moves = &g.Moves
	}
	annotations, err := cbh.DecodeAnnotations(rec, ctx, b.want&model.WantRaw != 0)
	g.Annotations, g.Leftovers.Annotations = annotations.List, annotations.Leftover
	if s.annotations = annotations.List[:0]; cap(s.annotations) > mostAnnotations {
		s.annotations = nil
	}
	if err != nil {
		g.AnnotationsErr = wire.Locate(err, db.annotations.Name(), raw.annotationsAt, int64(s.record.ID))
	}
}

// decodeText fills the slot's guiding text.
func (s *slot) decodeText(db *ChessBase, b *batch, raw *rawRecord, head []byte, ext *cbh.ExtRecord) error {
	r, err := cbh.DecodeTextRecord(head)
	if err != nil {
		return err
	}
	t := &s.text
	*t = r.Header(ext)
	if raw.mediaErr == nil {
		t.Media = db.media.Names(ext.Media, db.page)
	}
	s.record.Text = t
	if b.want&model.WantRaw != 0 {
		s.header = cbh.AppendTextLeftover(s.header[:0], r, *ext, raw.ext.size())
		t.Leftovers.Header = s.keep(0, cbh.Format, s.header)
	}
	if b.want&(model.WantMoves|model.WantRaw) == 0 {
		return nil
	}
	guide, err := cbh.DecodeGuide(raw.moves.of(b.arena), db.page)
	if err != nil {
		t.ContentErr = wire.Locate(err, db.moves.Name(), raw.movesAt, int64(s.record.ID))
	}
	t.Titles, t.Contents, t.HTML, t.Leftovers.Content = guide.Titles, guide.Contents, guide.HTML, guide.Leftover
	return nil
}
