package board

import (
	"bytes"

	"cbkit/model"
)

// longestOdd is the length of the longest text that [Position.parseOdd] reads,
// such as "pe7:d8/Q".
const longestOdd = 12

// parseOdd reads the notations of old books and programs that the usual rules
// do not understand.
func (p *Position) parseOdd(s []byte) (model.Move, error) {
	switch string(s) {
	case "pass":
		return model.NullMove, nil
	case "o-o":
		return p.resolveCastling(model.KingSide)
	case "o-o-o":
		return p.resolveCastling(model.QueenSide)
	}
	if len(s) > longestOdd {
		return model.NullMove, ErrNotation
	}
	var buf [longestOdd]byte
	odd, captures := bytes.CutSuffix(append(buf[:0], s...), []byte{':'})
	for i, b := range odd {
		switch {
		case b == ':':
			odd[i] = 'x'
		case b == '/':
			odd[i] = '='
		case b == 'p' && i == 0:
			odd[i] = 'P'
		}
	}
	if n, err := parseNotation(odd); err == nil && !bytes.Equal(odd, s) {
		n.capture = n.capture || captures
		m, err := p.resolve(n)
		if err == ErrIllegal && n.capture {
			return p.resolveQuiet(n)
		}
		return m, err
	}
	return p.parseFiles(odd)
}

// parseFiles reads a pawn's capture of which only the files are told: "exd",
// "ed", "exd=Q".
func (p *Position) parseFiles(s []byte) (model.Move, error) {
	s = bytes.TrimPrefix(s, []byte{'P'})
	becomes := model.NoPieceType
	from, to, ok := neighbours(s)
	if !ok {
		s, becomes = cutPromotion(s)
		if from, to, ok = neighbours(s); !ok {
			return model.NullMove, ErrNotation
		}
	}
	found, err := model.NullMove, ErrIllegal
	for _, m := range p.AppendLegal(nil) {
		if p.PieceAt(m.From()).Type() != model.Pawn || m.From().File() != from || m.To().File() != to {
			continue
		}
		switch {
		case m.Promotion() != becomes:
			if err == ErrIllegal {
				err = ErrPromotion
			}
		case err == nil || err == ErrAmbiguous:
			found, err = model.NullMove, ErrAmbiguous
		default:
			found, err = m, nil
		}
	}
	return found, err
}

// neighbours reads two files side by side, with or without an "x" between them.
func neighbours(s []byte) (from, to int, ok bool) {
	if len(s) == 3 && s[1] == 'x' {
		s = []byte{s[0], s[2]}
	}
	if len(s) != 2 || !isFile(s[0]) || !isFile(s[1]) {
		return 0, 0, false
	}
	from, to = int(s[0]-'a'), int(s[1]-'a')
	return from, to, from-to == 1 || to-from == 1
}
