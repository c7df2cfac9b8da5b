package cbh

import (
	"testing"

	"cbkit/model"
)

// Every kind of the model has its row, and no type belongs to two.
func TestEveryKindHasACodec(t *testing.T) {
	types := map[uint8]model.Kind{}
	for _, kind := range model.Kinds() {
		codec := kindCodecs[kind]
		if codec == nil {
			if kind != model.KindOpaque {
				t.Errorf("no codec for %s", kind)
			}
			continue
		}
		for _, typ := range codec.types {
			if other, twice := types[typ]; twice {
				t.Errorf("type %02x belongs to %s and %s", typ, other, kind)
			}
			types[typ] = kind
		}
	}
	if len(kindCodecs) != len(model.Kinds())-1 {
		t.Errorf("%d codecs, %d kinds", len(kindCodecs), len(model.Kinds()))
	}
}
