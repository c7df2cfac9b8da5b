package read

import (
	"bytes"

	"cbkit/internal/dcdb"
	"cbkit/internal/wire"
	"cbkit/model"
)

// simpleSlot is one record of a batch, from its bytes to the model.
type simpleSlot struct {
	id     model.RecordID
	entry  dcdb.Entry
	body   extent // in the batch's arena
	place  int64  // of the body in the file
	err    error
	notes  []error // oddities
	damage []error

	decoded dcdb.Decoded
	game    model.Game
	kept    [3]model.Leftover
	header  []byte
	search  []byte
}

// keep returns a leftover in the slot's memory.
func (s *simpleSlot) keep(n int, data []byte) *model.Leftover {
	s.kept[n] = model.Leftover{Format: dcdb.Format, Data: data}
	return &s.kept[n]
}

// decode fills the slot's game, but for the entities.
func (s *simpleSlot) decode(db *SimpleDB, b *simpleBatch) {
	if s.err != nil {
		return
	}
	e := &s.entry
	s.game = model.Game{Header: model.NewHeader()}
	s.game.Date, s.game.Result, s.game.Round = e.Date(), e.GameResult(), e.Round
	s.game.WhiteElo, s.game.BlackElo, s.game.ECO = e.WhiteElo, e.BlackElo, e.Opening()
	if e.Status != 0 && e.Status != dcdb.StatusDeleted {
		s.notes = append(s.notes, db.wrongRef(s.id, "status", "%02x has no meaning; the game is not deleted", e.Status))
	}
	if b.want != model.WantHeaders {
		s.decodeMoves(db, b)
	}
	if b.want&model.WantRaw != 0 {
		s.keepEntry(db)
	}
}

// decodeMoves fills in moves and annotations. The record itself is kept where
// it is not what would be written.
func (s *simpleSlot) decodeMoves(db *SimpleDB, b *simpleBatch) {
	g, body := &s.game, s.body.of(b.arena)
	b.decoder.Note = func(e *model.FormatError) {
		s.notes = append(s.notes, wire.Locate(e, db.games.Name(), s.place, int64(s.id)))
	}
	b.decoder.Warn = func(e *model.FormatError) {
		s.damage = append(s.damage, wire.Locate(e, db.games.Name(), s.place, int64(s.id)))
	}
	if err := b.decoder.Decode(body, &s.decoded); err != nil {
		g.MovesErr = wire.Locate(err, db.games.Name(), s.place, int64(s.id))
		g.Leftovers.Moves = s.keepBody(b, body)
		return
	}
	g.Start, g.Moves, g.Annotations = s.decoded.Start, s.decoded.Moves, s.decoded.Annotations
	if b.want&model.WantRaw != 0 {
		if again, _, err := b.encoder.Body(g); err != nil || !bytes.Equal(again, body) {
			g.Leftovers.Moves = s.keepBody(b, body)
		}
	}
}

// keepBody keeps a record behind a byte that says how it numbers promotions.
func (s *simpleSlot) keepBody(b *simpleBatch, body []byte) *model.Leftover {
	return s.keep(0, append([]byte{byte(b.decoder.Promotions)}, body...))
}

// keepEntry keeps what the index says in other words than would be written,
// and its fields for searches, right or wrong.
func (s *simpleSlot) keepEntry(db *SimpleDB) {
	e := &s.entry
	if !e.Plain() || !db.players.canonical(e.White) || !db.players.canonical(e.Black) ||
		!db.sites.canonical(e.Site) || !db.events.canonical(e.Event) {
		s.header = dcdb.V0.AppendEntry(s.header[:0], e)
		s.game.Leftovers.Header = s.keep(1, s.header)
	}
	if db.layout.HasSearchFields() {
		s.search = dcdb.AppendSearchFields(s.search[:0], &e.Search)
		s.game.Leftovers.Derived = s.keep(2, s.search)
	}
}

// finish looks up the entities, tells of oddities and returns the record. It
// runs in the caller's goroutine.
func (s *simpleSlot) finish(db *SimpleDB) (model.Record, error) {
	if s.err != nil {
		return model.Record{ID: s.id}, s.err
	}
	for _, w := range s.notes {
		db.warn(w)
	}
	e, g := &s.entry, &s.game
	damaged := func(err error) { s.damage = append(s.damage, err) }
	g.White = db.playerAt(e.White, "white", s.id, damaged)
	g.Black = db.playerAt(e.Black, "black", s.id, damaged)
	g.Tournament = db.tournamentAt(e.Site, e.Event, s.id, damaged)
	return model.Record{ID: s.id, Deleted: e.Status == dcdb.StatusDeleted, Game: g, Damage: s.damage}, nil
}
