package archive_test

import (
	"encoding/binary"
	"strings"
)

// raw is an archive that is put together byte by byte, without the package, so
// that everything in it can be wrong.
type raw struct {
	words   [4]uint16 // of the header; a count of 0 is the right one
	members []rawMember
	tail    []byte
	cut     int // how many bytes are missing at the end
}

// rawMember is a file in it. What is nil is as it should be.
type rawMember struct {
	name                       string
	field                      []byte // the whole field of the name
	stream                     []byte
	size                       int64
	offset, packed             *int64
	offset32, packed32, size32 *uint32
}

func at64(n int64) *int64   { return &n }
func at32(n uint32) *uint32 { return &n }

// newRaw returns an archive with blocks of all modes, a folder and an empty file.
func newRaw() *raw {
	return &raw{words: [4]uint16{8, 0, 173, 3}, members: []rawMember{
		{name: "Base.cbh", stream: rawBlock(0, "headers"), size: 7},
		{name: `Base.html\a.jpg`, stream: rawBlock(1, "\x00\x80\x0f\x00"), size: 18},
		{name: "Base.cbg", stream: append(rawBlock(1, longRuns), rawBlock(2, huffmanABA)...), size: 61_443},
		{name: "Base.cba", stream: rawBlock(3, huffmanLZ), size: 19},
		{name: "Base.cbp"},
	}}
}

// longRuns is the LZ stream of a whole block of zeros.
var longRuns = "\xfe\xff" + strings.Repeat("\x1f\xff\x00", 14) + "\x11\xef\x00"

// huffmanABA is "aba" with the codes 0 and 1; huffmanLZ, with three codes, an LZ
// stream of 19 zeros: 00 80 10 00 00.
var (
	huffmanABA = rawHuffman(3, map[byte]string{'a': "0", 'b': "1"}, "010")
	huffmanLZ  = rawHuffman(5, map[byte]string{0: "0", 0x80: "10", 0x10: "11"}, "0"+"10"+"11"+"0"+"0")
)

// rawBlock returns a block with the right length and checksum.
func rawBlock(mode byte, data string) []byte {
	payload := append([]byte{mode}, data...)
	var sum uint16
	for i := 0; i+1 < len(payload); i += 2 {
		sum += uint16(payload[i]) | uint16(payload[i+1])<<8
	}
	b := binary.LittleEndian.AppendUint16(nil, uint16(len(payload)))
	b = binary.LittleEndian.AppendUint16(b, sum)
	return append(b, payload...)
}

// rawHuffman returns Huffman data: what comes out, a table, bits.
func rawHuffman(size int, codes map[byte]string, data string) string {
	var bits strings.Builder
	for v := range 256 {
		code := codes[byte(v)]
		for bit := 3; bit >= 0; bit-- {
			bits.WriteByte('0' + byte(len(code)>>bit&1))
		}
		bits.WriteString(code)
	}
	bits.WriteString(data)
	out := binary.BigEndian.AppendUint16(nil, uint16(size))
	for all := bits.String(); all != ""; {
		octet := (all + "0000000")[:8]
		all = all[min(8, len(all)):]
		var b byte
		for _, c := range octet {
			b = b<<1 | byte(c-'0')
		}
		out = append(out, b)
	}
	return string(out)
}

// bytes puts the archive together.
func (r *raw) bytes() []byte {
	var b, streams []byte
	r.words[1] += uint16(len(r.members))
	for _, w := range r.words {
		b = binary.LittleEndian.AppendUint16(b, w)
	}
	size := int(r.words[2])
	if size != 149 {
		size = 173
	}
	begin := int64(8 + size*len(r.members))
	for i := range r.members {
		m := &r.members[i]
		field := m.field
		if field == nil {
			field = append([]byte(m.name), make([]byte, 128-len(m.name))...)
			if len(m.name) < 126 {
				field[len(m.name)+1] = '?' // memory of the program that wrote it
			}
		}
		sizes := []int64{begin + int64(len(streams)), int64(len(m.stream)), m.size}
		streams = append(streams, m.stream...)
		for i, other := range []*int64{m.offset, m.packed} {
			if other != nil {
				sizes[i] = *other
			}
		}
		record := field
		for i, other := range []*uint32{m.offset32, m.packed32, m.size32} {
			n := uint32(sizes[i])
			if other != nil {
				n = *other
			}
			record = binary.LittleEndian.AppendUint32(record, n)
		}
		record = append(record, 1)
		record = binary.LittleEndian.AppendUint32(record, 20160801)
		record = binary.LittleEndian.AppendUint32(record, 15181600)
		for _, n := range sizes {
			record = binary.LittleEndian.AppendUint64(record, uint64(n))
		}
		b = append(b, record[:size]...)
	}
	b = append(append(b, streams...), r.tail...)
	return b[:len(b)-r.cut]
}
