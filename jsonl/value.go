package jsonl

import (
	"fmt"
	"sync"

	"cbkit/internal/jsontext"
	"cbkit/model"
)

// AppendValue appends an annotation's value as one JSON object without
// line breaks: {"kind":"text","lang":"en","before":true,"text":"…"}.
//
// The members have a fixed order, "kind" first, and are left out when they
// are zero or empty. Squares and moves have names ("e4", "e7e8q"), small
// enumerations have words, NAGs and other quantities are numbers; what has no
// word is written as "#9". Bytes are in base64 under "raw", and so is, as
// {"raw":"…"} in place of the string, a string that is not UTF-8.
// [ParseValue] gives an equal value back. docs/formats/jsonl.md lists the
// members of every kind. What [model.KnownValue] does not know is written as
// null.
func AppendValue(dst []byte, v model.Value) []byte {
	v, ok := model.KnownValue(v)
	if !ok {
		return append(dst, "null"...)
	}
	return kinds[v.Kind()].append(dst, v)
}

// ParseValue reads what [AppendValue] writes. The members may come in any
// order. An unknown kind, an unknown member, a member of another type, a
// number out of range and a word that is not known are errors that name it;
// of a member that occurs twice the last one counts.
func ParseValue(data []byte) (model.Value, error) { return parseValue(data, nil) }

// parseValue reads a value; a "leftover" among its members goes to l, and is
// not known if that is nil.
func parseValue(data []byte, l **model.Leftover) (model.Value, error) {
	name, err := kindOf(data)
	if err != nil {
		return nil, fmt.Errorf("annotation: %w", err)
	}
	kind, ok := kinds[name]
	if !ok {
		return nil, fmt.Errorf("annotation: unknown kind %.40q", name)
	}
	s := jsontext.NewScanner(data)
	v := kind.parse(s, l)
	if err := s.End(); err != nil {
		return nil, fmt.Errorf("annotation of kind %q: %w", name, err)
	}
	return v, nil
}

// kindOf finds the kind of an object, wherever it stands in it.
func kindOf(data []byte) (kind model.Kind, err error) {
	s := jsontext.NewScanner(data)
	s.BeginObject()
	for s.NextKey() {
		if string(s.Key()) == "kind" {
			return model.Kind(s.Bytes()), s.Err()
		}
		s.Skip()
	}
	s.Failf(`no "kind"`)
	return "", s.Err()
}

// valueKind writes and reads the values of one kind.
type valueKind struct {
	append func([]byte, model.Value) []byte
	parse  func(*jsontext.Scanner, **model.Leftover) model.Value
}

// valueOf makes a kind of the shape of its type.
func valueOf[V model.Value](shape jsontext.Shape[V]) valueKind {
	return valueThrough(shape, func(v V) V { return v }, func(v V, _ *jsontext.Scanner) V { return v })
}

// valueThrough makes a kind of the shape of a type that its values are written
// and read through.
func valueThrough[V model.Value, T any](shape jsontext.Shape[T], of func(V) T, back func(T, *jsontext.Scanner) V) valueKind {
	// read is a value while it is read.
	type read struct {
		value    T
		leftover **model.Leftover
	}
	members := jsontext.Shape[read]{{Key: "kind", Parse: func(s *jsontext.Scanner, _ *read) { s.Bytes() }}}
	for _, m := range shape {
		members = append(members, jsontext.Member[read]{
			Key: m.Key, Parse: func(s *jsontext.Scanner, r *read) { m.Parse(s, &r.value) }})
	}
	members = append(members, jsontext.Member[read]{Key: "leftover", Parse: func(s *jsontext.Scanner, r *read) {
		if r.leftover == nil {
			s.Unknown()
			return
		}
		*r.leftover = parseLeftover(s)
	}})
	// written is a value while it is written; its memory is used again.
	type written struct {
		object jsontext.Object
		value  T
	}
	pool := sync.Pool{New: func() any { return new(written) }}
	return valueKind{
		append: func(dst []byte, v model.Value) []byte {
			w := pool.Get().(*written)
			defer pool.Put(w)
			w.object, w.value = jsontext.Object{Dst: dst}, of(v.(V))
			w.object.Text("kind", string(v.Kind()))
			shape.Append(&w.object, &w.value)
			return w.object.End()
		},
		parse: func(s *jsontext.Scanner, l **model.Leftover) model.Value {
			r := read{leftover: l}
			members.Parse(s, &r)
			return back(r.value, s)
		},
	}
}
