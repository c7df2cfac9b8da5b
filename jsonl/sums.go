package jsonl

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"cbkit/model"
)

// What was stored about the moves and the annotations of a game must not
// survive an edit of them in the text. So two checksums stand beside those
// leftovers: of the starting position and the moves, and of the annotations.
// They are made of what the keys mean, not of how it is spelled, so that a
// program may sort keys and change blanks.
//
//	leftover      depends on
//	"derived"     both
//	"moves"       the moves
//
// All other leftovers are used only where they still say what the keys say.

// sums are the checksums of a game, eight hexadecimal digits each.
type sums struct{ moves, annotations string }

// summer computes checksums. Its memory is used again.
type summer struct{ buf []byte }

var sumTable = crc32.MakeTable(crc32.Castagnoli)

// moves sums up the starting position and the moves.
func (s *summer) moves(g *model.Game) string {
	s.begin(g.MovesErr)
	if g.Start != nil {
		s.buf = appendPosition(s.buf, g.Start)
	}
	for _, n := range g.Moves.Nodes() {
		s.buf = binary.BigEndian.AppendUint16(s.buf, uint16(n.Move))
		s.buf = binary.BigEndian.AppendUint32(s.buf, uint32(n.Parent))
	}
	return s.end()
}

// annotations sums up the annotations and what is stored with them.
func (s *summer) annotations(g *model.Game) string {
	s.begin(g.AnnotationsErr)
	for i := range g.Annotations {
		a := &g.Annotations[i]
		s.buf = binary.BigEndian.AppendUint32(s.buf, uint32(a.Node))
		s.buf = AppendValue(s.buf, a.Value)
		s.leftover(a.Leftover)
	}
	s.leftover(g.Leftovers.Annotations)
	return s.end()
}

// begin begins with whether all could be decoded.
func (s *summer) begin(why error) {
	s.buf = append(s.buf[:0], 0)
	if why != nil {
		s.buf[0] = 1
	}
}

func (s *summer) leftover(l *model.Leftover) {
	if l != nil {
		s.buf = append(append(s.buf, l.Format...), 0)
		s.buf = append(s.buf, l.Data...)
	}
	s.buf = append(s.buf, 0)
}

func (s *summer) end() string { return fmt.Sprintf("%08x", crc32.Checksum(s.buf, sumTable)) }

// dropStale drops the leftovers of a game that are about other moves or other
// annotations than it has.
func (d *decoder) dropStale(g *model.Game) {
	l, was := &g.Leftovers, &d.line.details.sums
	if l.Derived == nil && l.Moves == nil {
		return
	}
	if d.sum.moves(g) != was.moves {
		l.Derived, l.Moves = nil, nil
	}
	if l.Derived != nil && d.sum.annotations(g) != was.annotations {
		l.Derived = nil
	}
}
