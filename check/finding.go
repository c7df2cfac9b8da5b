package check

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"cbkit/internal/cbhdb"
	"cbkit/model"
	"cbkit/read"
)

// Severity distinguishes damage from oddities.
type Severity uint8

const (
	// Note is an oddity that does no harm; real databases have many.
	Note Severity = iota + 1
	// Error is a violation of the format.
	Error
)

// String returns "note" or "error".
func (s Severity) String() string {
	if s == Error {
		return "error"
	}
	return "note"
}

// MarshalText implements [encoding.TextMarshaler].
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Finding is a fault or an oddity at one place.
type Finding struct {
	// Code names the kind of finding; [Codes] lists all. Codes do not change
	// from one version of the program to the next.
	Code     string
	Severity Severity
	// File is the name of the file as it is on disk.
	File string
	// Record is the number of the game or text, from 1, or of an entity or
	// media list, from 0; -1: the file as a whole.
	Record int64
	// Offset is the place in the file in bytes, -1 if there is none.
	Offset int64
	// Field names the field, "" if there is none.
	Field string
	// Message is a plain sentence.
	Message string
	// Fix, if not nil, makes it true; see [Options.Fixes].
	Fix *Fix
	// More, if not 0, says that this finding stands for so many findings of the
	// same code that are not reported one by one.
	More int
}

// String returns one line: "games.cbh: record 17 (date): month 14 does not
// exist".
func (f Finding) String() string {
	var b strings.Builder
	b.WriteString(f.File)
	switch {
	case f.Record >= 0:
		fmt.Fprintf(&b, ": record %d", f.Record)
	case f.Field != "":
		b.WriteString(": header")
	}
	if f.Field != "" {
		fmt.Fprintf(&b, " (%s)", f.Field)
	}
	b.WriteString(": ")
	b.WriteString(f.Message)
	return b.String()
}

// MarshalJSON implements [json.Marshaler]. A number that is not there is left
// out.
func (f Finding) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Code     string   `json:"code"`
		Severity Severity `json:"severity"`
		File     string   `json:"file"`
		Record   number   `json:"record,omitzero"`
		Offset   number   `json:"offset,omitzero"`
		Field    string   `json:"field,omitempty"`
		Message  string   `json:"message"`
		More     int      `json:"more,omitempty"`
	}{f.Code, f.Severity, f.File, number(f.Record), number(f.Offset), f.Field, f.Message, f.More})
}

// number is a number that is not there if it is less than 0.
type number int64

// IsZero reports whether JSON leaves it out.
func (n number) IsZero() bool { return n < 0 }

// findings collects what is found in the selected files.
type findings struct {
	// set has the names of files that are given by their endings.
	set      *read.FileSet
	selected selection
	// see, if not nil, takes the findings as they are made; else they are listed.
	see  func(Finding)
	list []Finding
	// isMendable says that something mends one of them.
	isMendable bool
}

// place is where something was found. The file is given by its ending, or by its
// name.
type place = cbhdb.Place

// inFile is a file as a whole.
func inFile(ext string) place { return place{File: ext, Record: -1, Offset: -1} }

// inHeader is a field of a file's header.
func inHeader(ext string, offset int64, field string) place {
	return place{File: ext, Record: -1, Offset: offset, Field: field}
}

// inRecord is a field of a record or entity that begins at an offset.
func inRecord[ID int | int32 | int64 | model.RecordID](ext string, id ID, offset int64, field string) place {
	return place{File: ext, Record: int64(id), Offset: offset, Field: field}
}

// add adds a finding of a code with its usual severity.
func (f *findings) add(code *Code, p place, format string, args ...any) {
	f.addAs(code.Severity, code, p, format, args...)
}

// addAs adds a finding with another severity.
func (f *findings) addAs(s Severity, code *Code, p place, format string, args ...any) {
	if !f.selected.has(p.File) {
		return
	}
	f.isMendable = f.isMendable || code.by != ""
	found := f.finding(s, code, p, format, args...)
	if f.see != nil {
		f.see(found)
		return
	}
	f.list = append(f.list, found)
}

// finding makes a finding.
func (f *findings) finding(s Severity, code *Code, p place, format string, args ...any) Finding {
	if strings.HasPrefix(p.File, ".") {
		p.File = f.set.Name(p.File)
	}
	return Finding{
		Code: code.Code, Severity: s, File: p.File,
		Record: p.Record, Offset: p.Offset, Field: p.Field, Message: fmt.Sprintf(format, args...),
	}
}

// addSome adds a finding that there are n of a thing, if there are any.
func (f *findings) addSome(code *Code, p place, n int, thing, format string) {
	if n > 0 {
		f.add(code, p, format, quantity(n, thing))
	}
}

// addDecodeError adds a finding from the error of a decoder that was given the bytes
// from p.Offset on; what says what it did with them.
func (f *findings) addDecodeError(code *Code, p place, what string, err error) {
	if e, ok := errors.AsType[*model.FormatError](err); ok {
		if p.Field == "" {
			p.Field = e.Field
		}
		if p.Offset >= 0 && e.Offset > 0 {
			p.Offset += e.Offset
		}
		err = e.Err
	}
	f.add(code, p, "%s: %v", what, err)
}

// addStated adds a finding from an error that states its place, if it does; else
// that is p.
func (f *findings) addStated(code *Code, p place, err error) {
	if e, ok := errors.AsType[*model.FormatError](err); ok {
		p, err = place{File: e.File, Record: e.Record, Offset: e.Offset, Field: e.Field}, e.Err
	}
	f.add(code, p, "%v", err)
}

// quantity returns a number of things, such as "1 byte" and "2 bytes".
func quantity[N int | int32 | int64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Ruling says why the findings of a code are errors or notes.
type Ruling string

const (
	// Named: the reference of the format says what it is, an error or a note. For
	// ChessBase databases and their boosters that is the list in
	// docs/formats/real-databases.md 11, for opening books docs/formats/ctg.md.
	Named Ruling = "named"
	// Structure: not named, and what is stored cannot be read as its format
	// says: always an error.
	Structure Ruling = "structure"
	// Harmless: not named as an error, and nothing else depends on it, such as a
	// value without a meaning: always a note.
	Harmless Ruling = "harmless"
)

// Code describes one kind of finding.
type Code struct {
	Code string `json:"code"`
	// Severity is the usual one; Meaning says when it is another.
	Severity Severity `json:"severity"`
	Ruling   Ruling   `json:"ruling"`
	Meaning  string   `json:"meaning"`

	by, unless string // see Repair
}

// Repair returns, in words, what repairs findings of the code, "" if nothing does, and
// when or why they are left alone, "" if never. Only ChessBase databases are repaired.
func (c Code) Repair() (by, unless string) { return c.by, c.unless }
