package cbhsalvage

import (
	"fmt"

	"cbkit/model"
)

// State says what became of a record.
type State string

// What can become of a record.
const (
	// Kept: all of it came out.
	Kept State = "kept"
	// Cut: a part of it came out.
	Cut State = "cut"
	// Lost: nothing of it came out.
	Lost State = "lost"
	// Found: it came out, and belongs to no id.
	Found State = "found"
)

// Moves says how much of the moves of a game came out.
type Moves string

// How much it can be.
const (
	AllMoves  Moves = ""     // as far as it is known
	SomeMoves Moves = "some" // those before the place where they break off
	NoMoves   Moves = "none"
)

// Fate is what became of one record.
type Fate struct {
	// ID is its number in the damaged database; of one that was found, a number
	// behind all others.
	ID model.RecordID
	// New is its number in the new database, 0 if it has none.
	New   model.RecordID
	State State
	Moves Moves
	// Why says what is missing and the reason, nothing of a record that was kept
	// as it is.
	Why []string
}

// miss notes that something is missing.
func (f *Fate) miss(format string, args ...any) {
	if f.State == Kept {
		f.State = Cut
	}
	f.note(format, args...)
}

// note notes something that costs nothing.
func (f *Fate) note(format string, args ...any) { f.Why = append(f.Why, fmt.Sprintf(format, args...)) }
