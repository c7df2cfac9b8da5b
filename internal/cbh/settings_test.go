package cbh

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"cbkit/model"

	"pgregory.net/rapid"
)

func ExampleSettings() {
	s := DecodeSettings([]byte("[DescrCBG]\nType=3\nTitle=Mate2\n\n[Environ]\nTotalPoints=14\n"))
	s.Set(DescriptionSection, KeyTitle, "Mate in two", CodePage{})
	s.Set(DescriptionSection, KeyUsage, "2", CodePage{})
	usage, ok := s.Get("descrcbg", "usage", CodePage{})
	fmt.Println(usage, ok)
	fmt.Print(string(s.Append(nil)))
	// Output:
	// 2 true
	// [DescrCBG]
	// Type=3
	// Title=Mate in two
	// Usage=2
	//
	// [Environ]
	// TotalPoints=14
}

func TestNewSettings(t *testing.T) {
	s := NewSettings("Umeå", model.Date{Year: 2021, Month: 1, Day: 30}, CodePage{})
	want := "[DescrCBG]\r\nType=0\r\nTitle=Ume\xE5\r\nUsage=1\r\nAccess=1034814\r\n"
	if got := string(s.Append(nil)); got != want {
		t.Errorf("%q", got)
	}
}

func TestSettings(t *testing.T) {
	for _, c := range []struct{ before, section, key, value, after string }{
		{"", "A", "x", "1", "[A]\r\nx=1\r\n"},
		{"[A]", "A", "x", "1", "[A]\r\nx=1\r\n"},
		{"[A]\nx=2", "A", "y", "1", "[A]\nx=2\ny=1\n"},
		{"[A]\r\nx=2\r\n", "a", "X", "1", "[A]\r\nX=1\r\n"},
		{"[A]\nx=2\nx=3\n", "A", "x", "1", "[A]\nx=1\nx=3\n"},
		{"[A]\nz\n;\n\n[B]\nx=2\n", "A", "x", "1", "[A]\nz\n;\nx=1\n\n[B]\nx=2\n"},
		{"[B]\nx=2\n", "A", "x", "1", "[B]\nx=2\n[A]\nx=1\n"},
		{"[A]\ny=1\n[B]\n[A]\nx=2\n", "A", "x", "1", "[A]\ny=1\nx=1\n[B]\n[A]\nx=2\n"},
		{"[A]\n", "A", "x", "1\r\n[B]", "[A]\nx=1\n"},
		{"x=5\n", "A", "x", "é", "x=5\n[A]\nx=\xE9\n"},
	} {
		s := DecodeSettings([]byte(c.before))
		s.Set(c.section, c.key, c.value, CodePage{})
		if got := string(s.Append(nil)); got != c.after {
			t.Errorf("%q: %q, want %q", c.before, got, c.after)
		}
	}
	s := DecodeSettings([]byte("[A]\nx = 1=2 \n"))
	if v, ok := s.Get("A", "x", CodePage{}); v != " 1=2 " || !ok {
		t.Errorf("%q, %v", v, ok)
	}
	if v, ok := s.Get("B", "x", CodePage{}); v != "" || ok {
		t.Errorf("%q, %v", v, ok)
	}
}

func TestSettingsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOf(rapid.SampledFrom([]string{
			"[A]", "[B]", "[a", "x=1", "X=", "y=2", "=", "", " ", "\xE5=\xF6", "\r", "\n", "\r\n", "\n",
		})).Draw(t, "lines")
		checkSettings(t, []byte(strings.Join(lines, "")),
			rapid.SampledFrom([]string{"A", "B", "C"}).Draw(t, "section"),
			rapid.SampledFrom([]string{"x", "y"}).Draw(t, "key"),
			rapid.StringMatching(`[ =a-zåж\[\]]*`).Draw(t, "value"))
	})
}

// checkSettings sets a value in any file: it is there then, and nowhere else
// anything changes.
func checkSettings(t rapid.TB, b []byte, section, key, value string) {
	s := DecodeSettings(b)
	if !bytes.Equal(s.Append(nil), b) {
		t.Fatalf("%q changed", b)
	}
	_, there := s.Get(section, key, CodePage{})
	before := len(s.lines)
	s.Set(section, key, value, CodePage{})
	s = DecodeSettings(s.Append(nil))
	if got, ok := s.Get(section, key, CodePage{}); !ok || got != value {
		t.Fatalf("%q: %q=%q is %q", b, key, value, got)
	}
	if added := len(s.lines) - before; there && added != 0 || added > 2 {
		t.Fatalf("%q: %d lines added", b, added)
	}
}

func FuzzSettings(f *testing.F) {
	f.Add([]byte("[DescrCBG]\r\nType=0\r\nTitle=small\r\n"), "small")
	f.Add([]byte("[Environ]\nx"), "a=b")
	f.Fuzz(func(t *testing.T, b []byte, value string) {
		if strings.ContainsAny(value, "\r\n") || !strings.Contains(strings.ToValidUTF8(value, "\x00"), value) {
			return
		}
		checkSettings(t, b, DescriptionSection, KeyTitle, value)
	})
}
