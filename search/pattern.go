package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// pattern is what a name must look like: '*' stands for any characters, '?' for
// one, upper and lower case are the same.
type pattern string

// matches reports whether the whole of s looks like the pattern.
func (p pattern) matches(s string) bool {
	rest := string(p)
	// Where to go on if what follows the last '*' does not fit here: one
	// character later.
	star, again := "", ""
	starred := false
	for {
		want, size := utf8.DecodeRuneInString(rest)
		switch {
		case size > 0 && want == '*':
			rest = rest[size:]
			star, again, starred = rest, s, true
			continue
		case size == 0 && s == "":
			return true
		case size > 0 && s != "":
			if got, n := utf8.DecodeRuneInString(s); want == '?' || fold(want) == fold(got) {
				rest, s = rest[size:], s[n:]
				continue
			}
		}
		if !starred || again == "" {
			return false
		}
		_, n := utf8.DecodeRuneInString(again)
		again = again[n:]
		rest, s = star, again
	}
}

// fold makes upper and lower case the same. What is ASCII and what is not stays
// so, or a search by bytes would not find what this does.
func fold(r rune) rune {
	low := unicode.ToLower(r)
	if low < utf8.RuneSelf && r >= utf8.RuneSelf {
		return r
	}
	return low
}

// prefix returns the ASCII characters that all names which look like the
// pattern begin with, at most n. With untilComma it ends before a comma, behind
// which another field begins.
func (p pattern) prefix(n int, untilComma bool) string {
	s := string(p)
	for i := range len(s) {
		c := s[i]
		if i == n || c >= utf8.RuneSelf || c == '*' || c == '?' || c == ',' && untilComma {
			return s[:i]
		}
	}
	return s
}

// caseVariants returns all ways to write an ASCII string in upper and lower
// case.
func caseVariants(s string) []string {
	list := []string{""}
	for i := range len(s) {
		low, up := strings.ToLower(s[i:i+1]), strings.ToUpper(s[i:i+1])
		var next []string
		for _, v := range list {
			next = append(next, v+low)
			if up != low {
				next = append(next, v+up)
			}
		}
		list = next
	}
	return list
}

// hasPrefixFold reports whether b begins with an ASCII prefix, in upper or lower
// case. All code pages have ASCII in its place.
func hasPrefixFold(b []byte, prefix string) bool {
	if len(b) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if lower(b[i]) != lower(prefix[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
