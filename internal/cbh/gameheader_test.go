package cbh

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"

	"cbkit/model"

	"pgregory.net/rapid"
)

func ExampleDecodeGameRecord() {
	record := unhex(goldenGame)
	r, err := DecodeGameRecord(record)
	if err != nil {
		fmt.Println(err)
		return
	}
	eco, _ := UnpackOpening(r.Opening)
	result, _ := UnpackResult(r.Result)
	fmt.Println(r.White, r.Black, UnpackDate(r.Date), result, eco, r.MoveCount)
	fmt.Println(bytes.Equal(r.Append(nil), record))
	// Output:
	// 17 0 2013.11.22 1/2-1/2 C67 65
	// true
}

// unhex returns the bytes of a golden text, which may have blanks.
func unhex(s string) []byte {
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		panic(err)
	}
	return b
}

// golden compares bytes with a golden text.
func golden(t *testing.T, name string, got []byte, want string) {
	t.Helper()
	if !bytes.Equal(got, unhex(want)) {
		t.Errorf("%s:\ngot  % x\nwant % x", name, got, unhex(want))
	}
}

// checkTruncation decodes all beginnings of b, which are all too short.
func checkTruncation(t *testing.T, name string, b []byte, decode func([]byte) error) {
	t.Helper()
	for n := range b {
		err := decode(b[:n:n])
		var e *model.FormatError
		if !errors.As(err, &e) || !errors.Is(err, model.ErrTruncated) || e.Offset > int64(n) {
			t.Errorf("%s cut to %d bytes: %v", name, n, err)
		}
	}
	if err := decode(b); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

const goldenFileHeader = `00 002c 002e 01 000004d3 0000 00000000 00000009 00000000
	00000000 00000000 00000000 00000000 000004d3 0000`

// goldenGame is a draw of 2013 between players 17 and 0 with 65 moves.
const goldenGame = `01 0001f22c 00000a3e 000011 000000 000104 000002 000003
	0fbb76 01 00 09 02 0b36 0af7 8600 0008 08000016 0004 41`

const goldenText = `83 0001f22c 0000 000104 000003 000002 01 02 00020000
	000000000000000000000000000000000000000000000000`

func TestGoldenFileHeader(t *testing.T) {
	h := NewFileHeader(1234)
	h.NextPicture = 9
	golden(t, "header", h.Append(nil), goldenFileHeader)
	got, err := DecodeFileHeader(h.Append(nil))
	if err != nil || got != h {
		t.Errorf("%+v, %v", got, err)
	}
	checkTruncation(t, "header", unhex(goldenFileHeader), func(b []byte) error {
		_, err := DecodeFileHeader(b)
		return err
	})
}

func TestFileHeaderSetRecords(t *testing.T) {
	h := FileHeader{Used: UsedOld}
	if h.SetRecords(7); h.Next != 8 || h.NextAgain != 0 {
		t.Errorf("%+v", h)
	}
}

func TestNotAGameFile(t *testing.T) {
	for _, begin := range []string{"01002c002e", "00002d002e", "00002c002f", "0000240030"} {
		b := unhex(goldenFileHeader)
		copy(b, unhex(begin))
		if _, err := DecodeFileHeader(b); !errors.Is(err, model.ErrNotDatabase) {
			t.Errorf("%s: %v", begin, err)
		}
	}
}

func TestGoldenGame(t *testing.T) {
	date, _ := PackDate(model.Date{Year: 2013, Month: 11, Day: 22})
	r := GameRecord{
		Type: TypeInUse, MovesOffset: 0x1F22C, AnnotationsOffset: 0xA3E,
		White: 17, Black: 0, Tournament: 260, Annotator: 2, Source: 3,
		Date: date, Result: PackResult(model.Draw), Round: 9, Subround: 2,
		WhiteRating: 2870, BlackRating: 2807, Opening: PackOpening(model.NewECO(267, 0), -1),
		Medals: 8, Flags: 0x08000016, Magnitude: 4, MoveCount: 65,
	}
	golden(t, "game", r.Append(nil), goldenGame)
	if got, err := DecodeGameRecord(unhex(goldenGame)); err != nil || got != r {
		t.Errorf("%+v, %v", got, err)
	}
	checkTruncation(t, "game", unhex(goldenGame), func(b []byte) error {
		_, err := DecodeGameRecord(b)
		return err
	})
}

func TestGoldenText(t *testing.T) {
	r := TextRecord{
		Type: TypeInUse | TypeText | TypeDeleted, Offset: 0x1F22C, Tournament: 260, Source: 3, Annotator: 2,
		Round: 1, Subround: 2, Flags: 1 << 17,
	}
	golden(t, "text", r.Append(nil), goldenText)
	if got, err := DecodeTextRecord(unhex(goldenText)); err != nil || got != r {
		t.Errorf("%+v, %v", got, err)
	}
	if !r.Type.IsText() || !r.Type.IsDeleted() || TypeInUse.IsText() || TypeInUse.IsDeleted() {
		t.Error("bits of the type")
	}
	checkTruncation(t, "text", unhex(goldenText), func(b []byte) error {
		_, err := DecodeTextRecord(b)
		return err
	})
}

func TestGameRecordsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := rapid.Make[FileHeader]().Draw(t, "header")
		h.Used = rapid.SampledFrom([]uint16{UsedOld, UsedNew}).Draw(t, "used")
		if got, err := DecodeFileHeader(h.Append(nil)); err != nil || got != h {
			t.Fatalf("%+v becomes %+v, %v", h, got, err)
		}

		g := rapid.Make[GameRecord]().Draw(t, "game")
		for _, id := range []*uint32{&g.White, &g.Black, &g.Tournament, &g.Annotator, &g.Source, &g.Date} {
			*id &= 0xFFFFFF
		}
		if got, err := DecodeGameRecord(g.Append(nil)); err != nil || got != g {
			t.Fatalf("%+v becomes %+v, %v", g, got, err)
		}

		x := rapid.Make[TextRecord]().Draw(t, "text")
		for _, id := range []*uint32{&x.Tournament, &x.Source, &x.Annotator} {
			*id &= 0xFFFFFF
		}
		if got, err := DecodeTextRecord(x.Append(nil)); err != nil || got != x {
			t.Fatalf("%+v becomes %+v, %v", x, got, err)
		}
	})
}

func TestPackedValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.Make[model.Date]().Draw(t, "date")
		v, ok := PackDate(d)
		fits := d.Year < 4096 && d.Month < 16 && d.Day < 32
		if ok != fits || (UnpackDate(v) == d) != fits || v > dateBits {
			t.Fatalf("%+v becomes %x, %v", d, v, ok)
		}
	})
	// docs/formats/cbh-entities.md 13: Access=1034814 is 2021-01-30.
	if d := UnpackDate(1034814); d != (model.Date{Year: 2021, Month: 1, Day: 30}) {
		t.Errorf("1034814 is %v", d)
	}
	if v, ok := PackDate(model.Date{Year: 5000, Month: 5, Day: 1}); ok || v != 5<<5|1 {
		t.Errorf("the year 5000 becomes %x", v)
	}
	for b := range 256 {
		if r, ok := UnpackResult(uint8(b)); ok != (b < 8) || ok && PackResult(r) != uint8(b) || !ok && r != model.NoResult {
			t.Errorf("result %d is %v", b, r)
		}
	}
	if PackResult(99) != PackResult(model.NoResult) {
		t.Error("a result without a number")
	}
}

func TestOpenings(t *testing.T) {
	for word := range 1 << 16 {
		eco, chess960 := UnpackOpening(uint16(word))
		known := eco != 0 || chess960 >= 0 || word == 0
		if back := PackOpening(eco, chess960); known && back != uint16(word) || !known && back != 0 {
			t.Fatalf("%04x is %v, %d and becomes %04x", word, eco, chess960, back)
		}
	}
	if eco, n := UnpackOpening(0xFFFF); eco != 0 || n != 959 {
		t.Errorf("FFFF is %v, %d", eco, n)
	}
	if PackOpening(model.NewECO(0, 0), 518) != 0xFC40+518 || PackOpening(model.ECO(1), -1) != 0 {
		t.Error("openings")
	}
}

func FuzzGameRecords(f *testing.F) {
	f.Add(unhex(goldenFileHeader))
	f.Add(unhex(goldenGame))
	f.Add(unhex(goldenText))
	f.Fuzz(func(t *testing.T, b []byte) {
		if h, err := DecodeFileHeader(b); err == nil && !bytes.Equal(h.Append(nil), b[:RecordSize]) {
			t.Error("header changed")
		}
		if r, err := DecodeGameRecord(b); err == nil && !bytes.Equal(r.Append(nil), b[:RecordSize]) {
			t.Error("game changed")
		}
		if r, err := DecodeTextRecord(b); err == nil && !bytes.Equal(r.Append(nil), b[:RecordSize]) {
			t.Error("text changed")
		}
	})
}

func BenchmarkDecodeGameRecord(b *testing.B) {
	record := unhex(goldenGame)
	b.SetBytes(RecordSize)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := DecodeGameRecord(record); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendGameRecord(b *testing.B) {
	r, err := DecodeGameRecord(unhex(goldenGame))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(RecordSize)
	b.ReportAllocs()
	dst := make([]byte, 0, RecordSize)
	for b.Loop() {
		dst = r.Append(dst[:0])
	}
}
