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
	place, text, ok := strings.Cut(value, "=")
	at := strings.LastIndexByte(place, '.')
	if !ok || at < 0 {
		return nil, errors.New("write records, a dot, a field, = and its value, like 1-50.event=Linares")
	}
	ids, err := parseIDs(place[:at])
	if err != nil {
		return nil, err
	}
	field, err := headerfields.Settable(place[at+1:])
	if err == nil && field.Set != nil { // a value that cannot be read is bad use, before anything is opened
		err = field.Set(new(model.Header), new(model.Tournament), text)
	}
	if err != nil {
		return nil, err
	}
	return func(_ context.Context, t *transfer, ed editor) error {
		names := &setNames{known: map[string]any{}, mayBeNew: c.NewNames, lose: t.env.messages.lost, left: map[model.EntityID]bool{}}
		if err := each(ids, ed, func(id model.RecordID) error { return setField(ed, id, field, text, names) }); err != nil {
			return err
		}
		return names.reportStaying(t.env, ed)
	}, nil
}

// setNames are the entities that the names of one --set mean.
type setNames struct {
	known    map[string]any          // by the name
	mayBeNew bool                    // also names like those that are there
	left     map[model.EntityID]bool // tournaments that records may have left
	lose     func(model.Loss)
}

// reportStaying reports records that stay in a tournament that others have left, which
// nobody may have meant who wanted to correct it.
func (n *setNames) reportStaying(env *environment, ed editor) error {
	for id := range n.left {
		tournaments := ed.(*write.Editor).Tournaments()
		staying, err := tournaments.References(id)
		if err != nil || staying == 0 {
			continue // it has gone
		}
		was, err := tournaments.Value(id)
		if err != nil {
			return err
		}
		fmt.Fprintf(env.stderr, "cbkit: the tournament %q stays as it was for %s; name them too to change it\n", was.Title, plural(staying, "other record"))
	}
	return nil
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
	if err := v.load(); err != nil {
		return nil, err
	}
	if err := v.set(field, text); err != nil {
		return nil, fmt.Errorf("record %d: %w", v.id, err)
	}
	return v.e, nil
}

// load sets the tables.
func (v *headerEdit) load() error {
	switch ed := v.ed.(type) {
	case *write.SimpleEditor:
		v.e = ed.Entities()
		return nil
	case *textEditor:
		v.e = ed.entities
		return nil
	}
	h, ed := v.h, v.ed.(*write.Editor)
	v.e = new(model.Entities)
	return errors.Join(
		loadEntity(ed.Players(), &v.e.Players, &h.White), loadEntity(ed.Players(), &v.e.Players, &h.Black),
		loadEntity(ed.Tournaments(), &v.e.Tournaments, &h.Tournament), loadEntity(ed.Annotators(), &v.e.Annotators, &h.Annotator),
		loadEntity(ed.Sources(), &v.e.Sources, &h.Source), loadEntity(ed.Teams(), &v.e.Teams, &h.WhiteTeam),
		loadEntity(ed.Teams(), &v.e.Teams, &h.BlackTeam), loadEntity(ed.GameTitles(), &v.e.GameTitles, &h.GameTitle))
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
	case isChessBase && field.ForAll:
		return v.changeTournament(ed.Tournaments(), field, text)
	case isChessBase && field.Name == "event":
		v.event(text)
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

// changeTournament changes what all games of the tournament have.
func (v *headerEdit) changeTournament(in *write.EntityEditor[model.Tournament], field *headerfields.Field, text string) error {
	if v.stored == model.NoEntity {
		return errors.New("has no tournament; set event too")
	}
	t, err := in.Value(v.stored)
	if err != nil {
		return err
	}
	was := t
	if err := field.Set(v.h, &t, text); err != nil || t == was {
		return err
	}
	if err := in.Change(v.stored, t); err != nil {
		return err
	}
	v.h.Tournament = v.e.Tournaments.Intern(t)
	return nil
}

// event gives the tournament of a ChessBase database another title. Games of one --set get one tournament: what
// else is known of it is what the first of them says.
func (v *headerEdit) event(title string) {
	own := v.e.Tournaments.Value(v.h.Tournament)
	own.Title = title
	first, is := v.names.known["event"].(model.Tournament)
	if !is {
		first = own
		v.names.known["event"] = first
	}
	for _, differs := range []struct {
		field string
		is    bool
		what  string
	}{
		{"site", own.Place != "" && own.Place != first.Place, own.Place},
		{"eventDate", own.Start.Year != 0 && own.Start != first.Start, own.Start.String()},
	} {
		if differs.is {
			v.names.lose(model.Loss{Kind: model.LostField, Record: v.id, Field: "tournament",
				What: fmt.Sprintf("%s: the games of one --set have one tournament, that of the first", differs.what)})
		}
	}
	v.h.Tournament = v.e.Tournaments.Intern(first)
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
			known, is := v.names.known[text].(T)
			if !is {
				var err error
				if known, err = setName(stored, kind, text, v.names.mayBeNew); err != nil {
					return err
				}
				v.names.known[text] = known
			}
			value = known
		}
		*field = of.table(v.e).Intern(value)
		return nil
	}
}

// setName returns the entity that a name means: one that is there, or a new one, which
// must be like none that is there unless the user wants it.
func setName[T comparable](in nameStore[T], kind nameKind[T], name string, mayBeNew bool) (T, error) {
	var zero T
	id, near, err := find(in, kind, name)
	switch {
	case err != nil:
		return zero, err
	case id != model.NoEntity:
		return in.Value(id)
	case near.best == notMeant || near.best == canBeMeant && mayBeNew:
		return kind.with(zero, name), nil
	case near.best == canBeMeant:
		return zero, fmt.Errorf("%w; --new-names makes a new one", near.refusal())
	}
	return zero, near.refusal()
}
