package moveenc

// Inverse is the inverse of a mode's table, for tests that write codes.
func Inverse(mode Mode) [256]byte { return inverses[mode] }

// Encipher writes values of the compact encoder as the bytes of a mode. It
// knows no chess: whatever is not PUSH, POP or a dummy counts as a move.
func Encipher(mode Mode, values []byte) []byte {
	c := newCipher(mode)
	var raw []byte
	n, operands := byte(0), 0
	for _, v := range values {
		raw = append(raw, c.encode(v, n))
		switch {
		case operands > 0:
			if operands--; operands == 0 {
				n++
			}
		case v == codeTwoBytes:
			operands = 2
		case v != codePush && v != codePop && v != codeDummy:
			n++
		}
	}
	return raw
}
