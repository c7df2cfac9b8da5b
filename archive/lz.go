package archive

import "encoding/binary"

// Tokens of the LZ stream: the first byte is kind<<4 | low.
const (
	tokenRun      = 0 // v: run of v, low+3 times
	tokenLongRun  = 1 // b, v: run of v, low + 16·b + 19 times
	tokenLongCopy = 2 // b, c: c+16 bytes from low + 16·b + 3 back
	// 3 to 15, b: that many bytes from low + 16·b + 3 back.

	minRun, minLongRun, maxRun    = 3, 19, 4114
	minCopy, minLongCopy, maxCopy = 3, 16, 271
	minGap, maxGap                = 3, 4098
)

// tokensPerWord is how many tokens follow a control word.
const tokensPerWord = 16

// lzSlack is how many bytes behind the content a copy may spoil for speed.
const lzSlack = 16

// Errors of an LZ stream.
var (
	errLZCut    = corrupt("the LZ stream breaks off inside a token")
	errLZBefore = corrupt("the LZ stream copies from before the block")
	errLZLong   = corrupt("the LZ stream holds more than a block")
)

// unpackLZ unpacks in into out, which has room for a block and lzSlack, and
// returns how many bytes came out (docs/formats/cbv.md 5).
func unpackLZ(out *[BlockSize + lzSlack]byte, in []byte) (int, error) {
	n := 0
	for len(in) > 0 {
		if len(in) < 2 {
			return n, errLZCut
		}
		control := binary.LittleEndian.Uint16(in)
		in = in[2:]
		for left := tokensPerWord; left > 0 && len(in) > 0; left-- {
			if control < 1<<15 {
				if n == BlockSize {
					return n, errLZLong
				}
				out[n] = in[0]
				n, in = n+1, in[1:]
			} else {
				t, size := parseToken(in)
				if size == 0 {
					return n, errLZCut
				}
				if t.count > BlockSize-n {
					return n, errLZLong
				}
				if t.gap > n {
					return n, errLZBefore
				}
				t.put(out, n)
				n, in = n+t.count, in[size:]
			}
			control <<= 1
		}
	}
	return n, nil
}

// token is a run, or a copy of what stands gap bytes back.
type token struct {
	count, gap int
	value      byte // of a run, whose gap is 0
}

// parseToken reads the token that in begins with and returns how many bytes it
// has, 0 if it is cut.
func parseToken(in []byte) (t token, size int) {
	if len(in) < 2 {
		return t, 0
	}
	kind, low := in[0]>>4, int(in[0]&15)
	if kind == tokenRun {
		return token{count: low + minRun, value: in[1]}, 2
	}
	wide := low + int(in[1])<<4
	if kind > tokenLongCopy {
		return token{count: int(kind), gap: wide + minGap}, 2
	}
	if len(in) < 3 {
		return t, 0
	}
	if kind == tokenLongRun {
		return token{count: wide + minLongRun, value: in[2]}, 3
	}
	return token{count: int(in[2]) + minLongCopy, gap: wide + minGap}, 3
}

// put writes what the token stands for at n. The caller has made sure that it
// lies in the block.
func (t token) put(out *[BlockSize + lzSlack]byte, n int) {
	switch {
	case t.gap == 0:
		run := out[n : n+t.count]
		for i := range run {
			run[i] = t.value
		}
	case t.count <= lzSlack && t.gap >= t.count:
		// What is written beyond the count is written again, or is slack.
		from, to := out[n-t.gap:][:lzSlack], out[n:][:lzSlack]
		a, b := binary.LittleEndian.Uint64(from), binary.LittleEndian.Uint64(from[8:])
		binary.LittleEndian.PutUint64(to, a)
		binary.LittleEndian.PutUint64(to[8:], b)
	case t.gap >= t.count:
		copy(out[n:n+t.count], out[n-t.gap:])
	default:
		// ChessBase makes none that reaches into itself; it means what it
		// means elsewhere, byte by byte.
		for i := n; i < n+t.count; i++ {
			out[i] = out[i-t.gap]
		}
	}
}

// lzPacker packs blocks. Its table holds, for a hash of three bytes, one more
// than the last position where they were seen.
type lzPacker struct{ seen [4096]uint16 }

// lzMargin is what packing has to save: the output is given up as soon as it is
// longer than the block less this.
const lzMargin = 48

// pack packs block into out, which has room for a block and three bytes, and
// returns the number of bytes; ok is false if that does not make it smaller
// (docs/formats/cbv.md 6.1).
func (p *lzPacker) pack(out *[BlockSize + lzSlack]byte, block []byte) (n int, ok bool) {
	clear(p.seen[:])
	limit := len(block) - lzMargin
	word, control, tokens := 0, uint16(0), 0
	n = 2
	for i := 0; i < len(block); tokens++ {
		if tokens == tokensPerWord {
			binary.LittleEndian.PutUint16(out[word:], control)
			word, control, tokens = n, 0, 0
			if n += 2; n > limit {
				return n, false
			}
		}
		t := p.next(block, i)
		control <<= 1
		if t.count == 0 {
			out[n] = block[i]
			n, i = n+1, i+1
			continue
		}
		control |= 1
		n += t.append(out[n:])
		i += t.count
	}
	control <<= tokensPerWord - tokens
	binary.LittleEndian.PutUint16(out[word:], control)
	return n, true
}

// next returns the token for what stands at i in block; its count is 0 where
// that is a literal.
func (p *lzPacker) next(block []byte, i int) token {
	if n := runLength(block, i); n >= minRun {
		return token{count: n, value: block[i]}
	}
	if len(block)-i < 3 {
		return token{}
	}
	h := hash(block[i], block[i+1], block[i+2])
	from := int(p.seen[h]) - 1
	p.seen[h] = uint16(i + 1)
	if from < 0 || i-from > maxGap {
		return token{}
	}
	n := 0
	for most := min(maxCopy, len(block)-i, i-from); n < most && block[from+n] == block[i+n]; n++ {
	}
	if n < minCopy {
		return token{}
	}
	return token{count: n, gap: i - from}
}

// runLength returns how many bytes from i on are the same, at most maxRun.
func runLength(block []byte, i int) int {
	end := min(len(block), i+maxRun)
	n := i + 1
	for n < end && block[n] == block[i] {
		n++
	}
	return n - i
}

// hash is the place of three bytes in the table.
func hash(a, b, c byte) int {
	return (int(a&15)<<8 | int(b)) ^ (int(a>>4) | int(c)<<4)
}

// append writes a token to out and returns its size.
func (t token) append(out []byte) int {
	if t.gap == 0 {
		if t.count < minLongRun {
			out[0], out[1] = tokenRun<<4|byte(t.count-minRun), t.value
			return 2
		}
		wide := t.count - minLongRun
		out[0], out[1], out[2] = tokenLongRun<<4|byte(wide&15), byte(wide>>4), t.value
		return 3
	}
	wide := t.gap - minGap
	out[1] = byte(wide >> 4)
	if t.count < minLongCopy {
		out[0] = byte(t.count)<<4 | byte(wide&15)
		return 2
	}
	out[0], out[2] = tokenLongCopy<<4|byte(wide&15), byte(t.count-minLongCopy)
	return 3
}
