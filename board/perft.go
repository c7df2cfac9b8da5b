package board

import "cbkit/model"

// Perft counts the sequences of legal moves of the given length from p, the
// usual test of a move generator. The position is the same afterwards.
func Perft(p *Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	var buf [256]model.Move
	moves := p.AppendLegal(buf[:0])
	if depth == 1 {
		return uint64(len(moves))
	}
	var n uint64
	for _, m := range moves {
		u := p.Make(m)
		n += Perft(p, depth-1)
		p.Unmake(m, u)
	}
	return n
}
