package check_test

import (
	"cbkit/avl"
	"cbkit/internal/cbh"
	"cbkit/internal/testkit/must"
)

// editTree changes the tree of an entity file; payloads can grow with it.
func (d *damaged) editTree(kind *cbh.EntityFile, change func(tree *avl.Tree, payloads *[][]byte)) {
	d.t.Helper()
	b := d.files[kind.Ext]
	h := must.Get(cbh.DecodeEntityHeader(b))(d.t)
	h.Extension = append([]byte(nil), h.Extension...)
	tree := &avl.Tree{Root: h.Root, Free: h.FirstDeleted, Live: h.Live}
	var payloads [][]byte
	for id := range int(h.Capacity) {
		at := h.Size() + id*kind.RecordSize()
		l := must.Get(cbh.DecodeEntityLinks(b[at:]))(d.t)
		tree.Nodes = append(tree.Nodes, avl.Node{Left: l.Left, Right: l.Right, Balance: l.Balance})
		payloads = append(payloads, b[at+cbh.EntityLinksSize:at+kind.RecordSize()])
	}
	change(tree, &payloads)
	h.Capacity, h.Root, h.FirstDeleted, h.Live = int32(len(tree.Nodes)), tree.Root, tree.Free, tree.Live
	out := h.Append(nil)
	for id, n := range tree.Nodes {
		out = append(cbh.EntityLinks{Left: n.Left, Right: n.Right, Balance: n.Balance}.Append(out), payloads[id]...)
	}
	d.files[kind.Ext] = out
}

// addPlayers puts players into the file that no game refers to.
func (d *damaged) addPlayers(names ...string) (ids []int32) {
	d.editTree(&cbh.Players.EntityFile, func(tree *avl.Tree, payloads *[][]byte) {
		for _, name := range names {
			p := make([]byte, cbh.Players.Size)
			copy(p, name)
			id := must.Get(tree.Add(comparePlayer(p, payloads)))(d.t)
			if int(id) == len(*payloads) {
				*payloads = append(*payloads, nil)
			}
			(*payloads)[id] = p
			ids = append(ids, id)
		}
	})
	return ids
}

// deletePlayers adds players and deletes them again, so that the file has a
// list of deleted records.
func (d *damaged) deletePlayers(names ...string) {
	ids := d.addPlayers(names...)
	d.editTree(&cbh.Players.EntityFile, func(tree *avl.Tree, payloads *[][]byte) {
		for _, id := range ids {
			must.Do(d.t, tree.Remove(id, comparePlayer((*payloads)[id], payloads)))
		}
	})
}

// comparePlayer compares a payload with those of a file.
func comparePlayer(p []byte, payloads *[][]byte) avl.Compare {
	return func(id int32) int { return cbh.Players.Compare(p, (*payloads)[id], false) }
}
