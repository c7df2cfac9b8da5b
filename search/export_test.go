package search

import "fmt"

// What terms are read into, for tests that make questions of values.
var (
	Annotated, Balance, Dates, During, ECOs, IDs = having, balanced, dated, during, coded, numbered
	Material, MaterialAtEnd, Moves, Pawns        = withMaterial, endingWith, lasting, withPawns
	ParseAt, ParseMaterial, PieceOn              = parseAt, readMaterial, pieceOn
	Ratings, Rounds                              = rated, inRounds
)

type Side = whose

const AnySide, WhiteSide, BlackSide, BothSides = anySide, whiteSide, blackSide, bothSides

// Called is the condition of a term, whose value is made of values like those of Print.
func Called(name string, value ...any) Condition {
	c, err := Term(name, fmt.Sprint(value...))
	if err != nil {
		panic(err)
	}
	return c
}

// Player is true for games of players whose names look like a pattern, Team of those of a
// team.
func Player(side Side, name string) Condition {
	return nameCondition{kind: players, side: side, pattern: pattern(name)}
}

func Team(side Side, name string) Condition {
	return nameCondition{kind: teams, side: side, pattern: pattern(name)}
}

// Titled is true for games and texts of an entity of a kind, by its name as in [Player].
func Titled(kind, name string) Condition {
	return nameCondition{kind: map[string]*nameKind{
		"place": places, "tournament": tournaments, "annotator": annotators, "source": sources, "title": titles,
	}[kind], pattern: pattern(name)}
}
