package dbfile

import (
	"errors"
	"fmt"
	"slices"

	"cbkit/model"
)

// IsDamage reports whether an error is about the content of a file, and not
// about reading it.
func IsDamage(err error) bool {
	return slices.ContainsFunc([]error{
		model.ErrNotDatabase, model.ErrTruncated, model.ErrUnsupported, model.ErrCorrupt,
	}, func(kind error) bool { return errors.Is(err, kind) })
}

// PassOver judges an error about an optional file. Damage of one is no reason
// not to read the others: it becomes a warning, and the file counts as missing.
// All else is returned as failure.
func PassOver(err error) (warning, failure error) {
	var e *model.FormatError
	if !IsDamage(err) || !errors.As(err, &e) {
		return nil, err
	}
	w := *e
	w.Err = fmt.Errorf("%w; the file counts as missing", e.Err)
	return &w, nil
}

// MissingError is the error of a file that is not there, without which something cannot
// be done.
type MissingError struct{ File, What string }

// Error returns both.
func (e *MissingError) Error() string { return e.File + ": the file is missing; " + e.What }

// Missing is the error of a file without which a database cannot be read.
func Missing(file string) error {
	return &MissingError{file, "the database cannot be read without it"}
}
