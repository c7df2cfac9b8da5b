package archive

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// sampleFile returns a file to pack.
func sampleFile(name string, content []byte) File {
	return File{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil }}
}

// bytesAt is a file in memory.
type bytesAt []byte

// WriteAt implements io.WriterAt.
func (b *bytesAt) WriteAt(p []byte, at int64) (int, error) {
	if end := int(at) + len(p); end > len(*b) {
		*b = append(*b, make([]byte, end-len(*b))...)
	}
	return copy((*b)[at:], p), nil
}

// sampleArchive returns an archive with blocks of all modes.
func sampleArchive(f *testing.F, password []byte) []byte {
	f.Helper()
	var out bytesAt
	_, err := Write(context.Background(), &out, []File{
		sampleFile("a.cbh", []byte("head")), sampleFile("a.html/b", counting(2000)),
		sampleFile("a.cbg", []byte("abcabcabdabcdabcdeabcdefabcdefgabcdefghabcabdabe")), sampleFile("a.cba", nil),
	}, WriterOptions{Password: password})
	if err != nil {
		f.Fatal(err)
	}
	return out
}

// Whatever the bytes, an archive opens or says why not; what it lists can be
// read, in order and anywhere, with the same result, or says why not; and no file
// is longer than its blocks can be.
func FuzzArchive(f *testing.F) {
	f.Add(sampleArchive(f, nil), false)
	f.Add(sampleArchive(f, []byte("secret")), true)
	f.Add(sampleArchive(f, nil)[:100], true)
	f.Fuzz(func(t *testing.T, data []byte, keepGoing bool) {
		a, err := NewReader(bytes.NewReader(data), int64(len(data)), "x", Options{Password: []byte("secret"), KeepGoing: keepGoing, Jobs: 1})
		if err != nil {
			return
		}
		for i := range a.Members() {
			if m := &a.Members()[i]; m.Err == nil && m.Size > largest(int64(len(data))) {
				t.Fatalf("%d bytes in an archive of %d", m.Size, len(data))
			}
		}
		// Hostile archives hold a thousand times their size: a megabyte is
		// enough to look at.
		contents, failed, total := make([][]byte, len(a.Members())), map[int]bool{}, 0
		for b, err := range a.Blocks(context.Background()) {
			if err != nil {
				failed[b.Member] = true
				continue
			}
			contents[b.Member] = append(contents[b.Member], b.Data...)
			if total += len(b.Data); total > 1<<20 {
				return
			}
		}
		for i, want := range contents {
			got, err := readMember(a, i)
			if (err != nil) != (failed[i] || a.Members()[i].Err != nil) || err == nil && !bytes.Equal(got, want) {
				t.Fatalf("member %d: %d bytes, error %v; in order %d, failed %v", i, len(got), err, len(want), failed[i])
			}
		}
		must.Get(a.VerifyTable())(t)
	})
}

// readMember reads a member through the file system, at most some megabytes.
func readMember(a *Archive, i int) ([]byte, error) {
	f, err := a.Open(i)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, 1<<22))
}

// A record of the table that is read is written again as it was, but for the
// memory behind its name.
func FuzzTable(f *testing.F) {
	data := sampleArchive(f, nil)
	f.Add(data[headerSize:][:recordSize])
	f.Add(data[headerSize+recordSize:][:recordSize])
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) != recordSize {
			return
		}
		var a Archive
		e, err := parseEntry(data, a.page)
		if err != nil {
			var at *fieldError
			if !errors.As(err, &at) || !errors.Is(at.err, model.ErrCorrupt) {
				t.Fatal(err)
			}
			return
		}
		again := must.Get(e.append(nil, a.page))(t)
		// A name in UTF-8 that the code page holds too is written in that; past
		// 4 GiB the short fields have the low bits.
		other, err := parseEntry(again, a.page)
		if err != nil || other != e {
			t.Fatalf("%+v came back as %+v, error %v", e, other, err)
		}
	})
}

// A block unpacks to at most its size or is refused; what it unpacks to is packed
// and unpacked again to itself.
func FuzzBlock(f *testing.F) {
	var w blockWriter
	for _, content := range [][]byte{{1}, counting(2000), zeros(5000), noise(300), fibonacci()[:3000]} {
		f.Add(bytes.Clone(w.pack(content, false)[frameSize:]))
		f.Add(bytes.Clone(w.pack(content, true)[frameSize:]))
	}
	r, again := new(blockReader), new(blockReader)
	f.Fuzz(func(t *testing.T, payload []byte) {
		if len(payload) == 0 || len(payload) > maxPayload {
			return
		}
		content, err := r.unpack(checksum(payload), payload)
		if err != nil {
			if !errors.Is(err, model.ErrCorrupt) {
				t.Fatal(err)
			}
			return
		}
		if len(content) > BlockSize {
			t.Fatalf("%d bytes", len(content))
		}
		checkPacking(t, &w, again, content)
	})
}

// Any content is packed to a sound block that unpacks to it.
func FuzzPack(f *testing.F) {
	for _, content := range [][]byte{nil, {1}, counting(2000), zeros(5000), noise(300), fibonacci()[:3000]} {
		f.Add(content)
	}
	var w blockWriter
	r := new(blockReader)
	f.Fuzz(func(t *testing.T, content []byte) {
		checkPacking(t, &w, r, content[:min(len(content), BlockSize)])
	})
}

// checkPacking packs and unpacks a content.
func checkPacking(t *testing.T, w *blockWriter, r *blockReader, content []byte) {
	block := w.pack(content, false)
	frame, err := parseFrame(block, int64(len(block)))
	if err != nil || frameSize+frame.length != len(block) || frame.length > len(content)+1 {
		t.Fatalf("%d bytes are a block of %d, error %v", len(content), len(block), err)
	}
	back, err := r.unpack(frame.checksum, block[frameSize:])
	if err != nil || !bytes.Equal(back, content) {
		t.Fatalf("%d bytes came back as %d, error %v", len(content), len(back), err)
	}
}

// A plain, slow reader of Huffman data agrees with the fast one.
func FuzzHuffman(f *testing.F) {
	var w huffmanWriter
	for _, content := range [][]byte{counting(2000), bytes.Repeat([]byte("abcdefgh"), 100), fibonacci()[:3000]} {
		out := make([]byte, BlockSize)
		if n, ok := w.pack(out, content); ok {
			f.Add(out[:n])
		}
	}
	h, out := new(huffmanReader), make([]byte, BlockSize)
	f.Fuzz(func(t *testing.T, in []byte) {
		n, err := h.unpack(out, in)
		want, ok := plainHuffman(in)
		if (err == nil) != ok || err == nil && !bytes.Equal(out[:n], want) {
			t.Fatalf("%d bytes, error %v; the plain reader has %d, %v", n, err, len(want), ok)
		}
	})
}

// plainHuffman reads Huffman data bit by bit.
func plainHuffman(in []byte) (out []byte, ok bool) {
	if len(in) < 2 {
		return nil, false
	}
	size := int(in[0])<<8 | int(in[1])
	at := 16
	bit := func() string {
		if at >= 8*len(in) {
			at++
			return "x"
		}
		at++
		return string('0' + in[(at-1)/8]>>(7-(at-1)%8)&1)
	}
	codes, sum := map[string]byte{}, 0
	for v := range 256 {
		n := 0
		for range 4 {
			n = n<<1 | int(bit()[0]&1)
		}
		code := ""
		for range n {
			code += bit()
		}
		if n > 0 {
			if _, there := codes[code]; there {
				return nil, false
			}
			codes[code] = byte(v)
			sum += 1 << (15 - n)
		}
	}
	if sum != 1<<15 || size > BlockSize || at > 8*len(in) || !prefixFree(codes) {
		return nil, false
	}
	for len(out) < size {
		code := ""
		for {
			if code += bit(); at > 8*len(in) {
				return nil, false
			}
			if v, there := codes[code]; there {
				out = append(out, v)
				break
			}
		}
	}
	return out, 8*len(in)-at < 8
}

// prefixFree reports whether no code begins another.
func prefixFree(codes map[string]byte) bool {
	for code := range codes {
		for n := 1; n < len(code); n++ {
			if _, there := codes[code[:n]]; there {
				return false
			}
		}
	}
	return true
}

// A plain, slow reader of LZ streams agrees with the fast one.
func FuzzLZ(f *testing.F) {
	var w lzPacker
	for _, content := range [][]byte{counting(2000), bytes.Repeat([]byte("abcdefgh"), 100), fibonacci()[:3000], zeros(5000)} {
		out := new([BlockSize + lzSlack]byte)
		if n, ok := w.pack(out, content); ok {
			f.Add(out[:n])
		}
	}
	out := new([BlockSize + lzSlack]byte)
	f.Fuzz(func(t *testing.T, in []byte) {
		n, err := unpackLZ(out, in)
		want, ok := plainLZ(in)
		if (err == nil) != ok || err == nil && !bytes.Equal(out[:n], want) {
			t.Fatalf("%d bytes, error %v; the plain reader has %d, %v", n, err, len(want), ok)
		}
	})
}

// plainLZ reads an LZ stream byte by byte.
func plainLZ(in []byte) (out []byte, ok bool) {
	for len(in) > 0 {
		if len(in) == 1 {
			return nil, false
		}
		control := int(in[1])<<8 | int(in[0])
		in = in[2:]
		for bit := 15; bit >= 0 && len(in) > 0; bit-- {
			count, gap, size := 1, 0, 1
			value := in[0]
			if control>>bit&1 == 1 {
				hi, lo := int(in[0]>>4), int(in[0]&15)
				size = 2
				if hi == 1 || hi == 2 {
					size = 3
				}
				if len(in) < size {
					return nil, false
				}
				switch hi {
				case 0:
					count, value = lo+3, in[1]
				case 1:
					count, value = lo+16*int(in[1])+19, in[2]
				case 2:
					count, gap = int(in[2])+16, lo+16*int(in[1])+3
				default:
					count, gap = hi, lo+16*int(in[1])+3
				}
			}
			if gap > len(out) || len(out)+count > BlockSize {
				return nil, false
			}
			for range count {
				if gap > 0 {
					value = out[len(out)-gap]
				}
				out = append(out, value)
			}
			in = in[size:]
		}
	}
	return out, true
}
