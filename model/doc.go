// Package model holds chess databases as neutral data: games, guiding texts,
// the people and events they refer to, and the annotations inside them.
//
// No file format is known here. A format package decodes its bytes into these types and
// encodes these types into its bytes; what a format stores and these types cannot express
// travels along in a [Leftover].
//
// # The shape of a game
//
// A [Game] is a header of plain fields, a [Tree] of moves and a list of
// [Annotation] values. The tree is flat: one slice of nodes in stored order,
// which is a move, then everything that follows it on its line, then its
// alternatives. The index of a node in that slice is the number that
// annotations use to say where they belong.
//
// # Streams
//
// A [Source] yields records (games and guiding texts) in id order, a [Sink]
// takes them, and [Copy] joins the two: converting a database is that and
// nothing more. [Database] keeps everything in memory and is a Source too.
//
// # Ids
//
// Records are numbered from 1; games and guiding texts share the numbers.
// Entities (players, tournaments, annotators, sources, teams, game titles)
// are numbered from 0 in one table each; [NoEntity] means none.
//
// # Overview
//
//	games        Game, Header, Tag, Result, Date, ECO; Position, CastlingRights
//	moves        Move, Square, Piece, Color; Tree, Node, TreeBuilder
//	annotations  Annotation, Value, Kind; Text, Symbols with NAG, and the other kinds
//	texts        GuidingText, LocalText, Language
//	entities     Entities, Table, Slot, EntityID; Player, Tournament, Annotator,
//	             Publication, Team, GameTitle; Nation
//	streams      Source, Sink, Record, RecordID, Want, Copy; Database in memory
//	             a source can be a Preflighter, Referee or Paged, a sink a Wanter or Counter
//	comparing    Equal, EqualRecords, Identical; ResolvedGame, ResolvedHeader, ResolvedText
//	problems     FormatError, RecordError; Loss, Report, LossError; Reference
//	formats      Leftover, GameLeftovers, TextLeftovers, Part
//	books        Book, BookEntry, BookMove, BookStats, BookRatings
package model
