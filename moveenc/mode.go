package moveenc

// Mode is the number of an encoding mode, bits 0-5 of a record's first byte.
type Mode uint8

// The modes that are written by default. In a [Form], ModeRegular stands for
// the default of the game at hand.
const (
	ModeRegular  Mode = 0
	ModeChess960 Mode = 10
)

// numModes is how many modes, from 0, have a known table. Of the others the
// names are known: 12-19 are four more variants of chess, 63 is for illegal
// positions (docs/formats/cbg.md 3).
const numModes = 12

// variant is the game that a mode is for.
type variant uint8

const (
	regular variant = iota
	losing
	chess960
)

// traits are the properties of a mode.
type traits struct {
	simple  bool // simple encoder, else compact
	post    bool // n is subtracted after the substitution, else before
	reverse bool // pieces counted from h8; simple: destination before source
	variant variant
	// proven says that real records have confirmed the table. The others come
	// from one source; what does not decode with them is called unsupported,
	// not corrupt.
	proven bool
}

// modes are the known modes (docs/formats/cbg.md 3).
var modes = [numModes]traits{
	0:  {proven: true},
	1:  {simple: true, proven: true},
	2:  {reverse: true},
	3:  {simple: true, reverse: true},
	4:  {post: true, proven: true},
	5:  {simple: true, post: true, proven: true},
	6:  {post: true, reverse: true},
	7:  {simple: true, post: true, reverse: true},
	8:  {post: true, variant: losing},
	9:  {post: true, reverse: true, variant: losing},
	10: {post: true, variant: chess960, proven: true},
	11: {post: true, reverse: true, variant: chess960},
}

// inverses are the inverse permutations of tables.
var inverses = func() (inverse [numModes][256]byte) {
	for mode := range tables {
		for raw, v := range tables[mode] {
			inverse[mode][v] = byte(raw)
		}
	}
	return inverse
}()

// cipher is the byte substitution of a mode. It depends on n, the number of
// moves before the byte, modulo 256.
type cipher struct {
	table, inverse *[256]byte
	before, after  byte // masks: which of the two subtractions of n is made
}

func newCipher(mode Mode) cipher {
	c := cipher{table: &tables[mode], inverse: &inverses[mode], before: 0xFF}
	if modes[mode].post {
		c.before, c.after = 0, 0xFF
	}
	return c
}

func (c *cipher) decode(raw, n byte) byte {
	return c.table[raw-n&c.before] - n&c.after
}

func (c *cipher) encode(v, n byte) byte {
	return c.inverse[v+n&c.after] + n&c.before
}
