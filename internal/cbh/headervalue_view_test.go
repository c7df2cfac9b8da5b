package cbh_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"cbkit/internal/cbh"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// A view says of any bytes what decoding them as a whole says.
func TestHeaderView(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		head := rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 2, 7, 127, 128, 254, 255}), cbh.RecordSize, cbh.RecordSize).Draw(t, "head")
		size := rapid.SampledFrom([]int{0, 3, 8, 30, 78, cbh.ExtRecordSize - 1, cbh.ExtRecordSize}).Draw(t, "size")
		ext := rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 127, 128, 255, 255}), size, size).Draw(t, "ext")
		v, x := cbh.HeaderView{Head: (*[cbh.RecordSize]byte)(head)}, cbh.DecodeExtRecord(ext)
		if v.Type().IsText() {
			r := must.Get(cbh.DecodeTextRecord(head))(t)
			want := r.Header(&x)
			round, subround := v.Round()
			if v.Tournament() != want.Tournament || v.Annotator() != want.Annotator || v.Source() != want.Source ||
				round != want.Round || subround != want.Subround || v.White() != model.NoEntity || v.Black() != model.NoEntity {
				t.Errorf("text %+v", want)
			}
			return
		}
		r := must.Get(cbh.DecodeGameRecord(head))(t)
		want := r.Header(&x)
		got := model.Header{Tags: []model.Tag{{Name: "old"}}, LineEvaluation: 9}
		v.Game(&got, ext)
		white, black := v.Elo()
		round, subround := v.Round()
		if white != want.WhiteElo || black != want.BlackElo || round != want.Round || subround != want.Subround ||
			v.White() != want.White || v.Black() != want.Black || v.Tournament() != want.Tournament ||
			v.Annotator() != want.Annotator || v.Source() != want.Source || v.Date() != want.Date ||
			v.Result() != want.Result || v.ECO() != want.ECO {
			t.Errorf("fields of %+v", want)
		}
		if got.Tags != nil {
			t.Error("tags stay")
		}
		got.Tags, want.Tags = nil, nil
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, want %+v", got, want)
		}
		if meaningless := x.WhiteTeam < -1 || x.BlackTeam < -1 || x.GameTitle < -1; cbh.Meaningless(ext) != meaningless {
			t.Errorf("meaningless ids: %v", meaningless)
		}
	})
}
