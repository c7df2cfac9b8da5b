// Package cbhedit changes a ChessBase database in place, at the level of its stored
// records: it knows where bytes go and what must agree with what. It knows nothing of
// chess, except that traces of pieces follow from moves.
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
// A new database is an empty one that is changed in the same way, in files without their
// final names ([Create]).
//
// # Where records go
//
// Records of the .cbg and .cba files lie in the order of their ids (docs/formats/cbh.md,
// Where records lie). A new one goes behind all others. One that becomes shorter stays
// and leaves a hole. One that becomes longer uses the hole after it; if that is too
// small, everything after it moves up. New annotations of a game go before those of the
// next game that has some. The header's count of unused bytes changes by as much as the
// holes do: a wrong count stays wrong by the same amount.
//
//	before   | 1 | 2  | hole | 3 | 4 |
//	2 grows  | 1 | 2     |ho.| 3 | 4 |        the hole is enough
//	2 grows  | 1 | 2              | 3 | 4 |   it is not
//
// Annotations that nothing points to are no hole while a game may miss them, that is, has
// a flag for annotations but no offset. A change finds such a game in the headers up to
// the next game with annotations, which it reads anyway.
//
// Where most of a file moves it is written anew beside the old one; else its
// bytes move inside of it.
//
// # References
//
// An entity counts its references and knows the first record that refers to it. Both
// follow every change. An entity that loses its last reference is removed at the end of
// the transaction, unless its list in the search boosters names a record that still
// refers to it; one that never had a reference stays. When the first record of an entity
// no longer refers to it, the next is looked up in the lists of the search boosters, if
// they are valid, or in the headers that follow.
//
// A new entity gets the id of a deleted one, or the next unused id. No record may refer
// to that yet; sealed boosters or a pass over the headers show that. A file that has lost
// its last entity becomes the empty one, without records.
//
// # Search boosters
//
// Existing ones follow every change: lists, traces of pieces, places of moves, and the
// seal that vouches for them, which is changed part by part. Boosters that did not fit
// before are removed. (docs/formats/boosters.md 8, 12)
//
// # What is judged
//
// A change checks only what it reads. A tree is trusted unless a change meets a fault in
// it; then it is built anew. In databases of old programs, which did not balance their
// trees, a whole tree is checked before its first change. (docs/formats/cbh.md, The order
// of entities)
package cbhedit
