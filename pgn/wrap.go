package pgn

import "bytes"

// lineWidth is how long a line of moves may be, as the PGN standard has it.
const lineWidth = 79

// wrapper appends words, separated by a blank or a line break.
type wrapper struct {
	dst   []byte
	start int // where the line under way begins
	// open is an opening bracket that the next word begins with, 0 if none.
	open byte
}

func (w *wrapper) reset(dst []byte) { w.dst, w.start, w.open = dst, len(dst), 0 }

// line ends the line.
func (w *wrapper) line() {
	w.dst = append(w.dst, '\n')
	w.start = len(w.dst)
}

// begin prepares for n bytes that belong together: by a line break if they do
// not fit on the line and a break may stand here, by a blank otherwise.
func (w *wrapper) begin(n int, mayBreak bool) {
	if w.open != 0 {
		n++
	}
	switch at := len(w.dst) - w.start; {
	case at == 0:
	case at+1+n > lineWidth && mayBreak:
		w.line()
	default:
		w.dst = append(w.dst, ' ')
	}
	if w.open != 0 {
		w.dst = append(w.dst, w.open)
		w.open = 0
	}
}

// word appends a word.
func (w *wrapper) word(s []byte) {
	w.begin(len(s), true)
	w.dst = append(w.dst, s...)
}

// comment appends a comment. Its words are separated by single blanks.
func (w *wrapper) comment(body []byte) {
	for first, more := true, true; more; first = false {
		var word []byte
		word, body, more = bytes.Cut(body, blank)
		n := len(word)
		if first {
			n++
		}
		if !more {
			n++
		}
		w.begin(n, first || mayBeginLine(word))
		if first {
			w.dst = append(w.dst, '{')
		}
		w.dst = append(w.dst, word...)
	}
	w.dst = append(w.dst, '}')
}

var blank = []byte{' '}

// mayBeginLine reports whether a line that begins with the word is never
// taken for an escaped line, a comment, or a tag.
func mayBeginLine(word []byte) bool {
	switch word[0] {
	case '%', ';':
		return false
	case '[':
		return len(word) > 1 && !isLetter(word[1])
	}
	return true
}

// closeVariation appends a closing bracket to the last word.
func (w *wrapper) closeVariation() {
	if len(w.dst)-w.start > lineWidth {
		w.line()
	}
	w.dst = append(w.dst, ')')
}
