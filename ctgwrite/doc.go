// Package ctgwrite makes opening books of ChessBase (.ctg, .cto and .ctb
// files): from games with a [Builder], from any other book with [Write], and
// from books that are there already with [Merge] and [Prune]. [Edit] changes a
// book in place: games and entries are added to it, entries changed and removed.
//
// [cbkit/read.OpenBook] opens a book for reading by Lookup, Entries and Walk;
// [cbkit/check.Book] checks it; [Recover] restores it after a crash. [WritePolyglot],
// [WritePGN], [WriteJSON] and [WriteTable] write books in other forms, for other programs
// and for people. All take books as [model.Book].
//
// # Placement
//
// Where an entry goes is decided by the hash of its position alone: the directory is a
// binary trie over the bits of the hash, and a node is split exactly if its entries
// together exceed a page (docs/formats/ctg.md 3.5). Entries that are sorted by the
// reversed bits of their hashes therefore come leaf by leaf, and a book of any size is
// written in one pass over them, page after page. An [Editor] grows a book entry by entry
// instead, as ChessBase does; both ways give the same directory.
//
// # Forms
//
// Programs that read these books know less about them than ChessBase does. The default
// form is one that all of them read: the root is always split, pages are filled to 4095
// bytes, the .cto file is padded, only the move bytes that all programs know are used, at
// most 50 a position, every listed move leads to a position in the book, and a position
// whose en passant capture is illegal is stored under both its keys (docs/formats/ctg.md
// 7). [Options].Exact writes ChessBase's own form: rewriting an unchanged book with it
// keeps every byte.
//
// # Safety
//
// The three files appear, and change, together or not at all (packages atomicset and
// journal). Sorting uses temporary files if memory does not suffice. Only one writer of a
// book works at a time; others are refused.
package ctgwrite
