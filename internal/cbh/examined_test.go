package cbh

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"cbkit/model"

	"pgregory.net/rapid"
)

func ExampleExamined() {
	e := NewExamined(140)
	e.Set(6, TopGame)
	e.Set(7, IsExamined)
	fmt.Printf("% x …\n", e.Append(nil)[:16])
	fmt.Println(e.Get(5), e.Get(6), e.Get(7), e.Get(1_000_000))
	// Output:
	// 0f 01 0b 09 00 00 00 10 00 00 00 02 00 b0 00 00 …
	// 0 3 2 0
}

const goldenExamined = "0f010b09 00000010 00000002 00b00000" +
	"00000000000000000000000000000000000000000000000000000000000000000000000000000000" +
	"0000000000000000000000000000000000000000"

func TestGoldenExamined(t *testing.T) {
	e := NewExamined(7)
	e.Set(6, TopGame)
	e.Set(7, IsExamined)
	golden(t, ".flags", e.Append(nil), goldenExamined)
	checkTruncation(t, "header", unhex(goldenExamined)[:12], func(b []byte) error {
		_, err := DecodeExamined(b)
		return err
	})
	bad := unhex(goldenExamined)
	bad[0]++
	if _, err := DecodeExamined(bad); !errors.Is(err, model.ErrNotDatabase) {
		t.Error(err)
	}
	bad[0]--
	bad[11]++
	if _, err := DecodeExamined(bad); !errors.Is(err, model.ErrUnsupported) {
		t.Error(err)
	}
	// docs/formats/cbh-entities.md 13: n/16 + 1 words, rounded up to 16
	for n, words := range map[int]int{0: 16, 255: 16, 256: 32, 511: 32, 512: 48} {
		if e := NewExamined(n); int(e.Words) != words || len(e.Bits) != 4*words {
			t.Errorf("%d records: %d words", n, e.Words)
		}
	}
}

// TestExaminedRoundTrip compares with a map.
func TestExaminedRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := NewExamined(rapid.IntRange(0, 600).Draw(t, "records"))
		want := rapid.MapOf(rapid.Int32Range(0, 2000), rapid.Uint8Range(0, 3)).Draw(t, "values")
		for id, v := range want {
			e.Set(model.RecordID(id), ^v)
			e.Set(model.RecordID(id), v)
		}
		got, err := DecodeExamined(e.Append(nil))
		if err != nil || int(got.Words)*4 != len(got.Bits) || got.Words%16 != 0 {
			t.Fatalf("%v, %v", got, err)
		}
		for id := range int32(2100) {
			if got.Get(model.RecordID(id)) != want[id] {
				t.Fatalf("record %d is %d, not %d", id, got.Get(model.RecordID(id)), want[id])
			}
		}
	})
}

func FuzzExamined(f *testing.F) {
	f.Add(unhex(goldenExamined), int32(6))
	f.Fuzz(func(t *testing.T, b []byte, id int32) {
		e, err := DecodeExamined(b)
		if err != nil {
			return
		}
		if !bytes.Equal(e.Append(nil), b) {
			t.Error(".flags changed")
		}
		value := e.Get(model.RecordID(id))
		if value > 3 {
			t.Errorf("value %d", value)
		}
		if id >= 0 && id < 1<<20 {
			e.Set(model.RecordID(id), value)
			if e.Get(model.RecordID(id)) != value {
				t.Error("value changed")
			}
		}
	})
}
