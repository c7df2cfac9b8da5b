package jsontext

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Bytes reads a string. The result is valid until the next call on s.
func (s *Scanner) Bytes() []byte {
	if !s.expect('"') {
		return nil
	}
	from, ascii := s.pos, byte(0)
	for s.pos < len(s.data) {
		c := s.data[s.pos]
		switch {
		case c == '"':
			text := s.data[from:s.pos]
			if ascii >= utf8.RuneSelf && !utf8.Valid(text) {
				s.Failf("a string that is not UTF-8")
				return nil
			}
			s.pos++
			s.comma = true
			return text
		case c == '\\':
			return s.escaped(from)
		case c < 0x20:
			s.Failf("a control character inside a string")
			return nil
		}
		ascii |= c
		s.pos++
	}
	s.Failf("the text ends inside a string")
	return nil
}

// escaped reads the rest of a string that begins at from and has a backslash
// at the present place.
func (s *Scanner) escaped(from int) []byte {
	out := append(s.scratch[:0], s.data[from:s.pos]...)
	for s.pos < len(s.data) {
		c := s.data[s.pos]
		s.pos++
		switch {
		case c == '"':
			s.scratch = out
			if !utf8.Valid(out) {
				s.Failf("a string that is not UTF-8")
				return nil
			}
			s.comma = true
			return out
		case c == '\\':
			out = s.escape(out)
			if s.err != nil {
				return nil
			}
		case c < 0x20:
			s.Failf("a control character inside a string")
			return nil
		default:
			out = append(out, c)
		}
	}
	s.Failf("the text ends inside a string")
	return nil
}

// escape appends what the escape sequence behind a backslash stands for.
func (s *Scanner) escape(out []byte) []byte {
	if s.pos == len(s.data) {
		s.Failf("the text ends inside a string")
		return nil
	}
	c := s.data[s.pos]
	s.pos++
	switch c {
	case '"', '\\', '/':
		return append(out, c)
	case 'b', 'f', 'n', 'r', 't':
		return append(out, "\b\f\n\r\t"[strings.IndexByte("bfnrt", c)])
	case 'u':
		return s.unicode(out)
	}
	s.Failf("unknown escape \\%c", c)
	return nil
}

func (s *Scanner) unicode(out []byte) []byte {
	r := s.hex4()
	if utf16.IsSurrogate(r) {
		if !s.skipByte('\\') || !s.skipByte('u') {
			s.Failf("half of a surrogate pair")
			return nil
		}
		if r = utf16.DecodeRune(r, s.hex4()); r == utf8.RuneError {
			s.Failf("half of a surrogate pair")
			return nil
		}
	}
	return utf8.AppendRune(out, r)
}

func (s *Scanner) hex4() rune {
	var r rune
	for range 4 {
		digit := -1
		if s.pos < len(s.data) && s.data[s.pos] >= '0' {
			digit = strings.IndexByte(hexDigits, s.data[s.pos]|0x20) // letters are small then
		}
		if digit < 0 {
			s.Failf("\\u without four hexadecimal digits")
			return 0
		}
		r = r<<4 | rune(digit)
		s.pos++
	}
	return r
}
