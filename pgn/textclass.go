package pgn

import (
	"strings"
	"unicode/utf8"
)

// textClass says, at one quick look, what a text can be written as.
type textClass uint8

const (
	// plainWords are ASCII without anything that means something in a comment, each
	// between single blanks.
	plainWords textClass = 0
	// hasBracket is plainWords but for opening brackets.
	hasBracket textClass = 1
	// oddText is everything else, and now and then a text that could be written as
	// it is: it needs a closer look.
	oddText textClass = 2
)

// Eight bytes at a time: each byte of ones is 1, of highs 128.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// classOf returns the class of a text.
func classOf(text string) textClass {
	n := len(text)
	if n < 8 {
		return classOfShort(text)
	}
	odd, bracket := uint64(0), uint64(0)
	blank := uint64(highs >> 56) // whether a blank, or nothing, stands before
	for i := 0; ; i += 8 {
		if i > n-8 {
			if i == n {
				break
			}
			i = n - 8 // some bytes once more
			blank = 0
			if text[i-1] == ' ' {
				blank = highs >> 56
			}
		}
		v := eightBytes(text[i : i+8])
		// Above 'z' are braces and what is not ASCII; below ' ' control characters.
		odd |= (v + ones*(127-'z') | v) | (v-ones*' ')&^v
		b := v ^ ones*'['
		bracket |= (b - ones) &^ b & highs
		s := v ^ ones*' '
		s = ^((s&^highs + (highs - ones)) | s) & highs // the blanks
		odd |= s & (s<<8 | blank)
		blank = s >> 56
	}
	switch {
	case odd&highs != 0 || blank != 0:
		return oddText
	case bracket != 0:
		return hasBracket
	}
	return plainWords
}

// eightBytes returns eight bytes as a number, the first one lowest.
func eightBytes(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// classOfShort is classOf byte by byte.
func classOfShort(text string) textClass {
	all, before := uint8(0), uint8(isBlankWord)
	for i := range len(text) {
		class := wordClasses[text[i]]
		all |= class | class&before<<2
		before = class & isBlankWord
	}
	switch {
	case all&(isOddWord|isBlankWord<<2) != 0 || before != 0 && text != "":
		return oddText
	case all&isBracketWord != 0:
		return hasBracket
	}
	return plainWords
}

// What wordClasses says of a byte.
const (
	isBlankWord   = 1 // a blank, which may stand between two others
	isOddWord     = 2 // to be looked at, or beyond ASCII
	isBracketWord = 8
)

var wordClasses = func() (table [256]uint8) {
	for b := range table {
		if oddInWords[b] || b >= utf8.RuneSelf {
			table[b] = isOddWord
		}
	}
	table[' '], table['['] = isBlankWord, isBracketWord
	return table
}()

// hasNoCommand reports, of a text whose only odd bytes are brackets, that it has no
// command of ChessBase's or ours and reads back as it is. It is quick, and says
// no to some that do.
func hasNoCommand(text string) bool {
	last := strings.LastIndexByte(text, ']')
	for {
		i := strings.IndexByte(text, '[')
		if i < 0 || i+2 >= len(text) {
			return true
		}
		switch next := text[i+1]; {
		case next == '#' && text[i+2] == ']':
			return false
		case next == '%' && isLetter(text[i+2]):
			if last < i || mayMean(text[i+2:]) {
				return false
			}
		}
		text, last = text[i+1:], last-i-1
	}
}

// mayMean reports whether a command that begins with a name may have a value
// ([command.known]).
func mayMean(name string) bool {
	if len(name) < 2 {
		return false
	}
	switch name[:2] {
	case "ev":
		args, isEval := strings.CutPrefix(name, "eval ")
		k := strings.IndexByte(args, ']')
		return !isEval || k < 0 || strings.IndexByte(args[:k], ',') >= 0
	case "cs", "ca", "md", "em", "tq", "cb", "me", "cr", "va", "pr", "po":
		return true
	}
	return false
}
