package model

import (
	"fmt"

	"cbkit/internal/jsontext"
)

// AppendValueJSON appends an annotation's value as one JSON object without
// line breaks: {"kind":"text","lang":"en","before":true,"text":"…"}.
//
// The members have a fixed order, "kind" first, and are left out when they
// are zero or empty. Squares and moves have names ("e4", "e7e8q"), small
// enumerations have words, NAGs and other quantities are numbers; what has no
// word is written as "#9". Bytes are in base64 under "raw", and so is, as
// {"raw":"…"} in place of the string, a string that is not UTF-8.
// [ParseValueJSON] gives an equal value back. docs/formats/jsonl.md lists the
// members of every kind. What [KnownValue] does not know is written as null.
func AppendValueJSON(dst []byte, v Value) []byte {
	v, ok := KnownValue(v)
	if !ok {
		return append(dst, "null"...)
	}
	o := jsontext.Object{Dst: dst}
	o.Text("kind", string(v.Kind()))
	switch v := v.(type) {
	case Text:
		v.appendJSON(&o)
	case Symbols:
		v.appendJSON(&o)
	case Squares:
		v.appendJSON(&o)
	case Arrows:
		v.appendJSON(&o)
	case TimeSpent:
		v.appendJSON(&o)
	case Training:
		v.appendJSON(&o)
	case Quotation:
		v.appendJSON(&o)
	case PawnStructure:
		o.Int("structure", int64(v))
	case PiecePath:
		v.appendJSON(&o)
	case Clock:
		v.appendJSON(&o)
	case Critical:
		o.Text("phase", v.String())
	case WebLink:
		v.appendJSON(&o)
	case Engine:
		v.appendJSON(&o)
	case Medals:
		v.appendJSON(&o)
	case VariationColor:
		v.appendJSON(&o)
	case TimeControl:
		v.appendJSON(&o)
	case VideoTime:
		o.Int("time", int64(v))
	case Evaluations:
		v.appendJSON(&o)
	case Opaque:
		v.appendJSON(&o)
	}
	return o.End()
}

// valueParsers reads the members of an object of each kind.
var valueParsers = map[Kind]func(*jsontext.Scanner) Value{
	KindText:           parseText,
	KindSymbols:        parseSymbols,
	KindSquares:        parseSquares,
	KindArrows:         parseArrows,
	KindTimeSpent:      parseTimeSpent,
	KindTraining:       parseTraining,
	KindQuotation:      parseQuotation,
	KindPawnStructure:  parsePawnStructure,
	KindPiecePath:      parsePiecePath,
	KindClock:          parseClock,
	KindCritical:       parseCritical,
	KindWebLink:        parseWebLink,
	KindEngine:         parseEngine,
	KindMedals:         parseMedals,
	KindVariationColor: parseVariationColor,
	KindTimeControl:    parseTimeControl,
	KindVideoTime:      parseVideoTime,
	KindEvaluations:    parseEvaluations,
	KindOpaque:         parseOpaque,
}

// ParseValueJSON reads what [AppendValueJSON] writes. The members may come in
// any order. An unknown kind, an unknown member, a member of another type, a
// number out of range and a word that is not known are errors that name it;
// of a member that occurs twice the last one counts.
func ParseValueJSON(data []byte) (Value, error) {
	kind, err := kindOf(data)
	if err != nil {
		return nil, fmt.Errorf("annotation: %w", err)
	}
	parse := valueParsers[kind]
	if parse == nil {
		return nil, fmt.Errorf("annotation: unknown kind %.40q", kind)
	}
	s := jsontext.NewScanner(data)
	v := parse(s)
	if err := s.End(); err != nil {
		return nil, fmt.Errorf("annotation of kind %q: %w", kind, err)
	}
	return v, nil
}

// kindOf finds the kind of an object, wherever it stands in it.
func kindOf(data []byte) (kind Kind, err error) {
	s := jsontext.NewScanner(data)
	s.BeginObject()
	for s.NextKey() {
		if string(s.Key()) == "kind" {
			return Kind(s.Bytes()), s.Err()
		}
		s.Skip()
	}
	s.Failf(`no "kind"`)
	return "", s.Err()
}

// members reads an object and calls member for every key but "kind"; see
// [jsontext.Scanner.Members].
func members(s *jsontext.Scanner, member func(key string) bool) {
	s.Members(func(key string) bool {
		if key == "kind" {
			s.Bytes()
			return true
		}
		return member(key)
	})
}
