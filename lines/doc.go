// Package lines joins the games of a source into trees of lines, takes such trees apart
// again, and compares games with the lines of others:
//
//   - [Forest] makes one game of many, whose variations are the games.
//   - Untangle turns each line of a game back into a game.
//   - Repertoire holds the positions of some lines. It tells which games stay in them,
//     where others leave them, and where the lines branch.
//   - [Novelties] finds the first move of each game that no game of a base has.
//
// Two games share a line as far as their moves are the same:
//
//	1.e4 e5 2.Nf3 Nc6    Anna - Bo, 1-0
//	1.e4 e5 2.Nf3        Cy - Dora, 1/2-1/2
//	1.e4 c5              Ed - Fay, 0-1
//
//	1.e4 e5 (1...c5 {Ed - Fay 0-1}) 2.Nf3 {Cy - Dora 1/2-1/2} Nc6 {Anna - Bo 1-0}
//
// The data of a game in such a tree are at its last move, in a command that [Untangle]
// reads and in words for people (docs/formats/pgn.md 6).
package lines
