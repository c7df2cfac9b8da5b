package dcdb

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"cbkit/board"
	"cbkit/model"
)

// Decoder reads games. It keeps its memory from one game to the next.
type Decoder struct {
	// Promotions is how the database numbers promotions.
	Promotions Promotions
	// Foreign reads texts that are not UTF-8.
	Foreign func([]byte) string
	// NoAnnotations leaves NAGs and comments out.
	NoAnnotations bool
	// Warn, if not nil, is called for what is wrong with a game of which something
	// could be kept, Note for oddities that cost nothing. Offsets count from the
	// game's first byte behind its length.
	Warn, Note func(*model.FormatError)

	body        []byte
	at          int
	pos         board.Position
	moves       *model.TreeBuilder
	annotations []model.Annotation
	line        line
	pending     []waiting
	cut         *model.FormatError // why the rest of the game cannot be read
}

// line is the state of a line of moves.
type line struct {
	node int        // the last move, as the builder numbers it
	last model.Move // that move, if the line has one
	undo board.Undo // what takes it back
	any  bool       // the line has a move

	before        []string // comments in front of the first move
	text, symbols int      // annotations of node, -1 if there is none
	more          []string // comments behind the one that is the text
}

// waiting is a line that goes on, from a position, where a variation ends.
type waiting struct {
	line
	pos board.Position
}

// Decoded is what a game record holds.
type Decoded struct {
	// Start is nil for the standard starting position; it may point to
	// Position.
	Start       *model.Position
	Position    model.Position
	Moves       model.Tree
	Annotations []model.Annotation
}

// Decode reads the game record in body, its length not included, into out,
// whose memory is used again. Warn is called for damage behind which the game goes
// on; an error ends it, and out has what stands before.
func (d *Decoder) Decode(body []byte, out *Decoded) error {
	out.Start, out.Annotations = nil, out.Annotations[:0]
	out.Moves.Reset()
	if d.moves == nil {
		d.moves = new(model.TreeBuilder)
	}
	d.body, d.at, d.annotations, d.pending = body, 0, out.Annotations, d.pending[:0]
	d.moves.Reset()
	d.cut = nil
	if err := d.start(out); err != nil {
		return err
	}
	d.line = line{node: model.NoNode, text: -1, symbols: -1}
	for d.at < len(d.body) && d.item() {
	}
	if n := len(d.pending); n > 0 && d.cut == nil {
		d.warn(d.at, "variation", model.ErrTruncated, "%d variations do not end", n)
	}
	for len(d.pending) > 0 {
		d.end()
	}
	d.closeText()
	order := d.moves.Build(&out.Moves)
	if out.Annotations = d.annotations; order != nil {
		for i := range d.annotations {
			if n := &d.annotations[i].Node; *n >= 0 {
				*n = order[*n]
			}
		}
	}
	byNode := func(a, b model.Annotation) int { return int(a.Node) - int(b.Node) }
	if !slices.IsSortedFunc(d.annotations, byNode) {
		slices.SortStableFunc(d.annotations, byNode)
	}
	if d.cut != nil {
		return d.cut
	}
	return nil
}

// stop says why the rest of the game cannot be read.
func (d *Decoder) stop(offset int, field string, kind error, format string, args ...any) bool {
	d.cut = d.wrong(offset, field, kind, format, args...)
	return false
}

// warn reports damage.
func (d *Decoder) warn(offset int, field string, kind error, format string, args ...any) {
	if d.Warn != nil {
		d.Warn(d.wrong(offset, field, kind, format, args...))
	}
}

// note reports an oddity.
func (d *Decoder) note(offset int, field string, format string, args ...any) {
	if d.Note != nil {
		d.Note(d.wrong(offset, field, model.ErrCorrupt, format, args...))
	}
}

func (d *Decoder) wrong(offset int, field string, kind error, format string, args ...any) *model.FormatError {
	return &model.FormatError{Offset: int64(offset), Record: -1, Field: field,
		Err: fmt.Errorf("%w: %s", kind, fmt.Sprintf(format, args...))}
}

// start reads the starting position.
func (d *Decoder) start(out *Decoded) (err error) {
	if len(d.body) == 0 {
		return d.wrong(0, "start", model.ErrTruncated, "the game has no bytes")
	}
	d.at = 1
	switch mark := d.body[0]; mark {
	case markStandard:
		d.pos = board.Start()
		return nil
	case markFEN:
	default:
		return d.wrong(0, "start", model.ErrCorrupt, "%02x says neither that the game begins in the standard position nor that a FEN follows", mark)
	}
	text, ok := d.block("FEN")
	if !ok {
		return d.wrong(1, "FEN", model.ErrCorrupt, "it has no length")
	}
	if out.Position, err = parseFEN(string(text)); err != nil {
		return d.wrong(1, "FEN", model.ErrCorrupt, "%v", err)
	}
	if d.pos, err = board.New(&out.Position); err != nil {
		return d.wrong(1, "FEN", model.ErrCorrupt, "%v", err)
	}
	out.Start = &out.Position
	return nil
}

// block reads a length and as many bytes; what reaches past the end of the
// game is cut there.
func (d *Decoder) block(field string) ([]byte, bool) {
	n, size := DecodeLength(d.body[d.at:])
	if size == 0 {
		return nil, false
	}
	d.at += size
	if rest := len(d.body) - d.at; int64(n) > int64(rest) {
		d.warn(d.at, field, model.ErrTruncated, "%d bytes are announced, the game has %d", n, rest)
		n = uint32(rest)
	}
	b := d.body[d.at : d.at+int(n)]
	d.at += int(n)
	return b, true
}

// item reads the next item; it returns false if the rest of the game cannot
// be read.
func (d *Decoder) item() bool {
	at, tag := d.at, d.body[d.at]
	if tag < 0x80 {
		if at+2 > len(d.body) {
			return d.stop(at, "move", model.ErrTruncated, "half a move")
		}
		d.at += 2
		m, exact := d.Promotions.decodeMove(uint16(tag)<<8|uint16(d.body[at+1]), &d.pos)
		if m.IsNull() { // a1a1, which the model takes for the null move
			return d.stop(at, "move", model.ErrCorrupt, "a1a1 is not legal")
		}
		if !d.play(at, m) {
			return false
		}
		if !exact {
			d.note(at, "move", "the promotion of %v is not as the database numbers them", m)
		}
		return true
	}
	d.at++
	switch tag {
	case tagBegin, tagOldBegin:
		return d.begin(at)
	case tagEnd:
		if len(d.pending) == 0 {
			d.warn(at, "variation", model.ErrCorrupt, "the end of a variation that has not begun")
			return true
		}
		d.end()
		return true
	case tagNull:
		return d.play(at, model.NullMove)
	case tagComment, tagNAGs:
		return d.annotation(at, tag)
	}
	return d.stop(at, "item", model.ErrCorrupt, "%02x has no meaning", tag)
}

// play makes a move that was read at a place.
func (d *Decoder) play(at int, m model.Move) bool {
	if !d.pos.LegalLoose(m) {
		return d.stop(at, "move", model.ErrCorrupt, "%v is not legal", m)
	}
	d.closeText()
	before := d.line.before
	node := d.moves.Add(d.line.node, m)
	d.line = line{node: node, last: m, undo: d.pos.Make(m), any: true, text: -1, symbols: -1}
	if len(before) > 0 {
		d.addComment(strings.Join(before, " "), true)
		d.line.text = -1
	}
	return true
}

// begin begins a variation in place of the last move.
func (d *Decoder) begin(at int) bool {
	switch {
	case !d.line.any:
		d.warn(at, "variation", model.ErrCorrupt, "there is no move that it could replace; it is left out")
		for depth := 1; depth > 0 && d.at < len(d.body); {
			at := d.at
			tag, ok := d.skip()
			if !ok {
				return d.stop(at, "item", model.ErrCorrupt, "it cannot be read")
			}
			switch tag {
			case tagBegin, tagOldBegin:
				depth++
			case tagEnd:
				depth--
			}
		}
		return true
	case len(d.pending) == MaxDepth:
		return d.stop(at, "variation", model.ErrUnsupported, "variations are nested deeper than %d", MaxDepth)
	}
	d.pending = append(d.pending, waiting{d.line, d.pos})
	d.pos.Unmake(d.line.last, d.line.undo)
	d.line = line{node: d.moves.Parent(d.line.node), text: -1, symbols: -1}
	return true
}

// end ends a variation.
func (d *Decoder) end() {
	d.closeText()
	before := d.line.before
	top := len(d.pending) - 1
	d.line, d.pos = d.pending[top].line, d.pending[top].pos
	d.pending = d.pending[:top]
	if len(before) > 0 { // of a variation without moves
		d.addComment(strings.Join(before, " "), false)
	}
}

// skip passes over one item and returns its tag, 0 for a move.
func (d *Decoder) skip() (tag byte, ok bool) {
	tag = d.body[d.at]
	d.at++
	switch {
	case tag < 0x80:
		d.at++
		return 0, d.at <= len(d.body)
	case tag == tagComment || tag == tagNAGs:
		_, ok = d.block("")
		return tag, ok
	}
	return tag, tag == tagOldBegin || tag >= tagBegin && tag <= tagNull
}

// text returns bytes as a string.
func (d *Decoder) text(at int, b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	d.note(at, "text", "a comment is not UTF-8")
	return d.Foreign(b)
}
