package ctg

import (
	"bytes"
	"encoding/hex"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/must"
)

// A key that is accepted must be the very one that its position gets.
func FuzzKey(f *testing.F) {
	for _, v := range vectors {
		b := must.Get(hex.DecodeString(v.key))(f)
		f.Add(b)
	}
	// A pawn stands where the one that advanced should have passed.
	f.Add([]byte("1\xb6\x0e`\xf0\xb0{\x80\xff\xff\xff\xff\xe6\x0e`\xf7\x04"))
	f.Add(append([]byte{31}, bytes.Repeat([]byte{0xff}, 30)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		key, ok := keyOf(b)
		if !ok {
			return
		}
		m, err := key.Position()
		if err != nil {
			return
		}
		p, err := board.New(&m)
		if err != nil {
			return
		}
		if back, view := Encode(&p); back != key || view != 0 {
			t.Errorf("%x was accepted as %s, whose key is %s", b, p.FEN(), &back)
		}
	})
}

func FuzzPage(f *testing.F) {
	entries := randomEntries(1, 3)
	body := bytes.Join(toBytes(entries), nil)
	f.Add(AppendPage(nil, 3, body)[:PageHeaderSize+len(body)])
	f.Add([]byte{0, 0, 0, 4})
	f.Fuzz(func(t *testing.T, b []byte) {
		var buf [PageSize]byte
		copy(buf[:], b)
		p := Page(buf[:])
		for e, err := range p.Entries() {
			if err != nil {
				return
			}
			key, s := e.Key(), e.Stats()
			if again := AppendEntry(nil, &key, e.Moves(), &s); !bytes.Equal(again, e) {
				t.Errorf("%x encoded again as %x", e, again)
			}
			if _, found, err := p.Find(&key); err != nil && !found {
				continue // damage further on
			} else if !found {
				t.Errorf("%s is there and not found", &key)
			}
		}
	})
}

func FuzzHeader(f *testing.F) {
	f.Add(NewHeader().Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := DecodeHeader(b)
		if err != nil {
			return
		}
		if !bytes.Equal(h.Bytes(), b[:PageSize]) {
			t.Error("the header page is not kept")
		}
	})
}

func FuzzDirectory(f *testing.F) {
	good := naiveBook(randomEntries(2, 300))
	f.Add(good.CTB, good.CTO, uint16(good.Size/PageSize-1))
	f.Fuzz(func(t *testing.T, ctb, cto []byte, pages uint16) {
		d := new(Directory)
		if d.DecodeBitmap(ctb) != nil || d.DecodePages(cto) != nil || d.Check(int(pages)) != nil {
			return
		}
		// A directory that passes has a page for every hash.
		for h := range uint32(64) {
			for _, hash := range []uint32{h, h << 26, h * 0x9e3779b9} {
				if page := d.Page(d.Leaf(hash)); page < 0 || page >= int32(pages) {
					t.Fatalf("hash %08x leads to page %d of %d", hash, page, pages)
				}
			}
		}
	})
}

// FuzzBook varies the pages and the directory behind a good header page. The
// pages come without the zeros at their ends, which would slow the search.
func FuzzBook(f *testing.F) {
	body := bytes.Join(toBytes(randomEntries(3, 4)), nil)
	page := AppendPage(nil, 4, body)[:PageHeaderSize+len(body)]
	f.Add(page, page, []byte{0, 12, 0, 1, 0, 0, 0, 0, 0, 0, 0, 8, 1}, newDirectory().AppendPages(nil, true))
	f.Add(page, []byte{}, newDirectory().AppendBitmap(nil), newDirectory().AppendPages(nil, false))
	f.Add(page, page, []byte(nil), []byte(nil))
	f.Fuzz(func(_ *testing.T, page0, page1, ctb, cto []byte) {
		ctg := bytes.Clone(NewHeader().Bytes())
		for _, page := range [][]byte{page0, page1} {
			var buf [PageSize]byte
			copy(buf[:], page)
			ctg = append(ctg, buf[:]...)
		}
		tour(makeFiles(ctg, ctb, cto))
	})
}

// keyOf returns the key with the given bytes if they are as many as the first
// of them says.
func keyOf(b []byte) (key Key, ok bool) {
	if len(b) == 0 || len(b) != int(b[0]&keyLength) {
		return key, false
	}
	copy(key[:], b)
	return key, true
}
