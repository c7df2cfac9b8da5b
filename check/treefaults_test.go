package check_test

import (
	"cbkit/avl"
	"cbkit/internal/cbh"
)

// players changes the tree of the players, of whom the last two are deleted:
//
//	             0 Menchik                      first deleted: 11, then 10
//	      4 Euwe           2 Tal
//	  5 Br.    9 Gap.   8 Reti  6 Zukertort
//	1 Anand      7 Ker. 3 Polgar
func players(change func(tree *avl.Tree)) func(*damaged) {
	return func(d *damaged) {
		d.deletePlayers("Fischer", "Spasski")
		d.editTree(&cbh.Players.EntityFile, func(tree *avl.Tree, _ *[][]byte) { change(tree) })
	}
}

// unbalance makes one line of the tree of tournaments, with the balances that
// it has then.
func unbalance(d *damaged) {
	d.editTree(&cbh.Tournaments.EntityFile, func(tree *avl.Tree, _ *[][]byte) {
		tree.Root = 1
		tree.Nodes = []avl.Node{{Left: -1, Right: 2, Balance: 2}, {Left: -1, Right: 0, Balance: 3}, {Left: -1, Right: 3, Balance: 1}, {Left: -1, Right: -1}}
	})
}

// inOld makes the same damage in an old database.
func inOld(damage func(*damaged)) func(*damaged) {
	return func(d *damaged) {
		d.makeOld()
		damage(d)
	}
}

// Faults that old programs left behind.
var (
	staleBalance = players(func(tree *avl.Tree) { tree.Nodes[5].Balance = 1 })
	staleLive    = players(func(tree *avl.Tree) { tree.Live = 7 })
	staleDeleted = players(func(tree *avl.Tree) { tree.Nodes[10].Balance = 1 })
)

// treeFaults are faults of the trees of entity files.
var treeFaults = []fault{
	{"root deleted", players(func(tree *avl.Tree) { tree.Root = 10 }), []string{"error .cbp tree-root"}},
	{"root out of range", players(func(tree *avl.Tree) { tree.Root = -1 }), []string{"error .cbp tree-root"}},
	{"link out of range", players(func(tree *avl.Tree) { tree.Nodes[8].Left = 99 }),
		[]string{"error .cbp 8 tree-link", "error .cbp 3 tree-unreachable"}},
	{"link to a deleted record", players(func(tree *avl.Tree) { tree.Nodes[8].Left = 10 }),
		[]string{"error .cbp 8 tree-deleted-link", "error .cbp 3 tree-unreachable"}},
	{"link back up", players(func(tree *avl.Tree) { tree.Nodes[3].Left = 2 }), []string{"error .cbp 3 tree-cycle"}},
	{"link to oneself", players(func(tree *avl.Tree) { tree.Nodes[7].Right = 7 }), []string{"error .cbp 7 tree-cycle"}},
	{"two parents", players(func(tree *avl.Tree) { tree.Nodes[3].Left = 7 }), []string{"error .cbp 3 tree-two-parents"}},
	{"lost leaf", players(func(tree *avl.Tree) { tree.Nodes[8] = avl.Node{Left: -1, Right: -1} }),
		[]string{"error .cbp 3 tree-unreachable", "error .cbp 2 tree-balance", "error .cbp 0 tree-balance"}},
	{"swapped children", players(func(tree *avl.Tree) { n := &tree.Nodes[4]; n.Left, n.Right = n.Right, n.Left }),
		[]string{"error .cbp 4 tree-order", "error .cbp 1 tree-order"}},
	{"renamed in place", func(d *damaged) { d.put(".cbp", d.entity(&cbh.Players.EntityFile, 1)+9, 'Z') },
		[]string{"error .cbp 5 tree-order"}},
	{"flipped balance", staleBalance, []string{"error .cbp 5 tree-balance"}},
	{"flipped balance in an old file", inOld(staleBalance), []string{"note .cbp 5 tree-balance"}},
	{"out of balance", unbalance, []string{"error .cbt 0 tree-unbalanced", "error .cbt 1 tree-unbalanced"}},
	{"out of balance in an old file", inOld(unbalance), []string{"note .cbt 0 tree-unbalanced", "note .cbt 1 tree-unbalanced"}},
	{"live count", staleLive, []string{"error .cbp live-count"}},
	{"live count in an old file", inOld(staleLive), []string{"note .cbp live-count"}},
	{"live count with an empty .cbj", func(d *damaged) {
		staleLive(d)
		d.putLE32(".cbj", 8, 0)
		d.cut(".cbj", len(d.files[".cbj"])-cbh.ExtHeaderSize)
		for _, ext := range []string{".cbe", ".cbl"} {
			delete(d.files, ext)
		}
	}, []string{"note .cbp live-count", "note .cbj ext-empty"}},

	{"first deleted out of range", players(func(tree *avl.Tree) { tree.Free = 77 }),
		[]string{"error .cbp free-list-link", "error .cbp 10 free-list-missing", "error .cbp 11 free-list-missing"}},
	{"live record on the list", players(func(tree *avl.Tree) { tree.Nodes[11].Right = 3 }),
		[]string{"error .cbp 11 free-list-live", "error .cbp 10 free-list-missing"}},
	{"list without an end", players(func(tree *avl.Tree) { tree.Nodes[10].Right = 11 }), []string{"error .cbp 10 free-list-loop"}},
	{"record not on the list", players(func(tree *avl.Tree) { tree.Free = 10 }), []string{"error .cbp 11 free-list-missing"}},
	{"balance of a deleted record", staleDeleted, []string{"error .cbp 10 deleted-balance"}},
	{"balance of a deleted record in an old file", inOld(staleDeleted), []string{"note .cbp 10 deleted-balance"}},
}
