package check

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Severity tells damage from oddities.
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

// Finding is one thing that is not as it should be.
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
	// More is not 0 in a finding that stands, at the end, for so many that are
	// like others before it and are not listed.
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
		Record   *int64   `json:"record,omitempty"`
		Offset   *int64   `json:"offset,omitempty"`
		Field    string   `json:"field,omitempty"`
		Message  string   `json:"message"`
		More     int      `json:"more,omitempty"`
	}{f.Code, f.Severity, f.File, present(f.Record), present(f.Offset), f.Field, f.Message, f.More})
}

// present returns nil for a number that is not there.
func present(n int64) *int64 {
	if n < 0 {
		return nil
	}
	return &n
}
