package gen

import (
	_ "cbkit/internal/testkit/seeds"
	"cbkit/model"

	"pgregory.net/rapid"
)

// Config says what to draw. The zero value draws everything that has a
// meaning.
type Config struct {
	// Wild draws numbers to the limits of their types, whether they mean
	// anything or not, and strings that are not UTF-8.
	Wild bool
	// Leftovers attaches leftovers of several formats everywhere.
	Leftovers bool
	// Undecodable draws games and texts whose content could not be decoded.
	Undecodable bool

	// NameBytes is the length of the longest name; 0 means 60.
	NameBytes int
	// TextBytes is the length of the longest comment; 0 means 200.
	TextBytes int
	// Runes are the characters that strings are made of; nil means all.
	Runes []rune
	// Kinds are the kinds of annotations; nil means all, an empty list none.
	Kinds []model.Kind
	// Records is the number of records of the largest database; 0 means 6.
	Records int
	// Plies is the number of moves of the longest game, variations included;
	// 0 means 60.
	Plies int

	NoTexts      bool // no guiding texts
	NoDeleted    bool // no deleted records and slots
	NoTags       bool // no PGN tags
	NoChess960   bool
	NoSetUp      bool // every game starts from the standard position
	NoHalfMoves  bool // set-up positions have counted no half moves
	NoNullMoves  bool
	NoVariations bool
}

func (c Config) nameBytes() int { return orDefault(c.NameBytes, 60) }
func (c Config) textBytes() int { return orDefault(c.TextBytes, 200) }
func (c Config) records() int   { return orDefault(c.Records, 6) }
func (c Config) plies() int     { return orDefault(c.Plies, 60) }

func (c Config) kinds() []model.Kind {
	if c.Kinds == nil {
		return model.Kinds()
	}
	return c.Kinds
}

func orDefault(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}

// chance is true once in n draws, and false in the simplest case.
func chance(t *rapid.T, n int, label string) bool {
	return rapid.IntRange(0, n-1).Draw(t, label) == n-1
}

// number draws from 0 to the given limit, to the limit of the type in wild
// configurations.
func number[N uint8 | uint16 | uint32](t *rapid.T, c Config, limit N, label string) N {
	if c.Wild {
		limit = ^N(0)
	}
	return N(rapid.Uint64Range(0, uint64(limit)).Draw(t, label))
}

// leftover draws a leftover, most often none.
func (c Config) leftover(t *rapid.T) *model.Leftover {
	if !c.Leftovers || !chance(t, 3, "leftover") {
		return nil
	}
	return &model.Leftover{
		Format: rapid.SampledFrom([]string{"cbh", "dcdb", "pgn"}).Draw(t, "format"),
		Data:   rapid.SliceOfN(rapid.Byte(), 1, 20).Draw(t, "data"),
	}
}
