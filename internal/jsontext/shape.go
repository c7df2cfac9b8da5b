package jsontext

import "math"

// Shape describes the JSON object of a T once for both directions: its members
// in the order in which they are written. They are read in any order.
type Shape[T any] []Member[T]

// Member is one member of the object of a T: its key, how it is appended, if
// there is anything to say, and how its value is read.
type Member[T any] struct {
	Key    string
	Append func(o *Object, key string, v *T)
	Parse  func(s *Scanner, v *T)
}

// Append appends the members of v that are not empty.
func (shape Shape[T]) Append(o *Object, v *T) {
	for i := range shape {
		shape[i].Append(o, shape[i].Key, v)
	}
}

// Parse reads an object into v, whose other fields stay as they are. A member
// that is null counts as absent; of a member that occurs twice the last one
// counts. A key that is not known is an error.
func (shape Shape[T]) Parse(s *Scanner, v *T) {
	s.BeginObject()
	for s.NextKey() {
		member := shape.find(s.key)
		switch {
		case s.Null():
		case member == nil:
			s.Unknown()
		default:
			member.Parse(s, v)
		}
	}
}

func (shape Shape[T]) find(key []byte) *Member[T] {
	for i := range shape {
		if shape[i].Key == string(key) {
			return &shape[i]
		}
	}
	return nil
}

// String is a member with any string; it is absent when empty.
func String[T any](key string, at func(*T) *string) Member[T] {
	return Member[T]{key,
		func(o *Object, key string, v *T) { o.Text(key, *at(v)) },
		func(s *Scanner, v *T) { *at(v) = s.Text() }}
}

// Flag is a member that is true or absent.
func Flag[T any](key string, at func(*T) *bool) Member[T] {
	return Member[T]{key,
		func(o *Object, key string, v *T) { o.True(key, *at(v)) },
		func(s *Scanner, v *T) { *at(v) = s.Bool() }}
}

// Data is a member with bytes in base64; it is absent when there are none.
func Data[T any](key string, at func(*T) *[]byte) Member[T] {
	return Member[T]{key,
		func(o *Object, key string, v *T) { o.Base64(key, *at(v)) },
		func(s *Scanner, v *T) { *at(v) = s.Base64() }}
}

// Float is a member with a number that need not be whole; it is absent when 0.
func Float[T any](key string, at func(*T) *float64) Member[T] {
	return Member[T]{key,
		func(o *Object, key string, v *T) { o.Float(key, *at(v)) },
		func(s *Scanner, v *T) { *at(v) = s.Float() }}
}

// Whole lists the types of whole numbers.
type Whole interface {
	~uint8 | ~uint16 | ~uint32 | ~int16 | ~int32
}

// Number is a member with a whole number of the range of its type; it is
// absent when 0.
func Number[T any, N Whole](key string, at func(*T) *N) Member[T] {
	return Member[T]{key,
		func(o *Object, key string, v *T) { o.Int(key, int64(*at(v))) },
		func(s *Scanner, v *T) { *at(v) = WholeNumber[N](s) }}
}

// WholeNumber reads a whole number of the range of N.
func WholeNumber[N Whole](s *Scanner) N {
	low, high := int64(0), int64(math.MaxUint32)
	for N(high) < 0 || int64(N(high)) != high {
		high >>= 1
	}
	if minusOne := ^N(0); minusOne < 0 {
		low = -high - 1
	}
	return N(s.Int(low, high))
}

// Named is a member with a word for its value; what says what the word should
// be. It is absent when the word is empty.
func Named[T, W any](key, what string, at func(*T) *W, word func(W) string, parse func(string) (W, bool)) Member[T] {
	return Member[T]{key,
		func(o *Object, key string, v *T) { o.Text(key, word(*at(v))) },
		func(s *Scanner, v *T) { *at(v) = Word(s, what, parse) }}
}

// Objects is a member with an array of objects; it is absent when empty.
func Objects[T, E any](key string, at func(*T) *[]E, element Shape[E]) Member[T] {
	return Member[T]{key,
		func(o *Object, key string, v *T) { AppendObjects(o, key, *at(v), element) },
		func(s *Scanner, v *T) { *at(v) = ParseObjects(s, element) }}
}

// AppendObjects appends a member whose value is an array with an object for
// each element, unless there is none.
func AppendObjects[E any](o *Object, key string, list []E, element Shape[E]) {
	objects := o.List(key)
	for i := range list {
		object := objects.Object()
		element.Append(&object, &list[i])
		o.Dst = object.End()
	}
	objects.End()
}

// AppendList appends a member whose value is an array with what the function appends for
// each element, unless there is none.
func AppendList[E any](o *Object, key string, list []E, element func(dst []byte, e E) []byte) {
	elements := o.List(key)
	for _, e := range list {
		elements.Next()
		o.Dst = element(o.Dst, e)
	}
	elements.End()
}

// ParseObjects reads an array of objects.
func ParseObjects[E any](s *Scanner, element Shape[E]) []E {
	return Elements(s, func() (e E) {
		element.Parse(s, &e)
		return e
	})
}
