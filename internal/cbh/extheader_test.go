package cbh

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"cbkit/model"

	"pgregory.net/rapid"
)

func ExampleExtRecord_Append() {
	r := NewExtRecord()
	r.WhiteTeam = 3
	r.SetMaterial(0x8292, 0x7292)
	r.Checksum = r.Sum()
	fmt.Printf("% x\n", r.Append(nil, 30)) // as version 4 has it
	// Output:
	// 00 00 00 03 ff ff ff ff ff ff ff ff 00 00 00 00 00 00 00 00 00 00 82 92 00 00 72 92 f5 22
}

func ExampleCreationTime() {
	stamp := CreationStamp(time.Date(2013, 11, 22, 14, 30, 0, 500_000_000, time.UTC))
	t, _ := CreationTime(stamp)
	fmt.Println(stamp, t)
	// Output:
	// 160809984512 2013-11-22 14:30:00.5 +0000 UTC
}

const goldenExtHeader = `0b000000 78000000 e5170000 2e636268 00000000 00000000 00000000 00000000`

// goldenExt is a record of version 11.
const goldenExt = `
	00000003 ffffffff ffffffff 0000000000000a3e 00008292 00007292 ff60
	000000000001f22c
	0001 00 01 00 4649444500000000000000
	0002 00 64 86 0000000000000000000000
	00000000 01001a00 0003 0000002575de6780
	0001 0010 0010 0029 0000 0000 0000 0000 0000 0000
	01e3a3e2f1b2c3d4 00000001`

func TestGoldenExtRecord(t *testing.T) {
	r := NewExtRecord()
	r.WhiteTeam, r.AnnotationsOffset, r.MovesOffset, r.GameTitle = 3, 0xA3E, 0x1F22C, 1
	r.SetMaterial(0x7292, 0x8292)
	r.RatingTypes[1] = RatingType{Kind: RatingNational, InternationalTime: 0x64, Nation: 134}
	r.Unknown74, r.Saves, r.Created, r.Changed = 0x01001A00, 3, 0x2575DE6780, 0x01E3A3E2F1B2C3D4
	r.Endgame = [10]uint16{1, 16, 16, 41}
	r.Checksum = r.Sum()
	b := r.Append(nil, ExtRecordSize)
	golden(t, "record", b, goldenExt)
	if got := DecodeExtRecord(b); !equalExt(got, r) {
		t.Errorf("got  %+v\nwant %+v", got, r)
	}
	if name := r.RatingTypes[0].ListName(CodePage{}); name != "FIDE" {
		t.Errorf("rating list %q", name)
	}
}

// TestExtRecordSizes cuts a record to every size: the fields that fit stay,
// the others are the default, and the bytes come back.
func TestExtRecordSizes(t *testing.T) {
	full, none := unhex(goldenExt), DefaultExtRecord()
	want := DecodeExtRecord(full)
	for size := range ExtRecordSize + 1 {
		r := DecodeExtRecord(full[:size])
		if got := r.Append(nil, size); !bytes.Equal(got, full[:size]) {
			t.Fatalf("size %d: % x", size, got)
		}
		for _, f := range []struct {
			name      string
			end       int
			got, want any
			none      any
		}{
			{"team", 4, r.WhiteTeam, want.WhiteTeam, none.WhiteTeam},
			{".cba offset", 20, r.AnnotationsOffset, want.AnnotationsOffset, none.AnnotationsOffset},
			{"material", 24, r.Material[0], want.Material[0], none.Material[0]},
			{"checksum", 30, r.Checksum, want.Checksum, none.Checksum},
			{"rating type", 54, r.RatingTypes[0], want.RatingTypes[0], none.RatingTypes[0]},
			{"unknown", 78, r.Unknown74, want.Unknown74, none.Unknown74},
			{"saves", 80, r.Saves, want.Saves, none.Saves},
			{"title", 120, r.GameTitle, want.GameTitle, none.GameTitle},
		} {
			if size < f.end {
				f.want = f.none
			}
			if f.got != f.want {
				t.Errorf("size %d: %s is %v, not %v", size, f.name, f.got, f.want)
			}
		}
	}
	longer := append(full, 1, 2, 3)
	r := DecodeExtRecord(longer)
	if got := r.Append(nil, len(longer)); !bytes.Equal(got, longer) || !bytes.Equal(r.Tail, []byte{1, 2, 3}) {
		t.Errorf("a longer record: % x", got)
	}
	if got := r.Append(nil, len(longer)+2); !bytes.Equal(got, append(longer, 0, 0)) {
		t.Errorf("an even longer record: % x", got)
	}
}

func equalExt(a, b ExtRecord) bool {
	same := bytes.Equal(a.Tail, b.Tail)
	a.Tail, b.Tail = nil, nil
	return same && fmt.Sprint(a) == fmt.Sprint(b)
}

func TestDefaultExtRecord(t *testing.T) {
	r := DefaultExtRecord()
	if r.Checksum != 0xFFFE { // docs/formats/cbh-entities.md 5
		t.Errorf("checksum %04x", r.Checksum)
	}
	if got := DecodeExtRecord(nil); !equalExt(got, r) {
		t.Errorf("no record is %+v", got)
	}
}

func TestExtRecordsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := rapid.Make[ExtHeader]().Draw(t, "header")
		h.RecordSize, h.Records = 1+h.RecordSize&0x3FF, h.Records&math.MaxInt32
		if got, err := DecodeExtHeader(h.Append(nil)); err != nil || got != h {
			t.Fatalf("%+v becomes %+v, %v", h, got, err)
		}
		r := rapid.Make[ExtRecord]().Draw(t, "record")
		size := ExtRecordSize + len(r.Tail)
		if got := DecodeExtRecord(r.Append(nil, size)); !equalExt(got, r) {
			t.Fatalf("%+v becomes %+v", r, got)
		}
		b := rapid.SliceOfN(rapid.Byte(), 0, 130).Draw(t, "bytes")
		d := DecodeExtRecord(b)
		if got := d.Append([]byte{9}, len(b)); !bytes.Equal(got[1:], b) || got[0] != 9 {
			t.Fatalf("% x becomes % x", b, got)
		}
	})
}

// TestSum adds up the words of the bytes, as docs/formats/cbh-entities.md 5.1 says it.
func TestSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.Make[ExtRecord]().Draw(t, "record")
		b := r.Append(nil, ExtRecordSize)
		var sum uint16
		for i := 8; i < 28; i += 2 {
			sum += uint16(b[i])<<8 | uint16(b[i+1])
		}
		if sum != r.Sum() {
			t.Fatalf("%04x, not %04x", r.Sum(), sum)
		}
	})
}

func TestExtHeader(t *testing.T) {
	h := NewExtHeader()
	h.Records = 6117
	copy(h.Garbage[:], ".cbh")
	golden(t, "header", h.Append(nil), goldenExtHeader)
	checkTruncation(t, "header", unhex(goldenExtHeader), func(b []byte) error {
		_, err := DecodeExtHeader(b)
		return err
	})
	for _, bad := range []ExtHeader{{RecordSize: 0}, {RecordSize: -8}, {RecordSize: 1025}} {
		if _, err := DecodeExtHeader(bad.Append(nil)); !errors.Is(err, model.ErrNotDatabase) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	// A count that is impossible is one that is wrong: the size of the file counts.
	odd, err := DecodeExtHeader((&ExtHeader{RecordSize: 8, Records: -1}).Append(nil))
	if records, wrong := odd.Stored(ExtHeaderSize + 17); err != nil || records != 2 || !errors.Is(wrong, model.ErrCorrupt) {
		t.Errorf("%v; %d, %v", err, records, wrong)
	}
}

func TestStamps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stamp := rapid.Uint64().Draw(t, "stamp")
		if at, ok := CreationTime(stamp); ok && CreationStamp(at) != stamp {
			t.Fatalf("%d is %v and becomes %d", stamp, at, CreationStamp(at))
		}
		if at, ok := ChangeTime(stamp); ok && ChangeStamp(at) != stamp {
			t.Fatalf("%d is %v and becomes %d", stamp, at, ChangeStamp(at))
		}
		at := time.Unix(rapid.Int64().Draw(t, "seconds"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanoseconds"))
		if back, ok := ChangeTime(ChangeStamp(at)); ok && (back.After(at) || at.Sub(back) >= 100) {
			t.Fatalf("%v becomes %v", at, back)
		}
		if back, ok := CreationTime(CreationStamp(at)); ok && CreationStamp(at) != 0 && (back.Sub(at) > 1 || at.Sub(back) > time.Second/1024) {
			t.Fatalf("%v becomes %v", at, back)
		}
	})
	// 86400 seconds after each epoch.
	if at, ok := CreationTime(86400 * 1024); !ok || at.String() != "2008-12-02 00:00:00 +0000 UTC" {
		t.Errorf("the second day of creation is %v", at)
	}
	if at, ok := ChangeTime(86400 * 10_000_000); !ok || at.String() != "1582-10-16 00:00:00 +0000 UTC" {
		t.Errorf("the second day of change is %v", at)
	}
	if _, ok := ChangeTime(0); ok {
		t.Error("0 is a change")
	}
	for _, beyond := range []uint64{math.MaxUint64, 1 << 62} {
		if at, ok := CreationTime(beyond); ok {
			t.Errorf("%d is %v", beyond, at)
		}
	}
	if CreationStamp(time.Unix(0, 0)) != 0 || ChangeStamp(time.Unix(-1<<62, 0)) != 0 || CreationStamp(time.Unix(1<<62, 0)) != 0 {
		t.Error("times out of range")
	}
}

func FuzzExtRecords(f *testing.F) {
	f.Add(unhex(goldenExtHeader))
	f.Add(unhex(goldenExt))
	f.Add(unhex(goldenExt)[:78])
	f.Fuzz(func(t *testing.T, b []byte) {
		if h, err := DecodeExtHeader(b); err == nil && !bytes.Equal(h.Append(nil), b[:ExtHeaderSize]) {
			t.Error("header changed")
		}
		r := DecodeExtRecord(b)
		if !bytes.Equal(r.Append(nil, len(b)), b) {
			t.Error("record changed")
		}
		CreationTime(r.Created)
		ChangeTime(r.Changed)
		r.RatingTypes[0].ListName(CodePage{})
	})
}

func BenchmarkDecodeExtRecord(b *testing.B) {
	record := unhex(goldenExt)
	for _, size := range []int{78, ExtRecordSize} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			var sum uint16
			for b.Loop() {
				r := DecodeExtRecord(record[:size])
				sum += r.Checksum
			}
			_ = sum
		})
	}
}

func TestIsDefault(t *testing.T) {
	for _, size := range []int{8, 20, 30, 38, 74, 78, ExtRecordSize} {
		full := DefaultExtRecord()
		stored := full.Append(nil, size)
		if r := DecodeExtRecord(stored); !r.IsDefault() {
			t.Errorf("the default record of %d bytes is not one: %+v", size, r)
		}
		stored[7] = 1
		if r := DecodeExtRecord(stored); r.IsDefault() {
			t.Errorf("a record of %d bytes with a team is a default one", size)
		}
	}
	fresh := NewExtRecord()
	if fresh.MovesOffset, fresh.AnnotationsOffset = 26, 26; !fresh.IsDefault() {
		t.Error("offsets and rating types alone make no other record")
	}
	if fresh.Created = 1; fresh.IsDefault() {
		t.Error("a saved game has a default record")
	}
	if r := (ExtRecord{WhiteTeam: -1, BlackTeam: -1, Media: -1, GameTitle: -1, Tail: []byte{0, 1}}); r.IsDefault() {
		t.Error("unknown bytes are a default")
	}
}
