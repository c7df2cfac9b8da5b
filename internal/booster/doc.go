// Package booster holds what writers, checks and searches share about search boosters,
// the files that speed up searches in a ChessBase database.
//
//	.cit .cib     which records refer to an entity   Lists, Index
//	.cit2 .cib2   the same for game titles
//	.cbb          where pieces stood in a game       Seal
//
// All of it can be computed from the database itself, and is never to be trusted over it
// (docs/formats/boosters.md 8, 10). A list proves itself: it is complete if every record
// in it refers to the entity and it is as long as the entity's count of references. The
// .cbb file cannot prove itself; a [Seal] beside it tells whether it was computed from
// the current moves.
//
// The layouts are in package cbh.
package booster
