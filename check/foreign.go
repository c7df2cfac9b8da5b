package check

import "unicode/utf8"

// foreignTexts counts, by file, the texts that look like another code page than
// Windows-1252.
type foreignTexts map[string]int

// see counts a text that was decoded as Windows-1252.
func (f foreignTexts) see(ext, s string) {
	if looksForeign(s) {
		f[ext]++
	}
}

// foreignRun is how many letters with accents in a row no Western word has.
// Cyrillic, Greek, Hebrew or Arabic bytes, taken for Windows-1252, are nothing
// else.
const foreignRun = 4

// looksForeign reports whether a text that was decoded as Windows-1252 makes no
// sense in it.
func looksForeign(s string) bool {
	run := 0
	for len(s) > 0 {
		if s[0] < utf8.RuneSelf { // by far the most
			run, s = 0, s[1:]
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		s = s[n:]
		if r < 'À' || r > 'ÿ' {
			run = 0
			continue
		}
		if run++; run == foreignRun {
			return true
		}
	}
	return false
}

// reportForeign adds one finding for each file with foreign texts, unless the
// user has named a code page.
func (c *checker) reportForeign() {
	if c.opt.CodePage != "" {
		return
	}
	for _, ext := range examinedExts {
		if n := c.foreign[ext]; n > 0 {
			c.add(codeCodePage, inFile(ext), "%s in a code page that the database does not name; --codepage 1251 would be right for Russian", quantity(n, "text"))
		}
	}
}

// reportUTF8 adds one finding for all texts of annotations that are UTF-8 for
// no need: newer programs write some of their texts so.
func (c *checker) reportUTF8() {
	if c.utf8 > 0 {
		c.add(codeTextUTF8, inFile(".cba"), "%s %s", quantity(c.utf8, "text"), reasonUTF8)
	}
}
