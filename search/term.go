package search

import (
	"fmt"

	"cbkit/model"
)

// TermInfo describes a term that [Term] and [Parse] read.
type TermInfo struct {
	// Name stands before the colon, Value says what may stand behind it, Help
	// what it means.
	Name, Value, Help string
}

// termKind is a term with its reader.
type termKind struct {
	TermInfo
	parse func(value string) (Condition, error)
}

// Terms lists all terms.
func Terms() []TermInfo {
	var list []TermInfo
	for _, t := range terms {
		list = append(list, t.TermInfo)
	}
	return list
}

// Term reads one condition from its name and value, as a flag of a program has
// them: Term("player", "Carl*").
func Term(name, value string) (Condition, error) {
	for _, t := range terms {
		if t.Name != name {
			continue
		}
		c, err := t.parse(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return c, nil
	}
	return nil, fmt.Errorf("%q is nothing to search for; there are %s", name, termNames())
}

func termNames() string {
	var names []string
	for _, t := range terms {
		names = append(names, t.Name)
	}
	return listed(names)
}

// terms are all terms. They are set up by init because Annotated lists them in
// its errors.
var terms []termKind

func init() {
	const name = "NAME"
	terms = []termKind{
		{TermInfo{"player", name, "the player of one side: Carlsen, \"Magnus Carlsen\", carl*, \"Carlsen, M*\""}, named(func(s string) Condition { return playerNamed(AnySide, s) })},
		{TermInfo{"white-player", name, "the player with the white pieces"}, named(func(s string) Condition { return playerNamed(WhiteSide, s) })},
		{TermInfo{"black-player", name, "the player with the black pieces"}, named(func(s string) Condition { return playerNamed(BlackSide, s) })},
		{TermInfo{"both-player", name, "both players, by one name"}, named(func(s string) Condition { return playerNamed(BothSides, s) })},
		{TermInfo{"opponents", "NAME/NAME", "two players against each other"}, parseOpponents},
		{TermInfo{"tournament", name, "the title of the tournament"}, named(Tournament)},
		{TermInfo{"place", name, "the place of the tournament"}, named(Place)},
		{TermInfo{"nation", "CODE", "the country of the tournament: ESP, or its name"}, named(Nation)},
		{TermInfo{"annotator", name, "the annotator"}, named(Annotator)},
		{TermInfo{"source", name, "the title of the source"}, named(Source)},
		{TermInfo{"team", name, "the team of one side"}, named(func(s string) Condition { return Team(AnySide, s) })},
		{TermInfo{"white-team", name, "the team of the player with the white pieces"}, named(func(s string) Condition { return Team(WhiteSide, s) })},
		{TermInfo{"black-team", name, "the team of the player with the black pieces"}, named(func(s string) Condition { return Team(BlackSide, s) })},
		{TermInfo{"both-team", name, "the teams of both players, by one pattern"}, named(func(s string) Condition { return Team(BothSides, s) })},
		{TermInfo{"title", name, "the game title, in any language"}, named(Title)},
		{TermInfo{"date", "DATE..DATE", "played between two dates: 1997.05..1997.08.15, 1990..1999"}, parseDates},
		{TermInfo{"year", "YEAR..YEAR", "played in a year, or between two: 1997, 1990..1999"}, parseYears},
		{TermInfo{"round", "N..N", "the round, or several: 3, 3..5; 3.2 is a game of round 3"}, parseRounds},
		{TermInfo{"eco", "CODE..CODE", "opening code: C50, C50..C59, C50/08; C5 and C are all that begin so"}, parseECOs},
		{TermInfo{"result", "RESULT", "1-0, 0-1, 1/2, 0-0 or *; with an f behind it, a forfeit: 1-0f"}, parseResult},
		{TermInfo{"elo", "N..N", "the rating of one side"}, ratings(AnySide)},
		{TermInfo{"white-elo", "N..N", "the rating of White"}, ratings(WhiteSide)},
		{TermInfo{"black-elo", "N..N", "the rating of Black"}, ratings(BlackSide)},
		{TermInfo{"both-elo", "N..N", "the ratings of both sides"}, ratings(BothSides)},
		{TermInfo{"moves", "N..N", "number of moves; 255 stands for more too"}, ranged(Moves)},
		{TermInfo{"medal", "MEDAL", listed(model.MedalNames[:])}, parseMedal},
		{TermInfo{"has", "WHAT", flagNames()}, Annotated},
		{TermInfo{"comment", "TEXT", "words in a comment, in any language; case does not matter"}, parseComment},
		{TermInfo{"kind", "game|text", "games, or guiding texts"}, parseKind},
		{TermInfo{"deleted", "yes|no", "marked as deleted, or not"}, parseDeleted},
		{TermInfo{"id", "N..N", "number in the database"}, ranged(func(first, last int) Condition {
			return IDs(model.RecordID(first), model.RecordID(last))
		})},
		// Those from here on may end with @N..N, the plies between which it must be so.
		{TermInfo{"fen", "FEN", "the position occurred on the main line; the board alone is either side to move"}, between(parseFEN)},
		{TermInfo{"pawns", "FEN", "exactly these pawns were on the board; the other pieces of the FEN do not count"}, between(parsePawns)},
		{TermInfo{"piece", "PIECE", "a piece stood on a square: Nd5, for Black nd5"}, between(parsePiece)},
		{TermInfo{"material", "KRPP-KRP[/N]", "the material was on the board, for N positions in a row; + more, * anything else"}, between(parseMaterial)},
		{TermInfo{"end", "KRPP-KRP", "the material at the end of the game"}, parseEnd},
		{TermInfo{"balance", "N..N[/N]", "White's material less Black's in pawns, for so many positions in a row: 2..5, -9..-3/6"}, between(parseBalance)},
	}
}
