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
	faults, _ := t.Verify()
	for _, f := range faults {
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
