package cbh

import "unicode/utf8"

// bytesBase and the number of a byte make the character of a byte in Bytes.
const bytesBase = 0xF700

// Bytes is a page for whoever looks for the right one: it keeps every byte above
// 7F, as U+F700 plus the byte, so that bytes can be told from what was UTF-8.
func Bytes() CodePage { return CodePage{bytesPage()} }

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
