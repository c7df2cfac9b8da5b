// Package notnil converts games to and from github.com/notnil/chess, for
// programs that use that library for play or analysis and cbkit for databases.
//
// A game of that library is one line of moves from an orthodox position, with
// PGN tags. Going there, variations and annotations are lost, which is
// reported; null moves and Chess960 cannot be expressed at all and are errors.
// Coming from there nothing is lost, comments included.
//
//	model.Game                     chess.Game
//	main line                 ◄──► moves
//	Start                     ◄──► first position, tags SetUp and FEN
//	players, event, date …    ◄──► tag pairs
//	Result                    ◄──► outcome, tag Result
//	texts                     ◄─── comments
//
// The library replays a move in about 700 ns; for whole databases package
// board is some hundred times faster.
package notnil
