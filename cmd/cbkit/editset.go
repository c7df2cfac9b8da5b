package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
	if err := field.set(&headerValues{h: new(model.Header), e: new(model.Entities), checking: true}, text); err != nil {
		return nil, err
	}
	return func(_ context.Context, t *transfer, ed editor) error {
		names := &setNames{known: map[string]any{}, mayBeNew: c.NewNames, lose: t.losses.add, left: map[model.EntityID]bool{}}
		if err := each(ids, ed, func(id model.RecordID) error { return setField(ed, id, field, text, names) }); err != nil {
			return err
		}
		return names.tellStaying(t.env, ed)
	}, nil
}

// tellStaying tells of records that stay in a tournament that others have left, which
// nobody may have meant who wanted to correct it.
func (n *setNames) tellStaying(env *environment, ed editor) error {
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

// setField changes a field of one record.
func setField(ed editor, id model.RecordID, field *settable, text string, names *setNames) error {
	if texts, is := ed.(textHeaders); is {
		if t, err := texts.Text(id); err == nil {
			return setTextField(ed, texts, id, t, field, text, names)
		}
	}
	h, err := ed.Header(id)
	if err != nil {
		return err
	}
	v := headerValues{h: &h, ed: ed, names: names, id: id, stored: h.Tournament}
	if err := v.load(); err != nil {
		return err
	}
	if err := field.set(&v, text); err != nil {
		return fmt.Errorf("record %d: %w", id, err)
	}
	h.Tags = slices.DeleteFunc(slices.Clone(h.Tags), func(t model.Tag) bool { return t.Name == keptTags[field.name] })
	if err := ed.SetHeader(id, h, v.e); err != nil {
		return err
	}
	if _, is := ed.(*write.Editor); !is || v.stored == model.NoEntity {
		return nil
	}
	now, err := ed.Header(id)
	if err == nil && now.Tournament != v.stored {
		names.left[v.stored] = true
	}
	return err
}

// textHeaders is an editor of records that may be guiding texts.
type textHeaders interface {
	Text(model.RecordID) (*model.GuidingText, error)
	SetTextHeader(model.RecordID, *model.GuidingText, *model.Entities) error
}

// setTextField changes a field of a guiding text.
func setTextField(ed editor, texts textHeaders, id model.RecordID, t *model.GuidingText, field *settable, text string, names *setNames) error {
	if !field.ofTexts {
		return fmt.Errorf("record %d: is a guiding text, which has no %s", id, field.name)
	}
	h := model.NewHeader()
	h.Tournament, h.Annotator, h.Source, h.GameTitle = t.Tournament, t.Annotator, t.Source, t.GameTitle
	h.Round, h.Subround = t.Round, t.Subround
	v := headerValues{h: &h, ed: ed, names: names, id: id, stored: h.Tournament}
	if err := v.load(); err != nil {
		return err
	}
	if err := field.set(&v, text); err != nil {
		return fmt.Errorf("record %d: %w", id, err)
	}
	t.Tournament, t.Annotator, t.Source, t.GameTitle = h.Tournament, h.Annotator, h.Source, h.GameTitle
	t.Round, t.Subround = h.Round, h.Subround
	return texts.SetTextHeader(id, t, v.e)
}

// headerValues is a header whose entities are in tables of their own, so that they
// can be changed by value.
type headerValues struct {
	h *model.Header
	e *model.Entities

	ed     editor // whose names have numbers; else there are none for it
	names  *setNames
	id     model.RecordID
	stored model.EntityID // the tournament's number in a database

	checking bool // only whether a value can be read
}

// setNames are the entities that the names of one --set mean.
type setNames struct {
	known    map[string]any          // by the name
	mayBeNew bool                    // also names like those that are there
	left     map[model.EntityID]bool // tournaments that records may have left
	lose     func(model.Loss)
}

// load sets the tables: those of what is edited or, of a database whose entities have
// numbers, tables with the entities of the header.
func (v *headerValues) load() error {
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

// setter gives a field a value.
type setter func(v *headerValues, text string) error

// settable is a field that can be set, of guiding texts too or of games alone.
type settable struct {
	name    string
	ofTexts bool
	set     setter
}

// keptTags are the tags that PGN keeps beside fields that could not take all of them.
// They say nothing any more when the field is set.
var keptTags = map[string]string{
	"whiteElo": "WhiteElo", "blackElo": "BlackElo", "site": "Site", "date": "Date", "round": "Round", "subround": "Round", "result": "Result",
	"termination": "Termination", "eco": "ECO", "eventDate": "EventDate", "eventType": "EventType", "eventCategory": "EventCategory",
	"eventRounds": "EventRounds", "eventCountry": "EventCountry",
}

// setPlace sets the place of a tournament. A nation that the old place says, too, gives
// way to that of the new one.
func setPlace(t *model.Tournament, place string) {
	says := func(place string) model.Nation { return model.Tournament{Place: place}.Country() }
	if t.Nation == says(t.Place) && says(place) != 0 {
		t.Nation = 0
	}
	t.Place = place
}

// headerFields are the fields that can be set, named and ordered as in JSON Lines; PGN's
// names of them differ by small letters alone.
var headerFields = []settable{
	{"white", false, entity(players, playerNames, func(v *headerValues) *model.EntityID { return &v.h.White })},
	{"black", false, entity(players, playerNames, func(v *headerValues) *model.EntityID { return &v.h.Black })},
	{"whiteElo", false, func(v *headerValues, s string) error { return setNumber(&v.h.WhiteElo, s) }},
	{"blackElo", false, func(v *headerValues, s string) error { return setNumber(&v.h.BlackElo, s) }},
	{"event", true, value(func(v *headerValues, s string) { v.event(s) })},
	{"site", true, value(func(v *headerValues, s string) { v.tournament(func(t *model.Tournament) { setPlace(t, s) }) })},
	{"eventDate", true, func(v *headerValues, s string) error {
		d, err := parseDateOf(s)
		v.tournament(func(t *model.Tournament) { t.Start = d })
		return err
	}},
	{"eventEnd", true, detail(func(t *model.Tournament, s string) (err error) { t.End, err = parseDateOf(s); return err })},
	{"eventType", true, detail(func(t *model.Tournament, s string) error {
		system, ok := model.ParseEventSystem(s)
		if t.Type.System = system; !ok {
			return fmt.Errorf("%q is no type of a tournament; there are single-game, match, round-robin, swiss, team, knockout, simultaneous, scheveningen", s)
		}
		return nil
	})},
	{"eventCategory", true, detail(func(t *model.Tournament, s string) error { return setByte(&t.Category, s) })},
	{"eventRounds", true, detail(func(t *model.Tournament, s string) error { return setByte(&t.Rounds, s) })},
	{"eventCountry", true, detail(func(t *model.Tournament, s string) error {
		nation, ok := model.ParseNation(s)
		if t.Nation = nation; !ok && s != "" {
			return fmt.Errorf("%q is no country; write its code, like ESP, or its name", s)
		}
		return nil
	})},
	{"date", false, setDate},
	{"round", true, func(v *headerValues, s string) error {
		round, subround, both := strings.Cut(s, ".")
		err := setNumber(&v.h.Round, round)
		if err == nil && both {
			err = setNumber(&v.h.Subround, subround)
		}
		return err
	}},
	{"subround", true, func(v *headerValues, s string) error { return setNumber(&v.h.Subround, s) }},
	{"result", false, setResult},
	{"termination", false, setTermination},
	{"eco", false, setECO},
	{"annotator", true, entity(annotators, annotatorNames, func(v *headerValues) *model.EntityID { return &v.h.Annotator })},
	{"source", true, entity(sources, sourceNames, func(v *headerValues) *model.EntityID { return &v.h.Source })},
	{"whiteTeam", false, optionalEntity(teams, teamNames, func(v *headerValues) *model.EntityID { return &v.h.WhiteTeam })},
	{"blackTeam", false, optionalEntity(teams, teamNames, func(v *headerValues) *model.EntityID { return &v.h.BlackTeam })},
	{"gameTitle", true, entity(titles, titleNames, func(v *headerValues) *model.EntityID { return &v.h.GameTitle })},
}

// entity is a setter of an entity by its name or number.
func entity[T comparable](kind nameKind[T], of storesOf[T], field func(*headerValues) *model.EntityID) setter {
	return func(v *headerValues, text string) error {
		table, stored := of.table(v.e), of.in(v.ed)
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
func optionalEntity[T comparable](kind nameKind[T], of storesOf[T], field func(*headerValues) *model.EntityID) setter {
	set := entity(kind, of, field)
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

// value is a setter that takes any text.
func value(set func(*headerValues, string)) setter {
	return func(v *headerValues, text string) error { set(v, text); return nil }
}

// headerField returns the field of a name.
func headerField(name string) (*settable, error) {
	var names []string
	for i := range headerFields {
		f := &headerFields[i]
		if strings.EqualFold(f.name, name) {
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

// event gives the tournament another title. Games of one --set get one tournament: what
// else is known of it is what the first of them says.
func (v *headerValues) event(title string) {
	if _, is := v.ed.(*write.Editor); !is {
		v.tournament(func(t *model.Tournament) { t.Title = title })
		return
	}
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

// detail is a setter of what a tournament is known by besides title, place and date: all
// its games have it.
func detail(set func(*model.Tournament, string) error) setter {
	return func(v *headerValues, text string) error {
		if v.checking {
			return set(new(model.Tournament), text) // to see whether it can be read
		}
		ed, isChessBase := v.ed.(*write.Editor)
		if _, isText := v.ed.(*textEditor); isText {
			t := v.e.Tournaments.Value(v.h.Tournament)
			err := set(&t, text)
			v.h.Tournament = v.e.Tournaments.Intern(t)
			return err
		}
		if !isChessBase {
			return errors.New("a Simple Chess Database has no place for it")
		}
		if v.stored == model.NoEntity {
			return errors.New("has no tournament; set event too")
		}
		in := ed.Tournaments()
		t, err := in.Value(v.stored)
		if err != nil {
			return err
		}
		was := t
		if err := set(&t, text); err != nil || t == was {
			return err
		}
		if err := in.Change(v.stored, t); err != nil {
			return err
		}
		v.h.Tournament = v.e.Tournaments.Intern(t)
		return nil
	}
}

// setByte reads a number up to 255.
func setByte(to *uint8, s string) error {
	var n uint16
	if err := setNumber(&n, s); err != nil || n > 255 {
		return fmt.Errorf("%q is no number up to 255", s)
	}
	*to = uint8(n)
	return nil
}

// setNumber reads a number; nothing, and what PGN has for it, is 0.
func setNumber(to *uint16, s string) error {
	if s == "" || s == "?" || s == "-" {
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

func setDate(v *headerValues, s string) (err error) {
	v.h.Date, err = parseDateOf(s)
	return err
}

// parseDateOf reads a date; nothing is none.
func parseDateOf(s string) (model.Date, error) {
	d, ok := model.ParseDate(s)
	if !ok && s != "" {
		return model.Date{}, fmt.Errorf("%q is no date; write it like 1997.05.11, with ?? for what is not known", s)
	}
	return d, nil
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
