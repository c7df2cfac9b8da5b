package model

import (
	"context"
	"iter"
)

// Book is an opening book: positions with the moves that were played in them,
// and how the games went. It stays on disk; nothing here needs all of it in
// memory.
//
// A book may be used from several goroutines.
type Book interface {
	// Find looks up a position. If the book has it, Find fills e, reusing its
	// memory, and returns true: the figures of the position and its moves on the
	// given board, without the figures of the moves.
	Find(p Position, e *BookEntry) (bool, error)

	// Figures fills in the figures of each move of an entry of Find or Entries,
	// with one more look-up for each.
	// Moves whose figures cannot be read because of damage are not Known
	// afterwards, and the error says what is damaged.
	Figures(e *BookEntry) error

	// Entries yields every entry once, without the figures of the moves: in stored order
	// and canonical form (White to move) where positions are stored. A book that stores
	// only keys, such as a Polyglot book, yields those that its own moves lead to from
	// the start of the game, the start first. An entry is valid until the next step;
	// [BookEntry.Clone] keeps it. With an error the entry may be nil. The caller may
	// continue after any error; the sequence ends by itself where nothing more can be
	// read.
	Entries(ctx context.Context) iter.Seq2[*BookEntry, error]

	// Games returns the number of games the book was made from, as it is
	// stored.
	Games() int

	// Leftover returns what the format stored about the book as a whole.
	Leftover() *Leftover
}

// BookEntry is a position of a book with the moves listed there.
type BookEntry struct {
	Position Position
	// Stats are the figures of the position, seen by the side to move. Of an entry that
	// is Weighed there are none.
	Stats BookStats
	Moves []BookMove
	// Weighed says that the book has a MoveWeight for each move instead of figures of the
	// position it leads to, as Polyglot books do.
	Weighed bool
	// MovesErr says why Moves lacks one that is stored: it is not legal, or
	// listed before.
	MovesErr error
	// Leftover is the entry as its format stored it. It depends on all other
	// fields.
	Leftover *Leftover
}

// BookMove is a move that a book lists in a position.
type BookMove struct {
	Move Move
	// Annotation is what the book says of the move: $1 for !, 0 for nothing.
	Annotation NAG
	// Known reports whether the position after the move is in the book. Then Stats
	// are its figures, from the view of the player who makes the move.
	Known bool
	Stats BookStats
	// MoveWeight says how good the move is, in a book that is Weighed; 0 is never played.
	// Programs choose a move with a chance of its share of the weights of the position;
	// most books count two for a win of the player who made it, and one for a draw. Learn
	// is what a program learnt from its own games.
	MoveWeight uint16
	Learn      uint32
}

// BookStats are the results of the games through a position, from the view of
// one player, called "own".
type BookStats struct {
	// Games may exceed the sum of wins, draws and losses: games without a
	// result count too.
	Games, Wins, Draws, Losses uint32
	// Score is the sum of the own points in tenths: 10 for a win, 5 for a
	// draw, 0 to 10 for a game without a result, by how it stood.
	Score uint32
	// Own and Opponent are the ratings of the two sides' players.
	Own, Opponent BookRatings
	// Recommendation, Weight and Commentary belong to the position, and so to
	// every move that leads to it.
	Recommendation Recommendation
	// Weight is the user's factor for the move, from -125 (never) to 125
	// (always), 0 for none.
	Weight int8
	// Commentary judges the position: $11 equal, $14 White is slightly better.
	// White is the side with the white pieces on the board of the entry.
	Commentary NAG
}

// Fits reports whether the figures are consistent: no more results than games,
// a score that these results can give, and ratings of no more games than there
// are.
func (s *BookStats) Fits() bool {
	decided := uint64(s.Wins) + uint64(s.Draws) + uint64(s.Losses)
	least := 10*uint64(s.Wins) + 5*uint64(s.Draws)
	most := least + 10*(uint64(s.Games)-decided)
	return decided <= uint64(s.Games) && uint64(s.Score) >= least && uint64(s.Score) <= most &&
		s.Own.Games <= s.Games && s.Opponent.Games <= s.Games
}

// BookRatings sums up the ratings of one side's players.
type BookRatings struct {
	// Games is the number of games in which the player had a rating.
	Games uint32
	// Sum of those ratings.
	Sum uint32
}

// Average returns the average rating, rounded, or 0 if there is none.
func (r BookRatings) Average() int {
	if r.Games == 0 {
		return 0
	}
	return int((uint64(r.Sum) + uint64(r.Games)/2) / uint64(r.Games))
}

// Recommendation is how the user of a book has marked a move.
type Recommendation uint8

// The recommendations. A move can be marked both ways; AvoidMove wins.
const (
	NoRecommendation Recommendation = iota
	// MainMove is to be played; ChessBase shows it in green.
	MainMove
	// AvoidMove is not to be played in tournaments; ChessBase shows it in red.
	AvoidMove
)

// String returns "main", "avoid" or "".
func (r Recommendation) String() string {
	switch r {
	case MainMove:
		return "main"
	case AvoidMove:
		return "avoid"
	}
	return ""
}

// OtherSide returns the same figures as the opponent sees them.
func (s BookStats) OtherSide() BookStats {
	s.Wins, s.Losses = s.Losses, s.Wins
	s.Own, s.Opponent = s.Opponent, s.Own
	s.Score = uint32(max(0, 10*int64(s.Games)-int64(s.Score)))
	return s
}

// Percent returns the own score in percent, 50 if there are no games.
func (s BookStats) Percent() float64 {
	if s.Games == 0 {
		return 50
	}
	return 10 * float64(s.Score) / float64(s.Games)
}

// MoveWeights returns the sum of the weights of the moves, of an entry that is Weighed.
func (e *BookEntry) MoveWeights() (sum int) {
	for i := range e.Moves {
		sum += int(e.Moves[i].MoveWeight)
	}
	return sum
}

// Clone returns a copy that shares nothing with e.
func (e *BookEntry) Clone() *BookEntry {
	c := *e
	c.Moves = append([]BookMove(nil), e.Moves...)
	c.Leftover = e.Leftover.Clone()
	return &c
}
