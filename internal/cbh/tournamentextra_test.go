package cbh

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"cbkit/model"

	"pgregory.net/rapid"
)

func ExampleAppendTournamentExtra() {
	moscow := model.Tournament{Latitude: 55.75247, Longitude: 37.63, TieBreaks: [10]uint8{200, 201}}
	record, losses := AppendTournamentExtra(nil, moscow, TournamentExtraSize)
	fmt.Printf("% x\n% x\n%v\n", record[:16], record[50:], losses)

	var t model.Tournament
	DecodeTournamentExtra(&t, record)
	fmt.Println(t == moscow)
	// Output:
	// 40 4b e0 50 ef dc 9c 4e 40 42 d0 a3 d7 0a 3d 71
	// c8 c9 01 01 01 01 01 01 01 01 02 00 00 00 00
	// []
	// true
}

const (
	goldenTournamentHeader = "03000000 41000000 33000000 0000000000000000000000000000000000000000"

	goldenTournamentExtra = `404be050efdc9c4e 4042d0a3d70a3d71
		00000000000000000000 07 00000000000000000000 07 00000000000000000000 07 00
		c8 c9 01 01 01 01 01 01 01 01 02 000fba00`
)

func TestGoldenTournamentExtra(t *testing.T) {
	h := NewTournamentExtraHeader()
	h.Highest = 51
	golden(t, "header", h.Append(nil), goldenTournamentHeader)
	checkTruncation(t, "header", unhex(goldenTournamentHeader), func(b []byte) error {
		_, err := DecodeTournamentExtraHeader(b)
		return err
	})
	v := model.Tournament{
		Latitude: 55.75247, Longitude: 37.63, TieBreaks: [10]uint8{200, 201}, End: model.Date{Year: 2013},
	}
	b, losses := AppendTournamentExtra(nil, v, TournamentExtraSize)
	golden(t, "record", b, goldenTournamentExtra)
	if len(losses) != 0 || !HasTournamentExtra(v) || HasTournamentExtra(model.Tournament{Title: "x"}) {
		t.Errorf("%v", losses)
	}
	for _, bad := range []TournamentExtraHeader{{}, {RecordSize: -1}, {RecordSize: 2049}, {RecordSize: 65, Highest: -2}} {
		if _, err := DecodeTournamentExtraHeader(bad.Append(nil)); !errors.Is(err, model.ErrNotDatabase) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

func TestTournamentExtraVersions(t *testing.T) {
	v := model.Tournament{Title: "x", Latitude: 10, End: model.Date{Year: 2013}}
	old, losses := AppendTournamentExtra(nil, v, oldTournamentExtraSize)
	if len(old) != oldTournamentExtraSize || len(losses) != 1 || losses[0].Field != "end date" {
		t.Errorf("% x, %v", old, losses)
	}
	// What is not known stays as it is.
	unknown := bytes.Repeat([]byte{5}, 405)
	var got model.Tournament
	if DecodeTournamentExtra(&got, unknown); got != (model.Tournament{}) {
		t.Errorf("%+v", got)
	}
	kept, losses := MergeTournamentExtra([]byte{9}, v, unknown)
	if !bytes.Equal(kept[1:], unknown) || len(losses) != 2 {
		t.Errorf("% x, %v", kept, losses)
	}
	if b, _ := AppendTournamentExtra(nil, v, 405); !bytes.Equal(b, make([]byte, 405)) {
		t.Errorf("% x", b)
	}
}

// TestOddTournamentExtras reads values that mean nothing: they become nothing,
// and stay in the bytes.
func TestOddTournamentExtras(t *testing.T) {
	for _, odd := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 91, -1e300, math.Copysign(0, -1)} {
		b := bytes.Clone(defaultTournamentExtra[:])
		binary.BigEndian.PutUint64(b, math.Float64bits(odd))
		b[60] = 11 // rules of 10
		v := model.Tournament{Longitude: 5}
		if DecodeTournamentExtra(&v, b); v != (model.Tournament{}) {
			t.Errorf("%v becomes %+v", odd, v)
		}
		v.Longitude = 5
		kept, losses := MergeTournamentExtra(nil, v, b)
		if !bytes.Equal(kept[:8], b[:8]) || !bytes.Equal(kept[16:], b[16:]) || len(losses) != 0 {
			t.Errorf("%v: % x, %v", odd, kept, losses)
		}
	}
	odd := model.Tournament{Latitude: math.NaN(), Longitude: -181, TieBreaks: [10]uint8{1, 0, 2}}
	b, losses := AppendTournamentExtra(nil, odd, TournamentExtraSize)
	var got model.Tournament
	DecodeTournamentExtra(&got, b)
	if got != (model.Tournament{TieBreaks: [10]uint8{1}}) || len(losses) != 3 {
		t.Errorf("%+v, %v", got, losses)
	}
}

func TestTournamentExtrasRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := rapid.Make[TournamentExtraHeader]().Draw(t, "header")
		h.RecordSize, h.Highest = 1+h.RecordSize&0x7FF, h.Highest&math.MaxInt32
		if got, err := DecodeTournamentExtraHeader(h.Append(nil)); err != nil || got != h {
			t.Fatalf("%+v becomes %+v, %v", h, got, err)
		}
		v := drawTournament(t)
		b, losses := AppendTournamentExtra(nil, v, TournamentExtraSize)
		got := cbtOnly(v)
		if DecodeTournamentExtra(&got, b); got != v || len(losses) != 0 {
			t.Fatalf("%+v becomes %+v, %v", v, got, losses)
		}
		raw := rapid.SliceOfN(rapid.Byte(), 59, 67).Draw(t, "raw")
		checkTournamentExtraBytes(t, raw)
		if knownTournamentExtra(len(raw)) {
			b, _ = MergeTournamentExtra(nil, v, raw)
			got = cbtOnly(v)
			DecodeTournamentExtra(&got, b)
			got.End = v.End // not in version 2
			if got != v {
				t.Fatalf("over % x: %+v becomes %+v", raw, v, got)
			}
		}
	})
}

func checkTournamentExtraBytes(t rapid.TB, raw []byte) {
	var v model.Tournament
	DecodeTournamentExtra(&v, raw)
	if again := v; v != again {
		t.Fatalf("%+v does not equal itself", v)
	}
	if b, losses := MergeTournamentExtra(nil, v, raw); !bytes.Equal(b, raw) || len(losses) != 0 {
		t.Fatalf("% x becomes % x, %v", raw, b, losses)
	}
	if HasTournamentExtra(v) && !slices.Contains([]int{61, 65}, len(raw)) {
		t.Fatalf("% x says %+v", raw, v)
	}
}

func FuzzTournamentExtras(f *testing.F) {
	f.Add(unhex(goldenTournamentHeader))
	f.Add(unhex(goldenTournamentExtra))
	f.Add(unhex(goldenTournamentExtra)[:61])
	f.Fuzz(func(t *testing.T, b []byte) {
		if h, err := DecodeTournamentExtraHeader(b); err == nil && !bytes.Equal(h.Append(nil), b[:TournamentExtraHeaderSize]) {
			t.Error("header changed")
		}
		checkTournamentExtraBytes(t, b)
	})
}
