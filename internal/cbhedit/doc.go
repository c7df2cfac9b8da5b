// Package cbhedit changes a ChessBase database in place, at the level of its
// stored records: it knows where bytes go and what must agree with what. Of chess
// it knows nothing, but that traces of pieces follow from moves.
//
//	header of a record   written where it is; the entities that it refers to
//	                     gain and lose references
//	moves, annotations   kept aside until the end of the transaction, and given
//	                     their places then, all at once
//	entities             put into and taken out of the trees of their files
//
// All of it happens in a transaction of package journal. [DB.Finish] makes the
// files agree with each other; then the journal commits.
//
// A new database is one without records that is changed in the same way, in files that are
// in the making ([Create]).
//
// # Where records go
//
// Records of the .cbg and .cba files lie in the order of their ids
// (docs/formats/cbh.md, Where records lie). A new one goes behind all others. One
// that becomes shorter stays and leaves a hole; one that becomes longer takes as
// much as it needs of the hole behind it, and if that is not enough, all that
// follows moves up. Annotations that a game did not have go before those of the
// next game that has some. The header's count of unused bytes changes by what
// the holes change: where it was wrong it stays wrong by as much.
//
//	before   | 1 | 2  | hole | 3 | 4 |
//	2 grows  | 1 | 2     |ho.| 3 | 4 |        the hole is enough
//	2 grows  | 1 | 2              | 3 | 4 |   it is not
//
// Annotations that nothing points to are no hole while a game may miss them: one that
// says that it has some and not where. They are found where a change would overwrite
// them, in the headers up to the next game that has annotations, which it reads anyway.
//
// Where most of a file moves it is written anew beside the old one; else its
// bytes move inside of it.
//
// # References
//
// An entity counts its references and knows the first record that refers to
// it. Both follow every change. An entity that loses its last reference goes,
// at the end of the transaction, unless its list in the search boosters names a record
// that refers to it all the same; one that had none before stays. Where the first
// record of an entity refers to it no longer, the next one is looked for in the
// lists of the search boosters, if they can be believed, or in the headers
// behind it.
//
// A new entity gets the record of a deleted one, or the next one behind all others,
// to which no record may refer yet: sealed boosters show that, else one pass over the
// headers. A file that has lost its last entity becomes the empty one, without
// records.
//
// # Search boosters
//
// Those that are there follow every change: lists, traces of pieces, places of
// moves, and the seal that vouches for them, which is changed part by part. What
// did not fit before goes. (docs/formats/boosters.md 8, 12)
//
// # What is judged
//
// Only what a change reads. A tree is believed unless a change meets something
// wrong in it; then it is built anew. Of databases of old programs, which did not
// keep their trees in balance, all of a tree is looked at before its first
// change. (docs/formats/cbh.md, The order of entities)
package cbhedit
