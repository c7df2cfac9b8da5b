package check_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cbkit/avl"
	"cbkit/check"
	"cbkit/internal/cbh"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
)

// Where the links of five records are exchanged, and the names are all in their places, the
// tree is built anew, with names among them that no record refers to and without.
func TestRepairOfExchangedNodes(t *testing.T) {
	for i := range crashfs.Tried(40, 6, 1) {
		random := rand.New(rand.NewPCG(uint64(i), 5))
		d := sample(t)
		if i%2 > 0 {
			d.addPlayers("Aagaard", "Morphy", "Nunn", "Pachman", "Zwjaginzew")
		}
		want := recordsOf(d.save())
		sound, _ := d.findings(check.Options{}) // names without a game
		var names [][]byte
		var five []int
		d.editTree(&cbh.Players.EntityFile, func(tree *avl.Tree, payloads *[][]byte) {
			names = *payloads
			nodes, was := tree.Nodes, slices.Clone(tree.Nodes)
			for slices.Equal(nodes, was) {
				five = random.Perm(len(nodes))[:5]
				for k, id := range five {
					nodes[id] = was[five[(k+1)%len(five)]]
				}
			}
		})
		path := d.save()
		left, changes := repairOf(t, path)
		if !slices.Equal(left, sound) || changes == 0 {
			t.Errorf("%v: left are %v, %d changes were made", five, left, changes)
		}
		if diff := want.differences(recordsOf(path)); len(diff) > 0 {
			t.Errorf("%v: records %v are not what they were", five, diff)
		}
		b := must.Get(os.ReadFile(filepath.Join(filepath.Dir(path), "sample.cbp")))(t)
		for id, name := range names {
			at := d.entity(&cbh.Players.EntityFile, id) + cbh.EntityLinksSize
			if !bytes.Equal(b[at:at+len(name)], name) {
				t.Errorf("%v: the name %d became %q", five, id, b[at:at+len(name)])
			}
		}
	}
}
