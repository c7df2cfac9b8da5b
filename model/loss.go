package model

import (
	"fmt"

	"cbkit/internal/brief"
)

// LossKind sorts losses for a summary.
type LossKind string

// The kinds of losses.
const (
	// LostTag: a game tag has no field in the target.
	LostTag LossKind = "tag"
	// LostField: a header field has no place in the target, or its value has
	// none there.
	LostField LossKind = "field"
	// LostTextEnd: a name or text was cut to the size of its field.
	LostTextEnd LossKind = "cut"
	// LostAnnotation: an annotation has no form in the target.
	LostAnnotation LossKind = "annotation"
	// LostMoves: moves that could not be decoded, or not be written.
	LostMoves LossKind = "moves"
	// LostRecord: a whole record has no form in the target.
	LostRecord LossKind = "record"
	// LostFile: a file of the database as a whole did not go along.
	LostFile LossKind = "file"
	// LostEntity: an entity that no record refers to.
	LostEntity LossKind = "entity"
	// Changed: a value was written in a form that reads back differently.
	Changed LossKind = "changed"
	// CutGame: a game of the source, or one of its variations, was read up to
	// a move that cannot be read; what follows it became a comment. Or the
	// source ends in the middle of the game.
	CutGame LossKind = "cut game"
	// ReadOtherwise: something in the source was left out, or read otherwise
	// than it stands there.
	ReadOtherwise LossKind = "read otherwise"
)

// Loss is something that a target format could not take.
type Loss struct {
	Kind LossKind
	// Record is the record concerned, 0 if it is the database as a whole.
	Record RecordID
	// Field names what was lost: a tag, a header field, a kind of annotation.
	Field string
	// What says it in words, with the beginning of the value.
	What string
}

// String returns one line, such as "record 17: Site: cut to 29 bytes".
func (l Loss) String() string {
	if l.Record == 0 {
		return fmt.Sprintf("%s: %s", l.Field, l.What)
	}
	return fmt.Sprintf("record %d: %s: %s", l.Record, l.Field, l.What)
}

// Report takes losses as they happen. A nil Report drops them.
type Report func(Loss)

// Add reports a loss. Of strings among the arguments it takes the first 60
// characters, so that no loss is as long as a value; names of files are whole.
func (r Report) Add(kind LossKind, record RecordID, field, format string, args ...any) {
	if r == nil {
		return
	}
	say := brief.Sprintf
	if kind == LostFile {
		say = fmt.Sprintf
	}
	r(Loss{Kind: kind, Record: record, Field: brief.Text(field), What: say(format, args...)})
}

// Tell reports a loss as it is.
func (r Report) Tell(l Loss) {
	if r != nil {
		r(l)
	}
}

// LossError is the error of a [Sink] that lost something and had nobody to tell.
type LossError struct {
	// Losses are the first losses, at most [ListedLosses].
	Losses []Loss
	// Count is how many there were in all.
	Count int
}

// ListedLosses is how many losses a [LossError] lists.
const ListedLosses = 100

// Add counts a loss.
func (e *LossError) Add(l Loss) {
	if e.Count++; len(e.Losses) < ListedLosses {
		e.Losses = append(e.Losses, l)
	}
}

// Error returns one line with the first loss.
func (e *LossError) Error() string {
	more := ""
	if e.Count > 1 {
		more = fmt.Sprintf(" (+%d more)", e.Count-1)
	}
	return fmt.Sprintf("%v: %v%s; give a Report to be told, or accept losses", ErrLoss, e.Losses[0], more)
}

// Unwrap returns [ErrLoss].
func (e *LossError) Unwrap() error { return ErrLoss }
