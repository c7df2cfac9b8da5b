package write

import (
	"fmt"

	"cbkit/internal/dcdb"
	"cbkit/internal/wire"
	"cbkit/model"
)

// mark implements gameFormat: the mark is one byte.
func (ed *SimpleEditor) mark(id model.RecordID, deleted bool) (changed bool, err error) {
	e, err := ed.entryOf(id)
	if err != nil || (e.Status == dcdb.StatusDeleted) == deleted {
		return false, err
	}
	status := []byte{0}
	if deleted {
		status[0] = dcdb.StatusDeleted
	}
	_, err = ed.index.WriteAt(status, ed.entryPlace(id))
	return true, err
}

// lastID implements gameFormat.
func (ed *SimpleEditor) lastID() model.RecordID { return ed.count }

// Header returns the header of a game. Its ids are those of [SimpleEditor.Entities].
func (ed *SimpleEditor) Header(id model.RecordID) (model.Header, error) {
	e, err := ed.entryOf(id)
	if err != nil {
		return model.Header{}, err
	}
	for _, names := range ed.nameFiles() {
		if err := names.load(); err != nil {
			return model.Header{}, err
		}
	}
	h := model.NewHeader()
	h.Date, h.Result, h.Round, h.ECO = e.Date(), e.GameResult(), e.Round, e.Opening()
	h.WhiteElo, h.BlackElo = e.WhiteElo, e.BlackElo
	for _, p := range []struct {
		to    *model.EntityID
		place uint32
	}{{&h.White, e.White}, {&h.Black, e.Black}} {
		name, _ := ed.players.at(p.place)
		if player := dcdb.Player(name); player != (model.Player{}) {
			*p.to = ed.own.Players.Intern(player)
		}
	}
	t := model.Tournament{}
	t.Place, _ = ed.sites.at(e.Site)
	if ed.names.events.file.Exists() {
		t.Title, _ = ed.events.at(e.Event)
	}
	if t != (model.Tournament{}) {
		h.Tournament = ed.own.Tournaments.Intern(t)
	}
	return h, nil
}

// SetHeader replaces the header of a game. The entities of h are ids in from,
// or in [SimpleEditor.Entities] if from is nil. Stored bytes that mean the same
// already are kept.
func (ed *SimpleEditor) SetHeader(id model.RecordID, h model.Header, from *model.Entities) error {
	old, err := ed.entryOf(id)
	if err != nil {
		return err
	}
	if err := ed.prepare(); err != nil {
		return err
	}
	rec, err := ed.headed(id, h, from)
	if err != nil {
		return err
	}
	rec.Game.Leftovers.Header = &model.Leftover{Format: dcdb.Format, Data: dcdb.V0.AppendEntry(nil, &old)}
	ed.from(ed.tablesOf(from))
	ed.writing, ed.copying = id, true
	ed.entry = dcdb.Entry{Offset: old.Offset, Search: old.Search}
	if err := ed.putHeader(rec.Game, old.Status == dcdb.StatusDeleted); err != nil {
		return err
	}
	if ed.withoutEvent() {
		ed.entry.Event = old.Event
	}
	ed.result.Set++
	return ed.putEntry(id)
}

// Game returns a game. The ids of its header are those of [SimpleEditor.Entities].
func (ed *SimpleEditor) Game(id model.RecordID) (*model.Game, error) {
	h, err := ed.Header(id)
	if err != nil {
		return nil, err
	}
	if err := ed.sniff(); err != nil {
		return nil, err
	}
	e, err := ed.entryOf(id)
	if err != nil {
		return nil, err
	}
	body, err := ed.bodyOf(id, &e)
	if err != nil {
		return nil, err
	}
	ed.decoder = dcdb.Decoder{Promotions: ed.encoder.Promotions, Foreign: foreign.Decode}
	if err := ed.decoder.Decode(body, &ed.decoded); err != nil {
		return nil, wire.Locate(err, ed.games.Name(), int64(e.Offset), int64(id))
	}
	d := ed.decoded
	return (&model.Game{Header: h, Start: d.Start, Moves: d.Moves, Annotations: d.Annotations}).Clone(), nil
}

// annotate writes the record of a game anew, but not its header.
func (ed *SimpleEditor) annotate(id model.RecordID, g *model.Game) error {
	old, err := ed.entryOf(id)
	if err != nil {
		return err
	}
	if err := ed.tailIsWhole(); err != nil {
		return err
	}
	ed.writing = id
	body, _, err := ed.body(g.WithKnownValues(id, ed.opt.Report))
	if err != nil {
		return fmt.Errorf("record %d: %w", id, err)
	}
	ed.result.Annotated++
	if was, err := ed.bodyOf(id, &old); err == nil && string(was) == string(body) {
		return nil
	}
	ed.entry = old
	if err := ed.putBody(body); err != nil {
		return err
	}
	return ed.putEntry(id)
}

// finish completes the files and the result.
func (ed *SimpleEditor) finish(bool) error {
	if err := ed.lacking(); err != nil {
		return err
	}
	added, err := ed.finishNames()
	ed.result.EntitiesAdded = added
	return err
}
