package parquet

import (
	"fmt"
	"math"
	"strings"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"cbkit/model"
)

// shape is what the values of a column are, whatever type they have in a file.
type shape uint8

const (
	notRead     shape = iota
	shapeText         // text or bytes
	shapeNumber       // a whole number
	shapeDate
	shapeTime
	shapeTexts // a list of texts
	shapePairs // a map of texts
)

// String says what a column with the wrong type should be.
func (s shape) String() string {
	return [...]string{"", "a text", "a whole number", "a date", "a time of day", "a list of texts", "a map of texts"}[s]
}

// field is a column of a table in a file.
type field struct {
	*column
	// leaves are where it is in the file, none if it is not there or not read.
	leaves []pq.LeafColumn
}

// find looks for columns among those of a file. Upper and lower case are the same, as for
// most engines, unless a name is there in both.
func (f *file) find(columns []column) (found []field, err error) {
	defer func() {
		if r := recover(); r != nil { // a type that contradicts itself
			err = f.wrong(-1, "", fmt.Errorf("%w: %v", model.ErrCorrupt, r))
		}
	}()
	found = make([]field, len(columns))
	for i := range found {
		c := &found[i]
		if c.column = &columns[i]; c.shape == notRead {
			continue
		}
		c.leaves = f.leaves(func(name string) bool { return name == c.name })
		if len(c.leaves) == 0 {
			c.leaves = f.leaves(func(name string) bool { return strings.EqualFold(name, c.name) })
		}
		if len(c.leaves) > 0 && !c.fits() {
			return nil, f.wrong(-1, "column "+c.name, fmt.Errorf("%w: its type is %s, and it should be %v", model.ErrUnsupported, c.typeText(), c.shape))
		}
	}
	return found, nil
}

// has reports whether there is a column of that name.
func (f *file) has(name string) bool {
	return len(f.leaves(func(is string) bool { return is == name })) > 0
}

// leaves returns the leaves of the columns whose name is right.
func (f *file) leaves(right func(string) bool) (list []pq.LeafColumn) {
	s := f.pq.Schema()
	for _, path := range s.Columns() {
		if right(path[0]) {
			if leaf, ok := s.Lookup(path...); ok {
				list = append(list, leaf)
			}
		}
	}
	return list
}

// fits reports whether the type in the file can be read as the shape.
func (c *field) fits() bool {
	want := 1
	if c.shape == shapePairs {
		want = 2
	}
	if len(c.leaves) != want {
		return false
	}
	for _, leaf := range c.leaves {
		repeated := 0
		if c.shape >= shapeTexts {
			repeated = 1
		}
		if leaf.MaxRepetitionLevel != repeated || repeated == 0 && len(leaf.Path) != 1 {
			return false
		}
		if !c.shape.accepts(leaf.Node.Type()) {
			return false
		}
	}
	return true
}

// accepts reports whether values of a type can be of the shape.
func (s shape) accepts(t pq.Type) bool {
	logical := format.LogicalType{}
	if l := t.LogicalType(); l != nil {
		logical = *l
	}
	switch kind := t.Kind(); s {
	case shapeNumber:
		if logical.Value != nil {
			if _, ok := logical.Value.(*format.IntType); !ok {
				return false
			}
		}
		return kind == pq.Int32 || kind == pq.Int64 || kind == pq.Double || kind == pq.Float
	case shapeDate:
		_, ok := logical.Value.(*format.DateType)
		return ok && kind == pq.Int32
	case shapeTime:
		_, ok := logical.Value.(*format.TimeType)
		return ok && (kind == pq.Int32 || kind == pq.Int64)
	default:
		switch logical.Value.(type) {
		case nil, *format.StringType, *format.EnumType, *format.JsonType:
			return kind == pq.ByteArray
		}
		return false
	}
}

// typeText names the type that a column has.
func (c *field) typeText() string {
	var list []string
	for _, leaf := range c.leaves {
		text := leaf.Node.Type().String()
		if leaf.MaxRepetitionLevel > 0 {
			text = "a list of " + text
		} else if len(leaf.Path) > 1 {
			text = "a group with " + text
		}
		list = append(list, text)
	}
	return strings.Join(list, " and ")
}

// wholeNumber returns the number that a value is.
func wholeNumber(v pq.Value) (n int64, ok bool) {
	f := 0.0
	switch v.Kind() {
	case pq.Int32:
		return int64(v.Int32()), true
	case pq.Int64:
		return v.Int64(), true
	case pq.Float:
		f = float64(v.Float())
	case pq.Double:
		f = v.Double() // engines make one of large sums
	}
	return int64(f), math.Abs(f) < 1<<53 && f == math.Trunc(f)
}
