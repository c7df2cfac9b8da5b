package cbh

import "cbkit/model"

// fail returns the error of a decoder: offset counts from the first byte it
// was given. [wire.Locate] adds the file.
func fail(offset int64, field string, err error) error {
	return &model.FormatError{Offset: offset, Record: -1, Field: field, Err: err}
}

// truncated is the error for b that ends too early.
func truncated(b []byte) error { return fail(int64(len(b)), "", model.ErrTruncated) }
