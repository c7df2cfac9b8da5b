// Package stats counts what a database knows:
//
//   - [List] says who and what is in it: players, tournaments, annotators,
//     sources, teams and game titles, with their games, years and ratings.
//   - [Scores] gives the score of all games or of some players, with both
//     colours, by opening and by year.
//   - [Editions] finds tournaments by name, and [NewTable] makes their cross
//     tables with tie-breaks.
//   - [Explore] reports on a position: which moves were played, by whom, with
//     what success.
//
// All read a [model.Source] once, from beginning to end, and keep some tens of
// bytes for each player, tournament and so on, nothing for each game. Deleted
// games do not count.
//
// # Ratings
//
// A performance is that of FIDE (Handbook B.01, 1.4.9): the average rating of
// the opponents, plus the difference that FIDE's table gives for the share of
// points. It counts games that were played, have a result, and an opponent with
// a rating. A category is that of FIDE's round robins: one for each 25 points of
// the average rating above 2250.
//
// # Tie-breaks
//
// They are those of FIDE's Handbook C.07, from the games that are there:
//
//   - Buchholz: the points of all opponents added up, an opponent of two games
//     twice.
//   - Buchholz cut 1: the same without the lowest of them.
//   - Sonneborn-Berger: the points of each opponent times what was scored
//     against him: all for a win, half for a draw.
//   - Wins: the number of games won, forfeits included.
//
// Databases do not hold byes, and a forfeit is no meeting at the board: games
// that were not played give points but no opponent. FIDE puts a dummy opponent
// in their place, so that tables of tournaments with many byes can differ from
// the official ones.
package stats
