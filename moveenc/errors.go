package moveenc

import "cbkit/model"

// fail returns the error of a decoder. The offset counts from the first byte
// of the record; who knows the file and the record completes the error.
func fail(offset int64, field string, err error) error {
	return &model.FormatError{File: "game record", Offset: offset, Record: -1, Field: field, Err: err}
}
