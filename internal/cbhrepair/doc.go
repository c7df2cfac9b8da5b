// Package cbhrepair makes true what is derived in a ChessBase database, in its
// place: what headers count, what follows from moves and annotations, where
// 64-bit places repeat 32-bit ones, checksums, trees, references. It reads
// stored records (package cbhdb) through a transaction (package journal) and
// writes into that.
//
// # The order of the work
//
//	headers    signatures, record sizes and counters, which the sizes of the
//	           files prove
//	places     one pass over the headers of all records: places that one of two
//	           fields has right, annotations that nobody points to any more,
//	           holes, references
//	content    one pass over moves, texts and annotations: all that the headers
//	           repeat of them
//	entities   records that stand at others' ids, trees, lists of deleted records,
//	           counts of references
//	sizes      the headers of the .cbg and .cba files
//
// # What is not guessed
//
// A value is changed only where everything it follows from is sound. A file
// that ends too early is left as it is, with the header that tells how much is
// missing; so are references that lead nowhere, and the counts of those that
// could have been meant; so is what describes records that overlap, whose
// content may not be theirs. The table of codes in package check says of each
// what a repair does about it. (docs/formats/check.md, What a repair makes true)
package cbhrepair
