package archive

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// unhex reads bytes written in hexadecimal, with blanks.
func unhex(t testing.TB, s string) []byte {
	t.Helper()
	return must.Get(hex.DecodeString(strings.ReplaceAll(s, " ", "")))(t)
}

// noise returns bytes that no packing makes smaller.
func noise(n int) []byte {
	b := make([]byte, n)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// fibonacci returns a block whose byte values occur as often as Fibonacci
// numbers say, which makes the longest codes, in no order.
func fibonacci() []byte {
	var b []byte
	for value, n, next := 0, 1, 1; len(b)+n <= BlockSize; value++ {
		b = append(b, bytes.Repeat([]byte{byte(value)}, n)...)
		n, next = next, n+next
	}
	r := rand.New(rand.NewPCG(3, 4))
	r.Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
	return b
}

// zeros and counting are contents that pack well.
func zeros(n int) []byte { return make([]byte, n) }

func counting(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i / 100)
	}
	return b
}

// The blocks at the edges of docs/formats/cbv.md 6.
func TestEdgeBlocks(t *testing.T) {
	for _, c := range []struct {
		name    string
		content []byte
		mode    Mode
		packed  int
	}{
		{"one byte", []byte{7}, Stored, 6},
		{"equal bytes, too few to pack", zeros(47), Stored, 52},
		{"equal bytes, enough to pack", zeros(48), LZ, 10},
		{"a whole block of equal bytes", zeros(BlockSize), LZ, 52},
		{"a whole block of noise", noise(BlockSize), Stored, 61_445},
		{"Fibonacci counts", fibonacci(), LZHuffman, 0},
		{"text", []byte(strings.Repeat("the quick brown fox. ", 40)), LZ, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var w blockWriter
			var r blockReader
			packed := bytes.Clone(w.pack(c.content, false))
			if mode := Mode(packed[frameSize]); mode != c.mode || c.packed != 0 && len(packed) != c.packed {
				t.Errorf("%v, %d bytes", mode, len(packed))
			}
			for _, b := range [][]byte{packed, w.pack(c.content, true)} {
				f := must.Get(parseFrame(b, int64(len(b))))(t)
				if got, err := r.unpack(f.checksum, b[frameSize:]); err != nil || !bytes.Equal(got, c.content) {
					t.Errorf("%d bytes came back as %d, error %v", len(c.content), len(got), err)
				}
			}
		})
	}
}

// A code of 15 bits is used, one of 16 is not.
func TestLongestCode(t *testing.T) {
	for _, c := range []struct {
		values int
		ok     bool
	}{{15, true}, {16, true}, {17, false}, {21, false}} {
		var in []byte
		for value, n, next := 0, 1, 1; value < c.values; value++ {
			in = append(in, bytes.Repeat([]byte{byte(value)}, n)...)
			n, next = next, n+next
		}
		if len(in) > BlockSize {
			t.Fatalf("%d values make %d bytes", c.values, len(in))
		}
		var h huffmanWriter
		if ok := h.makeCode(in); ok != c.ok {
			t.Errorf("%d values: %v", c.values, ok)
		}
		if _, ok := h.pack(make([]byte, BlockSize), in); ok != (c.ok && len(in) > 300) {
			t.Errorf("%d values, %d bytes: packed %v", c.values, len(in), ok)
		}
	}
}

// Tokens of every kind, at both ends of their range.
func TestLZTokens(t *testing.T) {
	abc := "0000 61 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e 6f 70 " // a to p
	for _, c := range []struct{ name, in, out string }{
		{"nothing", "", ""},
		{"literals", "0000 61 62", "ab"},
		{"shortest run", "0080 00 41", "AAA"},
		{"longest short run", "0080 0f 41", strings.Repeat("A", 18)},
		{"shortest long run", "0080 10 00 41", strings.Repeat("A", 19)},
		{"longest run", "0080 1f ff 41", strings.Repeat("A", 4114)},
		{"shortest copy, smallest gap", "0010 61 62 63 30 00", "abcabc"},
		{"longest short copy", abc + "0080 fd 00", "abcdefghijklmnopabcdefghijklmno"},
		{"shortest long copy", abc + "0080 2d 00 00", "abcdefghijklmnopabcdefghijklmnop"},
		{"a copy of itself, byte by byte", "0010 61 62 63 80 00", "abcabcabcab"},
	} {
		var out [BlockSize + lzSlack]byte
		if n, err := unpackLZ(&out, unhex(t, c.in)); err != nil || string(out[:n]) != c.out {
			t.Errorf("%s: %q, error %v", c.name, out[:n], err)
		}
	}
}

// The longest copy over the longest gap, which needs a block of some size.
func TestLZFarCopy(t *testing.T) {
	content := noise(maxGap)
	content = append(content, content[:maxCopy]...)
	var p lzPacker
	var packed, out [BlockSize + lzSlack]byte
	n := 0
	for word := 0; word < maxGap; word += tokensPerWord {
		n += copy(packed[n:], []byte{0, 0})
		n += copy(packed[n:], content[word:min(word+tokensPerWord, maxGap)])
	}
	packed[n-maxGap%tokensPerWord-1] = 1 << (7 - maxGap%tokensPerWord) // in the last control word
	n += copy(packed[n:], unhex(t, "2f ff ff"))
	size, err := unpackLZ(&out, packed[:n])
	if err != nil || !bytes.Equal(out[:size], content) {
		t.Errorf("%d bytes, error %v", size, err)
	}
	// Packing finds the same copy.
	if got := p.next(content, maxGap); got.count != 0 {
		t.Errorf("a copy of what was not entered: %+v", got)
	}
	p.next(content, 0)
	if got := p.next(content, maxGap); got != (token{count: maxCopy, gap: maxGap}) {
		t.Errorf("%+v", got)
	}
}

func TestKeys(t *testing.T) {
	for _, c := range []struct{ password, key string }{
		{"a", "aaaaaaaa"}, {"2016", "20162016"}, {"password", "password"},
		{"sixteen letters!", "\x8a\xb7\x84\x9c\xaf\xb8\xaf\x61"},
	} {
		if _, err := newCipher([]byte(c.password)); err != nil {
			t.Error(err)
		}
		if got := string(key([]byte(c.password))); got != c.key {
			t.Errorf("%q: key %x, want %x", c.password, got, c.key)
		}
	}
	if _, err := newCipher(nil); err == nil {
		t.Error("an empty password has no key")
	}
}

// Every table of a code that has a fault is refused.
func TestHuffmanCodes(t *testing.T) {
	// "ab" with codes 0 and 1, then: a b a.
	sound := codeTable(map[byte]string{'a': "0", 'b': "1"}) + "010"
	for _, c := range []struct {
		name, bits, out string
		err             error
	}{
		{"cut", sound + "010", "", errHuffmanCut}, // padding makes one more a, but 7 are wanted
		{"sound", sound, "aba", nil},
		{"codes the other way round", codeTable(map[byte]string{'a': "1", 'b': "0"}) + "010", "bab", nil},
		{"no table", "", "", errHuffmanCut},
		{"a cut table", sound[:400], "", errHuffmanCut},
		{"a byte more", sound + strings.Repeat("0", 16), "", errHuffmanBeyond},
		{"no codes", codeTable(nil), "", errHuffmanCode},
		{"one code", codeTable(map[byte]string{'a': "0"}) + "000", "", errHuffmanCode},
		{"too many codes", codeTable(map[byte]string{'a': "0", 'b': "10", 'c': "11", 'd': "11"}), "", errHuffmanCode},
		{"two codes that begin alike", codeTable(map[byte]string{'a': "0", 'b': "01", 'c': "11"}), "", errHuffmanCode},
		{"two codes that are the same", codeTable(map[byte]string{'a': "1", 'b': "1"}), "", errHuffmanCode},
	} {
		out := make([]byte, BlockSize)
		var h huffmanReader
		size := byte(3)
		if c.name == "cut" {
			size = 7
		}
		n, err := h.unpack(out, append([]byte{0, size}, packBits(c.bits)...))
		if !errors.Is(err, c.err) || err == nil && string(out[:n]) != c.out {
			t.Errorf("%s: %q, error %v", c.name, out[:n], err)
		}
		if err != nil && !errors.Is(err, model.ErrCorrupt) {
			t.Errorf("%s: %v is not corrupt", c.name, err)
		}
	}
}

// codeTable writes the lengths and codes of all byte values as bits.
func codeTable(codes map[byte]string) string {
	var b strings.Builder
	for v := range 256 {
		code := codes[byte(v)]
		for bit := 3; bit >= 0; bit-- {
			b.WriteByte('0' + byte(len(code)>>bit&1))
		}
		b.WriteString(code)
	}
	return b.String()
}

// packBits turns bits into bytes.
func packBits(bits string) []byte {
	b := make([]byte, (len(bits)+7)/8)
	for i, c := range bits {
		b[i/8] |= byte(c-'0') << (7 - i%8)
	}
	return b
}

// The vectors of docs/formats/cbv.md.
func TestVectors(t *testing.T) {
	var w blockWriter
	if got, want := w.pack([]byte("headers"), false), unhex(t, "08 00 3B A2 00 68 65 61 64 65 72 73"); !bytes.Equal(got, want) {
		t.Errorf("% x", got)
	}
	if got, want := (header{12, recordSize, version}).append(nil), unhex(t, "08 00 0C 00 AD 00 03 00"); !bytes.Equal(got, want) {
		t.Errorf("% x", got)
	}
	var p lzPacker
	var out [BlockSize + lzSlack]byte
	for _, c := range []struct {
		packed string
		count  int
	}{{"00 80 0F 41", 18}, {"00 80 1F FF 41", 4114}} {
		content := bytes.Repeat([]byte("A"), c.count)
		if got := p.next(content, 0).append(out[2:]); !bytes.Equal(out[2:2+got], unhex(t, c.packed)[2:]) {
			t.Errorf("% x", out[2:2+got])
		}
		if n, err := unpackLZ(&out, unhex(t, c.packed)); err != nil || !bytes.Equal(out[:n], content) {
			t.Errorf("%s: %d bytes, error %v", c.packed, n, err)
		}
	}
	if n, err := unpackLZ(&out, unhex(t, "00 10 61 62 63 30 00")); err != nil || string(out[:n]) != "abcabc" {
		t.Errorf("%q, error %v", out[:n], err)
	}
}

// The index keeps evenly spaced marks, and never too many.
func TestMarks(t *testing.T) {
	x := index{marks: []place{{}}, every: 1}
	for n := 1; n < 5*maxMarks; n++ {
		x.mark(place{number: n})
		if len(x.marks) > maxMarks {
			t.Fatalf("%d marks", len(x.marks))
		}
	}
	for i, m := range x.marks {
		if m.number != i*x.every {
			t.Fatalf("mark %d is of block %d, with one for %d", i, m.number, x.every)
		}
	}
	if x.every != 8 {
		t.Errorf("a mark for %d blocks", x.every)
	}
}
