// Package search finds the records of a database that meet conditions: who
// played, when and where, the result, the material, positions on the board.
//
//	s, err := search.Open("Games.cbh", search.Options{})
//	…
//	c, err := search.Parse("player:carl* and year:2010..2013 and piece:Nd5")
//	…
//	result, err := s.Find(ctx, c)
//	fmt.Println(result.IDs, result.Plan)
//
// [Parse] and [Term] read conditions from text; [Terms] lists the terms. A few functions
// make others; [And], [Or] and [Not] combine them.
//
// # How a search goes
//
//	names ──► entities       through the tree of the entity file
//	             │
//	             ▼
//	          records        lists of .cit and .cib, .cit2 and .cib2;
//	             │           else all of them
//	             ▼
//	          headers        decide all but the conditions about positions
//	             │
//	             ▼
//	          traces         the .cbb file rules out most other games
//	             │
//	             ▼
//	          games          are played through
//
// The four booster files only save work: the answer is the same without them. They are
// used where they hold for the database as it is now. Lists hold if their records refer
// to the entities in question as often as the entities' own records count
// (docs/formats/cbh-entities.md 10), the .cbb file if its seal fits, which the program
// that computed it left beside it. The [Plan] says what was used, and why something was
// not.
//
// The tree of an entity file is checked on the way through it; where it shows damage, all
// names are read, as always with Options.NoBoosters. Damage that does not show in the
// part of a tree that is read, such as a name overwritten in place, hides that name from
// a look-up; package check finds it.
//
// Other formats than ChessBase's have no boosters; their headers are searched,
// and games played through, as they are. [Select] does the same with any
// [model.Source], record by record: PGN that comes through a pipe, for example.
//
// Names of players can be given as people type them ("Gary Kasparov", "Kasparov,G",
// "Muller" for Müller); first names must agree as far as both are given. For this all
// names are read. A name with '*' or '?' is a pattern.
package search
