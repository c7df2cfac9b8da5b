package pgn

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"cbkit/board"
	"cbkit/model"
)

// interrupted is a line of which a move's alternatives are being written.
type interrupted struct {
	node, alternative int
	ply               int // after the move
}

// interruptedBoard is its board after the move, which undo takes back.
type interruptedBoard struct {
	pos  board.Position
	undo board.Undo
}

// writeMoveText writes all behind the tags: the moves with all annotations, and the
// result.
func (enc *encoder) writeMoveText() {
	g := enc.g
	if g.MovesErr != nil {
		enc.lost(model.LostMoves, "moves", "they could not be read: %v", g.MovesErr)
	}
	if g.AnnotationsErr != nil {
		enc.lost(model.LostAnnotation, "annotations", "they could not all be read: %v", g.AnnotationsErr)
	}
	list := g.Annotations
	if enc.annotated = len(list) > 0; enc.annotated { // where those of each node begin
		nodes := int32(g.Moves.Len())
		enc.first = slices.Grow(enc.first[:0], int(nodes)+2)[:0]
		for node, at := int32(model.NoNode), 0; node <= nodes; node++ {
			for at < len(list) && list[at].Node < node {
				at++
			}
			enc.first = append(enc.first, int32(at))
		}
	}
	enc.notation.after(enc.annotationsAt(model.NoNode))
	if pos, err := board.New(g.Start); err == nil {
		enc.pos, enc.signs = pos, g.Signs
		enc.ply = pos.FullMove()<<1 | int(pos.Turn())
		enc.plays = !enc.legal || len(g.Signs) != g.Moves.Len() && enc.out.tell == nil
		enc.writeTree()
		if enc.annotated {
			stray := len(list) - int(enc.first[len(enc.first)-1]-enc.first[0])
			if stray > 0 {
				enc.lost(model.LostAnnotation, "annotations", "%d belong to moves that the game does not have", stray)
			}
		}
	} else if n := g.Moves.Len(); n > 0 {
		enc.lost(model.LostMoves, "moves", "%d moves, and what is said of them: %v: %v", n, errStartPosition, err)
	}
	enc.notation.flush()
	if enc.out.tell == nil {
		enc.out.word([]byte(resultMarker(g.Result)))
	}
}

// annotationsAt returns the annotations of a node.
func (enc *encoder) annotationsAt(node int) []model.Annotation {
	if !enc.annotated {
		return nil
	}
	return enc.g.Annotations[enc.first[node+1]:enc.first[node+2]]
}

// writeTree writes all lines: a move, then its alternatives in brackets, then
// how the game went on.
func (enc *encoder) writeTree() {
	t := &enc.g.Moves
	enc.outer, enc.boards, enc.deepest = enc.outer[:0], enc.boards[:0], 0
	node := t.Main(model.NoNode)
	for {
		for node != model.NoNode {
			if !enc.writeMove(node) {
				enc.lostLine(node)
				break
			}
			if alternative := t.NextAlternative(node); alternative != model.NoNode && t.IsMain(node) {
				enc.outer = append(enc.outer, interrupted{node, alternative, enc.ply})
				enc.deepest = max(enc.deepest, len(enc.outer))
				if enc.plays {
					enc.boards = append(enc.boards, interruptedBoard{enc.pos, enc.undo})
				}
				node = enc.openVariation()
				continue
			}
			node = t.Main(node)
		}
		if len(enc.outer) == 0 {
			return
		}
		node = enc.closeVariation()
	}
}

// openVariation begins the next alternative of the innermost interrupted line
// and returns its first move.
func (enc *encoder) openVariation() int {
	f := &enc.outer[len(enc.outer)-1]
	enc.notation.flush()
	if enc.ply = f.ply - 1; enc.plays {
		b := &enc.boards[len(enc.boards)-1]
		enc.pos = b.pos
		enc.pos.Unmake(enc.g.Moves.Move(f.node), b.undo)
	}
	if enc.out.openVariation(); enc.lines != nil {
		enc.lines = append(enc.lines, f.alternative)
	}
	return f.alternative
}

// closeVariation ends an alternative and returns the move to go on with: the
// first one of the next alternative, or the next one of the line around.
func (enc *encoder) closeVariation() int {
	t := &enc.g.Moves
	f := &enc.outer[len(enc.outer)-1]
	enc.notation.flush()
	if enc.lines != nil && enc.out.open != 0 {
		enc.lines = enc.lines[:len(enc.lines)-1] // no move of it was possible
	}
	enc.out.closeVariation()
	if f.alternative = t.NextAlternative(f.alternative); f.alternative != model.NoNode {
		return enc.openVariation()
	}
	enc.ply = f.ply
	next := t.Main(f.node)
	enc.outer = enc.outer[:len(enc.outer)-1]
	if last := len(enc.boards) - 1; enc.plays {
		enc.pos, enc.boards = enc.boards[last].pos, enc.boards[:last]
	}
	return next
}

// writeMove writes a move with its number and annotations. It returns false, and
// writes nothing, if the move is impossible.
func (enc *encoder) writeMove(node int) bool {
	m := enc.g.Moves.Move(node)
	if !enc.legal && !enc.pos.LegalLoose(m) {
		return false
	}
	annotations := enc.annotationsAt(node)
	if len(annotations) > 0 {
		annotations = enc.notation.before(annotations, enc.out.open != 0)
	}
	if enc.plain && enc.annotated {
		enc.notation.flush()
	}
	w := &enc.out
	if w.tell != nil {
		w.open, w.behind, w.told = 0, false, true
		w.tell.Play(m)
		if enc.plays {
			enc.undo = enc.pos.Make(m)
		}
	} else if w.inLine() {
		at := len(w.dst)
		w.dst = enc.appendMove(enc.appendNumber(append(w.dst, ' ')), node, m)
		w.breakAt(at)
	} else {
		var buf [16]byte
		both := enc.appendMove(enc.appendNumber(buf[:0]), node, m)
		w.word(both)
	}
	enc.ply++
	if len(annotations) > 0 {
		enc.notation.after(annotations)
	}
	return true
}

// appendMove appends a move with the signs in front of it, and makes it on the
// board if there is one.
func (enc *encoder) appendMove(dst []byte, node int, m model.Move) []byte {
	if lead := enc.out.lead; len(lead) > 0 {
		dst, enc.out.lead = append(dst, lead...), lead[:0]
	}
	if !enc.plays {
		return board.AppendSigned(dst, m, enc.signs[node])
	}
	dst, enc.undo = enc.pos.AppendMade(dst, m)
	return dst
}

// mostMoves is the last number of a move; it is that of all which come after.
const mostMoves = 1<<16 - 1

// appendNumber appends the number of the next move where one belongs: that of a
// move of Black only where it does not stand behind White's or its symbols.
func (enc *encoder) appendNumber(dst []byte) []byte {
	black := enc.ply&1 != 0
	if black && !enc.out.interrupted {
		return dst
	}
	enc.out.interrupted = false
	dst = strconv.AppendUint(dst, uint64(min(enc.ply>>1, mostMoves)), 10)
	if black {
		return append(dst, "... "...)
	}
	return append(dst, ". "...)
}

// lostLine reports that a move, and all that depends on it, cannot be written.
func (enc *encoder) lostLine(node int) {
	if enc.report == nil {
		return
	}
	t := &enc.g.Moves
	end := node + 1
	for end < t.Len() && t.Parent(end) >= node {
		end++
	}
	enc.lost(model.LostMoves, "moves", "%v is impossible; it and %d moves after it are left out", t.Move(node), end-node-1)
}

// lineWidth is how long a line of moves may be, as the PGN standard has it.
const lineWidth = 79

// wrapper appends words, separated by a blank or a line break.
type wrapper struct {
	dst []byte
	// start is where the line under way would begin if all its characters were
	// bytes.
	start int
	// open is an opening bracket that the next word begins with, 0 if none.
	open byte
	// setIn says that variations are numbered and stand on lines of their own, set
	// in by margin; fresh, that the next word begins such a line.
	setIn, fresh    bool
	margin, numbers int
	// ascii says that the comment under way has no other characters; commands, that
	// it may have commands, which stay whole.
	ascii, commands bool
	find            commandFinder // of the comment under way
	// interrupted says that there is more than symbols between the last move
	// and the next one, or no last move.
	interrupted bool
	// lead stands between the number of the next move and the move: signs for
	// people, such as ⌓ for a better move.
	lead []byte

	// tell, if not nil, is told what would be written; told says that it was told
	// anything of the game, behind that a variation ended last.
	tell         Notation
	told, behind bool
}

func (w *wrapper) reset(dst []byte) {
	w.dst, w.start, w.open, w.interrupted, w.lead = dst, len(dst), 0, true, w.lead[:0]
	w.told, w.behind = false, false
}

// openVariation puts an opening bracket in front of the next word.
func (w *wrapper) openVariation() {
	w.open, w.interrupted = '(', true
	if w.tell != nil {
		w.tell.Enter()
		return
	}
	if w.setIn {
		w.fresh = true
		w.margin += indent
	}
}

// line ends the line.
func (w *wrapper) line() {
	w.dst = append(w.dst, '\n')
	w.start = len(w.dst)
	for range w.margin {
		w.dst = append(w.dst, ' ')
	}
}

// begin prepares for n bytes that belong together: by a line break if they do
// not fit on the line and a break may stand here, by a blank otherwise.
func (w *wrapper) begin(n int, mayBreak bool) {
	if w.open != 0 {
		n++
	}
	switch at := len(w.dst) - w.start; {
	case w.fresh:
		w.line()
		w.fresh = false
	case at == w.margin:
	case at+1+n > lineWidth && mayBreak:
		w.line()
	default:
		w.dst = append(w.dst, ' ')
	}
	if w.open != 0 {
		if w.numbers++; w.setIn {
			w.dst = fmt.Appendf(w.dst, "[%d] ", w.numbers)
		}
		w.dst = append(w.dst, w.open)
		w.open = 0
	}
}

// inLine reports whether a word follows another one on a line, so that there is
// nothing to settle but whether it fits there.
func (w *wrapper) inLine() bool { return w.open == 0 && !w.setIn && len(w.dst) > w.start }

// breakAt ends the line at the blank at the given place, behind which it was
// not empty, if what was appended there does not fit on it.
func (w *wrapper) breakAt(at int) {
	if len(w.dst)-w.start > lineWidth {
		w.dst[at] = '\n'
		w.start = at + 1
	}
}

// word appends a word.
func (w *wrapper) word(s []byte) {
	w.begin(len(s), true)
	w.dst = append(w.dst, s...)
}

// short is word for a few bytes.
func (w *wrapper) short(s []byte) {
	if !w.inLine() {
		w.word(s)
		return
	}
	at := len(w.dst)
	w.dst = append(append(w.dst, ' '), s...)
	w.breakAt(at)
}

// comment appends a comment. Its words are separated by single blanks.
func (w *wrapper) comment(body []byte) {
	if w.tell != nil {
		w.told = true
		w.tell.Comment(string(body))
		return
	}
	w.ascii = isASCII(body)
	if w.ascii && w.inLine() && len(w.dst)-w.start+len(body)+len(" {}") <= lineWidth {
		w.dst = append(append(append(w.dst, " {"...), body...), '}')
		w.interrupted, w.ascii = true, false
		return
	}
	w.commands, w.find = bytes.Contains(body, []byte("[%")), commandFinder{}
	first := w.wordEnd(body)
	n := 1 // the brace
	if first == len(body) {
		n = 2
	}
	w.begin(n+first-w.continued(body[:first]), true)
	w.dst = append(w.dst, '{')
	w.characters(body[:first])
	for body = body[first:]; len(body) > 0; { // it begins with a blank
		room := lineWidth - (len(w.dst) - w.start)
		if w.prefix(body, room-1) == len(body) { // and the brace
			w.characters(body)
			break
		}
		end := w.prefix(body, room)
		k := 0 // where the words end that the line holds
		if !w.commands {
			k = bytes.LastIndexByte(body[:min(end+1, len(body))], ' ')
		} else if word := 1 + w.wordEnd(body[1:]); word <= end {
			k = word
		}
		if k <= 0 { // it holds none more
			body = body[1:]
			if mayBeginLine(body) {
				w.line()
			} else {
				w.dst = append(w.dst, ' ')
			}
			k = w.wordEnd(body)
		}
		w.characters(body[:k])
		body = body[k:]
	}
	w.dst = append(w.dst, '}')
	w.interrupted, w.ascii = true, false
}

// isASCII reports whether a text has no other characters.
func isASCII(s []byte) bool {
	const high = 0x8080808080808080
	for ; len(s) >= 8; s = s[8:] {
		if binary.LittleEndian.Uint64(s)&high != 0 {
			return false
		}
	}
	for _, b := range s {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// wordEnd returns the place behind the first word of a comment. A command is no
// more than a part of one, since programs look for it on one line, however long it
// is.
func (w *wrapper) wordEnd(body []byte) int {
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case ' ':
			return i
		case '[':
			if !w.commands {
				continue
			}
			if end := commandEnd(&w.find, body, i); end >= 0 {
				i = end - 1
			}
		}
	}
	return len(body)
}

// characters appends text as it is.
func (w *wrapper) characters(text []byte) {
	w.dst = append(w.dst, text...)
	w.start += w.continued(text)
}

// continued counts the bytes of a text that are not the first of a character.
func (w *wrapper) continued(text []byte) (n int) {
	if w.ascii {
		return 0
	}
	for _, b := range text {
		if !utf8.RuneStart(b) {
			n++
		}
	}
	return n
}

// prefix returns how many bytes the first n characters of a text take, or all
// there are.
func (w *wrapper) prefix(text []byte, n int) int {
	if n >= len(text) {
		return len(text)
	}
	if w.ascii {
		return max(n, 0)
	}
	i := 0
	for ; n > 0 && i < len(text); n-- {
		i++
		for i < len(text) && !utf8.RuneStart(text[i]) {
			i++
		}
	}
	return i
}

// mayBeginLine reports whether a line that begins with a word is never taken
// for an escaped line, a comment, or a tag. More may stand behind the word.
func mayBeginLine(word []byte) bool {
	switch word[0] {
	case '%', ';':
		return false
	case '[':
		return len(word) > 1 && word[1] != ' ' && !isLetter(word[1])
	}
	return true
}

// closed reports whether a variation ended last.
func (w *wrapper) closed() bool {
	return w.behind || len(w.dst) > 0 && w.dst[len(w.dst)-1] == ')'
}

// empty reports whether nothing was written behind the tags.
func (w *wrapper) empty() bool {
	return !w.told && (len(w.dst) == 0 || w.dst[len(w.dst)-1] == '\n')
}

// closeVariation appends a closing bracket to the last word. One without moves
// is none.
func (w *wrapper) closeVariation() {
	w.interrupted = true
	if w.tell != nil {
		w.open, w.behind = 0, true
		w.tell.Leave()
		return
	}
	if w.setIn {
		w.margin -= indent
		w.fresh = true
	}
	if w.open != 0 {
		w.open = 0
		return
	}
	if len(w.dst)-w.start > lineWidth {
		w.line()
	}
	w.dst = append(w.dst, ')')
}
