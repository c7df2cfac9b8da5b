package moveenc

import "cbkit/model"

// What may come next in a record of the compact encoder (docs/formats/cbg.md 6).
type expected uint8

const (
	anything      expected = iota // after a move, at the beginning
	anAlternative                 // after POP: a move, maybe with PUSH
	aMove                         // after PUSH
)

// compact reads moves that the compact encoder wrote.
func (d *decoder) compact() error {
	next := anything
	for tokens := uint32(0); d.off < len(d.rec); {
		at := d.off
		v := d.cipher.decode(d.rec[at], byte(d.game.Moves.Len()))
		d.off++
		if op := &opcodes[v]; op.kind == pieceStep {
			if err := d.step(op); err != nil {
				return d.corruptMove(at, err)
			}
			next = anything
			tokens++
			continue
		}
		if v == codeDummy {
			d.game.Form.Dummies = append(d.game.Form.Dummies, tokens)
			continue
		}
		tokens++
		switch v {
		case codePush:
			if next == aMove {
				return d.corrupt(at, "moves", errPush)
			}
			next = aMove
			d.branch()
		case codePop:
			if next != anything {
				return d.corrupt(at, "moves", errAlternative)
			}
			if !d.endLine() {
				return d.end(true)
			}
			next = anAlternative
		default:
			if err := d.otherMove(v); err != nil {
				return d.corruptMove(at, err)
			}
			next = anything
		}
	}
	if next != anything {
		return d.corrupt(d.off, "moves", errAlternative)
	}
	return d.end(false)
}

// step reads the step of a numbered piece, as most moves are.
func (d *decoder) step(op *opcode) error {
	m, ch, ok := d.acceptStep(op)
	if !ok {
		return d.refuseStep(op, m)
	}
	if op.twin {
		d.note(&d.game.Form.Twins)
	}
	d.add(m, ch)
	return nil
}

// otherMove reads any other move, which begins with the code v.
func (d *decoder) otherMove(v byte) error {
	m, err := d.parseOther(v)
	if err != nil {
		return err
	}
	ch, ok := d.accept(m)
	if !ok {
		return d.describe(m, &d.game.Moves, d.parent)
	}
	d.add(m, ch)
	return nil
}

// refuseStep says why a step was not accepted.
func (d *decoder) refuseStep(op *opcode, m model.Move) error {
	if d.square[side(d.turn)|man(op.slot)] == model.NoSquare {
		return errNoPiece
	}
	return d.describe(m, &d.game.Moves, d.parent)
}

// parseOther returns the move of a code, which need not be legal.
func (d *decoder) parseOther(v byte) (m model.Move, err error) {
	ok := true
	switch kind := opcodes[v].kind; kind {
	case nullMove:
	case castleShort, castleLong:
		m, ok = d.castling(model.Side(kind - castleShort))
		ok = ok && !d.chess960
	case twoBytes:
		w, err := d.compactWord()
		if err != nil {
			return 0, err
		}
		if m, ok = d.parseWord(w); ok && d.code(m) != codeTwoBytes {
			d.note(&d.game.Form.Words)
			d.noteNull(w)
		}
	default:
		return 0, errUnused
	}
	if !ok {
		return 0, errIllegal
	}
	return m, nil
}

// note enters the next node in a list of the form.
func (d *decoder) note(list *[]uint32) {
	*list = append(*list, uint32(d.game.Moves.Len()))
}

// noteNull enters the next node in the form if it is a null move whose word has
// bits for a promotion.
func (d *decoder) noteNull(w uint16) {
	if w&wordSquares == 0 && w&wordPromotion != 0 {
		bits := uint32(w & wordPromotion >> 12)
		d.game.Form.Nulls = append(d.game.Form.Nulls, uint32(d.game.Moves.Len())<<2|bits)
	}
}

// compactWord reads the two bytes after codeTwoBytes.
func (d *decoder) compactWord() (uint16, error) {
	if d.off+2 > len(d.rec) {
		return 0, errHalfWord
	}
	w := d.nextWord()
	if w&(wordEnds|wordBranch) != 0 {
		return 0, errWordBits
	}
	return w, nil
}

// nextWord reads two bytes that are there.
func (d *decoder) nextWord() uint16 {
	n := byte(d.game.Moves.Len())
	high, low := d.cipher.decode(d.rec[d.off], n), d.cipher.decode(d.rec[d.off+1], n)
	d.off += 2
	return uint16(high)<<8 | uint16(low)
}
