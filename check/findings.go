package check

import (
	"errors"
	"fmt"

	"cbkit/model"
	"cbkit/read"
)

// findings collects what is found in the selected files.
type findings struct {
	set      *read.FileSet
	selected selection
	list     []Finding
}

// place is where something was found.
type place struct {
	ext    string
	record int64
	offset int64
	field  string
}

// inFile is a file as a whole.
func inFile(ext string) place { return place{ext, -1, -1, ""} }

// inHeader is a field of a file's header.
func inHeader(ext string, offset int64, field string) place { return place{ext, -1, offset, field} }

// inRecord is a field of a record or entity that begins at an offset.
func inRecord[ID int | int32 | int64 | model.RecordID](ext string, id ID, offset int64, field string) place {
	return place{ext, int64(id), offset, field}
}

// add adds a finding of a code with its usual severity.
func (f *findings) add(code string, p place, format string, args ...any) {
	f.addAs(severities[code], code, p, format, args...)
}

// addAs adds a finding with another severity.
func (f *findings) addAs(s Severity, code string, p place, format string, args ...any) {
	if !f.selected.has(p.ext) {
		return
	}
	f.list = append(f.list, Finding{
		Code: code, Severity: s, File: f.set.Name(p.ext),
		Record: p.record, Offset: p.offset, Field: p.field, Message: fmt.Sprintf(format, args...),
	})
}

// addError adds a finding from the error of a decoder that was given the bytes
// from p.offset on; what says what it did with them.
func (f *findings) addError(code string, p place, what string, err error) {
	var e *model.FormatError
	if errors.As(err, &e) {
		if p.field == "" {
			p.field = e.Field
		}
		if p.offset >= 0 && e.Offset > 0 {
			p.offset += e.Offset
		}
		err = e.Err
	}
	f.add(code, p, "%s: %v", what, err)
}

// quantity returns a number of things, such as "1 byte" and "2 bytes".
func quantity[N int | int32 | int64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
