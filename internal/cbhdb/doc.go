// Package cbhdb is an open ChessBase database at the level of its stored
// records: bytes and where they lie, not what they mean to a chess player.
//
//	.cbh  header | record 1 | record 2 | …              46 bytes each
//	.cbj  header | record 1 | record 2 | …              of one size; fewer than in the .cbh file, perhaps
//	.cbg  header | moves of 1 | hole | text of 2 | …    where the .cbh record says
//	.cba  header | annotations of 1 | …                 likewise; only games that have some
//	.cbp .cbt .cbc .cbs .cbe .cbl
//	      header | entity 0 | entity 1 | …              a search tree lies across them
//
// (docs/formats/cbh.md, Where records lie)
//
// # Nothing before it is asked for
//
// [New] opens no file. A [DB] opens a file with the first call that needs it
// and reads its header; neither grows with the number of records. What the
// bytes of a record mean is the business of package cbh, which decodes and
// encodes them.
//
// # What is believed
//
// Headers of old databases count wrongly. How many records a file has, its size
// says; where the records of a .cbg or .cba file lie, the .cbh and .cbj records
// say. Whatever does not lie inside its file is a [Fault]: a value with a code
// and a place, so that a reader can refuse it, a check can report it and an
// editor can pass it by.
//
// # Writing
//
// A DB over files that can be written ([dbfile.Writable]: those of a
// transaction) has the means to change records in their places. It decides
// nothing: where a record goes and what a header counts is said by the caller.
package cbhdb
