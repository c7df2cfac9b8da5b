// Package collect makes one source of games of several, and several of one:
//
//   - [Union] reads databases one after the other as if they were one, whatever
//     their formats. Entities of equal value become one.
//   - [Sort] puts the records of a source in another order.
//   - [Groups] takes them apart by player, tournament, opening, year or number.
//   - [Duplicates] finds games that are there more than once.
//   - [FindAdditions] finds what a database does not have yet.
//   - [NearNames] finds players who are spelt in more than one way.
//   - [Compare] says how two databases differ.
//   - [Strip] leaves out comments, variations and the like.
//
// All work on [model.Source] and [model.Sink], one record at a time; each function says
// how much memory it keeps for a record or name. Sorting and splitting read the records
// of a [model.Numbered] source in the new order; those of others are kept in a temporary
// file.
package collect
