// Package bulk makes databases of any size with the shapes of real ones, for
// measurements: [New] is a [model.Source] that needs no file, streams, and
// gives the same games for the same seed. The command
// cbkit/internal/testkit/bulk/makedb writes them to a file.
//
// What is like life:
//
//   - Openings: the named lines of cbkit/eco. How many games begin with 1.e4, 1.d4 and
//     1.e4 c5 is counted in a yearbook (see shares); below that a move has as many games
//     as named lines behind it. Behind a line each position has its usual moves, so
//     that early positions occur very often, late ones once.
//   - Games: the better player looks at more moves. Pieces are won, lost and traded until
//     a side is mated, gives up or agrees to a draw, so results follow from the moves,
//     and some games come to endings with few pieces.
//   - Players: chosen by Zipf's law among as many as databases of this size
//     have (about three for every hundred games in twelve million, one in two
//     in the small), each with a rating that changes little.
//   - Tournaments: runs of games of one place and year, from 10 to 400 of them.
//   - One game in Options.Annotated has variations, comments and symbols; one in Options.Served
//     the evaluations and clocks of a server.
package bulk
