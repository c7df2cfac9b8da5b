package wire

import (
	"errors"

	"cbkit/model"
)

// Locate completes a [*model.FormatError] with what only the caller of a
// decoder knows: the name of the file, where in it the decoded bytes begin, and
// the number of the record (-1: none). Other errors are returned as they are.
func Locate(err error, file string, offset, record int64) error {
	var e *model.FormatError
	if !errors.As(err, &e) {
		return err
	}
	located := *e
	located.File = file
	if located.Offset >= 0 {
		located.Offset += offset
	}
	if record >= 0 {
		located.Record = record
	}
	return &located
}
