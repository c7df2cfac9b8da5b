package packed

import (
	"bytes"
	"encoding/binary"
	"errors"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/transform"
)

// Marks of byte order that text in UTF-16 begins with.
var (
	markLittle = []byte{0xFF, 0xFE}
	markBig    = []byte{0xFE, 0xFF}
)

// orderOf returns the byte order of text that begins so, nil if it is not UTF-16.
func orderOf(head []byte) binary.ByteOrder {
	switch {
	case bytes.HasPrefix(head, markLittle):
		return binary.LittleEndian
	case bytes.HasPrefix(head, markBig):
		return binary.BigEndian
	}
	return nil
}

// errHalf says where text in UTF-16 is damaged; a decoder that puts a sign in its
// place would lose that in silence.
var errHalf = errors.New("the text is UTF-16 and has half a character")

// wide makes UTF-8 of UTF-16.
type wide struct {
	transform.NopResetter
	order binary.ByteOrder
}

// Transform implements [transform.Transformer].
func (w wide) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		r, size := w.next(src[nSrc:])
		switch {
		case r == utf8.RuneError && size == 0 && !atEOF:
			return nDst, nSrc, transform.ErrShortSrc
		case r == utf8.RuneError && size <= 1:
			return nDst, nSrc, errHalf
		case nDst+utf8.RuneLen(r) > len(dst):
			return nDst, nSrc, transform.ErrShortDst
		}
		nDst += utf8.EncodeRune(dst[nDst:], r)
		nSrc += size
	}
	return nDst, nSrc, nil
}

// next returns the first character and its size in bytes: utf8.RuneError and 0 if
// it is not all there, and 1 if it is none.
func (w wide) next(src []byte) (r rune, size int) {
	if len(src) < 2 {
		return utf8.RuneError, 0
	}
	if r = rune(w.order.Uint16(src)); !utf16.IsSurrogate(r) {
		return r, 2
	}
	if len(src) < 4 {
		return utf8.RuneError, 0
	}
	if r = utf16.DecodeRune(r, rune(w.order.Uint16(src[2:]))); r == utf8.RuneError {
		return r, 1
	}
	return r, 4
}
