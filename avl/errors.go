package avl

import "errors"

// Reasons why a change is refused. None of them changes the tree.
var (
	// ErrDamaged: the operation met a wrong link, balance or count. Errors
	// of this kind are of type *DamageError. [Tree.Rebuild] helps.
	ErrDamaged = errors.New("tree is damaged")
	// ErrNotFound: the record to delete is not among the records of its key.
	ErrNotFound = errors.New("record is not where its key belongs")
	// ErrNotDetached: Insert and Release take only a record that came from
	// Allocate or Delete and has gone neither way since.
	ErrNotDetached = errors.New("record is not fresh from Allocate or Delete")
	// ErrFull: the tree has MaxNodes records and none is deleted.
	ErrFull = errors.New("no room for another record")
	// ErrBadIDs: the ids given to Rebuild repeat or lie outside the records.
	ErrBadIDs = errors.New("ids repeat or lie outside the records")
)

// A DamageError is the first fault that an operation met on its way.
// It is ErrDamaged to errors.Is.
type DamageError struct{ Finding Finding }

// Error names the record and says what to do.
func (e *DamageError) Error() string {
	return ErrDamaged.Error() + ": " + e.Finding.String() + "; rebuild it"
}

// Unwrap returns ErrDamaged.
func (e *DamageError) Unwrap() error { return ErrDamaged }

// damaged wraps a finding as an error.
func damaged(f Finding) error { return &DamageError{f} }
