package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

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
	field, err := headerField(place[at+1:])
	if err != nil {
		return nil, err
	}
	// A value that cannot be read is bad use, before anything is opened.
	if err := field.set(&headerValues{h: new(model.Header), e: new(model.Entities)}, text); err != nil {
		return nil, err
	}
	return func(_ context.Context, _ *transfer, ed editor) error {
		names := &setNames{known: map[string]any{}, mayBeNew: c.NewNames}
		return each(ids, ed, func(id model.RecordID) error { return setField(ed, id, field, text, names) })
	}, nil
}

// setField changes a field of one record.
func setField(ed editor, id model.RecordID, field *settable, text string, names *setNames) error {
	cb, isChessBase := ed.(*write.Editor)
	if isChessBase {
		if t, err := cb.Text(id); err == nil {
			return setTextField(cb, id, t, field, text, names)
		}
	}
	h, err := ed.Header(id)
	if err != nil {
		return err
	}
	v := headerValues{h: &h, e: new(model.Entities)}
	if isChessBase {
		v.ed, v.names = cb, names
		err = v.load(cb)
	} else {
		v.e = ed.(*write.SimpleEditor).Entities()
	}
	if err != nil {
		return err
	}
	if err := field.set(&v, text); err != nil {
		return fmt.Errorf("record %d: %w", id, err)
	}
	return ed.SetHeader(id, h, v.e)
}

// setTextField changes a field of a guiding text.
func setTextField(ed *write.Editor, id model.RecordID, t *model.GuidingText, field *settable, text string, names *setNames) error {
	if !field.ofTexts {
		return fmt.Errorf("record %d: is a guiding text, which has no %s", id, field.name)
	}
	h := model.NewHeader()
	h.Tournament, h.Annotator, h.Source, h.GameTitle = t.Tournament, t.Annotator, t.Source, t.GameTitle
	h.Round, h.Subround = t.Round, t.Subround
	v := headerValues{h: &h, e: new(model.Entities), ed: ed, names: names}
	if err := v.load(ed); err != nil {
		return err
	}
	if err := field.set(&v, text); err != nil {
		return fmt.Errorf("record %d: %w", id, err)
	}
	t.Tournament, t.Annotator, t.Source, t.GameTitle = h.Tournament, h.Annotator, h.Source, h.GameTitle
	t.Round, t.Subround = h.Round, h.Subround
	return ed.SetTextHeader(id, t, v.e)
}

// headerValues is a header whose entities are in tables of their own, so that they
// can be changed by value.
type headerValues struct {
	h *model.Header
	e *model.Entities

	ed    *write.Editor // of a database whose entities have numbers, else nil
	names *setNames
}

// setNames are the entities that the names of one --set mean.
type setNames struct {
	known    map[string]any // by the name
	mayBeNew bool           // also names like those that are there
}

// load looks up the entities of a header and puts them into its tables.
func (v *headerValues) load(ed *write.Editor) error {
	h := v.h
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

// setter gives a field a value.
type setter func(v *headerValues, text string) error

// settable is a field that can be set, of guiding texts too or of games alone.
type settable struct {
	name    string
	ofTexts bool
	set     setter
}

// headerFields are the fields that can be set, named and ordered as in JSON Lines.
var headerFields = []settable{
	{"white", false, entity(players, playersIn, func(v *headerValues) *model.EntityID { return &v.h.White })},
	{"black", false, entity(players, playersIn, func(v *headerValues) *model.EntityID { return &v.h.Black })},
	{"whiteElo", false, func(v *headerValues, s string) error { return setNumber(&v.h.WhiteElo, s) }},
	{"blackElo", false, func(v *headerValues, s string) error { return setNumber(&v.h.BlackElo, s) }},
	{"event", true, value(func(v *headerValues, s string) { v.tournament(func(t *model.Tournament) { t.Title = s }) })},
	{"site", true, value(func(v *headerValues, s string) { v.tournament(func(t *model.Tournament) { t.Place = s }) })},
	{"date", false, setDate},
	{"round", true, func(v *headerValues, s string) error { return setNumber(&v.h.Round, s) }},
	{"subround", true, func(v *headerValues, s string) error { return setNumber(&v.h.Subround, s) }},
	{"result", false, setResult},
	{"termination", false, setTermination},
	{"eco", false, setECO},
	{"annotator", true, entity(annotators, annotatorsIn, func(v *headerValues) *model.EntityID { return &v.h.Annotator })},
	{"source", true, entity(sources, sourcesIn, func(v *headerValues) *model.EntityID { return &v.h.Source })},
	{"whiteTeam", false, optionalEntity(teams, teamsIn, func(v *headerValues) *model.EntityID { return &v.h.WhiteTeam })},
	{"blackTeam", false, optionalEntity(teams, teamsIn, func(v *headerValues) *model.EntityID { return &v.h.BlackTeam })},
	{"gameTitle", true, entity(titles, titlesIn, func(v *headerValues) *model.EntityID { return &v.h.GameTitle })},
}

// places of entities: the tables of a header, and those of a database.
type places[T comparable] func(v *headerValues) (*model.Table[T], *write.EntityEditor[T])

func placesOf[T comparable](table func(*model.Entities) *model.Table[T], in func(*write.Editor) *write.EntityEditor[T]) places[T] {
	return func(v *headerValues) (*model.Table[T], *write.EntityEditor[T]) {
		if v.ed == nil {
			return table(v.e), nil
		}
		return table(v.e), in(v.ed)
	}
}

var (
	playersIn    = placesOf(func(e *model.Entities) *model.Table[model.Player] { return &e.Players }, (*write.Editor).Players)
	annotatorsIn = placesOf(func(e *model.Entities) *model.Table[model.Annotator] { return &e.Annotators }, (*write.Editor).Annotators)
	sourcesIn    = placesOf(func(e *model.Entities) *model.Table[model.Publication] { return &e.Sources }, (*write.Editor).Sources)
	teamsIn      = placesOf(func(e *model.Entities) *model.Table[model.Team] { return &e.Teams }, (*write.Editor).Teams)
	titlesIn     = placesOf(func(e *model.Entities) *model.Table[model.GameTitle] { return &e.GameTitles }, (*write.Editor).GameTitles)
)

// entity is a setter of an entity by its name or number.
func entity[T comparable](kind nameKind[T], in places[T], field func(*headerValues) *model.EntityID) setter {
	return func(v *headerValues, text string) error {
		table, stored := in(v)
		var zero T
		value := kind.with(zero, text)
		if stored != nil && text != "" {
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
		*field(v) = table.Intern(value)
		return nil
	}
}

// optionalEntity is a setter like entity that takes no name for none.
func optionalEntity[T comparable](kind nameKind[T], in places[T], field func(*headerValues) *model.EntityID) setter {
	set := entity(kind, in, field)
	return func(v *headerValues, text string) error {
		if text == "" {
			*field(v) = model.NoEntity
			return nil
		}
		return set(v, text)
	}
}

// setName returns the entity that a name means: one that is there, or a new one, which
// must be like none that is there unless the user wants it.
func setName[T comparable](in *write.EntityEditor[T], kind nameKind[T], name string, mayBeNew bool) (T, error) {
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

// value is a setter that takes any text.
func value(set func(*headerValues, string)) setter {
	return func(v *headerValues, text string) error { set(v, text); return nil }
}

// headerField returns the field of a name.
func headerField(name string) (*settable, error) {
	var names []string
	for i := range headerFields {
		f := &headerFields[i]
		if f.name == name {
			return f, nil
		}
		names = append(names, f.name)
	}
	return nil, fmt.Errorf("%q is no field of a header; there are %s", name, strings.Join(names, " "))
}

// tournament changes the tournament of the header alone: another one gets its
// details.
func (v *headerValues) tournament(change func(*model.Tournament)) {
	t := v.e.Tournaments.Value(v.h.Tournament)
	change(&t)
	v.h.Tournament = v.e.Tournaments.Intern(t)
}

// setNumber reads a number; nothing is 0.
func setNumber(to *uint16, s string) error {
	if s == "" {
		*to = 0
		return nil
	}
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil {
		return fmt.Errorf("%q is no number up to 65535", s)
	}
	*to = uint16(n)
	return nil
}

func setDate(v *headerValues, s string) error {
	d, ok := model.ParseDate(s)
	if !ok && s != "" {
		return fmt.Errorf("%q is no date; write it like 1997.05.11, with ?? for what is not known", s)
	}
	v.h.Date = d
	return nil
}

func setResult(v *headerValues, s string) error {
	r, ok := model.ParseResult(s)
	if !ok {
		return fmt.Errorf("%q is no result; there are 1-0, 0-1, 1/2-1/2, 0-0 and *", s)
	}
	v.h.Result = r
	return nil
}

// setTermination says whether the result came about without play.
func setTermination(v *headerValues, s string) error {
	switch s {
	case "forfeit":
		if v.h.Result = v.h.Result.Forfeit(); !v.h.Result.IsForfeit() && v.h.Result != model.NoResult {
			return fmt.Errorf("a result of %v is no forfeit", v.h.Result)
		}
	case "":
		if r, ok := model.ParseResult(v.h.Result.String()); ok {
			v.h.Result = r
		}
	default:
		return fmt.Errorf("%q is no termination; there is forfeit, or nothing", s)
	}
	return nil
}

func setECO(v *headerValues, s string) error {
	eco, ok := model.ParseECO(s)
	if !ok && s != "" {
		return fmt.Errorf("%q is no opening; write it like C67 or C67/08", s)
	}
	v.h.ECO = eco
	return nil
}
