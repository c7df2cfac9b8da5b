// Package cbh holds the byte layouts of the ChessBase .cbh family: for each
// file its header and its records, decoded and appended side by side. It opens
// no files; packages read and write do.
//
// # The files of a database
//
//	.cbh   games and texts: who, when, result   46-byte records by id    gameheader.go
//	.cbj   more about them: teams, stamps       records by id            extheader.go
//	.cbg   moves and guiding texts              blocks at offsets        blockheader.go
//	.cba   annotations                          blocks at offsets        blockheader.go, annotation.go
//	.cbp   players                              tree of entities         entity_kinds.go
//	.cbt   tournaments                          tree of entities         entity_kinds.go
//	.cbc   annotators                           tree of entities         entity_kinds.go
//	.cbs   sources                              tree of entities         entity_kinds.go
//	.cbe   teams                                tree of entities         entity_kinds.go
//	.cbl   game titles                          tree of entities         entity_kinds.go
//	.cbtt  more about tournaments               records by tournament    entity_extra.go
//	.cbm   media files of the texts             1024-byte records        media.go
//	.flags games looked at for top games        two bits by id           examined.go
//	.ini   description, memory of the program   lines                    kept as it is
//
// How they refer to each other:
//
//	.cbh record id ──┬── offset ─────► .cbg block
//	                 ├── offset ─────► .cba block
//	                 ├── entity ids ─► .cbp .cbt .cbc .cbs
//	                 └── same id ────► .cbj record ──┬── entity ids ─► .cbe .cbl
//	                                                 └── offset ─────► .cbm record
//	.cbt tournament id ── same id ───► .cbtt record
//
// Byte order changes from file to file, and within the .cbtt: every layout says
// its own. Sources: docs/formats/cbh-entities.md, docs/formats/cbg.md, docs/formats/cba.md and, where it
// differs from them, docs/formats/real-databases.md.
//
// # Every byte comes back
//
// Headers and records become structs that hold all of their bits, reserved and unknown
// ones too, so that appending what was decoded gives the same bytes. Payloads of entities
// become values of the model, which cannot hold the garbage after a string;
// EntityCodec.Merge writes a value over the bytes it came from and changes only what
// differs. A [DatabaseLeftover] carries the headers of all files to a copy of the
// database.
//
// # Text
//
// A database does not record the encoding of its texts: it is the code page of the
// machine that wrote them, or UTF-8. [CodePage] holds the rules.
package cbh
