// Package booster reads and keeps the files that speed up searches in a
// ChessBase database: what writing them, checking them and searching with them
// have in common.
//
//	.cit .cib     which records refer to an entity   Lists, Index
//	.cit2 .cib2   the same for game titles
//	.cbb          where pieces stood in a game       Seal
//
// All of it can be computed from the database itself, and is never to be
// trusted over it (docs/formats/boosters.md 8, 10). A list proves itself: it is complete
// if every record in it refers to the entity and it is as long as the entity's
// count of references. The .cbb file cannot; a [Seal] beside it tells whether
// it still is what was computed for the moves that are there now.
//
// The layouts are in package cbh.
package booster
