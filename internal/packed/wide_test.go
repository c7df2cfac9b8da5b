package packed_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"pgregory.net/rapid"

	"cbkit/internal/packed"
	"cbkit/internal/testkit/must"
	_ "cbkit/internal/testkit/seeds"
	"cbkit/model"
)

// wide returns text as UTF-16 with a byte order mark.
func wide(text string, order binary.AppendByteOrder) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
		b = order.AppendUint16(b, u)
	}
	return b
}

var orders = []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian}

// Text in UTF-16 comes out as UTF-8, in whatever pieces it is read.
func TestUTF16(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := string([]rune(rapid.String().Draw(t, "text"))) // without bytes that are no UTF-8
		order := rapid.SampledFrom(orders).Draw(t, "order")
		data := wide(text, order)
		if rapid.Bool().Draw(t, "packed") {
			data = packText(t, data, packed.Gzip)
		}
		r, done, err := packed.NewReader(iotest.OneByteReader(bytes.NewReader(data)), "")
		if err != nil {
			t.Fatal(err)
		}
		defer done()
		if got, err := io.ReadAll(iotest.OneByteReader(r)); err != nil || string(got) != text {
			t.Fatalf("%q, %v, want %q", got, err, text)
		}
	})
	if got, err := read(wide("", binary.BigEndian)); got != "" || err != nil {
		t.Errorf("nothing: %q, %v", got, err)
	}
}

// Half a character is an error and not another character.
func TestUTF16Damage(t *testing.T) {
	for _, order := range orders {
		whole := wide("1. e4 \U0001F600 *", order)
		pair := len(wide("1. e4 ", order))
		for name, data := range map[string][]byte{
			"half a unit at the end":   whole[:len(whole)-1],
			"half a pair at the end":   whole[:pair+2],
			"the other half is absent": append(bytes.Clone(whole[:pair+2]), whole[pair+4:]...),
			"the first half is absent": append(bytes.Clone(whole[:pair]), whole[pair+2:]...),
		} {
			got, err := read(data)
			if err == nil || errors.Is(err, io.ErrUnexpectedEOF) || len(got) < len("1. e4 ") {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
	}
}

// Text that is read and written in its form is what it was.
func TestFormIsKept(t *testing.T) {
	text := "[White \"Müller 😀\"]\r\n\r\n*"
	for name, data := range map[string][]byte{
		"plain": []byte(text), "little": wide(text, binary.LittleEndian), "big": wide(text, binary.BigEndian),
		"gzip": packText(t, []byte(text), packed.Gzip), "zstd": packText(t, []byte(text), packed.Zstd),
		"gzip of UTF-16": packText(t, wide(text, binary.LittleEndian), packed.Gzip),
	} {
		in, form, done, err := packed.NewFormReader(bytes.NewReader(data), "")
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		w := must.Get(form.NewWriter(&out))(t)
		must.Get(io.Copy(w, in))(t)
		must.Do(t, w.Close())
		done()
		if packed.IsPacked(data) != packed.IsPacked(out.Bytes()) || name != "zstd" && !bytes.Equal(out.Bytes(), data) {
			t.Errorf("%s: % x became % x", name, data, out.Bytes())
		}
		if got, err := read(out.Bytes()); err != nil || got != text {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	data := must.Get(hex.DecodeString(bzip2Sample))(t)
	_, form, _, err := packed.NewFormReader(bytes.NewReader(data), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := form.NewWriter(io.Discard); !errors.Is(err, model.ErrUnsupported) {
		t.Errorf("bzip2: %v", err)
	}
}
