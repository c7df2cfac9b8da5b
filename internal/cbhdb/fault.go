package cbhdb

import (
	"fmt"

	"cbkit/model"
)

// Code names a kind of fault.
type Code string

// The kinds of faults.
const (
	// OffsetOutside: a part of a record begins where none can.
	OffsetOutside Code = "offset-outside"
	// RecordSize: a part of a record has a size that it cannot have.
	RecordSize Code = "record-size"
)

// Place is where something is found, or changed.
type Place struct {
	// File is the name of the file, or its ending where the name is yet to be
	// found.
	File string
	// Record is the number of the record, Offset the place in the file in
	// bytes; -1 is none.
	Record, Offset int64
	// Field names the field, "" if it is none.
	Field string
}

// A Fault is something that is wrong with the files of a database, as a value:
// what it is, and where.
type Fault struct {
	Code Code
	Place
	// Kind is the error that it is to errors.Is, such as model.ErrCorrupt.
	Kind error
	// Message is what is wrong.
	Message string
}

// Err returns the fault as a [*model.FormatError]; of no fault, nil.
func (f *Fault) Err() error {
	if f == nil {
		return nil
	}
	return &model.FormatError{
		File: f.File, Offset: f.Offset, Record: f.Record, Field: f.Field, Err: fmt.Errorf("%w: %s", f.Kind, f.Message),
	}
}
