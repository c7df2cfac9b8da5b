package cbh

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"cbkit/model"
)

// The section and keys of a .ini file that describe the database.
const (
	DescriptionSection = "DescrCBG"
	KeyType            = "Type"   // number of the icon
	KeyTitle           = "Title"  // name of the database
	KeyUsage           = "Usage"  // how often it was opened
	KeyAccess          = "Access" // when it was last opened, a packed date
)

// Settings are the lines of a .ini file:
//
//	[DescrCBG]
//	Type=0
//	Title=World-ch
//
// Lines that are not understood stay where they are. Sections and keys are the
// same in upper and lower case. Source: spec/cbh-entities.md 13.
type Settings struct {
	lines [][]byte // each with its line end
}

// NewSettings returns the settings of a new database.
func NewSettings(title string, accessed model.Date, cp CodePage) *Settings {
	access, _ := PackDate(accessed)
	s := &Settings{lines: [][]byte{[]byte("[" + DescriptionSection + "]\r\n")}}
	s.Set(DescriptionSection, KeyType, "0", cp)
	s.Set(DescriptionSection, KeyTitle, title, cp)
	s.Set(DescriptionSection, KeyUsage, "1", cp)
	s.Set(DescriptionSection, KeyAccess, fmt.Sprint(access), cp)
	return s
}

// DecodeSettings reads a whole file; any bytes are one. The settings use b.
func DecodeSettings(b []byte) *Settings {
	return &Settings{lines: slices.Collect(bytes.Lines(b))}
}

// Append appends the bytes of the file.
func (s *Settings) Append(dst []byte) []byte {
	for _, line := range s.lines {
		dst = append(dst, line...)
	}
	return dst
}

// Get returns the value of a key; the first one counts.
func (s *Settings) Get(section, key string, cp CodePage) (value string, ok bool) {
	at, _ := s.find(section, key)
	if at < 0 {
		return "", false
	}
	_, v, _ := bytes.Cut(trimLineEnd(s.lines[at]), []byte("="))
	return cp.Decode(v), true
}

// Set sets the value of a key, which it adds at the end of its section, and the
// section at the end of the file, where they are missing. A value ends before
// its first line end.
func (s *Settings) Set(section, key, value string, cp CodePage) {
	if i := strings.IndexAny(value, "\r\n"); i >= 0 {
		value = value[:i]
	}
	end := s.lineEnd()
	line := slices.Concat([]byte(key), []byte("="), cp.Encode(value), []byte(end))
	at, next := s.find(section, key)
	switch {
	case at >= 0:
		s.lines[at] = line
	case next >= 0:
		s.insert(next, line)
	default:
		s.insert(len(s.lines), []byte("["+section+"]"+end))
		s.insert(len(s.lines), line)
	}
}

// insert puts a line before line number at, and ends the line before it.
func (s *Settings) insert(at int, line []byte) {
	if at > 0 && !bytes.HasSuffix(s.lines[at-1], []byte("\n")) {
		s.lines[at-1] = append(slices.Clip(s.lines[at-1]), s.lineEnd()...)
	}
	s.lines = slices.Insert(s.lines, at, line)
}

// find returns the number of the line with a key, -1 if there is none. Then
// next is the line before which it belongs, -1 if its section is missing.
func (s *Settings) find(section, key string) (at, next int) {
	inside := false
	next = -1
	for i, line := range s.lines {
		text := string(bytes.TrimSpace(line))
		switch name, _, isKey := strings.Cut(text, "="); {
		case strings.HasPrefix(text, "["):
			inside = next < 0 && strings.EqualFold(strings.Trim(text, "[]"), section)
			if inside {
				next = i + 1
			}
		case !inside || text == "":
		case isKey && strings.EqualFold(strings.TrimSpace(name), key):
			return i, next
		default:
			next = i + 1
		}
	}
	return -1, next
}

// lineEnd returns the line end that the file uses.
func (s *Settings) lineEnd() string {
	if len(s.lines) > 0 && !bytes.HasSuffix(s.lines[0], []byte("\r\n")) && bytes.HasSuffix(s.lines[0], []byte("\n")) {
		return "\n"
	}
	return "\r\n"
}

func trimLineEnd(line []byte) []byte { return bytes.TrimRight(line, "\r\n") }
