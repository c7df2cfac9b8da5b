package cbh

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"cbkit/internal/testkit/must"
)

// pageNames are all pages that can be chosen.
func pageNames() []string {
	names := make([]string, len(codePages))
	for i := range codePages {
		names[i] = codePages[i].name
	}
	return names
}

func mustPage(t rapid.TB, name string) CodePage {
	t.Helper()
	return must.Get(ParseCodePage(name))(t)
}

func TestCodePagesAreBijections(t *testing.T) {
	for _, name := range pageNames() {
		page := mustPage(t, name).page()
		if len(page.toByte) != 256 {
			t.Errorf("%s: %d different characters", name, len(page.toByte))
		}
		for i, r := range page.char {
			if i < 0x80 && r != rune(i) {
				t.Errorf("%s: byte %02X is %U", name, i, r)
			}
			if got, ok := page.toByte[r]; !ok || int(got) != i {
				t.Errorf("%s: %U came from %02X and goes to %02X", name, r, i, got)
			}
			if !utf8.ValidRune(r) || r == utf8.RuneError {
				t.Errorf("%s: byte %02X is %U", name, i, r)
			}
		}
	}
	if n := len(symbolPage().toByte); n != 256 {
		t.Errorf("symbols: %d different characters", n)
	}
}

// What stands before the NUL of a field is found whatever its length and wherever the
// first byte is that is not ASCII.
func TestASCIIText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letter := rapid.SampledFrom([]byte{0, 1, 'a', 'z', 0x7F, 0x80, 0x81, 0xC3, 0xFF})
		field := rapid.SliceOfN(letter, 0, 40).Draw(t, "field")
		want := len(field)
		for i, c := range field {
			if c == 0 || c >= utf8.RuneSelf {
				want = i
				break
			}
		}
		if want < len(field) && field[want] != 0 {
			want = -1
		}
		if got := asciiText(field); got != want {
			t.Fatalf("% X: %d, want %d", field, got, want)
		}
	})
}

func TestParseCodePage(t *testing.T) {
	for in, want := range map[string]string{
		"1251": "1251", "cp1251": "1251", "Windows-1251": "1251", "KOI8-R": "koi8-r", "ISO-8859-5": "iso-8859-5", "CP866": "866",
	} {
		p, err := ParseCodePage(in)
		if err != nil || p.String() != want {
			t.Errorf("%q: %v, %v", in, p, err)
		}
	}
	if (CodePage{}).String() != "1252" || !mustPage(t, "1252").isDefault() {
		t.Error("the zero page is not Windows-1252")
	}
	if _, err := ParseCodePage("utf-8"); err == nil || !strings.Contains(err.Error(), "koi8-r") {
		t.Errorf("an unknown page gives %v", err)
	}
}

func TestTextBytes(t *testing.T) {
	cyrillic := mustPage(t, "1251")
	for _, c := range []struct {
		page CodePage
		text string
		want string
	}{
		{CodePage{}, "Mårdell", "M\xE5rdell"},        // docs/formats/cbh-entities.md 6.7
		{CodePage{}, "Lékó", "L\xE9k\xF3"},           // same
		{CodePage{}, "a\u0081\u009Db", "a\x81\x9Db"}, // unassigned in the standard
		{CodePage{}, "€“”", "\x80\x93\x94"},          //
		{CodePage{}, "Ботвинник", "Ботвинник"},       // not in the page: UTF-8
		{CodePage{}, "Ã©", "Ã©"},                     // C3 A9 would be read as é
		{CodePage{}, "Ã©\u00E9", "\xC3\xA9\xE9"},     // this cannot
		{cyrillic, "Ботвинник", "\xC1\xEE\xF2\xE2\xE8\xED\xED\xE8\xEA"},
		{cyrillic, "é", "é"},
		{mustPage(t, "1253"), "\uF7D2", "\xD2"},
	} {
		b := c.page.Encode(c.text)
		if string(b) != c.want {
			t.Errorf("%v: %q is % X, want % X", c.page, c.text, b, c.want)
		}
		if got := c.page.Decode(b); got != c.text {
			t.Errorf("%v: % X is %q, want %q", c.page, b, got, c.text)
		}
	}
}

func TestSymbolBytes(t *testing.T) {
	var p CodePage
	for _, c := range []struct{ text, want string }{
		{"\uE024\uE028 \uE01C", "\xA2\xA4 \x93"},
		{"\uE000", "\xB0"},
		{"©\uE000", "\xA9\xB0"},
		{"× – \u0090 º", "\xD7 \x96 \x90 \xBA"},
		{"\uE005\r\nSchön", "\x9E\r\nSch\xF6n"},
		{"5 £", "5 £"}, // A3 is the queen
		{"\uE0FF", "\uE0FF"},
	} {
		b := p.EncodeSymbols(c.text)
		if string(b) != c.want {
			t.Errorf("%q is % X, want % X", c.text, b, c.want)
		}
		if got := p.DecodeSymbols(b); got != c.text {
			t.Errorf("% X is %q, want %q", b, got, c.text)
		}
	}
	// Elsewhere the same bytes are letters.
	cyrillic := mustPage(t, "1251")
	if got := cyrillic.DecodeSymbols([]byte("\xF7\xFE")); got != "чю" {
		t.Errorf("Windows-1251 gives %q", got)
	}
	if got := cyrillic.EncodeSymbols("\uE024"); string(got) != "\uE024" {
		t.Errorf("Windows-1251 gives % X", got)
	}
}

func drawPage(t *rapid.T) CodePage {
	return mustPage(t, rapid.SampledFrom(pageNames()).Draw(t, "page"))
}

// drawText draws valid strings that like the characters of the page.
func drawText(t *rapid.T, p CodePage) string {
	inPage := rapid.SampledFrom(p.page().char[:])
	rare := rapid.SampledFrom([]rune{0, 'é', 'Ã', '©', 'ж', 'Ω', 0x4E2D, 0xE024, 0xE000, 0x1F600, utf8.RuneError})
	return string(rapid.SliceOf(rapid.OneOf(inPage, inPage, rare, rapid.Rune())).Draw(t, "text"))
}

func TestTextRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPage(t)
		s := drawText(t, p)
		if got := p.Decode(p.Encode(s)); got != s {
			t.Fatalf("%v: %q -> % X -> %q", p, s, p.Encode(s), got)
		}
		if got := p.DecodeSymbols(p.EncodeSymbols(s)); got != s {
			t.Fatalf("%v: symbols: %q -> % X -> %q", p, s, p.EncodeSymbols(s), got)
		}
		b := rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
		checkBytes(t, p, b)
	})
}

// checkBytes proves that bytes come back, with the one exception of Decode.
func checkBytes(t rapid.TB, p CodePage, b []byte) {
	for _, c := range []struct {
		text string
		back []byte
	}{
		{p.Decode(b), p.Encode(p.Decode(b))},
		{p.DecodeSymbols(b), p.EncodeSymbols(p.DecodeSymbols(b))},
	} {
		if !utf8.ValidString(c.text) {
			t.Fatalf("%v: % X is %q", p, b, c.text)
		}
		if !bytes.Equal(c.back, b) && (!utf8.Valid(b) || isASCII(b)) {
			t.Fatalf("%v: % X -> %q -> % X", p, b, c.text, c.back)
		}
	}
}

func TestFields(t *testing.T) {
	var p CodePage
	for _, c := range []struct {
		text, field, back string
		cut               bool
	}{
		{"", "\x00\x00\x00\x00\x00", "", false},
		{"abcd", "abcd\x00", "abcd", false},
		{"abcde", "abcd\x00", "abcd", true},
		{"åäöå", "\xE5\xE4\xF6\xE5\x00", "åäöå", false},
		{"åäöåä", "\xE5\xE4\xF6\xE5\x00", "åäöå", true},
		{"ab\x00c", "ab\x00\x00\x00", "ab", true},
		{"жжж", "жж\x00", "жж", true},
		{"xжж", "xж\x00\x00", "xж", true},
		{"Ã©aaé", "Ã©\x00", "Ã©", true}, // C3 A9 61 61 would be read as éaa
		{"Ã©aÃ", "Ã©\x00", "Ã©", true},  // C3 A9 61 C3 would be read as éa, cut
	} {
		field, cut := p.AppendField(nil, c.text, 5)
		got := p.DecodeField(field)
		if string(field) != c.field || cut != c.cut || got != c.back {
			t.Errorf("%q: % X (%v) -> %q, want % X (%v) -> %q", c.text, field, cut, got, c.field, c.cut, c.back)
		}
	}
	for field, want := range map[string]string{
		"abcde":                 "abcde", // no NUL
		"Carl\x00sen":           "Carl",  // garbage behind
		"жж\xD0":                "жж",    // cut in the middle, no NUL
		"ж\xD0\x00":             "ж",     // same, with NUL
		"ж\xD0\x00\x00\x00\x00": "Ð¶Ð",   // not full: not cut
		"ab\xC3\x00":            "abÃ",   // nothing says that this is UTF-8
	} {
		if got := p.DecodeField([]byte(field)); got != want {
			t.Errorf("% X is %q, want %q", field, got, want)
		}
	}
}

func TestFieldRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPage(t)
		checkField(t, p, drawText(t, p), rapid.IntRange(1, 50).Draw(t, "size"))
	})
}

func checkField(t rapid.TB, p CodePage, s string, size int) {
	field, cut := p.AppendField([]byte{'x'}, s, size)
	if len(field) != 1+size || field[0] != 'x' || field[size] != 0 && size > 0 {
		t.Fatalf("field % X of size %d", field, size)
	}
	got := p.DecodeField(field[1:])
	if !strings.HasPrefix(s, got) || cut != (got != s) {
		t.Fatalf("%v: %q -> % X -> %q, cut %v", p, s, field[1:], got, cut)
	}
	if !strings.ContainsRune(s, 0) && len(s) < size && cut {
		t.Fatalf("%v: %q cut to %d", p, s, size)
	}
}

func FuzzText(f *testing.F) {
	f.Add([]byte("Mårdell"), "1252", 10)
	f.Add([]byte("M\xE5rdell"), "1252", 5)
	f.Add([]byte("\xC1\xEE\xF2"), "1251", 2)
	f.Fuzz(func(t *testing.T, b []byte, name string, size int) {
		p, err := ParseCodePage(name)
		if err != nil {
			return
		}
		checkBytes(t, p, b)
		if got := p.DecodeField(b); !utf8.ValidString(got) || strings.ContainsRune(got, 0) {
			t.Fatalf("field % X is %q", b, got)
		}
		if size > 0 && size < 300 {
			checkField(t, p, p.Decode(b), size)
		}
	})
}

func ExampleCodePage() {
	cyrillic, err := ParseCodePage("1251")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(cyrillic.Decode([]byte("\xCB\xE0\xF1\xEA\xE5\xF0")))
	fmt.Printf("% x\n", CodePage{}.Encode("Réti"))
	fmt.Printf("% x\n", CodePage{}.Encode("Рети")) // not in the page: UTF-8

	field, cut := cyrillic.AppendField(nil, "Ботвинник", 8)
	fmt.Println(cyrillic.DecodeField(field), cut)
	// Output:
	// Ласкер
	// 52 e9 74 69
	// d0 a0 d0 b5 d1 82 d0 b8
	// Ботвинн true
}

// docs/formats/cba.md 6 prints all symbols: the byte and the low half of the
// character.
func TestSymbolsOfTheReference(t *testing.T) {
	page := must.Get(os.ReadFile(filepath.Join("..", "..", "docs", "formats", "cba.md")))(t)
	printed := map[string]string{}
	for _, row := range regexp.MustCompile(`\| ([0-9A-F]{2}) \| ([0-9A-F]{2}) `).FindAllStringSubmatch(string(page), -1) {
		printed[row[1]] = row[2]
	}
	for _, s := range symbols {
		if got, want := printed[fmt.Sprintf("%02X", s.code)], fmt.Sprintf("%02X", s.char-0xE000); got != want {
			t.Errorf("the page says %q of %02X, not %s", got, s.code, want)
		}
	}
	if len(printed) != len(symbols) {
		t.Errorf("the page has %d symbols, the code %d", len(printed), len(symbols))
	}
}
