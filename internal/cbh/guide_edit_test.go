package cbh

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// formatted returns a guiding text of one content with formatting of its own.
func formatted(t rapid.TB, version uint16, page CodePage, text []byte, f guideFormatting) Guide {
	t.Helper()
	f.mark = [2]uint16{formattingMark, 2}
	f.styles = unhex("0000")
	f.rest = unhex("0000 0000 0000")
	e := guideEncoder{guideCoder: guideCoder{version, page}}
	e.out = []byte{byte(version), 0, 0, 0, guideMark, 1, 0, 0, 0}
	e.size(len(text))
	e.out = append(e.out, text...)
	b := f.append(nil, version)
	e.size(len(b))
	g, err := DecodeGuide(guideRecord(append(e.out, b...)), page)
	if err != nil || len(g.Contents) != 1 || g.Contents[0].Leftover == nil {
		t.Fatalf("%+v, %v", g, err)
	}
	return g
}

// edited writes a guiding text with another content and returns the formatting
// of that, with the losses.
func edited(t rapid.TB, g Guide, page CodePage, text string) (f guideFormatting, content []byte, losses []string) {
	t.Helper()
	g.Contents = slices.Clone(g.Contents)
	g.Contents[0].Text = text
	rec := must.Get(AppendGuide(nil, g, 1, page, func(l model.Loss) { losses = append(losses, l.What) }))(t)
	got, err := DecodeGuide(rec, page)
	if err != nil || got.Contents[0].Text != text {
		t.Fatalf("%+v, %v", got, err)
	}
	kept, ok := parseGuideContent(got.Contents[0].Leftover.From(Format))
	if !ok {
		content = guideCoder{guidePlain, page}.encode(text)
		f, _ = parseFormatting(defaultFormatting(len(content)), guidePlain)
		return f, content, losses
	}
	if f, ok = parseFormatting(kept.formatting, kept.version); !ok || !f.fits(kept.text) {
		t.Fatalf("%q: the formatting % x does not fit", text, kept.formatting)
	}
	return f, kept.text, losses
}

// show prints runs as "style*length" and objects as "kind@position".
func (f *guideFormatting) show() string {
	var parts []string
	for _, r := range f.runs {
		parts = append(parts, fmt.Sprintf("%d*%d", r.style, r.length))
	}
	for _, o := range f.objects {
		parts = append(parts, fmt.Sprintf("%d@%d", o.kind, o.position))
	}
	return strings.Join(parts, " ")
}

// Formatting follows its text: a heading, a link and a picture in a text.
func TestFormattingFollowsText(t *testing.T) {
	const text = "Head\nsome text \x04 and \x04 end"
	g := formatted(t, guidePlain, CodePage{}, []byte(strings.ReplaceAll(text, "\n", "\r")), guideFormatting{
		runs:    []guideRun{{5, 1, 0}, {10, 2, 0}, {6, 3, 0}, {5, 2, 0}},
		objects: []guideObject{{9, 16, nil}, {17, 16, []byte{1}}, {2, 22, []byte{2}}},
	})
	for _, test := range []struct{ text, want, loss string }{
		{text, "1*5 2*10 3*6 2*5 9@16 17@16 2@22", ""},
		{"New " + text, "1*9 2*10 3*6 2*5 9@20 17@20 2@26", ""},
		{text + "ing", "1*5 2*10 3*6 2*8 9@16 17@16 2@22", ""},
		{strings.Replace(text, "some", "any", 1), "1*5 2*9 3*6 2*5 9@15 17@15 2@21", ""},
		{strings.Replace(text, "Head\nsome", "Heads or", 1), "1*8 2*6 3*6 2*5 9@15 17@15 2@21", ""},
		{strings.Replace(text, " and", "", 1), "1*5 2*10 3*2 2*5 9@16 17@16 2@18", ""},
		{strings.Replace(text, " and \x04", "", 1), "1*5 2*10 3*2 2*3 9@16 17@16", "1 embedded objects and 0 stretches"},
		{"Head\nsome text END", "1*5 2*10 3*3", "3 embedded objects and 1 stretches"},
		// The letter makes the text UTF-8, in which it has two bytes.
		{strings.Replace(text, "Head", "Глава", 1), "1*11 2*10 3*6 2*5 9@22 17@22 2@28", ""},
		// Both ends change: the objects between them are as many as before.
		{"A" + text[:len(text)-1] + "ds", "1*28 9@17 17@17 2@23", "0 embedded objects and 3 stretches"},
		{"", "", "3 embedded objects and 4 stretches"},
	} {
		f, _, losses := edited(t, g, CodePage{}, test.text)
		if got := f.show(); got != test.want {
			t.Errorf("%q: %s, want %s", test.text, got, test.want)
		}
		if said := strings.Join(losses, "; "); (test.loss == "") != (said == "") || !strings.HasPrefix(said, test.loss) {
			t.Errorf("%q: losses %q, want %q", test.text, said, test.loss)
		}
	}
	// A text that becomes too long for version 1.
	f, _, losses := edited(t, g, CodePage{}, text+strings.Repeat("!", 70000))
	if got := f.show(); got != "1*5 2*10 3*6 2*65534 2*4471 9@16 17@16 2@22" || len(losses) > 0 {
		t.Errorf("%s, losses %q", got, losses)
	}
}

// After any edit the formatting fits, and what is the same at both ends looks as
// before.
func TestAnyEditKeepsFormatting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		page := drawPage(t)
		version := rapid.SampledFrom([]uint16{guidePlain, guidePlainLong}).Draw(t, "version")
		k := guideCoder{version, page}
		letters := rapid.SliceOfN(rapid.SampledFrom([]rune("ab \n\x04üЖ")), 0, 12)
		// The brackets tell where the same ends and begins again.
		start, middle, end := string(letters.Draw(t, "start"))+"[", string(letters.Draw(t, "middle")), "]"+string(letters.Draw(t, "end"))
		was := k.encode(start + middle + end)
		var f guideFormatting
		for at, b := range was {
			if b == objectByte {
				f.objects = append(f.objects, guideObject{kind: uint16(len(f.objects)), position: at + 1})
			}
		}
		places := characterPlaces(was)
		for at, last := 0, len(places)-1; at < last; {
			to := rapid.IntRange(at, last).Draw(t, "run")
			f.runs = append(f.runs, guideRun{length: places[to] - places[at], style: uint16(1 + len(f.runs))})
			at = to
		}
		g := formatted(t, version, page, was, f)
		text := start + string(letters.Draw(t, "new middle")) + end
		got, is, losses := edited(t, g, page, text)
		before, after := styles(f, was), styles(got, is)
		first, last := len([]rune(start)), len([]rune(end))
		if !slices.Equal(before[:first], after[:first]) {
			t.Fatalf("the beginning of %q: %v, was %v", text, after, before)
		}
		if !slices.Equal(before[len(before)-last:], after[len(after)-last:]) {
			t.Fatalf("the end of %q: %v, was %v", text, after, before)
		}
		if same := strings.Count(start+end, "\x04"); len(got.objects) < same || len(got.objects) < len(f.objects) && len(losses) == 0 {
			t.Fatalf("%d objects in %q, %d before; losses %q", len(got.objects), text, len(f.objects), losses)
		}
	})
}

// styles returns the style of each character.
func styles(f guideFormatting, text []byte) (list []uint16) {
	places := characterPlaces(text)
	for i := range len(places) - 1 {
		at := 0
		for _, r := range f.runs {
			if at += r.length; places[i] < at {
				list = append(list, r.style)
				break
			}
		}
	}
	return list
}
