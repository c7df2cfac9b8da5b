package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cbkit/internal/headerfields"
	"cbkit/model"
	"cbkit/write"
)

// parseSet reads IDS.FIELD=VALUE.
func (c *editCmd) parseSet(value string) (step, error) {
	name, text, ok := strings.Cut(value, "=")
	at := strings.LastIndexByte(name, '.')
	if !ok || at < 0 && c.Where == "" {
		return nil, errors.New("write records, a dot, a field, = and its value, like 1-50.event=Linares")
	}
	which, err := c.selected(name[:max(at, 0)], false)
	if err != nil {
		return nil, err
	}
	field, err := headerfields.Settable(name[at+1:])
	if err == nil && field.Set != nil { // a value that cannot be read is bad use, before anything is opened
		err = field.Set(new(model.Header), new(model.Tournament), text)
	}
	if err != nil {
		return nil, err
	}
	return func(_ context.Context, t *transfer, ed editor) error {
		names := &setNames{known: map[string]any{}, mayBeNew: c.NewNames, lose: t.env.messages.lost, left: map[model.EntityID]bool{}}
		if err := each(which(), ed, func(id model.RecordID) error { return setField(ed, id, field, text, names) }); err != nil {
			return err
		}
		for id := range names.left {
			tournaments := ed.(*write.Editor).Tournaments()
			staying, err := tournaments.References(id)
			if err != nil || staying == 0 {
				continue // it has gone
			}
			was, err := tournaments.Value(id)
			if err != nil {
				return err
			}
			// Whoever wanted to correct the tournament may not have meant that.
			fmt.Fprintf(t.env.stderr, "cbkit: the tournament %q stays as it was for %s; name them too to change it\n", was.Title, plural(staying, "other record"))
		}
		return nil
	}, nil
}

// setNames are the entities that the names of one --set mean.
type setNames struct {
	known    map[string]any          // by the name
	mayBeNew bool                    // also names like those that are there
	left     map[model.EntityID]bool // tournaments that records may have left
	lose     func(model.Loss)
}

// headerEdit is a header whose entities are in tables of their own, so that they can be
// changed by value.
type headerEdit struct {
	h *model.Header
	e *model.Entities

	ed     editor
	names  *setNames
	id     model.RecordID
	stored model.EntityID // the tournament's number in a database
}

// textHeaders is an editor of records that may be guiding texts.
type textHeaders interface {
	Text(model.RecordID) (*model.GuidingText, error)
	SetTextHeader(model.RecordID, *model.GuidingText, *model.Entities) error
}

// setField changes a field of one record.
func setField(ed editor, id model.RecordID, field *headerfields.Field, text string, names *setNames) error {
	if texts, is := ed.(textHeaders); is {
		if t, err := texts.Text(id); err == nil {
			if !field.OfTexts {
				return fmt.Errorf("record %d: is a guiding text, which has no %s", id, field.Name)
			}
			h := model.NewHeader()
			h.Tournament, h.Annotator, h.Source, h.GameTitle, h.Round, h.Subround = t.Tournament, t.Annotator, t.Source, t.GameTitle, t.Round, t.Subround
			e, err := setIn(&headerEdit{h: &h, ed: ed, names: names, id: id, stored: h.Tournament}, field, text)
			if err != nil {
				return err
			}
			t.Tournament, t.Annotator, t.Source, t.GameTitle, t.Round, t.Subround = h.Tournament, h.Annotator, h.Source, h.GameTitle, h.Round, h.Subround
			return texts.SetTextHeader(id, t, e)
		}
	}
	h, err := ed.Header(id)
	if err != nil {
		return err
	}
	stored := h.Tournament
	e, err := setIn(&headerEdit{h: &h, ed: ed, names: names, id: id, stored: stored}, field, text)
	if err != nil {
		return err
	}
	h.Tags = slices.DeleteFunc(slices.Clone(h.Tags), func(t model.Tag) bool { return t.Name == field.Tag })
	if err := ed.SetHeader(id, h, e); err != nil {
		return err
	}
	if _, is := ed.(*write.Editor); !is || stored == model.NoEntity {
		return nil
	}
	now, err := ed.Header(id)
	if err == nil && now.Tournament != stored {
		names.left[stored] = true
	}
	return err
}

// setIn changes a field of a header, and returns the tables that its entities are in: those
// of what is edited or, of a database whose entities have numbers, tables with these alone.
func setIn(v *headerEdit, field *headerfields.Field, text string) (*model.Entities, error) {
	switch ed := v.ed.(type) {
	case *write.SimpleEditor:
		v.e = ed.Entities()
	case *write.ScidEditor:
		v.e = ed.Entities()
	case *textEditor:
		v.e = ed.entities
	case *write.Editor:
		h, e := v.h, new(model.Entities)
		v.e = e
		if err := errors.Join(
			loadEntity(ed.Players(), &e.Players, &h.White), loadEntity(ed.Players(), &e.Players, &h.Black),
			loadEntity(ed.Tournaments(), &e.Tournaments, &h.Tournament), loadEntity(ed.Annotators(), &e.Annotators, &h.Annotator),
			loadEntity(ed.Sources(), &e.Sources, &h.Source), loadEntity(ed.Teams(), &e.Teams, &h.WhiteTeam),
			loadEntity(ed.Teams(), &e.Teams, &h.BlackTeam), loadEntity(ed.GameTitles(), &e.GameTitles, &h.GameTitle)); err != nil {
			return nil, err
		}
	}
	if err := v.set(field, text); err != nil {
		return nil, fmt.Errorf("record %d: %w", v.id, err)
	}
	return v.e, nil
}

// loadEntity replaces an id of a database by that of a table that gets the entity.
func loadEntity[T comparable](from *write.EntityEditor[T], to *model.Table[T], id *model.EntityID) error {
	if *id == model.NoEntity {
		return nil
	}
	value, err := from.Value(*id)
	if err == nil {
		*id = to.Intern(value)
	}
	return err
}

// set changes the field.
func (v *headerEdit) set(field *headerfields.Field, text string) error {
	ed, isChessBase := v.ed.(*write.Editor)
	_, isSimple := v.ed.(*write.SimpleEditor)
	switch {
	case field.ID != nil:
		return setEntity[field.Kind](v, field.ID(v.h), text)
	case isSimple && field.ForAll:
		return errors.New("a Simple Chess Database has no place for it")
	case isChessBase && field.ForAll: // what all games of the tournament have
		if v.stored == model.NoEntity {
			return errors.New("has no tournament; set event too")
		}
		t, err := ed.Tournaments().Value(v.stored)
		if err != nil {
			return err
		}
		was := t
		if err := field.Set(v.h, &t, text); err != nil || t == was {
			return err
		}
		if err := ed.Tournaments().Change(v.stored, t); err != nil {
			return err
		}
		v.h.Tournament = v.e.Tournaments.Intern(t)
		return nil
	case isChessBase && field.Name == "event":
		// Games of one --set get one tournament: what else is known of it is what the first
		// of them says.
		own := v.e.Tournaments.Value(v.h.Tournament)
		own.Title = text
		first, is := v.names.known["event"].(model.Tournament)
		if !is {
			first = own
			v.names.known["event"] = first
		}
		if own.Place != "" && own.Place != first.Place {
			v.loseOfTournament(own.Place)
		}
		if own.Start.Year != 0 && own.Start != first.Start {
			v.loseOfTournament(own.Start.String())
		}
		v.h.Tournament = v.e.Tournaments.Intern(first)
		return nil
	}
	t := v.e.Tournaments.Value(v.h.Tournament)
	was := t
	if err := field.Set(v.h, &t, text); err != nil {
		return err
	}
	if t != was {
		v.h.Tournament = v.e.Tournaments.Intern(t)
	}
	return nil
}

// loseOfTournament reports a detail of a game's tournament that is not that of the first game.
func (v *headerEdit) loseOfTournament(detail string) {
	v.names.lose(model.Loss{Kind: model.LostField, Record: v.id, Field: "tournament",
		What: fmt.Sprintf("%s: the games of one --set have one tournament, that of the first", detail)})
}

// setEntity gives a field the entity of a name or number, by the kind of entity.
var setEntity = map[string]func(v *headerEdit, field *model.EntityID, text string) error{
	"player": setEntityOf(players, playerNames), "annotator": setEntityOf(annotators, annotatorNames), "source": setEntityOf(sources, sourceNames),
	"team": setEntityOf(teams, teamNames), "game title": setEntityOf(titles, titleNames),
}

func setEntityOf[T comparable](kind nameKind[T], of storesOf[T]) func(*headerEdit, *model.EntityID, string) error {
	return func(v *headerEdit, field *model.EntityID, text string) error {
		if text == "" && kind.what == teams.what { // a game without teams has none
			*field = model.NoEntity
			return nil
		}
		var zero T
		value := kind.with(zero, text)
		if stored := of.in(v.ed); stored != nil && text != "" {
			if known, is := v.names.known[text].(T); is {
				value = known
			} else {
				// One that is there, or a new one, which must be like none that is there
				// unless that is wanted.
				id, near, err := find(stored, kind, text)
				switch {
				case err != nil:
				case id != model.NoEntity:
					value, err = stored.Value(id)
				case near.best == notMeant || near.best == canBeMeant && v.names.mayBeNew:
				case near.best == canBeMeant:
					err = fmt.Errorf("%w; --new-names makes a new one", near.refusal())
				default:
					err = near.refusal()
				}
				if err != nil {
					return err
				}
				v.names.known[text] = value
			}
		}
		*field = of.table(v.e).Intern(value)
		return nil
	}
}
