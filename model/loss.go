package model

import (
	"fmt"

	"cbkit/internal/brief"
)

// LossKind is the kind of a loss. Summaries are sorted by it.
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
	// LostMoves: moves could not be decoded or written.
	LostMoves LossKind = "moves"
	// LostRecord: a whole record has no form in the target.
	LostRecord LossKind = "record"
	// LostFile: a file of the database was not carried over.
	LostFile LossKind = "file"
	// LostEntity: an entity that no record refers to.
	LostEntity LossKind = "entity"
	// Changed: a value was written in a form that reads back differently.
	Changed LossKind = "changed"
	// CutGame: a game or variation of the source ends before a move that cannot be
	// read, and the rest became a comment; or the source ends within a game.
	CutGame LossKind = "cut game"
	// ReadOtherwise: something in the source was left out, or read differently from
	// how it is stored.
	ReadOtherwise LossKind = "read otherwise"
)

// Loss is something that a target format cannot hold.
type Loss struct {
	Kind LossKind
	// Record is the record concerned, 0 if it is the database as a whole.
	Record RecordID
	// Field names what was lost: a tag, a header field, a kind of annotation.
	Field string
	// What describes the loss, with the beginning of the value.
	What string
}

// String returns one line, such as "record 17: Site: cut to 29 bytes".
func (l Loss) String() string {
	if l.Record == 0 {
		return fmt.Sprintf("%s: %s", l.Field, l.What)
	}
	return fmt.Sprintf("record %d: %s: %s", l.Record, l.Field, l.What)
}

// Report receives losses as they happen. A nil Report drops them.
type Report func(Loss)

// Add reports a loss. The format is that of fmt.Sprintf. Strings among the
// arguments are cut to 60 characters, except in losses of kind [LostFile].
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

// Tell reports a loss.
func (r Report) Tell(l Loss) {
	if r != nil {
		r(l)
	}
}

// LossError is the error of a [Sink] that lost something and had no Report.
type LossError struct {
	// Losses are the first losses, at most 100.
	Losses []Loss
	// Count is how many there were in all.
	Count int
}

// listedLosses is how many losses a [LossError] lists.
const listedLosses = 100

// Add counts a loss.
func (e *LossError) Add(l Loss) {
	if e.Count++; len(e.Losses) < listedLosses {
		e.Losses = append(e.Losses, l)
	}
}

// Error returns one line with the first loss.
func (e *LossError) Error() string {
	more := ""
	if e.Count > 1 {
		more = fmt.Sprintf(" (+%d more)", e.Count-1)
	}
	return fmt.Sprintf("lost: %v%s; give a Report to be told, or accept losses", e.Losses[0], more)
}
