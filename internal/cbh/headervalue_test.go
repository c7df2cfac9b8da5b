package cbh

import (
	"bytes"
	"reflect"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/model"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawGameRecord draws a record of any bits.
func drawGameRecord(t *rapid.T) (GameRecord, ExtRecord) {
	size := rapid.SampledFrom([]int{0, 30, 78, ExtRecordSize}).Draw(t, "size")
	head := rapid.SliceOfN(rapid.Byte(), RecordSize, RecordSize).Draw(t, "head")
	r := must.Get(DecodeGameRecord(head))(t)
	return r, DecodeExtRecord(rapid.SliceOfN(rapid.Byte(), size, size).Draw(t, "ext"))
}

// Storing what a record says changes no bit of it.
func TestSetHeaderKeepsStoredBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, ext := drawGameRecord(t)
		was, extWas := r.Append(nil), ext.Append(nil, ExtRecordSize)
		h := r.Header(&ext)
		chess960 := rapid.IntRange(-1, 959).Draw(t, "chess960")
		r.SetEntities(&ext, r.Entities(&ext))
		if losses := r.SetHeader(&h, chess960); len(losses) > 0 {
			t.Fatalf("losses: %v", losses)
		}
		if got := r.Append(nil); !bytes.Equal(got, was) {
			t.Fatalf("% x became % x", was, got)
		}
		if got := ext.Append(nil, ExtRecordSize); !bytes.Equal(got, extWas) {
			t.Fatalf("% x became % x", extWas, got)
		}
	})
}

// A new record says what it was given.
func TestSetHeaderOfNewRecord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, ext := drawGameRecord(t)
		want := r.Header(&ext)
		_, chess960 := UnpackOpening(r.Opening)
		fresh, freshExt := NewGameRecord(chess960), NewExtRecord()
		fresh.SetEntities(&freshExt, r.Entities(&ext))
		if losses := fresh.SetHeader(&want, chess960); len(losses) > 0 {
			t.Fatalf("losses: %v", losses)
		}
		if got := fresh.Header(&freshExt); !reflect.DeepEqual(got, want) {
			t.Fatal(cmp.Diff(want, got, cmp.AllowUnexported(model.Header{}, model.GuidingText{})))
		}
		if _, n := UnpackOpening(fresh.Opening); n != chess960 {
			t.Fatalf("Chess960 number %d became %d", chess960, n)
		}
	})
}

func TestSetHeaderLosses(t *testing.T) {
	h := model.NewHeader()
	h.Result, h.LineEvaluation = model.Draw, 14
	h.Round, h.Subround = 256, 255
	h.Date = model.Date{Year: 5000, Month: 1}
	h.ECO = model.NewECO(0, 0)
	r := NewGameRecord(518)
	var fields []string
	for _, l := range r.SetHeader(&h, 518) {
		fields = append(fields, l.Field)
	}
	if want := []string{"date", "line evaluation", "round", "ECO"}; !cmp.Equal(fields, want) {
		t.Errorf("lost %v, want %v", fields, want)
	}
	if r.Round != 0 || r.Subround != 255 || UnpackDate(r.Date) != (model.Date{Month: 1}) {
		t.Errorf("%+v", r)
	}
	if _, n := UnpackOpening(r.Opening); n != 518 {
		t.Errorf("the starting position became %d", n)
	}
}

func TestTextHeader(t *testing.T) {
	r, ext := TextRecord{Type: TypeInUse | TypeText}, DefaultExtRecord()
	want := *model.NewGuidingText()
	want.Tournament, want.Annotator, want.GameTitle, want.Round, want.Subround = 3, 70000, 5, 2, 9
	r.SetEntities(&ext, EntityIDs{Tournament: 3, Annotator: 70000, Source: NoEntity, GameTitle: 5})
	if losses := r.SetHeader(&want); len(losses) > 0 {
		t.Errorf("losses: %v", losses)
	}
	if got := r.Header(&ext); !reflect.DeepEqual(got, want) {
		t.Error(cmp.Diff(want, got, cmp.AllowUnexported(model.Header{}, model.GuidingText{})))
	}
	want.Subround = 1000
	if losses := r.SetHeader(&want); len(losses) != 1 || losses[0].Field != "subround" {
		t.Errorf("losses: %v", losses)
	}
}

func TestPlace(t *testing.T) {
	for _, c := range []struct {
		low  uint32
		full uint64
		want int64
	}{
		{26, 26, 26}, {26, 0, 26}, {26, 27, 26}, {26, 1<<32 + 26, 1<<32 + 26}, {26, 1<<63 + 26, 26},
	} {
		if got := Place(c.low, c.full); got != c.want {
			t.Errorf("Place(%d, %d) = %d, want %d", c.low, c.full, got, c.want)
		}
	}
}
