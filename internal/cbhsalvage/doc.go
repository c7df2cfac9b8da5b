// Package cbhsalvage reads what can still be read of a damaged ChessBase database, as a
// source of records. It uses what is left:
//
//	.cbh record   names, result, places; where it is gone, the .cbj record has
//	              the places
//	.cbg record   lies where a header says, or is found by looking at every byte
//	              between those that do
//	.cba record   lies where a header says, or names its game itself
//	entities      records of one size; trees and counts tell whether they stand at
//	              their ids
//
// # Which places are trusted
//
// Records of the .cbg file lie in the order of their ids (docs/formats/cbh.md, Where
// records lie). A place that a header gives is trusted if no other header gives it and a
// record can begin there; of these places the largest set is taken that ascends with the
// ids. What lies between two trusted records belongs to the ids between them:
//
//	ids      7      8     9     10        8 and 9 have lost their places
//	.cbg   | 7 | ? ? ? ? ? ? ? | 10 |     two records are found: theirs, in order
//
// An id whose place is out of order keeps it if a record decodes there that no other id
// claims. Found records that fit no id come last, as games without names.
//
// # Memory
//
// About thirty bytes for each record, and the entity files; of the .cba file, where
// annotations have lost their game, a place for each.
package cbhsalvage
