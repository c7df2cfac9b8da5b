package check

import (
	"slices"

	"cbkit/avl"
)

// treeCodes are the codes of the findings in trees.
var treeCodes = map[avl.Kind]string{
	avl.BadRoot:        codeTreeRoot,
	avl.BadLink:        codeTreeLink,
	avl.DeadLink:       codeTreeDeadLink,
	avl.Cycle:          codeTreeCycle,
	avl.TwoParents:     codeTreeTwoParents,
	avl.Unreachable:    codeTreeUnreachable,
	avl.Disorder:       codeTreeOrder,
	avl.WrongBalance:   codeTreeBalance,
	avl.Unbalanced:     codeTreeUnbalanced,
	avl.WrongLive:      codeLiveCount,
	avl.FreeBadLink:    codeFreeLink,
	avl.FreeNotDeleted: codeFreeLive,
	avl.FreeLoop:       codeFreeLoop,
	avl.FreeMissing:    codeFreeMissing,
	avl.DeletedBalance: codeDeletedBalance,
}

// oldFaults are notes in databases of old programs, which let them slide.
var oldFaults = []avl.Kind{avl.WrongLive, avl.WrongBalance, avl.Unbalanced, avl.DeletedBalance}

// Where the fields of the header that belong to the tree are.
var treeHeaderOffsets = map[avl.Field]int64{avl.FieldRoot: 4, avl.FieldFree: 16, avl.FieldLive: 20}

// checkTree looks at the tree and the list of deleted records of an entity
// file.
func (c *checker) checkTree(t *entityTable) {
	for _, f := range t.verify() {
		code := treeCodes[f.Kind]
		severity := severities[code]
		if c.d.old && slices.Contains(oldFaults, f.Kind) {
			severity = Note
		}
		where := inHeader(t.kind.Ext, treeHeaderOffsets[f.Field], string(f.Field))
		if f.ID != avl.None {
			where = t.in(f.ID, string(f.Field))
		}
		c.addAs(severity, code, where, "%s", f.Text())
		c.spill()
	}
}

// verify returns the violations of the rules of the tree under the order of
// keys that suits it better: files differ in whether bytes above 7F come first
// or last (spec/cbh-entities.md 7.2).
func (t *entityTable) verify() []avl.Finding {
	tree := avl.Tree{Nodes: t.nodes, Root: t.Head.Root, Free: t.Head.FirstDeleted, Live: t.Head.Live}
	under := func(signed bool) ([]avl.Finding, int) {
		list := tree.Verify(func(a, b int32) int {
			return t.kind.Compare(t.payload(a), t.payload(b), signed)
		})
		return list, disorders(list)
	}
	usual, n := under(t.kind.DefaultSigned)
	if n == 0 {
		return usual
	}
	if other, m := under(!t.kind.DefaultSigned); m < n {
		return other
	}
	return usual
}

// disorders counts the neighbours in the wrong order.
func disorders(list []avl.Finding) (n int) {
	for _, f := range list {
		if f.Kind == avl.Disorder {
			n++
		}
	}
	return n
}
