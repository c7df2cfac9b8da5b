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
// [New] opens no file. A [DB] opens a file with the first call that needs it and reads
// its header; neither grows with the number of records. Package cbh decodes and encodes
// the bytes of records.
//
// # What is believed
//
// The headers of old databases have wrong counts. The size of a file gives the number of
// its records; the .cbh and .cbj records give the places of those in the .cbg and .cba
// files. A record outside its file is a [Fault], a value with a code and a place, so that
// a reader can refuse it, a check report it and an editor skip it.
//
// # Writing
//
// A DB over files that can be written ([dbfile.Writable]: those of a transaction) can
// change records in place. The caller decides where a record goes and what a header
// counts.
package cbhdb
