package jsontext

// Elements reads an array, calling element for each of its elements.
func Elements[T any](s *Scanner, element func() T) []T {
	var list []T
	s.BeginArray()
	for s.NextElement() {
		s.Take()
		list = append(list, element())
	}
	return list
}

// Word reads a string by the given parser; what says what it should be.
func Word[T any](s *Scanner, what string, parse func(string) (T, bool)) T {
	text := string(s.Bytes())
	v, ok := parse(text)
	if !ok {
		s.Failf("%.40q is not a %s", text, what)
	}
	return v
}

// Uint8 reads a whole number up to 255.
func (s *Scanner) Uint8() uint8 { return uint8(s.Int(0, 1<<8-1)) }
