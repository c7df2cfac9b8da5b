package search

import (
	"strings"
	"unicode/utf8"

	"cbkit/internal/namepattern"
)

// pattern is what a name must look like.
type pattern string

// matches reports whether the whole of s looks like the pattern.
func (p pattern) matches(s string) bool { return namepattern.Pattern(p).Matches(s) }

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
