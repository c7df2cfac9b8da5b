package jsontext

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"strconv"

	"cbkit/internal/brief"
	"cbkit/model"
)

// Scanner reads JSON text value by value. The caller asks for the type it
// expects; the first thing that is not so is the error, after which every
// method returns a zero value and false:
//
//	s.BeginObject()
//	for s.NextKey() {
//		switch string(s.Key()) {
//		case "name":
//			name = s.Text()
//		default:
//			s.Unknown()
//		}
//	}
//	err := s.End()
type Scanner struct {
	data []byte
	pos  int
	// comma says that the next member or element follows another one.
	comma   bool
	key     []byte
	scratch []byte
	open    []byte // the brackets that close what Skip is in
	err     error
	// Most is how many elements of arrays, and what else the caller takes, the
	// text may have; 0 is any number. A few bytes can make a value of hundreds.
	Most  int
	taken int
}

// Error says what is wrong with a JSON text, and where.
type Error struct {
	// Offset is the place in bytes from the beginning of the text.
	Offset int
	What   string
}

// Error returns one line, such as "byte 17: unknown key "colour"".
func (e *Error) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.What) }

// NewScanner returns a scanner of the text, which must not change while it is
// used.
func NewScanner(text []byte) *Scanner { return &Scanner{data: text} }

// Reset begins a new text, keeping memory.
func (s *Scanner) Reset(text []byte) {
	*s = Scanner{data: text, scratch: s.scratch, open: s.open[:0]}
}

// Take counts a value. More than Most are an error.
func (s *Scanner) Take() {
	if s.taken++; s.Most > 0 && s.taken > s.Most {
		s.Fail(fmt.Errorf("more than %d names, texts and annotations in %d bytes: %w", s.Most, len(s.data), model.ErrTooLarge))
	}
}

// Within reads a part of a text by a scanner of its own, whose values count as those
// of s.
func (s *Scanner) Within(part []byte, read func(*Scanner)) {
	c := Scanner{data: part, Most: s.Most, taken: s.taken}
	read(&c)
	s.taken = c.taken
	s.Fail(c.End())
}

// Err returns the first error.
func (s *Scanner) Err() error { return s.err }

// End returns the first error, which may be that something follows the value.
func (s *Scanner) End() error {
	if s.err == nil {
		s.space()
		if s.pos < len(s.data) {
			s.Failf("text after the end of the value")
		}
	}
	return s.err
}

// Offset returns the place of the next byte.
func (s *Scanner) Offset() int { return s.pos }

// Fail makes err the error, unless there is one.
func (s *Scanner) Fail(err error) {
	if s.err == nil && err != nil {
		s.err = err
	}
}

// Failf makes an error at the present place, unless there is one.
func (s *Scanner) Failf(format string, args ...any) {
	if s.err == nil {
		s.err = &Error{Offset: s.pos, What: brief.Sprintf(format, args...)}
	}
}

// Unknown makes the key just read an error.
func (s *Scanner) Unknown() { s.Failf("unknown key %.40q", s.key) }

func (s *Scanner) space() {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

// Peek returns the first byte of the next value, 0 at the end or after an
// error.
func (s *Scanner) Peek() byte {
	if s.err != nil {
		return 0
	}
	s.space()
	if s.pos == len(s.data) {
		return 0
	}
	return s.data[s.pos]
}

// expect consumes one byte of syntax.
func (s *Scanner) expect(c byte) bool {
	if s.Peek() != c {
		s.unexpected(strconv.QuoteRune(rune(c)))
		return false
	}
	s.pos++
	return true
}

// unexpected makes the next byte the error.
func (s *Scanner) unexpected(want string) {
	switch c := s.Peek(); c {
	case 0:
		s.Failf("the text ends where %s should be", want)
	default:
		s.Failf("want %s, have %q", want, c)
	}
}

// BeginObject enters an object.
func (s *Scanner) BeginObject() bool {
	s.comma = false
	return s.expect('{')
}

// BeginArray enters an array.
func (s *Scanner) BeginArray() bool {
	s.comma = false
	return s.expect('[')
}

// NextKey moves to the value of the next member and returns true, or leaves
// the object and returns false.
func (s *Scanner) NextKey() bool {
	if !s.next('}') {
		return false
	}
	s.key = s.Bytes()
	return s.expect(':')
}

// Key returns the key that NextKey found, until the next call on s.
func (s *Scanner) Key() []byte { return s.key }

// NextElement moves to the next element of an array and returns true, or
// leaves the array and returns false.
func (s *Scanner) NextElement() bool { return s.next(']') }

func (s *Scanner) next(end byte) bool {
	c := s.Peek()
	switch {
	case s.err != nil:
		return false
	case c == end:
		s.pos++
		s.comma = true
		return false
	case !s.comma:
		return true
	case c != ',':
		s.unexpected("a comma or " + strconv.QuoteRune(rune(end)))
		return false
	}
	s.pos++
	if s.Peek() == end {
		s.Failf("a comma before %q", end)
	}
	return s.err == nil
}

// Bool reads true or false.
func (s *Scanner) Bool() bool {
	switch {
	case s.word("true"):
		return true
	case s.word("false"):
		return false
	}
	s.unexpected("true or false")
	return false
}

// Null reads null, if that is the next value, and says so.
func (s *Scanner) Null() bool { return s.word("null") }

func (s *Scanner) word(w string) bool {
	s.Peek()
	if s.err != nil || len(s.data)-s.pos < len(w) || string(s.data[s.pos:s.pos+len(w)]) != w {
		return false
	}
	s.pos += len(w)
	s.comma = true
	return true
}

// Int reads a whole number between the limits.
func (s *Scanner) Int(low, high int64) int64 {
	word := s.number()
	if s.err != nil {
		return 0
	}
	n, err := strconv.ParseInt(string(word), 10, 64)
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		s.Failf("%.40s is not a whole number", word)
	case err != nil || n < low || n > high:
		s.Failf("%.40s is not between %d and %d", word, low, high)
	default:
		return n
	}
	return 0
}

// Float reads a number, or the bits that [AppendFloat] writes.
func (s *Scanner) Float() float64 {
	if s.Peek() == '"' {
		word := s.Bytes()
		if len(word) > 0 && word[0] == '#' {
			if bits, err := strconv.ParseUint(string(word[1:]), 16, 64); err == nil {
				return math.Float64frombits(bits)
			}
		}
		s.Failf("%.40q is not a number", word)
		return 0
	}
	word := s.number()
	if s.err != nil {
		return 0
	}
	f, err := strconv.ParseFloat(string(word), 64)
	if err != nil {
		s.Failf("%.40s is not a number", word)
	}
	return f
}

// number consumes a number by JSON's grammar.
func (s *Scanner) number() []byte {
	s.Peek()
	from := s.pos
	s.skipByte('-')
	whole := s.digits()
	good := whole == 1 || whole > 1 && s.data[s.pos-whole] != '0'
	if s.skipByte('.') {
		good = s.digits() > 0 && good
	}
	if s.skipByte('e') || s.skipByte('E') {
		_ = s.skipByte('+') || s.skipByte('-')
		good = s.digits() > 0 && good
	}
	if !good {
		s.pos = from
		s.unexpected("a number")
		return nil
	}
	s.comma = true
	return s.data[from:s.pos]
}

func (s *Scanner) skipByte(c byte) bool {
	if s.err == nil && s.pos < len(s.data) && s.data[s.pos] == c {
		s.pos++
		return true
	}
	return false
}

func (s *Scanner) digits() int {
	from := s.pos
	for s.err == nil && s.pos < len(s.data) && s.data[s.pos]-'0' <= 9 {
		s.pos++
	}
	return s.pos - from
}

// Base64 reads a string of standard base64 with padding.
func (s *Scanner) Base64() []byte {
	word := s.Bytes()
	if s.err != nil || len(word) == 0 {
		return nil
	}
	data, err := base64.StdEncoding.Strict().AppendDecode(nil, word)
	if err != nil {
		s.Failf("not base64: %v", err)
		return nil
	}
	return data
}

// Text reads what [AppendText] writes.
func (s *Scanner) Text() string {
	if s.Peek() != '{' {
		return string(s.Bytes())
	}
	var raw []byte
	s.BeginObject()
	for s.NextKey() {
		if string(s.key) != "raw" {
			s.Unknown()
			return ""
		}
		raw = s.Base64()
	}
	return string(raw)
}

// mostOpen is how deep values that are skipped may be nested.
const mostOpen = 10_000

// Skip moves over the next value, whatever it is, and returns its text. What is
// no JSON in it is the error as elsewhere.
func (s *Scanner) Skip() []byte {
	from, key := s.pos, s.key
	s.open = s.open[:0]
	for s.err == nil {
		switch c := s.Peek(); c {
		case '{', '[':
			s.pos++
			s.comma = false
			if len(s.open) == mostOpen {
				s.Failf("brackets nested more than %d deep", mostOpen)
			}
			s.open = append(s.open, c+2) // the bracket that closes it
		default:
			s.skipSimple(c)
		}
		for len(s.open) > 0 && !s.goesOn(s.open[len(s.open)-1]) {
			s.open = s.open[:len(s.open)-1]
		}
		if s.err == nil && len(s.open) == 0 {
			s.key = key
			return s.data[from:s.pos]
		}
	}
	return nil
}

// goesOn moves to the next value of an object or an array that ends with a bracket,
// or leaves it and returns false.
func (s *Scanner) goesOn(end byte) bool {
	if end == '}' {
		return s.NextKey()
	}
	return s.NextElement()
}

// skipSimple moves over a value that holds no others and begins with c.
func (s *Scanner) skipSimple(c byte) {
	switch {
	case c == '"':
		s.Bytes()
	case c == 't' || c == 'f':
		s.Bool()
	case c == '-' || c-'0' <= 9:
		s.number()
	case !s.Null():
		s.unexpected("a value")
	}
}
