package cbh

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf8"

	"cbkit/internal/wire"
)

// Decode returns the text in b: UTF-8 if b is valid UTF-8 with at least one
// character that is not ASCII, else the characters of the page.
//
// Encode(Decode(b)) is b again unless b is UTF-8 of a text that the page can
// hold as well; a writer of those bytes has to keep them.
func (p CodePage) Decode(b []byte) string {
	if utf8.Valid(b) { // ASCII is the same in both
		return p.text(b)
	}
	return p.page().decode(b)
}

// Encode returns the bytes of s in the page if they decode back to s, otherwise
// s itself, which is UTF-8. Decode(Encode(s)) is s for every valid string;
// bytes in s that are not UTF-8 become U+FFFD.
func (p CodePage) Encode(s string) []byte { return p.page().encodeText(s) }

func (t *pageTable) encodeText(s string) []byte { return t.append(make([]byte, 0, len(s)), s) }

// append appends what Encode returns.
func (t *pageTable) append(dst []byte, s string) []byte {
	plain := asciiEnd(s)
	if plain == len(s) {
		return append(dst, s...)
	}
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	from := len(dst)
	// Bytes of the page that are valid UTF-8 would be read as that.
	if b, ok := t.encode(append(dst, s[:plain]...), s[plain:]); ok && !utf8.Valid(b[from+plain:]) {
		return b
	}
	return append(dst, s...)
}

// asciiEnd returns where the first byte of s is that is not ASCII, its length if
// all are.
func asciiEnd(s string) int {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		if b := s[i : i+8]; (b[0]|b[1]|b[2]|b[3]|b[4]|b[5]|b[6]|b[7])&utf8.RuneSelf != 0 {
			break
		}
	}
	for i < len(s) && s[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// DecodeSymbols is Decode for the texts of annotations: in Windows-1252 the
// bytes of ChessBase's figurines and signs are their characters in the private
// use area (see symbols). In all other pages it is Decode.
func (p CodePage) DecodeSymbols(b []byte) string {
	if !p.isDefault() || utf8.Valid(b) {
		return p.Decode(b)
	}
	return symbolPage().decode(b)
}

// EncodeSymbols is Encode for the texts of annotations, the inverse of
// DecodeSymbols. A text with both figurines and the letters whose bytes they
// took becomes UTF-8.
func (p CodePage) EncodeSymbols(s string) []byte {
	return p.symbolTable().encodeText(s)
}

// symbolTable returns the table for the texts of annotations.
func (p CodePage) symbolTable() *pageTable {
	if !p.isDefault() {
		return p.page()
	}
	return symbolPage()
}

// DecodeField returns the text of a field of fixed size, which ends at the
// first NUL or at the end of the field. The newest programs cut UTF-8 anywhere
// (docs/formats/cbh-entities.md 6.7): what is left of a character at the end of a full
// field is not part of the text.
func (p CodePage) DecodeField(field []byte) string {
	if n := asciiText(field); n >= 0 {
		return p.text(field[:n])
	}
	text := beforeNUL(field)
	if len(text) >= len(field)-1 && !utf8.Valid(text) {
		if whole := wire.WithoutCutRune(text); utf8.Valid(whole) && !isASCII(whole) {
			return string(whole)
		}
	}
	return p.Decode(text)
}

// putField fills a field with at most room bytes of s, and zeros behind them. Where
// s is too long or has a NUL character it is cut between two characters, and cut is
// true; the field always decodes to s or, if cut, to a beginning of it.
func (p CodePage) putField(field []byte, s string, room int) (cut bool) {
	text, _, _ := strings.Cut(strings.ToValidUTF8(s, "\uFFFD"), "\x00")
	b := p.Encode(text)
	page := !utf8.Valid(b)
	clear(field)
	if page {
		b = b[:copy(field[:room], b)]
	}
	// Cut, bytes of the page can come to look like UTF-8.
	if !page || p.DecodeField(field) != p.page().decode(b) {
		clear(field)
		copy(field, wire.CutRunes(text, room))
	}
	return p.DecodeField(field) != s
}

// beforeNUL returns what stands before the first NUL.
func beforeNUL(field []byte) []byte {
	if i := bytes.IndexByte(field, 0); i >= 0 {
		return field[:i]
	}
	return field
}

// asciiText returns how many bytes stand before the first NUL, or in all of the field,
// -1 if one of them is not ASCII. It looks at eight at a time.
func asciiText(field []byte) int {
	const low, high = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(field); i += 8 {
		w := binary.LittleEndian.Uint64(field[i:])
		odd := (w - low | w) & high // of bytes that are NUL or not ASCII; right for the first
		if odd == 0 {
			continue
		}
		if odd&-odd&w != 0 {
			return -1
		}
		return i + bits.TrailingZeros64(odd)/8
	}
	for ; i < len(field); i++ {
		switch c := field[i]; {
		case c == 0:
			return i
		case c >= utf8.RuneSelf:
			return -1
		}
	}
	return i
}

func isASCII[T string | []byte](s T) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Names is memory for many short texts, so that each needs none of its own. It is
// for one goroutine. A text keeps the block that it is in.
type Names struct {
	block strings.Builder
	size  int // of the block
}

// namesBlock is the size of the first block in bytes, largestNamesBlock what those
// after it grow up to.
const (
	namesBlock        = 1 << 10
	largestNamesBlock = 1 << 14
)

// Into returns the page with memory for the texts that it decodes.
func (p CodePage) Into(n *Names) CodePage {
	p.names = n
	return p
}

// text returns bytes that are UTF-8 as a string.
func (p CodePage) text(b []byte) string {
	n := p.names
	if n == nil {
		return string(b)
	}
	if n.block.Cap()-n.block.Len() < len(b) {
		n.block, n.size = strings.Builder{}, min(max(2*n.size, namesBlock), largestNamesBlock)
		n.block.Grow(max(n.size, len(b)))
	}
	n.block.Write(b) // which never moves what is there
	return n.block.String()[n.block.Len()-len(b):]
}
