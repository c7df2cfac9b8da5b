// Package posindex is the index of positions of a ChessBase database, a file of cbkit's
// own beside it: which games reached a position, and which have the same moves.
// (docs/formats/positions.md)
//
//	header, one block
//	segments: leaves with sorted keys, each with the records that have it, and behind
//	    them the first key of each leaf
//	sets: the records that are marked as deleted, and those that each segment is of
//	summaries: what a report says of frequent positions
//	changes: what records have since, and what they were, one after the other
//
// The first segment covers all records of the time it was made; each later one covers
// records that have changed or been added since, for which earlier segments no longer
// count.
//
// Keys are of several kinds:
//
//	positions  key of a position        the games that reached it within some plies,
//	                                    or with few men
//	late       what a game still had    the games that went on with more men
//	           behind those plies
//	games      key of all moves         the games with these moves
//	material   how many of each piece   the games that had it, if that was asked for
//	pawns      key of all pawns         the games that had them, if that was asked for
//
// A key is 48 bits of a hash. So a key may, rarely, list games that did not reach the
// position, but it never lacks one that did. A search plays through the games that it
// shows.
package posindex
