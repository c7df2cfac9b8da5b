package model

import (
	"errors"
	"slices"
	"strings"
)

// EntityID is the number of an entity in its table, from 0.
type EntityID int32

// NoEntity is the absence of an entity. By value, no entity and an entity with all fields
// empty are equal.
const NoEntity EntityID = -1

// Player is a person, or a program, that played a side.
type Player struct {
	LastName, FirstName string
}

// EventSystem is how the games of a tournament are paired.
type EventSystem uint8

// The systems of play. Other numbers up to 31 are kept.
const (
	NoSystem EventSystem = iota
	SingleGame
	Match
	RoundRobin
	Swiss
	TeamEvent
	Knockout
	Simultaneous
	Scheveningen
)

// EventType is the kind of a tournament.
type EventType struct {
	System                       EventSystem
	Blitz, Rapid, Correspondence bool
	Team                         bool
}

// Speed returns "blitz", "rapid" or "correspondence"; "classical" for a kind that is none of
// them, and "" for none at all.
func (t EventType) Speed() string {
	switch {
	case t.Correspondence:
		return "correspondence"
	case t.Blitz:
		return "blitz"
	case t.Rapid:
		return "rapid"
	case t != EventType{}:
		return "classical"
	}
	return ""
}

// Tournament is the event a game was played in.
type Tournament struct {
	Title, Place string
	Start, End   Date
	Type         EventType
	// Nation is where it was played. If it is not set, a country code at the end of
	// Place, as in "Biel SUI", says the same; Country returns the nation in both cases.
	Nation   Nation
	Category uint8
	Rounds   uint8
	// Complete says that all games of the event are there; LegacyComplete is
	// an older mark with the same meaning.
	Complete, LegacyComplete bool
	BoardPoints              bool
	// ThreePoints says that a win counts three points.
	ThreePoints bool
	// Latitude and Longitude of the place in degrees; both 0: not known.
	Latitude, Longitude float64
	// TieBreaks lists the rules that break ties, first rule first; 0 ends it.
	TieBreaks [10]uint8
}

// Country returns the nation of the tournament: Nation or, where that is none, the one
// whose code of three letters is the last word of Place, as in "Biel SUI".
func (t Tournament) Country() Nation {
	if t.Nation != 0 {
		return t.Nation
	}
	code := t.Place[strings.LastIndexByte(t.Place, ' ')+1:]
	if n, ok := nationByCode[code]; ok {
		return n
	}
	return 0
}

// WithCountry returns the tournament with its country as its nation, to compare it.
func (t Tournament) WithCountry() Tournament {
	t.Nation = t.Country()
	return t
}

// Annotator is who annotated a game.
type Annotator struct {
	Name string
}

// Quality is how reliable a source is.
type Quality uint8

// The qualities; 0 is unset. Other numbers are kept.
const (
	QualityHigh Quality = 1 + iota
	QualityMedium
	QualityLow
)

// Publication is a source of games: a book, a disk, a bulletin. It is not
// called Source, which is a stream of records.
type Publication struct {
	Title, Publisher string
	// Published is the date of publication, Date that of the version.
	Published, Date Date
	Version         uint8
	Quality         Quality
}

// Team is a team that a player played for.
type Team struct {
	Title  string
	Number int32
	// Season says that Year is the first of the two years of a season.
	Season bool
	Year   int32
	Nation Nation
}

// GameTitle is a title given to games, in up to eight languages: English,
// German, French, Spanish, Italian, Dutch, and two more.
type GameTitle struct {
	Titles [8]string
}

// String returns the titles that there are, in their order.
func (t GameTitle) String() string {
	known := slices.DeleteFunc(t.Titles[:], func(title string) bool { return title == "" })
	return strings.Join(known, " / ")
}

// Entities are the tables that the records of a source refer to.
type Entities struct {
	Players     Table[Player]
	Tournaments Table[Tournament]
	Annotators  Table[Annotator]
	Sources     Table[Publication]
	Teams       Table[Team]
	GameTitles  Table[GameTitle]
}

// Clone returns a copy that can be changed without changing e.
func (e *Entities) Clone() Entities {
	return Entities{
		Players: e.Players.Clone(), Tournaments: e.Tournaments.Clone(),
		Annotators: e.Annotators.Clone(), Sources: e.Sources.Clone(),
		Teams: e.Teams.Clone(), GameTitles: e.GameTitles.Clone(),
	}
}

// Err returns why entities could not be read when they were asked for; see
// [Table.Err].
func (e *Entities) Err() error {
	return errors.Join(e.Players.Err(), e.Tournaments.Err(), e.Annotators.Err(),
		e.Sources.Err(), e.Teams.Err(), e.GameTitles.Err())
}

// String returns "Last, First", or the last name if there is no first name.
func (p Player) String() string {
	if p.FirstName == "" {
		return p.LastName
	}
	return p.LastName + ", " + p.FirstName
}

// ParsePlayer splits a name at its first comma into last and first name and
// trims blanks. A name without a comma is a last name. It is the inverse of
// [Player.String], except for names with blanks at their ends and last names
// with a comma.
func ParsePlayer(name string) Player {
	last, first, _ := strings.Cut(name, ",")
	return Player{LastName: strings.TrimSpace(last), FirstName: strings.TrimSpace(first)}
}
