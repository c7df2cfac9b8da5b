package pgn

import "bytes"

// longGame is how much text without a cut is looked at once before it is
// skimmed, in bytes.
const longGame = 64 << 10

// eventTag is how the tags of most games begin.
const eventTag = `[Event "`

// usualCut goes on to where the next game begins as nearly all do: with the tag
// Event, behind a result and a blank line. Skimming would find a game there
// too, since even a comment without end, or a bracket, ends there at the latest;
// games that it would find before are left to the parser, to which the cuts make
// no difference.
func (s *splitter) usualCut() (at int, found bool) {
	text := s.b.text
	from, to := s.looked, s.looked // the last line with anything on it, its end included
	for i := max(s.looked, s.start); ; {
		k := bytes.IndexByte(text[i:], '\n')
		if k < 0 || i+k+len(eventTag) >= len(text) {
			return 0, false
		}
		if k > 1 || k == 1 && text[i] != '\r' {
			from, to = i, i+k
			s.looked = i
		}
		i += k + 1
		if text[i] != '[' || i == to+1 || string(text[i:i+len(eventTag)]) != eventTag || !endsInResult(text[from:to]) {
			continue
		}
		s.lex.skimming, s.lex.ends, s.lex.i = skimming{escaped: s.lex.escaped}, [2]int{}, i
		s.lex.head, s.tags, s.front, s.seen = true, false, noRun, anyText
		return i, true
	}
}

// endsInResult reports whether a line ends in a result, and nothing in it goes on
// to its end: no line comment, escape or bracket.
func endsInResult(line []byte) bool {
	line = bytes.TrimSuffix(line, []byte{'\r'})
	rest := line
	for _, word := range [...]string{"1-0", "0-1", "1/2-1/2", "*"} {
		if bytes.HasSuffix(line, []byte(word)) {
			rest = line[:len(line)-len(word)]
			break
		}
	}
	if len(rest) == len(line) || len(rest) > 0 && rest[len(rest)-1] != ' ' {
		return false
	}
	if len(rest) > 0 && rest[0] == '%' || bytes.IndexByte(rest, ';') >= 0 {
		return false
	}
	return bytes.LastIndexByte(rest, '[') <= bytes.LastIndexByte(rest, ']')
}
