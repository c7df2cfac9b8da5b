package archive

import (
	"encoding/binary"
	"fmt"

	"cbkit/model"
)

// BlockSize is the number of bytes of content in a block, as ChessBase writes them; the
// last block of a file may be shorter.
const BlockSize = 61_440

// Sizes of blocks, in bytes (docs/formats/cbv.md 3).
const (
	frameSize   = 4             // length and checksum in front of the payload
	maxPayload  = 1 + BlockSize // mode and content
	minPacked   = 48            // of content: what is smaller is stored as it is
	smallestLZ  = frameSize + 48
	smallestAny = frameSize + 1
)

// Mode says how a block is packed.
type Mode byte

// The modes of blocks; the two kinds of packing are bits. A block with both was packed
// with LZ first.
const (
	Stored    Mode = 0
	LZ        Mode = 1
	Huffman   Mode = 2
	LZHuffman Mode = LZ | Huffman
)

var modeNames = [...]string{Stored: "stored", LZ: "LZ", Huffman: "Huffman", LZHuffman: "LZ and Huffman"}

// String returns the name of the mode.
func (m Mode) String() string {
	if int(m) < len(modeNames) {
		return modeNames[m]
	}
	return fmt.Sprintf("mode %d", byte(m))
}

// Errors of blocks.
var (
	errBlockEmpty = corrupt("a block of no bytes, not even its mode")
	errNoContent  = corrupt("the block has no content")
	errBlockLong  = corrupt("a block longer than %d bytes", maxPayload)
)

// checksum is the sum of the payload's little-endian words; an odd byte at the
// end does not count (docs/formats/cbv.md 3).
func checksum(payload []byte) uint16 {
	var sum uint16
	for ; len(payload) >= 2; payload = payload[2:] {
		sum += binary.LittleEndian.Uint16(payload)
	}
	return sum
}

// frame is what stands in front of a block's payload.
type frame struct {
	length   int // of the payload
	checksum uint16
}

// parseFrame reads a frame and judges the length: rest is what is left of the
// stream, the frame included. With less than a frame in b nothing can be read.
func parseFrame(b []byte, rest int64) (frame, error) {
	if len(b) < frameSize || rest < smallestAny {
		return frame{}, fmt.Errorf("%w: %d bytes are left of the stream", model.ErrTruncated, rest)
	}
	f := frame{int(binary.LittleEndian.Uint16(b)), binary.LittleEndian.Uint16(b[2:])}
	switch {
	case f.length == 0:
		return f, errBlockEmpty
	case f.length > maxPayload:
		return f, errBlockLong
	case int64(frameSize+f.length) > rest:
		return f, fmt.Errorf("%w: the block has %d bytes, the stream %d more", model.ErrTruncated, frameSize+f.length, rest)
	}
	return f, nil
}

// blockReader unpacks blocks. Its memory is used again for the next one.
type blockReader struct {
	huffman huffmanReader
	packed  [BlockSize]byte // what Huffman gave and LZ takes
	out     [BlockSize + lzSlack]byte
}

// unpack checks and unpacks a payload. The content is valid until the next call.
func (r *blockReader) unpack(sum uint16, payload []byte) (content []byte, err error) {
	if got := checksum(payload); got != sum {
		return nil, corrupt("the checksum is %04x, stored is %04x", got, sum)
	}
	mode, data := Mode(payload[0]), payload[1:]
	n := 0
	switch mode {
	case Stored:
		return data, nil
	case Huffman:
		n, err = r.huffman.unpack(r.out[:BlockSize], data)
	case LZHuffman:
		if n, err = r.huffman.unpack(r.packed[:], data); err == nil {
			n, err = unpackLZ(&r.out, r.packed[:n])
		}
	case LZ:
		n, err = unpackLZ(&r.out, data)
	default:
		err = corrupt("%v is not known", mode)
	}
	return r.out[:n], err
}

// blockWriter packs blocks. Its memory is used again for the next one.
type blockWriter struct {
	lz      lzPacker
	huffman huffmanWriter
	packed  [BlockSize + lzSlack]byte
	out     [frameSize + maxPayload]byte
}

// pack returns a block with its frame, valid until the next call. It is packed
// as ChessBase packs it unless that is not wanted (docs/formats/cbv.md 6).
func (w *blockWriter) pack(content []byte, stored bool) []byte {
	mode, data := Stored, content
	room := w.out[frameSize+1:]
	if !stored && len(content) >= minPacked {
		if n, ok := w.lz.pack(&w.packed, content); ok {
			mode, data = LZ, w.packed[:n]
		}
		if n, ok := w.huffman.pack(room, data); ok {
			mode, data = mode|Huffman, room[:n]
		}
	}
	if mode&Huffman == 0 {
		copy(room, data)
	}
	payload := w.out[frameSize : frameSize+1+len(data)]
	payload[0] = byte(mode)
	binary.LittleEndian.PutUint16(w.out[:], uint16(len(payload)))
	binary.LittleEndian.PutUint16(w.out[2:], checksum(payload))
	return w.out[:frameSize+len(payload)]
}
