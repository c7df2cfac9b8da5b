// Package check finds everything in a chess database that violates its format, and
// verifies that the codecs lose no byte of it. It never writes.
//
// [Database] is the check, whose findings are read in a loop ([Check]): sizes, counters, offsets, trees, lists of deleted
// records, references between the files, checksums, values, and whether what
// is stored about a game follows from its moves and annotations. Each
// violation is a [Finding] with a code that does not change, a severity and a
// place:
//
//	games.cbp: record 17 (count): counts 3 references, there are 2
//	└─ file    └─ entity └─ field └─ message
//
// docs/formats/real-databases.md says for some findings whether they are errors or notes.
// Of the others, those that break the structure of a file are errors, and odd values are
// notes. [Codes], and docs/formats/check.md, list all codes with their [Ruling] and
// meaning. One fault makes few findings: what depends on a damaged header, link or size
// is not judged, a missing optional file is one note, and of many similar findings only
// the first are reported and the rest counted ([Options].Max).
//
// [Simple] checks a Simple Chess Database and [Book] an opening book, with codes of their
// own. [Boosters] compares the search boosters of a ChessBase database with what it
// computes from the games, and gives each file a [BoosterState].
//
// # Archives
//
// [Archive] does the same with ChessBase archives;
// a database in one is checked through [Options.FS].
//
// # Verify
//
// [Verify] decodes every record, encodes it again and compares the bytes. It
// counts each record, and in .cba files each annotation, under one [Outcome]:
//
//	exact        encoded from the typed value alone, all bytes are the same
//	trash        … all but bytes that mean nothing are the same
//	kept         the same only with the bytes that a copy keeps
//	different    not the same: a copy would not be exact
//	unsupported  not understood, or damaged; a copy takes it as it is
//
// The typed value of a record is its value in package model. Bytes of a record that
// depend on other records, or that the model cannot express, are given to the encoder, as
// a writer would do, and counted ([Tally].Given):
//
//	.cbh   offsets; flags, magnitude, medals, move count (they follow from the
//	       content, which is the check's business); the number of a Chess960
//	       starting position
//	.cbj   offsets, place of the media list, material, rating types, stamps,
//	       save counter, endgame info, the unknown words at 70 and 74; what is
//	       compared are teams, game title and the computed checksum
//	.cba   the size in the head of a record
//	.cbp … tree links, reference count and first reference
//	.flags the marks
//
// Bytes that mean nothing are what follows the NUL of a string, the tails of
// file headers (docs/formats/cbh-entities.md 1), and the holes between records.
// Settings (.ini) and boosters have no records and are not looked at.
//
// [VerifySimple] does the same with the games and index entries of a Simple Chess
// Database. With [Options.Verify] a check verifies in the same pass.
//
// # Damage
//
// All checks read record by record, in bounded memory, on all processors. No content of a
// file makes them fail, nor do missing files: the report of a verification names those
// ([Report.Failed]).
package check
