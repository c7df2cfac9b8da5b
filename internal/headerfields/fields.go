// Package headerfields has the one list of the fields of a header: their names and
// values, how text sets them, and which formats keep them.
package headerfields

import (
	"cmp"
	"fmt"
	"iter"
	"strings"

	"cbkit/model"
)

// Formats are formats that do not keep all fields. JSON Lines does, and ChessBase
// databases.
type Formats uint8

// The formats.
const (
	PGN     Formats = 1 << iota
	Simple          // the Simple Chess Database
	Parquet         // the columns of a game without the one that has all of it
	all     = PGN | Simple | Parquet
)

// Field is a field of the header of a game.
type Field struct {
	// Name is that of JSON Lines.
	Name string
	// Lost is what losses call it; "" is the name.
	Lost string
	// Tag is the tag that PGN has besides the field where that cannot take the whole
	// value of it.
	Tag string
	// Kept are the formats that have a place for it.
	Kept Formats
	// OfTexts says that guiding texts have the field, too.
	OfTexts bool
	// OfTournament says that it is a part of the tournament, with which it is lost, and
	// ForAll that a change of it concerns all games of the tournament.
	OfTournament, ForAll bool
	// Kind is that of the entity that the field is, "" for none, and ID where a header
	// has its number.
	Kind string
	ID   func(*model.Header) *model.EntityID
	// Value returns what a header says: a value that can be compared and printed.
	Value func(*model.Header, *model.Entities) any
	// Set changes a header and its tournament to what a text says; nil for entities, and
	// for what no text sets.
	Set func(h *model.Header, t *model.Tournament, text string) error

	none any // the value that says nothing
}

// All are the fields, in their order.
var All = []Field{
	player("white", func(h *model.Header) *model.EntityID { return &h.White }),
	player("black", func(h *model.Header) *model.EntityID { return &h.Black }),
	number("whiteElo", Field{Tag: "WhiteElo", Kept: all}, func(h *model.Header) *uint16 { return &h.WhiteElo }),
	number("blackElo", Field{Tag: "BlackElo", Kept: all}, func(h *model.Header) *uint16 { return &h.BlackElo }),
	tournament("event", "", func(t *model.Tournament) any { return t.Title }, func(t *model.Tournament, s string) error { t.Title = s; return nil }),
	tournament("site", "Site", func(t *model.Tournament) any { return t.Place }, setPlace),
	tournament("eventDate", "EventDate", func(t *model.Tournament) any { return t.Start }, func(t *model.Tournament, s string) error { return setDate(&t.Start, s) }),
	forAll(tournament("eventEnd", "", func(t *model.Tournament) any { return t.End }, func(t *model.Tournament, s string) error { return setDate(&t.End, s) })),
	forAll(tournament("eventType", "EventType", func(t *model.Tournament) any { return t.Type }, setType)),
	forAll(tournament("eventCountry", "EventCountry", func(t *model.Tournament) any { return t.Country() }, setCountry)),
	forAll(tournament("eventCategory", "EventCategory", func(t *model.Tournament) any { return t.Category }, func(t *model.Tournament, s string) error { return setByte(&t.Category, s) })),
	forAll(tournament("eventRounds", "EventRounds", func(t *model.Tournament) any { return t.Rounds }, func(t *model.Tournament, s string) error { return setByte(&t.Rounds, s) })),
	tournament("eventComplete", "", func(t *model.Tournament) any { return t.Complete || t.LegacyComplete }, nil),
	tournament("eventBoardPoints", "", func(t *model.Tournament) any { return t.BoardPoints }, nil),
	tournament("eventThreePoints", "", func(t *model.Tournament) any { return t.ThreePoints }, nil),
	tournament("eventLatitude", "", func(t *model.Tournament) any { return t.Latitude }, nil),
	tournament("eventLongitude", "", func(t *model.Tournament) any { return t.Longitude }, nil),
	tournament("eventTieBreaks", "", func(t *model.Tournament) any { return t.TieBreaks }, nil),
	plain("date", Field{Tag: "Date", Kept: all}, func(h *model.Header) any { return h.Date }, func(h *model.Header, s string) error { return setDate(&h.Date, s) }),
	plain("round", Field{Tag: "Round", Kept: all, OfTexts: true}, func(h *model.Header) any { return h.Round }, setRound),
	number("subround", Field{Tag: "Round", Kept: PGN | Parquet, OfTexts: true}, func(h *model.Header) *uint16 { return &h.Subround }),
	plain("result", Field{Tag: "Result", Kept: all}, func(h *model.Header) any { return h.Result }, setResult),
	plain("termination", Field{Tag: "Termination", Kept: all}, func(h *model.Header) any { return h.Result.IsForfeit() }, setTermination),
	plain("lineEvaluation", Field{Lost: "line evaluation", Kept: Parquet}, func(h *model.Header) any { return h.LineEvaluation }, nil),
	plain("eco", Field{Tag: "ECO", Kept: all}, func(h *model.Header) any { return h.ECO }, setECO),
	entity("annotator", Field{Kind: "annotator", Kept: PGN | Parquet, OfTexts: true}, func(h *model.Header) *model.EntityID { return &h.Annotator },
		func(e *model.Entities, id model.EntityID) any { return e.Annotators.Value(id).Name }),
	entity("source", Field{Kind: "source", Kept: PGN | Parquet, OfTexts: true}, func(h *model.Header) *model.EntityID { return &h.Source },
		func(e *model.Entities, id model.EntityID) any { return e.Sources.Value(id) }),
	team("whiteTeam", "white team", func(h *model.Header) *model.EntityID { return &h.WhiteTeam }),
	team("blackTeam", "black team", func(h *model.Header) *model.EntityID { return &h.BlackTeam }),
	entity("gameTitle", Field{Lost: "game title", Kind: "game title", Kept: Parquet, OfTexts: true}, func(h *model.Header) *model.EntityID { return &h.GameTitle },
		func(e *model.Entities, id model.EntityID) any { return e.GameTitles.Value(id) }),
}

func init() {
	h := model.NewHeader()
	for i := range All {
		All[i].none = All[i].Value(&h, new(model.Entities))
	}
}

// Settable returns the field of a name that people may set; upper and lower case are the
// same.
func Settable(name string) (*Field, error) {
	var names []string
	for i := range All {
		f := &All[i]
		if f.Set == nil && f.ID == nil {
			continue
		}
		if strings.EqualFold(f.Name, name) {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return nil, fmt.Errorf("%q is no field of a header; there are %s", name, strings.Join(names, " "))
}

// Lost is a field of a header that a format has no place for.
type Lost struct {
	Field string
	// ID is the number of the entity that the field is, nil for none.
	ID *model.EntityID
	// Format and Value are what is lost, for fmt.
	Format string
	Value  any
}

// LostIn yields the fields of a header that a format has no place for and that say
// something, but for parts of its tournament.
func LostIn(format Formats, h *model.Header, e *model.Entities) iter.Seq[Lost] {
	return func(yield func(Lost) bool) {
		for i := range All {
			f := &All[i]
			if f.Kept&format != 0 || f.OfTournament {
				continue
			}
			l := Lost{Field: cmp.Or(f.Lost, f.Name), Format: "%v"}
			if f.ID != nil {
				if l.ID = f.ID(h); *l.ID == model.NoEntity {
					continue
				}
			}
			if l.Value = f.Value(h, e); l.Value == f.none {
				continue
			}
			l.Value = inWords(l.Value)
			switch l.Value.(type) {
			case model.NAG:
				l.Format = "$%d"
			case string, fmt.Stringer:
				l.Format = "%q"
			}
			if !yield(l) {
				return
			}
		}
	}
}

// plain is a field of the header itself.
func plain(name string, f Field, value func(*model.Header) any, set func(*model.Header, string) error) Field {
	f.Name = name
	f.Value = func(h *model.Header, _ *model.Entities) any { return value(h) }
	if set != nil {
		f.Set = func(h *model.Header, _ *model.Tournament, text string) error { return set(h, text) }
	}
	return f
}

// number is a field with a number, 0 for none.
func number(name string, f Field, at func(*model.Header) *uint16) Field {
	return plain(name, f, func(h *model.Header) any { return *at(h) }, func(h *model.Header, text string) error { return setNumber(at(h), text) })
}

// tournament is a field of the header's tournament.
func tournament(name, tag string, value func(*model.Tournament) any, set func(*model.Tournament, string) error) Field {
	f := Field{Name: name, Tag: tag, OfTexts: true, OfTournament: true}
	f.Value = func(h *model.Header, e *model.Entities) any {
		t := e.Tournaments.Value(h.Tournament)
		return value(&t)
	}
	if set != nil {
		f.Set = func(_ *model.Header, t *model.Tournament, text string) error { return set(t, text) }
	}
	return f
}

func forAll(f Field) Field {
	f.ForAll = true
	return f
}

// entity is a field that is an entity.
func entity(name string, f Field, id func(*model.Header) *model.EntityID, value func(*model.Entities, model.EntityID) any) Field {
	f.Name, f.ID = name, id
	f.Value = func(h *model.Header, e *model.Entities) any { return value(e, *id(h)) }
	return f
}

func player(name string, id func(*model.Header) *model.EntityID) Field {
	return entity(name, Field{Kind: "player", Kept: all}, id, func(e *model.Entities, id model.EntityID) any { return e.Players.Value(id) })
}

func team(name, lost string, id func(*model.Header) *model.EntityID) Field {
	return entity(name, Field{Lost: lost, Kind: "team", Kept: PGN | Parquet}, id, func(e *model.Entities, id model.EntityID) any { return e.Teams.Value(id) })
}

// setPlace sets the place of a tournament. A nation that the old place says, too, gives
// way to that of the new one.
func setPlace(t *model.Tournament, place string) error {
	says := func(place string) model.Nation { return model.Tournament{Place: place}.Country() }
	if t.Nation == says(t.Place) && says(place) != 0 {
		t.Nation = 0
	}
	t.Place = place
	return nil
}

// setParsed sets a value to what a text says; nothing is none. Wrong is what another text is not.
func setParsed[T any](to *T, text string, parse func(string) (T, bool), wrong string) error {
	v, ok := parse(text)
	if !ok && text != "" {
		return fmt.Errorf("%q is no %s", text, wrong)
	}
	*to = v
	return nil
}

func setType(t *model.Tournament, text string) error {
	return setParsed(&t.Type.System, text, model.ParseEventSystem,
		"type of a tournament; there are single-game, match, round-robin, swiss, team, knockout, simultaneous, scheveningen")
}

func setCountry(t *model.Tournament, text string) error {
	return setParsed(&t.Nation, text, model.ParseNation, "country; write its code, like ESP, or its name")
}

// setByte reads a number up to 255.
func setByte(to *uint8, text string) error {
	var n uint16
	if err := setNumber(&n, text); err != nil || n > 255 {
		return fmt.Errorf("%q is no number up to 255", text)
	}
	*to = uint8(n)
	return nil
}

// setNumber reads a number; nothing, and what PGN has for it, is 0.
func setNumber(to *uint16, text string) error {
	n, ok := ParseNumber(text, 65535)
	if !ok {
		return fmt.Errorf("%q is no number up to 65535", text)
	}
	*to = uint16(n)
	return nil
}

func setDate(to *model.Date, text string) error {
	return setParsed(to, text, model.ParseDate, "date; write it like 1997.05.11, with ?? for what is not known")
}

// setRound reads a round, with a game of it behind a dot: 3.2.
func setRound(h *model.Header, text string) error {
	round, subround, ok := ParseRound(text)
	if !ok && text != "0" {
		return fmt.Errorf("%q is no number of a round; write 3, or 3.2 for a game of it", text)
	}
	h.Round, h.Subround = round, subround
	return nil
}

func setResult(h *model.Header, text string) error {
	r, ok := model.ParseResult(text)
	if !ok {
		return fmt.Errorf("%q is no result; there are 1-0, 0-1, 1/2-1/2, 0-0 and *", text)
	}
	h.Result = r
	return nil
}

// setTermination says whether the result came about without play.
func setTermination(h *model.Header, text string) error {
	switch text {
	case "forfeit":
		if h.Result = h.Result.Forfeit(); !h.Result.IsForfeit() && h.Result != model.NoResult {
			return fmt.Errorf("a result of %v is no forfeit", h.Result)
		}
	case "":
		if r, ok := model.ParseResult(h.Result.String()); ok {
			h.Result = r
		}
	default:
		return fmt.Errorf("%q is no termination; there is forfeit, or nothing", text)
	}
	return nil
}

func setECO(h *model.Header, text string) error {
	return setParsed(&h.ECO, text, model.ParseECO, "opening; write it like C67 or C67/08")
}

// IsAddress reports whether what a text says as the site of a tournament is an address on
// the web, which is a tag, and not a place.
func IsAddress(site string) bool { return len(site) > 4 && strings.EqualFold(site[:4], "http") }
