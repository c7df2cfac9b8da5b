package jsonl

import (
	"errors"
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

func leftover[T any](key string, at func(*T) **model.Leftover) jsontext.Member[T] {
	return jsontext.Member[T]{Key: key,
		Append: func(o *jsontext.Object, key string, v *T) { appendLeftover(o, key, *at(v)) },
		Parse:  func(s *jsontext.Scanner, v *T) { *at(v) = parseLeftover(s) }}
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

// reasonShape says why content is undecodable; the content itself is among the
// leftovers.
var reasonShape = jsontext.Shape[undecodable]{
	jsontext.String("reason", func(u *undecodable) *string { return &u.reason }),
	jsontext.Named("error", "kind of error", func(u *undecodable) *error { return &u.kind }, errorName, parseErrorName),
}

func reason(key string, at func(*details) *error) jsontext.Member[details] {
	return jsontext.Member[details]{Key: key,
		Append: func(o *jsontext.Object, key string, d *details) {
			if err := *at(d); err != nil {
				o.Key(key)
				inner := jsontext.Object{Dst: o.Dst}
				reasonShape.Append(&inner, &undecodable{reason: err.Error(), kind: err})
				o.Dst = inner.End()
			}
		},
		Parse: func(s *jsontext.Scanner, d *details) {
			u := &undecodable{kind: model.ErrCorrupt}
			reasonShape.Parse(s, u)
			*at(d) = u
		}}
}

func errorName(err error) string {
	for _, k := range errorKinds {
		if errors.Is(err, k.kind) {
			return k.name
		}
	}
	return ""
}

func parseErrorName(name string) (error, bool) {
	for _, k := range errorKinds {
		if k.name == name {
			return k.kind, true
		}
	}
	return nil, false
}
