package cbh

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// CodePage says which characters the bytes above 7F are in texts that are not
// UTF-8. The zero value is Windows-1252, ChessBase's own; national databases
// use others, and nothing in them says which (docs/formats/cbh-entities.md 6.7).
//
// Every page is a bijection: each of its 256 bytes is one character, and no two
// are the same. Where the standard leaves a byte unassigned, it is the C1
// control character of that number (bytes 80-9F), or U+F700 plus the byte.
type CodePage struct {
	table *pageTable // nil: Windows-1252
	names *Names     // where texts go; nil: each to itself
}

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
			return CodePage{table: codePages[i].table()}, nil
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

// encode appends the bytes of s, or returns false if it has a character that is not
// in the page.
func (t *pageTable) encode(dst []byte, s string) ([]byte, bool) {
	for _, r := range s {
		c, ok := t.toByte[r]
		if !ok {
			return nil, false
		}
		dst = append(dst, c)
	}
	return dst, true
}

// bytesBase and the number of a byte make the character of a byte in Bytes.
const bytesBase = 0xF700

// Bytes is a page for finding the right one: it keeps every byte above
// 7F, as U+F700 plus the byte, so that bytes can be told from what was UTF-8.
func Bytes() CodePage { return CodePage{table: bytesPage()} }

var bytesPage = lazyPage("bytes", func(b byte) rune {
	if b < utf8.RuneSelf {
		return rune(b)
	}
	return bytesBase + rune(b)
})

// AppendBytes appends the bytes of a text that was decoded by Bytes. It reports
// false, and appends nothing, for UTF-8.
func AppendBytes(dst []byte, s string) (out []byte, ok bool) {
	out = dst
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
			out = append(out, byte(r))
		case r >= bytesBase+utf8.RuneSelf && r <= bytesBase+0xFF:
			out, ok = append(out, byte(r-bytesBase)), true
		default:
			return dst, false
		}
	}
	if !ok {
		return dst, false
	}
	return out, true
}

// codePages are the pages that ParseCodePage knows, built when first used. The
// standard mappings come from golang.org/x/text.
var codePages = []struct {
	name  string
	table func() *pageTable
}{
	{"1252", windows1252},
	{"1250", standardPage("1250", charmap.Windows1250)},
	{"1251", standardPage("1251", charmap.Windows1251)},
	{"1253", standardPage("1253", charmap.Windows1253)},
	{"1254", standardPage("1254", charmap.Windows1254)},
	{"1255", standardPage("1255", charmap.Windows1255)},
	{"1256", standardPage("1256", charmap.Windows1256)},
	{"1257", standardPage("1257", charmap.Windows1257)},
	{"1258", standardPage("1258", charmap.Windows1258)},
	{"437", standardPage("437", charmap.CodePage437)},
	{"850", standardPage("850", charmap.CodePage850)},
	{"852", standardPage("852", charmap.CodePage852)},
	{"866", standardPage("866", charmap.CodePage866)},
	{"874", standardPage("874", charmap.Windows874)},
	{"iso-8859-1", standardPage("iso-8859-1", charmap.ISO8859_1)},
	{"iso-8859-2", standardPage("iso-8859-2", charmap.ISO8859_2)},
	{"iso-8859-3", standardPage("iso-8859-3", charmap.ISO8859_3)},
	{"iso-8859-4", standardPage("iso-8859-4", charmap.ISO8859_4)},
	{"iso-8859-5", standardPage("iso-8859-5", charmap.ISO8859_5)},
	{"iso-8859-6", standardPage("iso-8859-6", charmap.ISO8859_6)},
	{"iso-8859-7", standardPage("iso-8859-7", charmap.ISO8859_7)},
	{"iso-8859-8", standardPage("iso-8859-8", charmap.ISO8859_8)},
	{"iso-8859-9", standardPage("iso-8859-9", charmap.ISO8859_9)},
	{"iso-8859-10", standardPage("iso-8859-10", charmap.ISO8859_10)},
	{"iso-8859-13", standardPage("iso-8859-13", charmap.ISO8859_13)},
	{"iso-8859-14", standardPage("iso-8859-14", charmap.ISO8859_14)},
	{"iso-8859-15", standardPage("iso-8859-15", charmap.ISO8859_15)},
	{"iso-8859-16", standardPage("iso-8859-16", charmap.ISO8859_16)},
	{"koi8-r", standardPage("koi8-r", charmap.KOI8R)},
	{"koi8-u", standardPage("koi8-u", charmap.KOI8U)},
}

var windows1252 = standardPage("1252", charmap.Windows1252)

func standardPage(name string, page *charmap.Charmap) func() *pageTable {
	return lazyPage(name, page.DecodeByte)
}

// lazyPage returns a function that makes a table when it is first called.
func lazyPage(name string, decode func(byte) rune) func() *pageTable {
	return sync.OnceValue(func() *pageTable { return newPageTable(name, decode) })
}
