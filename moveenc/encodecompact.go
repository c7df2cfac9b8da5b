package moveenc

import "cbkit/model"

// compact writes the moves with the compact encoder (docs/formats/cbg.md 5, 6).
func (e *encoder) compact(moves *model.Tree) error {
	nodes := moves.Nodes()
	branches, tokens := 0, 0
	for i := range nodes {
		if parent := int(nodes[i].Parent); parent != i-1 {
			e.token(&tokens, codePop, i)
			e.backTo(parent, moves)
			branches--
		}
		if nodes[i].Next != model.NoNode {
			e.token(&tokens, codePush, i)
			branches++
		}
		m := nodes[i].Move
		ch, err := e.check(i, m, moves)
		if err != nil {
			return err
		}
		code := e.chooseCode(i, m)
		e.token(&tokens, code, i)
		if code == codeTwoBytes {
			e.putWord(e.word(m)|e.nullBits(i, m), i)
		}
		if branches > 0 {
			e.playOn(m, ch, i)
		} else {
			e.play(m, ch)
		}
	}
	e.dummies(tokens, len(nodes))
	if !e.form.NoEnd {
		e.putByte(codePop, len(nodes))
	}
	return nil
}

// token writes the next token, after the dummies that stand before it.
func (e *encoder) token(tokens *int, code byte, n int) {
	if len(e.form.Dummies) > 0 {
		e.dummies(*tokens, n)
	}
	e.putByte(code, n)
	*tokens++
}

// dummies writes the dummies after the given number of tokens.
func (e *encoder) dummies(tokens, n int) {
	for takeFirst(&e.form.Dummies, tokens) {
		e.putByte(codeDummy, n)
	}
}

// chooseCode returns the code of a legal move in the form at hand.
func (e *encoder) chooseCode(node int, m model.Move) byte {
	code := e.code(m)
	switch {
	case code != codeTwoBytes && takeFirst(&e.form.Words, node):
		return codeTwoBytes
	case twins[code] != 0 && takeFirst(&e.form.Twins, node):
		return twins[code]
	}
	return code
}

// code returns the first byte of a legal move, as ChessBase writes it.
func (s *state) code(m model.Move) byte {
	switch {
	case m.IsNull():
		return codeNull
	case m.Promotion() != model.NoPieceType || m.IsCastling() && s.chess960:
		return codeTwoBytes
	case m.IsShortCastling():
		return codeCastleShort
	case m.IsCastling():
		return codeCastleLong
	}
	slot := s.at[m.From()].slot()
	if slot >= numSlots {
		return codeTwoBytes
	}
	return codes[s.turn&1][slot][between(m.From(), m.To()).index()]
}
