package model_test

import (
	"testing"

	"cbkit/model"
)

func TestZeroTreeBuilder(t *testing.T) {
	var b model.TreeBuilder
	var tree model.Tree
	if b.Build(&tree); tree.Len() != 0 {
		t.Errorf("%d moves", tree.Len())
	}
	first := b.Add(model.NoNode, model.NewMove(model.E2, model.E4))
	b.Add(first, model.NewMove(model.E7, model.E5))
	b.Add(model.NoNode, model.NewMove(model.D2, model.D4))
	if b.Build(&tree); tree.Len() != 3 || tree.MainLen() != 2 {
		t.Errorf("%d moves, %d in the main line", tree.Len(), tree.MainLen())
	}
}
