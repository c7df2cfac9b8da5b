// Package ctgwrite makes opening books of ChessBase (.ctg, .cto and .ctb
// files): from games with a [Builder], from any other book with [Write], and
// from books that are there already with [Merge] and [Prune]. [Edit] changes a
// book in place: games and entries are added to it, entries changed and removed.
//
// What else there is for books has places of its own: [cbkit/read.OpenBook] opens one, whose
// Lookup, Entries and Walk read it; [cbkit/check.Book] checks it; [Recover] puts a book
// right after a crash. For other programs and for people [WritePolyglot], [WritePGN],
// [WriteJSON] and [WriteTable] write it in other forms. All know books as [model.Book].
//
// # Placement
//
// Where an entry goes is decided by the hash of its position alone: the
// directory is a binary trie over the bits of the hash, and a node is split
// exactly if its entries together exceed a page (docs/formats/ctg.md 3.5). Entries that
// are sorted by the reversed bits of their hashes therefore come leaf by leaf,
// and a book is written in one pass over them, page after page, however large
// it is: see placer. An [Editor] grows a book entry by entry instead, as ChessBase
// does; both ways lead to the same directory.
//
// # Forms
//
// Programs that read these books know less about them than ChessBase does. The
// default form is one that all of them read: the root is always split, pages are
// filled to 4095 bytes, the .cto file is padded, only the move bytes that
// all programs know are used, at most 50 a position, every listed move leads to
// a position in the book, and a position whose en passant capture is illegal is
// stored under both its keys (docs/formats/ctg.md 7). [Options.Exact] writes ChessBase's
// own form; a book that is rewritten so, unchanged, keeps every byte.
//
// # Safety
//
// The three files appear together or not at all (package atomicset), and change so
// too (package journal); sorting goes through temporary files when memory does
// not suffice. One writer of a book is at work at a time, others are refused.
package ctgwrite
