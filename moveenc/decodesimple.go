package moveenc

// simple reads moves that the simple encoder wrote (docs/formats/cbg.md 7).
func (d *decoder) simple() error {
	alternative := false // one must come
	for d.off < len(d.rec) {
		at := d.off
		if at+2 > len(d.rec) {
			return d.corruptMove(at, errHalfWord)
		}
		w := d.nextWord()
		if w&wordBranch != 0 {
			d.branch()
		}
		if err := d.simpleMove(w); err != nil {
			return d.corruptMove(at, err)
		}
		alternative = w&wordEnds != 0
		if alternative && !d.endLine() {
			return d.end(true)
		}
	}
	switch {
	case alternative:
		return d.corrupt(d.off, "moves", errAlternative)
	case d.game.Moves.Len() == 0: // written without a word
		return nil
	}
	return d.end(false)
}

func (d *decoder) simpleMove(w uint16) error {
	if d.mode.reverse {
		w = swapSquares(w)
	}
	m, ok := d.parseWord(w)
	if !ok {
		return errIllegal
	}
	if m.IsNull() {
		d.noteNull(w)
	}
	ch, ok := d.accept(m)
	if !ok {
		return d.describe(m, &d.game.Moves, d.parent)
	}
	d.add(m, ch)
	return nil
}
