package avl

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Kind says which rule a [Finding] is about.
type Kind uint8

// The rules of the tree and of the list of deleted records. The comment of each kind says
// what ID, Value and Want of a Finding mean.
const (
	BadRoot        Kind = iota + 1 // live records exist, but the root (Value) is none of them; ID is None
	BadLink                        // the link of ID leads to Value, outside the records
	DeadLink                       // the link of ID leads to Value, a deleted record
	Cycle                          // the link of ID leads back up to Value, from which ID is reached
	TwoParents                     // the link of ID leads to Value, which already has another parent
	Unreachable                    // the live record ID is not reached from the root
	Disorder                       // ID sorts before Value, but comes right after it
	WrongBalance                   // ID stores the balance Value; its subtrees make it Want
	StaleBalance                   // ID stores the balance Value, but has no child there; only in a DamageError
	Unbalanced                     // ID is, or says that it is, out of balance by Value (right - left)
	WrongLive                      // the header counts Value live records, there are Want; ID is None
	FreeBadLink                    // the list of deleted records goes from ID (None: the header) to Value, outside the records
	FreeNotDeleted                 // the list of deleted records goes from ID (None: the header) to Value, a live record
	FreeLoop                       // the list of deleted records goes from ID back to Value
	FreeMissing                    // the deleted record ID is not on the list
	DeletedBalance                 // the deleted record ID stores the balance Value instead of 0
)

// The fields of a record and of the file header that make the tree.
const (
	fieldKey     = "key" // whatever the caller compares
	fieldLeft    = "left"
	fieldRight   = "right"
	fieldBalance = "balance"
	fieldRoot    = "root"
	fieldFree    = "first deleted"
	fieldLive    = "live records"
)

// A Finding is one violation of the rules of the tree.
type Finding struct {
	Kind Kind
	ID   int32 // the record with the wrong field; None for the file header
	// Field is the field that is wrong: "key" (what the caller compares), "left", "right"
	// or "balance" of a record; "root", "first deleted" or "live records" of the header.
	Field string
	Value int32 // what it holds, or the other record; see Kind
	Want  int32 // what it should hold, for WrongBalance and WrongLive
}

// String gives the place and the sentence: "record 17 (left): leads to 99, …".
func (f Finding) String() string {
	if f.ID == None {
		return fmt.Sprintf("header (%s): %s", f.Field, f.Text())
	}
	return fmt.Sprintf("record %d (%s): %s", f.ID, f.Field, f.Text())
}

// sentences are the texts of the kinds.
var sentences = [...]string{
	BadRoot:        "{value} is not a live record",
	BadLink:        "leads to {value}, outside the records",
	DeadLink:       "leads to {value}, a deleted record",
	Cycle:          "leads back up to {value}",
	TwoParents:     "leads to {value}, which has another parent",
	Unreachable:    "live, but not reached from the root",
	Disorder:       "sorts before {value}, but follows it",
	WrongBalance:   "is {value}, the subtrees make it {want}",
	StaleBalance:   "is {value}, but there is no child on that side",
	Unbalanced:     "out of balance by {value}",
	WrongLive:      "counts {value}, there are {want}",
	FreeBadLink:    "the list of deleted records leads to {value}, outside the records",
	FreeNotDeleted: "the list of deleted records leads to {value}, a live record",
	FreeLoop:       "the list of deleted records leads back to {value}",
	FreeMissing:    "deleted, but not on the list of deleted records",
	DeletedBalance: "is {value} in a deleted record",
}

// Text gives the sentence alone, for callers that print the place themselves.
func (f Finding) Text() string {
	if int(f.Kind) >= len(sentences) || sentences[f.Kind] == "" {
		return fmt.Sprintf("unknown kind of finding %d", f.Kind)
	}
	return strings.NewReplacer(
		"{value}", strconv.Itoa(int(f.Value)),
		"{want}", strconv.Itoa(int(f.Want)),
	).Replace(sentences[f.Kind])
}

// Reasons why a change is refused. None of them changes the tree.
var (
	// errNotFound: the record to delete is not among the records of its key.
	errNotFound = errors.New("record is not where its key belongs")
	// errNotDetached: Insert and Release take only a record that came from
	// Allocate or Delete and has gone neither way since.
	errNotDetached = errors.New("record is not fresh from Allocate or Delete")
	// errFull: the tree has maxNodes records and none is deleted.
	errFull = errors.New("no room for another record")
	// errBadIDs: the ids given to Rebuild repeat or lie outside the records.
	errBadIDs = errors.New("ids repeat or lie outside the records")
)

// A DamageError is the first fault, a wrong link, balance or count, that an operation
// met on its way. [Tree.Rebuild] helps.
type DamageError struct{ Finding Finding }

// Error names the record and says what to do.
func (e *DamageError) Error() string {
	return "tree is damaged: " + e.Finding.String() + "; rebuild it"
}

// damaged wraps a finding as an error.
func damaged(f Finding) error { return &DamageError{f} }
