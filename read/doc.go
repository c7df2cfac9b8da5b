// Package read decodes chess databases from files into the neutral model.
//
// [Open] takes the name of a database (its main file, any of its companions,
// or the name without an ending) and returns a [Database]: a model.Source that
// streams records in id order and also finds single ones.
//
// # ChessBase databases
//
// A ChessBase database is a set of files with one name and many endings:
//
//	.cbh   one header of 46 bytes for each game or guiding text
//	.cbj   more header fields (optional)
//	.cbg   the moves of games, the contents of guiding texts
//	.cba   annotations
//	.cbp .cbt .cbc .cbs .cbe .cbl
//	       players, tournaments, annotators, sources, teams, game titles
//	.cbtt  more about tournaments (optional)
//	.cbm   media lists of guiding texts (optional)
//
// The headers give the offsets of a game's moves and annotations and the ids
// of its entities. (docs/formats/cbh-entities.md, docs/formats/cbg.md, docs/formats/cba.md)
//
// # Simple Chess Databases
//
// An index and four files of what it points to:
//
//	.dci   one entry of fixed size for each game
//	.dcg   moves, variations and comments
//	.dcn .dcs .dce
//	       players, sites, events
//
// Both layouts that the format's author described, and five drafts of them, are
// read; they are told apart by the first entries. Sites and events together
// become tournaments. (docs/formats/dcdb.md)
//
// # Databases of ChessBase 17, and of Scid
//
// [ChessBase2] reads .2cbh databases, [Scid] those with the endings .si4, .si3 and .si5.
// (docs/formats/2cbh.md, docs/formats/si4.md)
//
// # Opening books
//
// [OpenBook] opens a ChessBase book and returns a [Book], which is a
// [model.Book]:
//
//	.ctg   pages of positions with their moves and figures
//	.cto .ctb
//	       a trie over the hashes of positions that says which page to look at
//	.ini   what the user's program keeps beside the book (optional)
//
// A look-up reads one page. Positions are stored with White to move; answers are turned
// to the side to move of the position looked up. (docs/formats/ctg.md)
//
// # Safety
//
// Readers never write and create no file. What a file claims is checked
// against the bytes that are there before memory is set aside for it. Damage
// that concerns one record is reported with that record, and the others can
// still be read.
//
// The headers of old databases have wrong counts (docs/formats/real-databases.md 10), so
// readers read every whole record that the files hold. [Options].Warn is called if a
// header disagrees, and for optional files that are damaged and count as missing.
package read
