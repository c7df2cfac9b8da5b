package cbh

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// guideRecord puts a head in front of the content of a record.
func guideRecord(content []byte) []byte {
	size := guideHeadSize + len(content)
	return append([]byte{guideHead, byte(size >> 16), byte(size >> 8), byte(size)}, content...)
}

// A text of version 1 as it is written without leftovers: one title, one
// content of two lines.
const goldenGuide = `80 00016c
	0100 0100 0100 0200 4869 01
	0100 0700 0300 610d62 5201
	2c01 0000 0000
	0100 0000 0a00
	0000 1100 0f00 54696d6573204e657720526f6d616e 0400 0400 18000000 0100 0100 00 0200 0100 00 0300 0100 00
	0500 0200 0000 0600 0200 0a00 0700 0200 0000 0800 0200 0000 0900 0600 000000000000
	0300 0000 0000 ffff
	0a00
	0000 1100 0f00 54696d6573204e657720526f6d616e 0400 0400 1e000000 0100 0100 00 0200 0100 00 0300 0100 01
	0500 0200 0200 0600 0200 0000 0700 0200 0000 0800 0200 0000 0900 0600 000000000000
	0a00
	0000 1100 0f00 54696d6573204e657720526f6d616e 0400 0400 18000000 0100 0100 00 0200 0100 01 0300 0100 00
	0500 0200 0000 0600 0200 0000 0700 0200 0000 0800 0200 0000 0900 0600 000000000000
	0a00
	0000 1100 0f00 54696d6573204e657720526f6d616e 0400 0400 16000000 0100 0100 01 0200 0100 00 0300 0100 00
	0500 0200 0000 0600 0200 0000 0700 0200 0000 0800 0200 0000 0900 0600 000000000000`

func plainGuide() Guide {
	return Guide{
		Titles:   []model.LocalText{{Language: model.German, Text: "Hi"}},
		Contents: []model.LocalText{{Language: model.AnyLanguage, Text: "a\nb"}},
	}
}

func TestGoldenGuide(t *testing.T) {
	rec := must.Get(AppendGuide(nil, plainGuide(), 1, CodePage{}, failOnLoss(t)))(t)
	golden(t, "guide", rec, goldenGuide)
	got := must.Get(DecodeGuide(rec, CodePage{}))(t)
	checkGuide(t, got, plainGuide())
	checkNoGuideLeftovers(t, got)
}

// A page of HTML: version 3, in UTF-8 although the code page has the letter.
func TestGoldenHTMLGuide(t *testing.T) {
	g := Guide{HTML: true, Contents: []model.LocalText{{Language: model.English, Text: "<p>\r\u00e5"}}}
	rec := must.Get(AppendGuide(nil, g, 1, CodePage{}, failOnLoss(t)))(t)
	golden(t, "guide", rec, `80 00001b  0300 0000 01 0100 0000 06000000 3c703e0dc3a5 00000000`)
	got := must.Get(DecodeGuide(rec, CodePage{}))(t)
	checkGuide(t, got, g)
	checkNoGuideLeftovers(t, got)
}

// checkGuide compares guides without their leftovers.
func checkGuide(t rapid.TB, got, want Guide) {
	t.Helper()
	equal := func(a, b model.LocalText) bool { return a.Language == b.Language && a.Text == b.Text }
	if got.HTML != want.HTML || !slices.EqualFunc(got.Titles, want.Titles, equal) ||
		!slices.EqualFunc(got.Contents, want.Contents, equal) {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}
}

func checkNoGuideLeftovers(t rapid.TB, g Guide) {
	t.Helper()
	has := func(t model.LocalText) bool { return t.Leftover != nil }
	if g.Leftover != nil || slices.ContainsFunc(g.Titles, has) || slices.ContainsFunc(g.Contents, has) {
		t.Fatalf("leftovers of %+v", g)
	}
}

// checkExactGuide proves that a record comes back from what it was decoded to.
func checkExactGuide(t rapid.TB, rec []byte, page CodePage) {
	t.Helper()
	got, _ := DecodeGuide(rec, page)
	out, err := AppendGuide([]byte("before"), got, 1, page, nil)
	if err != nil || !bytes.Equal(out, append([]byte("before"), rec...)) {
		t.Fatalf("%v\ngot  % x\nwant % x", err, out[6:], rec)
	}
}

func TestRealGuides(t *testing.T) {
	blocks := map[string][]byte{}
	for _, f := range realFiles(t, ".cbg", 6) {
		blocks[filepath.Dir(f.name)] = f.data
	}
	count, usualEnd := 0, 0
	for _, f := range realFiles(t, ".cbh", 7) {
		database := filepath.Dir(f.name)
		for id, b := range records(t, f.name, f.data, RecordSize)[1:] {
			if !RecordType(b[0]).IsText() || blocks[database] == nil {
				continue
			}
			r := must.Get(DecodeTextRecord(b))(t)
			rec := blocks[database][r.Offset:]
			rec = rec[:int(rec[1])<<16|int(rec[2])<<8|int(rec[3])]
			usualEnd += checkRealGuide(t, id+1, rec, pageOf(t, database))
			checkExactGuide(t, rec, CodePage{})
			count++
		}
	}
	t.Logf("%d texts", count)
	// Three lists of properties end every text, the same ones in 26.
	if count != 27 || usualEnd != 26 {
		t.Errorf("%d texts, %d with the usual end", count, usualEnd)
	}
}

// checkRealGuide returns how many contents end like a new one.
func checkRealGuide(t *testing.T, id int, rec []byte, page CodePage) (usualEnd int) {
	t.Helper()
	g, err := DecodeGuide(rec, page)
	if err != nil || g.Leftover != nil || g.HTML || len(g.Titles) == 0 || len(g.Contents) == 0 {
		t.Fatalf("record %d: %+v, %v", id, g, err)
	}
	checkExactGuide(t, rec, page)
	for _, title := range g.Titles {
		if title.Leftover != nil {
			t.Errorf("record %d: title %q keeps its bytes", id, title.Text)
		}
	}
	const end = 3 * 80
	for _, content := range g.Contents {
		kept, ok := parseGuideContent(content.Leftover.From(Format))
		if !ok || !bytes.Equal(guideCoder{kept.version, page}.encode(content.Text), kept.text) {
			t.Errorf("record %d: %.40q needs its bytes", id, content.Text)
		}
		f, ok := parseFormatting(kept.formatting, kept.version)
		if !ok || !f.fits(kept.text) || !bytes.Equal(f.append(nil, kept.version), kept.formatting) {
			t.Errorf("record %d: the formatting of %.40q is not understood", id, content.Text)
		}
		fresh := defaultFormatting(0)
		if bytes.HasSuffix(kept.formatting, fresh[len(fresh)-end:]) {
			usualEnd++
		}
	}
	return usualEnd
}

// drawGuide draws a guide without leftovers that can be stored as it is.
func drawGuide(t *rapid.T, page CodePage) Guide {
	local := func(clean func(string) string) *rapid.Generator[[]model.LocalText] {
		return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) model.LocalText {
			return model.LocalText{Language: drawGuideLanguage(t), Text: clean(drawString(t, page, 40))}
		}), 0, 3)
	}
	same := func(s string) string { return s }
	g := Guide{HTML: rapid.Bool().Draw(t, "html"), Titles: local(same).Draw(t, "titles")}
	if g.HTML {
		g.Contents = local(same).Draw(t, "contents")
	} else {
		g.Contents = local(func(s string) string { return strings.ReplaceAll(s, "\r", "") }).Draw(t, "contents")
	}
	return g
}

func TestGuideRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		page := drawPage(t)
		g := drawGuide(t, page)
		rec := must.Get(AppendGuide(nil, g, 1, page, func(l model.Loss) { t.Fatalf("loss: %v", l) }))(t)
		got := must.Get(DecodeGuide(rec, page))(t)
		checkGuide(t, got, g)
		checkNoGuideLeftovers(t, got)
	})
}

// TestStoredGuides: what other programs may have written comes back exactly.
func TestStoredGuides(t *testing.T) {
	formatted := defaultFormatting(2)
	object := unhex("2c01 0100 0200  1900 0100 0300 aabbcc  0000  0200 0000 0000 ffff  0000 0000 0000")
	longObject := unhex("2c01 0100 0200  1900 01000000 0300 aabbcc  0000  0200 0000 0000 ffff  0000 0000 0000")
	plain := func(text string, formatting []byte) []byte {
		b := append(unhex("0100 0000 01 0100 0300"), byte(len(text)), 0)
		b = append(append(b, text...), byte(len(formatting)), byte(len(formatting)>>8))
		return append(b, formatting...)
	}
	long := func(text string, formatting []byte) []byte {
		b := append(unhex("0200 0000 01 0100 0300"), byte(len(text)), 0, 0, 0)
		b = append(append(b, text...), byte(len(formatting)), byte(len(formatting)>>8), 0, 0)
		return append(b, formatting...)
	}
	for name, content := range map[string][]byte{
		"usual":                     plain("ab", formatted),
		"object":                    plain("\x04b", object),
		"object at another letter":  plain("ab", object),
		"runs too short":            plain("abc", formatted),
		"no formatting":             plain("ab", nil),
		"unknown formatting":        plain("ab", []byte{1, 2, 3}),
		"UTF-8":                     plain("\xc3\xbc", formatted),
		"line feed":                 plain("a\n", formatted),
		"version 2":                 long("ab", formatted),
		"version 2, object":         long("\x04b", longObject),
		"version 3 with formatting": unhex("0300 0000 01 0100 0300 01000000 61 01000000 62"),
		"version 3 without UTF-8":   unhex("0300 0000 01 0100 0300 01000000 fc 00000000"),
		"title in UTF-8":            unhex("0100 0100 0000 0200 c3bc 01 0000"),
		"mark 0":                    unhex("0100 0000 00 0000"),
		"trailer":                   unhex("0100 0000 01 0000 ee"),
		"language 65535":            unhex("0100 0100 ffff 0000 01 0000"),
		"version 4":                 unhex("0400 0000 01 0000"),
	} {
		t.Run(name, func(t *testing.T) {
			rec := guideRecord(content)
			checkExactGuide(t, rec, CodePage{})
			rec[0] = 0xC3
			checkExactGuide(t, rec, CodePage{})
		})
	}
}

// TestChangedGuides: leftovers that no longer fit the texts are not used, which
// is said where they were more than bytes of the texts.
func TestChangedGuides(t *testing.T) {
	stored := guideRecord(unhex(`0100 0100 0000 0200 c3bc 01 0100 0300 0100 04  1f00
		2c01 0100 0200  1900 0100 0300 aabbcc  0000  0100 0000 0000 ffff  0000 0000 0000`))
	decoded, err := DecodeGuide(stored, CodePage{})
	if err != nil || decoded.Titles[0].Leftover == nil || decoded.Contents[0].Leftover == nil {
		t.Fatalf("%+v, %v", decoded, err)
	}
	for name, change := range map[string]func(*Guide){
		"title":     func(g *Guide) { g.Titles[0].Text = "other" },
		"text":      func(g *Guide) { g.Contents[0].Text = "other" },
		"as long":   func(g *Guide) { g.Contents[0].Text = "x" },
		"HTML":      func(g *Guide) { g.HTML = true },
		"very long": func(g *Guide) { g.Contents[0].Text = strings.Repeat("x", 70000) },
	} {
		g := decoded
		g.Titles, g.Contents = slices.Clone(g.Titles), slices.Clone(g.Contents)
		change(&g)
		losses := 0
		rec := must.Get(AppendGuide(nil, g, 1, CodePage{}, func(model.Loss) { losses++ }))(t)
		if (losses == 0) != (name == "title") {
			t.Errorf("%s: %d losses", name, losses)
		}
		got, err := DecodeGuide(rec, CodePage{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		checkGuide(t, got, g)
		if kept := bytes.Contains(rec, []byte{0xAA, 0xBB, 0xCC}); kept != (name == "title") {
			t.Errorf("%s: the formatting is kept: %v", name, kept)
		}
	}
}

func TestGuideLosses(t *testing.T) {
	text := func(l model.Language, s string) []model.LocalText { return []model.LocalText{{Language: l, Text: s}} }
	tests := []struct {
		guide Guide
		kind  model.LossKind
		field string
	}{
		{Guide{Titles: text(model.English, strings.Repeat("ü", 65536))}, model.LostTextEnd, "title"},
		{Guide{Titles: text(model.Polish, "")}, model.Changed, "text"},
		{Guide{Contents: text(model.GuideLanguageBase+3, "")}, model.Changed, "text"},
		{Guide{Contents: text(model.English, "a\r\nb")}, model.Changed, "text"},
		{Guide{Contents: text(model.English, "\xff")}, model.Changed, "text"},
		{Guide{HTML: true, Contents: text(model.English, "\xff")}, model.Changed, "text"},
	}
	for _, test := range tests {
		var losses []model.Loss
		_, err := AppendGuide(nil, test.guide, 7, CodePage{}, func(l model.Loss) { losses = append(losses, l) })
		if err != nil || len(losses) != 1 || losses[0].Kind != test.kind || losses[0].Field != test.field || losses[0].Record != 7 {
			t.Errorf("%v: %v, not %v of %s", err, losses, test.kind, test.field)
		}
	}
	huge := Guide{Contents: text(model.English, strings.Repeat("x", 1<<24))}
	if out, err := AppendGuide([]byte("before"), huge, 7, CodePage{}, nil); !errors.Is(err, model.ErrTooLarge) || string(out) != "before" {
		t.Errorf("%d bytes: %v", len(out), err)
	}
	many := Guide{Titles: make([]model.LocalText, 65536)}
	if _, err := AppendGuide(nil, many, 7, CodePage{}, nil); !errors.Is(err, model.ErrTooLarge) {
		t.Errorf("many titles: %v", err)
	}
}

func TestTruncatedGuides(t *testing.T) {
	whole := unhex(goldenGuide)
	for n := range whole {
		rec := bytes.Clone(whole[:n])
		if _, err := DecodeGuide(rec, CodePage{}); err == nil {
			t.Errorf("no error for %d bytes", n)
		}
		checkExactGuide(t, rec, CodePage{})
		if n >= guideHeadSize {
			rec[2], rec[3] = byte(n>>8), byte(n)
			if _, err := DecodeGuide(rec, CodePage{}); !errors.Is(err, model.ErrTruncated) {
				t.Errorf("%d bytes: %v", n, err)
			}
			checkExactGuide(t, rec, CodePage{})
		}
	}
}

func TestGuideLanguages(t *testing.T) {
	for n := range uint16(0xFFFF) {
		l, ok := unpackGuideLanguage(n)
		if !ok {
			continue
		}
		if back, ok := packGuideLanguage(l); !ok || back != n {
			t.Errorf("language %d becomes %v and %d", n, l, back)
		}
	}
}
