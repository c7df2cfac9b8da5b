package model

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// The kinds of errors, for errors.Is.
var (
	// ErrNotDatabase: the file is not what its name says.
	ErrNotDatabase = errors.New("not a database")
	// ErrTruncated: the file ends too early.
	ErrTruncated = errors.New("truncated")
	// ErrUnsupported: the file is sound, as far as can be seen, but of a kind or
	// version that is not supported.
	ErrUnsupported = errors.New("unsupported")
	// ErrCorrupt: the content contradicts itself or the format.
	ErrCorrupt = errors.New("corrupt")
	// ErrLocked: another program is writing the database.
	ErrLocked = errors.New("locked")
	// ErrNeedsRecovery: a writer was interrupted and left a journal.
	ErrNeedsRecovery = errors.New("needs recovery")
	// ErrUncertain: everything is in place, but the disk has not confirmed it, so a crash
	// can undo it. Doing it again would do it twice. No error is both this and
	// ErrCommitted.
	ErrUncertain = errors.New("in place, but the disk does not say that it will keep it")
	// ErrCommitted: the changes are in place all the same, and stay there whatever
	// happens. An error of a commit wraps it if it came too late to undo anything: a step
	// after the commit failed, or the files could not be opened again.
	ErrCommitted = errors.New("the changes are in place to stay")
	// ErrChanged: another program changed the database while it was open.
	ErrChanged = errors.New("changed")
	// ErrNoRecord: there is no record with that id.
	ErrNoRecord = errors.New("no such record")
	// ErrTooLarge: the value exceeds a limit of the target format.
	ErrTooLarge = errors.New("too large for the format")
	// ErrOption: an option has an invalid value. Nothing was done.
	ErrOption = errors.New("bad option")
	// ErrNotMade: a game or text that neither NewGame, NewHeader, NewGuidingText nor a
	// source made, so that its entities would be those with the number 0.
	ErrNotMade = errors.New("not made by model.NewGame, model.NewHeader or model.NewGuidingText")
)

// UntidyError says that everything was done, but a lock, working file or backup that
// cbkit made could not be removed. It is harmless, and a recovery removes it.
type UntidyError struct {
	Path string // what is left behind
	Err  error  // why
}

// Error returns one line.
func (e *UntidyError) Error() string {
	err := e.Err
	if p, ok := err.(*fs.PathError); ok && p.Path == e.Path {
		err = p.Err
	}
	return fmt.Sprintf("%s: done, but this could not be removed: %v; cbkit recover removes it", e.Path, err)
}

// Unwrap returns Err.
func (e *UntidyError) Unwrap() error { return e.Err }

// IsDone reports whether everything was done: the error is nil, or says only that
// something could not be removed.
func IsDone(err error) bool {
	switch e := err.(type) {
	case nil, *UntidyError:
		return true
	case interface{ Unwrap() []error }:
		list := e.Unwrap()
		return len(list) > 0 && !slices.ContainsFunc(list, func(err error) bool { return !IsDone(err) })
	case interface{ Unwrap() error }:
		inner := e.Unwrap()
		return inner != nil && IsDone(inner)
	}
	return false
}

// FormatError reports where a file contradicts its format.
type FormatError struct {
	// File is the name of the file, with its extension.
	File string
	// Offset is the place in the file in bytes, -1 if it is not known.
	Offset int64
	// Record is the number of the record or entity concerned, -1 if there is none.
	Record int64
	// Field names the field, "" if there is none.
	Field string
	// Err is the reason. It wraps one of the kinds of errors above.
	Err error
}

// Error returns one line, such as
// "games.cbg: record 17 at 0x4c2 (size): exceeds the file".
func (e *FormatError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Record >= 0 {
		fmt.Fprintf(&b, ": record %d", e.Record)
		if e.Offset >= 0 {
			fmt.Fprintf(&b, " at 0x%x", e.Offset)
		}
	} else if e.Offset >= 0 {
		fmt.Fprintf(&b, ": at 0x%x", e.Offset)
	}
	if e.Field != "" {
		fmt.Fprintf(&b, " (%s)", e.Field)
	}
	fmt.Fprintf(&b, ": %v", e.Err)
	return b.String()
}

// Unwrap returns Err.
func (e *FormatError) Unwrap() error { return e.Err }

// RecordError is the error of a [Sink] that refuses one record.
type RecordError struct {
	Record RecordID
	Err    error
}

// Error returns one line, such as "record 17: there is no player 9".
func (e *RecordError) Error() string { return fmt.Sprintf("record %d: %v", e.Record, e.Err) }

// Unwrap returns Err.
func (e *RecordError) Unwrap() error { return e.Err }
