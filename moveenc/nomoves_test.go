package moveenc_test

import (
	"bytes"
	"testing"

	"cbkit/model"
	"cbkit/moveenc"
)

// TestEncodeNil: no tree is a tree without moves.
func TestEncodeNil(t *testing.T) {
	got, err := moveenc.Append(nil, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := moveenc.Append(nil, nil, new(model.Tree), nil)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("% x, without moves % x, error %v", got, want, err)
	}
}
