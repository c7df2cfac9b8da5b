package jsontext

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"cbkit/internal/testkit/must"
	_ "cbkit/internal/testkit/seeds"

	"pgregory.net/rapid"
)

// read reads any value with the scanner's methods, as encoding/json would
// with UseNumber: the two must agree on what is JSON and what it says.
func read(s *Scanner) any {
	switch c := s.Peek(); {
	case c == '{':
		m := map[string]any{}
		s.BeginObject()
		for s.NextKey() {
			key := string(s.Key())
			m[key] = read(s)
		}
		return m
	case c == '[':
		list := []any{}
		s.BeginArray()
		for s.NextElement() {
			list = append(list, read(s))
		}
		return list
	case c == '"':
		return string(s.Bytes())
	case c == 't' || c == 'f':
		return s.Bool()
	case s.Null():
		return nil
	}
	return json.Number(s.number())
}

var texts = []string{
	`{}`, `[]`, ` { "a" : [ 1 , -2.5e+3 , true , false , null , "x" ] } `, `"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"`,
	`{"a":{"b":{"c":[[[]]]}}}`, `0`, `-0`, `"\u2028"`, `{"a":1,"a":2}`, `{"\u0061":1}`,
	``, `{`, `[`, `"`, `"\`, `"\u12`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `[1,]`, `[,1]`, `[1 2]`,
	`{1:2}`, `{"a" 1}`, `01`, `1.`, `.5`, `+1`, `1e`, `--1`, `tru`, `nul`, `"\x"`, "\"\x01\"", `{}x`, `[]]`, `{"a":1 "b":2}`,
}

func TestAgainstEncodingJSON(t *testing.T) {
	for _, text := range texts {
		compare(t, []byte(text))
	}
}

func FuzzScanner(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if nesting(text) > 1000 {
			return // read recurses, the scanner does not
		}
		compare(t, text)
	})
}

func nesting(text []byte) int {
	return strings.Count(string(text), "[") + strings.Count(string(text), "{")
}

func compare(t *testing.T, text []byte) {
	t.Helper()
	s := NewScanner(text)
	got := read(s)
	err := s.End()
	if strict := err != nil && (strings.Contains(err.Error(), "UTF-8") || strings.Contains(err.Error(), "surrogate")); strict {
		return // encoding/json replaces these
	}
	if (err == nil) != json.Valid(text) {
		t.Fatalf("%q: have error %v, but valid is %v", text, err, json.Valid(text))
	}
	s.Reset(text)
	if s.Skip(); (s.End() == nil) != (err == nil) {
		t.Fatalf("%q: read with error %v, moved over with %v", text, err, s.Err())
	}
	if err != nil {
		return
	}
	var want any
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	must.Do(t, d.Decode(&want))
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%q: have %#v, want %#v", text, got, want)
	}
	s.Reset(text)
	if skipped := strings.TrimSpace(string(s.Skip())); s.End() != nil || skipped != strings.TrimSpace(string(text)) {
		t.Fatalf("%q: skipped %q, %v", text, skipped, s.Err())
	}
}

func TestStrings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "s")
		data := AppendText([]byte("x"), s)[1:]
		if got := NewScanner(data).Text(); got != s {
			t.Fatalf("%q is written as %s and reads as %q", s, data, got)
		}
		if !utf8.ValidString(s) {
			return
		}
		var got string
		if err := json.Unmarshal(data, &got); err != nil || got != s {
			t.Fatalf("%q is written as %s; encoding/json reads %q, %v", s, data, got, err)
		}
	})
}

func TestNumbers(t *testing.T) {
	for text, good := range map[string]bool{
		"0": true, "-128": true, "127": true, "128": false, "-129": false, "1.0": false, "1e2": false,
		"99999999999999999999": false, `"1"`: false, "": false,
	} {
		s := NewScanner([]byte(text))
		if s.Int(-128, 127); (s.End() == nil) != good {
			t.Errorf("%s: %v", text, s.Err())
		}
	}
	for _, f := range []float64{0, math.Copysign(0, -1), 1.5, -1e300, 5e-324, math.Inf(1), math.Inf(-1), math.NaN(), math.Pi} {
		data := AppendFloat(nil, f)
		s := NewScanner(data)
		if got := s.Float(); math.Float64bits(got) != math.Float64bits(f) || s.End() != nil {
			t.Errorf("%v is written as %s and reads as %v, %v", f, data, got, s.Err())
		}
	}
	for _, text := range []string{`"1"`, `"#xyz"`, `true`, `1e999`, ``} {
		s := NewScanner([]byte(text))
		if f := s.Float(); s.Err() == nil {
			t.Errorf("%s reads as %v", text, f)
		}
	}
}

func TestObject(t *testing.T) {
	bare := Object{Dst: []byte("x")}
	if got := string(bare.End()); got != "x{}" || !bare.Empty() {
		t.Errorf("the empty object is %s", got)
	}
	o := Object{Dst: []byte("x")}
	o.Text("absent", "")
	o.Int("absent", 0)
	o.Float("absent", 0)
	o.True("absent", false)
	o.Base64("absent", nil)
	o.Object("absent", func(*Object) {})
	o.Text("a", "b")
	o.Int("n", -5)
	o.Float("f", 0.5)
	o.True("t", true)
	o.Base64("d", []byte{255})
	none := o.List("absent")
	none.End()
	list := o.List("list")
	list.Next()
	o.Dst = append(o.Dst, '1')
	element := list.Object()
	element.Int("x", 2)
	o.Dst = element.End()
	list.End()
	o.Object("o", func(o *Object) { o.Int("x", 1) })
	const want = `x{"a":"b","n":-5,"f":0.5,"t":true,"d":"/w==","list":[1,{"x":2}],"o":{"x":1}}`
	if got := string(o.End()); got != want || o.Empty() {
		t.Errorf("have %s\nwant %s", got, want)
	}
}

func TestErrorsSayWhere(t *testing.T) {
	s := NewScanner([]byte(`{"colour":1}`))
	s.BeginObject()
	s.NextKey()
	s.Unknown()
	s.Failf("only the first error counts")
	s.Fail(nil)
	if err := s.End(); err == nil || err.Error() != `byte 10: unknown key "colour"` {
		t.Errorf("have %v", err)
	}
	if s.NextKey() || s.NextElement() || s.BeginArray() || s.Bool() || s.Null() || s.Text() != "" || s.Skip() != nil || s.Base64() != nil {
		t.Error("the scanner goes on after an error")
	}
}

// TestNoRecursion moves over nesting that would overflow a stack.
func TestNoRecursion(t *testing.T) {
	deep := strings.Repeat("[", 10<<20)
	s := NewScanner([]byte(deep))
	if s.Skip(); s.Err() == nil {
		t.Error("no error")
	}
}

func BenchmarkScanner(b *testing.B) {
	line := []byte(`{"uci":"e2e4","nags":[1,16],"after":[{"lang":"en","text":"a comment of some length"}]},`)
	text := append([]byte("["), strings.Repeat(string(line), 1000)...)
	text = append(text[:len(text)-1], ']')
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	s := NewScanner(nil)
	for b.Loop() {
		s.Reset(text)
		if s.Skip(); s.End() != nil {
			b.Fatal(s.Err())
		}
	}
}
