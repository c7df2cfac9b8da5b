package cbh

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/model"

	"pgregory.net/rapid"
)

func ExampleNewMediaRecord() {
	r, err := NewMediaRecord([]string{"Mega_d.png", "São Paulo.jpg"}, MediaRecordSize, CodePage{})
	if err != nil {
		fmt.Println(err)
		return
	}
	b := r.Append(nil)
	fmt.Printf("%d bytes, %q …\n", len(b), b[:48])
	names, _ := r.Names(CodePage{})
	fmt.Printf("%q at %d\n", names, MediaOffset(0, MediaRecordSize))
	// Output:
	// 1024 bytes, "\xff\xff\xff\xff\x01\x00\x00\x00FilesUsed\n2\nMega_d.png\nS\xe3o Paulo.jpg\n\x00\x00\x00" …
	// ["Mega_d.png" "São Paulo.jpg"] at 40
}

const (
	goldenMediaHeader = "01000000 00040000 0b000000 ffffffff 00000000000000000000000000000000"
	goldenMedia       = "ffffffff 01000000 46696c6573557365640a 310a 4d6567615f642e706e670a 000000"
)

func TestGoldenMedia(t *testing.T) {
	h := NewMediaHeader()
	h.Records = 11
	golden(t, "header", h.Append(nil), goldenMediaHeader)
	checkTruncation(t, "header", unhex(goldenMediaHeader), func(b []byte) error {
		_, err := DecodeMediaHeader(b)
		return err
	})
	r := must.Get(NewMediaRecord([]string{"Mega_d.png"}, len(unhex(goldenMedia)), CodePage{}))(t)
	golden(t, "record", r.Append(nil), goldenMedia)
	checkTruncation(t, "links", unhex(goldenMedia)[:mediaTextAt], func(b []byte) error {
		_, err := DecodeMediaRecord(b)
		return err
	})
	for _, bad := range []MediaHeader{{}, {RecordSize: 7}, {RecordSize: 1<<16 + 1}, {RecordSize: 1024, Records: -1}} {
		if _, err := DecodeMediaHeader(bad.Append(nil)); !errors.Is(err, model.ErrNotDatabase) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

func TestMediaNames(t *testing.T) {
	for text, want := range map[string]struct {
		names []string
		ok    bool
	}{
		"":                                  {nil, true},
		"\x00FilesUsed\n1\na\n":             {nil, true},
		"FilesUsed\n0\n\x00\x00":            {nil, true},
		"FilesUsed\n2\na\nb\n\x00garbage":   {[]string{"a", "b"}, true},
		"FilesUsed\n2\na\nb":                {[]string{"a", "b"}, true},
		"FilesUsed\n2\na\n":                 {[]string{"a"}, false},
		"FilesUsed\n1\n\xD1\xEB\xEE\xED\n":  {[]string{"Слон"}, true},
		"FilesUsed\n-1\n":                   {nil, false},
		"FilesUsed\n99999999999999999999\n": {nil, false},
		"FilesUsed\n1":                      {nil, false},
		"Files":                             {nil, false},
	} {
		r := MediaRecord{Text: []byte(text)}
		if names, ok := r.Names(mustPage(t, "1251")); ok != want.ok || !slices.Equal(names, want.names) {
			t.Errorf("%q: %q, %v", text, names, ok)
		}
	}
	for length, records := range map[int]int32{1003: 1, 1004: 2, 2027: 2, 2028: 3} {
		r, err := NewMediaRecord([]string{strings.Repeat("x", length)}, MediaRecordSize, CodePage{})
		if size := len(r.Append(nil)); err != nil || r.Records != records || size != int(records)*MediaRecordSize {
			t.Errorf("a name of %d bytes: %d records in %d bytes, %v", length, r.Records, size, err)
		}
	}
	for _, name := range []string{"a\nb", "a\x00b"} {
		if _, err := NewMediaRecord([]string{name}, MediaRecordSize, CodePage{}); !errors.Is(err, model.ErrUnsupported) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestMediaOffsets(t *testing.T) {
	// docs/formats/cbh-entities.md 12
	for i, offset := range []int64{40, 1064, 2088} {
		if got, ok := MediaIndex(offset, MediaRecordSize); got != i || !ok || MediaOffset(i, MediaRecordSize) != offset {
			t.Errorf("record %d: %d, %v", i, got, ok)
		}
	}
	for _, bad := range []int64{-1, 0, 32, 41, 1024} {
		if i, ok := MediaIndex(bad, MediaRecordSize); ok {
			t.Errorf("%d is record %d", bad, i)
		}
	}
	if _, ok := MediaIndex(40, 0); ok {
		t.Error("records of 0 bytes")
	}
}

func TestMediaRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := rapid.Make[MediaHeader]().Draw(t, "header")
		h.RecordSize, h.Records = mediaTextAt+h.RecordSize&0xFFF, h.Records&math.MaxInt32
		if got, err := DecodeMediaHeader(h.Append(nil)); err != nil || got != h {
			t.Fatalf("%+v becomes %+v, %v", h, got, err)
		}
		names := rapid.SliceOfN(rapid.StringMatching(`[a-zé ]{0,9}(\.png|Ж)?`), 0, 400).Draw(t, "names")
		r := must.Get(NewMediaRecord(names, MediaRecordSize, CodePage{}))(t)
		back, err := DecodeMediaRecord(r.Append(nil))
		got, ok := back.Names(CodePage{})
		if err != nil || !ok || !slices.Equal(got, names) {
			t.Fatalf("%q becomes %q, %v, %v", names, got, ok, err)
		}
	})
}

func FuzzMedia(f *testing.F) {
	f.Add(unhex(goldenMediaHeader))
	f.Add(unhex(goldenMedia))
	f.Fuzz(func(t *testing.T, b []byte) {
		if h, err := DecodeMediaHeader(b); err == nil && !bytes.Equal(h.Append(nil), b[:MediaHeaderSize]) {
			t.Error("header changed")
		}
		r, err := DecodeMediaRecord(b)
		if err != nil {
			return
		}
		if !bytes.Equal(r.Append(nil), b) {
			t.Error("record changed")
		}
		names, ok := r.Names(CodePage{})
		if !ok {
			return
		}
		again, err := NewMediaRecord(names, len(b)*4+100, CodePage{})
		if err != nil {
			t.Fatalf("%q: %v", names, err)
		}
		if got, ok := again.Names(CodePage{}); !ok || !slices.Equal(got, names) {
			t.Errorf("%q becomes %q", names, got)
		}
	})
}
