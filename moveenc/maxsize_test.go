package moveenc_test

import (
	"errors"
	"testing"

	"cbkit/model"
	"cbkit/moveenc"
)

// TestLargestRecord: a record of MaxSize bytes is written and read, one byte
// more is refused.
func TestLargestRecord(t *testing.T) {
	moves := tree(model.NewMove(model.E2, model.E4))
	plain, err := moveenc.Append(nil, nil, &moves, nil)
	if err != nil {
		t.Fatal(err)
	}
	trailer := make([]byte, moveenc.MaxSize-len(plain)+1)
	rec, err := moveenc.Append(nil, nil, &moves, &moveenc.Form{Trailer: trailer[1:]})
	if err != nil || len(rec) != moveenc.MaxSize {
		t.Fatalf("%d bytes, error %v", len(rec), err)
	}
	var g moveenc.Game
	if err := moveenc.Decode(rec, &g); err != nil || len(g.Form.Trailer) != len(trailer)-1 {
		t.Errorf("decoded with a trailer of %d bytes, error %v", len(g.Form.Trailer), err)
	}
	if _, err := moveenc.Append(nil, nil, &moves, &moveenc.Form{Trailer: trailer}); !errors.Is(err, model.ErrTooLarge) {
		t.Errorf("one byte more: error %v", err)
	}
}
