package cbh

import (
	"bytes"
	"slices"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// fuzzPage turns a number into a code page.
func fuzzPage(t *testing.T, n uint8) CodePage {
	names := pageNames()
	return mustPage(t, names[int(n)%len(names)])
}

// FuzzAnnotations: every record, good or bad, comes back exactly.
func FuzzAnnotations(f *testing.F) {
	for _, v := range annotationVectors {
		f.Add(unhex(v.rec), uint8(0), true)
	}
	f.Add(unhex("000000 01000e0e 000003 0000001c fffff9 03 0007 01  000001 03 0007 02"), uint8(3), true)
	f.Fuzz(func(t *testing.T, rec []byte, page uint8, moves bool) {
		ctx := AnnotationContext{Game: 1, Page: fuzzPage(t, page)}
		if moves {
			ctx.Moves = new(model.Tree)
			ctx.Moves.Append(model.NullMove)
		}
		checkExact(t, rec, ctx)
		FactsOf(rec)
	})
}

// FuzzPayload: a value reads back from the payload written for it, and opaque
// payloads stay as they are.
func FuzzPayload(f *testing.F) {
	for _, v := range annotationVectors {
		for typ, payload := range payloads(unhex(v.rec)) {
			f.Add(typ, payload, uint8(0))
		}
	}
	f.Add(annotationTraining, unhex(trainingVector), uint8(1))
	f.Add(annotationWebLink, unhex("0900 03 612e62 02 63e4"), uint8(0))
	f.Add(annotationTimeControl, unhex("000AFC80 00000BB8 0028 01  00057E40 00000BB8 0014 01  00015F90 00000BB8 03E8 03"), uint8(0))
	f.Add(annotationEvaluations, unhex("0002 00 11 fff1  ff 00 0000"), uint8(0))
	f.Fuzz(func(t *testing.T, typ uint8, payload []byte, n uint8) {
		page := fuzzPage(t, n)
		v := DecodePayload(typ, payload, page)
		out, outTyp, err := AppendPayload(nil, v, page)
		if len(payload) > maxPayload {
			return
		}
		if err != nil || outTyp != typ {
			t.Fatalf("type %02x becomes %02x: %v", typ, outTyp, err)
		}
		if isOpaque(v) && !bytes.Equal(out, payload) {
			t.Fatalf("% x becomes % x", payload, out)
		}
		if s, ok := v.(model.Symbols); ok {
			v = model.Symbols{Move: foldNAG(s.Move), Position: foldNAG(s.Position), Prefix: foldNAG(s.Prefix)}
		}
		if again := DecodePayload(typ, out, page); !again.Equal(v) {
			t.Fatalf("%#v\nreads back as\n%#v", v, again)
		}
	})
}

// checkEditedGuide proves that texts with whatever formatting can be edited.
func checkEditedGuide(t *testing.T, g Guide, page CodePage) {
	g.Contents = slices.Clone(g.Contents)
	for i := range g.Contents {
		letters := []rune(g.Contents[i].Text)
		g.Contents[i].Text = string(letters[:len(letters)/3]) + "new" + string(letters[len(letters)/2:])
	}
	rec, err := AppendGuide(nil, g, 1, page, nil)
	if err != nil {
		return // too large
	}
	got, err := DecodeGuide(rec, page)
	if err != nil || len(got.Contents) != len(g.Contents) {
		t.Fatalf("%v of % x", err, rec)
	}
	for i := range g.Contents {
		version := uint16(guidePlain)
		if g.HTML {
			version = guideHTML
		}
		k := guideCoder{version, page}
		if want := k.decode(k.encode(g.Contents[i].Text)); got.Contents[i].Text != want {
			t.Fatalf("%q is %q", want, got.Contents[i].Text)
		}
	}
}

// FuzzGuide: every record, good or bad, comes back exactly.
func FuzzGuide(f *testing.F) {
	f.Add(unhex(goldenGuide), uint8(0))
	f.Add(unhex("80 00001b  0300 0000 01 0100 0000 06000000 3c703e0dc3a5 00000000"), uint8(0))
	f.Add(guideRecord(unhex(`0100 0000 01 0100 0300 0300 610462 3300
		2c01 0200 0200  1900 0200 0100 aa  0900 0200 0000  0100 0000 0000
		0100 0000 0000  0100 0100 0000  0100 0000 0000 ffff  0000 0000 0000`)), uint8(0))
	f.Add(guideRecord(unhex("0200 0100 0900 0100 fc 00 0100 0700 02000000 0d0a 00000000 ee")), uint8(2))
	f.Fuzz(func(t *testing.T, rec []byte, n uint8) {
		page := fuzzPage(t, n)
		checkExactGuide(t, rec, page)
		g, err := DecodeGuide(rec, page)
		if err != nil {
			return
		}
		checkEditedGuide(t, g, page)
		// What the texts alone give reads back as the texts.
		g.Leftover = nil
		for i := range g.Titles {
			g.Titles[i].Leftover = nil
		}
		for i := range g.Contents {
			g.Contents[i].Leftover = nil
		}
		fresh, err := AppendGuide(nil, g, 1, page, nil)
		if err != nil {
			return // larger than what it came from, and too large
		}
		again := must.Get(DecodeGuide(fresh, page))(t)
		checkGuide(t, again, g)
	})
}
