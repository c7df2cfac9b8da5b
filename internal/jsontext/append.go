package jsontext

import (
	"encoding/base64"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// IsControl reports whether a terminal obeys a character instead of showing it,
// or shows others in another order: control characters, DEL and the 32 behind it,
// and what turns the direction of writing.
func IsControl(r rune) bool {
	return r < ' ' || r >= 0x7F && r <= 0x9F || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}

// mayBeControl has the bytes that begin such characters from DEL on.
func mayBeControl(c byte) bool { return c == 0x7F || c == 0xC2 || c == 0xE2 }

// AppendString appends s, which must be valid UTF-8, as a JSON string. Only
// what must be escaped is, the quote, the backslash, control characters; and those
// that people must not meet on a terminal, see [IsControl].
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' && !mayBeControl(c) {
			continue
		}
		if c >= 0x7F {
			r, size := utf8.DecodeRuneInString(s[i:])
			if IsControl(r) {
				dst = appendRune(append(dst, s[from:i]...), r)
				from = i + size
			}
			i += size - 1
			continue
		}
		dst = append(dst, s[from:i]...)
		dst = appendEscape(dst, c)
		from = i + 1
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}

// appendRune appends a character of the basic plane as an escape sequence.
func appendRune(dst []byte, r rune) []byte {
	return append(dst, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}

// AppendEscaped appends JSON that another encoder made, with the characters of
// [IsControl] in its strings as escape sequences.
func AppendEscaped(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		if !mayBeControl(text[i]) {
			dst = append(dst, text[i])
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if IsControl(r) {
			dst = appendRune(dst, r)
		} else {
			dst = append(dst, text[i:i+size]...)
		}
		i += size
	}
	return dst
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n', '\r', '\t':
		return append(dst, '\\', "nrt"[strings.IndexByte("\n\r\t", c)])
	}
	return appendRune(dst, rune(c))
}

// AppendText appends any string; see the package comment.
func AppendText(dst []byte, s string) []byte {
	if utf8.ValidString(s) {
		return AppendString(dst, s)
	}
	dst = append(dst, `{"raw":`...)
	dst = AppendBase64(dst, []byte(s))
	return append(dst, '}')
}

// AppendBase64 appends data as a string in standard base64 with padding.
func AppendBase64(dst, data []byte) []byte {
	dst = append(dst, '"')
	dst = base64.StdEncoding.AppendEncode(dst, data)
	return append(dst, '"')
}

// AppendFloat appends f with as few digits as give it back. Infinities and
// what is not a number become a string of their bits, "#7ff0000000000000".
func AppendFloat(dst []byte, f float64) []byte {
	if !math.IsInf(f, 0) && !math.IsNaN(f) {
		return strconv.AppendFloat(dst, f, 'g', -1, 64)
	}
	dst = append(dst, '"', '#')
	dst = strconv.AppendUint(dst, math.Float64bits(f), 16)
	return append(dst, '"')
}

// Object appends the members of one JSON object in the order of the calls,
// beginning with the brace and leaving out what is empty. The zero value with
// Dst set is ready.
type Object struct {
	Dst  []byte
	some bool
}

// Key appends the key of the next member, which must be valid UTF-8; the
// caller appends its value to Dst.
func (o *Object) Key(key string) {
	separator := byte(',')
	if !o.some {
		o.some = true
		separator = '{'
	}
	o.Dst = append(AppendString(append(o.Dst, separator), key), ':')
}

// Empty reports whether no member was written.
func (o *Object) Empty() bool { return !o.some }

// End appends the closing brace and returns the text.
func (o *Object) End() []byte {
	if !o.some {
		o.Dst = append(o.Dst, '{')
	}
	return append(o.Dst, '}')
}

// Text appends a member whose value is not empty.
func (o *Object) Text(key, value string) {
	if value != "" {
		o.Key(key)
		o.Dst = AppendText(o.Dst, value)
	}
}

// Int appends a member whose value is not 0.
func (o *Object) Int(key string, value int64) {
	if value != 0 {
		o.Key(key)
		o.Dst = strconv.AppendInt(o.Dst, value, 10)
	}
}

// Float appends a member whose value is not 0.
func (o *Object) Float(key string, value float64) {
	if value != 0 || math.Signbit(value) {
		o.Key(key)
		o.Dst = AppendFloat(o.Dst, value)
	}
}

// True appends a member whose value is true.
func (o *Object) True(key string, value bool) {
	if value {
		o.Key(key)
		o.Dst = append(o.Dst, "true"...)
	}
}

// Base64 appends a member whose value is not empty.
func (o *Object) Base64(key string, value []byte) {
	if len(value) > 0 {
		o.Key(key)
		o.Dst = AppendBase64(o.Dst, value)
	}
}

// Object appends a member whose value is an object with the members that the
// function appends, unless there are none.
func (o *Object) Object(key string, members func(*Object)) {
	before, some := len(o.Dst), o.some
	o.Key(key)
	o.some = false
	members(o)
	if o.some {
		o.Dst = append(o.Dst, '}')
	} else {
		o.Dst, o.some = o.Dst[:before], some
	}
}

// List returns a member whose value is an array; it is absent if the array
// stays empty. The caller appends each element to Dst after calling Next.
func (o *Object) List(key string) List { return List{o: o, key: key} }

// List is an array that is a member of an object. See [Object.List].
type List struct {
	o    *Object
	key  string
	some bool
}

// Next begins an element.
func (l *List) Next() {
	if l.some {
		l.o.Dst = append(l.o.Dst, ',')
		return
	}
	l.some = true
	l.o.Key(l.key)
	l.o.Dst = append(l.o.Dst, '[')
}

// Object begins an element that is an object; the caller ends it with
// o.Dst = element.End().
func (l *List) Object() Object {
	l.Next()
	return Object{Dst: l.o.Dst}
}

// End ends the array.
func (l *List) End() {
	if l.some {
		l.o.Dst = append(l.o.Dst, ']')
	}
}
