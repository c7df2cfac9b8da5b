// Package dcdb holds the record layouts of the Simple Chess Database: each is
// decoded and appended side by side.
//
// A database is a set of files with one name, all integers big-endian, all
// texts UTF-8. Every file begins with ten bytes that say what it is:
//
//	.dci  "SimpleCDbi"  index: one entry for each game
//	.dcn  "SimpleCDbn"  names of players
//	.dcs  "SimpleCDbs"  sites
//	.dce  "SimpleCDbe"  events (may be missing)
//	.dcg  "SimpleCDbg"  games
//
// Entries refer to names, sites, events and games by their places in bytes.
//
// # The index
//
//	v0  magic 10, version 1 (0), number of the default game 8; entries of 39
//	v1  magic 10, version 1 (1);                               entries of 61
//
//	off  len
//	  0    1  status: 00, FF deleted
//	  1    8  place of the game
//	  9    4  place of White's name
//	 13    4  place of Black's name
//	 17    2  round, 0 unknown
//	 19    4  place of the site
//	 23    4  place of the event
//	 27    2  Elo of White, 0 unknown
//	 29    2  Elo of Black
//	 31    1  result: 0 none, 1 White wins, 2 Black wins, 3 draw
//	 32    3  ECO in ASCII, 00 00 00 unknown
//	 35    2  year, 0 unknown
//	 37    1  month
//	 38    1  day
//	 39    2  plies                     v1 from here on
//	 41    4  material at the end
//	 45   16  first moves of the pawns
//
// Files of a few older layouts are recognised too; see [Detect].
//
// # Names
//
// Records of 36 bytes, filled up with blanks.
//
// # Games
//
//	length  marker  [length  FEN]  item*
//
// The marker is 01 if a FEN follows, else 00. Lengths are those of ISO 7816
// (see [AppendLength]); that of the game does not count itself. Items are
//
//	0ppp ffff fftt tttt   a move: promotion, from, to (a1 is 0, h8 is 63)
//	84                    begin of a variation, instead of the last move
//	85                    its end
//	86 length text        comment
//	87 length byte*       NAGs
//	88                    null move
//
// After a move come its NAGs, its comment, then the variations in its place.
//
// Facts and rulings: docs/formats/dcdb.md.
package dcdb

// Format is the name of the format in leftovers.
const Format = "dcdb"
