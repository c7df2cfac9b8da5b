package cbh

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// CodePage says which characters the bytes above 7F are in texts that are not
// UTF-8. The zero value is Windows-1252, ChessBase's own; national databases
// use others, and nothing in them says which (docs/formats/cbh-entities.md 6.7).
//
// Every page is a bijection: each of its 256 bytes is one character, and no two
// are the same. Where the standard leaves a byte unassigned, it is the C1
// control character of that number (bytes 80-9F), or U+F700 plus the byte.
type CodePage struct{ table *pageTable } // nil: Windows-1252

// pageTable is one code page in both directions.
type pageTable struct {
	name   string
	char   [256]rune
	toByte map[rune]byte
}

// ParseCodePage returns the code page with the given name or number: 1250 to
// 1258, 437, 850, 852, 866, 874, iso-8859-1 to -16, koi8-r, koi8-u. Upper case
// and the prefixes "windows-" and "cp" do not matter.
func ParseCodePage(name string) (CodePage, error) {
	key := strings.ToLower(name)
	key = strings.TrimPrefix(strings.TrimPrefix(key, "windows-"), "cp")
	for i := range codePages {
		if codePages[i].name == key {
			return CodePage{codePages[i].table()}, nil
		}
	}
	known := make([]string, len(codePages))
	for i := range codePages {
		known[i] = codePages[i].name
	}
	return CodePage{}, fmt.Errorf("unknown code page %q; known are %s", name, strings.Join(known, ", "))
}

// String returns the name of the page, such as "1252" or "koi8-r".
func (p CodePage) String() string { return p.page().name }

// page returns the table of the code page.
func (p CodePage) page() *pageTable {
	if p.table == nil {
		return windows1252()
	}
	return p.table
}

// isDefault reports whether the page is Windows-1252.
func (p CodePage) isDefault() bool { return p.page() == windows1252() }

// newPageTable fills the gaps of a standard page: decode gives its character
// for a byte, utf8.RuneError for an unassigned one.
func newPageTable(name string, decode func(byte) rune) *pageTable {
	t := &pageTable{name: name, toByte: make(map[rune]byte, 256)}
	for i := range t.char {
		r := decode(byte(i))
		switch {
		case r != utf8.RuneError:
		case i < 0xA0:
			r = rune(i)
		default:
			r = 0xF700 + rune(i)
		}
		t.char[i] = r
		t.toByte[r] = byte(i)
	}
	return t
}

// decode returns the characters of b.
func (t *pageTable) decode(b []byte) string {
	var s strings.Builder
	s.Grow(len(b) + len(b)/2)
	for _, c := range b {
		s.WriteRune(t.char[c])
	}
	return s.String()
}

// encode returns the bytes of s, or false if it has a character that is not in
// the page.
func (t *pageTable) encode(s string) ([]byte, bool) {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		c, ok := t.toByte[r]
		if !ok {
			return nil, false
		}
		b = append(b, c)
	}
	return b, true
}
