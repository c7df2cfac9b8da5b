package jsonl

import (
	"errors"
	"fmt"
	"strings"

	"cbkit/internal/jsontext"
	"cbkit/model"
)

// appendLeftover appends a leftover as an object with one member, whose key is
// the format that can read it: {"cbh":"base64"}.
func appendLeftover(o *jsontext.Object, key string, l *model.Leftover) {
	if l == nil {
		return
	}
	o.Key(key)
	o.Dst = jsontext.AppendString(append(o.Dst, '{'), strings.ToValidUTF8(l.Format, "?"))
	o.Dst = jsontext.AppendBase64(append(o.Dst, ':'), l.Data)
	o.Dst = append(o.Dst, '}')
}

// parseLeftover reads what appendLeftover writes.
func parseLeftover(s *jsontext.Scanner) *model.Leftover {
	var l *model.Leftover
	s.BeginObject()
	for s.NextKey() {
		if l != nil {
			s.Failf("a leftover of two formats")
		}
		l = &model.Leftover{Format: string(s.Key())}
		l.Data = s.Base64()
	}
	if l == nil {
		s.Failf("a leftover without a format")
	}
	return l
}

// appendDatabaseLeftover lets the leftover of the database as a whole ride
// with the first record.
func (e *encoder) appendDatabaseLeftover(o *jsontext.Object) {
	appendLeftover(o, "database", e.database)
	e.database = nil
}

// appendEntityLeftovers lets the leftovers of entities ride with the first
// record that mentions them.
func appendEntityLeftovers(o *jsontext.Object, r *resolved) {
	for i, l := range r.leftovers {
		appendLeftover(o, roleNames[i], l)
	}
}

// errorKinds are the kinds of errors that have a name in JSON Lines.
var errorKinds = []struct {
	name string
	kind error
}{
	{"corrupt", model.ErrCorrupt},
	{"unsupported", model.ErrUnsupported},
	{"truncated", model.ErrTruncated},
	{"too-large", model.ErrTooLarge},
}

// undecodable is why some content could not be decoded when it was written.
type undecodable struct {
	reason string
	kind   error
}

// Error returns the reason in the words of the reader that met it.
func (u *undecodable) Error() string { return u.reason }

// Unwrap returns the kind of error.
func (u *undecodable) Unwrap() error { return u.kind }

// appendReason appends why content is undecodable; the content itself is
// among the leftovers.
func appendReason(o *jsontext.Object, key string, err error) {
	if err == nil {
		return
	}
	o.Key(key)
	reason := jsontext.Object{Dst: o.Dst}
	reason.Text("reason", err.Error())
	for _, k := range errorKinds {
		if errors.Is(err, k.kind) {
			reason.Text("error", k.name)
			break
		}
	}
	o.Dst = reason.End()
}

// parseReason reads what appendReason writes.
func parseReason(s *jsontext.Scanner) error {
	u := &undecodable{kind: model.ErrCorrupt}
	s.Members(func(key string) bool {
		switch key {
		case "reason":
			u.reason = s.Text()
		case "error":
			name := s.Text()
			err := fmt.Errorf("unknown kind of error %.40q", name)
			for _, k := range errorKinds {
				if k.name == name {
					u.kind, err = k.kind, nil
				}
			}
			s.Fail(err)
		default:
			return false
		}
		return true
	})
	return u
}
