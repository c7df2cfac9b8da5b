package write

import (
	"context"
	"fmt"

	"cbkit/internal/dcdb"
	"cbkit/internal/wire"
	"cbkit/model"
)

// Delete marks games as deleted. They keep their content.
func (ed *SimpleEditor) Delete(ids ...model.RecordID) error {
	return ed.mark(ids, true, &ed.result.Deleted)
}

// Undelete removes the marks that Delete set.
func (ed *SimpleEditor) Undelete(ids ...model.RecordID) error {
	return ed.mark(ids, false, &ed.result.Undeleted)
}

// mark marks games as deleted or not, which is one byte each, and counts those that have
// changed.
func (ed *SimpleEditor) mark(ids []model.RecordID, deleted bool, changed *int) error {
	status := []byte{0}
	if deleted {
		status[0] = dcdb.StatusDeleted
	}
	for _, id := range ids {
		e, err := ed.entryOf(id)
		if err != nil {
			return err
		}
		if (e.Status == dcdb.StatusDeleted) == deleted {
			continue
		}
		if _, err := ed.index.WriteAt(status, ed.entryPlace(id)); err != nil {
			return err
		}
		*changed++
	}
	return nil
}

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
	g := &model.Game{Header: h}
	g.Leftovers.Header = &model.Leftover{Format: dcdb.Format, Data: dcdb.V0.AppendEntry(nil, &old)}
	rec := model.Record{ID: id, Game: g}
	if err := rec.CheckMade(); err != nil {
		return fmt.Errorf("record %d: %w", id, err)
	}
	if err := model.CheckReferences(&rec, ed.tablesOf(from)); err != nil {
		return fmt.Errorf("record %d: %w", id, err)
	}
	ed.from(ed.tablesOf(from))
	ed.writing, ed.copying = id, true
	ed.entry = dcdb.Entry{Offset: old.Offset, Search: old.Search}
	if err := ed.putHeader(g, old.Status == dcdb.StatusDeleted); err != nil {
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

// gameEditor is an editor that writes the annotations of a game with its moves.
type gameEditor interface {
	Game(id model.RecordID) (*model.Game, error)
	annotate(id model.RecordID, g *model.Game) error
}

// setAnnotations replaces the annotations of a game.
func setAnnotations(ed gameEditor, id model.RecordID, list []model.Annotation) error {
	g, err := ed.Game(id)
	if err != nil {
		return err
	}
	g.Annotations = list
	return ed.annotate(id, g)
}

// annotate replaces the annotations and variations of a game.
func annotate(ed gameEditor, id model.RecordID, by *model.Game) error {
	g, err := ed.Game(id)
	if err != nil {
		return err
	}
	if err := model.SameMainLine(g, by); err != nil {
		return fmt.Errorf("record %d: %w", id, err)
	}
	g.Moves, g.Annotations = by.Moves, by.Annotations
	return ed.annotate(id, g)
}

// SetAnnotations replaces the annotations of a game; an empty list removes them.
func (ed *SimpleEditor) SetAnnotations(id model.RecordID, list []model.Annotation) error {
	return setAnnotations(ed, id, list)
}

// Annotate replaces the annotations and variations of a game by those of another game with
// the same main line.
func (ed *SimpleEditor) Annotate(id model.RecordID, by *model.Game) error {
	return annotate(ed, id, by)
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

// Append adds all games of a source, as [Editor.Append] does.
func (ed *SimpleEditor) Append(ctx context.Context, src model.Source, opt model.CopyOptions) error {
	return model.Copy(ctx, appending{ed}, src, opt)
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

// Count returns the number of games, as [Editor.Count] does that of records.
func (ed *SimpleEditor) Count() int {
	if ed.steps.Open() != nil {
		return 0
	}
	return int(ed.count)
}
