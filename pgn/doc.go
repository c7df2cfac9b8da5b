// Package pgn reads and writes Portable Game Notation.
//
// A game is a section of tags, a blank line, the moves with comments, symbols and
// variations, and the result:
//
//	[Event "Wch"]                         tags
//	[White "Carlsen, Magnus"]
//	[Result "1-0"]
//
//	{a comment on the game} 1. e4 $1      moves; NAGs
//	{behind a move [%csl Ge4]} 1... e5    comments and commands
//	({before a move} 1... c5 2. Nf3)      a variation, instead of the move before it
//	2. Nf3 1-0
//
// # Reading
//
// A [Reader] takes PGN as it is found: sloppy moves, missing results and tags, games
// without a blank line between them, garbage between them, typographic signs and the
// piece letters of other languages, UTF-8 or Windows-1252, compressed files. A mistake in
// a variation costs that variation; a mistake in a main line makes that game an error,
// and no other. docs/formats/pgn.md has all rules.
//
//	splitter ──► batches of whole games ──► parsers ──► ids for names, in order
//	        └── lexer: skim         lexer: next ──┘
//
// One goroutine cuts the text where games begin, several parse, and the loop over
// [Reader.Records] gives the names their ids in file order. Memory is bounded, whatever
// the size of the file; the limit for a game is 64 MB. Splitter and parsers share one
// lexer, which the splitter runs in a faster mode, so that the games do not depend on
// where the text was cut.
//
// # Writing
//
// A [Writer] writes the export format of the PGN standard, in one of two forms. In the
// first, every annotation reads back as the same value at the same place in the same
// order. What PGN and ChessBase's commands in comments cannot express is in two commands
// of cbkit, [%cbtext] and [%cbraw], described in docs/formats/pgn.md. The second form,
// [WriterOptions].Plain, is for people and other programs and has neither. What cannot be
// expressed at all is a [model.Loss].
package pgn
