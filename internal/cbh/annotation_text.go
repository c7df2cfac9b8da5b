package cbh

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"cbkit/internal/wire"
	"cbkit/model"
)

// A text, type 02 behind a move and 82 in front of it (docs/formats/cba.md 6):
//
//	+0  u8 0
//	+1  u8 language as a nation number, 0: any
//	+2  text, with symbol bytes, to the end
func decodeText(p []byte, before bool, page CodePage) model.Value {
	if len(p) < 2 {
		return nil
	}
	return model.Text{Language: model.Language(p[1]), Before: before, Text: page.DecodeSymbols(p[2:])}
}

func appendText(dst []byte, t model.Text, page CodePage) []byte {
	dst = append(dst, 0, textLanguage(t.Language))
	if len(t.Text) <= (maxPayload-2)/utf8.UTFMax { // it fits, also where a byte becomes U+FFFD
		return page.symbolTable().append(dst, t.Text)
	}
	return append(dst, encodeUpTo(page.EncodeSymbols, t.Text, maxPayload-2)...)
}

// textType returns the type of a text: bit 7 says that it stands in front.
func textType(t model.Text) uint8 {
	if t.Before {
		return annotationTextBefore
	}
	return annotationText
}

// textLanguage returns the number of a language in an annotation. Languages
// that no nation speaks become 0, any language.
func textLanguage(l model.Language) uint8 {
	if l >= model.GuideLanguageBase {
		return 0
	}
	return uint8(l)
}

// encodeUpTo returns the bytes of s or, where they are more than limit, of a
// beginning of s that fits. It cuts between characters.
func encodeUpTo(encode func(string) []byte, s string, limit int) []byte {
	b := encode(s)
	if len(b) <= limit {
		return b
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	for len(b) > limit {
		if utf8.Valid(b) {
			s = wire.CutRunes(s, limit)
		} else {
			s = firstRunes(s, limit) // one byte each
		}
		b = encode(s) // cut, bytes of a page can turn into UTF-8, but once only
	}
	return b
}

// firstRunes returns the first n characters of s.
func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// Symbols, type 03: one to three NAGs, on the move, on the position, before
// the move. Zeros at the end are left out (docs/formats/cba.md 6).
func decodeSymbols(p []byte) model.Value {
	if len(p) > 3 {
		return nil
	}
	var slot [3]model.NAG
	for i, n := range p {
		slot[i] = model.NAG(n)
	}
	return model.Symbols{Move: slot[0], Position: slot[1], Prefix: slot[2]}.Value()
}

func appendSymbols(dst []byte, s model.Symbols) []byte {
	slot := [3]uint8{uint8(foldNAG(s.Move)), uint8(foldNAG(s.Position)), uint8(foldNAG(s.Prefix))}
	return append(dst, bytes.TrimRight(slot[:], "\x00")...)
}

// pairedNAGs are the NAGs that come in two, for White and for Black, of which
// ChessBase writes only White's (docs/formats/cba.md 6, side). Each is Black's; White's
// is one less.
var pairedNAGs = []model.NAG{23, 33, 37, 41, 45, 133, 139}

// Two NAGs for "the only move"; ChessBase writes the second (docs/formats/cba.md 6).
const (
	forcedMove model.NAG = 7
	onlyMove   model.NAG = 8
)

// folded are the forms in which NAGs are stored.
var folded = func() (table [256]model.NAG) {
	for n := range table {
		table[n] = model.NAG(n)
	}
	table[forcedMove] = onlyMove
	for _, n := range pairedNAGs {
		table[n] = n - 1
	}
	return table
}()

// foldNAG returns the form in which a NAG is stored.
func foldNAG(n model.NAG) model.NAG { return folded[n] }

// A web link, type 1C (docs/formats/cba.md 7): u16 little-endian size of the payload,
// then address and caption, each with a length byte.
func decodeWebLink(p []byte, page CodePage) model.Value {
	c := wire.NewCursor(p)
	size := c.U16LE()
	url, caption := c.Bytes(int(c.U8())), c.Bytes(int(c.U8()))
	if c.Err() != nil || c.Len() != 0 || int(size) != len(p) {
		return nil
	}
	return model.WebLink{URL: page.Decode(url), Caption: page.Decode(caption)}
}

func appendWebLink(dst []byte, w model.WebLink, page CodePage) (out []byte, ok bool) {
	start := len(dst)
	dst = wire.AppendU16LE(dst, 0)
	dst = appendShortString(dst, w.URL, page)
	dst = appendShortString(dst, w.Caption, page)
	binary.LittleEndian.PutUint16(dst[start:], uint16(len(dst)-start))
	return dst, true
}

// appendShortString appends a string behind its length in one byte.
func appendShortString(dst []byte, s string, page CodePage) []byte {
	b := encodeUpTo(page.Encode, s, 255)
	return append(append(dst, uint8(len(b))), b...)
}
