// Package ctg holds what reading and writing an opening book have in common:
// position keys, their hash, the directory, move bytes, entries and pages.
//
// A book is a dbm file of Unix V7, cut in three (docs/formats/ctg.md 1). All numbers are
// big-endian.
//
//	.ctg   header page | page 0 | page 1 | …        4096 bytes each
//	       header page: 0020 1000 0001 0001 00001000 7fff 7fff
//	                    u32 pages | u32 ffffffff | u32 positions | u32 games
//	                    at 0400: twelve constant words
//	       page:        u16 entries | u16 used bytes | entries | garbage
//	       entry:       key | u8 1+2n | n * (u8 move, u8 annotation) | 33 bytes
//	.ctb   u16 12 | u16 1 | u32 lower | u32 upper | bitmap of split nodes
//	.cto   u16 16 | u16 1 | u32 n | u32 0 | u32 lower | n * i32 page
//
// # Finding a position
//
// The position is brought into canonical form (colours exchanged so that White
// is to move, files mirrored so that a king that cannot castle is on the right)
// and written as a [Key] of 9 to 28 bytes. The key's [Hash] leads through a
// binary trie, one bit a level, lowest bit first, to a leaf; the bitmap says
// which nodes are split, the .cto file which page a leaf has. Every entry is in
// the page of its leaf, so one page is read.
//
// # Growing
//
// An entry that does not fit its page splits the leaf: the entries with the next hash bit
// set move to a new page. So a node is split exactly if its entries together exceed a
// page, in whatever order they came, and the directory can be computed from keys and
// sizes alone (docs/formats/ctg.md 3.5).
//
// # Moves
//
// A move is one byte for a piece (the second knight, counting a1, a2 … h8), and
// the way it goes on a board whose edges meet. (docs/formats/ctg.md 4.1)
package ctg
