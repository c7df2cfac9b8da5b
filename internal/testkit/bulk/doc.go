// Package bulk makes databases of any size with the shapes of real ones, for
// measurements: [New] is a [model.Source] that needs no file, streams, and
// gives the same games for the same seed. The command
// cbkit/internal/testkit/bulk/makedb writes them to a file.
//
// What is like life:
//
//   - Openings: games follow one of 4,096 lines, chosen by Zipf's law, for a
//     while and then go their own way with random legal moves, mostly captures
//     and moves to the centre. So early positions occur very often, late ones
//     once.
//   - Players: chosen by Zipf's law among as many as databases of this size
//     have (about three for every hundred games in twelve million, one in two
//     in the small), each with a rating that changes little.
//   - Tournaments: runs of games of one place and year, from 10 to 400 of them.
//   - One game in Options.Annotated has variations, comments and symbols.
package bulk
