package moveenc_test

import (
	"bytes"
	"errors"
	"testing"

	"cbkit/model"
	"cbkit/moveenc"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func drawForm(t *rapid.T) moveenc.Form {
	list := func(name string) []uint32 {
		var list []uint32
		last := uint32(0)
		for range rapid.IntRange(0, 4).Draw(t, name) {
			last += rapid.Uint32Range(0, 1<<20).Draw(t, name+" gap")
			list = append(list, last)
		}
		return list
	}
	raw := func(name string) []byte {
		if b := rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, name); len(b) > 0 {
			return b
		}
		return nil
	}
	return moveenc.Form{
		Mode: moveenc.Mode(rapid.IntRange(0, 63).Draw(t, "mode")),
		Bit7: rapid.Bool().Draw(t, "bit 7"), NoEnd: rapid.Bool().Draw(t, "no end"),
		Start: raw("start"), Dummies: list("dummies"), Words: list("words"), Twins: list("twins"), Trailer: raw("trailer"),
		Bits: list("nulls"),
	}
}

func TestFormBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawForm(t)
		data := moveenc.AppendForm([]byte{1, 2}, &f)[2:]
		if f.IsZero() != (len(data) == 0) {
			t.Fatalf("%+v: zero %v, bytes %x", f, f.IsZero(), data)
		}
		got, err := moveenc.DecodeForm(data)
		if diff := cmp.Diff(f, got); err != nil || diff != "" {
			t.Fatalf("%x: %v %s", data, err, diff)
		}
		for i := range data {
			if short, err := moveenc.DecodeForm(data[:i]); i > 0 && err == nil {
				t.Fatalf("cut to %x: %+v", data[:i], short)
			}
		}
	})
}

// The bytes are stored in leftovers, so they must not change.
func TestFormBytesByHand(t *testing.T) {
	for _, test := range []struct {
		form moveenc.Form
		want string
	}{
		{moveenc.Form{}, ""},
		{moveenc.Form{Mode: 5, Bit7: true}, "01 05"},
		{moveenc.Form{NoEnd: true}, "02 00"},
		{moveenc.Form{Dummies: []uint32{3, 3, 300}}, "08 00 03 03 00 A9 02"},
		{moveenc.Form{Words: []uint32{0}, Twins: []uint32{5}, Trailer: []byte{9, 8}}, "70 00 01 00 01 05 02 09 08"},
		{moveenc.Form{Start: []byte{7}}, "04 00 01 07"},
		{moveenc.Form{Words: []uint32{1}, Bits: []uint32{6}}, "90 00 01 01 01 01 02"},
	} {
		got := moveenc.AppendForm(nil, &test.form)
		if !bytes.Equal(got, unhex(test.want)) {
			t.Errorf("%+v: % X, want %s", test.form, got, test.want)
		}
		if parsed, err := moveenc.DecodeForm(got); err != nil || !cmp.Equal(parsed, test.form) {
			t.Errorf("%s: %+v, %v", test.want, parsed, err)
		}
	}
}

func TestDecodeFormRefuses(t *testing.T) {
	for name, data := range map[string]string{
		"one byte":              "01",
		"zero form in bytes":    "00 00",
		"mode above 63":         "00 40",
		"unknown part":          "80 00",
		"empty list":            "08 00 00",
		"list longer than data": "08 00 FF FF 03 01",
		"number above 16 MiB":   "08 00 01 80 80 80 08",
		"sum above 16 MiB":      "08 00 02 FF FF FF 07 01",
		"varint with padding":   "08 00 01 83 00",
		"varint without end":    "08 00 01 FF",
		"bytes left over":       "02 00 00",
	} {
		if f, err := moveenc.DecodeForm(unhex(data)); !errors.Is(err, model.ErrCorrupt) {
			t.Errorf("%s: %+v, %v", name, f, err)
		}
	}
}

func FuzzDecodeForm(f *testing.F) {
	f.Add(unhex("08 00 03 03 00 A9 02"))
	f.Add(unhex("7F 05 01 07 01 01 01 02 01 03 02 09 08"))
	f.Fuzz(func(t *testing.T, data []byte) {
		form, err := moveenc.DecodeForm(data)
		if err != nil {
			return
		}
		if again := moveenc.AppendForm(nil, &form); !bytes.Equal(again, data) {
			t.Fatalf("%x became %x", data, again)
		}
		// Whatever a form says, an encoder must cope with it.
		var moves model.Tree
		moves.Append(model.NewMove(model.E2, model.E4))
		if rec, err := moveenc.Append(nil, nil, &moves, &form); err == nil {
			var g moveenc.Game
			if err := moveenc.Decode(rec, &g); err != nil || !g.Moves.Equal(&moves) {
				t.Fatalf("%+v: %x: %v", form, rec, err)
			}
			if again := moveenc.AppendForm(nil, &g.Form); !bytes.Equal(again, data) {
				t.Fatalf("%+v came back as %+v", form, g.Form)
			}
		}
	})
}
