package pgn

import (
	"bytes"
	"strconv"
	"strings"

	"cbkit/model"
)

// notation writes the annotations of one place after the other, in one of the
// two forms of PGN: losslessWriter's, which reads back as the same values in
// the same order, and plainWriter's, which is for people.
type notation interface {
	// before writes what stands in front of a move, which is the first of a
	// side line or not, and returns the rest.
	before(list []model.Annotation, side bool) (rest []model.Annotation)
	// after writes annotations behind their move.
	after(list []model.Annotation)
	// flush ends the comment under way.
	flush()
}

// comment is a comment under way.
type comment struct {
	out  *wrapper
	body []byte // words separated by single blanks
	// marks says that it ends with marked squares or arrows, which ChessBase
	// joins to what follows.
	marks bool

	scratch []byte // a command
}

// words adds words.
func (c *comment) words(s []byte) {
	if len(s) == 0 {
		return
	}
	c.space()
	if bytes.Contains(s, []byte(diagram)) {
		c.body = appendMarks(c.body, string(s))
		return
	}
	c.body = append(c.body, s...)
}

// space separates what is there from what comes.
func (c *comment) space() {
	if len(c.body) > 0 {
		c.body = append(c.body, ' ')
	}
	c.marks = false
}

// command adds the command in scratch. There is no blank between marked
// squares, arrows and medals (docs/formats/pgn.md 5).
func (c *comment) command(kind model.Kind) {
	isMarks := kind == model.KindSquares || kind == model.KindArrows
	if c.marks && (isMarks || kind == model.KindMedals) {
		c.body = append(c.body, c.scratch...)
	} else {
		c.words(c.scratch)
	}
	c.marks = isMarks
}

// write ends the comment.
func (c *comment) write() {
	c.marks = false
	if len(c.body) > 0 {
		c.out.comment(c.body)
		c.body = c.body[:0]
	}
}

// nags writes symbols as NAGs.
func (c *comment) nags(s model.Symbols) {
	var list [4]model.NAG
	var word [8]byte
	for _, n := range s.AppendNAGs(list[:0]) {
		if n == 0 || n == nagDiagram || n == nagDiagramBlack {
			continue
		}
		if c.out.tell != nil {
			c.out.tell.Symbol(n)
			continue
		}
		c.out.short(strconv.AppendUint(append(word[:0], '$'), uint64(n), 10))
	}
}

// appendMarks appends a text with PGN's mark for every diagram.
func appendMarks(dst []byte, text string) []byte {
	return append(dst, strings.ReplaceAll(text, diagram, diagramMark)...)
}
